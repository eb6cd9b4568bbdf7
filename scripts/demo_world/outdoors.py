"""What people have put up outdoors: fences, a well, lanterns, a market stall, signposts, standing stones.

Plants and rocks grow by themselves (``plants``), but for some trees in the village and at its borders.
"""

from __future__ import annotations

from itertools import pairwise

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block_info import Stab
from engine.dat.records.setup import Setup
from engine.dat.values import CylSphere, StoredFrame
from scripts.demo_world import ids, terrain
from scripts.demo_world.building import QUARTERS
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import (
    CIRCLE_12,
    Face,
    box,
    cylinder,
    fitted,
    inside_out,
    lump,
    pool,
    prism,
)
from scripts.demo_world.things.furniture import LAMP_LIGHT, lit

Record = GfxObj | Setup
BLOCK = 192.0


def records() -> list[tuple[int, Record]]:
    """Models of things outdoors by id."""
    fence_solid = outline(box((-1.5, -0.08, 0.0), (1.5, 0.08, 1.1), "trim"))
    post_solid = outline(box((-0.1, -0.1, 0.0), (0.1, 0.1, 2.6), "trim"))
    well_shape = CylSphere((0.0, 0.0, 0.0), f32(1.0), f32(1.0))
    lantern_shape = CylSphere((0.0, 0.0, 0.0), f32(0.2), f32(3.0))
    stone = standing_stone()
    return [
        (ids.FENCE, gfx_obj(ids.FENCE, fence(), fence_solid)),
        (ids.SIGNPOST, gfx_obj(ids.SIGNPOST, signpost(), post_solid)),
        (ids.WELL, gfx_obj(ids.WELL, well())),
        (
            ids.setup_of(ids.WELL),
            setup(ids.setup_of(ids.WELL), (ids.WELL,), cylspheres=(well_shape,), height=2.6, radius=1.3),
        ),
        *lit(ids.LANTERN, lantern(), (0.0, 0.0, 2.8), shine=LAMP_LIGHT, size=3.1, shapes=(lantern_shape,)),
        (ids.BURNING, gfx_obj(ids.BURNING, burning())),
        (ids.LAMP_LIGHT, setup(ids.LAMP_LIGHT, (ids.BURNING,), height=3.1, script=ids.LAMP_SCRIPT)),
        (ids.STALL, gfx_obj(ids.STALL, stall(), stall_solid())),
        (ids.STONE, gfx_obj(ids.STONE, stone, outline(stone))),
    ]


def standing_stone() -> list[Face]:
    """A stone that somebody has set up: rough, narrower above, its head aslant."""
    rings = (
        (-0.5, (0.5, 0.54, 0.36, 0.48, 0.52, 0.4)),
        (1.3, (0.46, 0.42, 0.34, 0.44, 0.45, 0.32)),
        (2.3, (0.36, 0.4, 0.3, 0.38, 0.37, 0.27)),
    )
    return lump(rings, (0.08, 0.03, 2.52), deep=0.7)


def fence() -> list[Face]:
    """Three metres of fence along x; where two meet they have their post at the end in common."""
    faces = []
    for z in (0.45, 0.9):
        faces += box((-1.5, -0.03, z - 0.07), (1.5, 0.03, z + 0.07), "trim")
    for x in (-1.5, 0.0, 1.5):
        faces += box((x - 0.07, -0.07, -0.6), (x + 0.07, 0.07, 1.15), "trim")
    return faces


def signpost() -> list[Face]:
    """A post with two boards."""
    faces = box((-0.08, -0.08, -0.3), (0.08, 0.08, 2.6), "trim")
    faces += box((0.08, -0.03, 2.05), (1.0, 0.03, 2.35), "table")
    return [*faces, *box((-1.0, -0.03, 1.65), (-0.08, 0.03, 1.95), "table")]


def lantern() -> list[Face]:
    """A lamp on a post with a stone foot, unlit."""
    faces = box((-0.2, -0.2, -0.3), (0.2, 0.2, 0.4), "ashlar")
    faces += box((-0.07, -0.07, 0.4), (0.07, 0.07, 2.55), "trim")
    faces += box((-0.2, -0.2, 2.55), (0.2, 0.2, 2.6), "iron")
    faces += [fitted(face) for face in box((-0.15, -0.15, 2.6), (0.15, 0.15, 3.0), "pane")[:4]]
    roof = ((-0.24, 3.0), (0.24, 3.0), (0.0, 3.25))
    return [*faces, *prism(roof, -0.24, 0.24, along="y", materials=["iron"] * 5)]


