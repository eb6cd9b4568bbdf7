"""Dumps of cells and models in JSON form as dat records (sources 2, 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.pieces.bsp_record import BspNode, TreeKind, read_bsp
from engine.dat.pieces.build_trees import (
    build_cell_tree,
    build_drawing_tree,
    build_physics_tree,
    cell_chain,
    one_leaf_tree,
    plane_of,
)
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.pieces.point_rows import bounds
from engine.dat.primitives import Reader
from engine.dat.records.codecs import CODECS
from engine.dat.records.environment import CellStruct
from engine.dat.records.gfx_obj import HAS_DRAWING, HAS_PHYSICS, GfxObj
from engine.dat.values import Plane, Quat, StoredFrame, Vec3
from engine.files.format_version import DUMP
from engine.world.sources import plain_looks
from engine.world.sources.json_node import JsonError, Node, read_json

RIGID: Final = 1e-3
STORED_TYPES: Final = ("Animation", "MotionTable")
WRAPPED, NO_UVS = 0x1, 0x4
EXIT: Final = 0xFFFF
LAST_PORTAL: Final = 0x7FFF
MOST_CORNERS: Final = 255  # of a polygon: dats count them in a byte

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DumpPolygon:
    """A polygon of a dump: id, sides type and corners in local space."""

    key: int
    sides_type: int
    corners: tuple[Vec3, ...]


@dataclass(frozen=True, slots=True)
class DumpPortal:
    """A portal of a dumped cell: low word of the other cell, key of its polygon, flags.

    ``other_portal`` is the index of the other cell's portal, −1 none; None where the dump doesn't say.
    """

    other_cell: int
    polygon: int
    flags: int
    other_portal: int | None = None


@dataclass(frozen=True, slots=True)
class CellDump:
    """A cell dump; ``seen_outside`` None where the dump doesn't say. Visible cells are full ids.

    ``tree`` is its physics tree where the dump brings it along.
    """

    cell_id: int
    frame: StoredFrame
    physics: tuple[DumpPolygon, ...]
    drawing: tuple[DumpPolygon, ...]
    portals: tuple[DumpPortal, ...]
    visible: tuple[int, ...]
    seen_outside: bool | None
    tree: BspNode | None = None

    @property
    def has_exit(self) -> bool:
        """Whether some portal leads outdoors."""
        return any(portal.other_cell == EXIT for portal in self.portals)


def read_dump(path: Path, object_id: int, parse: Callable[[Node], T]) -> T:
    """What a dump file holds. Raises DatError naming file, id and reason."""
    try:
        document = read_json(path, pipes=False)
    except JsonError as error:
        raise DatError(str(path), object_id, None, str(error).removeprefix(f"{path}: ")) from None
    try:
        root = Node(document, "")
        root.of_form(DUMP)
        return parse(root)
    except JsonError as error:
        raise DatError(str(path), object_id, None, str(error)) from None


def parse_cell(node: Node) -> CellDump:
    """A cell dump. Raises JsonError."""
    cell_id = node.get("CellId").unsigned()
    portals = tuple(
        DumpPortal(
            other_cell=portal.get("OtherCellId").unsigned() & 0xFFFF,
            polygon=portal.get("PolygonId").unsigned(),
            flags=portal.get("Flags").unsigned() & 0xFFFF,
            other_portal=_portal_index(portal.get("OtherPortalId")) if portal.has("OtherPortalId") else None,
        )
        for portal in node.items("Portals")
    )
    return CellDump(
        cell_id=cell_id,
        frame=_frame(node),
        physics=_polygons(node, "ResolvedPolygons"),
        drawing=_polygons(node, "PortalPolygons"),
        portals=portals,
        visible=tuple(item.unsigned() for item in node.items("VisibleCellIds")),
        seen_outside=_flag(node, "SeenOutside"),
        tree=_tree(node),
    )


def parse_gfx_obj(node: Node, *, split_trees: bool = False) -> GfxObj:
    """A gfxobj dump as a record, drawn from its drawing polygons, else from its physics polygons.

    Its physics tree is the one that the dump brings along, else one leaf. Raises JsonError.
    """
    gfxobj_id = node.get("GfxObjId").unsigned()
    dumped = _polygons(node, "ResolvedPolygons")
    mesh = _Mesh()
    shown = _polygons(node, "DrawingPolygons") if node.has("DrawingPolygons") else dumped
    drawn = [mesh.drawn(polygon, plain_looks.OBJECT_SLOT) for polygon in shown]
    physics = [mesh.physics(polygon) for polygon in dumped]
    has_physics = bool(physics)
    return GfxObj(
        id=gfxobj_id,
        flags=HAS_DRAWING | (HAS_PHYSICS if has_physics else 0),
        surfaces=plain_looks.SURFACE_IDS,
        vertex_array=mesh.vertices(),
        physics_polygons=tuple(physics) if has_physics else None,
        physics_bsp=_tree(node) or _physics(physics, mesh, split=split_trees, solid=True)
        if has_physics
        else None,
        sort_center=bounds(mesh.positions.values()).center,
        polygons=tuple(drawn),
        drawing_bsp=build_drawing_tree(drawn, mesh.positions),
    )


def cell_struct(dump: CellDump, planes: Sequence[Plane] | None, *, split_trees: bool = False) -> CellStruct:
    """The structure of a dumped cell: its drawing table, its physics tree, else one leaf, and its planes.

    ``planes`` are the planes that a scene gives for it; without them the hull of the drawing table counts.
    """
    mesh = _Mesh()
    openings = {portal.polygon for portal in dump.portals}
    drawing = [
        mesh.drawn(polygon, plain_looks.PORTAL_SLOT if polygon.key in openings else None)
        for polygon in dump.drawing
    ]
    physics = [mesh.physics(polygon) for polygon in dump.physics]
    chain = cell_chain(planes) if planes else build_cell_tree(drawing, mesh.positions).root
    walls = [polygon for polygon in drawing if polygon.key not in openings]
    return CellStruct(
        key=0,
        vertex_array=mesh.vertices(),
        polygons=tuple(drawing),
        portals=tuple(portal.polygon for portal in dump.portals),
        cell_bsp=chain or BspNode("LEAF", leaf_index=0),
        physics_polygons=tuple(physics),
        physics_bsp=dump.tree or _physics(physics, mesh, split=split_trees, solid=False),
        drawing_bsp=build_drawing_tree(walls, mesh.positions),
    )


class _Mesh:
    """Collects vertices: one a corner for drawn polygons, with flat normals and texture coordinates."""

    def __init__(self) -> None:
        self.items: list[SWVertex] = []
        self.positions: dict[int, Vec3] = {}
        self._by_position: dict[Vec3, int] = {}

    def drawn(self, polygon: DumpPolygon, slot: int | None) -> Polygon:
        """A drawing polygon; ``slot`` None takes the one that fits its slope."""
        normal = plane_of(polygon.corners).normal
        if slot is None:
            slot = plain_looks.slot_of(normal)
        ids = [self._add(corner, normal) for corner in polygon.corners]
        sides = min(polygon.sides_type, 1)
        if slot == plain_looks.PORTAL_SLOT:
            return Polygon(
                key=polygon.key,
                stippling=NO_UVS,
                sides_type=sides,
                pos_surface=slot,
                neg_surface=-1,
                vertex_ids=tuple(ids),
            )
        return Polygon(
            key=polygon.key,
            stippling=WRAPPED,
            sides_type=sides,
            pos_surface=slot,
            neg_surface=-1,
            vertex_ids=tuple(ids),
            pos_uv_indices=(0,) * len(ids),
        )

    def physics(self, polygon: DumpPolygon) -> Polygon:
        """A physics polygon, which shares vertices with whatever has a corner there."""
        ids = [
            self._by_position[corner] if corner in self._by_position else self._add(corner, (0.0, 0.0, 1.0))
            for corner in polygon.corners
        ]
        return Polygon(
            key=polygon.key,
            stippling=NO_UVS,
            sides_type=min(polygon.sides_type, 1),
            pos_surface=-1,
            neg_surface=-1,
            vertex_ids=tuple(ids),
        )

    def vertices(self) -> VertexArray:
        """All of them."""
        return VertexArray(1, tuple(self.items))

    def _add(self, corner: Vec3, normal: Vec3) -> int:
        key = len(self.items)
        self.items.append(SWVertex(key, corner, normal, (plain_looks.uv_of(corner, normal),)))
        self.positions[key] = corner
        self._by_position.setdefault(corner, key)
        return key


def _physics(polygons: Sequence[Polygon], mesh: _Mesh, *, split: bool, solid: bool) -> BspNode:
    if split:
        return build_physics_tree(polygons, mesh.positions, solid=solid)
    return one_leaf_tree(polygons, mesh.positions)


def read_stored(node: Node, read: Callable[[Reader], T]) -> T:
    """What hexadecimal digits hold in the form that dats store. Raises JsonError."""
    try:
        reader = Reader(bytes.fromhex(node.text()))
        found = read(reader)
    except ValueError:
        node.fail("expected bytes in hexadecimal digits")
    except DatError as error:
        node.fail(f"offset {error.offset}: {error.reason}")
    if reader.pos != reader.end:
        node.fail(f"{reader.end - reader.pos} bytes are left over")
    return found


def parse_stored(node: Node, object_id: int) -> object:
    """A record that a dump brings along as it is stored: what moves a door. Raises JsonError."""
    kind = node.get("Type").text()
    if kind not in STORED_TYPES:
        node.get("Type").fail(f"expected one of {', '.join(STORED_TYPES)}")
    record = read_stored(node.get("Stored"), CODECS[kind].read)
    if record.id != object_id:
        node.get("Stored").fail(f"it is the record of {hex_id(record.id)}")
    return record


def _portal_index(node: Node) -> int:
    """A portal's index as dats store it, −1 for none."""
    index = node.whole()
    if not -1 <= index <= LAST_PORTAL:
        node.fail(f"{index} is no index of a portal: they go from 0 to {LAST_PORTAL}, -1 is none")
    return index


