"""Sphere against upright cylinder: overlap, normal and times of collision (collision 5.2).

All vectors are in one block frame; ``d`` and ``o`` are offsets of a sphere's centre from the bottom
centre of the cylinder, now and where the movement began.
"""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.world.tolerance import EPS


def cylsphere_overlap(d: Vec3, sphere_radius: float, reach: float, height: float) -> bool:
    """Whether a sphere comes within ``reach`` of the axis and between the caps.

    ``reach`` is the cylinder's radius and the foot sphere's, whichever sphere is asked about.
    """
    x, y, z = d
    half = height * 0.5
    return x * x + y * y <= reach * reach and sphere_radius - EPS + half >= abs(half - z)


def normal_of_collision(
    o: Vec3, d: Vec3, *, sphere_radius: float, reach: float, height: float
) -> tuple[Vec3, bool]:
    """The face that was met, as a vector that is not normalised, and whether that is certain."""
    ox, oy, oz = o
    dz = d[2]
    if reach * reach < ox * ox + oy * oy:
        half = height * 0.5
        beside = sphere_radius - EPS + half >= abs(half - oz)
        return (ox, oy, 0.0), beside or abs(oz - dz) <= EPS
    return (0.0, 0.0, 1.0 if dz - oz <= 0.0 else -1.0), True


def time_of_side(o: Vec3, movement: Vec3, reach: float) -> float | None:
    """When a centre at offset ``o`` moving by ``movement`` comes within ``reach`` of the axis, in plan."""
    mx, my, _ = movement
    ox, oy, _ = o
    a = mx * mx + my * my
    b = -(mx * ox + my * oy)
    disc = b * b - (ox * ox + oy * oy - reach * reach) * a
    if disc < 0.0 or a < EPS:
        return None
    q = math.sqrt(disc)
    return (q + b) / a if b - q < 0.0 else (b - q) / a


def time_of_cap(o: Vec3, movement: Vec3, sphere_radius: float, height: float) -> tuple[float, Vec3] | None:
    """When a sphere meets the cylinder's bottom or top, and that cap's normal; None without rise or fall."""
    mz = movement[2]
    if abs(mz) < EPS:
        return None
    if mz > 0.0:
        return -((o[2] + sphere_radius) / mz), (0.0, 0.0, -1.0)
    return (sphere_radius + height - o[2]) / mz, (0.0, 0.0, 1.0)


def perfect_clip_time(
    o: Vec3, d: Vec3, movement: Vec3, *, sphere_radius: float, reach: float, height: float
) -> tuple[float, Vec3] | None:
    """When along ``movement`` (0..1) a sphere first touches a cylinder, and the normal there.

    None where the touch lies outside the movement (collide_with_point for PerfectClip, collision 5.2.3).
    """
    normal, definite = normal_of_collision(o, d, sphere_radius=sphere_radius, reach=reach, height=height)
    reach += EPS
    found = None
    if not definite or normal[2] != 0.0:
        found = time_of_cap(o, movement, sphere_radius, height)
        if found is None:
            return None
    if not definite and found is not None:
        x, y = o[0] + movement[0] * found[0], o[1] + movement[1] * found[0]
        if x * x + y * y >= reach * reach:
            if movement[0] ** 2 + movement[1] ** 2 < EPS:
                return None
            side = time_of_side(o, movement, reach)
            found = _side_touch(o, movement, found[0] if side is None else side, reach)
    elif found is None:
        side = time_of_side(o, movement, reach)
        if side is None:
            return None
        found = _side_touch(o, movement, side, reach)
    if found is None or found[0] < 0.0 or found[0] > 1.0:
        return None
    return found


def _side_touch(o: Vec3, movement: Vec3, t: float, reach: float) -> tuple[float, Vec3]:
    x, y = o[0] + movement[0] * t, o[1] + movement[1] * t
    return t, (x / reach, y / reach, 0.0)
