"""Coloured lines and faces that explain a world, without a word about what draws them (views 8.2).

The trees of cells and parts become such shapes here; shadow shapes, portals and regions do beside what
they belong to.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.dat.pieces import bsp_record
from engine.dat.values import Vec3
from engine.world.bsp import BspNode, CellTree
from engine.world.cells import EnvCell, LandCell, ObjCell
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.plane_cuts import Cutting, Plane, PlaneChain, TooMuchCuttingError, cut

Rgba = tuple[float, float, float, float]
Box = tuple[Vec3, Vec3]

CYAN: Final[Rgba] = (0.2, 0.9, 1.0, 1.0)
WHITE: Final[Rgba] = (1.0, 1.0, 1.0, 1.0)
SPLIT_ALPHA: Final = 0.35
OUTLINE_INSET: Final = 0.01
GROUND_LIFT: Final = 0.05
MOST_CUTTING: Final = 1 << 24  # of one tree: four thousand planes about a sphere take half of it
MOST_LINES: Final = 1 << 20  # and triangles, of a picture: half a gigabyte; a town has some ten thousand
STRUCTURES_KEPT: Final = 64
NOT_ALL: Final = "more planes than are shown"
GOLDEN = 0.618033988749895
_FAR = 500.0
_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class ShapeRoom:
    """What is left for the lines and triangles of a picture."""

    __slots__ = ("left",)

    def __init__(self, left: int = 0) -> None:
        self.left = left or MOST_LINES

    @property
    def is_full(self) -> bool:
        """Whether nothing more is shown."""
        return self.left <= 0


class DebugShapes:
    """Lines, triangles and labels in the block frame of ``cell_id``, metres, colours with opacity 0…1.

    ``through`` says that they are to be seen, faintly, through what hides them; ``solid`` that they hide each
    other and all that is drawn after them, seen from the front alone. ``cut_short`` says that there is more
    than is shown. ``room`` is what is left for all of a picture: once it is full, nothing is added.
    """

    __slots__ = ("cell_id", "cut_short", "labels", "lines", "room", "solid", "through", "triangles")

    def __init__(
        self, cell_id: int, *, through: bool = True, solid: bool = False, room: ShapeRoom | None = None
    ) -> None:
        self.cell_id = cell_id
        self.room = room if room is not None else ShapeRoom()
        self.through = through
        self.solid = solid
        self.cut_short = False
        self.lines: list[tuple[Vec3, Vec3, Rgba]] = []
        self.triangles: list[tuple[Vec3, Vec3, Vec3, Rgba]] = []
        self.labels: list[tuple[Vec3, str, Rgba]] = []

    def line(self, a: Vec3, b: Vec3, color: Rgba) -> None:
        """One line."""
        if not self.room.is_full:
            self.room.left -= 1
            self.lines.append((a, b, color))

    def outline(self, points: Sequence[Vec3], color: Rgba) -> None:
        """A closed line."""
        if not self.room.is_full:
            self.room.left -= len(points)
            for k, p in enumerate(points):
                self.lines.append((points[k - 1], p, color))

    def fan(self, points: Sequence[Vec3], color: Rgba) -> None:
        """A filled convex polygon."""
        if not self.room.is_full:
            self.room.left -= len(points)
            for k in range(1, len(points) - 1):
                self.triangles.append((points[0], points[k], points[k + 1], color))

    def label(self, at: Vec3, text: str, color: Rgba) -> None:
        """A word or two, centred on a point."""
        self.labels.append((at, text, color))

    def rebased(self, points: Sequence[Vec3], cell_id: int) -> list[Vec3]:
        """Points of the block frame of another cell, in this one's."""
        return [rebase(p, cell_id, self.cell_id) for p in points]


def hue(index: int, alpha: float = 1.0) -> Rgba:
    """A bright colour that differs from those of neighbouring numbers."""
    r, g, b = colorsys.hsv_to_rgb(index * GOLDEN % 1.0, 0.75, 1.0)
    return (r, g, b, alpha)


