"""What moves by itself on the square: a pennant in the wind, and a grindstone that throws sparks. Metres."""

from __future__ import annotations

import math

from engine.dat.pieces.hooks import CREATE_PARTICLE, AnimationHook, AnimFrame
from engine.dat.records.animation import HAS_HOOKS, Animation
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Setup
from engine.dat.values import IDENTITY_FRAME, CylSphere, StoredFrame
from scripts.demo_world import ids
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import Face, box, card, cylinder, laid

Record = GfxObj | Setup | Animation
STRIPS, STRIP = 7, 0.24  # of the pennant: how many, how wide
TOP = 5.2
WAVES, TURNS = 48, 40  # frames of a wave and of a turn of the stone
AXLE = (0.0, 0.0, 0.62)


def records() -> list[tuple[int, Record]]:
    """Everything that moves, by id."""
    post = CylSphere((0.0, 0.0, 0.0), f32(0.12), f32(TOP))
    trestle_box = box((-0.4, -0.45, 0.0), (0.4, 0.45, 0.95), "trim")
    return [
        (ids.POLE, gfx_obj(ids.POLE, pole())),
        *((number, gfx_obj(number, [strip(k)])) for k, number in enumerate(strip_ids())),
        (
            ids.PENNANT,
            setup(
                ids.PENNANT, (ids.POLE, *strip_ids()), waving(0.0), cylspheres=(post,), height=TOP,
                radius=2.0, animation=ids.PENNANT_WAVES,
            ),
        ),
        (
            ids.PENNANT_WAVES,
            _animation(ids.PENNANT_WAVES, [AnimFrame(waving(k / WAVES)) for k in range(WAVES)]),
        ),
        (ids.TRESTLE, gfx_obj(ids.TRESTLE, trestle(), outline(trestle_box))),
        (ids.GRINDSTONE_WHEEL, gfx_obj(ids.GRINDSTONE_WHEEL, stone())),
        (
            ids.GRINDSTONE,
            setup(
                ids.GRINDSTONE, (ids.TRESTLE, ids.GRINDSTONE_WHEEL), grinding(0.0), height=1.0, radius=0.6,
                has_bsp=True, animation=ids.STONE_TURNS,
            ),
        ),
        (ids.STONE_TURNS, turning()),
    ]  # fmt: skip


def strip_ids() -> tuple[int, ...]:
    """The models of the pennant's strips, from the pole on."""
    return tuple(ids.PENNANT_STRIPS + k for k in range(STRIPS))


def pole() -> list[Face]:
    """A mast with a knob."""
    faces = cylinder(
        (0.0, 0.0, -0.3), 0.07, TOP + 0.2, side="trim", ends="trim", repeats=1.0, rise=1.0, sides=6
    )
    return [*faces, *cylinder((0.0, 0.0, TOP - 0.1), 0.11, 0.16, side="iron", ends="iron", sides=6)]


def strip(number: int) -> Face:
    """One strip of the pennant, from the origin along x; the farther out, the lower it is."""
    high, low = (0.62 * (1.0 - k / (STRIPS + 0.5)) for k in (number, number + 1))
    face = card((0.0, 0.0), (STRIP, 0.0), low=-high, high=high, material="curtain")
    (x0, y0, _), (x1, y1, _), _, _ = face.points
    points = (
        point((x0, y0, -high)), point((x1, y1, -low)), point((x1, y1, low)), point((x0, y0, high)),
    )  # fmt: skip
    u0, u1 = number / STRIPS, (number + 1) / STRIPS
    uvs = ((u0, 0.5 + high / 1.3), (u1, 0.5 + low / 1.3), (u1, 0.5 - low / 1.3), (u0, 0.5 - high / 1.3))
    return Face(points, "curtain", uvs, two_sided=True)


def waving(t: float) -> tuple[StoredFrame, ...]:
    """The pole and its strips at a phase of the wave: each hangs on the one before it."""
    out = [IDENTITY_FRAME]
    x, y, z = 0.07, 0.0, TOP - 0.75
    for k in range(STRIPS):
        heading = math.radians(4.0 * k * 0.5 + (9.0 + 5.0 * k) * math.sin(2.0 * math.pi * (t - k / 6.0)))
        half = heading / 2.0
        turn = (f32(math.cos(half), 7), 0.0, 0.0, f32(math.sin(half), 7))
        out.append(StoredFrame(point((x, y, z - 0.02 * k)), turn))
        x, y = x + STRIP * math.cos(heading), y + STRIP * math.sin(heading)
    return tuple(out)


def trestle() -> list[Face]:
    """Two frames that hold the axle, and a board with a handle's rest."""
    faces: list[Face] = []
    for x in (-0.24, 0.18):
        for y in (-0.34, 0.28):
            faces += box((x, y, 0.0), (x + 0.06, y + 0.06, 0.6), "trim")
        faces += box((x, -0.4, 0.6), (x + 0.06, 0.4, 0.68), "trim")
    faces += box((-0.18, -0.34, 0.2), (0.18, -0.28, 0.26), "trim")
    return [*faces, *box((-0.18, 0.28, 0.2), (0.18, 0.34, 0.26), "trim")]


def stone() -> list[Face]:
    """The stone about an axle along x, with its crank."""
    disc = cylinder((0.0, 0.0, -0.06), 0.3, 0.12, side="boulder", ends="boulder", repeats=1.0, rise=2.0)
    axle = cylinder((0.0, 0.0, -0.34), 0.025, 0.66, side="iron", ends="iron", sides=6)
    turning_part = laid((*disc, *axle), lambda p: (p[2], p[0], p[1]))
    crank = box((0.3, -0.02, 0.0), (0.34, 0.02, 0.2), "iron")
    return [*turning_part, *crank, *box((0.34, -0.02, 0.17), (0.48, 0.02, 0.21), "table")]


def grinding(t: float) -> tuple[StoredFrame, ...]:
    """The trestle, and the stone at a phase of its turn."""
    half = math.pi * t
    return (
        IDENTITY_FRAME,
        StoredFrame(point(AXLE), (f32(math.cos(half), 7), f32(math.sin(half), 7), 0.0, 0.0)),
    )


def turning() -> Animation:
    """A turn of the stone, which throws sparks when the blade comes down on it."""
    at = StoredFrame(point((0.0, -0.2, 0.86)), IDENTITY_FRAME.orientation)
    sparks = AnimationHook(CREATE_PARTICLE, 0, (ids.GRINDING_SPARKS, 0, at, 0))
    frames = [AnimFrame(grinding(k / TURNS), (sparks,) if k == 12 else ()) for k in range(TURNS)]
    return _animation(ids.STONE_TURNS, frames, HAS_HOOKS)


def _animation(number: int, frames: list[AnimFrame], flags: int = 0) -> Animation:
    return Animation(
        id=number, flags=flags, num_parts=len(frames[0].frames), pos_frames=None, frames=tuple(frames)
    )
