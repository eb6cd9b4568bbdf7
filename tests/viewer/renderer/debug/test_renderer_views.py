"""The renderer's switches and debug views, pictures on disk, and blocks that come and go."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from engine.visibility.picture_view import VisibleCell
from engine.visibility.region_shapes import BLUE, GREEN
from engine.visibility.view import View
from engine.world.frame import Frame
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, GRASS, SKY, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW, MIDDLE
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_scenes import DOOR, house, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.debug.text import PLATE
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import count_sentinel
from viewer.renderer.scene.entities import FIGURE, DrawnObject, SceneObjects

pytestmark = pytest.mark.gl


@pytest.fixture(scope="module")
def rooms(ctx):
    scene = SceneBuilder().ground(-0.2)
    far = quad(6.0, -0.5, 0.5, z0=-0.5, z1=0.5)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], visible=[0x101])
    scene.cell(0x101, room(-2, 2, 2, 6, z0=-1.5, z1=1.5, front=far, back=DOOR, suffix="2"),
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


def test_the_regions_of_one_cell_can_be_shown_alone(rooms):
    plain, picture = rooms.picture(0x100), rooms.picture(0x100, regions=True, regions_of=0x101)
    changed = (plain != picture).any(axis=-1)
    assert changed[75:125, 75:125].all()
    changed[74:126, 74:126] = False
    assert not changed.any()


def test_regions_bear_the_cells_number_in_draw_order(rooms):
    both = rooms.picture(0x100, regions=True)
    one = rooms.seen(0x100)
    second = one.cells[1]
    seventh = VisibleCell(7, second.env_cell, second.distance, second.regions)
    renumbered = rooms.draw(one._replace(cells=(one.cells[0], seventh)), regions=True)
    changed = np.argwhere((both != renumbered).any(axis=-1))
    assert len(changed) > 5
    # In the upper left corner of the second cell's region, which begins at (75, 75).
    assert (changed >= 75).all()
    assert (changed < 95).all()


def test_the_landscapes_mask_is_hatched_where_the_stencil_has_it(rooms):
    plain, picture = rooms.picture(0x100), rooms.picture(0x100, landscape_mask=True)
    changed = (plain != picture).any(axis=-1)
    exit_opening = changed[91:109, 91:109]  # ±0.5 m at 6 m
    assert 0.25 < exit_opening.mean() < 0.6
    changed[90:110, 90:110] = False
    assert not changed.any()


def test_edges_are_drawn_over_the_shaded_scene(rooms):
    plain, picture = rooms.picture(0x100), rooms.picture(0x100, edges=True)
    changed = (plain != picture).any(axis=-1)
    assert 200 < changed.sum() < 6000
    assert (picture[changed] == 0).all()
    assert not changed[91:109, 91:109].all()


def test_a_caption_stands_at_the_upper_edge_and_grows_with_its_text(rooms):
    plain = rooms.picture(0x100)
    boxes = []
    for text in ("i", "iiiiiii", "wwwwwww", "i\ni"):
        changed = (plain != rooms.picture(0x100, caption=text, caption_at=0.0)).any(axis=-1)
        rows, columns = np.nonzero(changed.any(axis=1))[0], np.nonzero(changed.any(axis=0))[0]
        assert (rows[0], columns[0]) == (8, 8)
        boxes.append((rows[-1] - 7, columns[-1] - 7))
        for at, middle in ((0.5, 100.0), (1.0, 192.0 - boxes[-1][1] / 2.0)):
            moved = (plain != rooms.picture(0x100, caption=text, caption_at=at)).any(axis=-1)
            columns = np.nonzero(moved.any(axis=0))[0]
            assert abs((columns[0] + columns[-1] + 1) / 2.0 - middle) <= 1.0
    one, seven, wide, lines = boxes
    assert one[0] == seven[0] == wide[0]
    assert one[1] < seven[1] < wide[1]
    assert lines == (2 * one[0], one[1])


def test_letters_are_those_of_the_font(rooms):
    """The caption against Pillow's own drawing of it, but for blanks of at least 0.6 figures."""
    text = "0→B 47"
    picture = rooms.picture(0x100, caption=text, caption_at=0.0)
    font = ImageFont.load_default(10)
    drawn = Image.new("L", (200, 200))
    x = 10.0
    for letter in text:
        if letter != "→":  # drawn by hand: the font has none
            ImageDraw.Draw(drawn).text((x, 10), letter, fill=255, font=font)
        width = font.getlength("M" if letter == "→" else letter)
        x += round(max(width, 0.6 * font.getlength("0")) if letter == " " else width)
    plate = np.array([c * 255 for c in PLATE[:3]])
    covered = np.asarray(drawn)[10:25, 10 : round(x)] > 200
    seen = picture[10:25, 10 : round(x)].astype(float)
    assert covered.sum() > 20
    assert (seen[covered].min(axis=-1) > 190).all()
    dark = np.abs(seen - plate).max(axis=-1) < 90
    assert dark[~covered].mean() > 0.6


