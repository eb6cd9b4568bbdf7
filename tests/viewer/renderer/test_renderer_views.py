"""The renderer's switches and debug views, pictures on disk, and blocks that come and go."""

from __future__ import annotations

import numpy as np
import pytest

from engine.visibility.debug_shapes import BLUE, GREEN
from engine.visibility.view import View
from engine.world.frame import Frame
from tests.viewer.renderer.render_scenes import (
    BLOCK,
    COLORS,
    DOOR,
    EXIT,
    GRASS,
    MIDDLE,
    OUTDOORS,
    SKY,
    SceneBuilder,
    Stage,
    context,
    count,
    house,
    quad,
    room,
    room_a,
)
from viewer.renderer.entities import FIGURE, DrawnObject, SceneObjects
from viewer.renderer.options import RenderOptions
from viewer.renderer.painter import cell_color
from viewer.renderer.renderer import count_sentinel

pytestmark = pytest.mark.gl

LOW = OUTDOORS & 0xFFFF


@pytest.fixture(scope="module")
def ctx():
    made = context()
    yield made
    made.release()


@pytest.fixture(scope="module")
def rooms(ctx):
    scene = SceneBuilder().ground(-0.2)
    far = quad(6.0, -0.5, 0.5, -0.5, 0.5)
    scene.cell(0x100, room(-2, 2, -2, 2, -1.5, 1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], visible=[0x101])
    scene.cell(0x101, room(-2, 2, 2, 6, -1.5, 1.5, front=far, back=DOOR, suffix="2"),
               [(DOOR, 1, 0x100, 0), (far, 0, EXIT, -1)], visible=[0x100])  # fmt: skip
    return Stage(ctx, scene)


def bytes_of(rgb: tuple[float, ...]) -> tuple[int, ...]:
    return tuple(round(c * 255) for c in rgb)


def test_portals_are_drawn_in_the_colour_of_their_verdict(rooms):
    plain = rooms.picture(0x100)
    picture = rooms.picture(0x100, portals=True)
    assert count(picture, bytes_of(GREEN)) > 80  # the door was passed
    assert count(picture, bytes_of(BLUE)) > 20  # the exit behind it
    assert count(plain, bytes_of(GREEN), bytes_of(BLUE)) == 0


def test_regions_are_outlined_over_the_scene(rooms):
    plain, picture = rooms.picture(0x100), rooms.picture(0x100, regions=True)
    assert (plain != picture).any(axis=-1).sum() > 39_000  # every pixel is in some region
    assert rooms.renderer.stats.sentinel == 0


def test_wireframe_shows_the_triangles_of_the_visible_cells(rooms):
    picture = rooms.picture(0x100, wireframe=True)
    for low in (0x100, 0x101):
        assert count(picture, bytes_of(cell_color(BLOCK | low))) > 100


def test_highlight_lights_up_one_cell(rooms):
    plain = rooms.picture(0x100)
    picture = rooms.picture(0x100, highlight=frozenset({BLOCK | 0x101}))
    changed = (plain != picture).any(axis=-1)
    assert changed.sum() > 1500
    assert not changed[:, :70].any()
    assert not changed[:70].any()


def test_without_textures_everything_is_grey(rooms):
    picture = rooms.picture(0x100, plain=False, textures=False, fog=False).astype(int)
    wall = picture[5, 100]
    assert abs(wall - wall.mean()).max() <= 30


def test_views_after_the_scene_leave_the_next_frame_alone(rooms):
    before = rooms.picture(0x100)
    rooms.picture(0x100, wireframe=True, portals=True, regions=True)
    assert (rooms.picture(0x100) == before).all()


def test_the_figure_stands_in_its_cell_and_fades(ctx):
    stage = Stage(ctx, room_a())
    at = Frame((MIDDLE[0], MIDDLE[1] + 1.2, -1.2))

    def figure(alpha: float, cells=(BLOCK | 0x100,)):
        return SceneObjects([DrawnObject(1, FIGURE, BLOCK | 0x100, at, cells, alpha=alpha)])

    empty = stage.picture(0x100)
    seen = stage.picture(0x100, objects=figure(1.0))
    half = stage.picture(0x100, objects=figure(0.5))
    changed = (seen != empty).any(axis=-1)
    assert changed.sum() > 1000
    mixed = (seen.astype(int) + empty.astype(int)) / 2
    # Through a half-faded figure its own far side shows as well, so only its outline is sure.
    assert (half != empty).any(axis=-1).sum() == changed.sum()
    assert np.abs(half - mixed)[changed].mean() < 40
    assert (stage.picture(0x100, objects=figure(0.0)) == empty).all()
    # An object of a cell that is not visited is never drawn.
    assert (stage.picture(0x100, objects=figure(1.0, (BLOCK | 0x555,))) == empty).all()


def test_default_options_draw_a_lit_scene_without_a_hole(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    for fraction in (0.0, 0.25, 0.5, 0.9):
        stage.renderer.draw(
            stage.frame(LOW, (0.0, 0.0, 0.5)), None, RenderOptions(day_fraction=fraction, sentinel=True)
        )
        assert stage.renderer.stats.sentinel == 0
    noon = stage.renderer
    noon.draw(stage.frame(LOW, (0.0, 0.0, 0.5)))
    picture = noon.read_rgba()
    assert count_sentinel(picture) == 0
    sky, ground = picture[20, 20, :3].astype(int), picture[190, 20, :3].astype(int)
    assert sky[2] > sky[0]
    assert ground[1] > ground[0]


def test_blocks_come_and_go_with_the_world(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    whole = stage.checked(LOW, (0.0, 0.0, 0.5))
    assert count(whole, "shell") == 8000
    frame = stage.frame(LOW, (0.0, 0.0, 0.5))
    stage.world.unload_block(BLOCK)
    gone = stage.draw(frame)
    assert count(gone, "shell", *COLORS) == 0
    stage.world.load_block(BLOCK)
    assert (stage.checked(LOW, (0.0, 0.0, 0.5)) == whole).all()


def test_blocks_can_be_made_ready_a_few_a_frame(ctx):
    scene = house(SceneBuilder().ground(-1.0))
    stage = Stage(ctx, scene)
    stage.renderer.blocks_per_frame = 1
    frame = stage.frame(LOW, (0.0, 0.0, 0.5))
    # The view's own block comes first, so the house is there in the first frame.
    assert count(stage.draw(frame), "shell") == 8000
    assert len(stage.renderer.scene.blocks()) == 1
    for _ in range(10):
        stage.draw(frame)
    assert len(stage.renderer.scene.blocks()) == 9


def test_a_block_that_is_not_ready_has_no_look_ins(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    stage.renderer.blocks_per_frame = 0
    picture = stage.draw(stage.frame(LOW, (0.0, 0.0, 0.5)))
    assert stage.renderer.stats.look_ins == 0
    assert stage.renderer.stats.sentinel == 0
    assert count(picture, SKY, GRASS) == 40_000


def test_a_wide_picture_has_square_pixels(ctx):
    stage = Stage(ctx, room_a())
    stage.renderer.resize(320, 180)
    view = View.from_angles(MIDDLE, 0.0, 0.0, 90.0, 320, 180)
    frame = stage.frame(0x100)
    frame.view.tan_x, frame.view.width, frame.view.height = view.tan_x, 320, 180
    stage.renderer.draw(frame, None, stage.options)
    picture = stage.renderer.read_rgba()[..., :3]
    window = count(picture, SKY, GRASS)
    assert window == pytest.approx(45 * 45, abs=45)
