"""What is left to chance in one particle, drawn in the client's order (particles 4.2 to 4.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
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


def throw(record: ParticleEmitter, chance: Chance) -> list[float]:
    """The numbers of a particle, in the client's order: taken also where they can change nothing.

    Whether the offset's length is thrown hangs on the numbers before it; 0 stands for one that isn't.
    """
    roll = chance.next
    thrown = [
        roll(), roll(), roll(), roll(), roll(), roll(), roll(), roll(), roll(), roll(), roll(),
    ]  # fmt: skip
    x, y, z = _across(record, thrown)
    thrown.append(0.0 if math.sqrt(x * x + y * y + z * z) < EPS else roll())
    if record.particle_type == EXPLODE:
        thrown += (roll(), roll())
    return thrown


def lifespan_of(record: ParticleEmitter, thrown: list[float]) -> float:
    """The seconds for which a particle lives whose numbers were thrown."""
    return max(record.lifespan + (2.0 * thrown[0] - 1.0) * record.lifespan_rand, 0.0)


def born_of(record: ParticleEmitter, thrown: list[float]) -> Born:
    """The particle of numbers that were thrown."""
    final_trans = _bounded(record.final_trans + (2.0 * thrown[1] - 1.0) * record.trans_rand, 0.0, 1.0)
    start_trans = _bounded(record.start_trans + (2.0 * thrown[2] - 1.0) * record.trans_rand, 0.0, 1.0)
    final_scale = record.final_scale + (2.0 * thrown[3] - 1.0) * record.scale_rand
    start_scale = record.start_scale + (2.0 * thrown[4] - 1.0) * record.scale_rand
    c = _scaled(record.c, record.min_c + thrown[5] * (record.max_c - record.min_c))
    b = _scaled(record.b, record.min_b + thrown[6] * (record.max_b - record.min_b))
    a = _scaled(record.a, record.min_a + thrown[7] * (record.max_a - record.min_a))
    offset = unit_or_zero(_across(record, thrown))
    if offset != _ZERO:
        offset = _scaled(offset, record.min_offset + thrown[11] * (record.max_offset - record.min_offset))
    theta = phi = 0.0
    if record.particle_type == EXPLODE:
        theta, phi = (2.0 * thrown[12] - 1.0) * math.pi, (2.0 * thrown[13] - 1.0) * math.pi
    return Born(
        lifespan=lifespan_of(record, thrown),
        start_scale=_bounded(start_scale, _LEAST_SCALE, _MOST_SCALE),
        final_scale=_bounded(final_scale, _LEAST_SCALE, _MOST_SCALE),
        start_trans=start_trans, final_trans=final_trans, a=a, b=b, c=c, offset=offset, theta=theta, phi=phi,
    )  # fmt: skip


def unit_or_zero(v: Vec3) -> Vec3:
    """A vector at length 1; zero where it is too short to have a direction."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return _ZERO if length < EPS else (v[0] / length, v[1] / length, v[2] / length)


def _across(record: ParticleEmitter, thrown: list[float]) -> Vec3:
    """The part across the record's direction, which is taken as long as it is stored."""
    z, y, x = 2.0 * thrown[8] - 1.0, 2.0 * thrown[9] - 1.0, 2.0 * thrown[10] - 1.0
    dx, dy, dz = record.offset_dir
    along = dx * x + dy * y + dz * z
    return (x - dx * along, y - dy * along, z - dz * along)


def _bounded(value: float, low: float, high: float) -> float:
    return low if value < low else high if value > high else value


def _scaled(v: Vec3, factor: float) -> Vec3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)
