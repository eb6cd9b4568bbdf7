"""Seen from outdoors: houses one behind the other, and things whose landcell lies over the border."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.viewer.renderer.render_scenes import OUTDOORS, SceneBuilder, Stage, count, house, quad

if TYPE_CHECKING:
    import moderngl

    from engine.dat.values import Vec3

pytestmark = pytest.mark.gl
LOW = OUTDOORS & 0xFFFF
EYE = (0.0, 0.0, 0.5)


@pytest.mark.parametrize("places", [(5.0, 20.0), (20.0, 5.0)], ids=["near first", "far first"])
def test_the_far_house_is_looked_into_before_the_near_one(
    ctx: moderngl.Context, places: tuple[float, float]
) -> None:
    """However the landblock lists them: the near one's inside is painted last and stays."""
    scene = SceneBuilder().ground(-1.0)
    for y, low in zip(places, (0x200, 0x201), strict=True):
        house(scene, y, low)
    stage = Stage(ctx, scene, problems=True)
    looked_into = [look_in.portal.other_cell_id & 0xFFFF for look_in in stage.frame(LOW, EYE).look_ins]
    assert looked_into == ([0x201, 0x200] if places[0] < places[1] else [0x200, 0x201])


def standing_at(ctx: moderngl.Context, middle: Vec3) -> int:
    """How many pixels show a board 5 m before the eye that is placed at a point of the block."""
    scene = SceneBuilder(middle=middle).ground(-1.0)
    scene.outdoor_object(scene.gfx_obj([(quad(5.0, -1.0, 1.0, z0=0.0, z1=1.0), "box")]))
    return count(Stage(ctx, scene).picture(LOW, EYE), "box")


@pytest.mark.parametrize("x", [-0.5, 192.5])
def test_a_thing_over_the_border_is_drawn_where_it_stands(ctx: moderngl.Context, x: float) -> None:
    """Its landcell is the neighbour's: drawn in that frame it would stand a landblock farther off."""
    assert standing_at(ctx, (x, 84.0, 20.0)) == standing_at(ctx, (84.0, 84.0, 20.0)) > 500
