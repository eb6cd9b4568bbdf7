"""Things in doorways: seals, marks, leaves, panes, furniture where outdoors and cells meet (passes 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from engine.dat.values import Vec3
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
from tests.viewer.renderer.memory_source import BLOCK, LOW, OUTDOORS
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_scenes import DOOR, EYE, HOUSE_DOOR, INSIDE, entity, house, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene.entities import SceneObjects

pytestmark = pytest.mark.gl

IN_HOUSE = BLOCK | 0x200


def parts_of(corners: Sequence[Vec3], at: tuple[float, float]) -> list[list[Vec3]]:
    """A convex polygon as triangles about one of its inner points, so that it is rasterised otherwise."""
    a, b, d = corners[0], corners[1], corners[-1]
    u, v = at
    inner = tuple(a[k] + u * (b[k] - a[k]) + v * (d[k] - a[k]) for k in range(3))
    n = len(corners)
    return [[corners[k], corners[(k + 1) % n], inner] for k in range(n)]  # type: ignore[list-item]


def over(front: object, back: object) -> tuple[int, ...]:
    return tuple(round(float(a + b) / 2.0) for a, b in zip(front, back, strict=True))  # type: ignore[call-overload]


@pytest.mark.parametrize("at", [(0.31, 0.77), (0.52, 0.13), (0.9, 0.45)])
def test_B24_a_leaf_in_the_exits_plane_wins_over_the_seal(ctx, at):
    """Its triangles are others than the portal's: without the seal's offset rounding decides (passes 3.8)."""
    scene = room_a()
    leaf = scene.gfx_obj([(p, "leaf") for p in parts_of(DOOR, at)])
    stage = Stage(ctx, scene)
    there = entity(leaf, BLOCK | 0x100)
    for yaw in (0.0, 23.0, -38.0, 51.0):
        for eye in ((0.0, 0.0, 0.0), (0.7, 1.1, 0.3), (-1.3, -0.7, -0.9)):
            picture = stage.checked(0x100, eye, yaw, objects=there)
            assert count(picture, SKY, GRASS) == 0
    assert count(stage.checked(0x100, objects=there), "leaf") == 2500


@pytest.mark.parametrize("order", [1, -1])
def test_the_seal_of_the_nearest_exit_counts(ctx, order):
    """Another opening far behind the first, in either order: what is between them stays hidden."""
    scene = SceneBuilder().ground(-0.2)
    walls = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    far = quad(6.0, -1.4, 1.4, z0=-1.4, z1=1.4)
    openings = [(DOOR, 0, EXIT, -1), (far, 0, EXIT, -1)][::order]
    scene.cell(0x100, [*walls, (quad(3.0, -0.2, 0.2, z0=-0.2, z1=0.2), "box")], openings)
    assert count(Stage(ctx, scene).checked(0x100), "box") == 0


@pytest.mark.parametrize("off", [0.09, 0.05, 0.01])
def test_the_seal_holds_nearer_than_the_near_plane(ctx, off):
    """Passes 3.3: P9 clamps depth. The eye is in the doorway, a piece of the room behind the exit."""
    scene = SceneBuilder().ground(-0.2)
    walls = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    scene.cell(0x100, [*walls, (quad(3.0, -0.2, 0.2, z0=-0.2, z1=0.2), "box")], [(DOOR, 0, EXIT, -1)])
    stage = Stage(ctx, scene)
    for yaw in (0.0, 20.0, -30.0):
        assert count(stage.checked(0x100, (0.0, 2.0 - off, 0.0), yaw), "box") == 0


@pytest.mark.parametrize("at", [(0.31, 0.77), (0.52, 0.13), (0.9, 0.45)])
def test_an_opening_wins_over_the_shells_trim_in_its_plane(ctx, at):
    """Passes 3.8: P3's offset. The trim's triangles are others than the opening's."""
    trim = [(p, "roof") for p in parts_of(HOUSE_DOOR, at)]
    stage = Stage(ctx, house(SceneBuilder().ground(-1.0), extra=trim))
    plain = Stage(ctx, house(SceneBuilder().ground(-1.0)))
    for eye, yaw in ((EYE, 0.0), ((2.0, 1.0, 0.5), -27.0), ((-3.1, 2.0, 1.7), 51.0), ((0.4, -4.0, 0.2), 8.0)):
        picture = stage.checked(LOW, eye, yaw)
        assert count(picture, "roof") == 0
        assert (picture == plain.checked(LOW, eye, yaw)).all()
    assert count(stage.checked(LOW, EYE), *INSIDE) == 1600


