"""Builders of BSP records from polygons and vertex positions (dat-format 5.3, 5.5, sources 3).

A builder takes polygon records in file order and the positions of their vertices by key, and returns the
root of a tree record that the codecs write and the loader reads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon
from engine.dat.pieces.point_rows import PlaneRows, PointRows, bounds
from engine.dat.values import NO_SPHERE, Plane, Sphere, Vec3
from engine.named_tuple import NamedTuple

IN_PLANE = 5e-5
"""How far a vertex may lie off a plane and still count as in it, metres."""
HULL_SLACK = 0.002
"""How far a vertex may lie behind a plane of a convex cell, metres."""
CONCAVE = 0.01
"""From here on a vertex behind a polygon's plane makes a cell concave, metres."""
SAME_PLANE = 1e-3
CANDIDATES = 12
DEEPEST = 500
"""Levels that a built physics tree may have; a stored one may have 512."""

Positions = Mapping[int, Vec3]


class CellTree(NamedTuple):
    """A cell's tree: its root (None without any plane) and the planes of the chain, inward.

    ``concave`` holds the keys of the polygons whose plane has a vertex more than 1 cm behind it on either
    side: walls that are no hull plane, so the chain does not describe what they enclose (dat-format 5.5).
    """

    root: BspNode | None
    planes: tuple[Plane, ...]
    concave: tuple[int, ...]


class _Piece(NamedTuple):
    """What is left of a polygon between the planes above it."""

    key: int
    plane: Plane
    points: tuple[Vec3, ...]


def polygon_points(polygon: Polygon, positions: Positions) -> tuple[Vec3, ...]:
    """The corners of a polygon in order; KeyError where a vertex is missing."""
    return tuple(positions[vertex] for vertex in polygon.vertex_ids)


def plane_of(points: Sequence[Vec3]) -> Plane:
    """The plane of an ordered polygon (dat-format 3.7); a degenerate one has the zero normal."""
    nx = ny = nz = 0.0
    for i in range(1, len(points) - 1):
        ax, ay, az = _minus(points[i], points[0])
        bx, by, bz = _minus(points[i + 1], points[0])
        nx += ay * bz - az * by
        ny += az * bx - ax * bz
        nz += ax * by - ay * bx
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-12:
        return Plane((0.0, 0.0, 0.0), 0.0)
    normal = (nx / length, ny / length, nz / length)
    return Plane(normal, -sum(_dot(normal, p) for p in points) / len(points))


def one_leaf_tree(polygons: Sequence[Polygon], positions: Positions, *, solid: bool = False) -> BspNode:
    """A physics tree of one leaf that holds the polygons in file order (sources 3)."""
    points = [point for polygon in polygons for point in polygon_points(polygon, positions)]
    return _leaf(0, solid=solid, sphere=bounds(points), keys=[polygon.key for polygon in polygons])


def build_physics_tree(
    polygons: Sequence[Polygon], positions: Positions, *, solid: bool, deepest: int = DEEPEST
) -> BspNode:
    """A physics tree with split planes; ``solid`` marks its leaves: True for objects, False for cells.

    Every sphere that touches a polygon reaches a leaf that lists it. Polygons without area are left out;
    what is left ``deepest`` levels down shares a leaf.
    """
    pieces: list[_Piece] = []
    whole: dict[int, tuple[Vec3, ...]] = {}
    for polygon in polygons:
        points = polygon_points(polygon, positions)
        plane = plane_of(points)
        if plane.normal != (0.0, 0.0, 0.0):
            pieces.append(_Piece(polygon.key, plane, points))
            whole[polygon.key] = points
    return _PhysicsBuilder(whole, solid=solid, deepest=deepest).build(pieces, [], 0)


