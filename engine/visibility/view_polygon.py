"""View polygons: convex, on the screen; their edges, area and containment (visibility 2.5, passes 3.3).

They are in normalised device coordinates (x right, y up, -1...1), counter-clockwise. Points are plain
``(x, y)`` tuples; a point that is not divided yet is ``(x, y, w)`` with w the distance along the view
direction in metres.
"""

from __future__ import annotations

import math
from typing import Final

from engine.native import mypyc_attr

Ndc = tuple[float, float]
Hom = tuple[float, float, float]

CONTAINED: Final = 1e-4
"""NDC: how far a polygon may stick out of another and still count as contained (visibility 2.5)."""

CUT: Final = 1e-8
"""NDC: less than this outside an edge is rounding, not a reason to cut."""


@mypyc_attr(acyclic=True)
class ViewPolygon:
    """A convex polygon on the screen, counter-clockwise, with its bounding box and area (NDC).

    The whole screen's area is 4.
    """

    __slots__ = ("_edges", "area", "points", "x0", "x1", "y0", "y1")

    def __init__(self, points: list[Ndc]) -> None:
        self.points = points
        x0, y0 = x1, y1 = points[0]
        px, py = points[-1]
        twice = 0.0
        for x, y in points:
            twice += px * y - x * py
            px = x
            py = y
            if x < x0:
                x0 = x
            elif x > x1:
                x1 = x
            if y < y0:
                y0 = y
            elif y > y1:
                y1 = y
        self.x0: float = x0
        self.x1: float = x1
        self.y0: float = y0
        self.y1: float = y1
        self._edges: list[Hom] | None = None
        self.area: float = twice / 2.0

    @property
    def edges(self) -> list[Hom]:
        """Edge terms ``(ex, ey, c)``, ex and ey of unit length: a point lies inside where
        ``ex * y - ey * x + c >= 0``, which is its distance from the edge in NDC.
        """
        edges = self._edges
        if edges is None:
            edges = edge_terms(self.points)
            self._edges = edges
        return edges

    def contains_point(self, x: float, y: float) -> bool:
        """Whether a point lies inside or on the border."""
        return all(ex * y - ey * x + c >= -CUT for ex, ey, c in self.edges)

    def is_full(self) -> bool:
        """Whether the polygon covers the whole screen."""
        edge = 1.0 - 2.0 * CUT
        if self.x0 > -edge or self.x1 < edge or self.y0 > -edge or self.y1 < edge:
            return False  # mostly so, and without the edges' terms
        return (
            self.contains_point(-1.0, -1.0)
            and self.contains_point(1.0, -1.0)
            and self.contains_point(1.0, 1.0)
            and self.contains_point(-1.0, 1.0)
        )

    def __repr__(self) -> str:
        return f"ViewPolygon({self.points})"


def full_view() -> ViewPolygon:
    """The whole screen."""
    return ViewPolygon([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def edge_terms(points: list[Ndc]) -> list[Hom]:
    """The inside tests of a convex polygon's edges; an edge without length is left out."""
    out: list[Hom] = []
    ax, ay = points[-1]
    for bx, by in points:
        ex = bx - ax
        ey = by - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length > 1e-12:
            ex /= length
            ey /= length
            out.append((ex, ey, ey * ax - ex * ay))
        ax, ay = bx, by
    return out


def contains(outer: ViewPolygon, inner: ViewPolygon) -> bool:
    """Whether a polygon lies in another within the tolerance CONTAINED."""
    if (
        inner.x0 < outer.x0 - CONTAINED
        or inner.x1 > outer.x1 + CONTAINED
        or inner.y0 < outer.y0 - CONTAINED
        or inner.y1 > outer.y1 + CONTAINED
    ):
        return False
    points = inner.points
    for ex, ey, c in outer.edges:
        for x, y in points:
            if ex * y - ey * x + c < -CONTAINED:
                return False
    return True


def bounding_box(views: list[ViewPolygon]) -> ViewPolygon:
    """The upright rectangle around view polygons."""
    x0 = min([v.x0 for v in views])
    x1 = max([v.x1 for v in views])
    y0 = min([v.y0 for v in views])
    y1 = max([v.y1 for v in views])
    return ViewPolygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def dilate(view: ViewPolygon, width: float, height: float, pixels: float = 0.25) -> list[Ndc]:
    """The polygon with every edge moved outward by ``pixels``: what a stencil mark draws (passes 3.3).

    A quarter of a pixel closes the cracks that rounding leaves beside a region, and no pixel's centre more is
    covered by one whose edges lie on whole pixels. Corners are mitred, and bevelled where the mitre would
    reach more than four times as far. A view of the full screen comes back as it is. ``width`` and ``height``
    are the viewport's, in pixels.
    """
    if view.is_full():
        return list(view.points)
    sx, sy = width / 2.0, height / 2.0
    ring: list[tuple[float, float, float, float]] = []  # corners, each with the normal of the edge after it
    px, py = view.points[-1]
    px *= sx
    py *= sy
    for x, y in view.points:
        x *= sx
        y *= sy
        ex = x - px
        ey = y - py
        length = math.sqrt(ex * ex + ey * ey)
        if length > 1e-9:
            ring.append((px, py, ey / length, -ex / length))
        px = x
        py = y
    out: list[Ndc] = []
    if not ring:
        return out
    _, _, ax, ay = ring[-1]
    for x, y, bx, by in ring:
        # The mitre m = (a + b) / (1 + a.b) has a.m = b.m = 1 and the length sqrt(2 / (1 + a.b)).
        k = 1.0 + ax * bx + ay * by
        if k * 8.0 >= 1.0:
            out.append(((x + pixels * (ax + bx) / k) / sx, (y + pixels * (ay + by) / k) / sy))
        else:
            out.append(((x + pixels * ax) / sx, (y + pixels * ay) / sy))
            out.append(((x + pixels * bx) / sx, (y + pixels * by) / sy))
        ax = bx
        ay = by
    return out


def total_area(views: tuple[ViewPolygon, ...]) -> float:
    """Sum of regions' areas as a fraction of the screen; regions may overlap."""
    total = 0.0
    for v in views:
        total += v.area
    return total / 4.0
