"""Cell ids that come again, the order of translucent things, and what is out of the picture (passes 3)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, flipped, floor_at, frame_wall, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW, MIDDLE
from tests.viewer.renderer.reading import count, window
from tests.viewer.renderer.render_scenes import DOOR, entity, house
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder

pytestmark = pytest.mark.gl

MANY = 70  # cells in a row: more than the 63 ids of passes 3.2
STEP = 0.1


def slices(scene: SceneBuilder, first: int, y0: float, before: int, *, stray: int, at: float) -> None:
    """A passage of MANY cells a tenth of a metre deep, its end closed; the one before it is ``before``.

    The cell number ``stray`` also holds a large "box" quad at y = ``at``, that stands before them all.
    """
    everything = [first + i for i in range(MANY)]
    for k in range(MANY):
        y = y0 + STEP * k
        here, there = quad(y, -0.5, 0.5, z0=-0.5, z1=0.5), quad(y + STEP, -0.5, 0.5, z0=-0.5, z1=0.5)
        side = [(-0.5, y, -0.5), (-0.5, y + STEP, -0.5), (-0.5, y + STEP, 0.5), (-0.5, y, 0.5)]
        walls = [
            (floor_at(-0.5, -0.5, 0.5, y0=y, y1=y + STEP), "floor"),
            (flipped(floor_at(0.5, -0.5, 0.5, y0=y, y1=y + STEP)), "ceiling"),
            (side, "wall"),
            ([(-x, b, c) for x, b, c in reversed(side)], "wall"),
        ]
        walls += [(quad(at, -0.9 * at, 0.9 * at, z0=-0.9 * at, z1=0.9 * at), "box")] if k == stray else []
        back = (here, 1, first + k - 1, 1) if k else (here, 1, before, 0 if before != EXIT else -1)
        onward = [(there, 0, first + k + 1, 0)] if k < MANY - 1 else []
        walls += [(there, "wall2")] if k == MANY - 1 else []
        scene.cell(first + k, walls, [back, *onward], exact=True, visible=[*everything, before & 0x1FF])


def passage(stray: int) -> SceneBuilder:
    """A room with a door to the passage."""
    scene = SceneBuilder()
    everything = [0x110 + i for i in range(MANY)]
    walls = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR, suffix="2")
    scene.cell(0x100, walls, [(DOOR, 0, 0x110, 0)], exact=True, visible=everything)
    slices(scene, 0x110, 2.0, 0x100, stray=stray, at=1.0)
    return scene


def pixels_through(y: float) -> int:
    """The size of the passage's square at a distance, 200 pixels over 90 degrees."""
    return round((100.0 / y) ** 2)


@pytest.mark.parametrize("stray", [61, 62, 63, 64])
def test_a_cell_whose_id_was_used_before_keeps_to_its_own_region(ctx, stray):
    """The room is drawn as the first, cell ``stray`` as number stray + 2: from 64 on, ids come again."""
    picture = Stage(ctx, passage(stray)).checked(0x100)
    expected = pixels_through(2.0 + STEP * stray)
    assert count(picture, "box") == pytest.approx(expected, abs=60)
    assert count(window(picture, 30), "box") == count(picture, "box")
    assert count(picture, "wall2", "floor2", "ceiling2") >= 37_000


@pytest.mark.parametrize("stray", [61, 62, 63, 64])
def test_a_look_ins_cell_whose_id_was_used_before_keeps_to_its_own_region(ctx, stray):
    scene = SceneBuilder().ground(-60.0)
    model = scene.gfx_obj(
        [(p, "shell") for p in frame_wall(quad(2.0, -3, 3, z0=-3, z1=3), DOOR)], [(DOOR, 0)]
    )
    slices(scene, 0x200, 2.0, EXIT, stray=stray, at=1.0)
    scene.building(model, [(0, 0x200, 0)])
    stage = Stage(ctx, scene)
    picture = stage.checked(LOW)
    assert stage.renderer.stats.look_ins == 1
    assert count(picture, "box") == pytest.approx(pixels_through(2.0 + STEP * stray), abs=60)
    assert count(window(picture, 30), "box") == count(picture, "box")


def pane(scene: SceneBuilder, y: float, name: str, half: float = 0.4) -> int:
    return scene.gfx_obj([(quad(y, -half, half, z0=-half, z1=half), name)], flags=2 | 0x10, translucency=0.5)


def over(front: object, back: object) -> np.ndarray:
    return (np.array(front, float) + np.array(back, float)) / 2.0


def two_rooms_with_panes(scene: SceneBuilder, first: int, y0: float, before: tuple) -> None:
    """Rooms one behind the other, a pane in the middle of each: leaf-coloured here, blue beyond."""
    inner = quad(y0 + 2.0, -0.5, 0.5, z0=-0.5, z1=0.5)
    entry = before[0] if before else None
    scene.cell(first, room(-2, 2, y0, y0 + 2, z0=-1.5, z1=1.5, front=inner, back=entry),
               [(inner, 0, first + 1, 0), *([before] if before else [])], exact=True, visible=[first + 1],
               statics=[pane(scene, y0 + 1.0, "leaf")])  # fmt: skip
    scene.cell(first + 1, room(-2, 2, y0 + 2, y0 + 4, z0=-1.5, z1=1.5, back=inner), [(inner, 1, first, 0)],
               exact=True, visible=[first], statics=[pane(scene, y0 + 3.0, "wall2")])  # fmt: skip


