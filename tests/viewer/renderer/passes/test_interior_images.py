"""Image cases of passes 11.4 whose view root is an EnvCell."""

from __future__ import annotations

import numpy as np
import pytest

from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions
from tests.viewer.renderer.broken_passes import (
    clears_color_after_landscape,
    leaves_out_depth_reset,
    leaves_out_seal,
)
from tests.viewer.renderer.flat_shapes import (
    COLORS,
    EXIT,
    GRASS,
    SKY,
    flipped,
    floor_at,
    frame_wall,
    quad,
    room,
)
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count, outside_window, window
from tests.viewer.renderer.render_scenes import DOOR, angle_range, house, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.passes import picture_kit
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.scene.terrain_mesh import RENDER_DROP

pytestmark = pytest.mark.gl


@pytest.fixture(scope="module")
def i1(ctx):
    return Stage(ctx, room_a())


def behind_exit() -> SceneBuilder:
    """I27: I1 with a quad of room A behind its own exit."""
    scene = SceneBuilder().ground(-0.2)
    walls = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    return scene.cell(0x100, [*walls, (quad(3.0, -0.2, 0.2, z0=-0.2, z1=0.2), "box")], [(DOOR, 0, EXIT, -1)])


def before_exit() -> SceneBuilder:
    """I28: I1 with an object in room A, before the window."""
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.5, -0.3, 0.3, z0=-0.3, z1=0.3), "box")])
    scene.ground(-0.2)
    return scene.cell(
        0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)], statics=[model]
    )


def test_of_many_rooms_it_is_told_how_far_they_are(ctx, monkeypatch):
    scene = SceneBuilder().ground(-1.5)
    doors = [quad(2.0 * n, -0.5, 0.5, z0=-0.5, z1=0.5) for n in range(1, 4)]
    for n, door in enumerate(doors):
        back = doors[n - 1] if n else None
        portals = [(door, 0, 0x101 + n, 1)] if n < 2 else [(door, 0, EXIT, -1)]
        walls = room(-2, 2, 2.0 * n, 2.0 * n + 2.0, z0=-1.5, z1=1.5, front=door, back=back)
        portals += [(back, 1, 0x0FF + n, 0)] if n else []
        scene.cell(0x100 + n, walls, portals, visible=[0x100, 0x101, 0x102])
    stage = Stage(ctx, scene)
    told = []
    monkeypatch.setattr(picture_kit, "PACE", 2)
    stage.world.under_way.hear = lambda what, share: told.append((what, share))
    stage.checked(0x100, (0.0, 0.5, 0.0))
    assert told[-4:] == [("rooms of the picture", n / 3) for n in range(4)]


def test_I1_landscape_in_the_window_and_nothing_else(i1):
    picture = i1.checked(0x100)
    middle = window(picture)
    assert count(middle[:25], SKY) == 1250
    assert count(middle[25:], GRASS) == 1250
    assert count(picture, "wall") == 27_500
    assert count(picture, "floor") == 5000
    assert i1.renderer.stats.landscape_draws == 1


def test_I2_pixel_in_the_window_equals_the_outdoor_picture(i1):
    inside = i1.checked(0x100)
    outdoors = i1.checked(LOW)
    assert (inside[100 - 6, 100] == outdoors[100 - 6, 100]).all()
    assert (window(inside) == window(outdoors)).all()


def test_I3_no_landscape_beside_the_window(i1):
    assert count(outside_window(i1.checked(0x100)), SKY, GRASS) == 0


def test_I4_terrain_at_floor_height_does_not_mix_with_the_floor(ctx):
    sill = quad(2.0, -0.5, 0.5, z0=-1.5, z1=0.5)
    scene = SceneBuilder().ground(-1.5 - RENDER_DROP)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=sill), [(sill, 0, EXIT, -1)])
    stage = Stage(ctx, scene)
    for y in (-1.0, -0.3, 0.0, 0.6, 1.0, 1.5, 1.9):
        picture = stage.checked(0x100, (0.0, y, 0.0))
        for color in (COLORS["floor"], GRASS):
            mask = (np.abs(picture.astype(int) - color) <= 1).all(axis=-1)
            changes = np.count_nonzero(mask[1:] != mask[:-1], axis=0)
            assert changes.max() <= (1 if color == COLORS["floor"] else 2)
        assert count(picture, GRASS) > 0