def test_wireframe_shows_the_triangles_of_the_visible_cells(rooms):
    picture = rooms.picture(0x100, wireframe=True)
    for low in (0x100, 0x101):
        assert count(picture, bytes_of(cell_color(BLOCK | low))) > 100


def test_what_is_written_over_a_scene_of_edges_alone_is_filled(rooms):
    """Plates were two triangles' edges and letters dots."""
    plain = rooms.picture(0x100, wire_only=True)
    captioned = rooms.picture(0x100, wire_only=True, caption="where is this?", caption_at=0.0)
    rows, columns = np.nonzero((plain != captioned).any(axis=-1))
    box = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
    assert (plain != captioned).any(axis=-1)[box].mean() > 0.95
    filled = rooms.picture(0x100, caption="where is this?", caption_at=0.0)
    assert np.abs(filled[box].astype(int) - captioned[box]).mean() < 40  # a plate lets a little through


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
        return SceneObjects(
            [
                DrawnObject(
                    object_id=1, model_id=FIGURE, cell_id=BLOCK | 0x100, frame=at, cells=cells, alpha=alpha
                )
            ]
        )

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
            stage.seen(LOW, (0.0, 0.0, 0.5)), None, RenderOptions(day_fraction=fraction, sentinel=True)
        )
        assert stage.renderer.stats.sentinel == 0
    noon = stage.renderer
    noon.draw(stage.seen(LOW, (0.0, 0.0, 0.5)))
    picture = noon.read_rgba()
    assert count_sentinel(picture) == 0
    sky, ground = picture[20, 20, :3].astype(int), picture[190, 20, :3].astype(int)
    assert sky[2] > sky[0]
    assert ground[1] > ground[0]


def test_blocks_come_and_go_with_the_world(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    whole = stage.checked(LOW, (0.0, 0.0, 0.5))
    assert count(whole, "shell") == 8000
    picture = stage.seen(LOW, (0.0, 0.0, 0.5))
    stage.world.unload_block(BLOCK)
    gone = stage.draw(picture)
    assert count(gone, "shell", *COLORS) == 0
    stage.world.load_block(BLOCK)
    assert (stage.checked(LOW, (0.0, 0.0, 0.5)) == whole).all()


def test_blocks_can_be_made_ready_a_few_a_frame(ctx):
    scene = house(SceneBuilder().ground(-1.0))
    stage = Stage(ctx, scene)
    stage.renderer.blocks_per_frame = 1
    picture = stage.seen(LOW, (0.0, 0.0, 0.5))
    # The view's own block comes first, so the house is there in the first frame.
    assert count(stage.draw(picture), "shell") == 8000
    assert len(stage.renderer.scene.blocks()) == 1
    for _ in range(10):
        stage.draw(picture)
    assert len(stage.renderer.scene.blocks()) == 9


def test_a_block_that_is_not_ready_has_no_look_ins(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    stage.renderer.blocks_per_frame = 0
    picture = stage.draw(stage.seen(LOW, (0.0, 0.0, 0.5)))
    assert stage.renderer.stats.look_ins == 0
    assert stage.renderer.stats.sentinel == 0
    assert count(picture, SKY, GRASS) == 40_000


def test_a_wide_picture_has_square_pixels(ctx):
    stage = Stage(ctx, room_a())
    stage.renderer.resize(320, 180)
    view = View.from_angles(MIDDLE, 0.0, 0.0, fov_y=90.0, width=320, height=180)
    picture = stage.seen(0x100)
    picture.view.tan_x, picture.view.width, picture.view.height = view.tan_x, 320, 180
    stage.renderer.draw(picture, None, stage.options)
    window = count(stage.renderer.read_rgba()[..., :3], SKY, GRASS)
    assert window == pytest.approx(45 * 45, abs=45)
