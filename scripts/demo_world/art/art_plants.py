"""Plants as palette indices, of which those below 8 are holes, and the rock of boulders."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.art_ground import bare_rock
from scripts.demo_world.art.noise import cloudy, grid, random
from scripts.demo_world.art.paint import Picture, blend

Bytes = NDArray[np.uint8]


def pine() -> Bytes:
    """The outline of a conifer: tiers of branches that hang from its stem, twigs on each, narrow above."""
    width, height, tiers = 128, 256, 11
    out = np.zeros((height, width), np.int64)
    count = 3600
    index = np.arange(count, dtype=np.int64)
    high, side, out_by, tone, long = (random(index, n, 431) for n in range(5))
    order = sorted(range(count), key=lambda k: float(high[k]), reverse=True)  # upper branches lie over lower
    for k in order:
        down = 4.0 + 236.0 * float(high[k]) ** 0.6
        tier = down * tiers / height
        within = tier - int(tier)
        half = (3.0 + 54.0 * down / height) * (0.66 + 0.42 * within)
        off = float(out_by[k]) ** 0.7 * half
        sign = 1.0 if float(side[k]) < 0.5 else -1.0
        x, y = 63.5 + sign * (off - 5.0), down + 0.22 * off
        light = 50.0 + 120.0 * float(tone[k]) * (0.35 + 0.65 * off / half) - 20.0 * within
        for step in range(4 + int(8.0 * float(long[k]))):
            column, row = int(x + sign * 0.75 * step), int(y + 0.55 * step)
            if 1 <= column < width - 2 and 0 <= row < height:
                out[row, column : column + 2] = np.clip(light + 6.0 * step, 10, 255)
    return out.astype(np.uint8)


def reeds() -> Bytes:
    """Stalks of reed that lean this way and that, some with a seed head."""
    x, y = grid(64, 64)
    out = np.zeros((64, 64), np.float64)
    for k in range(18):
        foot, lean, top = (float(random(k, n, 441)) for n in range(3))
        line = 6.0 + 52.0 * foot + (lean - 0.5) * 26.0 * (63 - y) / 64.0
        high = 4.0 + 30.0 * top
        stalk = (np.abs(x - line) < 0.9) & (y > high)
        head = (np.abs(x - line) < 1.8) & (y > high) & (y < high + 11) & (k % 3 == 0)
        out = np.where(stalk, 120 + 90 * lean, out)
        out = np.where(head, 40, out)
    return np.clip(out, 0, 255).astype(np.uint8)


def flowers() -> Bytes:
    """A tuft of grass with flower heads, the lightest part of the palette."""
    x, y = grid(64, 32)
    out = np.zeros((32, 64), np.float64)
    for k in range(26):
        foot, lean, top = (float(random(k, n, 451)) for n in range(3))
        line = 4.0 + 56.0 * foot + (lean - 0.5) * 14.0 * (31 - y) / 32.0
        high = 4.0 + 14.0 * top
        out = np.where((np.abs(x - line) < 0.9) & (y > high), 60 + 90 * top, out)
        at = 4.0 + 56.0 * foot + (lean - 0.5) * 14.0 * (31 - high) / 32.0
        head = (x - at) * (x - at) + (y - high) * (y - high) < 4.5
        out = np.where(head & (k % 3 == 0), 250, out)
    return np.clip(out, 0, 255).astype(np.uint8)


def boulder() -> Picture:
    """Weathered rock with lichen: 2 m."""
    picture = bare_rock(256, 461, dark=(84, 80, 74), light=(156, 152, 142))
    lichen = np.clip((cloudy(256, 256, across=10, down=10, seed=462, octaves=4) - 0.58) * 5.0, 0.0, 0.7)
    return blend(picture, picture * np.array((0.98, 1.02, 0.76)), lichen)
