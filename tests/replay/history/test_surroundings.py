"""The dumps of a bug folder stand for the world that they are of: a stretch comes to the same in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.dat.hex_id import hex_id
from engine.physics.objects.world_objects import DOOR_SETUP
from engine.physics.simulation.inputs import KeysTick
from engine.physics.simulation.simulation import Simulation
from engine.replay.cases import run_case
from engine.replay.history.stretch import put_down_by_hand, write_script
from engine.replay.history.surroundings import _Writer, write_surroundings
from engine.replay.history.ticks import History
from engine.replay.sim import run_steps, start_script
from engine.replay.sim_script import read_script
from engine.world.cells import PlacedObject
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.dump_records import parse_cell
from engine.world.sources.dump_writer import cell_document
from engine.world.sources.json_node import JsonError, Node
from engine.world.sources.open_source import SourceArguments, open_source
from engine.world.sources.scene_file import parse_scene
from tests.places import DEMO
from tests.replay.history.door_walks import AHEAD, walked, walking

WOOD, NEVER = 0x01000A00, 0x01FFFFFE  # a model of the demo, and none


def dumped(history: History, folder: Path) -> World:
    write_script(history, 60, 160, folder)
    reports = [moment.report for moment in history.stretch(61, 160)]
    write_surroundings(history.simulation.world, reports, (), folder / "dumps")
    return World(open_source(dumps=folder / "dumps"))


@pytest.mark.parametrize("seed", [0, 2])  # they meet furniture, doors, trees and slopes
def test_a_stretch_comes_to_the_same_to_the_bit_in_the_dumps_around_it(tmp_path: Path, seed: int) -> None:
    _, history = walked(seed)
    world = dumped(history, tmp_path)
    expected = [json.loads(line) for line in (tmp_path / "expected.jsonl").read_text().splitlines()]
    expected[0].pop("holtwalk")
    script = read_script(tmp_path / "sim.json")
    for got, want in zip(run_steps(start_script(world, script), script), expected, strict=True):
        assert json.loads(json.dumps(got.to_json())) == want
    assert world.problems.lines == []
    if seed == 0:  # a case that has dumps runs in them, whatever world is named
        result = run_case(tmp_path, world_of=SourceArguments(demo=tmp_path / "nowhere"))
        assert result.passed and result.compared == 100


def test_what_the_worlds_files_give_no_longer_is_told_and_not_what_they_never_gave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was emptied meanwhile: the bug folder was said to be whole."""
    world = World(open_source(demo=DEMO))
    ids = (DOOR_SETUP, WOOD, NEVER)
    assert [world.model(key) is not None for key in ids] == [True, True, False]
    monkeypatch.setattr(world.source, "setup", lambda _: None)
    writer = _Writer(world, tmp_path)
    for key in ids:
        writer._model(key)
    assert writer._lost == [hex_id(DOOR_SETUP)]


def test_the_world_ends_in_the_dumps_where_it_ends(tmp_path: Path) -> None:
    sim, history, watch = walking()
    sim.teleport(sim.world.locate("0xABB40000 [190.5 12 100] 0.7071 0 0 -0.7071"))
    history.begin_anew()
    for _ in range(12):
        sim.input_tick(AHEAD)
    assert watch.now is not None and watch.now.words.endswith("nothing is loaded there")
    write_script(history, history.first, history.last, tmp_path)
    reports = [moment.report for moment in history.moments]
    write_surroundings(sim.world, reports, (), tmp_path / "dumps")
    assert run_case(tmp_path).passed


def test_every_cell_comes_back_from_its_dump_with_its_frame_polygons_portals_and_tree() -> None:
    source = open_source(demo=DEMO)
    world = World(source)
    block = world.load_block(0xA9B40000)
    assert block is not None
    for cell in block.env_cells.values():
        stored = source.env_cell(cell.id)
        assert stored is not None
        environment = source.environment(stored.environment_id)
        assert environment is not None
        structure = environment.cell(stored.structure)
        assert structure is not None
        a = 0.123456789
        turned = stored.frame._replace(orientation=((1.0 - a * a) ** 0.5, 0.0, 0.0, a))
        for frame in (stored.frame, turned):
            document = cell_document(cell.id, stored._replace(frame=frame), structure)
            again = parse_cell(Node(json.loads(json.dumps(document)), ""))
            assert again.frame == frame  # a matrix alone would lose bits of the turn
            assert again.tree == structure.physics_bsp
            assert [p.polygon for p in again.portals] == [p.polygon for p in stored.portals]
            assert [p.flags for p in again.portals] == [p.flags for p in stored.portals]
            assert [p.other_portal for p in again.portals] == [p.other_portal for p in stored.portals]
            assert {v & 0xFFFF for v in again.visible} == set(stored.visible)
            keys = [polygon.key for polygon in structure.physics_polygons]
            assert [polygon.key for polygon in again.physics] == keys
            assert len(again.drawing) == len(structure.polygons)


