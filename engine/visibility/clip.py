"""View polygons and their clipping (rendering 2.7-2.10).

A view polygon is a convex polygon in normalised device coordinates (x right, y up, -1...1),
counter-clockwise. Points are plain ``(x, y)`` tuples; a point that is not divided yet is
``(x, y, w)`` with w the distance along the view direction in metres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

Ndc = tuple[float, float]
Hom = tuple[float, float, float]

EPS: Final = 0.0002
"""Metres: in-plane tolerance of sidedness and the smallest w that a clip keeps (rendering 0.1)."""

STRADDLE: Final = 0.002
"""Metres: an eye nearer to a portal's plane than this looks through it by the straddle rule (2.10)."""

CONTAINED: Final = 1e-4
"""NDC: how far a polygon may stick out of another and still count as contained (2.5)."""

MAX_VERTICES: Final = 31
"""Above this a polygon's nearly straight corners are dropped and the flood counts it (2.8)."""

_SNAP: Final = 1.0 / 128.0  # pixels: twice what rasterizers round corners to
_CUT: Final = 1e-8  # NDC; less than this outside an edge is rounding, not a reason to cut


class TidyRule:
    """What ``tidy`` merges and rejects, in pixels (rendering 2.8).

    ``merge``: a point nearer to the last kept one on both axes is dropped. ``collinear``: a point
    nearer to the line through its neighbours is dropped, 0 for never. ``min_extent`` and ``min_area``:
    a polygon smaller than the extent in both directions, or than the area (px²), is rejected.
    """

    def __init__(self, merge: float, collinear: float, min_extent: float, min_area: float) -> None:
        self.merge = merge
        self.collinear = collinear
        self.min_extent = min_extent
        self.min_area = min_area


EXACT_TIDY: Final = TidyRule(0.02, 0.0, 0.5, 1e-6)
ORIGINAL_TIDY: Final = TidyRule(1.0, 0.5, 0.0, 0.0)


class TidyLimits:
    """A tidy rule on a viewport of ``width`` x ``height`` pixels: the same limits in NDC."""

    def __init__(self, rule: TidyRule, width: float, height: float) -> None:
        self.half_w = width / 2.0
        self.half_h = height / 2.0
        self.merge_x = rule.merge / self.half_w
        self.merge_y = rule.merge / self.half_h
        self.collinear = rule.collinear
        self.min_x = rule.min_extent / self.half_w
        self.min_y = rule.min_extent / self.half_h
        self.min_area = rule.min_area / (self.half_w * self.half_h)


class ViewPolygon:
    """A convex polygon on the screen, counter-clockwise, with its bounding box (NDC)."""

    __slots__ = ("_area", "_edges", "points", "x0", "x1", "y0", "y1")

    def __init__(self, points: Sequence[Ndc]) -> None:
        self.points: list[Ndc] = list(points)
        xs = [x for x, _ in self.points]
        ys = [y for _, y in self.points]
        self.x0: float = min(xs)
        self.x1: float = max(xs)
        self.y0: float = min(ys)
        self.y1: float = max(ys)
        self._edges: list[Hom] | None = None
        self._area: float | None = None

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

    def area(self) -> float:
        """Area in NDC units (the whole screen is 4)."""
        known = self._area
        if known is None:
            known = area(self.points)
            self._area = known
        return known

    def contains_point(self, x: float, y: float) -> bool:
        """Whether a point lies inside or on the border."""
        return all(ex * y - ey * x + c >= -_CUT for ex, ey, c in self.edges)

    def is_full(self) -> bool:
        """Whether the polygon covers the whole screen."""
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


def area(points: Sequence[Ndc]) -> float:
    """Signed area of a polygon, positive when counter-clockwise."""
    total = 0.0
    px, py = points[-1]
    for x, y in points:
        total += px * y - x * py
        px, py = x, y
    return total / 2.0


def edge_terms(points: Sequence[Ndc]) -> list[Hom]:
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