def _tree(node: Node) -> BspNode | None:
    """The physics tree that a dump of ours brings along, None where it brings none."""
    if not node.has("PhysicsTree"):
        return None
    return read_stored(node.get("PhysicsTree"), lambda reader: read_bsp(reader, TreeKind.PHYSICS))


def _frame(node: Node) -> StoredFrame:
    """A cell's frame: a matrix has not all bits of its turn, so that dumps of ours tell that beside it."""
    frame = _transform(node.get("WorldTransform"))
    return StoredFrame(frame.origin, node.get("Orientation").turn()) if node.has("Orientation") else frame


def _polygons(node: Node, key: str) -> tuple[DumpPolygon, ...]:
    out: list[DumpPolygon] = []
    for item in node.items(key):
        corners = tuple(vertex.vec3() for vertex in item.get("Vertices").members())
        if len(corners) < 3:
            item.get("Vertices").fail(f"a polygon has three corners or more, not {len(corners)}")
        if len(corners) > MOST_CORNERS:
            item.get("Vertices").fail(f"a polygon has {MOST_CORNERS} corners at the most, not {len(corners)}")
        if item.has("NumPoints") and item.get("NumPoints").unsigned() != len(corners):
            item.get("NumPoints").fail(f"there are {len(corners)} Vertices")
        sides = item.get("SidesType").unsigned() if item.has("SidesType") else 0
        out.append(DumpPolygon(item.get("Id").unsigned(), sides, corners))
    keys: set[int] = set()
    for polygon in out:
        if polygon.key in keys:
            node.get(key).fail(f"an Id occurs twice: {polygon.key}")
        keys.add(polygon.key)
    return tuple(out)


