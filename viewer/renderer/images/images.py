"""Images from the texture chain: Surface, SurfaceTexture, RenderSurface, Palette (dat-format 3.11)."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image

from engine.dat.hex_id import hex_id
from engine.dat.records.pixels import decode_pixels
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.surface import Surface
from engine.world.source import WorldSource
from viewer.renderer.gl.array_texture import Image
from viewer.renderer.images.cut_outs import PALETTE_CUT, PLAIN_CUT, on_one_scale
from viewer.renderer.images.materials import ADDITIVE, CLIP_MAP, RenderClass, is_textured, render_class
from viewer.renderer.images.textures import fill_transparent, solid_image, without_alpha

MOST_JPEG_PIXELS = 4096 * 4096
MOST_JPEG_SCANS = 200  # through all pixels; encoders make ten, and thousands fit into some bytes
_SCAN = b"\xff\xda"


class MissingImageError(Exception):
    """A surface whose image cannot be shown; the message says what is missing or wrong."""


def surface_image(source: WorldSource, surface: Surface) -> Image:
    """The image of a textured surface. Raises MissingImageError, or DatError for damaged records."""
    return texture_image(
        source,
        surface.texture or 0,
        clip_map=bool(surface.type & CLIP_MAP),
        additive=bool(surface.type & ADDITIVE),
    )


def drawn_image(source: WorldSource, surface: Surface) -> Image:
    """A surface's image, or colour, as its class is drawn: without its alpha, ready to be cut out or blended.

    Raises as ``surface_image`` does.
    """
    flags = surface.drawn_type
    if not is_textured(flags):
        image = solid_image(surface.color or 0)
    else:
        image = surface_image(source, surface)
    how = render_class(flags)
    if how is RenderClass.OPAQUE:
        return without_alpha(image)
    if how is RenderClass.CUTOUT:
        record = render_surface(source, surface.texture or 0)
        image = on_one_scale(image, PLAIN_CUT if record.palette is None else PALETTE_CUT)
    return fill_transparent(image)


def made_of(source: WorldSource, surface: Surface) -> tuple[int, int, int]:
    """What decides about the drawn image of a textured surface: those of equal ones are equal.

    Raises MissingImageError, or DatError for damaged records.
    """
    record = render_surface(source, surface.texture or 0)
    how = min(render_class(surface.drawn_type), RenderClass.BLEND)
    return record.id, surface.type & (CLIP_MAP | ADDITIVE), how


def texture_image(
    source: WorldSource, texture_id: int, *, clip_map: bool = False, additive: bool = False
) -> Image:
    """The image of a SurfaceTexture."""
    return decode(source, render_surface(source, texture_id), clip_map=clip_map, additive=additive)


def render_surface(source: WorldSource, texture_id: int) -> RenderSurface:
    """The first of a SurfaceTexture's RenderSurfaces that is present."""
    texture = source.surface_texture(texture_id)
    if texture is None:
        raise MissingImageError(f"there is no texture {hex_id(texture_id)}")
    for render_id in texture.textures:
        record = source.render_surface(render_id)
        if record is not None:
            return record
    names = ", ".join(hex_id(i) for i in texture.textures)
    raise MissingImageError(f"texture {hex_id(texture_id)}: none of its images is there ({names})")


def decode(source: WorldSource, record: RenderSurface, *, clip_map: bool, additive: bool) -> Image:
    """The pixels of a RenderSurface, top row first, one at least. Raises as ``surface_image`` does."""
    palette = source.palette(record.palette) if record.palette is not None else None
    if record.palette is not None and palette is None:
        raise MissingImageError(f"image {hex_id(record.id)}: there is no palette {hex_id(record.palette)}")
    pixels = decode_pixels(record, palette, clip_map=clip_map, additive=additive, jpeg=decode_jpeg)
    if not pixels.size:
        height, width = pixels.shape[:2]
        raise MissingImageError(f"image {hex_id(record.id)}: an image of {width} by {height} pixels")
    return pixels


def fit(image: Image, size: int) -> Image:
    """An image scaled to a square of that size."""
    if image.shape[:2] == (size, size):
        return image
    scaled = PIL.Image.fromarray(image, "RGBA").resize((size, size), PIL.Image.Resampling.BICUBIC)
    return np.asarray(scaled, np.uint8)


def decode_jpeg(data: bytes) -> Image:
    """The pixels of a JPEG file. Raises ValueError for bytes that are none, or far too large an image."""
    try:
        with PIL.Image.open(io.BytesIO(data), formats=["JPEG"]) as picture:
            width, height = picture.size
            if width * height > MOST_JPEG_PIXELS:
                raise ValueError(f"{width} by {height} pixels")
            if (scans := data.count(_SCAN)) > MOST_JPEG_SCANS:
                raise ValueError(f"{scans} scans, more than {MOST_JPEG_SCANS}")
            return np.asarray(picture.convert("RGBA"), np.uint8)
    except PIL.UnidentifiedImageError:  # its words name an object in memory
        raise ValueError("it is no JPEG") from None
    except Exception as error:  # damaged files make Pillow raise more kinds of errors than it documents
        raise ValueError(str(error) or type(error).__name__) from error