def test_I5_a_cell_paints_only_its_region(ctx):
    scene = SceneBuilder()
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], exact=True,
               visible=[0x101])  # fmt: skip
    # The second room is one solid block that starts at y = 1, in front of the wall between them.
    scene.cell(0x101, [(quad(1.0, -2, 2, z0=-1.5, z1=1.5), "wall2")], [(DOOR, 1, 0x100, 0)], exact=True)
    stage = Stage(ctx, scene)
    picture = stage.checked(0x100)
    assert count(picture, "wall2") == 2500
    assert count(picture, "wall") == 27_500
    loose = stage.picture(0x100, clip_mode="off")
    assert count(loose, "wall2") > 27_000


def test_in_the_box_mode_a_cell_keeps_to_the_box_around_its_region(ctx):
    """Passes 3.9: the region is a diamond here, its box the square around that, two pixels wider."""
    diamond = [(0.0, 2.0, -0.5), (0.5, 2.0, 0.0), (0.0, 2.0, 0.5), (-0.5, 2.0, 0.0)]
    scene = SceneBuilder()
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=diamond), [(diamond, 0, 0x101, 0)],
               exact=True, visible=[0x101])  # fmt: skip
    scene.cell(0x101, [(quad(1.0, -2, 2, z0=-1.5, z1=1.5), "wall2")], [(diamond, 1, 0x100, 0)], exact=True)
    stage = Stage(ctx, scene)
    exact, box, off = (
        count(stage.picture(0x100, clip_mode=mode), "wall2") for mode in ("exact", "box", "off")
    )
    assert exact == pytest.approx(1250, abs=60)
    assert box == 54 * 54
    assert off > 27_000
    # The comparison shows the difference with whichever mode is on.
    for samples in (1, 4):  # with four all of it was red
        plain = {"samples": samples, "check_stencil": False, "sentinel": False, "show": "difference"}
        red = [
            count(stage.picture(0x100, clip_mode=mode, **plain), (255, 40, 40)) for mode in ("box", "exact")
        ]
        assert red == [box - exact, off - exact]
    assert (stage.picture(0x100) == stage.picture(0x100)).all()


def test_I17_looking_out_through_ones_own_door_is_no_look_in(ctx, i1):
    scene = room_a()
    model = scene.gfx_obj([(quad(9.0, -0.1, 0.1, z0=-0.1, z1=0.1), "shell")], [(flipped(DOOR), 0)])
    scene.building(model, [(0, 0x100, 0)])
    scene.outdoor_object(model)
    stage = Stage(ctx, scene)
    picture = stage.checked(0x100)
    assert stage.renderer.stats.look_ins == 0
    beside = count(picture, "shell")
    assert count(picture, SKY, GRASS) + beside == 2500
    assert (outside_window(picture) == outside_window(i1.checked(0x100))).all()


def test_I18_a_sealed_frame_has_no_landscape(ctx):
    scene = SceneBuilder().ground(-0.2)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5), seen_outside=False)
    stage = Stage(ctx, scene)
    picture = stage.checked(0x100)
    assert count(picture, SKY, GRASS) == 0
    assert stage.renderer.stats.landscape_draws == 0
    assert stage.renderer.stats.path == "sealed"


def test_I14_a_sealed_frame_knows_neither_sun_nor_fog(ctx):
    scene = SceneBuilder().ground(-0.2)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5), seen_outside=False)
    stage = Stage(ctx, scene)
    pictures = [
        stage.picture(0x100, plain=False, sun=sun, fog=fog, day_fraction=t)
        for sun in (False, True) for fog in (False, True) for t in (0.0, 0.5)
    ]  # fmt: skip
    assert all((p == pictures[0]).all() for p in pictures)


def window_on_house(shift: float = 0.0, y: float = 20.0) -> SceneBuilder:
    """I19 and I20: room A with a window, a house outside."""
    scene = SceneBuilder().ground(-1.0)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])
    door = quad(y, shift - 1, shift + 1, z0=-1, z1=1)
    front = [(p, "shell") for p in frame_wall(quad(y, shift - 3, shift + 3, z0=-1, z1=3), door)]
    model = scene.gfx_obj(front, [(door, 0)])
    inside = room(shift - 2.5, shift + 2.5, y, y + 4, z0=-1.2, z1=2, back=door, suffix="2")
    scene.cell(0x200, inside, [(door, 1, EXIT, -1)])
    return scene.building(model, [(0, 0x200, 0)])


