"""Points and planes of a model in arrays: thousands are held against thousands (dat-format 5.3, 5.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.dat.values import NO_SPHERE, Plane, Sphere, Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEW: Final = 64
"""Up to so many points are quicker taken one by one."""


def bounds(points: Iterable[Vec3]) -> Sphere:
    """A sphere around points: the middle of their box and the farthest distance from it."""
    all_points = tuple(points)
    if not all_points:
        return NO_SPHERE
    low = [min(p[axis] for p in all_points) for axis in range(3)]
    high = [max(p[axis] for p in all_points) for axis in range(3)]
    center = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    return Sphere(center, max(math.dist(center, p) for p in all_points))


class PointRows:
    """Points, in metres, that are asked for together."""

    def __init__(self, points: Sequence[Vec3]) -> None:
        self._points = points
        self._axes: NDArray[np.float64] = np.array(points, float).reshape(-1, 3).T.copy()
        self._lows, self._highs = (
            function.accumulate(self._axes, axis=1) for function in (np.minimum, np.maximum)
        )

    def distances(self, plane: Plane) -> tuple[float, float]:
        """The least and the greatest distance before a plane; ``points`` must be some."""
        (x, y, z), (xs, ys, zs) = plane.normal, self._axes
        with np.errstate(over="ignore", invalid="ignore"):
            found = x * xs + y * ys + z * zs + plane.d
        return float(found.min()), float(found.max())

    def bounds_of_first(self, count: int) -> Sphere:
        """``bounds`` of so many points from the first on; of many the radius to one part in 10¹⁵."""
        if count <= _FEW:
            return bounds(self._points[:count])
        low, high = self._lows[:, count - 1].tolist(), self._highs[:, count - 1].tolist()
        center = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
        with np.errstate(over="ignore", invalid="ignore"):
            off = self._axes[:, :count] - np.array(center)[:, None]
            far = math.sqrt(float((off * off).sum(axis=0).max()))
        return Sphere(center, far)


class PlaneRows:
    """Planes that are alike within a slack of each of their four numbers count as one."""

    def __init__(self, most: int, slack: float) -> None:
        self._rows: NDArray[np.float64] = np.empty((most, 4))
        self._slack = slack
        self._count = 0

    def find(self, plane: Plane) -> int:
        """The number of the first that is like it; -1 without one."""
        off = np.abs(self._rows[: self._count] - (*plane.normal, plane.d))
        alike = np.flatnonzero((off < self._slack).all(axis=1))
        return int(alike[0]) if len(alike) else -1

    def add(self, plane: Plane) -> None:
        """Another one, with the next number."""
        self._rows[self._count] = (*plane.normal, plane.d)
        self._count += 1
