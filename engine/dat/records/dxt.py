"""Block-compressed images DXT1 to DXT5 (BC1, BC2, BC3) to RGBA (dat-format 3.11)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dat.records.render_surface import BLOCK_BYTES, PixelFormat

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]


def decode_dxt(data: bytes, width: int, height: int, pixel_format: PixelFormat) -> Bytes:
    """The pixels (height, width, 4) as R, G, B, A; blocks past the edge are cut off.

    ``data`` must have the length of ceil(width/4) × ceil(height/4) blocks. DXT2 and DXT4 are read as
    DXT3 and DXT5: their colours stay multiplied by alpha.
    """
    across, down = -(-width // 4), -(-height // 4)
    size = BLOCK_BYTES[pixel_format]
    blocks = np.frombuffer(data, np.uint8).reshape(-1, size)
    texels = np.empty((len(blocks), 16, 4), np.uint8)
    if pixel_format is PixelFormat.DXT1:
        texels[:] = _colors(blocks, three_color=True)
    else:
        texels[:] = _colors(blocks[:, 8:], three_color=False)
        explicit = pixel_format in (PixelFormat.DXT2, PixelFormat.DXT3)
        texels[..., 3] = _alpha_4bit(blocks) if explicit else _alpha_interpolated(blocks)
    image = texels.reshape(down, across, 4, 4, 4).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(image.reshape(down * 4, across * 4, 4)[:height, :width])


def _colors(blocks: Bytes, *, three_color: bool) -> Bytes:
    """The 16 texels of each 8-byte colour block; the second of two modes only where it may occur."""
    ends = blocks[:, :4].copy().view("<u2").astype(np.int32)
    first, second = _expand_565(ends[:, 0]), _expand_565(ends[:, 1])
    table = np.empty((len(blocks), 4, 4), np.int32)
    table[:, 0], table[:, 1] = first, second
    table[:, 2], table[:, 3] = (2 * first + second) // 3, (first + 2 * second) // 3
    if three_color:
        few = ends[:, 0] <= ends[:, 1]
        table[few, 2] = (first[few] + second[few]) // 2
        table[few, 3] = 0
    codes = blocks[:, 4:8].copy().view("<u4")
    picks = (codes >> np.arange(0, 32, 2, dtype=np.uint32) & 3).astype(np.intp)
    return np.take_along_axis(table, picks[..., None], axis=1).astype(np.uint8)


def _expand_565(values: Ints) -> Ints:
    red, green, blue = values >> 11, values >> 5 & 63, values & 31
    channels = (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2, np.full_like(red, 255))
    return np.stack(channels, axis=-1)


def _alpha_4bit(blocks: Bytes) -> Bytes:
    nibbles = np.stack((blocks[:, :8] & 15, blocks[:, :8] >> 4), axis=-1).reshape(-1, 16)
    return nibbles * np.uint8(17)


def _alpha_interpolated(blocks: Bytes) -> Bytes:
    first, second = blocks[:, 0].astype(np.int32), blocks[:, 1].astype(np.int32)
    table = np.empty((len(blocks), 8), np.int32)
    table[:, 0], table[:, 1] = first, second
    for step in range(1, 7):
        table[:, step + 1] = ((7 - step) * first + step * second) // 7
    few = first <= second
    for step in range(1, 5):
        table[few, step + 1] = ((5 - step) * first[few] + step * second[few]) // 5
    table[few, 6], table[few, 7] = 0, 255
    packed = np.zeros((len(blocks), 8), np.uint8)
    packed[:, :6] = blocks[:, 2:8]
    codes = packed.view("<u8")
    picks = (codes >> np.arange(0, 48, 3, dtype=np.uint64) & np.uint64(7)).astype(np.intp)
    return np.take_along_axis(table, picks, axis=1).astype(np.uint8)