def test_the_scene_of_a_bug_folder_keeps_ids_turns_doors_and_the_ground(tmp_path: Path) -> None:
    _, history = walked(0, 170)
    dumped(history, tmp_path)
    block = history.simulation.world.blocks[0xA9B40000]
    other = World(open_source(dumps=tmp_path / "dumps")).load_block(block.id)
    assert other is not None
    assert other.heights == block.heights
    assert tuple(other.terrain) == tuple(block.terrain)
    mine = {p.object_id: p for p in (*block.statics, *block.entities)}
    theirs = {p.object_id: p for p in (*other.statics, *other.entities)}
    assert theirs.keys() == mine.keys()
    for object_id, placed in mine.items():
        found = theirs[object_id]
        assert (found.frame.origin, found.frame.quat) == (placed.frame.origin, placed.frame.quat)
        assert (found.cell_id, found.scale, found.state) == (placed.cell_id, placed.scale, placed.state)
        assert (found.motion_table, found.door) == (placed.motion_table, placed.door)
    for building, shell in zip(block.buildings, other.buildings, strict=True):
        assert [p.stab_list for p in building.portals] == [p.stab_list for p in shell.portals]
        assert [p.flags for p in building.portals] == [p.flags for p in shell.portals]
    for cell_id, cell in block.env_cells.items():
        planes, same = other.env_cells[cell_id].block_planes, cell.block_planes
        assert (planes is None) is (same is None)
        assert [tuple(p) for p in planes or ()] == [tuple(p) for p in same or ()]


@pytest.mark.parametrize(
    ("terrain", "reason"),
    [
        ({"0xA9B40001": {"heights": [1.0] * 81, "words": [0] * 81}}, "is no landblock"),
        ({"0xA9B40000": {"heights": [1.0] * 81, "words": [0] * 80}}, "expected 81 words"),
        ({"0xA9B40000": {"heights": [float(n) for n in range(81)], "words": [0] * 81},
          "0xA9B30000": {"heights": [float(n) for n in range(100, 181)], "words": [0] * 81},
          "0xA9B20000": {"heights": [float(n) for n in range(200, 281)], "words": [0] * 81}},
         "more than 174 different heights"),
    ],
)  # fmt: skip
def test_ground_that_makes_no_sense_is_one_line(terrain: object, reason: str) -> None:
    with pytest.raises(JsonError, match=reason):
        parse_scene({"terrain": {"height": 1.0, "blocks": terrain}}, "scene.json")
    with pytest.raises(JsonError, match=r"terrain: missing\[0\]: 0xA9B40001 is no landblock"):
        parse_scene({"terrain": {"height": 1.0, "missing": ["0xA9B40001"]}}, "scene.json")


def test_dumps_hold_what_was_put_down_by_hand_and_landblocks_that_were_left(tmp_path: Path) -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate("0x01070100 [38 60 -6]"))
    history = History(simulation)
    at = Frame((38.0, 61.5, -6.0))
    door = PlacedObject(0x7F000001, DOOR_SETUP, 0x01070100, at, state=0x10008, is_entity=True)
    simulation.tell(KeysTick(AHEAD))
    simulation.add(door)
    for _ in range(20):
        simulation.tell(KeysTick(AHEAD))
    assert put_down_by_hand(history, 0, 20) == put_down_by_hand(history, 10, 20) == [door]
    first, last = history.first, history.last
    write_script(history, first, last, tmp_path)
    reports = [moment.report for moment in history.stretch(first, last)]
    by_hand = put_down_by_hand(history, first, last)
    simulation.world.unload_block(0x01070000)
    write_surroundings(simulation.world, reports, (), tmp_path / "dumps", by_hand=by_hand)
    result = run_case(tmp_path)
    assert result.passed and not result.told, result
    assert any(report.hits for report in reports)
