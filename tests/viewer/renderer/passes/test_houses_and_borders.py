"""Seen from outdoors: houses one behind the other, and things whose landcell lies over the border."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.values import StoredFrame
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, SKY, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_scenes import DOOR, EYE, house
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder

if TYPE_CHECKING:
    import moderngl

    from engine.dat.values import Vec3

pytestmark = pytest.mark.gl


@pytest.mark.parametrize("places", [(5.0, 20.0), (20.0, 5.0)], ids=["near first", "far first"])
def test_the_far_house_is_looked_into_before_the_near_one(
    ctx: moderngl.Context, places: tuple[float, float]
) -> None:
    """However the landblock lists them: the near one's inside is painted last and stays."""
    scene = SceneBuilder().ground(-1.0)
    for y, low in zip(places, (0x200, 0x201), strict=True):
        house(scene, y, low)
    stage = Stage(ctx, scene, problems=True)
    looked_into = [look_in.portal.other_cell_id & 0xFFFF for look_in in stage.seen(LOW, EYE).look_ins]
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


NORTH = BLOCK + 0x00010000
AT_BORDER = (84.0, 187.0, 0.0)  # of a scene's origin: 5 m before the northern landblock


def stands_in_the_north(scene: SceneBuilder, *models: int) -> SceneBuilder:
    """Objects of the northern landblock that stand at the scene's origin."""
    x, y, z = AT_BORDER
    frame = StoredFrame((x, y - 192.0, z), (1.0, 0.0, 0.0, 0.0))
    stabs = tuple(Stab(model, frame) for model in models)
    info = LandBlockInfo(id=NORTH | 0xFFFE, num_cells=0, objects=stabs, mask=0, buildings=())
    scene.put("land_block_info", NORTH, info)
    return scene


def test_a_door_shows_what_the_next_landblock_holds_behind_it(ctx: moderngl.Context) -> None:
    """The region of the exits is told in the eye's landblock, the object's place in its own."""
    scene = SceneBuilder(middle=AT_BORDER).ground(-60.0)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])
    stands_in_the_north(scene, scene.gfx_obj([(quad(9.0, -9.0, 9.0, z0=-9.0, z1=9.0), "leaf")]))
    assert count(Stage(ctx, scene).checked(0x100), "leaf") == 2500


@pytest.mark.parametrize("far_in_the_north", [True, False])
def test_translucent_things_of_two_landblocks_are_drawn_far_to_near(
    ctx: moderngl.Context, *, far_in_the_north: bool
) -> None:
    scene = SceneBuilder(middle=AT_BORDER).ground(-60.0)
    far, near = (
        scene.gfx_obj([(quad(y, -1, 1, z0=-1, z1=1), name)], flags=2 | 0x10, translucency=0.5)
        for y, name in ((4.0, "wall2"), (3.0, "leaf"))
    )
    stands_in_the_north(scene, far if far_in_the_north else near)
    scene.outdoor_object(near if far_in_the_north else far)
    picture = Stage(ctx, scene).checked(3 * 8 + 7 + 1)
    behind = (np.array(COLORS["wall2"]) + SKY) / 2.0
    assert np.abs(picture[95, 100] - (behind + COLORS["leaf"]) / 2.0).max() <= 2.0
