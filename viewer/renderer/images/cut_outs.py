"""Mip levels of images with holes (clip maps) that show as much of them as the images do (surfaces 4.5).

What is drawn of such an image is where its alpha, as the sampler finds it, reaches ``CUT``. Plain means
would make fences vanish with distance and leaves close up. So each level's alpha is stretched about that
value which the wanted share of points between its texels reaches. A faint pattern is added first, for
levels on which every texel is the same grey: some texels are shown and others are not. A level of a few
texels can't show such shares; the last one has sixteen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from viewer.renderer.gl.array_texture import Image

CUT = 128  # the smallest alpha that is drawn, of 255
FEWEST_TEXELS = 16
PALETTE_CUT, PLAIN_CUT = 100, 200  # the smallest alpha that is drawn of images as they are stored

_PATTERN = 0.3
_CLEAR = 0.25
_BAYER = np.array([[0, 2], [3, 1]])
for _ in range(2):
    _BAYER = np.block([[4 * _BAYER, 4 * _BAYER + 2], [4 * _BAYER + 3, 4 * _BAYER + 1]])

_Plane = NDArray[np.floating]


def on_one_scale(image: Image, smallest: int) -> Image:
    """An image whose alpha says with ``CUT`` what it said with ``smallest``; what is clear stays clear."""
    scale = np.interp(np.arange(256), (0, smallest, 255), (0, CUT, 255)).round().astype(np.uint8)
    out = image.copy()
    out[..., 3] = scale[image[..., 3]]
    return out


def cut_out_levels(image: Image) -> list[Image]:
    """An RGBA image and its mip levels down to sixteen texels; clear texels add nothing to the colours."""
    levels = [np.ascontiguousarray(image)]
    share = float((image[..., 3] >= CUT).mean())
    # A plane a channel, and nothing copied that can be changed in place: a third of the time.
    sums = np.moveaxis(image, 2, 0).astype(np.float32, order="C")
    sums[3] += _CLEAR  # so that colours of nothing but clear texels have a mean as well
    sums[:3] *= sums[3]
    while max(1, sums.shape[1] // 2) * max(1, sums.shape[2] // 2) >= FEWEST_TEXELS:
        sums = _halved(sums)
        level = np.empty((*sums.shape[1:], 4), np.uint8)
        colors = sums[:3] / sums[3]
        colors += 0.5
        np.moveaxis(level, 2, 0)[:3] = colors.astype(np.uint8)
        level[..., 3] = (255.0 * _stretched(sums[3] / 255.0, share) + 0.5).astype(np.uint8)
        levels.append(level)
    return levels


def _halved(planes: _Plane) -> _Plane:
    """Means of two by two of each plane; of two in a row where that is all there is."""
    height, width = planes.shape[1:]
    planes = planes[:, : height & ~1 or 1, : width & ~1 or 1]
    if height > 1:
        planes = planes[:, 0::2] + planes[:, 1::2]
        planes *= np.float32(0.5)
    if width > 1:
        planes = planes[..., 0::2] + planes[..., 1::2]
        planes *= np.float32(0.5)
    return planes


def _stretched(alpha: _Plane, share: float) -> _Plane:
    """Alpha of which that share, of the points between texels as well, is at least one half."""
    if share in (0.0, 1.0):
        return np.full_like(alpha, share)
    height, width = alpha.shape
    rows, columns = np.ix_(np.arange(height) % 8, np.arange(width) % 8)
    alpha = alpha + np.float32(_PATTERN) * (_BAYER[rows, columns] / 64.0 - 0.5).astype(np.float32)
    points = alpha
    for axis in (0, 1):  # a quarter of a texel to either side of each, as the sampler mixes them
        after = np.roll(points, -1, axis)
        step = after - points
        step *= np.float32(0.25)
        after -= step
        step += points
        points = np.concatenate([step, after], axis)
    rank = min(max(round((1.0 - share) * points.size), 1), points.size - 1)
    sorted_there = points.reshape(-1)
    sorted_there.partition(rank)
    below, above = sorted_there[:rank].max(), sorted_there[rank]
    off = alpha - (below + above) / 2.0
    stretched: _Plane = np.clip(0.5 + off * max(1.0, 0.5 / float(np.abs(off).max())), 0.0, 1.0)
    return stretched
