"""The mode that marks what is seen from behind: in magenta, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.renderer.flat_shapes import GRASS, flipped, quad
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count, window
from tests.viewer.renderer.render_scenes import room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene.mesh_drawer import BEHIND

pytestmark = pytest.mark.gl
TINT = BEHIND[3]


def tinted(color: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(round((1 - TINT) * c + TINT * 255 * m) for c, m in zip(color, BEHIND, strict=False))


def magenta(picture: np.ndarray) -> int:
    """Pixels that are red and blue rather than green, as no colour of the scenes is."""
    r, g, b = (picture[..., k].astype(int) for k in range(3))
    return int(((r > 150) & (b > 150) & (g < 100)).sum())


def things(sides: int = 0, *, turned: bool = True, glass: bool = False) -> SceneBuilder:
    """Before the eye outdoors: a quad that faces it, and one that shows its back."""
    scene = SceneBuilder().ground(-0.2)
    look = {"flags": 2 | 0x10, "translucency": 0.5} if glass else {}
    back = quad(2.0, 0.2, 0.8, z0=0.0, z1=0.6)
    scene.outdoor_object(scene.gfx_obj([(quad(2.0, -0.8, -0.2, z0=0.0, z1=0.6), "leaf")]))
    model = scene.gfx_obj([(flipped(back) if turned else back, "shell")], sides=sides, **look)
    return scene.outdoor_object(model)


def test_what_shows_its_back_is_marked_and_the_rest_is_as_it_was(ctx):
    stage = Stage(ctx, things())
    plain, marked = stage.picture(LOW), stage.picture(LOW, backs=True)
    assert (count(plain, "shell"), magenta(plain)) == (0, 0)
    changed = (plain != marked).any(axis=-1)
    assert magenta(marked) == int(changed.sum()) == 900
    assert (marked[changed] == marked[changed][0]).all()
    assert np.abs(marked[changed][0].astype(int) - tinted((180, 40, 30))).max() <= 1
    assert count(marked, "leaf") == count(plain, "leaf") > 0
    assert (stage.picture(LOW) == plain).all()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sides", [1, 2])
def test_a_face_with_two_sides_shows_no_back(ctx, sides, turned):
    stage = Stage(ctx, things(sides, turned=turned))
    if sides == 2:  # its second side has a surface of its own; there is none
        sides_drawn = stage.picture(LOW)
        assert (count(sides_drawn, "shell") == 0) is turned
        return
    picture = stage.picture(LOW, backs=True)
    assert magenta(picture) == 0
    assert (picture == stage.picture(LOW)).all()


def test_a_room_has_no_backs_from_inside_and_the_ground_has_one_from_below(ctx):
    stage = Stage(ctx, room_a())
    assert magenta(stage.picture(0x100, backs=True)) == 0
    stage = Stage(ctx, SceneBuilder().ground(-0.2))
    above, below = ((0.0, 0.0, 0.0), (0.0, 0.0, -2.0))
    assert magenta(stage.picture(LOW, above, backs=True)) == 0
    seen = stage.picture(LOW, below, pitch=30.0, backs=True)
    assert magenta(seen) > 15_000
    assert count(stage.picture(LOW, below, pitch=30.0), GRASS) == 0


def test_backs_keep_to_the_regions_of_their_cells(ctx):
    """A thing outdoors that shows its back is seen through the window alone."""
    scene = room_a()
    scene.outdoor_object(scene.gfx_obj([(flipped(quad(3.0, -3.0, 3.0, z0=-3.0, z1=3.0)), "shell")]))
    stage = Stage(ctx, scene)
    picture = stage.picture(0x100, backs=True)
    assert magenta(picture) == magenta(window(picture)) > 1200
