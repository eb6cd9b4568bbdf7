"""Furniture and fittings: models with their collision, each standing on its origin. Metres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Light, Setup
from engine.dat.values import CylSphere, Sphere, StoredFrame
from scripts.demo_world import ids
from scripts.demo_world.geometry import Points, f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import Face, box, card, crossed, cylinder, fitted, flight, laid, quad, ramp

Record = GfxObj | Setup
Shine = tuple[int, float, float]
BARREL_RADIUS, BARREL_HEIGHT = 0.36, 0.95
# Colour, intensity and falloff. A light never adds more than its colour, and ambient and lights together are
# clamped channel by channel: where lamps meet, green catches up with red before blue does, so that plaster
# turns yellow-green if they are many or their colour is strong. Light goes through walls: it reaches not far.
LAMP_LIGHT = (0xFF453D34, 15.0, 6.0)
NEAR_LIGHT = (0xFF332D27, 10.0, 5.0)  # of one whose neighbours' lamps are near
HALL_LIGHT = (0xFF3A332C, 12.0, 7.5)  # of several in one room
FIRE_LIGHT = (0xFF2F2720, 6.0, 4.5)
BRAZIER_LIGHT = (0xFF68503A, 30.0, 10.0)  # in the dark


def records() -> list[tuple[int, Record]]:
    """All furniture by id."""
    out: list[tuple[int, Record]] = []
    for number, drawn, solid in (
        (ids.TABLE, table(1.6, 0.9), _hull((-0.8, -0.45, 0.0), (0.8, 0.45, 1.0))),
        (ids.BENCH, bench(), _hull((-0.8, -0.2, 0.0), (0.8, 0.2, 0.5))),
        (ids.BED, bed(), _hull((-0.5, -1.0, 0.0), (0.5, 1.0, 0.55))),
        (ids.SHELF, shelf(), _hull((-0.6, -0.2, 0.0), (0.6, 0.2, 1.9))),
        (ids.CRATE, [fitted(face) for face in _crate()], outline(_crate())),
        (ids.COUNTER, counter(), _hull((-1.6, -0.35, 0.0), (1.6, 0.35, 1.1))),
        (ids.HAY, bale(), _hull((-0.6, -0.4, 0.0), (0.6, 0.4, 0.7))),
        (ids.RAIL, rail(2.0), _hull((-1.0, -0.05, 0.0), (1.0, 0.05, 1.0))),
        (ids.LOFT_RAIL, rail(1.75), _hull((-0.875, -0.05, 0.0), (0.875, 0.05, 1.0))),
        (ids.GALLERY_RAIL, rail(2.2), _hull((-1.1, -0.05, 0.0), (1.1, 0.05, 1.0))),
        (ids.PILLAR, pillar(), _hull((-0.45, -0.45, 0.0), (0.45, 0.45, 6.0))),
        (ids.WINDOW, window(0.9, 1.1), ()),
        (ids.WIDE_WINDOW, window(1.2, 1.3), ()),
        (ids.COTTAGE_RAMP, cottage_ramp(), outline(cottage_ramp())),
        (ids.COTTAGE_STAIRS, cottage_stairs(), outline(cottage_stairs())),
        (ids.INN_STAIRS, inn_stairs(), outline(inn_stairs())),
        (ids.CROFT_STEPS, croft_steps(), outline(croft_steps())),
        (ids.DUNGEON_STEPS, dungeon_steps(), outline(dungeon_steps())),
    ):
        out.append((number, gfx_obj(number, drawn, solid)))
    out += barrel()
    fire = ids.HEARTH_SCRIPT
    for number, top in ((ids.HEARTH, 2.8), (ids.HIGH_HEARTH, 3.0), (ids.HALL_HEARTH, 6.5)):
        out += lit(
            number,
            hearth(top),
            (0.0, -0.3, 0.7),
            shine=FIRE_LIGHT,
            size=top,
            solid=hearth_solid(top),
            script=fire,
        )
    out += lamp(ids.LAMP, 0.25, LAMP_LIGHT)
    out += lamp(ids.NEAR_LAMP, 0.25, NEAR_LIGHT)
    out += lamp(ids.HALL_LAMP, 2.6, HALL_LIGHT)
    out += brazier()
    return out


def _hull(low: tuple[float, float, float], high: tuple[float, float, float]) -> list[Points]:
    return outline(box(low, high, "trim"))


def table(length: float, width: float) -> list[Face]:
    """A table on four legs, its top one metre up."""
    x, y = length / 2, width / 2
    faces = box((-x, -y, 0.93), (x, y, 1.0), "trim", top="table")
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = sx * (x - 0.12), sy * (y - 0.12)
            faces += box((cx - 0.05, cy - 0.05, 0.0), (cx + 0.05, cy + 0.05, 0.93), "trim")[:4]
    return [*faces, *box((-x + 0.1, -y + 0.1, 0.8), (x - 0.1, y - 0.1, 0.93), "trim")]


def bench() -> list[Face]:
    """A bench half a metre high."""
    faces = box((-0.8, -0.2, 0.43), (0.8, 0.2, 0.5), "trim", top="table")
    for x in (-0.65, 0.55):
        faces += box((x, -0.16, 0.0), (x + 0.1, 0.16, 0.43), "trim")[:4]
    return faces


def hearth(top: float) -> list[Face]:
    """A fireplace against a wall at y = 0.8: cheeks, a lintel, coals, and the breast up to the ceiling."""
    faces = box((-0.9, 0.0, 0.0), (-0.55, 0.8, 1.2), "brick")
    faces += box((0.55, 0.0, 0.0), (0.9, 0.8, 1.2), "brick")
    faces += box((-0.95, -0.05, 1.2), (0.95, 0.8, 1.38), "trim")
    for low, high in pairwise((1.38, *(z for z in (2.8, 4.6) if z < top), top)):
        faces += box((-0.7, 0.15, low), (0.7, 0.8, high), "brick")  # lit at its corners
    faces += [
        quad((-0.55, 0.7, 0.0), (0.55, 0.7, 0.0), (0.55, 0.7, 1.2), (-0.55, 0.7, 1.2), material="brick")
    ]
    faces += box((-0.55, 0.1, 0.0), (0.55, 0.7, 0.12), "brick")
    coals = quad(
        (-0.4, 0.2, 0.14), (0.4, 0.2, 0.14), (0.4, 0.62, 0.14), (-0.4, 0.62, 0.14), material="embers"
    )
    for y, z in ((0.3, 0.24), (0.48, 0.26)):
        faces += log((-0.36, y, (z + 0.14) / 2), 0.72, (z - 0.14) / 2)
    flames = card((-0.45, 0.36), (0.45, 0.36), low=0.14, high=0.78, material="fire")
    more = card((-0.34, 0.5), (0.34, 0.5), low=0.14, high=0.66, material="fire")
    return [*faces, fitted(coals), flames, more]


def log(start: tuple[float, float, float], length: float, radius: float) -> list[Face]:
    """A log that lies along x from the middle of its western end."""
    upright = cylinder((0.0, 0.0, 0.0), radius, length, side="bark", ends="lid", repeats=1.0, sides=6)
    return laid(upright, lambda p: (p[2], p[1], -p[0]), start)


def hearth_solid(top: float) -> list[Points]:
    """What of the fireplace collides: one block up to the mantel and the breast."""
    return _hull((-0.9, 0.0, 0.0), (0.9, 0.8, 1.38)) + _hull((-0.7, 0.15, 1.38), (0.7, 0.8, top))


def bed() -> list[Face]:
    """A bed along y with its head in the north."""
    faces = box((-0.5, -1.0, 0.15), (0.5, 0.94, 0.4), "trim")
    # The sides hang down in the colour of the border.
    *sides, top, _ = box((-0.46, -0.96, 0.4), (0.46, 0.5, 0.55), "blanket")
    faces += [replace(f, uvs=((0.0, 0.99), (1.0, 0.99), (1.0, 0.98), (0.0, 0.98))) for f in sides]
    faces.append(fitted(top))
    faces += box((-0.46, 0.5, 0.4), (0.46, 0.94, 0.58), "linen")
    faces += box((-0.5, 0.94, 0.0), (0.5, 1.0, 0.95), "trim")
    for x in (-0.5, 0.42):
        faces += box((x, -1.0, 0.0), (x + 0.08, -0.92, 0.15), "trim")
    return faces


def shelf() -> list[Face]:
    """A cupboard of books that looks south."""
    south, *rest = box((-0.6, -0.2, 0.0), (0.6, 0.2, 1.9), "trim")
    return [fitted(Face(south.points, "books")), *rest]


def _crate() -> list[Face]:
    return box((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0), "crate")


def counter() -> list[Face]:
    """The inn's bar."""
    faces = box((-1.6, -0.35, 1.02), (1.6, 0.35, 1.1), "trim", top="table")
    return [*faces, *box((-1.5, -0.28, 0.0), (1.5, 0.28, 1.02), "wainscot")]


