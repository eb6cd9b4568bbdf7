"""Image cases of passes 11.4 whose view root is a landcell."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.renderer.broken_passes import (
    clears_color_after_landscape,
    leaves_look_in_marked,
    punches_before_mark,
)
from tests.viewer.renderer.flat_shapes import EXIT, GRASS, SKY, flipped, floor_at, frame_wall, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW, OUTDOORS
from tests.viewer.renderer.reading import count, window
from tests.viewer.renderer.render_scenes import DOOR, EYE, INSIDE, entity, house, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.passes import look_in_pass, picture_kit
from viewer.renderer.scene.entities import SceneObjects

pytestmark = pytest.mark.gl

INSIDE_2 = ("wall2", "floor2", "ceiling2")


@pytest.fixture(scope="module")
def i6(ctx):
    return Stage(ctx, house(SceneBuilder().ground(-1.0)))


def test_I6_the_inside_in_the_door_of_a_house(i6):
    picture = i6.checked(LOW, EYE)
    assert count(picture, "floor") == 440
    assert count(picture, "wall") == 1160
    assert count(picture, "shell") == 8000
    assert i6.renderer.stats.look_ins == 1


def test_of_many_look_ins_it_is_told_how_far_they_are_and_the_driver_keeps_up(ctx, monkeypatch):
    """Else it gathered 2 GB of them and drew them at the end, for a minute without a word."""
    scene = house(SceneBuilder().ground(-1.0))
    scene.building(scene.gfx_obj([]), [(0, 0x200, 0)] * 4)
    stage = Stage(ctx, scene, problems=True)  # of a second building in one landcell
    before = stage.checked(LOW, EYE)
    told, finished = [], []
    monkeypatch.setattr(picture_kit, "PACE", 2)
    monkeypatch.setattr(stage.renderer.raw, "glFinish", lambda: finished.append(len(told)))
    stage.world.under_way.hear = lambda what, share: told.append((what, share))
    assert (stage.checked(LOW, EYE) == before).all()
    assert stage.renderer.stats.look_ins == 5
    assert told == [("rooms seen from outdoors", n / 5) for n in range(6)]
    assert finished == [2, 4]


def test_where_far_too_much_is_seen_from_outdoors_the_nearest_openings_show_it(ctx, monkeypatch):
    """Four thousand openings to a room of as many panes took ten minutes."""
    scene = house(SceneBuilder().ground(-1.0))
    scene.building(scene.gfx_obj([]), [(0, 0x200, 0)] * 4)
    stage = Stage(ctx, scene, problems=True)
    stage.checked(LOW, EYE)
    monkeypatch.setattr(look_in_pass, "FEW", 1)
    monkeypatch.setattr(look_in_pass, "MOST_WORK", 2)
    stage.checked(LOW, EYE)
    assert stage.renderer.stats.look_ins == 2
    told = "in rooms seen from outdoors is far too much: the farthest 3 openings are left out"
    assert any(told in line for line in stage.world.problems.lines)


@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_of_far_too_many_things_the_first_are_drawn_and_that_is_told(ctx, monkeypatch, alpha):
    """A scene that placed a model of 38,000 polygons 600 times took two minutes a frame."""
    scene = house(SceneBuilder().ground(-1.0))
    near, far = (scene.gfx_obj([(quad(y, -0.5, 0.5, z0=-0.5, z1=0.5), "box")]) for y in (1.0, 1.5))
    stage = Stage(ctx, scene, problems=True)
    things = [thing for model in (near, far) for thing in entity(model, OUTDOORS, alpha=alpha).objects]
    stage.checked(LOW, EYE, objects=SceneObjects(things))
    assert not stage.renderer.stats.is_cut
    of_all = stage.renderer.stats.triangles
    for module in ("scene.mesh_drawer", "renderer"):
        monkeypatch.setattr(f"viewer.renderer.{module}.MOST_TRIANGLES", 0)
    stage.checked(LOW, EYE)
    of_land = stage.renderer.stats.triangles
    assert not stage.renderer.stats.is_cut  # what there is of landblocks is bounded where it is loaded
    stage.checked(LOW, EYE, objects=SceneObjects(things))
    assert stage.renderer.stats.is_cut
    assert of_land < stage.renderer.stats.triangles < of_all
    told = "things of over 0 triangles are in one picture: the rest isn't drawn"
    assert any(told in line for line in stage.world.problems.lines)


def test_of_a_picture_that_takes_too_long_the_rest_is_left_out_and_that_is_told(ctx, monkeypatch):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0)), problems=True)
    whole = stage.checked(LOW, EYE)
    with monkeypatch.context() as here:
        here.setattr("viewer.renderer.gl.waiting.LONGEST", -1.0)
        late = stage.picture(LOW, EYE)
        assert count(late, "shell") < count(whole, "shell")
        assert count(late, GRASS) == 0 < count(whole, GRASS)
    told = "the picture took over 400 s of processor time: the rest of it isn't drawn"
    assert any(told in line for line in stage.world.problems.lines)
    assert (stage.checked(LOW, EYE) == whole).all()


def test_the_opening_keeps_a_look_in_however_cells_are_clipped(i6):
    """Passes 3.9: bit 6 is not switchable; a cell whose region is the opening looks the same."""
    exact = i6.checked(LOW, EYE)
    for mode in ("box", "off"):
        assert (i6.checked(LOW, EYE, clip_mode=mode) == exact).all()
    assert (i6.checked(LOW, EYE) == exact).all()


def test_in_a_look_in_the_box_mode_keeps_a_cell_to_the_box_around_its_region(ctx):
    scene = SceneBuilder().ground(-1.0)
    front = quad(5.0, -1.0, 1.0, z0=-1.0, z1=1.0)
    hole = quad(6.0, -0.5, 0.5, z0=-0.5, z1=0.5)
    model = scene.gfx_obj([(p, "shell") for p in frame_wall(quad(5.0, -3.0, 3.0, z0=-1.0, z1=3.0), front)],
                          [(front, 0)])  # fmt: skip
    scene.cell(0x200, room(-3, 3, 5, 6, z0=-1, z1=3, front=hole, back=front),
               [(front, 1, EXIT, -1), (hole, 0, 0x201, 0)], visible=[0x201], exact=True)  # fmt: skip
    # The second room's wall stands before the hole that leads to it.
    scene.cell(0x201, [(quad(5.5, -3, 3, z0=-1, z1=3), "wall2")], [(hole, 1, 0x200, 1)], exact=True)
    scene.building(model, [(0, 0x200, 0)])
    stage = Stage(ctx, scene)
    exact, box, off = (
        count(stage.checked(LOW, EYE, clip_mode=mode), "wall2") for mode in ("exact", "box", "off")
    )
    side = round(exact**0.5)
    assert exact > 200
    assert (side + 4) ** 2 <= box <= (side + 6) ** 2 < off


def test_I7_a_hump_in_front_of_the_door_stays_whole(ctx):
    hump = [(quad(4.0, -0.5, 0.5, z0=-1.0, z1=1.0), "hump")]
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0), extra=hump))
    picture = stage.checked(LOW, EYE)
    assert 1225 <= count(picture, "hump") <= 1250  # its edges lie on pixel centres
    assert 0 < count(picture, *INSIDE) < 1600


@pytest.mark.parametrize("y", [4.98, 5.00, 5.05])
def test_I8_a_closed_leaf_hides_the_inside(ctx, y):
    scene = house(SceneBuilder().ground(-1.0))
    scene.outdoor_object(scene.gfx_obj([(quad(y, -1.05, 1.05, z0=-1.05, z1=1.05), "leaf")]))
    picture = Stage(ctx, scene).checked(LOW, EYE)
    assert count(picture, *INSIDE) == 0
    assert count(picture, "leaf") >= 1600


@pytest.mark.parametrize("y", [4.95, 4.9995])
def test_I9_an_eye_in_the_doorway_sees_only_the_inside(i6, y):
    picture = i6.checked(LOW, (0.0, y, 0.5))
    assert count(picture, "shell", GRASS, SKY) == 0
    assert count(picture, *INSIDE) == 40_000


def test_I10_an_entity_in_the_doorway_is_whole(ctx):
    scene = room_a()
    box = [
        (quad(1.5, -0.2, 0.2, z0=-0.2, z1=0.2), "box"),
        (flipped(quad(2.5, -0.2, 0.2, z0=-0.2, z1=0.2)), "box"),
        (floor_at(0.2, -0.2, 0.2, y0=1.5, y1=2.5), "box"),
        (flipped(floor_at(-0.2, -0.2, 0.2, y0=1.5, y1=2.5)), "box"),
        ([(0.2, 1.5, -0.2), (0.2, 2.5, -0.2), (0.2, 2.5, 0.2), (0.2, 1.5, 0.2)], "box"),
        (flipped([(-0.2, 1.5, -0.2), (-0.2, 2.5, -0.2), (-0.2, 2.5, 0.2), (-0.2, 1.5, 0.2)]), "box"),
    ]
    model = scene.gfx_obj(box)
    front = frame_wall(quad(2.0, -3, 3, z0=-1, z1=3), DOOR)
    shell = scene.gfx_obj([(flipped(p), "shell") for p in front], [(flipped(DOOR), 0)])
    scene.building(shell, [(0, 0x100, 0)])
    stage = Stage(ctx, scene)
    alone_scene = SceneBuilder().ground(-60.0)
    alone_model = alone_scene.gfx_obj(box)
    alone = Stage(ctx, alone_scene)

    for low, eye, yaw in ((0x100, (0.3, 0.0, 0.25), 0.0), (LOW, (0.25, 4.0, 0.3), 180.0)):
        picture = stage.checked(low, eye, yaw, objects=entity(model, OUTDOORS, BLOCK | 0x100))
        lone = alone.picture(LOW, eye, yaw, objects=entity(alone_model, OUTDOORS))
        assert count(lone, "box") > 300
        assert count(picture, "box") == count(lone, "box")
        halved = stage.picture(low, eye, yaw, objects=entity(model, BLOCK | 0x100))
        assert count(halved, "box") < count(lone, "box")


def test_I11_the_near_house_hides_the_inside_of_the_far_one(ctx, i6):
    scene = house(house(SceneBuilder().ground(-1.0)), y=20.0, low=0x201, suffix="2")
    # Both buildings stand in one landcell here; drawing does not mind.
    stage = Stage(ctx, scene, problems=True)
    picture = stage.checked(LOW, EYE)
    near = i6.checked(LOW, EYE)
    assert stage.renderer.stats.look_ins == 2
    assert count(picture, *INSIDE_2) == 0
    assert count(picture, *INSIDE) == 1600
    door = (slice(90, 130), slice(80, 120))
    assert (picture[door] == near[door]).all()


def test_I12_no_inside_without_the_shell(i6):
    picture = i6.checked(LOW, EYE, shells=False)
    assert count(picture, *INSIDE) == 0
    assert i6.renderer.stats.look_ins == 0


def test_I13_the_ground_runs_on_under_a_house(i6):
    picture = i6.picture(LOW, (0.0, 2.0, 20.0), 0.0, -80.0)
    assert i6.renderer.stats.sentinel == 0
    assert count(picture, GRASS, "shell", *INSIDE) == 40_000


def test_I16_cells_under_the_ground_change_nothing(ctx, i6):
    scene = house(SceneBuilder().ground(-1.0))
    for k in range(50):
        scene.cell(0x300 + k, room(-2, 2, -2 + k, 2 + k, z0=-9, z1=-5, suffix="2"), seen_outside=False)
    stage = Stage(ctx, scene)
    assert (stage.checked(LOW, EYE) == i6.checked(LOW, EYE)).all()


def test_I15_a_wall_keeps_its_light_when_the_root_changes(ctx):
    scene = room_a()
    front = frame_wall(quad(2.0, -3, 3, z0=-1, z1=3), DOOR)
    shell = scene.gfx_obj([(flipped(p), "shell") for p in front], [(flipped(DOOR), 0)])
    scene.building(shell, [(0, 0x100, 0)])
    stage = Stage(ctx, scene)
    inside = stage.picture(0x100, (0.0, 1.9, 0.0), 180.0, plain=False, fog=False)
    outside = stage.picture(LOW, (0.0, 2.1, 0.0), 180.0, plain=False, fog=False)
    assert stage.renderer.stats.path == "outdoor"
    assert (np.abs(inside[100, 100].astype(int) - outside[100, 100]) <= 1).all()


def test_I23_a_colour_clear_after_the_landscape_is_seen(i6, monkeypatch):
    clears_color_after_landscape(monkeypatch)
    broken = i6.picture(LOW, EYE)
    assert count(broken, "floor") == 0


def test_I24_without_P7_the_stencil_keeps_a_residue(i6, monkeypatch):
    leaves_look_in_marked(monkeypatch)
    i6.picture(LOW, EYE)
    assert i6.renderer.stats.stencil_residue != {0x80}


def test_I24_a_punch_before_the_mark_spoils_the_inside(i6, monkeypatch):
    punches_before_mark(monkeypatch)
    broken = i6.picture(LOW, EYE)
    assert count(broken, "floor") != 440


def test_K7_the_same_scene_anywhere_on_the_map(ctx):
    pictures = []
    for block in (0x00000000, 0x01010000, 0xFDFD0000, 0xFEFE0000):
        stage = Stage(ctx, house(SceneBuilder(block).ground(-1.0, around=0)))
        pictures.append(stage.checked(LOW, (0.2, 1.0, 0.5), 7.0))
    assert all((picture == pictures[1]).all() for picture in pictures)


def test_a_resize_gives_pictures_of_that_size(i6):
    i6.renderer.resize(64, 48)
    i6.renderer.draw(i6.seen(LOW, EYE), None, i6.options)
    assert i6.renderer.read_rgba().shape == (48, 64, 4)
    i6.renderer.resize(200, 200)
    assert count(i6.checked(LOW, EYE), "floor") == 440


def test_look_ins_of_more_cells_than_ids_keep_apart(ctx):
    # 70 cells in line behind a door: ids 1…63 are used up and handed out anew.
    scene = SceneBuilder().ground(-60.0)
    door = quad(5.0, -1.0, 1.0, z0=-1.0, z1=1.0)
    model = scene.gfx_obj(
        [(p, "shell") for p in frame_wall(quad(5.0, -3, 3, z0=-3, z1=3), door)], [(door, 0)]
    )
    n = 70
    for k in range(n):
        y = 5.0 + k
        here, there = quad(y, -1, 1, z0=-1, z1=1), quad(y + 1, -1, 1, z0=-1, z1=1)
        walls = [
            (floor_at(-1, -1, 1, y0=y, y1=y + 1), "floor"),
            (flipped(floor_at(1, -1, 1, y0=y, y1=y + 1)), "ceiling"),
            ([(-1, y, -1), (-1, y + 1, -1), (-1, y + 1, 1), (-1, y, 1)], "wall"),
            (flipped([(1, y, -1), (1, y + 1, -1), (1, y + 1, 1), (1, y, 1)]), "wall"),
        ]
        back = (here, 1, EXIT if k == 0 else 0x200 + k - 1, -1 if k == 0 else 1)
        onward = [(there, 0, 0x200 + k + 1, 0)] if k < n - 1 else []
        walls += [(there, "wall2")] if k == n - 1 else []
        scene.cell(0x200 + k, walls, [back, *onward], exact=True, visible=[0x200 + i for i in range(n)])
    scene.building(model, [(0, 0x200, 0)])
    stage = Stage(ctx, scene)
    picture = stage.checked(LOW)
    assert stage.renderer.stats.cells_drawn == n
    assert count(picture, *INSIDE, "wall2") == 1600


def test_the_street_behind_a_house_shows_through_its_door_and_back_window(ctx):
    """Street, house, back window, street: what stands behind, and the inside of a house beyond."""
    door, back = quad(5.0, -1.0, 1.0, z0=-1.0, z1=1.0), quad(9.0, -1.0, 1.0, z0=-0.2, z1=1.2)
    scene = SceneBuilder().ground(-1.0)
    shell = [(p, "shell") for p in frame_wall(quad(5.0, -3.0, 3.0, z0=-1.0, z1=3.0), door)]
    shell += [(flipped(p), "shell") for p in frame_wall(quad(9.0, -3.0, 3.0, z0=-1.0, z1=3.0), back)]
    model = scene.gfx_obj(shell, [(door, 0), (flipped(back), 1)])
    inside = room(-2.5, 2.5, 5.0, 9.0, z0=-1.2, z1=2.0, back=door, front=back)
    scene.cell(0x200, inside, [(door, 1, EXIT, -1), (back, 0, EXIT, -1)])
    scene.building(model, [(0, 0x200, 0), (0, 0x200, 1)])
    house(scene, y=20.0, low=0x201, suffix="2")
    scene.outdoor_object(scene.gfx_obj([(quad(12.0, -0.9, -0.6, z0=-1.0, z1=0.5), "hump")]))
    stage = Stage(ctx, scene, problems=True)
    picture = stage.checked(LOW, EYE)
    # The back window shows the far house, the inside in its door, and the hump before it.
    assert count(picture, *INSIDE_2) == pytest.approx(100, abs=5)
    assert count(picture, "hump") > 20
    assert count(window(picture, 5), "shell") > 0
    assert count(picture, *INSIDE) > 500
    assert stage.renderer.stats.look_ins == 2
    # From the window's own side the same house shows the street before it, and nothing of itself.
    picture = stage.checked(LOW, (0.0, 14.0, 0.5), 180.0)
    assert count(window(picture, 20), GRASS, SKY) > 100