def burning() -> list[Face]:
    """What one sees of a lamp's fire: the bright panes, and the light below."""
    faces = [fitted(face) for face in box((-0.155, -0.155, 2.6), (0.155, 0.155, 3.0), "flame")[:4]]
    return [*faces, pool(3.4, "light on the ground")]


def lamps() -> tuple[tuple[float, float], ...]:
    """Where the street's lamps stand, east and north."""
    return tuple((x, y) for model, x, y, _ in THINGS if model == _LANTERN)


def well() -> list[Face]:
    """A well of field stones under a little roof, dark inside."""
    edge, hole, top = 1.06, 0.76, 1.0
    faces = cylinder((0.0, 0.0, -0.3), 1.0, 1.2, side="rubble", ends="iron", repeats=3.0, rise=2.0)[:-2]
    faces += cylinder((0.0, 0.0, 0.9), edge, 0.1, side="ashlar", ends="iron", repeats=3.0, rise=2.0)[:-2]
    shaft = cylinder((0.0, 0.0, 0.05), hole, top - 0.05, side="rubble", ends="iron", repeats=2.0, rise=2.0)
    faces += inside_out([*shaft[:-2], shaft[-1]])
    for (ca, sa), (cb, sb) in pairwise((*CIRCLE_12, CIRCLE_12[0])):
        around = ((hole, ca, sa), (edge, ca, sa), (edge, cb, sb), (hole, cb, sb))
        faces.append(Face(tuple(point((r * c, r * s, top)) for r, c, s in around), "ashlar"))
    for x in (-0.98, 0.86):
        faces += box((x, -0.08, 0.9), (x + 0.12, 0.08, 2.3), "trim")
    profile = ((-0.9, 2.25), (0.9, 2.25), (0.0, 2.9))
    faces += prism(
        profile, -1.25, 1.25, along="x", materials=["trim", "shingles", "shingles", "trim", "trim"]
    )
    return [*faces, *box((-0.97, -0.05, 1.7), (0.97, 0.05, 1.8), "bark")]


def stall() -> list[Face]:
    """A market stall that looks south: a counter, baskets on it, four posts and an awning that slopes."""
    faces = box((-1.6, -0.5, 0.9), (1.6, 0.5, 1.0), "table")
    faces += box((-1.5, -0.4, 0.0), (1.5, 0.4, 0.9), "wainscot")
    for x, top in ((-1.55, "blanket"), (-0.5, "linen"), (0.55, "thatch")):
        faces += box((x + 0.1, -0.3, 1.0), (x + 0.9, 0.3, 1.18), "crate", top=top)
    for x in (-1.7, 1.6):
        faces += box((x, -0.9, -0.3), (x + 0.1, -0.8, 2.1), "trim")
        faces += box((x, 0.8, -0.3), (x + 0.1, 0.9, 2.6), "trim")
    slope = ((-1.2, 2.0), (1.0, 2.62), (1.0, 2.68), (-1.2, 2.06))
    return [*faces, *prism(slope, -1.9, 1.9, along="x", materials=["awning"] * 6)]


def stall_solid() -> list[tuple[tuple[float, float, float], ...]]:
    """What of the stall collides: the counter and its posts."""
    solid = outline(box((-1.6, -0.5, 0.0), (1.6, 0.5, 1.2), "trim"))
    for x in (-1.7, 1.6):
        for y in (-0.9, 0.8):
            solid += outline(box((x, y, 0.0), (x + 0.1, y + 0.1, 2.1), "trim"))
    return solid


