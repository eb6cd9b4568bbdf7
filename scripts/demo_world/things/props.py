"""Small things that make a place lived in, or not: rugs, chests, tableware, bones, a cart. Metres."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Setup
from scripts.demo_world import ids
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import (
    CIRCLE_12,
    Face,
    box,
    card,
    crossed,
    cylinder,
    fitted,
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
        (ids.CART, gfx_obj(ids.CART, cart(), outline(box((-0.75, -1.3, 0.0), (0.75, 1.3, 1.25), "trim")))),
    ]


def chest() -> list[Face]:
    """A chest with a lid of three slopes, its lock to the south."""
    faces = [fitted(f) for f in box((-0.5, -0.3, 0.0), (0.5, 0.3, 0.42), "chest")[:4]]
    lid = ((-0.32, 0.42), (0.32, 0.42), (0.32, 0.48), (0.16, 0.62), (-0.16, 0.62), (-0.32, 0.48))
    sides = ["iron", "iron", "trim", "trim", "trim", "iron", "trim", "trim"]
    return [*faces, *prism(lid, -0.52, 0.52, along="x", materials=sides)]


def rug() -> list[Face]:
    """A rug that lies along x."""
    z = 0.012
    return [fitted(quad((-1.3, -0.9, z), (1.3, -0.9, z), (1.3, 0.9, z), (-1.3, 0.9, z), material="rug"))]


def tableware() -> list[Face]:
    """What stands on a table whose top is the origin: mugs, a plate with a loaf, a candle."""
    faces: list[Face] = []
    for x, y in ((-0.5, 0.22), (0.46, -0.2), (0.15, 0.28)):
        faces += cylinder((x, y, 0.0), 0.06, 0.13, side="pewter", ends="lid", sides=6)[:-1]
        handle = quad(
            (x + 0.05, y, 0.03), (x + 0.1, y, 0.03), (x + 0.1, y, 0.1), (x + 0.05, y, 0.1), material="pewter"
        )
        faces.append(replace(handle, two_sided=True))
    faces += cylinder((-0.35, -0.15, 0.0), 0.14, 0.02, side="pewter", ends="pewter", sides=6)[:-1]
    faces += cylinder((-0.35, -0.15, 0.02), 0.09, 0.09, side="earth", ends="earth", sides=6)[:-1]
    faces += cylinder((0.0, 0.0, 0.0), 0.07, 0.025, side="iron", ends="iron", sides=6)[:-1]
    faces += cylinder((0.0, 0.0, 0.025), 0.028, 0.2, side="linen", ends="linen", sides=4)[:-1]
    faces += crossed("fire", half=0.045, low=0.22, high=0.34)
    return [*faces, *crossed("halo", half=0.24, low=0.04, high=0.52)]


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
    """Curtains drawn to both sides of a window 0.9 m wide, in front of a wall at y = 0; the sill is z = 0."""
    faces = box((-0.95, 0.05, 1.3), (0.95, 0.08, 1.33), "iron")
    for left, right in ((-0.88, -0.44), (0.44, 0.88)):
        faces.append(card((right, 0.06), (left, 0.06), low=-0.18, high=1.32, material="curtain"))
    return faces


def arch() -> list[Face]:
    """Dressed stone about a doorway three metres wide and high, rounded above: north of a wall at y = 0."""
    jamb, spring, rise, top, out = 1.85, 1.85, 1.1, 3.4, 0.16
    faces: list[Face] = []
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
    faces += box((-0.6, 1.14, 0.63), (0.6, 1.2, 0.95), "trim")[2:3]
    load = ((-0.55, 0.63), (0.55, 0.63), (0.5, 1.05), (0.2, 1.25), (-0.25, 1.22), (-0.5, 1.0))
    faces += prism(load, -0.9, 1.1, along="y", materials=["thatch"] * 8)
    for x in (-0.78, 0.68):
        faces += wheel(x, 0.1, 0.55)
    return [*faces, *box((-0.05, -0.95, 0.0), (0.05, -0.87, 0.55), "trim")[:4]]


def wheel(x: float, thick: float, radius: float) -> list[Face]:
    """A wheel that stands across x: an upright disc laid on its side."""
    turned = cylinder((0.0, 0.0, 0.0), radius, thick, side="trim", ends="lid")
    return [replace(f, points=tuple((x + p[2], p[0] + 0.1, p[1] + radius) for p in f.points)) for f in turned]
