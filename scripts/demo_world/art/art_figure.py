"""Textures of the human figure: cloth, leather, skin, hair and a face."""

from __future__ import annotations

import numpy as np

from scripts.demo_world.art.noise import cloudy, grid
from scripts.demo_world.art.paint import Picture, Rgb, blend, plain, ramp, shade

SKIN: tuple[Rgb, Rgb] = ((188, 140, 104), (212, 166, 128))


def _cloth(dark: Rgb, light: Rgb, seed: int, weave: float = 0.06) -> Picture:
    """Cloth with a fine weave and soft folds."""
    size = 32
    x, y = grid(size, size)
    picture = ramp(dark, light, cloudy(size, size, across=3, down=3, seed=seed, octaves=3))
    return shade(picture, 1.0 + weave * np.where((x + y) % 2 == 0, 1.0, -1.0))


def skin() -> Picture:
    """Skin of hands, neck and ears."""
    return ramp(*SKIN, cloudy(16, 16, across=2, down=2, seed=911, octaves=2))


def hair() -> Picture:
    """Brown hair in strands."""
    x, _ = grid(32, 32)
    strands = cloudy(32, 32, across=16, down=2, seed=921, octaves=2)
    return shade(ramp((70, 44, 24), (112, 74, 42), strands), np.where(x % 4 == 0, 0.85, 1.0))


def jerkin() -> Picture:
    """Green wool."""
    return _cloth((48, 78, 64), (70, 106, 88), 931)


def shirt() -> Picture:
    """Undyed linen."""
    return _cloth((186, 174, 144), (216, 206, 178), 941)


def hose() -> Picture:
    """Brown breeches."""
    return _cloth((92, 76, 54), (124, 104, 76), 951)


def leather() -> Picture:
    """Tanned leather of belt, bracers and pack."""
    return _cloth((84, 54, 32), (114, 76, 46), 961, 0.02)


def boots() -> Picture:
    """Dark leather of boots and straps."""
    return _cloth((48, 33, 23), (72, 51, 36), 971, 0.02)


def face() -> Picture:
    """A face from brow to chin, seen from before it; its left is the figure's right."""
    size = 64
    x, y = grid(size, size)
    u, v = (x + 0.5) / size * 2.0 - 1.0, (y + 0.5) / size  # across −1…1, down 0…1
    picture = ramp(*SKIN, cloudy(size, size, across=3, down=3, seed=981, octaves=3))
    side = np.abs(u)
    picture = shade(picture, 1.03 - 0.22 * np.clip(side - 0.55, 0.0, 1.0) * 2.0)
    cheek = np.exp(-(((side - 0.45) / 0.2) ** 2 + ((v - 0.6) / 0.1) ** 2))
    picture = blend(picture, plain(size, size, (206, 128, 98)), 0.4 * cheek)
    # Sockets, whites, iris and pupil, lids and brows.
    socket = ((side - 0.36) / 0.24) ** 2 + ((v - 0.41) / 0.07) ** 2
    picture = shade(picture, 1.0 - 0.16 * np.clip(1.4 - socket, 0.0, 1.0))
    white = ((side - 0.36) / 0.15) ** 2 + ((v - 0.415) / 0.034) ** 2 < 1.0
    picture = blend(picture, plain(size, size, (226, 220, 210)), white.astype(float))
    iris = ((side - 0.36) / 0.07) ** 2 + ((v - 0.413) / 0.036) ** 2
    picture = blend(picture, plain(size, size, (62, 84, 92)), ((iris < 1.0) & white).astype(float))
    picture = blend(picture, plain(size, size, (16, 14, 14)), ((iris < 0.25) & white).astype(float))
    lid = (np.abs(side - 0.36) < 0.17) & (np.abs(v - 0.378 - 0.25 * (side - 0.36) ** 2) < 0.012)
    picture = blend(picture, plain(size, size, (74, 48, 34)), lid.astype(float))
    brow = (np.abs(side - 0.37) < 0.21) & (np.abs(v - 0.315 + 0.04 * (side - 0.37)) < 0.018)
    picture = blend(picture, plain(size, size, (72, 47, 28)), 0.85 * brow)
    # The sides of the nose and its foot, mouth and chin.
    bridge = np.exp(-(((side - 0.12) / 0.05) ** 2)) * ((v > 0.4) & (v < 0.62))
    picture = shade(picture, 1.0 - 0.1 * bridge)
    foot = np.exp(-((side / 0.18) ** 2 + ((v - 0.635) / 0.018) ** 2))
    picture = shade(picture, 1.0 - 0.3 * foot)
    lips = (side / 0.26) ** 2 + ((v - 0.745) / 0.032) ** 2 < 1.0
    picture = blend(picture, plain(size, size, (164, 88, 76)), 0.75 * lips)
    line = (side < 0.25) & (np.abs(v - 0.744) < 0.009)
    picture = blend(picture, plain(size, size, (104, 54, 46)), line.astype(float))
    chin = np.exp(-((side / 0.2) ** 2 + ((v - 0.83) / 0.02) ** 2))
    stubble = np.clip((v - 0.66) / 0.2, 0.0, 1.0) * (~lips) * 0.16
    return shade(picture, 1.0 - 0.1 * chin - stubble)
