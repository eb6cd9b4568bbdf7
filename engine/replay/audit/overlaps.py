"""Cells that hold the same points (dat-format 5.5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import OVERLAP, UNFINISHED, Finding, place
from engine.replay.audit.shape import (
    MOST_NEAR,
    ROUNDING,
    Box,
    CellShape,
    Shapes,
    Through,
    boxes_meet,
    depth_inside,
    each,
    hull_faces,
    mean,
)
from engine.world.plane_cuts import Cutting, TooMuchCuttingError

OVERLAP_DEPTH: Final = 0.005
MOST_PAIRS: Final = 20  # that a cell is the first of; built cells overlap one or two others
MOST_CUTTING: Final = 1 << 24  # of a cell and those near it: pairs of twenty planes take a thousandth


def overlap_findings(shapes: Shapes, through: Through = each) -> Iterator[Finding]:
    """Pairs of cells that both can be picked and hold a common point 5 mm inside each.

    Of cells that lie in one heap not every pair is compared: a finding says so of each cell with more
    overlaps, or more cells near it, than are looked at. ``through`` hears how far this is.
    """
    cells = sorted((s for s in shapes.values() if s.planes and s.cell.portals), key=lambda s: s.box[0][0])
    tree = BoxTree([shape.box for shape in cells])
    for i, a in enumerate(through(cells)):
        near = tree.near(a.box, ROUNDING - 2.0 * OVERLAP_DEPTH, most=MOST_NEAR)
        pairs = 0
        cutting = Cutting(MOST_CUTTING)
        for j in near[:MOST_NEAR]:
            try:
                finding = _overlap(a, cells[j], cutting) if j > i else None
            except TooMuchCuttingError:
                yield Finding(
                    UNFINISHED, f"{hex_id(a.id)} was not compared with all cells near it: too many planes"
                )
                break
            if finding:
                yield finding
                pairs += 1
                if pairs == MOST_PAIRS:
                    yield Finding(
                        UNFINISHED, f"{hex_id(a.id)} overlaps {pairs} cells; more were not looked for"
                    )
                    break
        else:
            if len(near) > MOST_NEAR:
                yield Finding(
                    UNFINISHED,
                    f"{hex_id(a.id)} has over {MOST_NEAR} cells near it; it was not compared with the rest",
                )


def _overlap(a: CellShape, b: CellShape, cutting: Cutting) -> Finding | None:
    if not boxes_meet(a.box, b.box, -2.0 * OVERLAP_DEPTH):
        return None
    if is_behind(b, a, cutting) or is_behind(a, b, cutting):
        return None
    point, depth = common_point(a, b, cutting)
    if depth <= OVERLAP_DEPTH:
        return None
    pair = " and ".join(hex_id(c) for c in sorted((a.id, b.id)))
    return Finding(OVERLAP, f"{pair} both hold {place(point)}, {depth:.3f} m deep")


def is_behind(a: CellShape, b: CellShape, cutting: Cutting) -> bool:
    """Whether one of the planes of ``b`` leaves ``a`` no point deep enough inside ``b`` to be shared.

    As neighbours mostly are to the plane between them. Not said of a cell that its planes don't close, whose
    corners say nothing of how far it reaches. Raises TooMuchCuttingError.
    """
    corners = a.hull_corners
    if not corners or _sticks_out(a.hull_box, a.box):
        return False
    for nx, ny, nz, d in b.planes:
        for asked, (x, y, z) in enumerate(corners):
            if not nx * x + ny * y + nz * z + d <= OVERLAP_DEPTH - ROUNDING:
                cutting.take(1 + asked)
                break
        else:
            cutting.take(len(corners))
            return True
    return False


def _sticks_out(inner: Box, outer: Box) -> bool:
    return any(inner[0][i] < outer[0][i] - 1.0 or inner[1][i] > outer[1][i] + 1.0 for i in range(3))


def common_point(a: CellShape, b: CellShape, cutting: Cutting) -> tuple[Vec3, float]:
    """A point in the middle of what two cells share and its depth in both; negative for nothing.

    Raises TooMuchCuttingError.
    """
    planes = (*a.planes, *b.planes)
    corners = [p for face in hull_faces(planes, a.box, cutting) for p in face]
    if not corners:
        return a.center, -math.inf
    middle = mean(corners)
    return middle, depth_inside(planes, middle)
