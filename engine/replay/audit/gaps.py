"""Cells as closed volumes: one gets out through portals alone (dat-format 5.5, collision 4.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import GAP, UNFINISHED, Finding, place
from engine.replay.audit.shape import (
    ROUNDING,
    Box,
    CellShape,
    Shapes,
    Shells,
    box_of,
    crosses,
    moved,
    spread,
)
from engine.replay.audit.work import TooMuchWorkError, Work
from engine.world.cells import Building, Landblock
from engine.world.frame import Frame
from engine.world.ids import CELL_SIDE
from engine.world.polygon import Polygon
from engine.world.terrain import CELLS

LEAST_AREA: Final = 0.01
BEYOND: Final = 0.02
EDGE_SLACK: Final = 0.01
MANY: Final = 40  # polygons around a cell
NEAR_WAY: Final = 1.0  # metres; an edge's slack reaches farther than itself at a pointed corner
MOST_ASKED: Final = (
    1 << 24
)  # walls in a landblock, each time one is asked; a thousand plain rooms take 1 << 21
MOST_ASKED_OF_CELL: Final = 1 << 21
MOST_KEPT: Final = 1 << 17  # walls in the landblock's frame
WORKED_OUT: Final = 8  # as many as asking takes working one out, or putting it in its place among the others


def gap_findings(shapes: Shapes, block: Landblock) -> Iterator[Finding]:
    """Hull faces through which one gets out: neither wall, nor portal, nor a wall of what lies behind.

    A cell with an exit is also closed by the shell and the ground outside, which its mover meets there. What
    is around a cell is looked at up to a bound, which a finding says.
    """
    walls = Walls(shapes, block.buildings)
    for shape in shapes.values():
        if not shape.cell.portals:
            continue
        openings = [shape.portal_polygon(p.index) for p in shape.cell.portals]
        walls.work.begin_cell()
        try:
            solid = walls.around(shape)
            if any(portal.is_exit for portal in shape.cell.portals):
                solid += [p for p in walls.of_shells(shape.box) if is_near(p, shape)]
                solid += _ground(block, shape)
            # Walls are closed from their front only.
            front = [p for p in solid if p.distance(shape.center) > 0.0]
            yield from _open_faces(shape, _Around(shape.center, openings, front, walls.work))
        except TooMuchWorkError:
            yield Finding(UNFINISHED, f"{hex_id(shape.id)}: its gaps: there are too many walls around it")


class Walls:
    """The walls of cells, and of the buildings' shells, in the landblock's frame.

    Those worked out last are kept; ``work`` counts those that are asked.
    """

    def __init__(self, shapes: Shapes, buildings: Sequence[Building]) -> None:
        self.work = Work(MOST_ASKED, MOST_ASKED_OF_CELL)
        self._kept: dict[tuple[bool, int], list[Polygon]] = {}
        self._count = 0
        self._shapes = shapes
        self._shells = Shells()
        self._buildings = [b for b in buildings if self._shells.polygons(b)]
        self._tree = BoxTree([box_of(self._shells.corners(b)) for b in self._buildings])

    def around(self, shape: CellShape) -> list[Polygon]:
        """Those of a cell and of its neighbours."""
        found: list[Polygon] = []
        for cell_id in dict.fromkeys((shape.id, *(p.other_cell_id for p in shape.cell.portals))):
            other = self._shapes.get(cell_id)
            if other is not None:
                polygons = other.cell.structure.physics_polygons
                found += self._moved((False, cell_id), polygons.values(), len(polygons), other.cell.frame)
        return found

    def of_shells(self, box: Box) -> Iterator[Polygon]:
        """The walls of the shells whose boxes come within a metre of one."""
        for number in self._tree.near(box, 1.0 + ROUNDING):
            building = self._buildings[number]
            polygons = self._shells.polygons(building)
            yield from self._moved((True, number), polygons, len(polygons), building.shell_frame)

    def _moved(
        self, key: tuple[bool, int], polygons: Iterable[Polygon], count: int, frame: Frame
    ) -> list[Polygon]:
        self.work.take(count)
        found = self._kept.get(key)
        if found is None:
            self.work.take(WORKED_OUT * count)
            if self._count + count > MOST_KEPT:
                self._kept.clear()
                self._count = 0
            found = self._kept[key] = [moved(polygon, frame) for polygon in polygons]
            self._count += count
        return found


class _Around:
    """What may close a cell; where there is much of it, only what lies on the way to a spot is asked."""

    def __init__(
        self, center: Vec3, openings: Sequence[Polygon], solid: Sequence[Polygon], work: Work
    ) -> None:
        self._center = center
        self._work = work
        self._all = [*openings, *solid]
        self._tree: BoxTree | None = None
        if len(self._all) > MANY:
            work.take(WORKED_OUT * len(self._all))
            self._tree = BoxTree([box_of(p.vertices) for p in self._all])

    def closes(self, spot: Vec3) -> bool:
        """Whether the way from the cell's middle to a little behind the spot goes through something.

        Raises TooMuchWorkError.
        """
        if self._tree is None:
            self._work.take(len(self._all))
            return _closed(self._center, spot, self._all)
        on_way = self._tree.near(box_of([self._center, spot]), NEAR_WAY)
        self._work.take(len(on_way))
        return _closed(self._center, spot, (self._all[n] for n in on_way))


def _open_faces(shape: CellShape, near: _Around) -> Iterator[Finding]:
    for index, face in shape.faces:
        if _area(face) < LEAST_AREA:
            continue
        spots = [*spread(face, 0.5), *spread(face, 0.95)[1:]]
        open_spots = [s for s in spots if not near.closes(s)]
        if open_spots:
            nx, ny, nz, _ = shape.planes[index]
            yield Finding(
                GAP,
                f"{hex_id(shape.id)}: {len(open_spots)} of {len(spots)} spots of the face with normal "
                f"{place((nx, ny, nz))} are open, such as {place(open_spots[0])}",
            )


def _closed(center: Vec3, spot: Vec3, polygons: Iterable[Polygon]) -> bool:
    length = math.dist(center, spot)
    if length == 0.0:
        return True
    k = 1.0 + BEYOND / length
    end = (
        center[0] + (spot[0] - center[0]) * k,
        center[1] + (spot[1] - center[1]) * k,
        center[2] + (spot[2] - center[2]) * k,
    )
    return any(crosses(polygon, center, end, EDGE_SLACK) for polygon in polygons)


def _area(face: Sequence[Vec3]) -> float:
    total = [0.0, 0.0, 0.0]
    a = face[0]
    for b, c in pairwise(face[1:]):
        e, f = [q - p for p, q in zip(a, b, strict=True)], [q - p for p, q in zip(a, c, strict=True)]
        total[0] += e[1] * f[2] - e[2] * f[1]
        total[1] += e[2] * f[0] - e[0] * f[2]
        total[2] += e[0] * f[1] - e[1] * f[0]
    return 0.5 * math.hypot(*total)


def is_near(polygon: Polygon, shape: CellShape) -> bool:
    """Whether a polygon's box comes within a metre of a cell's."""
    return all(
        min(v[axis] for v in polygon.vertices) <= shape.box[1][axis] + 1.0
        and max(v[axis] for v in polygon.vertices) >= shape.box[0][axis] - 1.0
        for axis in range(3)
    )


def _ground(block: Landblock, shape: CellShape) -> list[Polygon]:
    if not block.land_cells:
        return []
    (x0, y0, _), (x1, y1, _) = shape.box
    found: list[Polygon] = []
    for cx in range(max(0, int(x0 // CELL_SIDE)), min(CELLS - 1, int(x1 // CELL_SIDE)) + 1):
        for cy in range(max(0, int(y0 // CELL_SIDE)), min(CELLS - 1, int(y1 // CELL_SIDE)) + 1):
            found += block.land_cells[CELLS * cx + cy].polygons
    return found
