"""Textures of what flies about: tongues of flame, sparks, motes, smoke. RGBA, 0...255."""

from __future__ import annotations

import numpy as np

from scripts.demo_world.art.art_wonders import Rgba, from_middle, with_alpha
from scripts.demo_world.art.noise import cloudy, grid
from scripts.demo_world.art.paint import Picture, blend, plain, ramp


def tongue() -> Rgba:
    """One tongue of flame: a drop, bright below, that ends in a point."""
    size = 32
    x, y = grid(size, size)
    up = 1.0 - (y + 0.5) / size
    wide = np.clip(1.15 * np.sqrt(np.clip(up * 3.2, 0.0, 1.0)) * (1.0 - up), 0.02, 1.0)
    across = np.abs((x + 0.5) / (size / 2) - 1.0)
    heat = np.clip(1.0 - across / wide, 0.0, 1.0) * np.clip(1.3 - up, 0.0, 1.0)
    picture = blend(
        ramp((200, 60, 14), (255, 176, 60), np.clip(1.6 * heat, 0.0, 1.0)),
        plain(size, size, (255, 244, 196)),
        np.clip(2.2 * heat - 1.1, 0.0, 1.0),
    )
    return with_alpha(picture, np.clip(1.7 * heat, 0.0, 1.0))


def _dot(dark: tuple[int, int, int], light: tuple[int, int, int]) -> Rgba:
    """A point of light with a white heart."""
    rest = np.clip(1.0 - from_middle(16), 0.0, 1.0)
    picture: Picture = blend(ramp(dark, light, rest), plain(16, 16, (255, 255, 255)), rest * rest)
    return with_alpha(picture, np.clip(1.5 * rest * rest, 0.0, 1.0))


def spark() -> Rgba:
    """A spark of a fire."""
    return _dot((255, 96, 20), (255, 208, 110))


def blue_mote() -> Rgba:
    """A mote about the lifestone."""
    return _dot((40, 110, 240), (150, 214, 255))


def violet_mote() -> Rgba:
    """A mote that a portal draws in."""
    return _dot((120, 40, 220), (222, 160, 255))


def drop() -> Rgba:
    """A falling drop, drawn out by its speed: fainter above."""
    x, y = grid(8, 32)
    along = (y + 1.0) / 32.0
    across = 1.0 - np.abs(x - 3.5) / 4.0
    alpha = 0.8 * np.clip(along * across, 0.0, 1.0)
    return with_alpha(plain(8, 32, (228, 234, 242)), alpha)


def puff() -> Rgba:
    """A puff of smoke."""
    size = 64
    cloud = cloudy(size, size, across=5, down=5, seed=851, octaves=4)
    rest = np.clip(1.0 - from_middle(size) + 0.35 * (cloud - 0.5), 0.0, 1.0)
    picture = ramp((126, 122, 118), (196, 194, 190), cloud)
    return with_alpha(picture, np.clip(1.5 * rest * rest * (0.55 + 0.6 * cloud), 0.0, 1.0))
