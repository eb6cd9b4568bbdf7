"""Whether straight lines lead from a cell through portals to an exit: a bound on what floods find.

Lines that leave a cell through one portal and pass a second lie, behind that, between the planes that
separate the two. Every further portal is cut by those planes; where nothing is left of it no eye in the cell
sees it. That is one traversal for a cell, in place of a flood for every eye and direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from engine.dat.values import Vec3
from engine.replay.audit.shape import CellShape, Shapes, plane_distance
from engine.visibility.view import View
from engine.world.cells import PlaneTuple

SLACK: Final = (
    0.005  # metres that a plane leaves more than it has to: floods take an eye in a plane for past it
)
SAME_SIDE: Final = 1e-7
MOST_STEPS: Final = 100  # a way that branches more often is left to the floods
MOST_COMPARED: Final = 1 << 20  # corners for planes between openings: a step between two of eight takes 2,048


class Opening:
    """A portal of a cell in the block's frame; ``outward`` is its plane, positive beyond it."""

    __slots__ = ("corners", "is_exit", "key", "leads_to", "outward")

    def __init__(self, shape: CellShape, index: int) -> None:
        portal = shape.cell.portals[index]
        polygon = shape.portal_polygon(index)
        (x, y, z), d = polygon.normal, polygon.d
        self.key = (shape.id, index)
        self.leads_to = portal.other_cell_id
        self.is_exit = portal.is_exit
        self.corners: Sequence[Vec3] = polygon.vertices
        self.outward: PlaneTuple = (x, y, z, d) if portal.portal_side else (-x, -y, -z, -d)

    def before(self, other: Opening) -> bool:
        """Whether any of another opening lies beyond this one."""
        return not all(plane_distance(self.outward, corner) < -SLACK for corner in other.corners)

    def straddles(self, eye: Vec3) -> bool:
        """Whether an eye is so near to the plane that a flood may take the opening for the whole view."""
        return -SLACK <= plane_distance(self.outward, eye) <= SLACK

    def in_view(self, view: View) -> bool:
        """Whether a flood with this view may see some of it from inside; False is certain."""
        dist = plane_distance(self.outward, view.eye)
        if dist > SLACK:
            return False
        if dist >= -SLACK:
            return True
        points = [view.project(corner) for corner in self.corners]
        wide = SLACK * (1.0 + 1.0 / min(view.tan_x, view.tan_y))
        return not (
            all(w < -SLACK for _, _, w in points)
            or all(x - w > wide for x, _, w in points)
            or all(-x - w > wide for x, _, w in points)
            or all(y - w > wide for _, y, w in points)
            or all(-y - w > wide for _, y, w in points)
        )


