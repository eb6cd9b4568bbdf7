"""Image cases of what is translucent: blended once, within its region, far to near (passes 3.11, 11.4)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.renderer.flat_shapes import COLORS, quad, room
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count, outside_window, window
from tests.viewer.renderer.render_scenes import DOOR
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder

pytestmark = pytest.mark.gl


def test_I25_a_translucent_quad_is_blended_once_and_only_in_its_region(ctx):
    scene = SceneBuilder()
    glass = scene.gfx_obj([(quad(3.0, -2, 2, z0=-1.5, z1=1.5), "leaf")], flags=2 | 0x10, translucency=0.5)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], exact=True,
               visible=[0x101])  # fmt: skip
    back = room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=DOOR, suffix="2")
    scene.cell(0x101, back, [(DOOR, 1, 0x100, 0)], exact=True, statics=[glass])
    picture = Stage(ctx, scene).checked(0x100)
    blended = tuple((a + b) // 2 for a, b in zip(COLORS["leaf"], COLORS["wall2"], strict=True))
    assert count(window(picture), blended) > 2000
    assert count(window(picture), "wall2", "leaf") == 0
    assert count(outside_window(picture), blended, "wall2", "leaf") == 0


@pytest.mark.parametrize(("left", "drawn"), [(-0.4, 1), (0.6, 1), (2.0, 0)])
def test_a_pane_is_drawn_where_its_room_shows_any_of_it_and_not_beside(ctx, left, drawn):
    """Through a door of a metre, 2 m away, one sees a metre and a half of what is 3 m away."""
    draws = []
    for panes in (0, 1):
        scene = SceneBuilder()
        pane = scene.gfx_obj([(quad(3.0, left, left + 0.8, z0=-0.4, z1=0.4), "leaf")], flags=2 | 0x10)
        front = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
        scene.cell(0x100, front, [(DOOR, 0, 0x101, 0)], exact=True, visible=[0x101])
        back = room(-4, 4, 2, 6, z0=-1.5, z1=1.5, back=DOOR, suffix="2")
        scene.cell(0x101, back, [(DOOR, 1, 0x100, 0)], exact=True, statics=[pane] * panes)
        stage = Stage(ctx, scene)
        stage.checked(0x100)
        draws.append(stage.renderer.stats.draws)
    assert draws[1] - draws[0] == drawn


def glass(scene: SceneBuilder, y: float, name: str) -> int:
    return scene.gfx_obj([(quad(y, -0.4, 0.4, z0=-0.4, z1=0.4), name)], flags=2 | 0x10, translucency=0.5)


def over(front: tuple[int, ...], back: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(round((a + b) / 2) for a, b in zip(front, back, strict=True))


@pytest.mark.parametrize("near_first", [False, True])
def test_translucent_things_of_a_room_are_drawn_far_to_near(ctx, near_first):
    scene = SceneBuilder()
    panes = [(1.0, "leaf"), (1.5, "wall2")]
    models = [glass(scene, y, name) for y, name in (panes if near_first else panes[::-1])]
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5), statics=models)
    picture = Stage(ctx, scene).checked(0x100)
    expected = over(COLORS["leaf"], over(COLORS["wall2"], COLORS["wall"]))
    assert (np.abs(picture[100, 100].astype(int) - expected) <= 2).all()


@pytest.mark.parametrize("near_first", [False, True])
def test_translucent_things_outdoors_are_drawn_far_to_near(ctx, near_first):
    scene = SceneBuilder().ground(-60.0)
    panes = [(2.0, "leaf"), (3.0, "wall2")]
    for y, name in panes if near_first else panes[::-1]:
        scene.outdoor_object(glass(scene, y, name))
    stage = Stage(ctx, scene)
    picture = stage.checked(LOW)
    expected = over(COLORS["leaf"], over(COLORS["wall2"], tuple(int(c) for c in picture[2, 100])))
    assert (np.abs(picture[100, 100].astype(int) - expected) <= 2).all()
