"""A made world: the same bytes each time, ground that meets at borders, sound towns and dungeons."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from engine.dat.check.everything import check
from engine.dat.container.installation import DatFiles
from engine.dat.records.land_block import LandBlock
from engine.physics.simulation.asked_place import go_to
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.audit.auditing import audit_block
from engine.replay.audit.finding import FLIP, NOT_MEETING, OVERLAP, Tally
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from scripts import build_demo_world, make_world
from scripts.environment import SetupError
from scripts.made_world import dungeons
from scripts.made_world.land import HIGHWAY, Land
from scripts.made_world.world import MadeWorld

COLUMNS, WIDTH, HEIGHT = 2, 7, 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made world of 42 landblocks."""
    path = tmp_path_factory.mktemp("made")
    words = ["--size", f"{WIDTH}x{HEIGHT}", "--dungeons", str(COLUMNS), "--cells", "10-120"]
    assert make_world.main([str(path), *words]) == 0
    return path


def test_the_same_arguments_give_the_same_bytes_and_another_seed_others() -> None:
    def records(seed: int) -> dict[int, bytes]:
        return dict(
            MadeWorld(width=3, height=2, dungeon_columns=1, seed=seed, fewest=10, most=60).cell_records()
        )

    assert records(1) == records(1)
    assert records(1) != records(2)


def test_a_walk_begins_in_the_landcell_that_its_place_names(folder: Path) -> None:
    simulation = Simulation(World(open_source(dats=folder)))
    home = simulation.world.locate(simulation.world.source.home())
    assert home == simulation.world.locate("0x00000025")
    assert go_to(simulation, home).words == ""


def test_every_record_is_sound_and_the_cell_graph_too(folder: Path) -> None:
    with DatFiles.open(folder) as files:
        report = check(files)
    assert report.findings == []
    assert report.objects["LandBlock"] == WIDTH * HEIGHT
    world = World(open_source(dats=folder))
    total = Tally()
    sizes = []
    for block_id in world.source.block_ids():
        tally = audit_block(world, block_id)
        sizes.append(tally.cells)
        total.merge(tally)
    # Every croft has the demo's doorway that overlaps, and nothing else is found.
    crofts = total.counts[OVERLAP]
    assert crofts > 0
    assert total.counts == {NOT_MEETING: crofts, OVERLAP: crofts, FLIP: 2 * crofts}
    assert min(sizes[: COLUMNS * HEIGHT]) < 15 and max(sizes) > 90
    assert sizes[COLUMNS * HEIGHT :] == [52]  # the one town


def test_the_ground_meets_at_every_border(folder: Path) -> None:
    with DatFiles.open(folder) as files:
        heights = {}
        for bx in range(WIDTH):
            for by in range(HEIGHT):
                record = files.get(bx << 24 | by << 16 | 0xFFFF, LandBlock)
                assert record is not None
                heights[bx, by] = record.height
    for (bx, by), here in heights.items():
        if (bx + 1, by) in heights:
            assert here[72:] == heights[bx + 1, by][:9]
        if (bx, by + 1) in heights:
            assert here[8::9] == heights[bx, by + 1][0::9]
    assert {h for column in range(COLUMNS) for h in heights[column, 0]} == {0}
    assert max(max(h) for h in heights.values()) > 40


@pytest.mark.parametrize("count", [1, 2, 10, 47, 255, 256, 257, 260, 600, 1000])
def test_a_dungeon_has_as_many_cells_as_are_asked_for_and_is_connected(count: int) -> None:
    made = dungeons.plan(count, Random(count))
    assert len(made.links) == count
    reached, todo = set(), [next(iter(made.links))]
    while todo:
        tile = todo.pop()
        if tile not in reached:
            reached.add(tile)
            todo += made.links[tile].values()
    assert reached == set(made.links)
    for tile, ways in made.links.items():
        for way, other in ways.items():
            assert made.links[other][dungeons.opposite(way)] == tile


def test_lists_name_each_other() -> None:
    made = dungeons.plan(120, Random(3))
    seen = {tile: dungeons.in_sight(made, tile) for tile in made.links}
    assert all(tile in seen[other] for tile, others in seen.items() for other in others)


def test_one_can_walk_along_the_highway_over_a_border(folder: Path) -> None:
    world = World(open_source(dats=folder))
    simulation = Simulation(world)
    land = Land(COLUMNS, 1)
    height = land.vertex(8 * (COLUMNS + 1), HIGHWAY)[1]
    assert height > 0
    simulation.teleport(world.locate(f"0x{COLUMNS + 1:02X}000000 [170 {24 * HIGHWAY} {2 * height + 2}]"))
    simulation.face(90.0)
    start = simulation.report().cell >> 24
    for _ in range(300):
        report = simulation.input_tick(MovementInput(1, run=True))
    assert report.cell >> 24 > start


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--size", "0x5"], "0x5"),
        (["--size", "256x3"], "256x3"),
        (["--size", "3x3", "--dungeons", "4"], "the world has 3 columns"),
        (["--cells", "50-10"], "the fewest come first"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        make_world.main([str(tmp_path / "new"), *words])
    assert stop.value.code == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("script", [make_world, build_demo_world])
@pytest.mark.parametrize("name", ["client_portal.dat", "client_cell_1.dat"])
def test_somebody_s_own_dats_are_not_replaced_by_made_ones(
    script: ModuleType, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(b"the game's own")
    with pytest.raises(SetupError, match=rf"^{tmp_path / name}: is there already"):
        script.main([str(tmp_path)])
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, b"the game's own")]


@pytest.mark.parametrize("script", [make_world, build_demo_world])
def test_dats_that_came_meanwhile_are_not_replaced_either(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "client_cell_1.dat"
    monkeypatch.setattr(script, "refuse_to_replace", lambda *_: mine.write_bytes(b"the game's own"))
    monkeypatch.setattr(build_demo_world, "files", lambda: {mine.name: b""})
    words = ["--size", "1x1", "--dungeons", "0"] if script is make_world else []
    with pytest.raises(FileExistsError):
        script.main([str(tmp_path), *words])
    assert mine.read_bytes() == b"the game's own"


def test_a_world_that_is_broken_off_leaves_no_dat_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was there kept the same command from making the world."""

    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(make_world, "_telling", broken_off)
    with pytest.raises(KeyboardInterrupt):
        make_world.main([str(tmp_path), "--size", "1x1", "--dungeons", "0"])
    assert list(tmp_path.iterdir()) == []


def test_a_demo_world_that_is_broken_off_leaves_no_dat_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        build_demo_world, "files", lambda: {"client_portal.dat": b"x", "client_cell_1.dat": ""}
    )
    with pytest.raises(TypeError):
        build_demo_world.main([str(tmp_path)])
    assert list(tmp_path.iterdir()) == []