TABLE = [
    (floor_at(-0.6, -0.5, 0.5, y0=1.0, y1=3.0), "leaf"),
    (quad(1.0, -0.5, 0.5, z0=-0.8, z1=-0.6), "leaf"),
]


def arch() -> SceneBuilder:
    """Two rooms with an arch between them; a table of the first reaches through it into the second."""
    scene = SceneBuilder()
    opening = quad(2.0, -0.8, 0.8, z0=-0.9, z1=1.0)
    table = scene.gfx_obj(TABLE)
    both = [0x100, 0x101]
    near = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=opening)
    scene.cell(0x100, near, [(opening, 0, 0x101, 0)], exact=True, visible=both, statics=[table])
    far = room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=opening, suffix="2")
    return scene.cell(0x101, far, [(opening, 1, 0x100, 0)], exact=True, visible=both)


def test_a_table_through_an_arch_is_whole_from_both_sides(ctx):
    """Passes 3.10: at load time the neighbour is added to the cells of a static that crosses a portal.

    From the second room its near end stands below the arch, where only that room may draw.
    """
    stage = Stage(ctx, arch())
    bare = SceneBuilder().ground(None)
    alone = Stage(ctx, bare.outdoor_object(bare.gfx_obj(TABLE)))
    for low, eye, yaw in ((0x100, (0.0, -1.0, 0.4), 0.0), (0x101, (0.2, 5.0, 0.4), 180.0)):
        whole = count(alone.picture(LOW, eye, yaw), "leaf")
        assert whole > 700
        assert count(stage.checked(low, eye, yaw), "leaf") == whole


def crossing(scene: SceneBuilder, translucency: float) -> tuple[int, int]:
    """Two upright panes that cross each other like an X seen from above."""
    flags = 2 | 0x10 if translucency else 2
    models = []
    for s, name in ((1.0, "leaf"), (-1.0, "box")):
        corners = [(-1.0, 5 - s, -0.5), (1.0, 5 + s, -0.5), (1.0, 5 + s, 0.9), (-1.0, 5 - s, 0.9)]
        models.append(scene.gfx_obj([(corners, name)], flags=flags, translucency=translucency))
    return models[0], models[1]


def test_crossing_panes_outdoors_show_through_each_other(ctx):
    """Passes 3.3: blended things of P2 are tested against depth and don't write it."""
    scene = SceneBuilder().ground(-60.0)
    for model in crossing(scene, 0.5):
        scene.outdoor_object(model)
    picture = Stage(ctx, scene).checked(LOW, EYE)
    rows = range(93, 99)
    for x in (84, 92, 108, 116):
        column = picture[rows, x].astype(int)
        orders = [
            over(a, over(b, SKY))
            for a, b in ((COLORS["leaf"], COLORS["box"]), (COLORS["box"], COLORS["leaf"]))
        ]
        assert min(np.abs(column - c).max() for c in orders) <= 2, x


def test_a_faded_entity_is_blended_with_what_is_behind_it(ctx):
    """Visibility 1.5: the player's figure fades out as the eye comes near its head."""
    scene = SceneBuilder()
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5))
    model = scene.gfx_obj([(quad(1.0, -0.2, 0.2, z0=-0.2, z1=0.2), "leaf")])
    stage = Stage(ctx, scene)
    for alpha in (1.0, 0.5, 0.25, 0.0):
        picture = stage.checked(0x100, objects=entity(model, BLOCK | 0x100, alpha=alpha))
        mixed = [alpha * a + (1 - alpha) * b for a, b in zip(COLORS["leaf"], COLORS["wall"], strict=True)]
        assert np.abs(picture[80:120, 80:120].astype(int) - mixed).max() <= 1.5
        assert np.abs(picture[78, 78].astype(int) - COLORS["wall"]).max() <= 1


def pane(y0: float, y1: float) -> list[tuple[list[Vec3], str]]:
    """A pane from x = −0.4, y0 to x = 0.4, y1, to be seen from the south, and a second face to the north."""
    corners = [(-0.4, y0, -0.4), (0.4, y1, -0.4), (0.4, y1, 0.4), (-0.4, y0, 0.4)]
    return [(corners, "leaf"), (flipped(corners), "leaf")]


PANES = {"before": (4.9, 4.9), "in the plane": (5.0, 5.0), "behind": (5.1, 5.1), "across": (4.7, 5.35)}