def clip_w(points: list[Hom]) -> list[Ndc]:
    """Cut a polygon at w >= EPS and divide: its points in NDC, empty when all of it lies behind.

    The cut interpolates all three components; nothing is dropped for lying partly behind the eye.
    """
    for p in points:
        if p[2] < EPS:
            break
    else:
        return [(x / w, y / w) for x, y, w in points]
    out: list[Ndc] = []
    px, py, pw = points[-1]
    for x, y, w in points:
        if (w >= EPS) != (pw >= EPS):
            t = (pw - EPS) / (pw - w)
            out.append(((px + t * (x - px)) / EPS, (py + t * (y - py)) / EPS))
        if w >= EPS:
            out.append((x / w, y / w))
        px, py, pw = x, y, w
    return out if len(out) >= 3 else []


def clip_edges(points: list[Ndc], edges: list[Hom]) -> list[Ndc]:
    """Cut a convex polygon by every edge of another (Sutherland-Hodgman).

    Returns the very list it was given where nothing is cut off, an empty one where nothing is left.
    """
    for ex, ey, c in edges:
        for x, y in points:
            if ex * y - ey * x + c < -_CUT:
                break
        else:
            continue  # all inside: the common case costs no list
        out: list[Ndc] = []
        px, py = points[-1]
        pf = ex * py - ey * px + c
        for q in points:
            x, y = q
            f = ex * y - ey * x + c
            if f >= 0.0:
                if pf < 0.0:
                    t = pf / (pf - f)
                    out.append((px + t * (x - px), py + t * (y - py)))
                out.append(q)
            elif pf >= 0.0:
                t = pf / (pf - f)
                out.append((px + t * (x - px), py + t * (y - py)))
            px = x
            py = y
            pf = f
        if len(out) < 3:
            return []
        points = out
    return points


def clip_polygon(points: list[Hom], view: ViewPolygon, limits: TidyLimits) -> ViewPolygon | None:
    """What a view polygon shows of a polygon, None when nothing (rendering 2.7).

    ``points`` are counter-clockwise as seen by the eye (see ``View.project_polygon``).
    """
    flat = clip_w(points)
    if flat:
        flat = clip_edges(flat, view.edges)
    return tidy(flat, limits) if flat else None


def clip_half(view: ViewPolygon, a: float, b: float, c: float, limits: TidyLimits) -> ViewPolygon | None:
    """The part of a view polygon where ``a * x + b * y + c >= 0``: the half of the straddle rule (2.10)."""
    length = math.sqrt(a * a + b * b)
    if length < 1e-12:
        return view if c >= 0.0 else None
    flat = clip_edges(view.points, [(b / length, -a / length, c / length)])
    if flat is view.points:
        return view
    return tidy(flat, limits) if flat else None


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


def tidy(points: list[Ndc], limits: TidyLimits) -> ViewPolygon | None:
    """Merge points that fall together and reject what is too small to see (copy_view, rendering 2.8).

    By the exact rule a speck or a sliver that covers a pixel's centre is kept however small it is: nothing
    else would paint that pixel.
    """
    kept = _merge_points(points, limits.merge_x, limits.merge_y)
    if limits.collinear > 0.0:
        kept = _drop_collinear(kept, limits, limits.collinear)
    elif len(kept) > MAX_VERTICES:
        kept = _drop_collinear(kept, limits, EXACT_TIDY.merge)
    tiny = False
    if len(kept) < 3:
        if len(points) < 3 or limits.min_area <= 0.0:
            return None
        kept = points
        tiny = True
    out = ViewPolygon(kept)
    if out.area() < limits.min_area:
        return None
    if out.x1 - out.x0 < limits.min_x and out.y1 - out.y0 < limits.min_y:
        tiny = True
    return None if tiny and not covers_centre(points, limits) else out


def covers_centre(points: list[Ndc], limits: TidyLimits) -> bool:
    """Whether a convex polygon covers the centre of a pixel, within the precision of a rasterizer."""
    xs = [(x + 1.0) * limits.half_w - 0.5 for x, _ in points]  # centres lie on whole numbers
    ys = [(y + 1.0) * limits.half_h - 0.5 for _, y in points]
    if max(xs) - min(xs) < max(ys) - min(ys):
        xs, ys = ys, xs  # the fewer lines of pixels are looked along
    low, high = min(ys), max(ys)
    # A sliver runs aslant to them: along a line its border is that much farther off than across it.
    reach = _SNAP * max(1.0, (max(xs) - min(xs)) / max(high - low, _SNAP))
    for k in range(math.ceil(low - _SNAP), math.floor(high + _SNAP) + 1):
        left, right = _span(xs, ys, min(max(float(k), low), high))
        if math.floor(right + reach) >= math.ceil(left - reach):
            return True
    return False


