"""What of the sky a pixel shows: the objects that it tells are those that change the pixel."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.dat.records.region_sky import DayGroup
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions
from tests.viewer.demo_places import standing
from viewer.asking.drawn_faces import FaceStore
from viewer.asking.land_and_sky.pick_sky import SkyPicker
from viewer.asking.pick import Picker
from viewer.picture.look import Look
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.picture.still import StillRequest, make_ready
from viewer.renderer.passes import painter
from viewer.renderer.sky.sky_things import SkyThing, sky_things
from viewer.report.picked import PickAnswer
from viewer.report.sky_shown import SkyObjectShown, SkyShown

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = (320, 180)
STREET = "0xA9B40031 [155.4 23.0 94.0] 0 0 0 1"
ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"


def seen_from(place: str, *, hour: float = 12.0, group: int = 0, pitch: float = 30.0) -> PictureToDraw:
    look = Look(yaw=90.0, pitch=pitch, size=SIZE, options=ViewOptions(logged=True))
    request = StillRequest(
        look=look, radius=0, objects=0, hour=hour, day_group=group, clouds=777.0, modes=("no-particles",)
    )
    seen = make_ready(standing(place), request).seen
    return seen._replace(options=seen.options._replace(caption="", samples=1))


def pick(picker: Picker, seen: PictureToDraw, pixel: tuple[int, int]) -> PickAnswer:
    return picker.pick(seen.picture, seen.objects, {}, pixel, particles=False, options=seen.options)


def alpha_where_most(picker: Picker, seen: PictureToDraw, change: NDArray[np.int64], index: int) -> float:
    """What is told of an object at the pixel of the sky that changes most without it."""
    for at in np.argsort(-change, axis=None)[:2000:50].tolist():
        sky = pick(picker, seen, (at % SIZE[0], at // SIZE[0])).sky
        if sky is not None:  # else it falls before the land
            return {found.index: found.alpha for found in sky.objects}[index]
    raise AssertionError("the sky is nowhere to be seen there")


@pytest.mark.gl
@pytest.mark.parametrize(("hour", "group", "shown"), [(8.0, 3, {2, 3}), (12.0, 2, {0, 2})])
def test_the_objects_of_the_sky_that_a_pixel_shows_are_those_that_change_it(
    monkeypatch: pytest.MonkeyPatch, hour: float, group: int, shown: set[int]
) -> None:
    seen = seen_from(STREET, hour=hour, group=group)
    hidden = -1

    def others(day: DayGroup, at: float, seconds: float, *, weather: bool = True) -> list[SkyThing]:
        return [t for t in sky_things(day, at, seconds, weather=weather) if t.number != hidden]

    monkeypatch.setattr(painter, "sky_things", others)
    simulation = standing(STREET)
    picker = Picker(simulation.world, OpeningIndex())
    pictures = {}
    middle = pick(picker, seen, (160, 20)).sky
    assert middle is not None
    with OffscreenRenderer(simulation, SIZE) as screen:
        for hidden in (-1, *(found.index for found in middle.objects)):
            screen.renderer.draw(seen.picture, seen.objects, seen.options._replace(shapes=frozenset()))
            pictures[hidden] = screen.renderer.read_rgba()[..., :3].astype(int)
    changes = {index: np.abs(drawn - pictures[-1]).max(axis=2) for index, drawn in pictures.items()}
    clear = {index for index, change in changes.items() if change.max() > 10}
    assert clear == shown
    for index in clear:
        assert alpha_where_most(picker, seen, changes[index], index) > 0.02
    off, painted, bare = [], 0, 0
    for y in range(4, SIZE[1], 25):
        for x in range(16, SIZE[0], 48):
            sky = pick(picker, seen, (x, y)).sky
            for found in sky.objects if sky is not None else ():
                change = changes[found.index][y, x]
                painted += change > 10
                bare += change == 0
                if (change > 10 and found.alpha < 0.02) or (change == 0 and found.alpha > 0.5):
                    off.append((x, y, found, change))
    assert off == []
    assert painted >= 3
    assert bare >= 30


def test_what_falls_before_the_land_is_told_only_while_the_body_is_outdoors() -> None:
    for place, falls in ((STREET, True), (ROOM, False)):
        world, seen = standing(place).world, seen_from(place, group=2)
        sky = SkyPicker(world, FaceStore(world)).pick(seen.picture, seen.options, (1.0, 0.0, 0.0))
        assert (sky.day_group, sky.name) == (2, "Rainy")
        assert any(found.foreground for found in sky.objects) is falls
        assert any(not found.foreground for found in sky.objects)
        flat = seen.options._replace(flat_sky=(0.0, 0.0, 0.0))
        assert SkyPicker(world, FaceStore(world)).pick(seen.picture, flat, (1.0, 0.0, 0.0)).objects == ()


def test_people_read_the_skys_objects_and_follow_them() -> None:
    cloud = SkyObjectShown(
        index=3, model=0x02000B05, foreground=False, alpha=0.84, gfxobj=0x01000B03, polygon=2,
        surface=0x08000183, texture=0x05000183, image=0x06000183,
    )  # fmt: skip
    sun = SkyObjectShown(index=2, model=0x01000B00, foreground=False)
    above = SkyShown(3, "Fair", (sun, cloud))
    answer = PickAnswer(pixel=(3, 4), root=1, facet=None, place=None, solid=None, note="the sky", sky=above)
    assert answer.rows == [
        ("day group", "3, Fair", 0),
        ("sky object 3, 84 % here", "0x02000B05", 0x02000B05),
        ("its part", "0x01000B03", 0x01000B03),
        ("its surface", "0x08000183", 0x08000183),
        ("its texture", "0x05000183", 0x05000183),
        ("its image", "0x06000183", 0x06000183),
        ("sky object 2, not at this pixel", "0x01000B00", 0x01000B00),
    ]
    assert replace(answer, sky=SkyShown(0, "", ())).rows == [
        ("day group", "0", 0),
        ("sky objects", "none is up", 0),
    ]
