"""Where a static look-up goes wrong: spots at portals held by two cells, by none or by a wrong one.

A plane between two cells is always a spot of either within the tolerance of a point test, which is why
membership is carried; what is reported are spots beyond that tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.dat.values import Vec3
from engine.replay.audit.finding import FLIP, Finding, hex_id, place
from engine.replay.audit.shape import CellShape, spread

STEPS = (0.005, 0.02, 0.05)
Shapes = Mapping[int, CellShape]


def flip_findings(shapes: Shapes) -> Iterator[Finding]:
    """One finding a portal: the first spot at which a look-up does not find the cell beside it."""
    for shape in shapes.values():
        for portal in shape.cell.portals:
            if len(portal.polygon.vertices) < 3:
                continue
            polygon = shape.portal_polygon(portal.index)
            inward = 1.0 if portal.portal_side == 0 else -1.0
            line = _first_flip(shape, polygon.vertices, polygon.normal, inward, portal.is_exit, shapes)
            if line:
                yield Finding(FLIP, f"{hex_id(shape.id)} portal {portal.index}: {line}")


def _first_flip(
    shape: CellShape, corners: Sequence[Vec3], n: Vec3, inward: float, is_exit: bool, shapes: Shapes
) -> str:
    for x, y, z in spread(corners):
        for step in STEPS:
            k = step * inward
            inside = (x + n[0] * k, y + n[1] * k, z + n[2] * k)
            holders = holders_of(inside, shapes)
            if holders != [shape.id]:
                return _line(inside, holders, hex_id(shape.id))
            if is_exit:
                outside = (x - n[0] * k, y - n[1] * k, z - n[2] * k)
                holders = holders_of(outside, shapes)
                if holders:
                    return _line(outside, holders, "the outdoors")
    return ""


def holders_of(p: Vec3, shapes: Shapes) -> list[int]:
    """The ids of the cells that hold a point of the block frame, in the order of a search by id."""
    return [
        cell_id
        for cell_id, shape in shapes.items()
        if shape.cell.portals
        and all(
            low - 0.01 <= c <= high + 0.01 for low, c, high in zip(shape.box[0], p, shape.box[1], strict=True)
        )
        and point_inside_cell_bsp(shape.planes or None, *p)
    ]


def _line(p: Vec3, holders: list[int], wanted: str) -> str:
    found = " and ".join(hex_id(cell_id) for cell_id in holders) or "no cell"
    return f"{place(p)} is {wanted}, a look-up finds {found}"
