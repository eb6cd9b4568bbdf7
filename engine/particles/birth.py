"""What is left to chance in one particle, drawn in the client's order (particles 4.2 to 4.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple, Protocol

from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.values import Vec3
from engine.world.tolerance import EPS

EXPLODE: Final = 6
_LEAST_SCALE: Final = 0.1
_MOST_SCALE: Final = 10.0
_ZERO: Final = (0.0, 0.0, 0.0)


class Chance(Protocol):
    """Where random numbers come from: ``next`` gives one from 0 to below 1."""

    @property
    def next(self) -> Callable[[], float]:
        """What gives the next number."""


class Dice:
    """Numbers that a seed decides; the client's own generator would show only where runs are compared."""

    def __init__(self, seed: int) -> None:
        self.next = Random(seed).random


class Born(NamedTuple):
    """What was drawn for one particle.

    Seconds, scales, translucencies, the record's vectors times their factors, the offset from the hook's
    place in the owner's space, and two angles (radians) for an Explode, else 0.
    """

    lifespan: float
    start_scale: float
    final_scale: float
    start_trans: float
    final_trans: float
    a: Vec3
    b: Vec3
    c: Vec3
    offset: Vec3
    theta: float = 0.0
    phi: float = 0.0


def draw(record: ParticleEmitter, chance: Chance) -> Born:
    """Draw a particle. Numbers are taken also where they can change nothing, as the client does."""
    roll = chance.next
    lifespan = max(record.lifespan + (2.0 * roll() - 1.0) * record.lifespan_rand, 0.0)
    final_trans = _bounded(record.final_trans + (2.0 * roll() - 1.0) * record.trans_rand, 0.0, 1.0)
    start_trans = _bounded(record.start_trans + (2.0 * roll() - 1.0) * record.trans_rand, 0.0, 1.0)
    final_scale = record.final_scale + (2.0 * roll() - 1.0) * record.scale_rand
    start_scale = record.start_scale + (2.0 * roll() - 1.0) * record.scale_rand
    c = _scaled(record.c, record.min_c + roll() * (record.max_c - record.min_c))
    b = _scaled(record.b, record.min_b + roll() * (record.max_b - record.min_b))
    a = _scaled(record.a, record.min_a + roll() * (record.max_a - record.min_a))
    offset = _offset(record, chance)
    theta = phi = 0.0
    if record.particle_type == EXPLODE:
        theta, phi = (2.0 * roll() - 1.0) * math.pi, (2.0 * roll() - 1.0) * math.pi
    return Born(
        lifespan=lifespan,
        start_scale=_bounded(start_scale, _LEAST_SCALE, _MOST_SCALE),
        final_scale=_bounded(final_scale, _LEAST_SCALE, _MOST_SCALE),
        start_trans=start_trans, final_trans=final_trans, a=a, b=b, c=c, offset=offset, theta=theta, phi=phi,
    )  # fmt: skip


def unit_or_zero(v: Vec3) -> Vec3:
    """A vector at length 1; zero where it is too short to have a direction."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return _ZERO if length < EPS else (v[0] / length, v[1] / length, v[2] / length)


def _offset(record: ParticleEmitter, chance: Chance) -> Vec3:
    """A place in the disc across the record's direction, which is taken as long as it is stored."""
    roll = chance.next
    z, y, x = 2.0 * roll() - 1.0, 2.0 * roll() - 1.0, 2.0 * roll() - 1.0
    dx, dy, dz = record.offset_dir
    along = dx * x + dy * y + dz * z
    v = unit_or_zero((x - dx * along, y - dy * along, z - dz * along))
    if v == _ZERO:
        return v
    return _scaled(v, record.min_offset + roll() * (record.max_offset - record.min_offset))


def _bounded(value: float, low: float, high: float) -> float:
    return low if value < low else high if value > high else value


def _scaled(v: Vec3, factor: float) -> Vec3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)