@pytest.mark.parametrize("place", PANES)
@pytest.mark.parametrize("from_outdoors", [True, False])
@pytest.mark.parametrize("faded", [True, False])
def test_B39_a_pane_in_a_doorway_is_blended_once(ctx, place, from_outdoors, faded):
    """It stands outdoors and indoors, translucent by itself or a solid thing that fades out."""
    scene = house(SceneBuilder().ground(-60.0))
    polygons = pane(*PANES[place])
    solid = scene.gfx_obj(polygons)
    clear = solid if faded else scene.gfx_obj(polygons, flags=2 | 0x10, translucency=0.5)
    stage = Stage(ctx, scene)
    low, eye, yaw = (LOW, (0.3, 1.0, 0.2), 4.0) if from_outdoors else (0x200, (-0.3, 8.0, 0.2), 176.0)
    cells = (OUTDOORS, IN_HOUSE)
    behind = stage.checked(low, eye, yaw).astype(float)
    shape = stage.checked(low, eye, yaw, objects=entity(solid, *cells))
    mixed = stage.checked(low, eye, yaw, objects=entity(clear, *cells, alpha=0.5 if faded else 1.0))
    where = (np.abs(shape.astype(int) - COLORS["leaf"]) <= 1).all(axis=-1)
    assert where.sum() > 350
    once = (behind + COLORS["leaf"]) / 2.0
    wrong = np.abs(mixed - np.where(where[..., None], once, behind)).max(axis=-1) > 2.0
    assert wrong.sum() == 0


def test_a_pane_of_the_outdoors_in_the_exits_plane_is_seen_from_inside(ctx):
    """It is in no cell, so nothing of it is left to one: the landscape begins at the plane itself."""
    scene = house(SceneBuilder().ground(-60.0))
    clear = scene.gfx_obj(pane(5.0, 5.0), flags=2 | 0x10, translucency=0.5)
    stage = Stage(ctx, scene)
    for eye, yaw in (((0.0, 8.0, 0.0), 180.0), ((-1.3, 7.0, 0.4), 150.0)):
        behind = stage.checked(0x200, eye, yaw).astype(float)
        mixed = stage.checked(0x200, eye, yaw, objects=entity(clear, OUTDOORS))
        once = (np.abs(mixed - (behind + COLORS["leaf"]) / 2.0) <= 2.0).all(axis=-1)
        assert once.sum() > 600


def test_B39_a_cells_own_pane_that_reaches_out_is_whole_and_blended_once(ctx):
    """A static of the house stands through its door: the part outdoors is not lost, no part is twice."""
    polygons = pane(4.6, 5.4)

    def stage_with(translucency: float) -> Stage:
        scene = SceneBuilder().ground(-60.0)
        model = scene.gfx_obj(polygons, flags=2 | 0x10 if translucency else 2, translucency=translucency)
        front = [(p, "shell") for p in frame_wall(quad(5.0, -3.0, 3.0, z0=-1.0, z1=3.0), HOUSE_DOOR)]
        shell = scene.gfx_obj(front, [(HOUSE_DOOR, 0)])
        inside = room(-2.5, 2.5, 5, 9.0, z0=-1.2, z1=2.0, back=HOUSE_DOOR)
        scene.cell(0x200, inside, [(HOUSE_DOOR, 1, EXIT, -1)], statics=[model])
        return Stage(ctx, scene.building(shell, [(0, 0x200, 0)]))

    none, solid, clear = Stage(ctx, house(SceneBuilder().ground(-60.0))), stage_with(0.0), stage_with(0.5)
    for low, eye, yaw in (
        (LOW, (1.4, 2.0, 0.2), -22.0),
        (LOW, (0.1, 1.0, 0.0), 0.0),
        (0x200, (0.3, 8.0, 0.2), 184.0),
    ):
        behind = none.checked(low, eye, yaw).astype(float)
        where = (np.abs(solid.checked(low, eye, yaw).astype(int) - COLORS["leaf"]) <= 1).all(axis=-1)
        assert where.sum() > 350
        once = np.where(where[..., None], (behind + COLORS["leaf"]) / 2.0, behind)
        assert (np.abs(clear.checked(low, eye, yaw) - once).max(axis=-1) > 2.0).sum() == 0


