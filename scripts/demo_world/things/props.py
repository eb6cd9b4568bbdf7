"""Small things that make a place lived in, or not: rugs, chests, tableware, bones, a cart. Metres."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Setup
from scripts.demo_world import ids
from scripts.demo_world.geometry import plus, point, times
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import (
    CIRCLE_12,
    Face,
    box,
    card,
    crossed,
    cylinder,
    fitted,
    laid,
    prism,
    quad,
)


def records() -> list[tuple[int, GfxObj | Setup]]:
    """All of them by id; rugs, curtains, tableware and bones don't collide."""
    return [
        (ids.CHEST, gfx_obj(ids.CHEST, chest(), outline(box((-0.5, -0.3, 0.0), (0.5, 0.3, 0.62), "trim")))),
        (ids.RUG, gfx_obj(ids.RUG, rug())),
        (ids.TABLEWARE, gfx_obj(ids.TABLEWARE, tableware())),
        (
            ids.setup_of(ids.TABLEWARE),
            setup(ids.setup_of(ids.TABLEWARE), (ids.TABLEWARE,), height=0.35, script=ids.CANDLE_SCRIPT),
        ),
        (ids.BONES, gfx_obj(ids.BONES, bones())),
        (ids.CURTAINS, gfx_obj(ids.CURTAINS, curtains())),
        (ids.ARCH, gfx_obj(ids.ARCH, arch())),
        (ids.RACK, gfx_obj(ids.RACK, rack(), outline(box((-0.9, -0.2, 0.0), (0.9, 0.2, 1.5), "trim")))),
        (ids.SACKS, gfx_obj(ids.SACKS, sacks(), outline(box((-0.6, -0.25, 0.0), (0.5, 0.75, 0.7), "trim")))),
        (ids.CASKS, gfx_obj(ids.CASKS, casks(), outline(box((-1.0, -0.45, 0.0), (1.0, 0.42, 1.0), "trim")))),
        (ids.CART, gfx_obj(ids.CART, cart(), outline(box((-0.75, -1.3, 0.0), (0.75, 1.3, 1.25), "trim")))),
    ]


def chest() -> list[Face]:
    """A chest with a lid of three slopes, its lock to the south."""
    front, *others = box((-0.5, -0.3, 0.0), (0.5, 0.3, 0.42), "chest")[:4]
    faces = [fitted(front)]
    for face in others:
        faces += lockless(face)
    lid = ((-0.32, 0.42), (0.32, 0.42), (0.32, 0.48), (0.16, 0.62), (-0.16, 0.62), (-0.32, 0.48))
    sides = ["iron", "iron", "trim", "trim", "trim", "iron", "trim", "trim"]
    return [*faces, *prism(lid, -0.52, 0.52, along="x", materials=sides)]


def lockless(face: Face) -> list[Face]:
    """The picture's left part and its mirror image: the bands without the lock between them."""
    a, b, c, d = face.points
    low, high = (point(times(plus(start, end), 0.5)) for start, end in ((a, b), (d, c)))
    left = replace(face, points=(a, low, high, d), uvs=((0.0, 1.0), (0.38, 1.0), (0.38, 0.0), (0.0, 0.0)))
    right = replace(face, points=(low, b, c, high), uvs=((0.38, 1.0), (0.0, 1.0), (0.0, 0.0), (0.38, 0.0)))
    return [left, right]


def rug() -> list[Face]:
    """A rug that lies along x."""
    z = 0.012
    return [fitted(quad((-1.3, -0.9, z), (1.3, -0.9, z), (1.3, 0.9, z), (-1.3, 0.9, z), material="rug"))]


def tableware() -> list[Face]:
    """What stands on a table whose top is the origin: mugs, a plate with a loaf, a candle."""
    faces: list[Face] = []
    for x, y in ((-0.5, 0.22), (0.46, -0.2), (0.15, 0.28)):
        faces += mug(x, y)
    faces += cylinder((-0.35, -0.15, 0.0), 0.14, 0.02, side="pewter", ends="pewter")[:-1]
    faces += cylinder((-0.35, -0.15, 0.02), 0.08, 0.05, side="loaf", ends="loaf", bulge=0.015, repeats=1.0)[
        :-1
    ]
    faces += cylinder((-0.35, -0.15, 0.07), 0.06, 0.03, side="loaf", ends="loaf", repeats=1.0)[:-1]
    faces += cylinder((0.0, 0.0, 0.0), 0.07, 0.025, side="iron", ends="iron", sides=6)[:-1]
    faces += cylinder((0.0, 0.0, 0.025), 0.028, 0.2, side="linen", ends="linen", sides=4)[:-1]
    return [*faces, *crossed("fire", half=0.045, low=0.22, high=0.34)]


