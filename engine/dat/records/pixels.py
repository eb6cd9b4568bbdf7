"""RenderSurface pixels to RGBA and back (dat-format 3.11).

A name such as A8R8G8B8 lists the channels from the most significant bit down, so on disk they stand in
the opposite order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.dxt import decode_dxt
from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import BLOCK_BYTES, PixelFormat, RenderSurface, data_size

Rgba = NDArray[np.uint8]  # shape (height, width, 4), rows from the top, alpha not premultiplied
JpegDecoder = Callable[[bytes], Rgba]

CLIP_MAP_INDICES = 8  # these first palette indices are the transparent ones of a clip map

# By format: the word's type, then shift and width in bits of red, green, blue and alpha (width 0: opaque).
_FIELDS: dict[int, tuple[str, tuple[tuple[int, int], ...]]] = {
    PixelFormat.A8R8G8B8: ("<u4", ((16, 8), (8, 8), (0, 8), (24, 8))),
    PixelFormat.X8R8G8B8: ("<u4", ((16, 8), (8, 8), (0, 8), (0, 0))),
    PixelFormat.A8B8G8R8: ("<u4", ((0, 8), (8, 8), (16, 8), (24, 8))),
    PixelFormat.X8B8G8R8: ("<u4", ((0, 8), (8, 8), (16, 8), (0, 0))),
    PixelFormat.CUSTOM_A8B8G8R8: ("<u4", ((0, 8), (8, 8), (16, 8), (24, 8))),
    PixelFormat.CUSTOM_R8G8B8A8: ("<u4", ((24, 8), (16, 8), (8, 8), (0, 8))),
    PixelFormat.A2B10G10R10: ("<u4", ((0, 10), (10, 10), (20, 10), (30, 2))),
    PixelFormat.A2R10G10B10: ("<u4", ((20, 10), (10, 10), (0, 10), (30, 2))),
    PixelFormat.R5G6B5: ("<u2", ((11, 5), (5, 6), (0, 5), (0, 0))),
    PixelFormat.X1R5G5B5: ("<u2", ((10, 5), (5, 5), (0, 5), (0, 0))),
    PixelFormat.A1R5G5B5: ("<u2", ((10, 5), (5, 5), (0, 5), (15, 1))),
    PixelFormat.A4R4G4B4: ("<u2", ((8, 4), (4, 4), (0, 4), (12, 4))),
    PixelFormat.X4R4G4B4: ("<u2", ((8, 4), (4, 4), (0, 4), (0, 0))),
    PixelFormat.A8R3G3B2: ("<u2", ((5, 3), (2, 3), (0, 2), (8, 8))),
    PixelFormat.R3G3B2: ("<u1", ((5, 3), (2, 3), (0, 2), (0, 0))),
    PixelFormat.L8: ("<u1", ((0, 8), (0, 8), (0, 8), (0, 0))),
    PixelFormat.A8L8: ("<u2", ((0, 8), (0, 8), (0, 8), (8, 8))),
    PixelFormat.A4L4: ("<u1", ((0, 4), (0, 4), (0, 4), (4, 4))),
}
_INDEXED = {PixelFormat.P8: "<u1", PixelFormat.INDEX16: "<u2", PixelFormat.INDEX32: "<u4"}
_BLUE_FIRST = (PixelFormat.R8G8B8, PixelFormat.CUSTOM_LSCAPE_R8G8B8)
_ALPHA_ONLY = (PixelFormat.A8, PixelFormat.CUSTOM_LSCAPE_ALPHA)


def decode_pixels(
    surface: RenderSurface,
    palette: Palette | None = None,
    *,
    clip_map: bool = False,
    additive: bool = False,
    jpeg: JpegDecoder | None = None,
) -> Rgba:
    """An image's pixels as an array (height, width, 4) of bytes R, G, B, A.

    ``palette`` serves the indexed formats. ``clip_map`` (a Surface's Base1ClipMap bit) makes the first
    eight palette indices and, in DXT images, black texels transparent. ``additive`` (a Surface's Additive
    bit) puts the value of an alpha-only image into its colour as well; otherwise that is white.
    ``jpeg`` decodes a JPEG file's bytes and raises ValueError for those that are none. Raises DatError
    where bytes, palette or decoder don't fit the format.
    """
    width, height, data, code = surface.width, surface.height, surface.data, surface.format
    if code == PixelFormat.CUSTOM_RAW_JPEG:
        return _jpeg(surface, jpeg)
    wanted = data_size(code, width, height)
    if wanted is None:
        raise _error(surface, f"pixel format 0x{code:X} is unknown")
    if len(data) != wanted:
        raise _error(surface, f"{len(data)} bytes where {width} by {height} pixels take {wanted}")
    if code in BLOCK_BYTES:
        out = decode_dxt(data, width, height, PixelFormat(code))
        if clip_map:
            out[~out[..., :3].any(axis=-1)] = 0
        return out
    if code in _INDEXED or code == PixelFormat.A8P8:
        return _indexed(surface, palette, clip_map=clip_map)
    out = np.full((height, width, 4), 255, np.uint8)
    if code in _FIELDS:
        dtype, channels = _FIELDS[code]
        words = np.frombuffer(data, dtype).reshape(height, width)
        for channel, (shift, bits) in enumerate(channels):
            if bits:
                out[..., channel] = _widened(words >> shift & (1 << bits) - 1, bits)
    elif code in _ALPHA_ONLY:
        out[..., 3] = np.frombuffer(data, np.uint8).reshape(height, width)
        if additive:
            out[..., :3] = out[..., 3:]
    else:
        triples = np.frombuffer(data, np.uint8).reshape(height, width, 3)
        out[..., :3] = triples[..., ::-1] if code in _BLUE_FIRST else triples
    return out


def palette_colors(palette: Palette) -> Rgba:
    """A palette's colours (n, 4) as R, G, B, A bytes."""
    argb = np.array(palette.colors, "<u4")
    return argb.view(np.uint8).reshape(-1, 4)[:, (2, 1, 0, 3)]


def _indexed(surface: RenderSurface, palette: Palette | None, *, clip_map: bool) -> Rgba:
    if palette is None:
        raise _error(surface, "an indexed image needs its palette")
    shape = (surface.height, surface.width)
    alpha = None
    if surface.format == PixelFormat.A8P8:
        words = np.frombuffer(surface.data, "<u2").reshape(shape)
        indices, alpha = words & 0xFF, words >> 8
    else:
        indices = np.frombuffer(surface.data, _INDEXED[PixelFormat(surface.format)]).reshape(shape)
    colors = np.ascontiguousarray(palette_colors(palette))
    highest = int(indices.max(initial=0))
    if indices.size and highest >= len(colors):
        reason = f"palette index {highest} in a palette of {len(colors)} colours ({hex_id(palette.id)})"
        raise _error(surface, reason)
    if not indices.size:
        return np.zeros((*shape, 4), np.uint8)
    if clip_map:
        colors[:CLIP_MAP_INDICES] = 0
    words = colors.view(np.uint32)[:, 0]
    out: Rgba = words[indices].view(np.uint8).reshape(*shape, 4)
    if alpha is not None:
        out[..., 3] = np.where(indices < CLIP_MAP_INDICES, 0, alpha) if clip_map else alpha
    return out


def _jpeg(surface: RenderSurface, jpeg: JpegDecoder | None) -> Rgba:
    if jpeg is None:
        raise _error(surface, "a JPEG image, and no decoder for it at hand")
    try:
        return jpeg(surface.data)
    except ValueError as error:
        raise _error(surface, f"the JPEG image is damaged: {error}") from error


def _widened(values: NDArray[Any], bits: int) -> NDArray[np.uint8]:
    """Values of 1 to 10 bits as bytes, by repeating their bits as Direct3D does."""
    wide = values.astype(np.uint32)
    if bits >= 8:
        return (wide >> bits - 8).astype(np.uint8)
    filled = bits
    while filled < 8:
        wide |= wide << filled
        filled *= 2
    return (wide >> filled - 8).astype(np.uint8)


def _error(surface: RenderSurface, reason: str) -> DatError:
    return DatError("", surface.id, None, reason)