def test_I19_a_house_and_its_inside_through_the_window(ctx, i1):
    stage = Stage(ctx, window_on_house())
    picture = stage.checked(0x100)
    middle = window(picture)
    # The door spans ±1 m at 20 m: 10 px; the wall ±3 m and 3 m up: 30 px.
    inside = count(middle, "wall2", "floor2", "ceiling2")
    assert inside == 100
    assert count(middle, "shell") > 200
    assert (outside_window(picture) == outside_window(i1.checked(0x100))).all()
    assert stage.renderer.stats.look_ins == 1
    assert stage.renderer.stats.stencil_residue == {0, 0x80}


def test_I20_a_house_door_partly_beside_the_window_shows_only_within_it(ctx, i1):
    stage = Stage(ctx, window_on_house(shift=2.0, y=8.0))
    picture = stage.checked(0x100)
    assert count(window(picture), "wall2", "floor2", "ceiling2") > 50
    assert (outside_window(picture) == outside_window(i1.checked(0x100))).all()


def chain(n: int, doors: int) -> SceneBuilder:
    """V19: n rooms in line, each with the same full-size door to the next, listed ``doors`` times."""
    scene = SceneBuilder()
    for k in range(n):
        here = quad(2.0 * k + 2.0, -2, 2, z0=-2, z1=2)
        back = quad(2.0 * k, -2, 2, z0=-2, z1=2)
        portals = [(here, 0, 0x100 + k + 1, -1)] * doors if k < n - 1 else []
        walls = [
            (floor_at(-2, -2, 2, y0=2.0 * k, y1=2.0 * k + 2), "floor"),
            (flipped(floor_at(2, -2, 2, y0=2.0 * k, y1=2.0 * k + 2)), "ceiling"),
            ([(-2, back[0][1], -2), (-2, here[0][1], -2), (-2, here[0][1], 2), (-2, back[0][1], 2)], "wall"),
            ([(2, here[0][1], -2), (2, back[0][1], -2), (2, back[0][1], 2), (2, here[0][1], 2)], "wall"),
        ]
        if k == n - 1:
            walls.append((here, "wall2"))
        scene.cell(0x100 + k, walls, portals, visible=[0x100 + i for i in range(n)])
    return scene


def test_I21_doors_listed_twice_cost_nothing(ctx):
    single, double = Stage(ctx, chain(12, 1)), Stage(ctx, chain(12, 2))
    a = single.checked(0x100, (0.0, 0.5, 0.0))
    b = double.checked(0x100, (0.0, 0.5, 0.0))
    assert (a == b).all()
    assert double.renderer.stats.draws + double.renderer.stats.marks < 60


def test_I22_no_crack_while_turning_before_the_door(i1):
    for y in (1.95, 1.9999, 2.0):
        for yaw in angle_range(1.0):
            i1.picture(0x100, (0.0, y, 0.0), yaw, check_stencil=False)
            assert i1.renderer.stats.sentinel == 0, (y, yaw)


def three_openings() -> SceneBuilder:
    """Two rooms with three openings between them, the wall without T-junctions."""
    scene = SceneBuilder().ground(-1.4)
    xs = (-2.0, -2.0 / 3.0, 2.0 / 3.0, 2.0)
    holes = [quad(2.0, x - 0.3, x + 0.3, z0=-0.6, z1=0.6) for x in (-4.0 / 3.0, 0.0, 4.0 / 3.0)]
    between = []
    for k, hole in enumerate(holes):
        between += frame_wall(quad(2.0, xs[k], xs[k + 1], z0=-1.5, z1=1.5), hole)
    ends = (-2.0, 6.0)
    exit_door = quad(6.0, -0.5, 0.5, z0=-0.5, z1=0.5)

    def side(x: float, y0: float, y1: float, *, turned: bool):
        wall = [(x, y0, -1.5), (x, y1, -1.5), (x, y1, 1.5), (x, y0, 1.5)]
        return flipped(wall) if turned else wall

    for low, (y0, y1), name in ((0x100, (ends[0], 2.0), ""), (0x101, (2.0, ends[1]), "2")):
        near = low == 0x100
        # Floor and ceiling are cut at the same x as the wall between, so that edges meet corner to corner.
        polygons = []
        for k in range(3):
            polygons.append((floor_at(-1.5, xs[k], xs[k + 1], y0=y0, y1=y1), "floor" + name))
            polygons.append((flipped(floor_at(1.5, xs[k], xs[k + 1], y0=y0, y1=y1)), "ceiling" + name))
        polygons += [
            (side(-2, y0, y1, turned=False), "wall" + name),
            (side(2, y0, y1, turned=True), "wall" + name),
        ]
        if near:
            polygons += [(p, "wall") for p in between]
            polygons += [(flipped(quad(y0, xs[k], xs[k + 1], z0=-1.5, z1=1.5)), "wall") for k in range(3)]
            portals = [(hole, 0, 0x101, k) for k, hole in enumerate(holes)]
        else:
            polygons += [(flipped(p), "wall2") for p in between]
            outer = [(xs[0], y1, -1.5), (xs[1], y1, -1.5), (xs[2], y1, -1.5), (xs[3], y1, -1.5),
                     (xs[3], y1, 1.5), (xs[2], y1, 1.5), (xs[1], y1, 1.5), (xs[0], y1, 1.5)]  # fmt: skip
            ring = [0, 0, 1, 1, 2, 2, 3, 3]
            polygons += [
                ([outer[i], outer[(i + 1) % 8], exit_door[ring[(i + 1) % 8]], exit_door[ring[i]]], "wall2")
                for i in range(8)
            ]
            portals = [(hole, 1, 0x100, k) for k, hole in enumerate(holes)] + [(exit_door, 0, EXIT, -1)]
        scene.cell(low, polygons, portals, exact=True, visible=[0x100, 0x101])
    return scene


