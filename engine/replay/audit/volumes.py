"""Cells as volumes: convex and bounded (dat-format 5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.dat.hex_id import hex_id
from engine.replay.audit.finding import BAD_TREE, CONCAVE, UNFINISHED, Finding
from engine.replay.audit.shape import ROUNDING, CellShape, Shapes, depths_inside, reach_of_sides
from engine.replay.audit.work import TooMuchWorkError, Work

TOLERANCE = 0.01
MOST_SIDES: Final = 1 << 32  # planes by corners, in a landblock; a thousand rooms that are all wrong: 1 << 25
MOST_SIDES_OF_CELL: Final = 1 << 28


def shape_findings(shapes: Shapes) -> Iterator[Finding]:
    """Polygons that cut through their cell, and a tree that is missing or leaves out corners (1 cm).

    Where that is too many corners by too many planes, a finding says so.
    """
    work = Work(MOST_SIDES, MOST_SIDES_OF_CELL)
    for shape in shapes.values():
        work.begin_cell()
        try:
            yield from _of_shape(shape, work)
        except TooMuchWorkError:
            yield Finding(UNFINISHED, f"{hex_id(shape.id)}: its shape: it has too many corners and planes")


def _of_shape(shape: CellShape, work: Work) -> Iterator[Finding]:
    name = hex_id(shape.id)
    frame = shape.cell.frame
    # The structure says in its own space whether anything can be wrong; only then is it measured in place.
    slack = ROUNDING + 2.0 * shape.facts.distorted(frame)
    if shape.facts.crossed > TOLERANCE - slack:
        work.take(len(shape.cell.structure.polygons) * len(shape.facts.corners))
        yield from _crossing(shape, name)
    if not shape.planes:
        if shape.cell.portals:
            yield Finding(BAD_TREE, f"{name} has no cell tree: it holds no point")
        return
    if shape.facts.left_out > TOLERANCE - slack:
        work.take(len(shape.planes) * len(shape.facts.corners))
        out = -min(depths_inside(shape.planes, shape.corners), default=0.0)
        if out > TOLERANCE:
            yield Finding(BAD_TREE, f"{name}: its cell tree leaves out corners by up to {out:.3f} m")


def _crossing(shape: CellShape, name: str) -> Iterator[Finding]:
    frame = shape.cell.frame
    polygons = {k: p for k, p in shape.cell.structure.polygons.items() if p.normal != (0.0, 0.0, 0.0)}
    planes = [(*polygon.normal, polygon.d) for polygon in polygons.values()]
    corners = [frame.to_local(corner) for corner in shape.corners]
    for key, (least, most) in zip(polygons, reach_of_sides(planes, corners), strict=True):
        behind, before = -least, most
        if min(behind, before) > TOLERANCE:
            yield Finding(
                CONCAVE,
                f"{name} polygon {key} has corners {behind:.3f} m behind and {before:.3f} m before it",
            )