def bale() -> list[Face]:
    """A bale of straw, bound twice."""
    faces = box((-0.58, -0.38, 0.0), (0.58, 0.38, 0.68), "straw", top="straw", bottom="straw")
    for x in (-0.3, 0.26):
        faces += box((x, -0.4, 0.0), (x + 0.04, 0.4, 0.7), "sackcloth")
    return faces


def rail(length: float) -> list[Face]:
    """A balustrade along x, a metre high."""
    half = length / 2
    faces = box((-half, -0.05, 0.92), (half, 0.05, 1.0), "trim")
    faces += box((-half, -0.04, 0.06), (half, 0.04, 0.12), "trim")
    count = max(2, round(length / 0.3))
    for i in range(count + 1):
        x = -half + 0.04 + (length - 0.08) * i / count
        faces += box((x - 0.03, -0.03, 0.0), (x + 0.03, 0.03, 0.92), "trim")[:4]
    return faces


def pillar() -> list[Face]:
    """A square pillar with base and capital, six metres high."""
    faces = box((-0.35, -0.35, 0.4), (0.35, 0.35, 5.5), "ashlar")
    faces += box((-0.45, -0.45, 0.0), (0.45, 0.45, 0.4), "ashlar")
    return [*faces, *box((-0.45, -0.45, 5.5), (0.45, 0.45, 6.0), "ashlar")]


