"""Sphere against sphere: overlap, time of collision, landing (collision 5.1). Numbers in one block frame."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.world.tolerance import EPS


def spheres_overlap(d: Vec3, reach: float) -> bool:
    """Whether centres a vector ``d`` apart are no farther than ``reach``, the sum of the radii."""
    x, y, z = d
    return x * x + y * y + z * z <= reach * reach


def find_time_of_collision(movement: Vec3, d: Vec3, reach: float) -> float:
    """When a centre at offset ``d`` from a sphere, moving by ``movement``, comes within ``reach`` of it.

    In units of the movement; -1 where it starts inside, does not move or misses.
    """
    mx, my, mz = movement
    dx, dy, dz = d
    a = mx * mx + my * my + mz * mz
    b = -(dx * mx + dy * my + dz * mz)
    k = dx * dx + dy * dy + dz * dz - reach * reach
    disc = b * b - k * a
    if k < EPS or a < EPS or disc < 0.0:
        return -1.0
    q = math.sqrt(disc)
    return (q + b) / a if b - q < 0.0 else (b - q) / a


def lift_onto_sphere(d: Vec3, reach: float) -> float | None:
    """How far up a centre at offset ``d`` must go to rest on a sphere; None beside it."""
    x, y, z = d
    radicand = reach * reach - x * x - y * y
    return None if radicand < 0.0 else math.sqrt(radicand) - z


def swept_landing_time(d: Vec3, back: Vec3, reach: float) -> float | None:
    """The fraction of ``back`` (the movement reversed) after which an overlapping centre just touches.

    None where there is no movement or no such place.
    """
    dx, dy, dz = d
    mx, my, mz = back
    length2 = mx * mx + my * my + mz * mz
    if length2 < EPS:
        return None
    b = -(mx * dx + my * dy + mz * dz)
    radicand = b * b - (dx * dx + dy * dy + dz * dz - reach * reach) * length2
    if radicand < 0.0:
        return None
    x = math.sqrt(radicand) + b
    if x > 1.0:
        x = 2.0 * b - x
    return x / length2
