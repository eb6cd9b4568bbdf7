"""From polygons of records to triangles: sides, fans, what is drawn and what is not (surfaces 4.2, 4.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from engine.dat.number_rules import MOST, all_sound, is_direction, place_fault
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.frame import Frame
from engine.world.polygon import make_plane
from viewer.renderer.images.materials import Material, RenderClass
from viewer.renderer.scene.junctions import Corner, Junctions

VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<f4", 3),
        ("uv", "<f4", 2),
        ("layer", "<f4"),
        ("material", "u1", 4),
        ("light", "u1", 4),
    ]
)
VERTEX_FORMAT = "3f4 3f4 2f4 1f4 4f1 4f1"
VERTEX_NAMES = ("in_position", "in_normal", "in_uv", "in_layer", "in_material", "in_light")

DOUBLE_SIDED, BOTH_SIDES = 1, 2
WRAP_FRONT, WRAP_BACK = 0x1, 0x2
_UV_SLACK = 1.0 / 512.0

Vertices = NDArray[np.void]  # of VERTEX
Indices = NDArray[np.uint32]  # of vertices, three a triangle


Known = dict[tuple[int, int | None, bool], Corner]
"""Corners by their vertex's key, the number of their UV, and whether they are turned to the back."""


class Batch(NamedTuple):
    """What triangles must share to be drawn in one call."""

    render_class: RenderClass
    page: int
    wrap: bool


class Chunk(NamedTuple):
    """Triangles of one batch, in the space they were made for; ``indices`` count from its first vertex.

    It holds the same so many times, one after the other, as there are ``places`` that it was moved to.
    """

    batch: Batch
    vertices: Vertices
    indices: Indices
    places: int = 1

    @property
    def corners(self) -> Vertices:
        """The vertices of its triangles, three each."""
        return self.vertices[self.indices]


class Side(NamedTuple):
    """One visible side of a polygon: its corners in counter-clockwise order.

    ``wrap`` says that this side asks for a texture that repeats.
    """

    slot: int
    wrap: bool
    corners: tuple[Corner, ...]

    def triangles(self, junctions: Junctions | None = None) -> list[Corner]:
        """A fan from the first corner, for polygons are convex; cut at junctions where given."""
        c = self.corners
        if junctions is None:
            return [c[i] for k in range(1, len(c) - 1) for i in (0, k, k + 1)]
        return [p for k in range(1, len(c) - 1) for p in junctions.split((c[0], c[k], c[k + 1]))]


def drawn_polygons(record: GfxObj, *, by_tree: bool = True) -> list[Polygon]:
    """The polygons of a model that are drawn: those its drawing tree's nodes list, without openings.

    The table holds orphans that only collide. Without a drawing tree, or with ``by_tree`` off, the
    whole table is drawn.
    """
    polygons = record.polygons or ()
    tree = record.drawing_bsp
    if tree is None:
        return list(polygons)
    listed, openings = _tree_polygons(tree)
    return [p for p in polygons if p.key not in openings and (p.key in listed or not by_tree)]


def sides_of(
    array: VertexArray, polygons: Iterable[Polygon], surface_count: int, shown: Callable[[int], bool]
) -> list[Side]:
    """The visible sides of polygons, file order.

    ``shown`` tells by surface slot whether a side is drawn at all. Sides with a slot outside the list,
    fewer than three vertices, no area or a vertex at no place are left out. A vertex whose normal is no
    direction has its face's.
    """
    vertices = {v.key: v for v in array.vertices}
    known: Known = {}
    if not all_sound([v.pos for v in array.vertices]):
        vertices = {key: v for key, v in vertices.items() if place_fault(v.pos) is None}
    out: list[Side] = []
    for polygon in polygons:
        found = [vertices[key] for key in polygon.vertex_ids if key in vertices]
        normal, _ = make_plane([v.pos for v in found])
        if len(found) < max(3, len(polygon.vertex_ids)) or normal == (0.0, 0.0, 0.0):
            continue
        front = (polygon.pos_surface, polygon.pos_uv_indices, polygon.stippling & WRAP_FRONT, False)
        sides = [front]
        if polygon.sides_type == DOUBLE_SIDED:
            sides.append((*front[:3], True))
        elif polygon.sides_type == BOTH_SIDES:
            back = polygon.stippling & WRAP_BACK
            sides.append((polygon.neg_surface, polygon.neg_uv_indices, back, True))
        for slot, uvs, wrap, reverse in sides:
            if 0 <= slot < surface_count and shown(slot):
                corners, beyond = _corners(found, normal, uvs, reverse=reverse, known=known)
                out.append(Side(slot, bool(wrap) or beyond, corners))
    return out