def window(width: float, height: float) -> list[Face]:
    """Leaded panes in the plane y = 0, seen from both sides."""
    x = width / 2
    pane = quad((-x, 0.0, 0.0), (x, 0.0, 0.0), (x, 0.0, height), (-x, 0.0, height), material="lattice")
    return [Face(fitted(pane).points, "lattice", fitted(pane).uvs, two_sided=True)]


def cottage_ramp() -> list[Face]:
    """The way down into the cottage's cellar: 39 degrees, in the cottage's space."""
    return ramp((-0.5, 4.5, 0.0), (1.0, 0.0, 0.0), width=2.0, drop=3.0, run=3.7, material="wainscot")


def cottage_stairs() -> list[Face]:
    """The flight to the cottage's upper room: 13 risers, in the cottage's space."""
    return flight(
        (3.8, -2.6, 0.0),
        (0.0, 1.0, 0.0),
        width=1.2,
        steps=13,
        rise=3.1 / 13,
        tread=0.28,
        riser="wainscot",
        top="planks",
    )


def inn_stairs() -> list[Face]:
    """The inn's flight and its landing, in the inn's space."""
    faces = flight(
        (13.3, 2.6, 0.0),
        (0.0, 1.0, 0.0),
        width=2.0,
        steps=15,
        rise=3.4 / 15,
        tread=0.29,
        riser="wainscot",
        top="planks",
    )
    return [*faces, *box((13.3, 6.95, 0.0), (15.3, 9.9, 3.4), "wainscot", top="planks")]


def croft_steps() -> list[Face]:
    """Four steps from the floor of the croft's pantry up to its doorway, in the croft's space."""
    return flight(
        (-5.42, -1.3, -0.96),
        (1.0, 0.0, 0.0),
        width=1.9,
        steps=4,
        rise=0.24,
        tread=0.28,
        riser="rubble",
        top="flags",
    )


