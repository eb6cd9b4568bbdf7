"""The landscape keeps to its region by the stencil alone: where no cell paints over it, it would be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.viewer.renderer.flat_shapes import EXIT, GRASS, SKY, quad, room
from tests.viewer.renderer.reading import count, outside_window, window
from tests.viewer.renderer.render_scenes import DOOR
from tests.viewer.renderer.render_stage import Stage, context
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.gl.gl_state import ALWAYS
from viewer.renderer.passes import passes
from viewer.renderer.passes.picture_kit import SENTINEL

if TYPE_CHECKING:
    import numpy as np

pytestmark = pytest.mark.gl
MAGENTA = tuple(round(255 * c) for c in SENTINEL)
FLOOR = 5000  # pixels
LOW, HIGH = (-0.18, -0.16), (5.0, 5.1)  # metres: seen where the floor would be; above the picture


def floorless() -> SceneBuilder:
    """I1 without the room's floor: the ground, a house, a thing and a translucent one lie behind it."""
    scene = SceneBuilder().ground(-0.2)
    walls = [face for face in room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR) if face[1] != "floor"]
    scene.cell(0x100, walls, [(DOOR, 0, EXIT, -1)])
    # Each reaches far up as well, or its bounds alone would leave it out beside the window.
    scene.building(
        scene.gfx_obj([(quad(0.2, -0.2, 0.0, z0=z0, z1=z1), "shell") for z0, z1 in (LOW, HIGH)]), []
    )
    scene.outdoor_object(
        scene.gfx_obj([(quad(0.2, 0.0, 0.1, z0=z0, z1=z1), "leaf") for z0, z1 in (LOW, HIGH)])
    )
    glass = scene.gfx_obj(
        [(quad(0.2, 0.1, 0.2, z0=LOW[0], z1=LOW[1]), "box")], flags=2 | 0x10, translucency=0.5
    )
    return scene.outdoor_object(glass)


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    ctx = context()
    yield Stage(ctx, floorless())
    ctx.release()


def beside(stage: Stage) -> np.ndarray:
    """The picture beside the window."""
    return outside_window(stage.picture(0x100))


def test_I1_without_a_floor_nothing_is_drawn_there(stage):
    picture = stage.picture(0x100)
    middle = window(picture)
    assert count(middle[:25], SKY) == 1250
    assert count(middle[25:], GRASS) == 1250
    assert count(picture, "wall") == 27_500
    assert count(picture, MAGENTA) == stage.renderer.stats.sentinel == FLOOR


def test_I3_without_a_floor_no_landscape_is_beside_the_window(stage):
    assert count(beside(stage), "wall", "ceiling", MAGENTA) == 200 * 200 - 50 * 50


@pytest.mark.parametrize(
    ("name", "colors"),
    [("P2_SKY", [SKY]), ("P2_LANDSCAPE", [GRASS, "shell", "leaf"]), ("P2_BLENDED", [])],
)
def test_I3_sees_each_landscape_pass_that_loses_its_stencil_test(stage, monkeypatch, name, colors):
    before = beside(stage)
    monkeypatch.setattr(passes, name, getattr(passes, name)._replace(func=ALWAYS))
    after = beside(stage)
    assert count(after, MAGENTA) < FLOOR
    assert [color for color in colors if count(after, color) == 0] == []
    monkeypatch.undo()
    assert (beside(stage) == before).all()
