"""What a flood needs of a cell graph: stab lists and the seen-outside flag (visibility 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.finding import (
    ASYMMETRIC,
    UNFINISHED,
    UNFLAGGED_EXIT,
    UNKNOWN_STAB,
    UNLISTED,
    Finding,
    place,
)
from engine.replay.audit.shape import CellShape, Shapes, depths_inside
from engine.replay.audit.sight_lines import SightLines
from engine.replay.audit.work import TooMuchWorkError, Work
from engine.visibility.pview import PView, stab_set
from engine.visibility.view import View
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell

FIELD = 91.0  # degrees: six of them, one a side of a cube, leave nothing out
PIXELS = 512.0
LOOKS = ((0.0, 0.0), (90.0, 0.0), (180.0, 0.0), (270.0, 0.0), (0.0, 90.0), (0.0, -90.0))
INSET = 0.15
PLANES_A_CORNER: Final = 8  # that an eye is compared with in the time that a flood takes for a corner
LEAST_FLOOD: Final = 50  # as many corners as a flood takes that comes nowhere
MOST_FLOODED: Final = (
    1 << 23
)  # corners, in a landblock: a sixth of a minute; nothing in sound worlds is flooded
MOST_FLOODED_OF_CELL: Final = 1 << 20


def stab_findings(shapes: Shapes) -> Iterator[Finding]:
    """Stab lists that name cells which are not there or do not name back, or lack a neighbour."""
    listed_by = {cell_id: stab_set(shape.cell) for cell_id, shape in shapes.items()}
    for shape in shapes.values():
        cell = shape.cell
        for other_id in cell.stab_list:
            other = shapes.get(other_id)
            if other is None:
                yield Finding(UNKNOWN_STAB, f"{hex_id(cell.id)} lists {hex_id(other_id)}, which is not there")
            elif cell.id not in listed_by[other_id]:
                yield Finding(
                    ASYMMETRIC, f"{hex_id(cell.id)} lists {hex_id(other_id)}, which does not list it"
                )
        listed = listed_by[cell.id]
        for portal in cell.portals:
            if portal.other_cell_id in shapes and portal.other_cell_id not in listed:
                yield Finding(
                    UNLISTED,
                    f"{hex_id(cell.id)} portal {portal.index} leads to {hex_id(portal.other_cell_id)}, "
                    "which its stab list lacks",
                )


def exit_findings(shapes: Shapes, graph: CellGraph) -> Iterator[Finding]:
    """Cells without the seen-outside flag from which a flood over the stab list reaches an exit.

    Where that takes too many floods, through too many openings, a finding says so.
    """
    leading = leading_out(shapes)
    lines = SightLines(shapes)
    work = Work(MOST_FLOODED, MOST_FLOODED_OF_CELL)
    for shape in shapes.values():
        if shape.id not in leading or shape.cell.seen_outside:
            continue
        if may_reach_exit(shape.cell, graph):
            work.begin_cell()
            try:
                seen = seen_exit(shape, graph, lines, work)
            except TooMuchWorkError:
                yield Finding(
                    UNFINISHED,
                    f"{hex_id(shape.id)}: whether it sees an exit: it has too many corners, or openings",
                )
                continue
            if seen is not None:
                eye, cell_id, portal = seen
                yield Finding(
                    UNFLAGGED_EXIT,
                    f"{hex_id(shape.id)} has no seen-outside flag; from {place(eye)} the exit "
                    f"portal {portal} of {hex_id(cell_id)} is seen",
                )


def leading_out(shapes: Shapes) -> set[int]:
    """The cells from which portals lead to an exit, whatever the stab lists say."""
    comes_from: dict[int, list[int]] = {}
    todo = []
    for shape in shapes.values():
        for portal in shape.cell.portals:
            if portal.is_exit:
                todo.append(shape.id)
            else:
                comes_from.setdefault(portal.other_cell_id, []).append(shape.id)
    found = set(todo)
    while todo:
        for cell_id in comes_from.get(todo.pop(), ()):
            if cell_id not in found:
                found.add(cell_id)
                todo.append(cell_id)
    return found


def may_reach_exit(root: EnvCell, graph: CellGraph) -> bool:
    """Whether portals lead from a cell through its stab list to an exit at all."""
    allowed = stab_set(root)
    todo, known = [root], {root.id}
    while todo:
        cell = todo.pop()
        for portal in cell.portals:
            if portal.is_exit:
                return True
            other_id = portal.other_cell_id
            other = graph.get_visible(other_id) if other_id in allowed and other_id not in known else None
            if isinstance(other, EnvCell):
                known.add(other_id)
                todo.append(other)
    return False


def seen_exit(
    shape: CellShape, graph: CellGraph, lines: SightLines | None = None, work: Work | None = None
) -> tuple[Vec3, int, int] | None:
    """An eye in a cell, and the cell and index of an exit portal that a flood from there passes.

    With ``lines`` floods that are sure to pass none are left out; the answer is the same. ``work`` counts the
    corners of all openings that each flood may come to. Raises TooMuchWorkError.
    """
    allowed = stab_set(shape.cell)
    places = list(eyes(shape))
    ask = (
        lines
        if lines is not None and all(c in lines.shapes or graph.get_visible(c) is None for c in allowed)
        else None
    )
    exits = ask.exits(allowed) if ask is not None else []
    corners_of_exits = sum(len(opening.corners) for opening in exits)
    take = _take_nothing if work is None else work.take
    take(len(places) * len(shape.cell.portals) // PLANES_A_CORNER)
    if ask is not None and not ask.may_pass(shape.id, places, allowed, exits):
        return None
    corners = LEAST_FLOOD + sum(_corners_of_openings(graph, cell_id) for cell_id in allowed)
    for eye in places:
        for yaw, pitch in LOOKS:
            take(corners_of_exits)
            view = View.from_angles(eye, yaw, pitch, fov_y=FIELD, width=PIXELS, height=PIXELS)
            if ask is not None and not any(opening.in_view(view) for opening in exits):
                continue
            take(corners)
            flood = PView(graph, view, draw_landscape=True, allowed=allowed).construct(shape.id)
            if flood.outside:
                cell_id, portal = next(iter(flood.exit_portals()), (shape.id, -1))
                return eye, cell_id, portal
    return None


def _take_nothing(_work: int) -> None:
    """Nobody counts."""


def _corners_of_openings(graph: CellGraph, cell_id: int) -> int:
    cell = graph.get_visible(cell_id)
    if not isinstance(cell, EnvCell):
        return 0
    return sum(len(portal.polygon.vertices) for portal in cell.portals)


def eyes(shape: CellShape) -> Iterator[Vec3]:
    """Where one looks from: the middle, near every corner and before every portal, inside the cell."""
    cx, cy, cz = shape.center
    yield shape.center
    spots = dict.fromkeys(shape.corners)
    for portal in shape.cell.portals:
        polygon = shape.portal_polygon(portal.index)
        n = len(polygon.vertices)
        if n:
            x, y, z = (sum(corner[axis] for corner in polygon.vertices) / n for axis in range(3))
            spots[x, y, z] = None
    places = [(x + (cx - x) * INSET, y + (cy - y) * INSET, z + (cz - z) * INSET) for x, y, z in spots]
    for eye, depth in zip(places, depths_inside(shape.planes, places), strict=True):
        if depth > 0.0:
            yield eye
