"""How a particle flies: every type of particle as one closed form (particles 5.1, 5.2).

A particle of age t is at ``base + offset + speed t + pull t²/2 + swing cos(pace t − lag)``, turned as its
base and then by ``spin t``. The types differ only in what these vectors are made of, once, at birth; nothing
is added up from frame to frame, so the frame rate changes nothing.
"""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.birth import Born, unit_or_zero
from engine.world.frame import Frame

(
    UNKNOWN, STILL, LOCAL_VELOCITY, PARABOLIC_LVGA, PARABOLIC_LVGAGR, SWARM, EXPLODE, IMPLODE, PARABOLIC_LVLA,
    PARABOLIC_LVLALR, PARABOLIC_GVGA, PARABOLIC_GVGAGR, GLOBAL_VELOCITY,
) = range(13)  # fmt: skip

# Where A, B and C are in the owner's axes instead of the world's.
_LOCAL_A: Final = (LOCAL_VELOCITY, PARABOLIC_LVGA, PARABOLIC_LVGAGR, SWARM, PARABOLIC_LVLA, PARABOLIC_LVLALR)
_LOCAL_B: Final = (PARABOLIC_LVLA, PARABOLIC_LVLALR)
_LOCAL_C: Final = (PARABOLIC_LVLALR,)
_SPEEDING: Final = (*_LOCAL_A, PARABOLIC_GVGA, PARABOLIC_GVGAGR, GLOBAL_VELOCITY)
_PULLED: Final = (
    PARABOLIC_LVGA, PARABOLIC_LVGAGR, PARABOLIC_LVLA, PARABOLIC_LVLALR, PARABOLIC_GVGA, PARABOLIC_GVGAGR,
)  # fmt: skip
_SPINNING: Final = (PARABOLIC_LVGAGR, PARABOLIC_LVLALR, PARABOLIC_GVGAGR)
_NONE: Final = (0.0, 0.0, 0.0)
_QUARTER: Final = math.pi / 2.0


class Path(NamedTuple):
    """The vectors of the closed form, in world axes: metres, seconds, radians."""

    offset: Vec3
    speed: Vec3 = _NONE
    pull: Vec3 = _NONE
    swing: Vec3 = _NONE
    pace: Vec3 = _NONE
    lag: float = 0.0
    """Of the swing along y alone."""
    spin: Vec3 = _NONE


def path_of(kind: int, base: Frame, hook: Vec3, born: Born) -> Path:
    """The path of a particle of a type, born at ``base`` with its hook's offset; offset and axes stay.

    A type that there is not stands still.
    """
    x, y, z = born.offset
    offset = base.to_global_vec((hook[0] + x, hook[1] + y, hook[2] + z))
    a = base.to_global_vec(born.a) if kind in _LOCAL_A else born.a
    b = base.to_global_vec(born.b) if kind in _LOCAL_B else born.b
    c = base.to_global_vec(born.c) if kind in _LOCAL_C else born.c
    if kind == SWARM:
        return Path(offset, a, swing=c, pace=b, lag=_QUARTER)
    if kind == EXPLODE:
        ahead = _exploding(c, born)
        speed = (ahead[0] * a[0], ahead[1] * a[0], ahead[2] * a[0] + a[2])
        return Path(offset, speed, _doubled(b))
    if kind == IMPLODE:
        swing = (offset[0] * c[0], offset[1] * c[1], offset[2] * c[2])
        return Path(swing, pull=_doubled(b), swing=swing, pace=(a[0], a[0], a[0]))
    return Path(
        offset,
        a if kind in _SPEEDING else _NONE,
        b if kind in _PULLED else _NONE,
        spin=c if kind in _SPINNING else _NONE,
    )


def _exploding(c: Vec3, born: Born) -> Vec3:
    """The direction in which a piece of an Explode flies."""
    across = math.cos(born.phi)
    return unit_or_zero(
        (
            c[0] * math.cos(born.theta) * across,
            c[1] * math.sin(born.theta) * across,
            c[2] * math.sin(born.phi),
        )
    )


def _doubled(b: Vec3) -> Vec3:
    """Half of it counts; Explode and Implode take all of B (particles 5.2)."""
    return (2.0 * b[0], 2.0 * b[1], 2.0 * b[2])