def chunks_of(
    sides: Iterable[Side], materials: list[Material], junctions: Junctions | None = None
) -> list[Chunk]:
    """Sides of one mesh as vertices, one chunk a batch; ``materials`` are by surface slot.

    A surface repeats or not in the mesh as a whole: where any of its sides asks for it, all repeat, so that
    no seam shows where two polygons share an edge of the texture (surfaces 4.7). With ``junctions``
    triangles are cut where another polygon's corner lies on their edge.
    """
    sides = list(sides)
    repeating = {materials[side.slot] for side in sides if side.wrap}
    growing: dict[Batch, _Growing] = {}
    for side in sides:
        m = materials[side.slot]
        batch = Batch(m.render_class, m.page, m in repeating)
        found = growing.get(batch) or growing.setdefault(batch, _Growing())
        if junctions is None:
            found.add_fan(m, side.corners)
        else:
            found.add(m, side.triangles(junctions))
    return [found.chunk(batch) for batch, found in growing.items()]


class _Growing:
    """Triangles of one batch: each corner is kept once a material, and told by the object that it is."""

    def __init__(self) -> None:
        self._known: dict[Material, dict[int, int]] = {}
        self._corners: list[Corner] = []
        self._rows: list[tuple[Material, int]] = []
        self._indices: list[int] = []

    def add(self, material: Material, triangles: Iterable[Corner]) -> None:
        """Triangles, three corners each."""
        self._indices.extend(self._numbers(material, triangles))

    def add_fan(self, material: Material, corners: Iterable[Corner]) -> None:
        """A fan from the first corner."""
        first, *others = self._numbers(material, corners)
        for number, following in pairwise(others):
            self._indices += (first, number, following)

    def _numbers(self, material: Material, wanted: Iterable[Corner]) -> list[int]:
        known = self._known.setdefault(material, {})
        corners, before = self._corners, len(self._corners)
        numbers: list[int] = []
        for corner in wanted:
            number = known.get(id(corner))
            if number is None:
                number = known[id(corner)] = len(corners)
                corners.append(corner)
            numbers.append(number)
        self._rows.append((material, len(corners) - before))
        return numbers

    def chunk(self, batch: Batch) -> Chunk:
        """All of it, without light."""
        flat = chain.from_iterable(chain.from_iterable(self._corners))
        numbers = np.fromiter(flat, float, 8 * len(self._corners)).reshape(-1, 8)
        counts = [count for _, count in self._rows]
        out = np.zeros(len(numbers), VERTEX)
        out["position"], out["normal"], out["uv"] = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:]
        out["layer"] = np.repeat([m.layer for m, _ in self._rows], counts)
        out["material"] = np.repeat(np.array([m.factors for m, _ in self._rows], np.uint8), counts, axis=0)
        return Chunk(batch, out, np.array(self._indices, np.uint32))


def place(chunk: Chunk, frame: Frame, scale: Vec3 = (1.0, 1.0, 1.0)) -> Chunk:
    """A chunk moved into the space that ``frame`` leads to, after scaling its vertices."""
    return place_all(chunk, [frame], scale)


def place_all(chunk: Chunk, frames: Sequence[Frame], scale: Vec3 = (1.0, 1.0, 1.0)) -> Chunk:
    """A chunk at each of several places, as one.

    A mirroring scale turns the triangles, so that they still face outward.
    """
    out = chunk.vertices.copy() if len(frames) == 1 else np.tile(chunk.vertices, len(frames))
    turn = np.array([frame.rot for frame in frames]).reshape(-1, 3, 3).transpose(0, 2, 1)
    factors = np.array(scale)
    points = (chunk.vertices["position"] * factors) @ turn
    points += np.array([frame.origin for frame in frames])[:, None]
    out["position"] = points.reshape(-1, 3)
    normals = chunk.vertices["normal"] / (factors if all(scale) else np.where(factors == 0.0, 1.0, factors))
    lengths = np.sqrt(np.einsum("ij,ij->i", normals, normals))[:, None]
    if not lengths.all():
        lengths[lengths == 0.0] = 1.0
    normals /= lengths
    out["normal"] = (normals @ turn).reshape(-1, 3)
    count, indices = len(chunk.vertices), chunk.indices
    if scale[0] * scale[1] * scale[2] < 0.0:
        indices = indices.reshape(-1, 3)[:, ::-1].reshape(-1)
    if len(frames) > 1:
        firsts = np.arange(len(frames), dtype=np.uint32) * np.uint32(count)
        indices = (indices + firsts[:, None]).reshape(-1)
    return Chunk(chunk.batch, out, indices, places=len(frames))


