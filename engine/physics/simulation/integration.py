"""Time, velocity and friction: the numbers of a full tick (sweep 3.1, 3.3)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import ZERO, Vec3
from engine.physics.enums import (
    GRAVITY_Z,
    HUGE_QUANTUM,
    MAX_QUANTUM,
    MAX_VELOCITY,
    MIN_QUANTUM,
    SMALL_VELOCITY,
)
from engine.world.tolerance import EPS

SLED_FRICTION: Final = 0.2
SLED_STOP_SPEED2: Final = 1.5625
SLED_FAST_SPEED2: Final = 6.25
COS_10_DEGREES: Final = 0.98480775


def slice_quanta(now: float, update_time: float) -> tuple[list[float], float]:
    """The quanta to run between an object's last update and now, and its new update time (sweep 3.1).

    The original's rule, which cases QU1 to QU4 pin; a walk's ticks all have 1/30 s.

    Too short or too long a gap is dropped; a remainder of no more than 1/30 s after whole slices waits.
    """
    dt = now - update_time
    if dt <= EPS or dt > HUGE_QUANTUM:
        return [], now
    if dt <= MAX_QUANTUM:
        return [dt], now
    quanta: list[float] = []
    clock = update_time
    while dt > MAX_QUANTUM:
        quanta.append(MAX_QUANTUM)
        clock += MAX_QUANTUM
        dt -= MAX_QUANTUM
    if dt > MIN_QUANTUM:
        quanta.append(dt)
        clock += dt
    return quanta, clock


def clamp_velocity(v: Vec3) -> Vec3:
    """A velocity no faster than MaxVelocity."""
    speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if speed2 <= MAX_VELOCITY * MAX_VELOCITY:
        return v
    k = MAX_VELOCITY / math.sqrt(speed2)
    return (v[0] * k, v[1] * k, v[2] * k)


def calc_acceleration(*, contact: bool, on_walkable: bool, gravity: bool, sledding: bool = False) -> Vec3:
    """Gravity, unless a body stands on walkable ground (sweep 3.3)."""
    if contact and on_walkable and not sledding:
        return ZERO
    return (0.0, 0.0, GRAVITY_Z) if gravity else ZERO


def calc_friction(
    v: Vec3, n: Vec3, *, friction: float, q: float, speed2: float, sledding: bool = False
) -> Vec3:
    """The velocity left on walkable ground of normal ``n`` after ``q`` seconds (sweep 3.3).

    ``speed2`` is the squared speed before. A body that leaves the ground keeps its velocity.
    """
    s = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    if s >= SMALL_VELOCITY:
        return v
    if sledding:
        if speed2 < SLED_STOP_SPEED2:
            friction = 1.0
        elif speed2 >= SLED_FAST_SPEED2 and n[2] < COS_10_DEGREES:
            friction = SLED_FRICTION
    k = (1.0 - friction) ** q
    return ((v[0] - n[0] * s) * k, (v[1] - n[1] * s) * k, (v[2] - n[2] * s) * k)


def update_physics(
    v: Vec3, a: Vec3, q: float, *, ground: Vec3 | None, friction: float, sledding: bool = False
) -> tuple[Vec3, Vec3]:
    """How far velocity carries a body in ``q`` seconds and the velocity after (UpdatePhysicsInternal).

    ``ground`` is the contact plane's normal while on walkable ground, None otherwise.
    """
    moved = ZERO
    speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if speed2 > 0.0:
        v = clamp_velocity(v)
        speed2 = min(speed2, MAX_VELOCITY * MAX_VELOCITY)
        if ground is not None:
            v = calc_friction(v, ground, friction=friction, q=q, speed2=speed2, sledding=sledding)
        # The speed before friction: a body that friction alone brings below the limit moves this once.
        if speed2 - SMALL_VELOCITY * SMALL_VELOCITY < EPS:
            v = ZERO
        h = 0.5 * q * q
        moved = (a[0] * h + v[0] * q, a[1] * h + v[1] * q, a[2] * h + v[2] * q)
    return moved, (v[0] + a[0] * q, v[1] + a[1] * q, v[2] + a[2] * q)
