"""What an hour, a kind of day and a radius do to a picture of the demo world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from viewer.commands.groundwork.worlds import demo_folder
from viewer.main import main
from viewer.picture.horizon import show_horizon, view_distance

pytestmark = pytest.mark.gl

STREET = "0xA9B40031 [150.0 22.0 94.0] 1 0 0 0"


def picture(folder: Path, *words: str) -> np.ndarray:
    path = folder / "p.png"
    line = ["render", "--demo", "--at", STREET, "--size", "160x90", "--look", "270,8", "--out", str(path)]
    assert main([*line, *words]) == 0
    return np.asarray(Image.open(path).convert("RGB"), float)


def test_noon_is_bright_dusk_is_red_and_night_is_dark_and_blue(tmp_path):
    noon, dusk, night = (picture(tmp_path, "--time", hour) for hour in ("12", "18", "0"))
    assert noon.mean() > 1.5 * dusk.mean() > 3.0 * night.mean()
    sky = np.s_[:20]
    red, _, blue = dusk[sky].mean(axis=(0, 1))
    assert red > 1.1 * blue
    red, _, blue = night[sky].mean(axis=(0, 1))
    assert blue > 1.5 * red
    ends = [picture(tmp_path, "--day-group", "0", "--time", hour) for hour in ("24", "0")]
    assert (ends[0] == ends[1]).all()


def test_the_kind_of_day_can_be_forced(tmp_path):
    clear, grey = (picture(tmp_path, "--day-group", group) for group in ("0", "1"))
    blueness = [p[:20, :, 2].mean() / p[:20, :, 0].mean() for p in (clear, grey)]
    assert blueness[0] > 1.5
    assert blueness[1] < 1.4


def test_the_same_picture_twice(tmp_path):
    assert (picture(tmp_path, "--time", "17.5") == picture(tmp_path, "--time", "17.5")).all()


def test_a_wider_radius_shows_more_ground(tmp_path):
    near, far = (picture(tmp_path, "--radius", radius) for radius in ("1", "2"))
    assert (near != far).any()
    assert view_distance(0) == view_distance(1) == 192.0
    assert view_distance(3) == 576.0


def test_the_horizon_is_ground_that_is_not_loaded_and_none_about_a_dungeon():
    world = World(demo_source(demo_folder()))
    world.load_around(0xA9B40031, 1)
    show_horizon(world, 0xA9B40031, 2)
    assert len(world.horizon) == 16
    assert not set(world.horizon) & set(world.blocks)
    dungeon = World(demo_source(demo_folder()))
    dungeon.load_block(0x01070100)
    show_horizon(dungeon, 0x01070100, 2)
    assert dungeon.horizon == {}


def test_W8_it_rains_on_the_street_not_in_a_dungeon_and_rain_can_be_switched_off(tmp_path: Path) -> None:
    """The rainy day of the demo: the body's cell decides (particles 8.5)."""
    street, dungeon = "0xA9B40031 [152.6 23.5 94] 0 0 0 1", "0x01070103 [70 58.5 -6] 1 0 0 0"

    def drawn(place: str, *words: str) -> np.ndarray:
        out = tmp_path / "rain.png"
        size = ("--size", "96x64", "--radius", "1", "--objects", "0", "--day-group", "2", "--clouds", "3")
        assert main(["render", "--demo", "--at", place, "--out", str(out), *size, *words]) == 0
        return np.asarray(Image.open(out).convert("RGB"), int)

    on, off = (drawn(street, "--look", "250,10", "--weather", word) for word in ("on", "off"))
    assert (np.abs(on - off).max(axis=2) > 4).mean() > 0.1
    by_mode = drawn(street, "--look", "250,10", "--mode", "no-weather")
    assert (by_mode[30:] == off[30:]).all()  # the mode's caption stands above
    below = [drawn(dungeon, "--weather", word) for word in ("on", "off")]
    assert (below[0] == below[1]).all()
