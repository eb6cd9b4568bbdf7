"""RenderSurface, 0x06: an image's pixels (dat-format 3.11). ``engine.dat.records.pixels`` decodes them."""

from __future__ import annotations

from enum import IntEnum

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple


class PixelFormat(IntEnum):
    """The pixel formats by their stored code."""

    R8G8B8 = 0x14
    A8R8G8B8 = 0x15
    X8R8G8B8 = 0x16
    R5G6B5 = 0x17
    X1R5G5B5 = 0x18
    A1R5G5B5 = 0x19
    A4R4G4B4 = 0x1A
    R3G3B2 = 0x1B
    A8 = 0x1C
    A8R3G3B2 = 0x1D
    X4R4G4B4 = 0x1E
    A2B10G10R10 = 0x1F
    A8B8G8R8 = 0x20
    X8B8G8R8 = 0x21
    A2R10G10B10 = 0x23
    A8P8 = 0x28
    P8 = 0x29
    L8 = 0x32
    A8L8 = 0x33
    A4L4 = 0x34
    INDEX16 = 0x65
    INDEX32 = 0x66
    CUSTOM_R8G8B8A8 = 0xF0
    CUSTOM_A8B8G8R8 = 0xF1
    CUSTOM_B8G8R8 = 0xF2
    CUSTOM_LSCAPE_R8G8B8 = 0xF3
    CUSTOM_LSCAPE_ALPHA = 0xF4
    CUSTOM_RAW_JPEG = 0x1F4
    DXT1 = 0x31545844
    DXT2 = 0x32545844
    DXT3 = 0x33545844
    DXT4 = 0x34545844
    DXT5 = 0x35545844


WITH_PALETTE = frozenset({PixelFormat.P8, PixelFormat.INDEX16})
BLOCK_BYTES = {
    PixelFormat.DXT1: 8, PixelFormat.DXT2: 16, PixelFormat.DXT3: 16, PixelFormat.DXT4: 16,
    PixelFormat.DXT5: 16,
}  # fmt: skip
BITS_PER_PIXEL = {
    PixelFormat.R8G8B8: 24, PixelFormat.A8R8G8B8: 32, PixelFormat.X8R8G8B8: 32, PixelFormat.R5G6B5: 16,
    PixelFormat.X1R5G5B5: 16, PixelFormat.A1R5G5B5: 16, PixelFormat.A4R4G4B4: 16, PixelFormat.R3G3B2: 8,
    PixelFormat.A8: 8, PixelFormat.A8R3G3B2: 16, PixelFormat.X4R4G4B4: 16, PixelFormat.A2B10G10R10: 32,
    PixelFormat.A8B8G8R8: 32, PixelFormat.X8B8G8R8: 32, PixelFormat.A2R10G10B10: 32, PixelFormat.A8P8: 16,
    PixelFormat.P8: 8, PixelFormat.L8: 8, PixelFormat.A8L8: 16, PixelFormat.A4L4: 8, PixelFormat.INDEX16: 16,
    PixelFormat.INDEX32: 32, PixelFormat.CUSTOM_R8G8B8A8: 32, PixelFormat.CUSTOM_A8B8G8R8: 32,
    PixelFormat.CUSTOM_B8G8R8: 24, PixelFormat.CUSTOM_LSCAPE_R8G8B8: 24, PixelFormat.CUSTOM_LSCAPE_ALPHA: 8,
}  # fmt: skip


class RenderSurface(NamedTuple):
    """An image of ``width`` × ``height`` pixels, rows from the top; 0 × 0 for a JPEG.

    ``format`` is the stored code (see PixelFormat); ``palette`` the default Palette id of the formats
    that have one (P8, INDEX16), else None.
    """

    id: int
    category: int
    width: int
    height: int
    format: int
    data: bytes
    palette: int | None = None


def data_size(pixel_format: int, width: int, height: int) -> int | None:
    """The bytes that an image must have; None where its format does not say (JPEG, unknown)."""
    try:
        known = PixelFormat(pixel_format)
    except ValueError:
        return None
    if known in BLOCK_BYTES:
        return -(-width // 4) * -(-height // 4) * BLOCK_BYTES[known]
    if known in BITS_PER_PIXEL:
        return BITS_PER_PIXEL[known] * width * height // 8
    return None


def read_render_surface(reader: Reader) -> RenderSurface:
    """A RenderSurface record; its byte length must be the one of its size and format."""
    surface_id, category = reader.header_id(), reader.u32()
    width, height, pixel_format = reader.i32(), reader.i32(), reader.u32()
    if width < 0 or height < 0:
        reader.fail(f"an image of {width} by {height} pixels", 8)
    size, wanted = reader.i32(), data_size(pixel_format, width, height)
    if wanted is not None and size != wanted:
        reader.fail(f"{size} bytes of pixels where {width} by {height} pixels take {wanted}", reader.pos - 4)
    data = reader.raw(size)
    palette = reader.u32() if pixel_format in WITH_PALETTE else None
    return RenderSurface(
        id=surface_id,
        category=category,
        width=width,
        height=height,
        format=pixel_format,
        data=data,
        palette=palette,
    )


def write_render_surface(writer: Writer, surface: RenderSurface) -> None:
    """A RenderSurface record."""
    wanted = data_size(surface.format, surface.width, surface.height)
    writer.require(wanted is None or wanted == len(surface.data), f"the pixels must be {wanted} bytes")
    writer.require(
        (surface.palette is not None) == (surface.format in WITH_PALETTE), "palette and format disagree"
    )
    writer.u32(surface.id)
    writer.u32(surface.category)
    writer.i32(surface.width)
    writer.i32(surface.height)
    writer.u32(surface.format)
    writer.i32(len(surface.data))
    writer.raw(surface.data)
    if surface.palette is not None:
        writer.u32(surface.palette)
