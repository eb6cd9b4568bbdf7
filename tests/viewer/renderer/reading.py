"""What a picture shows: pixels of a colour, its middle, and what is beside it."""

from __future__ import annotations

import numpy as np

from tests.viewer.renderer.flat_shapes import COLORS


def count(picture: np.ndarray, *colors: tuple[int, ...] | str) -> int:
    """How many pixels have one of these colours, ±1 a channel."""
    total = 0
    for color in colors:
        rgb = np.array(COLORS[color] if isinstance(color, str) else color, np.int16)
        total += int((np.abs(picture.astype(np.int16) - rgb) <= 1).all(axis=-1).sum())
    return total


def window(picture: np.ndarray, half: int = 25) -> np.ndarray:
    """The middle of a picture."""
    n = picture.shape[0] // 2
    return picture[n - half : n + half, n - half : n + half]


def outside_window(picture: np.ndarray, half: int = 25) -> np.ndarray:
    """A picture's pixels beside its middle, as a list."""
    mask = np.ones(picture.shape[:2], bool)
    n = picture.shape[0] // 2
    mask[n - half : n + half, n - half : n + half] = False
    return picture[mask]