def test_translucent_things_are_drawn_from_the_far_cell_to_the_near_one(ctx):
    scene = SceneBuilder()
    two_rooms_with_panes(scene, 0x100, 0.0, ())
    picture = Stage(ctx, scene).checked(0x100, (0.0, 0.2, 0.0))
    expected = over(COLORS["leaf"], over(COLORS["wall2"], COLORS["wall"]))
    assert np.abs(picture[100, 100] - expected).max() <= 2.0


def test_in_a_look_in_too(ctx):
    scene = SceneBuilder().ground(-60.0)
    model = scene.gfx_obj(
        [(p, "shell") for p in frame_wall(quad(2.0, -3, 3, z0=-3, z1=3), DOOR)], [(DOOR, 0)]
    )
    two_rooms_with_panes(scene, 0x200, 2.0, (DOOR, 1, EXIT, -1))
    picture = Stage(ctx, scene.building(model, [(0, 0x200, 1)])).checked(LOW)
    expected = over(COLORS["leaf"], over(COLORS["wall2"], COLORS["wall"]))
    assert np.abs(picture[100, 100] - expected).max() <= 2.0


@pytest.mark.parametrize("indoors", [True, False])
def test_what_only_adds_light_comes_last_however_far_it_is(ctx, indoors):
    """Passes 3.11 no. 4: a glow behind glass is not halved by it."""
    glow = (20, 40, 30)
    scene = SceneBuilder().ground(-60.0)
    glass = pane(scene, 1.0, "leaf")
    light = scene.gfx_obj([(quad(1.5, -0.4, 0.4, z0=-0.4, z1=0.4), "leaf")])
    record = scene.source.records["gfx_obj", light]
    assert isinstance(record, GfxObj)
    scene.put("gfx_obj", light, record._replace(surfaces=(scene.color((*glow, 255), 0x10002),)))
    if indoors:
        scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5), statics=[glass, light])
        picture, behind = Stage(ctx, scene).checked(0x100), COLORS["wall"]
    else:
        picture = Stage(ctx, scene.outdoor_object(glass).outdoor_object(light)).checked(LOW)
        behind = tuple(picture[95, 160])
    expected = over(COLORS["leaf"], behind) + np.array(glow)
    assert np.abs(picture[95, 100] - expected).max() <= 2.0


def test_what_reaches_into_the_picture_is_drawn_and_what_does_not_costs_nothing(ctx):
    """A block's objects are kept from the picture by a sphere around them all, shells by another."""
    scene = house(SceneBuilder().ground(-1.0))
    leaf = scene.gfx_obj(
        [(quad(5.0, 2.6, 3.0, z0=-0.5, z1=1.0), "leaf"), (quad(30.0, 90, 91, z0=0, z1=1), "roof")]
    )
    stage = Stage(ctx, scene.outdoor_object(leaf))
    eye = (0.0, 0.0, 0.5)
    ahead = stage.checked(LOW, eye)
    assert count(ahead, "leaf") > 100
    # Only an edge of each is in view: the middles of both are not.
    aside = stage.checked(LOW, eye, -60.0)
    assert count(aside, "shell") > 100
    stage.checked(LOW, (2.0, 4.0, 0.5), -90.0)
    away = stage.checked(LOW, (0.0, -3.0, 0.5), 180.0)
    draws = stage.renderer.stats.draws
    assert count(away, "leaf", "shell") == 0
    bare = Stage(ctx, SceneBuilder().ground(-1.0))
    bare.checked(LOW, (0.0, -3.0, 0.5), 180.0)
    assert draws == bare.renderer.stats.draws


def test_an_object_half_in_a_cells_region_is_drawn_up_to_the_regions_edge(ctx):
    """Passes 3.10: it is the sphere that decides, not the middle, which lies beside the region here."""
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(3.0, -1.2, 0.6, z0=-0.1, z1=0.1), "leaf")])
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], exact=True,
               visible=[0x101])  # fmt: skip
    scene.cell(0x101, room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=DOOR), [(DOOR, 1, 0x100, 0)], exact=True)
    thing = entity(model, BLOCK | 0x101, at=(MIDDLE[0] - 0.9, *MIDDLE[1:]))
    picture = Stage(ctx, scene).checked(0x100, objects=thing)
    # x from −2.1 to −0.3 at 3 m: the region's edge is at x = −0.75, pixel 75; −0.3 is pixel 90.
    assert count(picture, "leaf") == pytest.approx(15 * 6.67, abs=12)


def test_from_indoors_what_does_not_reach_into_an_exits_region_costs_nothing(ctx):
    """Visibility 2.18: the landscape's spheres are tested against the region, of which the door is a part."""

    def stage(x0: float, x1: float) -> Stage:
        scene = SceneBuilder().ground(-1.0)
        scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])
        return Stage(ctx, scene.outdoor_object(scene.gfx_obj([(quad(8.0, x0, x1, z0=-0.5, z1=0.5), "leaf")])))

    beside = stage(4.0, 6.0)  # within the picture, behind the wall
    assert count(beside.checked(0x100), "leaf") == 0
    within = stage(-1.0, 1.0)
    assert count(within.checked(0x100), "leaf") > 250
    assert within.renderer.stats.draws == beside.renderer.stats.draws + 1
    # The door shows x up to 2 there. The sphere around the leaf, its middle beside that, reaches in.
    half = stage(1.5, 4.5)
    assert 30 < count(half.checked(0x100), "leaf") < 120
