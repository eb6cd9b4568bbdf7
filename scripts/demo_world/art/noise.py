"""Noise that tiles, from integer hashing: the same numbers on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float64]
Ints = NDArray[np.int64]


def hashed(x: Ints | int, y: Ints | int, seed: int) -> NDArray[np.uint32]:
    """A 32-bit hash of lattice points."""
    h = np.asarray(x, np.int64) * 374761393 + np.asarray(y, np.int64) * 668265263 + seed * 2246822519
    h = h & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 1540483477) & 0xFFFFFFFF
    return (h ^ (h >> 15)).astype(np.uint32)


def random(x: Ints | int, y: Ints | int, seed: int) -> Grey:
    """A number in 0...1 for every lattice point."""
    return np.asarray(hashed(x, y, seed) >> np.uint32(8), np.float64) / 16777216.0


def grid(width: int, height: int) -> tuple[Ints, Ints]:
    """Column and row numbers of every pixel, each of shape (height, width)."""
    y, x = np.mgrid[0:height, 0:width]
    return x.astype(np.int64), y.astype(np.int64)


def smooth_noise(width: int, height: int, *, across: int, down: int, seed: int) -> Grey:
    """Smooth noise of ``across`` by ``down`` waves that meets itself at the borders, 0...1."""
    x, y = grid(width, height)
    fx, fy = x * across / width, y * down / height
    x0, y0 = np.floor(fx).astype(np.int64), np.floor(fy).astype(np.int64)
    tx, ty = fx - x0, fy - y0
    tx, ty = tx * tx * (3.0 - 2.0 * tx), ty * ty * (3.0 - 2.0 * ty)
    corners = [random((x0 + dx) % across, (y0 + dy) % down, seed) for dy in (0, 1) for dx in (0, 1)]
    low = corners[0] + (corners[1] - corners[0]) * tx
    high = corners[2] + (corners[3] - corners[2]) * tx
    return low + (high - low) * ty


def cloudy(width: int, height: int, *, across: int, down: int, seed: int, octaves: int = 4) -> Grey:
    """Noise of several octaves, each half as strong and twice as fine as the one before, 0...1."""
    total = np.zeros((height, width))
    weight, sum_of_weights = 1.0, 0.0
    for octave in range(octaves):
        a, d = across << octave, down << octave
        if a > width or d > height:
            break
        total = total + weight * smooth_noise(width, height, across=a, down=d, seed=seed + 101 * octave)
        sum_of_weights += weight
        weight *= 0.5
    return total / sum_of_weights


def cells(width: int, height: int, *, across: int, down: int, seed: int) -> tuple[Grey, Ints, Grey]:
    """Rounded stones about scattered points: squared distance to the nearest, which one it is, and the gap.

    Distances are in units of the spacing. The gap is what the second nearest is farther: 0 at joints.
    """
    x, y = grid(width, height)
    fx, fy = (x + 0.5) * across / width, (y + 0.5) * down / height
    x0, y0 = np.floor(fx).astype(np.int64), np.floor(fy).astype(np.int64)
    best = np.full((height, width), 9.0)
    second = np.full((height, width), 9.0)
    which = np.zeros((height, width), np.int64)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            cx, cy = x0 + dx, y0 + dy
            wx, wy = cx % across, cy % down
            px = cx + 0.2 + 0.6 * random(wx, wy, seed)
            py = cy + 0.2 + 0.6 * random(wx, wy, seed + 7)
            d = (fx - px) * (fx - px) + (fy - py) * (fy - py)
            nearer = d < best
            second = np.where(nearer, best, np.minimum(second, d))
            which = np.where(nearer, wy * across + wx, which)
            best = np.where(nearer, d, best)
    return best, which, np.sqrt(second) - np.sqrt(best)
