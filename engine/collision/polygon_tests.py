"""A sphere against one polygon (collision 4.4). Sphere and polygon share one space, metres."""

from __future__ import annotations

import math
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Vec3
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS

NOT_RECEDING: Final = -1e-5


def hits_sphere(poly: Polygon, s: MovingSphere) -> bool:
    """Whether a sphere touches a polygon, from either side (polygon_hits_sphere_slow_but_sure)."""
    nx, ny, nz = poly.normal
    x, y, z = s.x, s.y, s.z
    dist = nx * x + ny * y + nz * z + poly.d
    rad = s.r - EPS
    if dist > rad or dist < -rad:
        return False
    x -= nx * dist
    y -= ny * dist
    z -= nz * dist
    edges = poly.edges
    for e in edges:
        if (x - e.px) * e.mx + (y - e.py) * e.my + (z - e.pz) * e.mz < 0.0:
            break
    else:
        return nx != 0.0 or ny != 0.0 or nz != 0.0  # the zero normal is a polygon without a plane
    r2 = rad * rad - dist * dist
    for e in edges:
        qx = x - e.px
        qy = y - e.py
        qz = z - e.pz
        k = qx * e.mx + qy * e.my + qz * e.mz
        if k < 0.0:
            if k * k > e.mm * r2:
                return False
            if 0.0 <= qx * e.ex + qy * e.ey + qz * e.ez <= e.ee:
                return True
        if qx * qx + qy * qy + qz * qz <= r2:
            return True
    return False


def touch_point(poly: Polygon, s: MovingSphere) -> Vec3:
    """The foot of the perpendicular from the sphere's centre on the polygon's plane (case PO1)."""
    nx, ny, nz = poly.normal
    dist = nx * s.x + ny * s.y + nz * s.z + poly.d
    return (s.x - nx * dist, s.y - ny * dist, s.z - nz * dist)


def pos_hits_sphere(poly: Polygon, s: MovingSphere, move: Vec3) -> tuple[bool, bool]:
    """(hit, touched): a hit is a touched polygon that ``move`` goes into.

    A motion along the polygon comes out as a last-bit number: only below -1e-5 does it go into it.
    """
    if not hits_sphere(poly, s):
        return False, False
    n = poly.normal
    return move[0] * n[0] + move[1] * n[1] + move[2] * n[2] < NOT_RECEDING, True


def walkable_hits_sphere(poly: Polygon, s: MovingSphere, up: Vec3, allowance: float) -> bool:
    """Whether a sphere touches a polygon that is level enough to walk on."""
    n = poly.normal
    return n[0] * up[0] + n[1] * up[1] + n[2] * up[2] > allowance and hits_sphere(poly, s)


def adjust_sphere_to_plane(poly: Polygon, s: MovingSphere, move: Vec3, walk_interp: float) -> float | None:
    """Move a sphere back along ``move`` until it rests on the plane.

    Returns the new walk interpolation, None (sphere untouched) when the plane is out of reach.
    """
    nx, ny, nz = poly.normal
    v = move[0] * nx + move[1] * ny + move[2] * nz
    dist = nx * s.x + ny * s.y + nz * s.z + poly.d
    if v > EPS:
        t = (-s.r - dist) / v
    elif v < -EPS:
        t = (dist - s.r) / v
    else:
        return None
    interp = (1.0 - t) * walk_interp
    if interp >= walk_interp or interp < -0.5:
        return None
    s.x -= move[0] * t
    s.y -= move[1] * t
    s.z -= move[2] * t
    return interp


def adjust_sphere_to_poly(poly: Polygon, s: MovingSphere, curr: Vec3, move: Vec3) -> float:
    """The fraction of ``move`` from ``curr`` where the sphere meets the plane; 1 when it does at once."""
    nx, ny, nz = poly.normal
    dist = nx * curr[0] + ny * curr[1] + nz * curr[2] + poly.d
    if s.r > abs(dist):
        return 1.0
    v = move[0] * nx + move[1] * ny + move[2] * nz
    if abs(v) < EPS:
        return 0.0
    rad = s.r if dist > 0.0 else -s.r
    return (rad - dist) / v


def check_walkable(poly: Polygon, s: MovingSphere, up: Vec3) -> bool:
    """Whether a polygon carries a sphere that stands on it: its foot along ``up`` is on the polygon."""
    return _carries(poly, s, up, s.r * s.r)


def check_small_walkable(poly: Polygon, s: MovingSphere, up: Vec3) -> bool:
    """The same for a sphere of half the radius."""
    return _carries(poly, s, up, 0.25 * s.r * s.r)


def _carries(poly: Polygon, s: MovingSphere, up: Vec3, r2: float) -> bool:
    foot = _along_up(poly, s, up)
    if foot is None:
        return False
    x, y, z = foot
    inside = True
    for e in poly.edges:
        qx = x - e.px
        qy = y - e.py
        qz = z - e.pz
        k = qx * e.mx + qy * e.my + qz * e.mz
        if k < 0.0:
            if k * k > e.mm * r2:
                return False
            if 0.0 <= qx * e.ex + qy * e.ey + qz * e.ez <= e.ee:
                return True
            inside = False
        if qx * qx + qy * qy + qz * qz <= r2:
            return True
    return inside


def find_crossed_edge(poly: Polygon, s: MovingSphere, up: Vec3) -> Vec3 | None:
    """The unit normal, pointing into the polygon, of the first edge that the sphere's foot is beyond."""
    foot = _along_up(poly, s, up)
    if foot is None:
        return None
    x, y, z = foot
    for e in poly.edges:
        if (x - e.px) * e.mx + (y - e.py) * e.my + (z - e.pz) * e.mz < 0.0:
            m = math.sqrt(e.mm)
            return (e.mx / m, e.my / m, e.mz / m)
    return None


def _along_up(poly: Polygon, s: MovingSphere, up: Vec3) -> Vec3 | None:
    nx, ny, nz = poly.normal
    a = nx * up[0] + ny * up[1] + nz * up[2]
    if -EPS < a < EPS:
        return None
    t = (nx * s.x + ny * s.y + nz * s.z + poly.d) / a
    return (s.x - up[0] * t, s.y - up[1] * t, s.z - up[2] * t)


def adjust_to_placement_poly(
    poly: Polygon,
    struck: MovingSphere,
    other: MovingSphere | None,
    radius: float,
    *,
    centre_solid: bool,
    solid_check: bool,
) -> None:
    """Push the struck sphere (and the other one with it) out of a polygon while placing."""
    nx, ny, nz = poly.normal
    dist = nx * struck.x + ny * struck.y + nz * struck.z + poly.d
    rad = radius
    if solid_check:
        if centre_solid:
            rad = -rad
        if dist <= 0.0:
            rad = -rad
    push = rad - dist
    struck.move(nx * push, ny * push, nz * push)
    if other is not None:
        other.move(nx * push, ny * push, nz * push)