def _flag(node: Node, key: str) -> bool | None:
    return node.get(key).flag() if node.has(key) else None


def _transform(node: Node) -> StoredFrame:
    """The frame of a WorldTransform (row vectors: world = local . M), which must be rigid."""
    m = [[node.get(f"M{row}{column}").number() for column in range(1, 5)] for row in range(1, 5)]
    if max(abs(m[0][3]), abs(m[1][3]), abs(m[2][3]), abs(m[3][3] - 1.0)) > RIGID:
        node.fail("its last column is not 0 0 0 1")
    rows = [m[0][:3], m[1][:3], m[2][:3]]
    for i in range(3):
        for j in range(3):
            product = sum(rows[i][k] * rows[j][k] for k in range(3))
            if abs(product - (1.0 if i == j else 0.0)) > RIGID:
                node.fail("it is not rigid: its rows are no orthonormal axes")
    (a, b, c), (d, e, f), (g, h, k) = rows
    determinant = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g)
    if abs(determinant - 1.0) > RIGID:
        node.fail(f"it is not rigid: determinant {determinant:.3f}")
    return StoredFrame((m[3][0], m[3][1], m[3][2]), _quaternion(rows))


def _quaternion(rows: Sequence[Sequence[float]]) -> Quat:
    """The unit quaternion of a rotation whose matrix rows (row-vector form) are the rotated axes."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    w = 1.0 + xx + yy + zz
    x = 1.0 + xx - yy - zz
    y = 1.0 - xx + yy - zz
    z = 1.0 - xx - yy + zz
    largest = max(w, x, y, z)
    if largest == w:
        q = (w, yz - zy, zx - xz, xy - yx)
    elif largest == x:
        q = (yz - zy, x, xy + yx, xz + zx)
    elif largest == y:
        q = (zx - xz, xy + yx, y, yz + zy)
    else:
        q = (xy - yx, xz + zx, yz + zy, z)
    length = math.sqrt(sum(part * part for part in q))
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)
