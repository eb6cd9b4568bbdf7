"""Cells as volumes: convex, bounded and closed (dat-format 5.5, collision 4.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import BAD_TREE, CONCAVE, GAP, Finding, place
from engine.replay.audit.shape import (
    ROUNDING,
    Box,
    CellShape,
    Shapes,
    Shells,
    box_of,
    crosses,
    depths_inside,
    moved,
    reach_of_sides,
    spread,
)
from engine.world.cells import Building, Landblock
from engine.world.ids import CELL_SIDE
from engine.world.polygon import Polygon
from engine.world.terrain import CELLS

TOLERANCE = 0.01
LEAST_AREA = 0.01
BEYOND = 0.02
EDGE_SLACK = 0.01
MANY = 40  # polygons around a cell
NEAR_WAY = 1.0  # metres; an edge's slack reaches farther than itself at a pointed corner


def shape_findings(shape: CellShape) -> Iterator[Finding]:
    """Polygons that cut through their cell, and a tree that is missing or leaves out corners (1 cm)."""
    name = hex_id(shape.id)
    frame = shape.cell.frame
    # The structure says in its own space whether anything can be wrong; only then is it measured in place.
    slack = ROUNDING + 2.0 * shape.facts.distorted(frame)
    yield from _crossing(shape, name) if shape.facts.crossed > TOLERANCE - slack else ()
    if not shape.planes:
        if shape.cell.portals:
            yield Finding(BAD_TREE, f"{name} has no cell tree: it holds no point")
        return
    if shape.facts.left_out > TOLERANCE - slack:
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


def gap_findings(shapes: Shapes, block: Landblock) -> Iterator[Finding]:
    """Hull faces through which one gets out: neither wall, nor portal, nor a wall of what lies behind.

    A cell with an exit is also closed by the shell and the ground outside, which its mover meets there.
    """
    walls = {cell_id: shape.walls() for cell_id, shape in shapes.items()}
    shells = _ShellsAround(block.buildings)
    for shape in shapes.values():
        if not shape.cell.portals:
            continue
        openings = [shape.portal_polygon(p.index) for p in shape.cell.portals]
        solid = list(walls[shape.id])
        for portal in shape.cell.portals:
            solid += walls.get(portal.other_cell_id, ())
        has_exit = any(portal.is_exit for portal in shape.cell.portals)
        if has_exit:
            solid += [p for p in shells.near(shape.box) if _is_near(p, shape)]
            solid += _ground(block, shape)
        # Walls are closed from their front only.
        yield from _open_faces(shape, openings, [p for p in solid if p.distance(shape.center) > 0.0])


class _ShellsAround:
    """The walls of buildings' shells by where they are; those that nothing comes near are not worked out."""

    def __init__(self, buildings: Sequence[Building]) -> None:
        self._shells = Shells()
        self._buildings = [b for b in buildings if self._shells.polygons(b)]
        self._tree = BoxTree([box_of(self._shells.corners(b)) for b in self._buildings])
        self._walls: dict[int, list[Polygon]] = {}

    def near(self, box: Box) -> Iterator[Polygon]:
        """The walls of the shells whose boxes come within a metre of one."""
        for number in self._tree.near(box, 1.0 + ROUNDING):
            walls = self._walls.get(number)
            if walls is None:
                building = self._buildings[number]
                walls = [moved(p, building.shell_frame) for p in self._shells.polygons(building)]
                self._walls[number] = walls
            yield from walls


class _Around:
    """What may close a cell; where there is much of it, only what lies on the way to a spot is asked."""

    def __init__(self, center: Vec3, openings: Sequence[Polygon], solid: Sequence[Polygon]) -> None:
        self._center = center
        self._all = [*openings, *solid]
        self._tree = BoxTree([box_of(p.vertices) for p in self._all]) if len(self._all) > MANY else None

    def closes(self, spot: Vec3) -> bool:
        """Whether the way from the cell's middle to a little behind the spot goes through something."""
        if self._tree is None:
            return _closed(self._center, spot, self._all)
        way = box_of([self._center, spot])
        return _closed(self._center, spot, (self._all[n] for n in self._tree.near(way, NEAR_WAY)))


def _open_faces(shape: CellShape, openings: Sequence[Polygon], solid: Sequence[Polygon]) -> Iterator[Finding]:
    near = _Around(shape.center, openings, solid)
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


def _is_near(polygon: Polygon, shape: CellShape) -> bool:
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
