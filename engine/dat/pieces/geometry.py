"""Vertices and polygons as GfxObj and CellStruct records store them (dat-format 3.7)."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from engine.dat.primitives import Reader, Writer
from engine.dat.values import Vec3, whole

NO_POS_UVS, NO_NEG_UVS = 0x04, 0x08  # stippling bits
TWO_SURFACES = 2  # sides type

_VERTEX, _VERTEX_NUMBERS = Struct("<HH6f"), 8
_POLYGON = Struct("<HBBihh")


class SWVertex(NamedTuple):
    """A vertex: position and normal in model or cell space, any number of (u, v) with v downwards."""

    key: int
    pos: Vec3
    normal: Vec3
    uvs: tuple[tuple[float, float], ...] = ()


class VertexArray(NamedTuple):
    """The vertices of a model or cell structure; keys contiguous from 0, type always 1."""

    type: int
    vertices: tuple[SWVertex, ...]


class Polygon(NamedTuple):
    """A polygon, counter-clockwise seen from its front (dat-format 3.7).

    ``sides_type`` 0 single-sided, 1 double-sided, 2 with an own surface behind. Surface slots index
    GfxObj.surfaces or EnvCell.surfaces, −1 none. A UV list is None where the file has none.
    """

    key: int
    stippling: int
    sides_type: int
    pos_surface: int
    neg_surface: int
    vertex_ids: tuple[int, ...]
    pos_uv_indices: tuple[int, ...] | None = None
    neg_uv_indices: tuple[int, ...] | None = None


def write_vertex(writer: Writer, vertex: SWVertex) -> None:
    """A key and its vertex."""
    writer.pack(_VERTEX, vertex.key, len(vertex.uvs), *vertex.pos, *vertex.normal)
    writer.array("f", [value for uv in vertex.uvs for value in uv])


def read_vertex_array(reader: Reader) -> VertexArray:
    """A vertex array."""
    kind, count = reader.i32(), reader.u32()
    reader.check_count(count, _VERTEX.size)
    vertices: list[SWVertex] = []
    while len(vertices) < count:
        vertices += _read_alike(reader, count - len(vertices))
    return VertexArray(kind, tuple(vertices))


def _read_alike(reader: Reader, most: int) -> list[SWVertex]:
    """The next vertices with equally many UV pairs: mostly the whole array, read in one go."""
    start = reader.pos
    uv_count = reader.unpack(_VERTEX)[1]
    reader.pos = start
    rows = reader.alike(_vertex_layout(uv_count), most, 1, uv_count)
    if uv_count == 1:  # nearly all that there are
        return [whole(SWVertex, (row[0], row[2:5], row[5:8], (row[8:],))) for row in rows]
    pairs = range(_VERTEX_NUMBERS, _VERTEX_NUMBERS + 2 * uv_count, 2)
    return [SWVertex(row[0], row[2:5], row[5:8], tuple([row[i : i + 2] for i in pairs])) for row in rows]


@lru_cache(maxsize=256)
def _vertex_layout(uv_count: int) -> Struct:
    return Struct(f"{_VERTEX.format}{2 * uv_count}f")


def write_vertex_array(writer: Writer, array: VertexArray) -> None:
    """A vertex array."""
    writer.i32(array.type)
    writer.u32(len(array.vertices))
    writer.many(array.vertices, write_vertex)


def read_polygon(reader: Reader) -> Polygon:
    """A key and its polygon."""
    key, count, stippling, sides_type, pos_surface, neg_surface = reader.unpack(_POLYGON)
    has_pos = not stippling & NO_POS_UVS
    has_neg = sides_type == TWO_SURFACES and not stippling & NO_NEG_UVS
    corners = reader.unpack(_corner_layout(count, has_pos + has_neg))
    pos = corners[count : 2 * count] if has_pos else None
    neg = corners[len(corners) - count :] if has_neg else None
    return whole(Polygon, (key, stippling, sides_type, pos_surface, neg_surface, corners[:count], pos, neg))


@lru_cache(maxsize=256)
def _corner_layout(count: int, uv_lists: int) -> Struct:
    return Struct(f"<{count}h{count * uv_lists}B")


def write_polygon(writer: Writer, polygon: Polygon) -> None:
    """A key and its polygon; its UV lists must be those that stippling and sides type announce."""
    count, stippling = len(polygon.vertex_ids), polygon.stippling
    writer.pack(
        _POLYGON,
        polygon.key, count, stippling, polygon.sides_type, polygon.pos_surface, polygon.neg_surface,
    )  # fmt: skip
    writer.array("h", polygon.vertex_ids)
    for uvs, stored in (
        (polygon.pos_uv_indices, not stippling & NO_POS_UVS),
        (polygon.neg_uv_indices, polygon.sides_type == TWO_SURFACES and not stippling & NO_NEG_UVS),
    ):
        writer.require(
            (uvs is not None) == stored and (uvs is None or len(uvs) == count),
            f"polygon {polygon.key}: its UV lists don't fit its stippling, sides type or vertex count",
        )
        writer.array("B", uvs or ())


def read_polygons(reader: Reader, count: int) -> tuple[Polygon, ...]:
    """``count`` keyed polygons."""
    return reader.many(count, _POLYGON.size, read_polygon)


def write_polygons(writer: Writer, polygons: tuple[Polygon, ...]) -> None:
    """Keyed polygons, without their count."""
    writer.many(polygons, write_polygon)
