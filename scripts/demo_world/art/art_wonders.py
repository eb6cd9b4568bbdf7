"""Textures of fire, of the lifestone's crystal and of a portal. Those with alpha add light: RGBA, 0...255."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.noise import Grey, cells, cloudy, grid, random
from scripts.demo_world.art.paint import Picture, blend, finished, plain, ramp, relief, shade

Rgba = NDArray[np.uint8]


def from_middle(size: int) -> Grey:
    """How far every pixel is from the middle, 1 at the middle of the edges."""
    x, y = grid(size, size)
    dx, dy = (x + 0.5) / (size / 2) - 1.0, (y + 0.5) / (size / 2) - 1.0
    away: Grey = np.sqrt(dx * dx + dy * dy)
    return away


def with_alpha(picture: Picture, alpha: Grey) -> Rgba:
    """A picture and its alpha, 0...1, in few levels so that files pack well."""
    levels = np.clip(np.floor(np.clip(alpha, 0.0, 1.0) * 51.0) * 5.0, 0, 255).astype(np.uint8)
    return np.dstack((finished(picture), levels))


def fire() -> Rgba:
    """Flames: tongues that are white below and red at their tips, shown once."""
    width, height = 64, 64
    x, y = grid(width, height)
    up = 1.0 - (y + 0.5) / height
    sway = (cloudy(width, height, across=3, down=3, seed=801, octaves=3) - 0.5) * 0.7 * up
    heat = np.zeros((height, width))
    for k, (foot, tall, wide) in enumerate(
        ((0.5, 0.98, 0.30), (0.32, 0.66, 0.20), (0.68, 0.74, 0.21), (0.20, 0.40, 0.13), (0.81, 0.46, 0.13))
    ):
        off = np.abs((x + 0.5) / width - foot - sway * (1.0 if k % 2 else -0.8))
        t = np.clip(up / tall, 0.0, 1.0)
        half = wide * (1.0 - t) * (0.55 + 1.1 * t * (1.0 - t) + 0.35 * t)
        tongue = np.clip(1.0 - off / np.maximum(half, 0.001), 0.0, 1.0) * (1.0 - 0.55 * t)
        heat = np.maximum(heat, np.where(t < 0.96, tongue, 0.0))
    heat = heat * np.minimum((height - 0.5 - y) / 5.0, 1.0)
    low = ramp((190, 46, 10), (255, 150, 36), np.clip(heat * 2.2, 0.0, 1.0))
    picture = blend(low, plain(width, height, (255, 240, 180)), np.clip(heat * 2.4 - 1.0, 0.0, 1.0))
    return with_alpha(picture, np.clip(heat * 2.6, 0.0, 1.0))


def halo() -> Rgba:
    """The glow about a lamp, or what falls of it on the ground."""
    rest = np.clip(1.0 - from_middle(64), 0.0, 1.0)
    return with_alpha(ramp((255, 132, 40), (255, 196, 116), rest), rest * rest)


def blue_halo() -> Rgba:
    """The lifestone's glow."""
    rest = np.clip(1.0 - from_middle(64), 0.0, 1.0)
    return with_alpha(ramp((30, 90, 220), (120, 190, 255), rest), rest * rest)


def violet_halo() -> Rgba:
    """A portal's glow, which is all that one sees of it from beside it."""
    rest = np.clip(1.0 - from_middle(64), 0.0, 1.0)
    return with_alpha(ramp((90, 30, 190), (190, 110, 255), rest), rest * rest)


def swirl() -> Rgba:
    """A portal: arms of violet light that wind about a bright middle."""
    size = 128
    x, y = grid(size, size)
    d = from_middle(size)
    turn = (3.0 * _round(x - 63.5, y - 63.5) + 1.4 * d) % 1.0
    saw = np.abs(2.0 * turn - 1.0)
    wind = saw * saw * (3.0 - 2.0 * saw)
    cloud = cloudy(size, size, across=6, down=6, seed=811, octaves=4)
    arms = np.clip(0.3 + 0.8 * wind + 0.8 * (cloud - 0.5), 0.0, 1.0)
    rim = np.clip((0.98 - d) / 0.22, 0.0, 1.0)
    core = np.clip(1.0 - d / 0.4, 0.0, 1.0)
    picture = ramp((70, 16, 150), (206, 120, 255), np.clip(0.75 * arms + core, 0.0, 1.0))
    picture = blend(picture, plain(size, size, (255, 236, 255)), core * core)
    # One spark at most in a field of eight by eight, round, and nowhere cut off by the field's border.
    column, row = x // 8, y // 8
    across = x % 8 - 2.0 - 3.0 * random(column, row, 813)
    down = y % 8 - 2.0 - 3.0 * random(column, row, 814)
    spark = np.clip(1.4 - np.sqrt(across * across + down * down) / 1.4, 0.0, 1.0)
    spark = spark * (random(column, row, 812) > 0.87)
    picture = blend(picture, plain(size, size, (255, 220, 255)), spark)
    return with_alpha(picture, rim * np.clip(0.25 + 0.75 * arms + core, 0.0, 1.0))


def _round(x: NDArray[np.floating], y: NDArray[np.floating]) -> Grey:
    """How far round the clock a direction is, 0...1, even enough; no library's arc tangent decides a byte."""
    quarter = np.abs(y) / (np.abs(x) + np.abs(y)) / 4.0
    upper = np.where(x >= 0.0, quarter, 0.5 - quarter)
    turned: Grey = np.where(y >= 0.0, upper, 1.0 - upper)
    return turned


def crystal() -> Picture:
    """The lifestone: blue crystal, clearer at its edges, with flaws that catch light."""
    size = 128
    x, _ = grid(size, size)
    near, which, gap = cells(size, size, across=3, down=4, seed=821)
    rough = cloudy(size, size, across=12, down=3, seed=822, octaves=4)
    picture = ramp((30, 84, 190), (128, 206, 255), 0.5 * rough + 0.5 * random(which, 1, 823))
    picture = relief(shade(picture, 1.1 - 0.3 * near), rough, 1.2)
    picture = blend(picture, plain(size, size, (206, 240, 255)), 0.7 - 0.7 * np.minimum(gap / 0.08, 1.0))
    edge = np.minimum(x, size - 1 - x)
    return blend(picture, plain(size, size, (190, 232, 255)), np.clip(1.0 - edge / 6.0, 0.0, 0.8))
