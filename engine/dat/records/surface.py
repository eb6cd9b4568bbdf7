"""Surface, 0x08: a material (dat-format 3.11, 4.11). The only portal object without an id of its own."""

from __future__ import annotations

from typing import Final

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

BASE1_SOLID, BASE1_IMAGE, BASE1_CLIP_MAP = 0x1, 0x2, 0x4
TRANSLUCENT, DIFFUSE, LUMINOUS = 0x10, 0x20, 0x40
ALPHA, INV_ALPHA, ADDITIVE, DETAIL = 0x100, 0x200, 0x10000, 0x20000
HAS_IMAGE = BASE1_IMAGE | BASE1_CLIP_MAP
# Above this translucency the client sets the Translucent bit itself.
TRANSLUCENCY_EPS = 0.0002


SURFACE_FIELDS: Final = (
    "type", "texture", "palette", "color", "translucency", "luminosity", "diffuse",
)  # fmt: skip


class Surface(NamedTuple):
    """A textured (``texture``, ``palette``) or plain (``color``, 0xAARRGGBB) material.

    ``type`` are the stored bits; ``translucency`` 0 is opaque, 1 invisible.
    """

    type: int
    texture: int | None = None
    palette: int | None = None
    color: int | None = None
    translucency: float = 0.0
    luminosity: float = 0.0
    diffuse: float = 1.0

    @property
    def drawn_type(self) -> int:
        """The bits as the client has them after loading: a translucent surface has the bit."""
        return self.type | TRANSLUCENT if self.translucency > TRANSLUCENCY_EPS else self.type


def read_surface(reader: Reader) -> Surface:
    """A Surface record."""
    kind = reader.u32()
    texture = palette = color = None
    if kind & HAS_IMAGE:
        texture, palette = reader.u32(), reader.u32()
    else:
        color = reader.u32()
    return Surface(
        type=kind,
        texture=texture,
        palette=palette,
        color=color,
        translucency=reader.f32(),
        luminosity=reader.f32(),
        diffuse=reader.f32(),
    )


def write_surface(writer: Writer, surface: Surface) -> None:
    """A Surface record of 24 bytes with a texture, 20 without."""
    writer.u32(surface.type)
    if surface.type & HAS_IMAGE:
        writer.require(surface.color is None, "a textured surface stores no colour")
        writer.u32(writer.need(surface.texture, "an image bit without a texture"))
        writer.u32(writer.need(surface.palette, "an image bit without a palette (0 for the texture's own)"))
    else:
        writer.require(surface.texture is None and surface.palette is None, "a texture without an image bit")
        writer.u32(writer.need(surface.color, "a plain surface without a colour"))
    writer.f32(surface.translucency)
    writer.f32(surface.luminosity)
    writer.f32(surface.diffuse)
