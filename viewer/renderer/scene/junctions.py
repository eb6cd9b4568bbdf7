"""T-junctions closed: a corner of one polygon on the edge of another leaves single pixels unpainted there.

Triangles are split at such corners when a mesh is made, so that neighbours share all their edges' ends.
Of a mesh that is far from any built room some are left open.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from engine.dat.values import Vec3

Corner = tuple[Vec3, Vec3, tuple[float, float]]  # position, normal, uv
Edge = tuple[Vec3, Vec3]
Points = NDArray[np.float64]  # shape (n, 3)

_ON_LINE = 0.002  # metres off an edge at which a corner still counts as lying on it
_FROM_END = 0.005  # metres from an edge's ends
_AT_ONCE = 1 << 22  # pairs of an edge and a corner: more than any built room has
_MOST_PAIRS = 1 << 29  # where there are more none are looked at
_MOST_FOUND = 1 << 16  # corners on edges of a mesh; each is one more triangle for both sides


class Junctions:
    """The corners that lie inside edges of a mesh's polygons, its own and those of neighbours."""

    def __init__(self, polygons: Iterable[tuple[Corner, ...]]) -> None:
        rings = [[corner[0] for corner in polygon] for polygon in polygons]
        self.points: Points = np.array(sorted({p for ring in rings for p in ring}), float).reshape(-1, 3)
        self._edges = sorted({_edge(ring[k - 1], ring[k]) for ring in rings for k in range(len(ring))})
        self._inside: dict[Edge, list[tuple[float, Vec3]]] = {}
        self._left = _MOST_FOUND
        self._find(self.points)

    def with_points(self, points: Points) -> Junctions:
        """The same with further points, those of neighbouring meshes in this one's space."""
        out = copy(self)
        out._inside = {edge: list(found) for edge, found in self._inside.items()}  # noqa: SLF001 - one of its own kind
        out._find(points)  # noqa: SLF001
        return out

    def split(self, triangle: tuple[Corner, Corner, Corner]) -> list[Corner]:
        """A triangle as corners of triangles, three each, cut at the corners on its edges.

        It is fanned from its middle, where normal and UV are the mean: within a triangle that is exact.
        """
        ring: list[Corner] = []
        for k in range(3):
            a, b = triangle[k], triangle[(k + 1) % 3]
            ring.append(a)
            edge = _edge(a[0], b[0])
            found = self._inside.get(edge, ())
            if edge[0] == a[0]:
                ring.extend(_between(a, b, t, p) for t, p in found)
            else:
                ring.extend(_between(a, b, 1.0 - t, p) for t, p in reversed(found))
        if len(ring) == 3:
            return ring
        middle = _mean(triangle)
        return [c for k in range(len(ring)) for c in (middle, ring[k - 1], ring[k])]

    def _find(self, points: Points) -> None:
        """Add what points lie on which edges."""
        if not self._edges or not len(points):
            return
        a, b = (np.array([edge[k] for edge in self._edges], float) for k in (0, 1))
        d = b - a
        lengths = np.maximum(np.linalg.norm(d, axis=1), 1e-9)[:, None]
        d /= lengths
        if len(a) * len(points) > _MOST_PAIRS:
            return
        rows = max(1, _AT_ONCE // len(points))
        for first in range(0, len(a), rows):
            some = slice(first, first + rows)
            self._find_on(self._edges[some], points, a=a[some], d=d[some], lengths=lengths[some])

    def _find_on(
        self, edges: Sequence[Edge], points: Points, *, a: Points, d: Points, lengths: Points
    ) -> None:
        """Of some edges, with where they begin, their directions and how long they are."""
        along = d @ points.T - np.einsum("ij,ij->i", d, a)[:, None]
        square = (
            np.einsum("ij,ij->i", points, points)[None, :]
            - 2.0 * (a @ points.T)
            + np.einsum("ij,ij->i", a, a)[:, None]
        )
        on_line = square - along * along < _ON_LINE * _ON_LINE
        found = np.nonzero(on_line & (along > _FROM_END) & (along < lengths - _FROM_END))
        for e, p in zip(*found, strict=True):
            if self._left <= 0:
                return
            x, y, z = (float(v) for v in points[p])
            entry = (float(along[e, p] / lengths[e, 0]), (x, y, z))
            entries = self._inside.setdefault(edges[e], [])
            at = bisect_left(entries, entry)
            beside = entries[max(0, at - 1) : at + 1]
            if all(abs(entry[0] - t) * lengths[e, 0] > _FROM_END for t, _ in beside):
                entries.insert(at, entry)
                self._left -= 1


def _edge(a: Vec3, b: Vec3) -> Edge:
    return (a, b) if a <= b else (b, a)


def _between(a: Corner, b: Corner, t: float, place: Vec3) -> Corner:
    """A corner at ``place``, a fraction ``t`` of the way from a to b."""
    n = [x + (y - x) * t for x, y in zip(a[1], b[1], strict=True)]
    u, v = (x + (y - x) * t for x, y in zip(a[2], b[2], strict=True))
    return (place, (n[0], n[1], n[2]), (u, v))


def _mean(triangle: tuple[Corner, Corner, Corner]) -> Corner:
    p, n = (tuple(sum(c[k][i] for c in triangle) / 3.0 for i in range(3)) for k in (0, 1))
    u, v = (sum(c[2][i] for c in triangle) / 3.0 for i in range(2))
    return ((p[0], p[1], p[2]), (n[0], n[1], n[2]), (u, v))