def test_I22_no_crack_in_six_hundred_poses_of_two_rooms(ctx):
    stage = Stage(ctx, three_openings())
    random = np.random.default_rng(22)
    seen_both = 0
    for _ in range(600):
        low = 0x100 if random.random() < 0.5 else 0x101
        # The near plane's corners are 0.18 m off: closer to a wall, it cuts the wall open.
        y0, y1 = (-1.8, 1.8) if low == 0x100 else (2.2, 5.8)
        eye = (random.uniform(-1.8, 1.8), random.uniform(y0, y1), random.uniform(-1.3, 1.3))
        picture = stage.seen(low, eye, random.uniform(-180, 180), random.uniform(-60, 60))
        stage.draw(picture, check_stencil=False)
        assert stage.renderer.stats.sentinel == 0, (low, eye)
        seen_both += len(picture.cells) == 2
    assert seen_both > 150


def test_I26_cell_ids_in_the_picture_are_those_of_the_visited_list(ctx):
    stage = Stage(ctx, three_openings())
    for low, eye, yaw in ((0x100, (0.0, 0.0, 0.0), 0.0), (0x101, (0.5, 4.0, 0.3), 170.0),
                          (0x100, (0.0, 0.0, 0.0), 180.0)):  # fmt: skip
        picture = stage.seen(low, eye, yaw)
        pixels = stage.draw(picture, cell_ids=True)
        colors = {tuple(round(c * 255) for c in cell_color(v.cell)): v.cell for v in picture.cells}
        found = {tuple(int(v) for v in p) for p in np.unique(pixels.reshape(-1, 3), axis=0)}
        assert found - {(0, 0, 0)} == set(colors)


def test_I27_the_seal_keeps_a_room_out_of_its_exit(ctx, monkeypatch):
    stage = Stage(ctx, behind_exit())
    assert count(stage.checked(0x100), "box") == 0
    leaves_out_seal(monkeypatch)
    broken = stage.picture(0x100)
    assert count(broken, "box") == 196


def test_I28_what_stands_before_the_window_is_drawn_whole(ctx, monkeypatch):
    stage = Stage(ctx, before_exit())
    assert count(stage.checked(0x100), "box") == 1600
    leaves_out_depth_reset(monkeypatch)
    broken = stage.picture(0x100)
    assert count(broken, "box") == 1320


def test_I23_a_colour_clear_after_the_landscape_is_seen(i1, monkeypatch):
    clears_color_after_landscape(monkeypatch)
    broken = i1.picture(0x100)
    assert count(broken, SKY, GRASS) == 0


def test_a_house_seen_from_inside_leaves_no_residue(ctx):
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0), suffix="2"))
    stage.checked(0x200, (0.0, 7.0, 0.0), 180.0)


def test_unclipped_floods_draw_the_same_set(ctx):
    stage = Stage(ctx, three_openings())
    picture = stage.seen(0x100, view_options=ViewOptions(FloodRules(working_set=WorkingSet.RESIDENT)))
    stage.draw(picture)
    assert stage.renderer.stats.cells_drawn == len(picture.cells) == 2