def mug(x: float, y: float) -> list[Face]:
    """A mug of staves with two hoops and a handle, beer to its brim."""
    faces = cylinder((x, y, 0.0), 0.055, 0.13, side="mug", ends="beer", repeats=1.0)[:-1]
    for z in (0.05, 0.1):
        outer = quad(
            (x + 0.05, y, z),
            (x + 0.085, y, z),
            (x + 0.085, y, z + 0.02),
            (x + 0.05, y, z + 0.02),
            material="trim",
        )
        faces.append(replace(outer, two_sided=True))
    upright = quad(
        (x + 0.085, y, 0.05), (x + 0.1, y, 0.05), (x + 0.1, y, 0.12), (x + 0.085, y, 0.12), material="trim"
    )
    return [*faces, replace(upright, two_sided=True)]


def rack() -> list[Face]:
    """Two boards of jars and bottles against a wall at y = 0.2, along x."""
    faces: list[Face] = []
    for x in (-0.9, 0.84):
        faces += box((x, -0.2, 0.0), (x + 0.06, 0.2, 1.5), "trim")
    for z in (0.25, 0.85, 1.44):
        faces += box((-0.84, -0.18, z), (0.84, 0.2, z + 0.05), "trim")
    for k in range(6):
        x = -0.7 + 0.28 * k
        tall = 0.24 + 0.06 * (k * 5 % 3)
        faces += cylinder((x, 0.0, 0.3), 0.1, tall, side="stoneware", ends="stoneware", bulge=0.025, sides=6)[
            :-1
        ]
        faces += cylinder((x, 0.02, 0.9), 0.05, 0.2, side="bottle", ends="bottle", sides=6)[:-1]
        faces += cylinder((x, 0.02, 1.1), 0.018, 0.12, side="bottle", ends="lid", sides=6)[:-1]
    return faces


def sacks() -> list[Face]:
    """Three sacks of grain that lean on each other, tied above."""
    faces: list[Face] = []
    for x, y, tall in ((-0.35, 0.05, 0.6), (0.22, 0.0, 0.66), (-0.05, 0.5, 0.52)):
        faces += cylinder(
            (x, y, 0.0), 0.22, tall, side="sackcloth", ends="sackcloth", bulge=0.07, repeats=2.0, sides=6
        )[:-1]
        faces += cylinder((x, y, tall), 0.07, 0.1, side="sackcloth", ends="sackcloth", repeats=1.0, sides=6)[
            :-1
        ]
    return faces


def casks() -> list[Face]:
    """Two casks that lie in a cradle along x, their heads to the south, a tap in each."""
    faces: list[Face] = []
    for x in (-0.5, 0.5):
        lying = cylinder((0.0, 0.0, -0.4), 0.34, 0.8, side="staves", ends="lid", bulge=0.06, repeats=2.0)
        # Laid down northward, the bottom end to the south.
        faces += laid(lying, lambda p: (p[0], p[2], -p[1]), (x, 0.0, 0.62))
        faces += box((x - 0.03, -0.52, 0.4), (x + 0.03, -0.4, 0.46), "iron")
    for y in (-0.28, 0.2):
        faces += box((-1.0, y, 0.0), (1.0, y + 0.08, 0.3), "trim")
    return faces


