"""Vertices and polygons as GfxObj and CellStruct records store them (dat-format 3.7)."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from struct import error as StructError  # noqa: N812 - it is a class

from engine.dat.primitives import Reader, Writer
from engine.dat.values import Vec3, whole
from engine.named_tuple import NamedTuple

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
        _read_alike(reader, count - len(vertices), vertices)
    return VertexArray(kind, tuple(vertices))


def _read_alike(reader: Reader, most: int, vertices: list[SWVertex]) -> None:
    """Add the next vertices with equally many UV pairs: mostly the whole array, read in one go."""
    start, before = reader.pos, len(vertices)
    uv_count = reader.unpack(_VERTEX)[1]
    reader.pos = start
    layout = _vertex_layout(uv_count)
    rows = reader.rows(layout, most)
    if uv_count == 1:  # nearly all that there are
        for key, pairs, x, y, z, nx, ny, nz, u, v in rows:
            if pairs != 1:
                break
            vertices.append(whole(SWVertex, (key, (x, y, z), (nx, ny, nz), ((u, v),))))
    else:
        firsts = range(_VERTEX_NUMBERS, _VERTEX_NUMBERS + 2 * uv_count, 2)
        for row in rows:
            if row[1] != uv_count:
                break
            uvs = tuple([row[i : i + 2] for i in firsts])
            vertices.append(SWVertex(row[0], row[2:5], row[5:8], uvs))
    reader.pos = start + layout.size * (len(vertices) - before)


@lru_cache(maxsize=256)
def _vertex_layout(uv_count: int) -> Struct:
    return Struct(f"{_VERTEX.format}{2 * uv_count}f")


def write_vertex_array(writer: Writer, array: VertexArray) -> None:
    """A vertex array."""
    writer.i32(array.type)
    writer.u32(len(array.vertices))
    writer.many(array.vertices, write_vertex)


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
    """``count`` polygons, a key before each."""
    reader.check_count(count, _POLYGON.size)
    polygons: list[Polygon] = []
    data, pos, layout = reader.data, reader.pos, _POLYGON
    try:
        for _ in range(count):
            key, n, stippling, sides_type, pos_surface, neg_surface = _POLYGON.unpack_from(data, pos)
            has_pos = not stippling & NO_POS_UVS
            has_neg = sides_type == TWO_SURFACES and not stippling & NO_NEG_UVS
            layout, at = _corner_layout(n, has_pos + has_neg), pos + _POLYGON.size
            row = layout.unpack_from(data, at)
            pos_uvs = row[n : 2 * n] if has_pos else None
            neg_uvs = row[len(row) - n :] if has_neg else None
            fields = (key, stippling, sides_type, pos_surface, neg_surface, row[:n], pos_uvs, neg_uvs)
            polygons.append(whole(Polygon, fields))
            pos = at + layout.size
    except StructError:
        reader.pos = pos
        reader.unpack(_POLYGON)  # one of these says what is lacking
        reader.unpack(layout)
        raise
    reader.pos = pos
    return tuple(polygons)


def write_polygons(writer: Writer, polygons: tuple[Polygon, ...]) -> None:
    """Keyed polygons, without their count."""
    writer.many(polygons, write_polygon)