def physics_tree_shapes(
    out: DebugShapes, root: BspNode, frame: Frame, cell_id: int, *, scale: float = 1.0
) -> None:
    """A physics tree: the polygons of each leaf in the leaf's colour, its splitting planes faintly.

    ``frame`` takes the tree's space, its numbers multiplied by ``scale``, to the block frame of ``cell_id``.
    """
    box = _box_of([v for node in _nodes(root) for p in node.polygons for v in p.vertices])
    bounds = _box_planes(box)
    within, cutting = PlaneChain(bounds), Cutting(MOST_CUTTING)
    todo: list[tuple[BspNode, int, Plane | None]] = [(root, len(bounds), None)]
    leaves = 0
    while todo:
        node, depth, entered = todo.pop()
        if entered is not None and not node.is_leaf:
            within.put(depth - 1, entered)
        if node.is_leaf:
            for polygon in node.polygons:
                _outline(out, polygon.vertices, frame, cell_id, scale=scale, color=hue(leaves))
            leaves += bool(node.polygons)
            continue
        n, d = node.normal, node.d
        here: Plane = (*n, d)
        back: Plane = (-n[0], -n[1], -n[2], -d)
        if not out.cut_short:
            try:
                split = within.cut(_square(here), cutting)
            except TooMuchCuttingError:
                _say_cut_short(out, box, frame, cell_id, scale=scale)
            else:
                _outline(out, split, frame, cell_id, scale=scale, color=(1.0, 1.0, 1.0, SPLIT_ALPHA))
        for child, side in ((node.neg, back), (node.pos, here)):
            if child is not None:
                todo.append((child, depth + 1, side))


def cell_tree_shapes(out: DebugShapes, cell: EnvCell, color: Rgba, inset: float = 0.0) -> None:
    """The space that a cell's containment tree holds: the faces of the chain's planes, moved inwards."""
    faces = cell_tree_faces(cell, inset)
    for face in faces:
        _outline(out, face, cell.frame, cell.id, scale=1.0, color=color)
    if cell.structure.cell_tree is not None and len(faces) < len(cell.structure.cell_tree.planes):
        box = _box_of([v for face in faces for v in face])
        _say_cut_short(out, box, cell.frame, cell.id, scale=1.0)


def cell_tree_faces(cell: EnvCell, inset: float = 0.0) -> Sequence[Sequence[Vec3]]:
    """The faces that bound a cell's containment, in the order of its planes, cell-local.

    ``inset`` moves them inwards, metres. Faces without a bound are empty. Fewer than there are planes where
    MOST_CUTTING did not do for all.
    """
    tree = cell.structure.cell_tree
    return () if tree is None else _tree_faces(tree, inset)


@lru_cache(maxsize=STRUCTURES_KEPT)
def _tree_faces(tree: CellTree, inset: float) -> tuple[Sequence[Vec3], ...]:
    planes: list[Plane] = [(nx, ny, nz, d - inset) for nx, ny, nz, d in tree.planes]
    chain, cutting = PlaneChain(planes), Cutting(MOST_CUTTING)
    faces: list[Sequence[Vec3]] = []
    try:
        for k, plane in enumerate(planes):
            face = chain.cut(_square(plane), cutting, but=k)
            faces.append(face if all(abs(c) < _FAR / 2 for v in face for c in v) else ())
    except TooMuchCuttingError:
        pass  # whoever shows them says so
    return tuple(faces)


def cell_box_shapes(out: DebugShapes, cell: EnvCell, color: Rgba) -> None:
    """The box around what a cell draws, in the cell's own axes, with the cell's number."""
    points = [v for p in cell.structure.polygons.values() for v in p.vertices]
    if not points:
        return
    low, high = _box_of(points)
    corners = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
    placed = out.rebased([cell.frame.to_global(p) for p in corners], cell.id)
    for a in range(8):
        for bit in (1, 2, 4):
            if not a & bit:
                out.line(placed[a], placed[a | bit], color)
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    out.label(out.rebased([cell.frame.to_global(middle)], cell.id)[0], f"{cell.id & 0xFFFF:04X}", color)


def cell_outline_shapes(out: DebugShapes, cell: ObjCell, color: Rgba) -> None:
    """A cell's outline: the hull that contains it, just inside its walls; outdoors its square of ground."""
    if isinstance(cell, EnvCell):
        if cell.structure.cell_tree is None:
            cell_box_shapes(out, cell, color)
        else:
            cell_tree_shapes(out, cell, color, OUTLINE_INSET)
        return
    edges: dict[frozenset[Vec3], tuple[Vec3, Vec3]] = {}
    for polygon in cell.polygons if isinstance(cell, LandCell) else ():
        for k, b in enumerate(polygon.vertices):
            a = polygon.vertices[k - 1]
            if edges.pop(frozenset((a, b)), None) is None:
                edges[frozenset((a, b))] = (a, b)
    for edge in edges.values():
        (ax, ay, az), (bx, by, bz) = out.rebased(edge, cell.id)
        out.line((ax, ay, az + GROUND_LIFT), (bx, by, bz + GROUND_LIFT), color)


