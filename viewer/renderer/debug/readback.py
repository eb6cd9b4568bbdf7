"""Views made from what a frame left behind: depth, stencil, holes, differences (views 8.2)."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

from engine.world.debug_shapes import GOLDEN
from viewer.renderer.passes.passes import BLD, CELL, OUT

Pixels = NDArray[np.uint8]

SENTINEL = (255, 0, 255)
_HOLE = (255, 0, 0)
_MARK = (255, 40, 40)


def depth_picture(depth: NDArray[np.float32], near: float, far: float) -> Pixels:
    """Window depth 0…1 as grey by the logarithm of the distance, between the picture's least and greatest.

    White is nearest; black is the greatest distance and what nothing was drawn to.
    """
    metres = 2.0 * near * far / (far + near - (2.0 * depth.astype(np.float64) - 1.0) * (far - near))
    drawn = metres[metres < 0.99 * far]
    low, high = (float(drawn.min()), float(drawn.max())) if drawn.size else (near, far)
    span = max(1e-6, np.log(high / low))
    return _grey(1.0 - np.log(np.clip(metres, low, high) / low) / span)


def stencil_picture(values: Pixels) -> Pixels:
    """Stencil values in colours: ids by hue, darker in a look-in, lighter in the landscape's region."""
    palette = np.zeros((256, 3), np.uint8)
    for value in range(256):
        cell = value & CELL
        bright = 0.55 if value & BLD else 0.85
        r, g, b = colorsys.hsv_to_rgb(cell * GOLDEN % 1.0, 0.8 if cell else 0.0, bright if cell else 0.0)
        if value & OUT:
            r, g, b = (0.35 + 0.65 * c for c in (r, g, b))
        palette[value] = [round(255 * c) for c in (r, g, b)]
    return palette[values]


def holes_mask(rgb: Pixels) -> NDArray[np.bool_]:
    """The pixels that nothing was drawn to, in a frame that began magenta."""
    mask: NDArray[np.bool_] = (rgb == np.array(SENTINEL, np.uint8)).all(axis=-1)
    return mask


def holes_picture(rgb: Pixels) -> Pixels:
    """The scene in dark grey with its holes in red and a frame around them."""
    mask = holes_mask(rgb)
    out = _grey(rgb.mean(axis=-1) / 255.0 * 0.45)
    out[mask] = _HOLE
    if mask.any():
        rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
        top, bottom = max(0, rows[0] - 3), min(mask.shape[0] - 1, rows[-1] + 3)
        left, right = max(0, columns[0] - 3), min(mask.shape[1] - 1, columns[-1] + 3)
        out[[top, bottom], left : right + 1] = (255, 255, 0)
        out[top : bottom + 1, [left, right]] = (255, 255, 0)
    return out


def difference_picture(exact: Pixels, loose: Pixels) -> Pixels:
    """The exact picture in grey, in red where cells drawn without their regions look different."""
    out = _grey(exact.mean(axis=-1) / 255.0 * 0.6)
    changed = (np.abs(exact.astype(np.int16) - loose.astype(np.int16)) > 2).any(axis=-1)
    out[changed] = _MARK
    return out


def _grey(values: NDArray[np.float64]) -> Pixels:
    level = np.clip(np.rint(values * 255.0), 0, 255).astype(np.uint8)
    return np.repeat(level[..., None], 3, axis=-1)
