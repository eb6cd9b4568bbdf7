"""Pictures of the demo by its hours: what fades meets the sky, lamps burn at night, clouds end in no edge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from viewer.main import main

pytestmark = pytest.mark.gl

Picture = NDArray[np.float64]
SQUARE = "0xA9B40022 [118.5 24.2 94]"
Draw = Callable[..., Picture]


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    def drawn(at: str, *words: str) -> Picture:
        out = tmp_path / "p.png"
        line = ["render", "--demo", "--at", at, "--size", "160x90", "--day-group", "0", "--out", str(out)]
        assert main([*line, *words]) == 0
        return np.asarray(Image.open(out).convert("RGB"), float)

    return drawn


@pytest.mark.parametrize("hour", ["0", "6", "12", "17.7"])
def test_mountains_that_have_gone_into_the_fog_meet_the_sky_behind_them(draw: Draw, hour: str) -> None:
    words = ("--look", "270,0", "--time", hour, "--samples", "1", "--objects", "0")
    land = draw(SQUARE, *words)
    bare = draw(SQUARE, *words, "--mode", "no-terrain")
    hidden = (np.abs(land - bare).max(axis=2) > 0.5)[:, 4:45]  # the mountain on the left and its neighbour
    tops = [(int(np.argmax(column)), x + 4) for x, column in enumerate(hidden.T) if column.any()]
    assert len(tops) > 20
    steps = [np.abs(land[y + 1, x] - bare[y + 1, x]).max() for y, x in tops if y < 42]
    assert np.median(steps) < 26.0


def test_clouds_do_not_end_in_an_edge_below_an_eye_above_the_land(draw: Draw) -> None:
    words = (
        "--eye",
        "100,0,260",
        "--look",
        "45,0",
        "--day-group",
        "1",
        "--objects",
        "0",
        "--mode",
        "no-terrain",
    )
    sky = draw(SQUARE, *words).mean(axis=2)
    steps = np.abs(np.diff(sky, axis=0)).mean(axis=1)
    last = int(np.flatnonzero(steps > 0.2)[-1])
    assert 38 < last < 60  # about the horizon
    assert steps[last] < 1.5  # 3.9 where the dome just ends
    assert sky[:20].std() > 3.0  # there are clouds


def test_a_mountain_that_has_gone_into_the_fog_cuts_no_cloud(draw: Draw) -> None:
    """Seen from above the square, a ridge of the fog's own colour stands before a low cloud."""
    words = ("--eye", "100,0,130", "--look", "45,-25", "--time", "12", "--samples", "1", "--objects", "0")
    land = draw(SQUARE, *words, "--mode", "no-particles")
    bare = draw(SQUARE, *words, "--mode", "no-particles,no-terrain")
    cut = np.abs(land - bare).max(axis=2)[:2, 60:100]
    assert (cut > 1.0).sum() > 4  # the ridge is there
    assert cut.max() < 8.0


def test_a_lamp_casts_light_at_night_and_none_at_noon(draw: Draw) -> None:
    lamp = ("--look", "0,0", "--samples", "1")
    for hour, shines in (("12", False), ("0", True)):
        picture = draw(SQUARE, *lamp, "--time", hour)
        orange = (picture[..., 0] > 200) & (picture[..., 2] < 130)
        assert bool(orange[20:34, 70:86].any()) is shines, hour
        ground, aside = picture[66:70, 74:84].mean(), picture[66:70, 20:40].mean()
        assert bool(ground > 1.25 * aside) is shines, hour
        large = (*lamp, "--time", hour, "--size", "480x270")
        with_glow, without = draw(SQUARE, *large), draw(SQUARE, *large, "--mode", "no-particles")
        glow = np.abs(with_glow - without)[66:110, 205:270].max()
        assert bool(glow > 8.0) is shines, hour


def test_no_streak_stands_above_a_lamp(draw: Draw) -> None:
    picture = draw(SQUARE, "--look", "0,0", "--time", "0", "--samples", "1", "--size", "960x540")
    above = picture[60:118, 440:504].mean(axis=2)
    assert np.abs(np.diff(above, axis=1)).max() < 12.0


def test_at_dusk_the_street_is_dimmer_than_the_houses_and_not_black(draw: Draw) -> None:
    noon, dusk = (draw(SQUARE, "--look", "68,4", "--time", hour) for hour in ("12", "17.7"))
    cobbles, wall = np.s_[72:88, 60:110], np.s_[30:50, 30:38]
    assert dusk[cobbles].mean() > 0.54 * noon[cobbles].mean()
    assert dusk[cobbles].mean() > 0.51 * dusk[wall].mean()


def test_trees_are_no_brighter_than_houses_at_night(draw: Draw) -> None:
    picture = draw("0xA9B40029 [132 20 94]", "--look", "58,4", "--time", "0", "--size", "320x180")
    tree = picture[48:72, 4:28].max(axis=2).mean()
    gable, front = picture[40:66, 80:100].max(axis=2).mean(), picture[60:80, 120:140].max(axis=2).mean()
    assert tree < 1.22 * min(gable, front)


def test_a_windows_leads_hang_nowhere_where_shells_are_left_out(draw: Draw) -> None:
    room = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
    words = ("--lock-root", room, "--eye", "163,2,102", "--look", "-36,-37", "--samples", "1", "--mode")
    shown = draw(room, *words, "no-shells", "--size", "480x270")
    without = draw(room, *words, "no-shells,no-objects", "--size", "480x270")
    assert np.abs(shown[110:150, 325:365] - without[110:150, 325:365]).max() < 1.0


def test_light_does_not_jump_where_two_cells_of_the_dungeon_meet(draw: Draw) -> None:
    """From the floor of one cell onto the steps in the next, without textures."""
    words = ("--look", "110,-20", "--mode", "no-textures", "--samples", "1", "--size", "480x270")
    picture = draw("0x01070101 [46.6 56 -6]", *words).mean(axis=2)
    for row in (145, 160, 175):
        across = picture[row, 205:252]
        assert np.abs(np.diff(across)).max() < 6.0, row


def test_drops_are_drawn_while_the_body_is_outdoors_and_not_from_a_room(draw: Draw) -> None:
    """Sheets and drops of the foreground close the landscape only outdoors (particles 8.5, 8.6)."""
    rainy = ("--day-group", "2", "--effects", "4", "--look", "0,0", "--samples", "1", "--objects", "0")
    rainy += ("--size", "480x270")
    street, room = "0xA9B40031 [152.6 23.5 94] 0 0 0 1", "0xA9B40170 [155.4 15.4 94] 1 0 0 0"
    for place, falls in ((street, True), (room, False)):
        words = (*rainy, "--use", "0x7A9B4015") if not falls else rainy
        with_drops, without = (draw(place, *words, *mode) for mode in ((), ("--mode", "no-particles")))
        changed = np.abs(with_drops - without).max(axis=2) > 3.0
        assert bool(changed[150:].any()) is falls  # before the street, where nothing else flies
