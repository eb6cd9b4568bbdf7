"""The map: the plan of a slice, what a click finds there, and the picture of the whole world, made once."""

from __future__ import annotations

import os
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from engine.world.cells import Landblock
from engine.world.sources.open_source import SourceArguments
from tests.needed import posix
from tests.places import DEMO
from tests.viewer.demo_places import standing
from viewer.asking.plan import Plan, hull
from viewer.asking.world_map import DOTS, NOWHERE, SIDE, WorldMap, _read, digest_of
from viewer.report.map_report import MapReport
from viewer.window.walking.walk import STANDING, Walk

ROOM, VESTIBULE, UPSTAIRS = 0xA9B40171, 0xA9B40170, 0xA9B40172
X, Y = 0xA9 * 192.0, 0xB4 * 192.0  # the landblock's corner


@pytest.fixture
def walk() -> Walk:
    made = Walk(standing("0xA9B40171 [155.4 12.6 94] 1 0 0 0"))
    made.look_out((640, 480), 0.0)
    return made


def seen(walk: Walk) -> MapReport:
    walk.questions.look_at_map((300.0, 300.0))
    walk.look_out((640, 480), 0.0)
    shown = walk.report().asked.map
    assert shown is not None
    return shown


def test_the_map_costs_nothing_while_nobody_looks_at_it(walk: Walk) -> None:
    assert walk.report().asked.map is None
    seen(walk)
    walk.look_out((640, 480), 0.0)
    assert walk.report().asked.map is None


def test_landblocks_that_are_gone_are_forgotten(walk: Walk) -> None:
    there, plan = walk.simulation.world.blocks, Plan(walk.simulation)
    for east in range(60):  # as one walks through them
        there[east << 24] = Landblock(east << 24)
        plan.buildings((east * 192.0, 0.0, east * 192.0, 0.0))
        there.pop(east - 1 << 24, None)
    assert len(plan._kept) <= 2 * len(there) + 3 < 60


def test_it_shows_the_slice_with_the_current_the_visible_and_the_selected_cells(walk: Walk) -> None:
    walk.select(VESTIBULE)
    shown = seen(walk)
    cells = {cell.cell: cell for cell in shown.cells}
    assert cells[ROOM].is_current and cells[ROOM].is_visible
    assert cells[VESTIBULE].is_visible and cells[VESTIBULE].is_selected
    assert not cells[ROOM].is_selected
    assert shown.body == pytest.approx((X + 155.4, Y + 12.6), abs=0.01)
    assert shown.has_cells and "door 0x7A9B4015: solid" in {mark.name for mark in shown.marks}
    walk.set_ethereal(0x7A9B4015, ethereal=True)
    assert "door 0x7A9B4015: lets bodies pass" in {mark.name for mark in seen(walk).marks}
    walk.questions.raise_map(-3.0)
    cellar = {cell.cell for cell in seen(walk).cells}
    assert ROOM not in cellar and 0xA9B40174 in cellar  # the ramp


def test_a_click_finds_the_cell_there_and_a_double_click_goes_into_it(walk: Walk) -> None:
    seen(walk)
    assert walk.questions.cell_on_map((X + 155.4, Y + 15.2)) == VESTIBULE
    assert walk.questions.cell_on_map((X + 100.0, Y + 100.0)) == 0
    walk.questions.go_on_map((X + 155.4, Y + 15.4))
    walk.advance(0.0, STANDING)
    assert walk.simulation.position.cell_id == VESTIBULE
    walk.questions.go_on_map((X + 100.0, Y + 100.0))
    walk.advance(0.0, STANDING)
    position = walk.simulation.position
    assert position.cell_id & 0xFFFF < 0x100
    assert position.frame.origin[:2] == pytest.approx((100.0, 100.0), abs=0.01)


