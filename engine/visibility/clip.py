"""Clipping of polygons against view polygons (visibility 2.7, 2.10)."""

from __future__ import annotations

import math
from typing import Final

from engine.visibility.tidy import TidyLimits, tidy
from engine.visibility.view_polygon import CUT, Hom, Ndc, ViewPolygon
from engine.world.tolerance import EPS

STRADDLE: Final = 0.002
"""Metres: an eye nearer to a portal's plane looks through it by the straddle rule (visibility 2.10).

In the plane itself the opening's picture is a line: clipped, the next room would be gone for a frame.
"""


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
    cut = -CUT
    for ex, ey, c in edges:
        for x, y in points:
            if ex * y - ey * x + c < cut:
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


def clip_half(view: ViewPolygon, a: float, b: float, c: float, *, limits: TidyLimits) -> ViewPolygon | None:
    """The part of a view polygon where ``a * x + b * y + c >= 0``: the straddle's half (visibility 2.10)."""
    length = math.sqrt(a * a + b * b)
    if length < 1e-12:
        return view if c >= 0.0 else None
    flat = clip_edges(view.points, [(b / length, -a / length, c / length)])
    if flat is view.points:
        return view
    return tidy(flat, limits) if flat else None
