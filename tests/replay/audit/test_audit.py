"""The audit finds a planted fault of each kind and nothing in a sound world."""

import json
import math
from random import Random

import pytest

from engine.dat.container.dat_file import DatFile
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.setup import Setup
from engine.dat.values import StoredFrame
from engine.replay.audit import finding as kind
from engine.replay.audit import flips, seeing, sight_lines, volumes
from engine.replay.audit.auditing import audit, audit_block
from engine.replay.audit.finding import KINDS, MAX_EXAMPLES, Finding, Tally
from engine.replay.audit.portals import unmet
from engine.world.loading.world import World
from engine.world.polygon import Polygon
from engine.world.source import Scene, SceneObject
from engine.world.sources.open_source import SourceArguments, open_source
from tests.places import DEMO, ROOT, SHARED
from tests.replay.audit.audit_world import (
    AT_A,
    AT_B,
    EXACT,
    OPENING,
    OUT,
    PORTALS_A,
    PORTALS_B,
    POSITIVE,
    ROOM_A,
    ROOM_B,
    SHELL,
    SOUTH,
    WEST,
    house,
    with_partition,
    with_smaller_tree,
    without_wall,
)
from tests.world import dump_folders
from tests.world.world_records import BLOCK, box_model, cell, room
from viewer.main import main

EAST_PORTAL, EXIT = PORTALS_A
DOOR_SETUP = 0x020019FF


def moved(at, x=0.0, y=0.0, z=0.0):
    return (at[0] + x, at[1] + y, at[2] + z)


def found(world):
    tally = audit_block(world, BLOCK)
    assert tally.blocks == 1
    return tally


def test_a_sound_house_has_no_findings():
    tally = found(house())
    assert tally.examples == {}
    assert (tally.cells, tally.found) == (2, 0)


