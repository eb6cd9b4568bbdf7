"""What a traveller looks for: the lifestone, a portal, and the board with the village's name. Metres."""

from __future__ import annotations

from dataclasses import replace

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import HAS_SCALES, Placement, Setup
from engine.dat.values import IDENTITY_FRAME, CylSphere, StoredFrame, Vec3
from scripts.demo_world import ids
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import CIRCLE_12, Face, Uv, box, card, cylinder, fitted, pool
from scripts.demo_world.things.furniture import lit

Record = GfxObj | Setup
DAIS = 1.15
PORTAL_LIGHT = (0xFF5A3C90, 5.0, 5.0)


def records() -> list[tuple[int, Record]]:
    """Models and Setups by id."""
    shape = CylSphere((0.0, 0.0, 0.0), f32(DAIS), f32(3.4))
    posts = [outline(box((x - 0.1, -0.1, 0.0), (x + 0.1, 0.1, 2.2), "trim")) for x in (-0.95, 0.95)]
    return [
        (ids.LIFESTONE, gfx_obj(ids.LIFESTONE, lifestone())),
        (
            ids.setup_of(ids.LIFESTONE),
            setup(
                ids.setup_of(ids.LIFESTONE),
                (ids.LIFESTONE,),
                cylspheres=(shape,),
                height=3.6,
                radius=1.8,
                script=ids.STONE_SCRIPT,
            ),
        ),
        *portal_records(),
        (ids.TOWN_SIGN, gfx_obj(ids.TOWN_SIGN, town_sign(), [p for post in posts for p in post])),
    ]


def portal_records() -> list[tuple[int, Record]]:
    """The portal, and as a part of its own the heart that its motes fly to; outdoors it lights nothing."""
    model, (number, body) = lit(
        ids.PORTAL,
        portal(),
        (0.0, 0.0, 1.8),
        shine=PORTAL_LIGHT,
        size=3.6,
        script=ids.PORTAL_SCRIPT,
        script_table=ids.PORTAL_TABLE,
    )
    assert isinstance(body, Setup)
    heart = StoredFrame(point((0.0, 0.0, 1.8)), IDENTITY_FRAME.orientation)
    placed = (Placement(0, (IDENTITY_FRAME, heart)),)
    parts, small = (ids.PORTAL, ids.VIOLET_MOTE), f32(0.4)
    scales = ((1.0, 1.0, 1.0), (small, small, small))
    flags = body.flags | HAS_SCALES
    body = body._replace(flags=flags, parts=parts, scales=scales, placements=placed)
    outdoors = body._replace(id=ids.PORTAL_OUTDOORS, lights=())
    return [model, (number, body), (outdoors.id, outdoors)]


def shard(at: Vec3, radius: float, *, tall: float, waist: float, tip: Uv, sides: int = 6) -> list[Face]:
    """A crystal: it widens from a point up to ``waist`` of its height and ends in a point."""
    x, y, z = at
    ring = [(x + radius * c, y + radius * s, z + waist * tall) for c, s in CIRCLE_12[:: 12 // sides]]
    low, high = (x, y, z), (x + tip[0], y + tip[1], z + tall)
    faces = []
    for k in range(sides):
        a, b = ring[k], ring[(k + 1) % sides]
        faces.append(Face((point(low), point(b), point(a)), "crystal", ((0.5, 1.0), (1.0, 0.5), (0.0, 0.5))))
        faces.append(Face((point(a), point(b), point(high)), "crystal", ((0.0, 1.0), (1.0, 1.0), (0.5, 0.0))))
    return faces


def lifestone() -> list[Face]:
    """A great blue crystal that stands on its point over a dais of two steps, with shards about it."""
    faces = cylinder((0.0, 0.0, -0.3), DAIS, 0.55, side="ashlar", ends="ashlar", repeats=4.0, rise=2.0)[:-1]
    faces += cylinder(
        (0.0, 0.0, 0.25),
        0.8,
        0.25,
        side="ashlar",
        ends="ashlar",
        repeats=3.0,
        rise=2.0,
        sides=6,
        is_round=False,
    )[:-1]
    faces += shard((0.0, 0.0, 0.45), 0.52, tall=3.0, waist=0.36, tip=(0.06, -0.04))
    for k, (reach, tall) in enumerate(((0.58, 0.95), (0.62, 0.7), (0.56, 0.85), (0.62, 0.6))):
        c, s = CIRCLE_12[3 * k + k % 2]
        faces += shard(
            (reach * c, reach * s, 0.42), 0.13, tall=tall, waist=0.4, tip=(0.16 * c, 0.16 * s), sides=3
        )
    return [*faces, pool(3.0, "blue halo")]


def portal() -> list[Face]:
    """A portal that looks south and north: three swirls of light one behind the other, none across them.

    Seen along one that stands across, it would be a streak down the middle; from beside it a glow is seen.
    """
    faces = [card((-1.5, 0.0), (1.5, 0.0), low=0.1, high=3.5, material="swirl")]
    faces += [card((-0.9, y), (0.9, y), low=0.7, high=2.9, material="swirl") for y in (-0.18, 0.18)]
    return faces


def town_sign() -> list[Face]:
    """A board between two posts with the village's name on both sides."""
    faces: list[Face] = []
    for x in (-0.95, 0.95):
        faces += box((x - 0.07, -0.07, -0.4), (x + 0.07, 0.07, 2.35), "trim")[:5]
    south, east, north, west, top, bottom = box((-0.88, -0.04, 1.45), (0.88, 0.04, 1.95), "town sign")
    faces += [fitted(south), fitted(north)]
    faces += [replace(f, material="trim") for f in (east, west, top, bottom)]
    return [*faces, *box((-1.15, -0.05, 2.05), (1.15, 0.05, 2.15), "trim")]
