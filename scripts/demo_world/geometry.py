"""Flat polygons in space: cutting openings out of walls and giving walls the corners of their neighbours.

Points are tuples of metres. Everything is plain arithmetic, so that a build gives the same bytes everywhere.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.dat.values import Vec3

Points = tuple[Vec3, ...]
NEAR = 1e-4

_F32 = struct.Struct("<f")


def f32(value: float, decimals: int = 5) -> float:
    """The single-precision number nearest to a rounded value: a hundredth of a millimetre by default."""
    return float(_F32.unpack(_F32.pack(round(value, decimals) + 0.0))[0])


def point(p: Sequence[float]) -> Vec3:
    """A point as records store it."""
    return (f32(p[0]), f32(p[1]), f32(p[2]))


def minus(a: Vec3, b: Vec3) -> Vec3:
    """``a - b``."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def plus(a: Vec3, b: Vec3) -> Vec3:
    """``a + b``."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def times(a: Vec3, s: float) -> Vec3:
    """``s a``."""
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a: Vec3, b: Vec3) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a: Vec3) -> Vec3:
    """The direction of a vector that isn't zero."""
    return times(a, 1.0 / math.sqrt(dot(a, a)))


def area_normal(points: Sequence[Vec3]) -> Vec3:
    """Twice the area of a polygon as a vector along its normal."""
    total: Vec3 = (0.0, 0.0, 0.0)
    for a, b in pairwise(points[1:]):
        total = plus(total, cross(minus(a, points[0]), minus(b, points[0])))
    return total


def normal_of(points: Sequence[Vec3]) -> Vec3:
    """The unit normal of a polygon, towards the side from which it runs counter-clockwise."""
    return unit(area_normal(points))


def middle(points: Sequence[Vec3]) -> Vec3:
    """The mean of points."""
    total: Vec3 = (0.0, 0.0, 0.0)
    for p in points:
        total = plus(total, p)
    return times(total, 1.0 / len(points))


def reverse(points: Sequence[Vec3]) -> Points:
    """The same polygon seen from behind."""
    return tuple(reversed(points))


def lies_in_plane(points: Iterable[Vec3], plane_points: Sequence[Vec3]) -> bool:
    """Whether points lie in the plane of a polygon."""
    normal = normal_of(plane_points)
    return all(abs(dot(normal, minus(p, plane_points[0]))) < NEAR for p in points)


def cut_hole(whole: Points, hole: Sequence[Vec3]) -> list[Points]:
    """What is left of a convex polygon without a convex polygon of its plane, as convex pieces.

    Upright edges of the hole cut first, so that the pieces beside a doorway reach from floor to ceiling.
    """
    normal = normal_of(whole)
    if dot(normal, area_normal(hole)) < 0.0:
        hole = reverse(hole)
    edges = list(zip(hole, (*hole[1:], hole[0]), strict=True))
    edges.sort(key=lambda edge: -abs(edge[1][2] - edge[0][2]))
    left: list[Points] = []
    rest = whole
    for a, b in edges:
        inward = cross(normal, unit(minus(b, a)))
        outside = clip(rest, a, times(inward, -1.0))
        if outside:
            left.append(outside)
        rest = clip(rest, a, inward)
        if not rest:
            return [whole]
    return left


def clip(points: Points, origin: Vec3, inward: Vec3) -> Points:
    """The part of a convex polygon in a half-space, empty when there is none worth the name."""
    out: list[Vec3] = []
    sides = [dot(inward, minus(p, origin)) for p in points]
    for i, p in enumerate(points):
        q, here, there = points[i - 1], sides[i], sides[i - 1]
        if (here > NEAR and there < -NEAR) or (here < -NEAR and there > NEAR):
            t = there / (there - here)
            out.append(point(plus(q, times(minus(p, q), t))))
        if here >= -NEAR:
            out.append(p)
    if len(out) < 3 or max(sides) <= NEAR:
        return ()
    twice = area_normal(out)
    return tuple(out) if dot(twice, twice) > NEAR * NEAR else ()