def bones() -> list[Face]:
    """The rest of somebody: a skull, ribs and long bones."""
    faces = cylinder((0.0, 0.0, 0.02), 0.1, 0.16, side="bone", ends="bone", sides=6)
    faces += box((-0.06, -0.13, 0.0), (0.06, -0.05, 0.07), "bone")
    for x in (-0.055, 0.02):
        faces.append(
            quad(
                (x, -0.1, 0.1),
                (x + 0.035, -0.1, 0.1),
                (x + 0.035, -0.1, 0.14),
                (x, -0.1, 0.14),
                material="iron",
            )
        )
    for k in range(4):
        y = 0.3 + 0.11 * k
        faces += box((-0.16, y, 0.0), (-0.13, y + 0.03, 0.17), "bone")[:4]
        faces += box((0.13, y, 0.0), (0.16, y + 0.03, 0.17), "bone")[:4]
        faces += box((-0.16, y, 0.15), (0.16, y + 0.03, 0.18), "bone")
    faces += box((-0.03, 0.2, 0.13), (0.03, 0.75, 0.18), "bone")
    faces += box((0.15, 0.08, 0.0), (0.65, 0.12, 0.04), "bone")[:5]
    return [*faces, *box((-0.42, 0.13, 0.0), (-0.38, 0.57, 0.04), "bone")[:5]]


def curtains() -> list[Face]:
    """Curtains drawn to both sides of a window 1.2 m wide, in front of a wall at y = 0; the sill is z = 0."""
    faces = box((-1.15, 0.05, 1.5), (1.15, 0.08, 1.53), "iron")
    for left, right in ((-1.08, -0.58), (0.58, 1.08)):
        faces.append(card((right, 0.06), (left, 0.06), low=-0.2, high=1.52, material="curtain"))
    return faces


def arch() -> list[Face]:
    """Dressed stone about a doorway three metres wide and high, rounded above: north of a wall at y = 0."""
    jamb, spring, rise, top, out = 1.85, 1.85, 1.1, 3.4, 0.16
    # A threshold, since the floors on its two sides don't fit together.
    faces = box((-1.5, 0.0, 0.0), (1.5, out + 0.06, 0.012), "arch")[2:5]
    for x0, x1 in ((-jamb, -1.5), (1.5, jamb)):
        faces += box((x0, 0.0, 0.0), (x1, out, top), "arch")
        faces += box((x0 - 0.08, 0.0, 0.0), (x1 + 0.08 if x0 < 0 else x1, out + 0.06, 0.22), "arch")
    curve = [(1.5 * c, spring + rise * s) for c, s in CIRCLE_12[:7]]
    for (xa, za), (xb, zb) in pairwise(curve):
        faces.append(quad((xa, out, za), (xb, out, zb), (xb, out, top), (xa, out, top), material="arch"))
        faces.append(quad((xa, 0.0, za), (xb, 0.0, zb), (xb, out, zb), (xa, out, za), material="arch"))
        faces.append(quad((xb, 0.0, zb), (xa, 0.0, za), (xa, 0.0, top), (xb, 0.0, top), material="arch"))
    faces.append(
        quad((-jamb, 0.0, top), (-jamb, out, top), (jamb, out, top), (jamb, 0.0, top), material="arch")
    )
    return [*faces, *box((-0.2, 0.0, spring + rise - 0.05), (0.2, out + 0.08, top + 0.12), "arch")]


def cart() -> list[Face]:
    """A hand cart of hay along y, its shafts on the ground in the south."""
    faces = box((-0.6, -1.0, 0.55), (0.6, 1.2, 0.63), "wainscot")
    for x in (-0.64, 0.58):
        faces += box((x, -1.0, 0.63), (x + 0.06, 1.2, 0.95), "trim")[:5]
        faces += box((x, -2.0, 0.5), (x + 0.06, -0.9, 0.6), "trim")
    faces += box((-0.58, 1.14, 0.63), (0.58, 1.2, 0.95), "trim")[2:3]
    load = ((-0.55, 0.63), (0.55, 0.63), (0.5, 1.05), (0.2, 1.25), (-0.25, 1.22), (-0.5, 1.0))
    faces += prism(load, -0.9, 1.1, along="y", materials=["straw"] * 8)
    for x in (-0.78, 0.68):
        faces += wheel(x, 0.1, 0.55)
    return [*faces, *box((-0.05, -0.95, 0.0), (0.05, -0.87, 0.55), "trim")[:4]]


def wheel(x: float, thick: float, radius: float) -> list[Face]:
    """A wheel that stands across x: an upright disc laid on its side."""
    turned = cylinder((0.0, 0.0, 0.0), radius, thick, side="trim", ends="lid")
    return laid(turned, lambda p: (p[2], p[0], p[1]), (x, 0.1, radius))
