"""Cells as shapes: hull faces of a containment tree, corners and boxes, all in the block frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from engine.dat.values import Vec3
from engine.world.bsp import BspNode
from engine.world.cells import Building, CellStructure, EnvCell, PlaneTuple, Portal
from engine.world.frame import Frame
from engine.world.plane_cuts import Cutting, PlaneChain, TooMuchCuttingError
from engine.world.polygon import Polygon

BIG: Final = 1000.0
MANY: Final = 64  # of which numpy is quicker at
STRUCTURES_KEPT: Final = 4096
ROUNDING: Final = 1e-6
MOST_NEAR: Final = 1000  # cells that are looked at around one
MOST_CUTTING: Final = 1 << 22  # of a cell's hull: a thousand planes about a sphere take half of it
Box = tuple[Vec3, Vec3]


class StructureFacts:
    """What all cells of a structure share, in its own space.

    ``crossed`` is the most, in metres, that a drawing polygon has corners both behind and before it,
    ``left_out`` how far the cell tree leaves out a corner; both are infinite where a number is none.
    """

    def __init__(self, structure: CellStructure) -> None:
        polygons = structure.polygons.values()
        self.structure = structure
        self.corners: list[Vec3] = list(dict.fromkeys(v for p in polygons for v in p.vertices))
        self.box = box_of(self.corners)
        planes = dict.fromkeys((*p.normal, p.d) for p in polygons if p.normal != (0.0, 0.0, 0.0))
        crossed = [0.0]
        for least, most in reach_of_sides(planes, self.corners):
            crossed.append(min(-least, most))
        tree = structure.cell_tree
        self.crossed = _finite(max(crossed), *self.box[0], *self.box[1])
        depths = [] if tree is None else depths_inside(tree.planes, self.corners)
        self.left_out = _finite(-min(depths, default=0.0), *self.box[0], *self.box[1])

    def distorted(self, frame: Frame) -> float:
        """How far a way through a frame and back takes a point of the structure, metres; 0 for a rigid one.

        What goes through the frame is linear, so that a corner of the box goes farthest.
        """
        far = 0.0
        for x in (self.box[0][0], self.box[1][0]):
            for y in (self.box[0][1], self.box[1][1]):
                for z in (self.box[0][2], self.box[1][2]):
                    far = max(far, math.dist((x, y, z), frame.to_local_vec(frame.to_global_vec((x, y, z)))))
        return far


def reach_of_sides(planes: Iterable[PlaneTuple], corners: Sequence[Vec3]) -> Iterator[tuple[float, float]]:
    """How far the corners lie on the two sides of each plane: the least and the most."""
    if len(corners) <= MANY:
        for x, y, z, d in planes:
            sides = [x * a + y * b + z * c + d for a, b, c in corners]
            yield min(sides), max(sides)
        return
    columns = [np.array(column) for column in zip(*corners, strict=True)]
    for x, y, z, d in planes:
        with np.errstate(all="ignore"):
            row = x * columns[0] + y * columns[1] + z * columns[2] + d
        yield float(row.min()), float(row.max())


def depths_inside(planes: Sequence[PlaneTuple], points: Sequence[Vec3]) -> list[float]:
    """How far points are from the nearest of the planes around them, as ``depth_inside`` says of each."""
    if len(points) <= MANY or not planes:
        return [depth_inside(planes, point) for point in points]
    columns = [np.array(column) for column in zip(*points, strict=True)]
    depths = np.full(len(points), math.inf)
    with np.errstate(all="ignore"):
        for number, (x, y, z, d) in enumerate(planes):
            row = x * columns[0] + y * columns[1] + z * columns[2] + d
            # As ``min`` takes them, which keeps the first where that is no number.
            depths = np.where(row < depths, row, depths) if number else row
    found: list[float] = depths.tolist()
    return found


def _finite(value: float, *others: float) -> float:
    return value if all(map(math.isfinite, (value, *others))) else math.inf


class StructureStore:
    """The facts of structures, worked out once while they are used again and again."""

    def __init__(self) -> None:
        self._facts: dict[int, StructureFacts] = {}

    def of(self, structure: CellStructure) -> StructureFacts:
        """What is known of a structure."""
        facts = self._facts.get(id(structure))
        if facts is None or facts.structure is not structure:
            if len(self._facts) >= STRUCTURES_KEPT:
                self._facts.clear()
            facts = self._facts[id(structure)] = StructureFacts(structure)
        return facts


class CellShape:
    """A cell's geometry for the audit, in its block's frame.

    ``corners`` are those of its drawing polygons, ``center`` the mean of its hull's corners (of its own
    where the tree bounds nothing), ``faces`` its hull's faces with their planes' indices; none where the
    hull is ``too_fine``: its planes cut one another in more places than MOST_CUTTING lets be found.
    """

    def __init__(self, cell: EnvCell, facts: StructureFacts | None = None) -> None:
        self.cell = cell
        self.id = cell.id
        self.facts = StructureFacts(cell.structure) if facts is None else facts
        corners = self.corners
        self.box = box_of(corners)
        self.planes: tuple[PlaneTuple, ...] = tuple((p.nx, p.ny, p.nz, p.d) for p in cell.block_planes or ())
        self.faces: list[tuple[int, list[Vec3]]] = []
        self.too_fine = False
        try:
            faces = enumerate(hull_faces(self.planes, self.box, Cutting(MOST_CUTTING)))
            self.faces += [(index, face) for index, face in faces if len(face) >= 3]
        except TooMuchCuttingError:
            self.too_fine = True
        self.center = mean(self.hull_corners or corners or [(0.0, 0.0, 0.0)])

    @property
    def corners(self) -> list[Vec3]:
        """Those of its drawing polygons; not kept, as a thousand cells may be of one structure."""
        to_block = self.cell.frame.to_global
        return [to_block(corner) for corner in self.facts.corners]

    @cached_property
    def hull_corners(self) -> list[Vec3]:
        """The corners of its hull's faces, each once a face; none where it bounds nothing."""
        return [corner for _, face in self.faces for corner in face]

    @cached_property
    def hull_box(self) -> Box:
        """The box around its hull's corners."""
        return box_of(self.hull_corners)

    @cached_property
    def leading_to(self) -> dict[int, list[Portal]]:
        """The cell's portals by the ids of the cells that they lead to."""
        found: dict[int, list[Portal]] = {}
        for portal in self.cell.portals:
            found.setdefault(portal.other_cell_id, []).append(portal)
        return found

    def portal_polygon(self, index: int) -> Polygon:
        """The polygon of one of the cell's portals."""
        return moved(self.cell.portals[index].polygon, self.cell.frame)


