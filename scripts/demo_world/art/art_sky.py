"""Textures of the sky: sun, moon, a star, and clouds by day, at dusk and on grey days. RGBA, 0...255."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.noise import Grey, cells, cloudy, grid, random
from scripts.demo_world.art.paint import Picture, Rgb, finished, plain, ramp, shade

Rgba = NDArray[np.uint8]


def _from_middle(size: int) -> Grey:
    """How far every pixel is from the middle, 1 at the middle of the edges."""
    x, y = grid(size, size)
    dx, dy = (x + 0.5) / (size / 2) - 1.0, (y + 0.5) / (size / 2) - 1.0
    away: Grey = np.sqrt(dx * dx + dy * dy)
    return away


def _with_alpha(picture: Picture, alpha: Grey) -> Rgba:
    levels = np.clip(np.floor(np.clip(alpha, 0.0, 1.0) * 255.0 + 0.5), 0, 255).astype(np.uint8)
    return np.dstack((finished(picture, 256), levels))


def sun() -> Rgba:
    """A white disc in a warm glow."""
    d = _from_middle(64)
    disc = np.clip((0.24 - d) / 0.05 + 0.5, 0.0, 1.0)
    rest = np.clip(1.0 - d, 0.0, 1.0)
    glow = 0.55 * rest * rest * rest
    return _with_alpha(ramp((255, 196, 112), (255, 250, 232), disc), np.maximum(disc, glow))


def moon() -> Rgba:
    """A pale disc with dark plains."""
    d = _from_middle(64)
    plains = np.clip((cloudy(64, 64, across=4, down=4, seed=701, octaves=4) - 0.45) * 5.0, 0.0, 1.0)
    near, _, _ = cells(64, 64, across=6, down=6, seed=702)
    picture = ramp((226, 228, 232), (150, 154, 168), plains)
    picture = shade(picture, np.where(near < 0.05, 1.1, 1.0) * (1.05 - 0.25 * d * d))
    return _with_alpha(picture, np.clip((0.92 - d) / 0.06, 0.0, 1.0))


def star() -> Rgba:
    """A point of light."""
    d = _from_middle(16)
    rest = np.clip(1.0 - d, 0.0, 1.0)
    return _with_alpha(plain(16, 16, (232, 238, 255)), rest * rest * 1.3)


def _clouds(light: Rgb, dark: Rgb, least: float, most: float) -> Rgba:
    """Clouds where the noise is above ``least``, thickest above ``most``; their undersides are dark."""
    size = 128
    shape = cloudy(size, size, across=3, down=3, seed=711, octaves=5)
    thick = np.clip((shape - least) / (most - least), 0.0, 1.0)
    body = thick * thick * (3.0 - 2.0 * thick)
    deep = np.clip(
        (shape - least) / (0.95 - least), 0.0, 1.0
    )  # nowhere at its end: no patch is of one colour
    return _with_alpha(ramp(light, dark, deep), 0.9 * body)


def day_clouds() -> Rgba:
    """White clouds."""
    return _clouds((255, 255, 255), (206, 214, 226), 0.50, 0.72)


def dusk_clouds() -> Rgba:
    """The same clouds in low sunlight."""
    return _clouds((255, 180, 130), (150, 90, 76), 0.50, 0.72)


def grey_clouds() -> Rgba:
    """A cover with few gaps."""
    return _clouds((202, 205, 210), (124, 128, 137), -0.30, 0.50)


def _rain(count: int, seed: int, length: tuple[int, int], least: float) -> Rgba:
    """Streaks of rain that run on over the texture's borders."""
    size = 128
    alpha = np.zeros((size, size))
    index = np.arange(count, dtype=np.int64)
    x, y, long, bright = (random(index, n, seed) for n in range(4))
    for k in range(count):
        reach = length[0] + int(float(long[k]) * (length[1] - length[0]))
        column, top = int(float(x[k]) * size), int(float(y[k]) * size)
        for step in range(reach):
            share = step / reach
            row = (top + step) % size
            drop = (least + 0.5 * float(bright[k])) * share * (1.2 - share)
            alpha[row, column] = max(alpha[row, column], drop)
    return _with_alpha(plain(size, size, (204, 212, 222)), alpha)


def far_rain() -> Rgba:
    """Rain far off: fine and dense."""
    return _rain(260, 761, (10, 26), 0.2)


def near_rain() -> Rgba:
    """Rain near by: longer streaks, fewer of them."""
    return _rain(90, 771, (16, 40), 0.25)
