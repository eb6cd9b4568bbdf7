"""Convex polygons cut by many planes, one after the other; those that can't reach one are passed over."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from engine.dat.values import Vec3

Plane = tuple[float, float, float, float]  # nx, ny, nz, d

FIRST_STEP: Final = 64  # planes that are asked one by one; fewer, and numpy would only cost
_MARGIN: Final = 1e-9  # of a corner's rounding there is much less, however often its polygon was cut
_FAR: Final = 1e12  # metres


class TooMuchCuttingError(Exception):
    """Planes cut one another in more places than there is time for."""


class Cutting:
    """How much may still be cut: about so many corners are asked for their side of a plane.

    A million takes a tenth of a second. Twenty planes about a room, each cut by all, take 5 000.
    """

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, corners: int) -> None:
        """Count some; raises TooMuchCuttingError where that is too many."""
        self.left -= corners
        if self.left < 0:
            raise TooMuchCuttingError


class PlaneChain:
    """Planes in order, each of which cuts what the ones before it leave."""

    def __init__(self, planes: Iterable[Plane] = ()) -> None:
        self._planes: list[Plane] = list(planes)
        self._rows = np.zeros((0, 4))
        self._lengths = np.zeros(0)
        self._known = 0  # rows that hold planes

    def put(self, place: int, plane: Plane) -> None:
        """Let the chain end with a plane at a place, be that its end or before."""
        del self._planes[place:]
        self._planes.append(plane)
        self._known = min(self._known, place)

    def cut(
        self, polygon: list[Vec3], cutting: Cutting, *, until: int | None = None, but: int = -1
    ) -> list[Vec3]:
        """What all planes leave of a polygon, to the bit as cutting by each of them does.

        ``until`` is the place of the first that doesn't count any more, ``but`` that of one left out.
        """
        end = len(self._planes) if until is None else until
        first, step = 0, FIRST_STEP
        while first < end and polygon:
            last = min(end, first + step)
            numbers: Iterable[int] = range(first, last)
            if first:  # until it was cut a little nearly every plane reaches a polygon
                numbers = self._reaching(polygon, first, last)
                cutting.take(FIRST_STEP + (last - first) // 16)
            for number in numbers:
                if number == but:
                    continue
                plane = nx, ny, nz, d = self._planes[number]
                cutting.take(len(polygon))
                for x, y, z in polygon:
                    if not nx * x + ny * y + nz * z + d >= 0.0:
                        cutting.take(4 * len(polygon))
                        polygon = cut(polygon, plane)
                        break
                if not polygon:
                    break
            first, step = last, 2 * step
        return polygon

    def _reaching(self, polygon: Sequence[Vec3], first: int, last: int) -> Iterable[int]:
        """The planes that may have part of a polygon behind them, by the sphere around its corners."""
        count = len(polygon)
        x, y, z = (sum(p[axis] for p in polygon) / count for axis in range(3))
        radius = max(math.dist((x, y, z), p) for p in polygon)
        size = abs(x) + abs(y) + abs(z) + radius
        if not size < _FAR:
            return range(first, last)  # where nothing is said of rounding
        self._know(last)
        rows = self._rows[first:last]
        with np.errstate(all="ignore"):
            ahead = rows @ (x, y, z, 1.0)
            reach = self._lengths[first:last] * (radius + _MARGIN * size) + np.abs(rows[:, 3]) * _MARGIN
            # ``~`` so that planes whose numbers are none are asked themselves.
            found: list[int] = (first + np.flatnonzero(~(ahead > reach))).tolist()
        return found

    def _know(self, count: int) -> None:
        if count <= self._known:
            return
        if count > len(self._rows):
            self._rows = np.concatenate((self._rows, np.zeros((count, 4))))
            self._lengths = np.concatenate((self._lengths, np.zeros(count)))
        fresh = self._rows[self._known : count]
        fresh[:] = self._planes[self._known : count]
        with np.errstate(all="ignore"):
            self._lengths[self._known : count] = np.sqrt((fresh[:, :3] ** 2).sum(axis=1))
        self._known = count


def cut(polygon: Sequence[Vec3], plane: Plane) -> list[Vec3]:
    """The part of a convex polygon in front of a plane."""
    nx, ny, nz, d = plane
    sides = [nx * x + ny * y + nz * z + d for x, y, z in polygon]
    out: list[Vec3] = []
    for i, b in enumerate(polygon):
        a, da, db = polygon[i - 1], sides[i - 1], sides[i]
        if (da >= 0.0) != (db >= 0.0):
            t = da / (da - db)
            out.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])))
        if db >= 0.0:
            out.append(b)
    return out
