"""The order of what is translucent (passes 3.11, particles 7.7)."""

from types import SimpleNamespace

import pytest

from engine.world.frame import Frame
from viewer.renderer.passes.blended_items import BlendedFinder
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import DrawnObject, SceneObjects

ROOM, LAND = 0xA9B40101, 0xA9B40011


def order(cell_id, distances):
    """The numbers of things at distances ahead of an eye, in the order in which they are drawn."""
    things = [
        DrawnObject(number, 0x02000001, cell_id, Frame((0.0, distance, 0.0)), cells=(cell_id,))
        for number, distance in enumerate(distances)
    ]
    scene = SimpleNamespace(
        blocks=tuple,
        block=lambda _: None,
        entities=SimpleNamespace(any_blended=lambda _: True),
        particles=SimpleNamespace(runs=lambda *_: ()),
    )
    finder = BlendedFinder(
        scene=scene,
        eye=SimpleNamespace(relative=lambda _, place: place),
        objects=SceneObjects(things),
        options=RenderOptions(),
        shows=lambda _: True,
    )
    found = finder.in_cell(cell_id) if cell_id == ROOM else [item for _, item in finder.outdoors()]
    return [item.key[1] for item in found]


@pytest.mark.parametrize("cell_id", [ROOM, LAND])
def test_O1_far_before_near_and_what_is_as_far_in_its_own_order(cell_id):
    assert order(cell_id, (5.0, 12.0, 12.0, 8.0)) == [1, 2, 3, 0]