def _span(xs: list[float], ys: list[float], line: float) -> Ndc:
    """Where a polygon begins and ends along the line y = ``line``, which meets it."""
    hits: list[float] = []
    px, py = xs[-1], ys[-1]
    for i, x in enumerate(xs):
        y = ys[i]
        if py == y == line:
            hits.append(px)
            hits.append(x)
        elif min(py, y) <= line <= max(py, y):
            hits.append(px + (line - py) / (y - py) * (x - px))
        px, py = x, y
    return min(hits), max(hits)


def _merge_points(points: list[Ndc], tx: float, ty: float) -> list[Ndc]:
    kept: list[Ndc] = []
    lx, ly = points[-1]
    for p in points:
        x, y = p
        if -tx < x - lx < tx and -ty < y - ly < ty:
            continue
        kept.append(p)
        lx = x
        ly = y
    return kept


def _drop_collinear(points: list[Ndc], limits: TidyLimits, tolerance: float) -> list[Ndc]:
    """Drop points nearer than ``tolerance`` pixels to the longer of the two spans beside them."""
    sx, sy = limits.half_w, limits.half_h
    kept = list(points)
    i = 0
    while len(kept) > 2 and i < len(kept):
        ax, ay = kept[i - 1]
        bx, by = kept[i]
        cx, cy = kept[(i + 1) % len(kept)]
        ux, uy = (bx - ax) * sx, (by - ay) * sy
        vx, vy = (cx - bx) * sx, (cy - by) * sy
        longer = math.sqrt(max(ux * ux + uy * uy, vx * vx + vy * vy))
        if abs(ux * vy - uy * vx) < tolerance * longer:
            del kept[i]
        else:
            i += 1
    return kept


def bounding_box(views: Sequence[ViewPolygon]) -> ViewPolygon:
    """The upright rectangle around view polygons."""
    x0 = min([v.x0 for v in views])
    x1 = max([v.x1 for v in views])
    y0 = min([v.y0 for v in views])
    y1 = max([v.y1 for v in views])
    return ViewPolygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def dilate(view: ViewPolygon, width: float, height: float, pixels: float = 0.25) -> list[Ndc]:
    """The polygon with every edge moved outward by ``pixels``: what a stencil mark draws (rendering 3.3).

    Corners are mitred, and bevelled where the mitre would reach more than four times as far. A view of
    the full screen comes back as it is. ``width`` and ``height`` are the viewport's, in pixels.
    """
    if view.is_full():
        return list(view.points)
    sx, sy = width / 2.0, height / 2.0
    corners = [(x * sx, y * sy) for x, y in view.points]
    normals: list[Ndc] = []
    ring: list[Ndc] = []
    px, py = corners[-1]
    for p in corners:
        ex, ey = p[0] - px, p[1] - py
        length = math.sqrt(ex * ex + ey * ey)
        if length > 1e-9:
            ring.append((px, py))
            normals.append((ey / length, -ex / length))
        px, py = p
    out: list[Ndc] = []
    for i, (x, y) in enumerate(ring):
        ax, ay = normals[i - 1]
        bx, by = normals[i]
        # The mitre m = (a + b) / (1 + a.b) has a.m = b.m = 1 and the length sqrt(2 / (1 + a.b)).
        k = 1.0 + ax * bx + ay * by
        if k * 8.0 >= 1.0:
            out.append(((x + pixels * (ax + bx) / k) / sx, (y + pixels * (ay + by) / k) / sy))
        else:
            out.append(((x + pixels * ax) / sx, (y + pixels * ay) / sy))
            out.append(((x + pixels * bx) / sx, (y + pixels * by) / sy))
    return out