class _PhysicsBuilder:
    """Divides pieces by the planes of pieces until every one of them is spent."""

    def __init__(self, whole: dict[int, tuple[Vec3, ...]], *, solid: bool, deepest: int) -> None:
        self.whole = whole
        self.solid = solid
        self.deepest = deepest
        self.leaves = 0

    def build(self, active: list[_Piece], spent: list[_Piece], depth: int) -> BspNode:
        if not active or depth == self.deepest:
            pieces = [*spent, *active]
            if not pieces:
                return _leaf(0, solid=False, sphere=NO_SPHERE, keys=[])
            self.leaves += 1
            keys = list(dict.fromkeys(piece.key for piece in pieces))
            return _leaf(self.leaves, solid=self.solid, sphere=self._bounds(pieces), keys=keys)
        chosen = _best_piece(active)
        plane = chosen.plane
        # A warped polygon need not lie in its own plane: it is spent all the same.
        others = [piece for piece in active if piece is not chosen]
        front_active, back_active, now_spent = _divide(others, plane)
        front_spent, back_spent, in_plane = _divide(spent, plane)
        front = self.build(front_active, front_spent, depth + 1)
        back = self.build(back_active, [*back_spent, *in_plane, chosen, *now_spent], depth + 1)
        return BspNode(
            tag="BPnN", plane=plane, pos_child=front, neg_child=back, sphere=self._bounds(active + spent)
        )

    def _bounds(self, pieces: list[_Piece]) -> Sphere:
        keys = dict.fromkeys(piece.key for piece in pieces)
        return bounds([point for key in keys for point in self.whole[key]])


def build_cell_tree(polygons: Sequence[Polygon], positions: Positions) -> CellTree:
    """The chain of a convex cell's planes from its drawing polygons, openings among them.

    A polygon's plane belongs to the hull when every vertex of the cell lies on one side of it (2 mm); it is
    turned inward where the polygon, as an opening may, faces out.
    """
    corners = [polygon_points(polygon, positions) for polygon in polygons]
    vertices = PointRows(list(dict.fromkeys(point for points in corners for point in points)))
    rows = PlaneRows(len(polygons), SAME_PLANE)
    planes: list[Plane] = []
    concave: list[int] = []
    for polygon, points in zip(polygons, corners, strict=True):
        plane = plane_of(points)
        if plane.normal == (0.0, 0.0, 0.0):
            continue
        low, high = vertices.distances(plane)
        if low < -HULL_SLACK and high <= HULL_SLACK:
            plane = _turned(plane)
        elif low < -HULL_SLACK:
            if min(-low, high) > CONCAVE:
                concave.append(polygon.key)
            continue
        if rows.find(plane) < 0:
            rows.add(plane)
            planes.append(plane)
    return CellTree(cell_chain(planes), tuple(planes), tuple(concave))


def cell_chain(planes: Sequence[Plane]) -> BspNode | None:
    """Inward planes as the chain BPnn ... BPFL of a cell tree, None without planes."""
    node: BspNode | None = None
    for plane in reversed(planes):
        if node is None:
            node = BspNode(tag="BPFL", plane=plane)
        else:
            node = BspNode(tag="BPnn", plane=plane, pos_child=node)
    return node


def build_drawing_tree(
    polygons: Sequence[Polygon], positions: Positions, openings: Sequence[tuple[int, int]] = ()
) -> BspNode:
    """A drawing tree: PORT nodes for openings, then a chain BPIn ... BPOL over the other polygons.

    ``openings`` are pairs of a polygon key and a portal index of the building; their polygons must be among
    ``polygons`` and are not drawn. Polygons in one plane share a node.
    """
    by_key = {polygon.key: polygon_points(polygon, positions) for polygon in polygons}
    port_keys = {key for key, _ in openings}
    groups: list[tuple[Plane, list[int]]] = []
    rows = PlaneRows(len(by_key), SAME_PLANE)
    for key, points in by_key.items():
        if key in port_keys:
            continue
        plane = plane_of(points)
        number = rows.find(plane)
        if number < 0:
            rows.add(plane)
            groups.append((plane, [key]))
        else:
            groups[number][1].append(key)
    return _drawing_chain(groups or [(Plane((0.0, 0.0, 1.0), 0.0), [])], by_key, openings)


