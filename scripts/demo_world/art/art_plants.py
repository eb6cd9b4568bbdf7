"""Plants as palette indices, of which those below 8 are holes, and the rock of boulders."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.art_ground import bare_rock
from scripts.demo_world.art.noise import cloudy, grid, random
from scripts.demo_world.art.paint import Picture, blend

Bytes = NDArray[np.uint8]


def pine() -> Bytes:
    """The outline of a conifer: tiers of branches that hang and end raggedly, narrow above."""
    width, height, tiers = 64, 128, 7
    x, y = grid(width, height)
    tier = y * tiers // height
    within = (y * tiers - tier * height) / height
    half = 2.0 + (tier + 0.35 + 0.65 * within) * 28.0 / tiers
    ragged = 1.0 - 0.45 * random(x, tier, 431) * within
    off = np.abs(x - 31.5)
    needle = 0.5 * cloudy(width, height, across=16, down=32, seed=432, octaves=2) + 0.5 * random(
        x // 2, y // 3, 433
    )
    dark_below = 0.35 + 0.65 * (1.0 - within)
    index = np.clip(np.floor(30 + 200 * needle * dark_below), 8, 255)
    gaps = (random(x // 3, y // 2, 434) < 0.12) & (off > 4)
    return np.where((off > half * ragged) | gaps, 0, index).astype(np.uint8)


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