class SightLines:
    """The openings of a landblock's cells, kept from one question to the next."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._openings: dict[int, list[Opening]] = {}

    def openings(self, cell_id: int) -> list[Opening]:
        """Those of a cell."""
        found = self._openings.get(cell_id)
        if found is None:
            shape = self.shapes[cell_id]
            found = [Opening(shape, i) for i in range(len(shape.cell.portals))]
            self._openings[cell_id] = found = [opening for opening in found if opening.corners]
        return found

    def exits(self, allowed: set[int]) -> list[Opening]:
        """The exits of those cells."""
        return [
            opening
            for cell_id in allowed
            if cell_id in self.shapes and any(portal.is_exit for portal in self.shapes[cell_id].cell.portals)
            for opening in self.openings(cell_id)
            if opening.is_exit
        ]

    def may_pass(self, root: int, eyes: Iterable[Vec3], allowed: set[int], exits: Sequence[Opening]) -> bool:
        """Whether floods from eyes in a cell, through the cells allowed, may pass one of the exits.

        False is certain. True is also said where it takes too long to find out.
        """
        openings = self.openings(root)
        if any(opening.straddles(eye) for eye in eyes for opening in openings):
            return True
        return _Search(self, allowed).leads_out(openings, exits)


class _Search:
    """One question, and how many steps, and corners compared, it may still take."""

    def __init__(self, lines: SightLines, allowed: set[int]) -> None:
        self._lines = lines
        self._allowed = allowed
        self._left = MOST_STEPS
        self._corners_left = MOST_COMPARED

    def leads_out(self, openings: Sequence[Opening], exits: Sequence[Opening]) -> bool:
        for opening in openings:
            if not self._may_compare(exits):
                return True
            beyond = [exit_ for exit_ in exits if opening.before(exit_)]
            if opening.is_exit or (
                beyond and self._through(opening, opening, opening.corners, beyond, passed=set())
            ):
                return True
        return False

    def _may_compare(self, exits: Sequence[Opening]) -> bool:
        """Whether an opening may be compared with exits of some four corners each; counts them."""
        self._corners_left -= 4 * len(exits)
        return self._corners_left >= 0

    def _through(
        self,
        first: Opening,
        last: Opening,
        seen: Sequence[Vec3],
        exits: list[Opening],
        *,
        passed: set[tuple[int, int]],
    ) -> bool:
        """Whether lines through ``first`` and the part ``seen`` of ``last`` may come to one of the exits."""
        if last.leads_to not in self._allowed or last.leads_to not in self._lines.shapes:
            return False
        self._left -= 1
        if first is not last:
            self._corners_left -= 2 * len(first.corners) * len(seen) * (len(first.corners) + len(seen))
        if min(self._left, self._corners_left) < 0:
            return True
        planes = [first.outward, last.outward]
        if first is not last:
            planes += separating(first.corners, seen)
        passed.add(last.key)
        for opening in self._lines.openings(last.leads_to):
            if not self._may_compare(exits):
                return True
            ahead = [exit_ for exit_ in exits if exit_ is opening or opening.before(exit_)]
            if not ahead or opening.key in passed:
                continue
            part = cut(opening.corners, planes)
            if part and (opening.is_exit or self._through(first, opening, part, ahead, passed=passed)):
                return True
        passed.discard(last.key)
        return False


def cut(polygon: Sequence[Vec3], planes: Sequence[PlaneTuple]) -> Sequence[Vec3]:
    """What of a convex polygon lies before planes or less than the slack behind them."""
    for nx, ny, nz, d in planes:
        sides = [nx * x + ny * y + nz * z + d + SLACK for x, y, z in polygon]
        if not any(side < 0.0 for side in sides):
            continue
        out: list[Vec3] = []
        for i, (p, s) in enumerate(zip(polygon, sides, strict=True)):
            q, t = polygon[i - 1], sides[i - 1]
            if (s < 0.0) != (t < 0.0):
                k = t / (t - s)
                out.append((q[0] + (p[0] - q[0]) * k, q[1] + (p[1] - q[1]) * k, q[2] + (p[2] - q[2]) * k))
            if not s < 0.0:
                out.append(p)
        polygon = out
        if not polygon:
            break
    return polygon


def separating(a: Sequence[Vec3], b: Sequence[Vec3]) -> list[PlaneTuple]:
    """Planes through an edge of one polygon and a corner of the other: ``a`` lies behind, ``b`` before."""
    return [*_on_edges(a, b, turned=False), *_on_edges(b, a, turned=True)]


def _on_edges(edged: Sequence[Vec3], other: Sequence[Vec3], *, turned: bool) -> list[PlaneTuple]:
    found: list[PlaneTuple] = []
    for i, q in enumerate(edged):
        p = edged[i - 1]
        ex, ey, ez = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        for corner in other:
            vx, vy, vz = corner[0] - p[0], corner[1] - p[1], corner[2] - p[2]
            nx, ny, nz = ey * vz - ez * vy, ez * vx - ex * vz, ex * vy - ey * vx
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            if length < SAME_SIDE:
                continue
            nx, ny, nz = nx / length, ny / length, nz / length
            d = -(nx * p[0] + ny * p[1] + nz * p[2])
            ours = [nx * x + ny * y + nz * z + d for x, y, z in edged]
            if max(ours) > SAME_SIDE:
                if min(ours) < -SAME_SIDE:
                    continue
                nx, ny, nz, d = -nx, -ny, -nz, -d
            if all(nx * x + ny * y + nz * z + d >= -SAME_SIDE for x, y, z in other):
                found.append((-nx, -ny, -nz, -d) if turned else (nx, ny, nz, d))
    return found
