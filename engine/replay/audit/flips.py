"""Where a static look-up goes wrong: spots at portals held by two cells, by none or by a wrong one.

A plane between two cells is always a spot of either within the tolerance of a point test, which is why
membership is carried; what is reported are spots beyond that tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import FLIP, UNFINISHED, Finding, place
from engine.replay.audit.shape import MOST_NEAR, CellShape, Shapes, Through, box_of, each, spread
from engine.replay.audit.work import TooMuchWorkError, Work

STEPS = (0.005, 0.02, 0.05)
BOX_SLACK = 0.01
REACH = max(STEPS) + 2.0 * BOX_SLACK  # from a portal to the box of a cell that is asked
NAMED = 8  # cells that one line names
MOST_LOOKED_UP: Final = 1 << 24  # spots with the cells near each, in a landblock; a thousand rooms: 110,000
MOST_LOOKED_UP_OF_CELL: Final = 1 << 18


def flip_findings(shapes: Shapes, through: Through = each) -> Iterator[Finding]:
    """One finding a portal: the first spot at which a look-up does not find the cell beside it.

    ``through`` hears how far this is. A cell with too many spots says so.
    """
    cells = [shape for shape in shapes.values() if shape.cell.portals]
    tree = BoxTree([shape.box for shape in cells])
    work = Work(MOST_LOOKED_UP, MOST_LOOKED_UP_OF_CELL)
    for shape in through(cells):
        work.begin_cell()
        for portal in shape.cell.portals:
            if len(portal.polygon.vertices) < 3:
                continue
            polygon = shape.portal_polygon(portal.index)
            inward = 1.0 if portal.portal_side == 0 else -1.0
            near = [cells[n] for n in tree.near(box_of(polygon.vertices), REACH, MOST_NEAR)]
            what = f"{hex_id(shape.id)} portal {portal.index}"
            if len(near) > MOST_NEAR:
                text = f"{what}: over {MOST_NEAR} cells come near it; nothing was looked up there"
                yield Finding(UNFINISHED, text)
                continue
            try:
                work.take(len(STEPS) * (1 + len(polygon.vertices)) * (1 + len(near)))
            except TooMuchWorkError:
                yield Finding(
                    UNFINISHED, f"{what}: there are too many spots; nothing is looked up from there on"
                )
                break
            line = _first_flip(
                shape, polygon.vertices, polygon.normal, inward=inward, is_exit=portal.is_exit, near=near
            )
            if line:
                yield Finding(FLIP, f"{what}: {line}")


def _first_flip(
    shape: CellShape,
    corners: Sequence[Vec3],
    n: Vec3,
    *,
    inward: float,
    is_exit: bool,
    near: Sequence[CellShape],
) -> str:
    for x, y, z in spread(corners):
        for step in STEPS:
            k = step * inward
            inside = (x + n[0] * k, y + n[1] * k, z + n[2] * k)
            holders = holders_of(inside, near)
            if holders != [shape.id]:
                return _line(inside, holders, hex_id(shape.id))
            if is_exit:
                outside = (x - n[0] * k, y - n[1] * k, z - n[2] * k)
                holders = holders_of(outside, near)
                if holders:
                    return _line(outside, holders, "the outdoors")
    return ""


def holders_of(p: Vec3, cells: Iterable[CellShape]) -> list[int]:
    """The ids of those cells that hold a point of the block frame, in their order: that of a search by id."""
    x, y, z = p
    return [
        shape.id
        for shape in cells
        if shape.box[0][0] - BOX_SLACK <= x <= shape.box[1][0] + BOX_SLACK
        and shape.box[0][1] - BOX_SLACK <= y <= shape.box[1][1] + BOX_SLACK
        and shape.box[0][2] - BOX_SLACK <= z <= shape.box[1][2] + BOX_SLACK
        and point_inside_cell_bsp(shape.cell.block_planes, x, y, z)
    ]


def _line(p: Vec3, holders: list[int], wanted: str) -> str:
    named = [hex_id(cell_id) for cell_id in holders[:NAMED]]
    if len(holders) > NAMED:
        named.append(f"{len(holders) - NAMED} more")
    found = " and ".join(named) or "no cell"
    return f"{place(p)} is {wanted}, a look-up finds {found}"
