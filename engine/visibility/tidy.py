"""Which view polygons are large enough to go on with, and with which corners (copy_view, visibility 2.8)."""

from __future__ import annotations

import math
from typing import Final

from engine.native import mypyc_attr
from engine.visibility.view_polygon import Ndc, ViewPolygon, edge_terms

MAX_VERTICES: Final = 31
"""Above this a polygon's nearly straight corners are dropped and the flood counts it (visibility 2.8)."""

_SNAP: Final = 1.0 / 128.0  # pixels: twice what rasterizers round corners to


class TidyRule:
    """What ``tidy`` merges and rejects, in pixels (visibility 2.8).

    ``merge``: a point nearer to the last kept one on both axes is dropped. ``collinear``: a point
    nearer to the line through its neighbours is dropped, 0 for never. ``min_extent`` and ``min_area``:
    a polygon smaller than the extent in both directions, or than the area (px²), is rejected.
    """

    __slots__ = ("collinear", "merge", "min_area", "min_extent")

    def __init__(self, merge: float, collinear: float, min_extent: float, min_area: float) -> None:
        self.merge = merge
        self.collinear = collinear
        self.min_extent = min_extent
        self.min_area = min_area


# Merging at 1 pixel moves edges by as much. That does no harm where regions only choose cells, but here they
# restrict pixels, and cracks would open between a wall and the region beside it.
EXACT_TIDY: Final = TidyRule(0.02, 0.0, 0.5, 1e-6)
# The original's own, which case V31 pins: to compare with (visibility 2.8).
ORIGINAL_TIDY: Final = TidyRule(1.0, 0.5, 0.0, 0.0)


@mypyc_attr(acyclic=True)
class TidyLimits:
    """A tidy rule on a viewport of ``width`` x ``height`` pixels: the same limits in NDC."""

    __slots__ = ("collinear", "half_h", "half_w", "merge_x", "merge_y", "min_area", "min_x", "min_y")

    def __init__(self, rule: TidyRule, width: float, height: float) -> None:
        self.half_w = width / 2.0
        self.half_h = height / 2.0
        self.merge_x = rule.merge / self.half_w
        self.merge_y = rule.merge / self.half_h
        self.collinear = rule.collinear
        self.min_x = rule.min_extent / self.half_w
        self.min_y = rule.min_extent / self.half_h
        self.min_area = rule.min_area / (self.half_w * self.half_h)


def tidy(points: list[Ndc], limits: TidyLimits) -> ViewPolygon | None:
    """Merge points that fall together and reject what is too small to see (copy_view, visibility 2.8).

    By the exact rule a speck or a sliver that covers a pixel's centre is kept however small it is: nothing
    else would paint that pixel.
    """
    kept = points
    tx, ty = limits.merge_x, limits.merge_y
    lx, ly = points[-1]
    for x, y in points:
        if -tx < x - lx < tx and -ty < y - ly < ty:  # seldom: mostly none falls on the last one
            kept = _merge_points(points, tx, ty)
            break
        lx = x
        ly = y
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
    if out.area < limits.min_area:
        return None
    if out.x1 - out.x0 < limits.min_x and out.y1 - out.y0 < limits.min_y:
        tiny = True
    return None if tiny and not covers_centre(points, limits) else out


def covers_centre(points: list[Ndc], limits: TidyLimits) -> bool:
    """Whether a convex polygon covers the centre of a pixel, within the precision of a rasterizer."""
    xs = [(x + 1.0) * limits.half_w - 0.5 for x, _ in points]  # centres lie on whole numbers
    ys = [(y + 1.0) * limits.half_h - 0.5 for _, y in points]
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    upright = right - left < high - low
    if upright:  # the fewer lines of pixels are looked along
        left, right, low, high = low, high, left, right
    # A sliver runs aslant to them: along a line its border is that much farther off than across it.
    reach = _SNAP * max(1.0, (right - left) / max(high - low, _SNAP))
    first, last = math.ceil(low - _SNAP), math.floor(high + _SNAP)
    if first > last or math.ceil(left - reach) > math.floor(right + reach):
        return False  # mostly so: its box lies between the centres
    terms = edge_terms(list(zip(xs, ys, strict=True)))
    if upright:
        xs, ys = ys, xs
    for k in range(first, last + 1):
        left, right = _span(xs, ys, min(max(float(k), low), high))
        for i in range(math.ceil(left - reach), math.floor(right + reach) + 1):
            x, y = (k, i) if upright else (i, k)
            if all(ex * y - ey * x + c >= -_SNAP for ex, ey, c in terms):
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
    """The points without those that fall on the last one kept."""
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
