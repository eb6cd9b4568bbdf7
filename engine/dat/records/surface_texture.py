"""SurfaceTexture, 0x05: the images of one texture, most detailed first (dat-format 3.11)."""

from __future__ import annotations

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple


class SurfaceTexture(NamedTuple):
    """RenderSurface ids, of which the first that can be found is drawn; ``type`` 2 is two-dimensional."""

    id: int
    category: int
    type: int
    textures: tuple[int, ...]


def read_surface_texture(reader: Reader) -> SurfaceTexture:
    """A SurfaceTexture record; unaligned after the type's one byte."""
    texture_id, category, kind = reader.header_id(), reader.u32(), reader.u8()
    return SurfaceTexture(texture_id, category, kind, reader.array("I", reader.i32()))


def write_surface_texture(writer: Writer, texture: SurfaceTexture) -> None:
    """A SurfaceTexture record."""
    writer.u32(texture.id)
    writer.u32(texture.category)
    writer.u8(texture.type)
    writer.i32(len(texture.textures))
    writer.array("I", texture.textures)