def _drawing_chain(
    groups: Sequence[tuple[Plane, list[int]]],
    by_key: Mapping[int, tuple[Vec3, ...]],
    openings: Sequence[tuple[int, int]],
) -> BspNode:
    """The chain over groups of polygons, from the last on, and over it that of the openings.

    Each node's sphere is around all that hangs on it.
    """
    ports = list(enumerate(openings, start=1))
    order = [
        *(key for _, keys in reversed(groups) for key in keys),
        *(key for _, (key, _) in reversed(ports)),
    ]
    points = PointRows([point for key in order for point in by_key[key]])
    last_plane, last_keys = groups[-1]
    count = sum(len(by_key[key]) for key in last_keys)
    sphere = points.bounds_of_first(count)
    node = BspNode(tag="BPOL", plane=last_plane, sphere=sphere, polys=tuple(last_keys))
    for plane, keys in reversed(groups[:-1]):
        count += sum(len(by_key[key]) for key in keys)
        sphere = points.bounds_of_first(count)
        node = BspNode(tag="BPIn", plane=plane, pos_child=node, sphere=sphere, polys=tuple(keys))
    for number, (key, portal) in reversed(ports):
        count += len(by_key[key])
        node = BspNode(
            tag="PORT",
            plane=plane_of(by_key[key]),
            pos_child=BspNode(tag="LEAF", leaf_index=number),
            neg_child=node,
            sphere=points.bounds_of_first(count),
            polys=(),
            portals=(PortalRef(key, portal),),
        )
    return node


def _leaf(index: int, *, solid: bool, sphere: Sphere, keys: Sequence[int]) -> BspNode:
    return BspNode(tag="LEAF", leaf_index=index, solid=int(solid), sphere=sphere, polys=tuple(keys))


def _best_piece(active: Sequence[_Piece]) -> _Piece:
    """The piece among the first few whose plane cuts the fewest others."""
    best, fewest = active[0], len(active)
    for candidate in active[:CANDIDATES]:
        cuts = sum(
            1
            for piece in active
            if piece is not candidate and _side(piece.points, candidate.plane) is _Side.ACROSS
        )
        if cuts < fewest:
            best, fewest = candidate, cuts
        if cuts == 0:
            break
    return best


def _divide(pieces: Sequence[_Piece], plane: Plane) -> tuple[list[_Piece], list[_Piece], list[_Piece]]:
    """Pieces in front of, behind and in a plane; those across it are cut."""
    front: list[_Piece] = []
    back: list[_Piece] = []
    within: list[_Piece] = []
    for piece in pieces:
        side = _side(piece.points, plane)
        if side is _Side.ACROSS:
            for part, keep in ((front, 1.0), (back, -1.0)):
                points = _clip(piece.points, plane, keep)
                if len(points) >= 3:
                    part.append(_Piece(piece.key, piece.plane, points))
        else:
            {_Side.FRONT: front, _Side.BACK: back, _Side.WITHIN: within}[side].append(piece)
    return front, back, within


class _Side(Enum):
    """Where a polygon lies to a plane."""

    FRONT = 1
    BACK = 2
    WITHIN = 3
    ACROSS = 4


def _side(points: Sequence[Vec3], plane: Plane) -> _Side:
    distances = [_dot(plane.normal, p) + plane.d for p in points]
    front, back = max(distances) > IN_PLANE, min(distances) < -IN_PLANE
    if front and back:
        return _Side.ACROSS
    if front:
        return _Side.FRONT
    return _Side.BACK if back else _Side.WITHIN


def _clip(points: Sequence[Vec3], plane: Plane, keep: float) -> tuple[Vec3, ...]:
    """The part of a convex polygon on one side of a plane (``keep`` 1 front, -1 back)."""
    out: list[Vec3] = []
    previous = points[-1]
    before = keep * (_dot(plane.normal, previous) + plane.d)
    for point in points:
        here = keep * (_dot(plane.normal, point) + plane.d)
        if (here > 0.0) != (before > 0.0):
            t = before / (before - here)
            step = _minus(point, previous)
            out.append((previous[0] + t * step[0], previous[1] + t * step[1], previous[2] + t * step[2]))
        if here > 0.0:
            out.append(point)
        previous, before = point, here
    return tuple(out)


def _turned(plane: Plane) -> Plane:
    x, y, z = plane.normal
    return Plane((-x, -y, -z), -plane.d)


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