def drawing_tree_shapes(
    out: DebugShapes,
    root: bsp_record.BspNode,
    polygons: Mapping[int, Sequence[Vec3]],
    frame: Frame,
    *,
    cell_id: int,
    scale: float = 1.0,
) -> None:
    """A drawing tree: what each node holds in its colour, openings of PORT nodes in cyan, splits faintly.

    ``polygons`` are the corners of the drawing polygons by key.
    """
    box = _box_of([v for corners in polygons.values() for v in corners])
    within = _box_planes(box)
    for index, node in enumerate(root.walk()):
        for key in node.polys or ():
            _outline(out, polygons.get(key, ()), frame, cell_id, scale=scale, color=hue(index))
        for ref in node.portals or ():
            _outline(out, polygons.get(ref.polygon, ()), frame, cell_id, scale=scale, color=CYAN)
        if node.plane is not None and (node.pos_child is not None or node.neg_child is not None):
            plane = (*node.plane.normal, node.plane.d)
            split = plane_polygon(plane, within)
            _outline(out, split, frame, cell_id, scale=scale, color=(1.0, 1.0, 1.0, SPLIT_ALPHA))


def plane_polygon(plane: Plane, inside: Sequence[Plane]) -> list[Vec3]:
    """The part of a plane on the positive side of others, as a convex polygon; empty where there is none.

    Unbounded parts end 500 m from the origin's foot point.
    """
    points = _square(plane)
    for other in inside:
        points = cut(points, other)
    return points


def _square(plane: Plane) -> list[Vec3]:
    """A plane to 500 m from the origin's foot point."""
    nx, ny, nz, d = plane
    square = nx * nx + ny * ny + nz * nz
    if not 1e-12 <= square < 1e150:
        return []
    axis = _AXES[min(range(3), key=lambda i: abs((nx, ny, nz)[i]))]
    u = _unit(_cross((nx, ny, nz), axis))
    v = _unit(_cross((nx, ny, nz), u))
    k = -d / square
    return [
        (
            nx * k + _FAR * (a * u[0] + b * v[0]),
            ny * k + _FAR * (a * u[1] + b * v[1]),
            nz * k + _FAR * (a * u[2] + b * v[2]),
        )
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def _nodes(root: BspNode) -> list[BspNode]:
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        found.append(node)
        todo.extend(child for child in (node.pos, node.neg) if child is not None)
    return found


def _say_cut_short(out: DebugShapes, box: Box, frame: Frame, cell_id: int, *, scale: float) -> None:
    out.cut_short = True
    low, high = box
    x, y, z = (scale * (a + b) / 2 for a, b in zip(low, high, strict=True))
    at = out.rebased([frame.to_global((x, y, z))], cell_id)[0]
    out.label(at, f"{cell_id & 0xFFFF:04X}: {NOT_ALL}", WHITE)


def _outline(
    out: DebugShapes, corners: Sequence[Vec3], frame: Frame, cell_id: int, *, scale: float, color: Rgba
) -> None:
    placed = [frame.to_global((x * scale, y * scale, z * scale)) for x, y, z in corners]
    out.outline(out.rebased(placed, cell_id), color)


def _box_of(points: Sequence[Vec3]) -> Box:
    if not points:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    low = (min(p[0] for p in points), min(p[1] for p in points), min(p[2] for p in points))
    high = (max(p[0] for p in points), max(p[1] for p in points), max(p[2] for p in points))
    return low, high


def _box_planes(box: Box) -> tuple[Plane, ...]:
    (x0, y0, z0), (x1, y1, z1) = box
    return (
        (1.0, 0.0, 0.0, -x0), (-1.0, 0.0, 0.0, x1), (0.0, 1.0, 0.0, -y0), (0.0, -1.0, 0.0, y1),
        (0.0, 0.0, 1.0, -z0), (0.0, 0.0, -1.0, z1),
    )  # fmt: skip


def _cross(a: Vec3, b: Vec3) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(v: Vec3) -> Vec3:
    length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) ** 0.5
    return (v[0] / length, v[1] / length, v[2] / length)