def test_the_wheel_keeps_the_place_under_the_pointer_and_here_follows_the_body_again(walk: Walk) -> None:
    walk.questions.drag_map(90.0, 0.0)
    x, y = seen(walk).middle
    assert x == pytest.approx(X + 155.4 - 10.0, abs=0.01)
    fixed = (x + 5.0, y)
    before = seen(walk)
    walk.questions.zoom_map(2.0, fixed)
    after = seen(walk)
    assert (fixed[0] - after.middle[0]) * after.scale == pytest.approx(5.0 * before.scale)
    walk.questions.center_map()
    assert seen(walk).follows


def test_the_whole_world_has_no_slice_of_heights(walk: Walk) -> None:
    seen(walk)
    walk.questions.show_world()
    assert not seen(walk).has_cells


def test_the_hull_of_places_is_convex_and_turns_to_the_left() -> None:
    places = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)]
    assert hull(places) == ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


@posix("times of change that nobody sets")
def test_a_file_that_is_changed_makes_another_picture_whatever_its_time_says(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("before")
    before = (tmp_path / "a.json").stat()
    source = SourceArguments(dumps=tmp_path)
    kept = digest_of(source)
    assert digest_of(source) == kept
    (tmp_path / "a.json").write_text("behind")
    os.utime(tmp_path / "a.json", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert digest_of(source) != kept


@pytest.mark.slow
def test_the_picture_of_the_world_is_made_once_and_kept(tmp_path: Path) -> None:
    def made() -> np.ndarray:  # type: ignore[type-arg]
        world = WorldMap()
        world.source, world.folder = SourceArguments(demo=DEMO), tmp_path
        world.want()
        until = time.monotonic() + 120.0
        while world.share < 1.0:
            assert not world.trouble and time.monotonic() < until
            time.sleep(0.01)
        world.close()
        assert world._pixels is not None
        return world._pixels

    first = made()
    (kept,) = tmp_path.glob("world-*.png")
    stamp = kept.stat().st_mtime_ns
    again = made()
    assert kept.stat().st_mtime_ns == stamp
    assert np.array_equal(first, again)
    assert first.shape == (SIDE, SIDE, 3)
    south_west = first[DOTS * 0xB4, DOTS * 0xA9]
    assert tuple(south_west) != NOWHERE and south_west[1] > south_west[2]  # grass
    assert tuple(first[0, 0]) == NOWHERE
    kept.write_bytes(b"no picture")
    mended = made()
    assert np.array_equal(first, mended)


def bomb() -> bytes:
    """The header of a picture of 20,000 by 20,000 pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


@posix("pipes")
@pytest.mark.parametrize("what", ["bomb", "pipe"])
def test_a_kept_picture_that_is_none_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """One of a huge size ended its thread with a traceback, a pipe was waited for."""
    path = tmp_path / "world.png"
    if what == "bomb":
        path.write_bytes(bomb())
    else:
        os.mkfifo(path)
    assert _read(path) is None


def test_a_world_whose_folder_is_gone_has_no_picture_and_says_why(tmp_path: Path) -> None:
    """It ended the thread with a traceback."""
    world = WorldMap()
    world.folder = tmp_path
    world._run(SourceArguments(dats=tmp_path / "gone"))
    assert world.trouble.startswith("no map of the world: ")
    assert "gone" in world.trouble


@pytest.mark.parametrize("trouble", ["", "changed", "full"])
def test_a_picture_is_shown_before_it_is_kept_and_only_one_of_a_world_as_it_stands_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """A full folder took the picture away, and one of files that were cut meanwhile was kept for good."""
    world, cell = WorldMap(), tmp_path / "a.json"
    world.folder, source = tmp_path / "kept", SourceArguments(dumps=tmp_path)
    cell.write_text("whole")
    if trouble != "full":
        world.folder.mkdir()

    def make(_: SourceArguments) -> np.ndarray:  # type: ignore[type-arg]
        if trouble == "changed":
            cell.write_text("cut")
        return np.zeros((SIDE, SIDE, 3), np.uint8)

    monkeypatch.setattr(world, "_make", make)
    world._run(source)
    assert world._pixels is not None and world.share == 1.0
    assert len(list(tmp_path.glob("kept/*.png"))) == (not trouble)
    assert world.trouble.startswith("the map of the world is made anew next time: ") == (trouble == "full")