Through = Callable[[Sequence[CellShape]], Iterable[CellShape]]
"""Goes through shapes one by one, and may tell how far it has come."""


Shapes = Mapping[int, CellShape]
"""The cells of a landblock by their ids."""


def each(shapes: Sequence[CellShape]) -> Iterable[CellShape]:
    """Goes through shapes and tells nobody."""
    return shapes


def moved(polygon: Polygon, frame: Frame) -> Polygon:
    """A polygon of a frame's space in the space the frame stands in; a damaged one stays as it is."""
    if not polygon.vertices:
        return polygon
    return Polygon(polygon.id, [frame.to_global(v) for v in polygon.vertices], polygon.sides_type)


def tree_polygons(root: BspNode | None) -> Iterator[Polygon]:
    """The polygons of a physics tree's leaves, each once."""
    seen: set[int] = set()
    todo = [] if root is None else [root]
    while todo:
        node = todo.pop()
        for polygon in node.polygons:
            if id(polygon) not in seen:
                seen.add(id(polygon))
                yield polygon
        todo += [child for child in (node.pos, node.neg) if child is not None]


class Shells:
    """The shells of a landblock's buildings; what those of one model share is worked out once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[Polygon], list[Vec3]]] = {}

    def polygons(self, building: Building) -> list[Polygon]:
        """A shell's polygons, in its own space; not those that are nowhere."""
        return self._of(building)[0]

    def corners(self, building: Building) -> list[Vec3]:
        """The corners of a box around a shell, in the landblock's frame; none where it has no polygons."""
        to_block = building.shell_frame.to_global
        return [to_block(corner) for corner in self._of(building)[1]]

    def _of(self, building: Building) -> tuple[list[Polygon], list[Vec3]]:
        found = self._known.get(id(building.shell_root))
        if found is None:
            polygons = [p for p in tree_polygons(building.shell_root) if _is_somewhere(p)]
            points = [v for p in polygons for v in p.vertices]
            corners: list[Vec3] = []
            if points:
                (x0, y0, z0), (x1, y1, z1) = box_of(points)
                corners = list(product((x0, x1), (y0, y1), (z0, z1)))
            found = self._known[id(building.shell_root)] = (polygons, corners)
        return found