FAULTS = [
    ("the way back is missing", {"portals_b": (CellPortal(EXACT | POSITIVE | OUT, WEST, 0xFFFF, -1),)},
     {kind.ONE_WAY, kind.FLIP}, "0xA9B40100 portal 0 leads to 0xA9B40101, which has no portal back"),
    ("an exit that no building leads into", {"openings": (), "building_at": AT_A},
     {kind.ONE_WAY}, "0xA9B40100 portal 1 leads outside"),
    ("the way back names another portal", {"portals_b": (PORTALS_B[0]._replace(other_portal=1),)},
     {kind.NOT_RECIPROCAL}, "names portal 1 of 0xA9B40100, which does not lead back"),
    ("a portal that names none", {"portals_a": (EAST_PORTAL._replace(other_portal=-1), EXIT)},
     {kind.NOT_RECIPROCAL}, "0xA9B40100 portal 0 names portal -1"),
    ("an opening into what is no exit", {"openings": (OPENING._replace(other_portal=0),)},
     {kind.NOT_RECIPROCAL, kind.ONE_WAY, kind.DAMAGED}, "names portal 0 of 0xA9B40100, which is no exit"),
    ("the neighbour stands 2 cm higher", {"at_b": moved(AT_B, z=0.02)},
     {kind.NOT_MEETING}, "corners are up to 0.020 m apart"),
    ("the building stands 5 cm off its cell", {"building_at": moved(AT_A, x=0.05)},
     {kind.NOT_MEETING}, "portal 0 and 0xA9B40100 portal 1: corners are up to 0.050 m apart"),
    ("a portal flagged as leading outside", {"portals_a": (EAST_PORTAL._replace(flags=7), EXIT)},
     {kind.WRONG_FLAG}, "0xA9B40100 portal 0 leads to 0xA9B40101, its flags are 7"),
    ("an exit not flagged", {"portals_a": (EAST_PORTAL, EXIT._replace(flags=3))},
     {kind.WRONG_FLAG}, "0xA9B40100 portal 1 leads outside, its flags are 3"),
    ("a portal's side is the other one", {"portals_a": (EAST_PORTAL._replace(flags=EXACT), EXIT)},
     {kind.WRONG_SIDE, kind.FLIP}, "lies on its positive side"),
    ("a building's opening faces in", {"openings": (OPENING._replace(flags=EXACT),)},
     {kind.WRONG_SIDE}, "the side that is taken for the outdoors"),
    ("a portal to a cell that is not there",
     {"portals_a": (EAST_PORTAL._replace(other_cell=0x1FF), EXIT), "portals_b": (), "stab_b": (),
      "stab_a": ()},
     {kind.MISSING}, "leads to 0xA9B401FF, which is not there"),
    ("a cell pushed into its neighbour", {"at_b": moved(AT_B, x=-1.0)},
     {kind.NOT_MEETING, kind.OVERLAP, kind.FLIP}, "both hold"),
    ("a wall that is drawn and not solid", {"rooms": [ROOM_A, without_wall(ROOM_B, 3)]},
     {kind.GAP}, "0xA9B40101"),
    ("a floor that is drawn and not solid", {"rooms": [ROOM_A, without_wall(ROOM_B, 0)]},
     {kind.GAP}, "face with normal [0.000 0.000 1.000]"),
    ("a polygon across a cell", {"rooms": [ROOM_A, with_partition(ROOM_B)]},
     {kind.CONCAVE}, "0xA9B40101 polygon 50"),
    ("a tree that leaves out half its cell", {"rooms": [ROOM_A, with_smaller_tree(ROOM_B)]},
     {kind.BAD_TREE, kind.GAP, kind.FLIP}, "leaves out corners by up to 1.500 m"),
    ("no seen-outside flag where the exit is seen", {"flags": 0},
     {kind.UNFLAGGED_EXIT}, "0xA9B40101 has no seen-outside flag"),
    ("a shell that reaches into the next landcell",
     {"shell": box_model(SHELL, (-2, -2, 0), (13, 2, 3), openings=((SOUTH, 0),))},
     {kind.BEYOND_LANDCELL, kind.NOT_MEETING}, "its shell reaches [73.000"),
    ("a list without the one that lists it", {"stab_b": ()},
     {kind.ASYMMETRIC, kind.UNLISTED}, "0xA9B40100 lists 0xA9B40101, which does not list it"),
    ("lists without the neighbours", {"stab_a": (), "stab_b": ()},
     {kind.UNLISTED}, "0xA9B40100 portal 0 leads to 0xA9B40101, which its stab list lacks"),
    ("a list with a cell that is not there", {"stab_a": (0x101, 0x1FE)},
     {kind.UNKNOWN_STAB}, "0xA9B40100 lists 0xA9B401FE"),
    ("a crack of 8 mm between cells", {"at_b": moved(AT_B, x=0.008)},
     set(), ""),
    ("a crack of 2 cm between cells", {"at_b": moved(AT_B, x=0.02)},
     {kind.NOT_MEETING}, "0.020 m apart"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "kinds", "says"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_planted_fault_is_found(changes, kinds, says):
    tally = found(house(**changes))
    assert set(tally.counts) == kinds, tally.examples
    if kinds:
        assert any(says in example for examples in tally.examples.values() for example in examples)


def test_an_exit_that_is_not_seen_needs_no_flag():
    """B's list lacks A: no flood from B gets to the exit."""
    tally = found(house(flags=0, stab_b=()))
    assert kind.UNFLAGGED_EXIT not in tally.counts


def test_a_cell_whose_exit_takes_too_many_floods_to_see_is_told(monkeypatch):
    """8,000 corners in a hundred rooms took minutes."""
    monkeypatch.setattr(seeing, "MOST_FLOODED_OF_CELL", 0)
    tally = found(house(flags=0))
    assert set(tally.counts) == {kind.UNFINISHED}
    assert all("whether it sees an exit" in line for line in tally.examples[kind.UNFINISHED])


def test_sides_of_an_opening_with_many_corners_are_compared_as_those_with_few():
    """255 portals of 250 corners each took three seconds a cell."""
    rng = Random(1)
    a = [(rng.uniform(-3, 3), rng.uniform(-3, 3), 0.0) for _ in range(60)]
    b = [(x + 0.02, y, z) for x, y, z in a]
    rng.shuffle(b)
    far = max(min(math.dist(v, w) for w in b) for v in a)
    assert unmet(Polygon(0, a), Polygon(0, b), exact=True).startswith(f"corners are up to {far:.3f} m apart")
    assert unmet(Polygon(0, a), Polygon(0, a[::-1]), exact=True) == ""


def test_a_cell_of_too_many_corners_and_planes_is_told(monkeypatch):
    monkeypatch.setattr(volumes, "MOST_SIDES_OF_CELL", 0)
    assert found(house()).found == 0  # nothing can be wrong, and nothing is asked
    tally = found(house(rooms=[ROOM_A, with_partition(ROOM_B)]))
    assert tally.examples == {kind.UNFINISHED: ["0xA9B40101: its shape: it has too many corners and planes"]}


def test_a_cell_with_too_many_spots_to_look_up_is_told(monkeypatch):
    monkeypatch.setattr(flips, "MOST_LOOKED_UP_OF_CELL", 0)
    tally = found(house())
    assert tally.counts == {kind.UNFINISHED: 2}
    assert "0xA9B40101 portal 0: there are too many spots" in tally.examples[kind.UNFINISHED][1]


def test_openings_of_very_many_corners_are_left_to_the_floods(monkeypatch):
    """Planes between two openings of 240 corners took minutes on the way through twelve rooms."""
    monkeypatch.setattr(sight_lines, "MOST_COMPARED", 0)
    tally = found(house(flags=0))
    assert set(tally.counts) == {kind.UNFLAGGED_EXIT}


def test_a_look_up_flips_where_a_third_cell_lies_across_the_portal():
    world = house()
    source = world.source
    source.environments[0x0D000003] = room(3, (1,), (-0.5, -0.5, 1), (0.5, 0.5, 2))._replace(id=0x0D000003)
    source.cells[BLOCK | 0x102] = cell(
        0x102, (CellPortal(EXACT | POSITIVE, 1, 0x100, 0),), (0x100, 0x101), (62.0, 60.0, 94.0), environment=3
    )
    source.listed = tuple(source.cells)
    tally = found(world)
    assert {kind.FLIP, kind.OVERLAP, kind.ONE_WAY} <= set(tally.counts)
    assert any("a look-up finds 0xA9B40100 and 0xA9B40102" in line for line in tally.examples[kind.FLIP])


def test_a_damaged_record_is_a_finding():
    world = house()
    del world.source.environments[0x0D000002]
    tally = found(world)
    assert {kind.DAMAGED, kind.MISSING, kind.UNKNOWN_STAB, kind.UNFINISHED} == set(tally.counts)
    assert "0xA9B40101" in tally.examples[kind.DAMAGED][0]
    assert tally.examples[kind.UNFINISHED] == ["0xA9B40101: the cell could not be loaded"]


def test_what_a_damaged_directory_lists_is_counted_as_not_looked_over(tmp_path, capsys):
    """Two worlds: one whose directory is lost whole, one that has lost a branch of it."""
    names = ("client_portal.dat", "client_cell_1.dat")
    for name in names:
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    cell_dat = tmp_path / names[1]
    whole = cell_dat.read_bytes()
    with DatFile.open(cell_dat) as file:
        tree = file.tree
        root = tree.node(tree.root)
        branch = root.children[-1]
    cell_dat.write_bytes(whole[: tree.root])
    assert main(["audit", "--dats", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no block of the file lies here" in line
    assert "no landblock has cells or buildings in what can be read" in line
    cell_dat.write_bytes(whole[:branch] + b"\xff" * 64 + whole[branch + 64 :])
    assert main(["audit", "--dats", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "what is listed there is not known" in out
    assert "ok  not-looked-over" not in out
    assert "parts could not be looked over" in out.splitlines()[-1]


def test_a_door_beyond_the_landcell_of_its_building():
    """The house stands at the landcell's south edge, its door's leaf reaches over it."""
    at_a, at_b = (60.0, 50.05, 94.0), (64.0, 50.05, 94.0)
    leaf = box_model(0x010044B5, (-1, -0.2, 0), (1, 0.2, 2.5))
    for y, kinds in ((48.05, {kind.BEYOND_LANDCELL}), (48.3, set())):
        at = StoredFrame((60.0, y, 94.0), (1.0, 0.0, 0.0, 0.0))
        scene = Scene(
            (
                SceneObject(
                    model_id=DOOR_SETUP, cell_id=BLOCK | 0x13, frame=at, entity_id=0x7A9B4015, state=0x10008
                ),
            )
        )
        world = house(building_at=at_a, at_b=at_b, objects=scene)
        world.source.cells[BLOCK | 0x100] = world.source.cells[BLOCK | 0x100]._replace(
            frame=StoredFrame(at_a, (1.0, 0.0, 0.0, 0.0))
        )
        world.source.models[leaf.id] = leaf
        world.source.setups[DOOR_SETUP] = Setup(DOOR_SETUP, 0, (leaf.id,))
        tally = found(world)
        assert set(tally.counts) == kinds, tally.examples
        if kinds:
            assert "its door 0x7A9B4015 reaches" in tally.examples[kind.BEYOND_LANDCELL][0]


def test_there_is_one_result_a_kind_with_count_and_examples():
    tally = Tally()
    tally.add(Finding(kind.GAP, f"gap {n}") for n in range(25))
    other = Tally(3, 1)
    other.add([Finding(kind.GAP, "another"), Finding(kind.OVERLAP, "two")])
    tally.merge(other)
    results = {result["name"]: result for result in json.loads(json.dumps(tally.results()))}
    assert list(results) == list(KINDS)
    assert results[kind.GAP]["figures"] == {
        "count": 26,
        "examples": [f"gap {n}" for n in range(MAX_EXAMPLES)],
    }
    assert results[kind.OVERLAP]["figures"] == {"count": 1, "examples": ["two"]}
    assert (results[kind.GAP]["ok"], results[kind.MISSING]["ok"]) == (False, True)
    assert (tally.cells, tally.blocks, tally.found) == (3, 1, 27)


def test_the_demo_has_no_findings_but_those_of_the_doorway_that_overlaps():
    world = World(open_source(demo=DEMO))
    total = Tally()
    for block_id in world.source.block_ids():
        total.merge(audit_block(world, block_id))
    assert total.counts == {kind.NOT_MEETING: 1, kind.OVERLAP: 1, kind.FLIP: 2}
    for lines in total.examples.values():
        assert all("0xA9B40101" in line and "0xA9B40103" in line for line in lines)
    assert total.cells > 100
    assert world.blocks == {}


def test_many_landblocks_are_shared_by_processes_and_come_to_the_same(tmp_path):
    """Eighteen landblocks with a room each, every third of them with a portal that leads nowhere."""
    for n in range(18):
        block = 0x30300000 + (n << 16)
        portals = [(2, 0x1FF, 3)] if n % 3 == 0 else [(2, 0xFFFF, 7)]
        dump = dump_folders.room(0x100, dump_folders.rigid(60.0, 60.0, 94.0), portals)
        dump["CellId"] = block | 0x100
        dump_folders.write(tmp_path, dump)
    source = SourceArguments(dumps=tmp_path)
    blocks = source.open().block_ids()
    assert len(blocks) == 18
    shared = audit(source, blocks, 2)
    alone = audit(source, blocks, 1)
    assert shared.results() == alone.results()
    assert shared.counts[kind.MISSING] == 6
    assert shared.cells == shared.blocks == 18


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["cases", "cases_view"])
def test_recorded_worlds_are_looked_over_without_a_fault_of_the_audits(folder):
    for path in sorted((SHARED / folder).glob("*/dumps"))[::6]:
        world = World(open_source(dumps=path))
        for block_id in world.source.block_ids():
            assert kind.DAMAGED not in audit_block(world, block_id).counts, path


@pytest.mark.shared
def test_the_real_cottage_lacks_only_what_was_not_dumped():
    world = World(open_source(dumps=SHARED / "examples" / "cottage"))
    tally = audit_block(world, BLOCK)
    assert set(tally.counts) == {kind.MISSING, kind.UNKNOWN_STAB, kind.ONE_WAY}
    lines = tally.examples[kind.MISSING] + tally.examples[kind.UNKNOWN_STAB]
    assert all("0xA9B4016F" in line for line in lines)


def test_the_docs_name_every_kind():
    text = (ROOT / "docs" / "captures.md").read_text(encoding="utf-8")
    assert [name for name, meaning in KINDS.items() if f"| `{name}` | {meaning} |" not in text] == []