def stabs(block: int) -> tuple[Stab, ...]:
    """What stands outdoors in a block, in its own frame."""
    dx, dy = (block >> 24) - (ids.VILLAGE >> 24), (block >> 16 & 0xFF) - (ids.VILLAGE >> 16 & 0xFF)
    out = []
    for model, x, y, turns in THINGS:
        if (x // BLOCK, y // BLOCK) == (dx, dy):
            at = (x - BLOCK * dx, y - BLOCK * dy, terrain.height_at(x, y))
            out.append(Stab(model, StoredFrame(point(at), QUARTERS[turns])))
    return tuple(out)


_TREE, _PINE, _BARREL = ids.setup_of(ids.TREE), ids.setup_of(ids.PINE), ids.setup_of(ids.BARREL)
_LANTERN = ids.setup_of(ids.LANTERN)
BORDER_TREE = (191.85, 34.0)
BORDER_FENCE_Y, LANE_FENCE_X = 31.0, 104.0

# Model, place in the frame of the village's block (also beyond it) and quarter turns.
THINGS: tuple[tuple[int, float, float, int], ...] = (
    # The square.
    (ids.setup_of(ids.LIFESTONE), 139.6, 30.6, 0), (ids.PORTAL_OUTDOORS, 178.5, 27.5, 1),
    (ids.TOWN_SIGN, 126.5, 30.2, 0), (ids.setup_of(ids.WELL), 108.0, 37.5, 0),
    (ids.STALL, 113.4, 45.6, 0), (ids.CRATE, 116.4, 45.9, 0),
    (ids.PENNANT, 120.6, 33.4, 0), (ids.GRINDSTONE, 104.4, 46.2, 1),
    (_BARREL, 110.6, 46.2, 0), (_TREE, 99.5, 43.5, 0), (ids.BENCH, 99.5, 41.9, 0),
    (ids.BENCH, 101.1, 43.5, 1), (_LANTERN, 97.6, 31.0, 0), (_LANTERN, 118.4, 31.0, 0),
    (_LANTERN, 97.6, 47.0, 0), (_LANTERN, 119.4, 47.4, 0), (ids.SIGNPOST, 103.2, 30.6, 0),
    (_TREE, 89.6, 33.0, 2), (_TREE, 89.2, 45.0, 1), (_TREE, 106.5, 55.0, 0), (_TREE, 118.0, 54.6, 3),
    # The street, the cottage and the inn.
    (_LANTERN, 149.4, 18.2, 0), (_LANTERN, 143.4, 30.0, 0), (_LANTERN, 170.4, 30.2, 0),
    *((ids.FENCE, 150.0 - 3.0 * i, 17.4, 0) for i in range(1, 4)),
    *((ids.FENCE, 161.0 + 3.0 * i, 17.4, 0) for i in range(4)),
    *((ids.FENCE, 171.5, 15.9 - 3.0 * i, 1) for i in range(4)),
    (ids.CART, 145.6, 13.6, 0), (ids.HAY, 148.2, 12.0, 1),
    (ids.CRATE, 166.2, 13.0, 0), (_BARREL, 166.4, 14.6, 0),
    (_BARREL, 151.2, 29.9, 0), (ids.BENCH, 162.5, 29.5, 0), (ids.SIGNPOST, 141.5, 18.4, 0),
    (_TREE, 140.5, 12.0, 0), (_TREE, 173.5, 36.0, 2), (_TREE, 168.6, 8.4, 1), (ids.BUSH, 149.0, 9.0, 0),
    (ids.BUSH, 166.8, 8.0, 1), (ids.BUSH, 159.6, 17.2, 0), (ids.BUSH, 152.2, 17.1, 1),
    (ids.BUSH, 144.8, 29.4, 0), (ids.BUSH, 167.6, 33.0, 1),
    # The croft's garden.
    *((ids.FENCE, 128.5 + 3.0 * i, 47.6, 0) for i in range(5)), (ids.FENCE, 142.0, 46.1, 1),
    (ids.FENCE, 142.0, 43.1, 1), (ids.HAY, 134.6, 43.2, 0), (_BARREL, 133.5, 42.6, 0),
    (_TREE, 139.4, 44.6, 3), (ids.FLOWERS, 138.0, 34.5, 0), (ids.FLOWERS, 139.2, 35.6, 1),
    (ids.FLOWERS, 138.4, 37.2, 0), (ids.BUSH, 127.0, 31.6, 1), (ids.BUSH, 133.0, 31.0, 0),
    # Along the road to the east and the lane to the north, across the landblock's borders.
    *((ids.FENCE, 176.0 + 3.0 * i, BORDER_FENCE_Y, 0) for i in range(9)), (_TREE, *BORDER_TREE, 1),
    *((ids.FENCE, LANE_FENCE_X, 182.5 + 3.0 * i, 1) for i in range(7)), (_PINE, 113.0, 192.1, 0),
    # The hill's stones.
    *((ids.STONE, 36.0 + x, 156.0 + y, turns) for x, y, turns in (
        (0.0, 6.0, 0), (5.2, 3.0, 1), (5.2, -3.0, 1), (0.0, -6.0, 0), (-5.2, -3.0, 1), (-5.2, 3.0, 1))),
)  # fmt: skip