def test_furniture_by_a_window_has_the_rooms_light_from_the_street(ctx):
    """Passes 3.10, light 6.6: it may reach out through the exit, yet no sun falls on it."""
    scene = SceneBuilder().ground(-1.0)
    chair = scene.gfx_obj(
        [(quad(5.3, -0.4, 0.4, z0=-0.4, z1=0.4), "leaf"), (quad(5.3, 1.2, 1.4, z0=-0.4, z1=0.4), "leaf")]
    )
    front = [(p, "shell") for p in frame_wall(quad(5.0, -3.0, 3.0, z0=-1.0, z1=3.0), HOUSE_DOOR)]
    shell = scene.gfx_obj(front, [(HOUSE_DOOR, 0)])
    inside = room(-2.5, 2.5, 5, 9.0, z0=-1.2, z1=2.0, back=HOUSE_DOOR)
    scene.cell(0x200, inside, [(HOUSE_DOOR, 1, EXIT, -1)], statics=[chair])
    stage = Stage(ctx, scene.building(shell, [(0, 0x200, 0)]))
    lit = {"plain": False, "fog": False}
    street = stage.checked(LOW, EYE, **lit)
    dark = stage.checked(LOW, EYE, sun=False, **lit)
    assert (street[109, 100] == dark[109, 100]).all()
    assert (street[60, 100] != dark[60, 100]).any()  # the shell beside it is in the sun
    # The same face from within the room, before it.
    room_side = stage.checked(0x200, (0.0, 5.1, 0.0), 0.0, **lit)
    assert np.abs(street[109, 100].astype(int) - room_side[100, 100]).max() <= 1


def test_a_leaf_half_outdoors_is_whole_from_both_sides(ctx):
    """A thick leaf stands 10 cm to either side of the exit's plane; from inside each pass draws a half."""
    scene = house(SceneBuilder().ground(-1.0))
    faces = [(quad(4.9, -0.9, 0.1, z0=-0.9, z1=0.9), "leaf"),
             (flipped(quad(5.1, -0.9, 0.1, z0=-0.9, z1=0.9)), "leaf"),
             ([(0.1, 4.9, -0.9), (0.1, 5.1, -0.9), (0.1, 5.1, 0.9), (0.1, 4.9, 0.9)], "leaf"),
             (floor_at(0.9, -0.9, 0.1, y0=4.9, y1=5.1), "leaf")]  # fmt: skip
    leaf = scene.gfx_obj(faces)
    stage = Stage(ctx, scene)
    bare = SceneBuilder().ground(-60.0)
    lone_leaf = bare.gfx_obj(faces)
    alone = Stage(ctx, bare)
    for low, eye, yaw in (
        (LOW, (1.2, 2.5, 0.4), -25.0),
        (0x200, (1.1, 7.0, 1.3), 200.0),
        (0x200, (0.9, 5.2, 0.1), 235.0),
    ):
        whole = count(alone.picture(LOW, eye, yaw, objects=entity(lone_leaf, OUTDOORS)), "leaf")
        picture = stage.checked(low, eye, yaw, objects=entity(leaf, OUTDOORS, IN_HOUSE))
        assert whole > 500
        assert count(picture, "leaf") == pytest.approx(whole, abs=math.ceil(0.004 * whole))


def test_a_faded_thing_that_stands_in_two_cells_is_seen_through_to_what_is_translucent_in_the_nearer(ctx):
    """Its far cell's turn comes first; drawn then, the depths it leaves would hide the nearer cell's pane."""
    scene = SceneBuilder()
    beyond = room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=DOOR)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], exact=True,
               visible=[0x101])  # fmt: skip
    scene.cell(0x101, beyond, [(DOOR, 1, 0x100, 0)], exact=True, visible=[0x100])
    body = scene.gfx_obj([(quad(1.0, -0.2, 0.2, z0=-0.2, z1=0.2), "leaf")])
    clear = scene.gfx_obj([(quad(1.5, -0.6, 0.6, z0=-0.6, z1=0.6), "box")], flags=2 | 0x10, translucency=0.5)
    stage = Stage(ctx, scene)
    near, far = BLOCK | 0x100, BLOCK | 0x101
    behind = stage.checked(0x100, objects=entity(clear, near)).astype(float)
    (glass,) = entity(clear, near).objects
    for cells in ((near, far), (far, near), (near,)):
        (faded,) = entity(body, *cells, alpha=0.5).objects
        both = SceneObjects([glass, faded._replace(object_id=8)])
        picture = stage.checked(0x100, objects=both)[85:115, 85:115]
        expected = (behind[85:115, 85:115] + COLORS["leaf"]) / 2.0
        assert np.abs(picture - expected).max() <= 2.0, cells
    assert np.abs(behind[100, 100] - COLORS["box"]).max() > 10.0  # it is glass
