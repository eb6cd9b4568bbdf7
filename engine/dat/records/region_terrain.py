"""The Region's terrain: types with their scenery and the textures to merge (dat-format 3.13)."""

from __future__ import annotations

from struct import Struct

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

TEX_MERGE = 0  # the only land surface type in use

_MAP = Struct("<II")
_TEX = Struct("<11I")


class TerrainType(NamedTuple):
    """A kind of ground: colour 0xAARRGGBB, and by scenery index an index into Region.scene (−1 none)."""

    name: str
    color: int
    scenes: tuple[int, ...]


class TerrainAlphaMap(NamedTuple):
    """A mask: the corner code that it covers unrotated, and its SurfaceTexture."""

    code: int
    texture: int


class TerrainTex(NamedTuple):
    """The texture of a terrain type (0x20 is the road), repeated ``tiling`` times over a cell."""

    type: int
    texture: int
    tiling: int
    max_bright: int
    min_bright: int
    max_sat: int
    min_sat: int
    max_hue: int
    min_hue: int
    detail_tiling: int
    detail_texture: int


class TexMerge(NamedTuple):
    """Masks for single corners, for sides and for roads, and the terrain textures."""

    base_size: int
    corner: tuple[TerrainAlphaMap, ...]
    side: tuple[TerrainAlphaMap, ...]
    road: tuple[TerrainAlphaMap, ...]
    terrain: tuple[TerrainTex, ...]


class TerrainDesc(NamedTuple):
    """The terrain types by number, and how their textures merge; ``surface_type`` is 0."""

    types: tuple[TerrainType, ...]
    surface_type: int
    texmerge: TexMerge


def read_terrain(reader: Reader) -> TerrainDesc:
    """A TerrainDesc; raises DatError for the palette-shift kind, which no file of the last version has."""
    types = reader.many(reader.u32(), 10, _read_type)
    surface_type = reader.u32()
    if surface_type != TEX_MERGE:
        reader.fail(f"land surface type {surface_type} is not texture merging", reader.pos - 4)
    base_size = reader.u32()
    corner, side, road = (
        reader.many(reader.u32(), _MAP.size, lambda r: TerrainAlphaMap(*r.unpack(_MAP))) for _ in range(3)
    )
    terrain = reader.many(reader.u32(), _TEX.size, lambda r: TerrainTex(*r.unpack(_TEX)))
    return TerrainDesc(
        types,
        surface_type,
        TexMerge(base_size=base_size, corner=corner, side=side, road=road, terrain=terrain),
    )


def write_terrain(writer: Writer, terrain: TerrainDesc) -> None:
    """A TerrainDesc."""
    writer.require(terrain.surface_type == TEX_MERGE, "only texture merging can be written")
    writer.u32(len(terrain.types))
    for kind in terrain.types:
        writer.pstring16(kind.name)
        writer.u32(kind.color)
        writer.u32(len(kind.scenes))
        writer.array("i", kind.scenes)
    merge = terrain.texmerge
    writer.u32(terrain.surface_type)
    writer.u32(merge.base_size)
    for maps in (merge.corner, merge.side, merge.road):
        writer.u32(len(maps))
        for item in maps:
            writer.pack(_MAP, item.code, item.texture)
    writer.u32(len(merge.terrain))
    for tex in merge.terrain:
        writer.pack(
            _TEX,
            tex.type, tex.texture, tex.tiling, tex.max_bright, tex.min_bright, tex.max_sat, tex.min_sat,
            tex.max_hue, tex.min_hue, tex.detail_tiling, tex.detail_texture,
        )  # fmt: skip


def _read_type(reader: Reader) -> TerrainType:
    return TerrainType(reader.pstring16(), reader.u32(), reader.array("i", reader.u32()))