def _is_somewhere(polygon: Polygon) -> bool:
    return bool(polygon.vertices) and not any(math.isnan(x) for v in polygon.vertices for x in v)


def hull_faces(planes: Sequence[PlaneTuple], box: Box, cutting: Cutting) -> Iterator[list[Vec3]]:
    """The part of each plane that bounds the intersection of all, corner by corner; empty for none.

    Raises TooMuchCuttingError.
    """
    chain = PlaneChain(planes)
    mid = tuple(0.5 * (a + b) for a, b in zip(*box, strict=True))
    for index, (nx, ny, nz, d) in enumerate(planes):
        u, v = axes((nx, ny, nz))
        off = nx * mid[0] + ny * mid[1] + nz * mid[2] + d
        cx, cy, cz = mid[0] - nx * off, mid[1] - ny * off, mid[2] - nz * off
        polygon = [
            (cx + a * u[0] + b * v[0], cy + a * u[1] + b * v[1], cz + a * u[2] + b * v[2])
            for a, b in ((-BIG, -BIG), (BIG, -BIG), (BIG, BIG), (-BIG, BIG))
        ]
        yield chain.cut(polygon, cutting, but=index)


def axes(n: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit directions that span the plane of a unit normal, right-handed with it."""
    a: Vec3 = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
    ux, uy, uz = a[1] * n[2] - a[2] * n[1], a[2] * n[0] - a[0] * n[2], a[0] * n[1] - a[1] * n[0]
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    u = (ux / length, uy / length, uz / length)
    return u, (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])


def mean(points: Sequence[Vec3]) -> Vec3:
    """The mean of points."""
    n = len(points)
    return (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, sum(p[2] for p in points) / n)


def box_of(points: Sequence[Vec3]) -> Box:
    """The axis-aligned box around points; a point at the origin for none."""
    if not points:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    xs, ys, zs = zip(*points, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def boxes_meet(a: Box, b: Box, slack: float) -> bool:
    """Whether two boxes come within ``slack`` of each other; negative: overlap by as much."""
    return all(a[0][i] <= b[1][i] + slack and b[0][i] <= a[1][i] + slack for i in range(3))


def plane_distance(plane: PlaneTuple, p: Vec3) -> float:
    """Signed distance of a point to a plane."""
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def depth_inside(planes: Sequence[PlaneTuple], p: Vec3) -> float:
    """How far a point is from the nearest of the planes around it; negative outside."""
    return min((plane_distance(plane, p) for plane in planes), default=-math.inf)


def spread(polygon: Sequence[Vec3], share: float = 0.5) -> list[Vec3]:
    """The middle of a convex polygon and the points that far on the way from it to each corner."""
    c = mean(polygon)
    return [c] + [
        (c[0] + (v[0] - c[0]) * share, c[1] + (v[1] - c[1]) * share, c[2] + (v[2] - c[2]) * share)
        for v in polygon
    ]


def crosses(polygon: Polygon, a: Vec3, b: Vec3, slack: float) -> bool:
    """Whether the way from ``a`` to ``b`` goes through a polygon, its edges ``slack`` metres wide."""
    da, db = polygon.distance(a), polygon.distance(b)
    if da * db > 0.0 or da == db:
        return False
    k = da / (da - db)
    x, y, z = a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k, a[2] + (b[2] - a[2]) * k
    for e in polygon.edges:
        if (x - e.px) * e.mx + (y - e.py) * e.my + (z - e.pz) * e.mz < -slack * math.sqrt(e.mm):
            return False
    return bool(polygon.edges)