def dungeon_steps() -> list[Face]:
    """Steps over a sloping passage of ten metres that falls five, from its low end at y = 5."""
    return flight(
        (1.5, 5.0, -5.0),
        (0.0, -1.0, 0.0),
        width=3.0,
        steps=20,
        rise=0.25,
        tread=0.5,
        riser="ashlar",
        top="flags",
        solid=False,
    )


def barrel() -> list[tuple[int, Record]]:
    """A barrel that collides as a cylinder."""
    faces = cylinder(
        (0.0, 0.0, 0.0),
        BARREL_RADIUS - 0.05,
        BARREL_HEIGHT,
        side="staves",
        ends="lid",
        bulge=0.05,
        repeats=2.0,
    )
    shape = CylSphere((0.0, 0.0, 0.0), f32(BARREL_RADIUS), f32(BARREL_HEIGHT))
    body = setup(
        ids.setup_of(ids.BARREL),
        (ids.BARREL,),
        cylspheres=(shape,),
        height=BARREL_HEIGHT,
        radius=BARREL_RADIUS,
    )
    return [(ids.BARREL, gfx_obj(ids.BARREL, faces)), (ids.setup_of(ids.BARREL), body)]


def lamp(number: int, chain: float, shine: Shine) -> list[tuple[int, Record]]:
    """A lamp that hangs from a chain; its origin is the hook."""
    top, low = -chain, -chain - 0.32
    faces = box((-0.02, -0.02, top), (0.02, 0.02, 0.0), "iron")
    faces += box((-0.14, -0.14, top - 0.02), (0.14, 0.14, top), "iron")
    faces += box((-0.14, -0.14, low - 0.02), (0.14, 0.14, low), "iron")
    faces += [fitted(face) for face in box((-0.1, -0.1, low), (0.1, 0.1, top - 0.02), "flame")[:4]]
    return lit(number, faces, (0.0, 0.0, (top + low) / 2), shine=shine, size=chain + 0.4)


def brazier() -> list[tuple[int, Record]]:
    """A standing fire bowl for the dungeon."""
    faces = cylinder((0.0, 0.0, 0.0), 0.24, 0.08, side="iron", ends="iron", sides=6)
    faces += cylinder((0.0, 0.0, 0.0), 0.08, 0.8, side="iron", ends="iron", repeats=1.0, sides=6)[:-2]
    faces += cylinder((0.0, 0.0, 0.8), 0.32, 0.25, side="iron", ends="embers")
    faces += crossed("fire", half=0.36, low=1.04, high=1.85, count=3)
    shape = CylSphere((0.0, 0.0, 0.0), f32(0.34), f32(1.05))
    return lit(
        ids.BRAZIER,
        faces,
        (0.0, 0.0, 1.6),
        shine=BRAZIER_LIGHT,
        size=1.4,
        shapes=(shape,),
        script=ids.BOWL_SCRIPT,
    )


def lit(
    number: int,
    faces: Sequence[Face],
    at: tuple[float, float, float],
    *,
    shine: Shine,
    size: float,
    shapes: Sequence[CylSphere] = (),
    solid: Sequence[Points] = (),
    script: int = 0,
    script_table: int = 0,
) -> list[tuple[int, Record]]:
    """A model and its Setup with one light, and what it plays."""
    colour, intensity, falloff = shine
    flame = StoredFrame(point(at), (1.0, 0.0, 0.0, 0.0))
    body = setup(
        ids.setup_of(number),
        (number,),
        cylspheres=shapes,
        height=size,
        bound=Sphere(point(at), f32(max(2.0, size - at[2]))),
        has_bsp=bool(solid),
        lights=(
            Light(key=0, frame=flame, color=colour, intensity=f32(intensity), falloff=f32(falloff), cone=0.0),
        ),
        script=script,
        script_table=script_table,
    )
    return [(number, gfx_obj(number, faces, solid)), (body.id, body)]