def bounds(chunks: Iterable[Chunk]) -> tuple[Vec3, float]:
    """A sphere around all vertices, (0, 0, 0) and 0 for none."""
    found = [c.vertices["position"] for c in chunks if len(c.vertices)]
    if not found:
        return (0.0, 0.0, 0.0), 0.0
    axes = np.ascontiguousarray(np.concatenate(found).T)  # along rows numpy goes point by point
    low = np.minimum.reduce(axes, axis=1).astype(np.float64)
    high = np.maximum.reduce(axes, axis=1).astype(np.float64)
    middle = (low + high) / 2.0
    x, y, z = middle.tolist()
    across = high - middle
    return (x, y, z), math.sqrt(across.dot(across))


def box_chunk(batch: Batch, layer: int, low: Vec3, high: Vec3) -> Chunk:
    """An upright box with its texture on each face, facing outward."""
    rows: list[tuple[object, ...]] = []
    indices: list[int] = []
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for end, sign in ((low[axis], -1.0), (high[axis], 1.0)):
            normal = tuple(sign if k == axis else 0.0 for k in range(3))
            corners = []
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                p = [0.0, 0.0, 0.0]
                p[axis], p[a], p[b] = end, (low, high)[u][a], (low, high)[v][b]
                corners.append((tuple(p), normal, (float(u), 1.0 - v), layer, (0, 255, 255, 0), (0,) * 4))
            order = (0, 1, 2, 0, 2, 3) if sign > 0 else (0, 2, 1, 0, 3, 2)
            indices.extend(len(rows) + i for i in order)
            rows.extend(corners)
    return Chunk(batch, np.array(rows, VERTEX), np.array(indices, np.uint32))


def _tree_polygons(tree: BspNode) -> tuple[set[int], set[int]]:
    listed: set[int] = set()
    openings: set[int] = set()
    for node in tree.walk():
        listed.update(node.polys or ())
        openings.update(ref.polygon for ref in node.portals or ())
    return listed, openings


def _corners(
    vertices: list[SWVertex],
    face_normal: Vec3,
    uv_indices: tuple[int, ...] | None,
    *,
    reverse: bool,
    known: Known,
) -> tuple[tuple[Corner, ...], bool]:
    """The corners of a side, counter-clockwise, and whether any of them lies beyond its texture.

    Polygons that share a vertex, its UV and how it is turned share one object.
    """
    out: list[Corner] = []
    beyond = False
    for i, vertex in enumerate(vertices):
        key = (vertex.key, None if uv_indices is None else uv_indices[i], reverse)
        corner = known.get(key)
        if corner is None:
            own = is_direction(vertex.normal)
            normal = vertex.normal if own else face_normal
            if reverse:
                normal = (-normal[0], -normal[1], -normal[2])
            uv = (0.0, 0.0) if uv_indices is None else _uv(vertex, uv_indices[i])
            corner = (vertex.pos, normal, uv)
            if own:
                known[key] = corner
        u, v = corner[2]
        beyond |= not (-_UV_SLACK <= u <= 1.0 + _UV_SLACK and -_UV_SLACK <= v <= 1.0 + _UV_SLACK)
        out.append(corner)
    return tuple(reversed(out) if reverse else out), beyond


def _uv(vertex: SWVertex, index: int) -> tuple[float, float]:
    if not vertex.uvs:
        return (0.0, 0.0)
    uv = vertex.uvs[index] if index < len(vertex.uvs) else vertex.uvs[0]
    return uv if abs(uv[0] + uv[1]) <= MOST else (0.0, 0.0)  # what is no number is not