def diced(polygons: Sequence[Points], openings: Sequence[Sequence[Vec3]], span: float) -> list[list[Points]]:
    """Every polygon in parts of about ``span`` metres, all cut by the same planes across the axes.

    No plane cuts through an opening: a corner amid its edge would let a pixel between wall and opening stay
    unpainted.
    """
    corners = [p for points in polygons for p in points]
    out = [[points] for points in polygons]
    for axis in range(3):
        reach = min(p[axis] for p in corners), max(p[axis] for p in corners)
        extents = [(min(p[axis] for p in ring), max(p[axis] for p in ring)) for ring in openings]
        for at in cuts(reach, extents, span):
            origin = (at if axis == 0 else 0.0, at if axis == 1 else 0.0, at if axis == 2 else 0.0)
            along = (float(axis == 0), float(axis == 1), float(axis == 2))
            for parts in out:
                halves = [clip(part, origin, times(along, sign)) for part in parts for sign in (-1.0, 1.0)]
                parts[:] = [half for half in halves if half]
    return out


def cuts(reach: tuple[float, float], closed: Sequence[tuple[float, float]], span: float) -> list[float]:
    """Where to cut a stretch into parts of no more than ``span``, never within a closed stretch."""
    low, high = reach
    merged: list[tuple[float, float]] = []
    for start, end in sorted(c for c in closed if c[1] - c[0] > NEAR):
        if merged and start < merged[-1][1] - NEAR:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    out: list[float] = []
    at = low
    for start, end in [*merged, (high, high)]:
        count = max(1, math.ceil((start - at) / span - NEAR))
        out += [at + (start - at) * k / count for k in range(1, count)] if start > at else []
        out += [start, end]
        at = max(at, end)
    return [f32(c) for c in sorted(set(out)) if low + NEAR < c < high - NEAR]


def on_edge(p: Vec3, a: Vec3, b: Vec3) -> bool:
    """Whether a point lies on the open segment between two others."""
    along = minus(b, a)
    length = math.sqrt(dot(along, along))
    direction = times(along, 1.0 / length)
    t = dot(direction, minus(p, a))
    off = minus(minus(p, a), times(direction, t))
    return NEAR < t < length - NEAR and dot(off, off) < NEAR * NEAR


def share_corners(polygons: Sequence[Points], corners: Iterable[Vec3]) -> list[Points]:
    """The polygons with every corner that lies on one of their edges put in, so that no gaps are left."""
    corners = list(dict.fromkeys(corners))
    out: list[Points] = []
    for points in polygons:
        ring: list[Vec3] = []
        for a, b in zip(points, (*points[1:], points[0]), strict=True):
            near = [
                p for p in corners
                if all(min(s, t) - NEAR < c < max(s, t) + NEAR for c, s, t in zip(p, a, b, strict=True))
            ]  # fmt: skip
            between = [p for p in near if on_edge(p, a, b)]
            between.sort(key=lambda p: dot(minus(p, a), minus(p, a)))
            ring += [a, *between]
        out.append(tuple(ring))
    return out


def fans(points: Points) -> list[Points]:
    """A convex polygon, perhaps with corners amid its edges, as polygons that are good fans from their first.

    A fan is good when none of its triangles is flat: then every corner amid an edge is drawn.
    """
    n = len(points)
    for start in range(n):
        ring = (*points[start:], *points[:start])
        if all(not _flat(ring[0], a, b) for a, b in pairwise(ring[1:])):
            return [ring]
    for i in range(n):
        for j in range(i + 2, n):
            one, two = points[i : j + 1], (*points[j:], *points[: i + 1])
            if len(two) >= 3 and not _thin(one) and not _thin(two):
                return [*fans(one), *fans(two)]
    raise ValueError(f"a polygon that can't be divided: {points}")


def _flat(a: Vec3, b: Vec3, c: Vec3) -> bool:
    twice = cross(minus(b, a), minus(c, a))
    return dot(twice, twice) < NEAR * NEAR * dot(minus(b, a), minus(b, a))


def _thin(points: Sequence[Vec3]) -> bool:
    twice = area_normal(points)
    return dot(twice, twice) < NEAR * NEAR
