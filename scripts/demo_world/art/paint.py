"""A small paint box: colours, planks, courses of stones. Pictures are (height, width, 3), 0...255."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.noise import Grey, cloudy, grid, random

Picture = NDArray[np.float64]
Weights = NDArray[np.floating[Any]]
Rgb = tuple[int, int, int]


def plain(width: int, height: int, colour: Rgb) -> Picture:
    """A picture of one colour."""
    return np.broadcast_to(np.array(colour, np.float64), (height, width, 3)).copy()


def shade(picture: Picture, by: Weights) -> Picture:
    """The picture with every pixel's brightness multiplied."""
    return picture * by[:, :, None]


def blend(under: Picture, over: Picture, weight: Weights) -> Picture:
    """``over`` on ``under`` with a weight per pixel, 0...1."""
    w = np.clip(weight, 0.0, 1.0)[:, :, None]
    return under * (1.0 - w) + over * w


def ramp(dark: Rgb, light: Rgb, t: Grey) -> Picture:
    """A colour between two for every pixel."""
    height, width = t.shape
    return blend(plain(width, height, dark), plain(width, height, light), t)


def finished(picture: Picture, levels: int = 48) -> NDArray[np.uint8]:
    """Bytes of a picture, in a limited number of levels so that files pack well.

    A pixel's brightest channel is put on a level and the others follow: channels on levels of their own
    would change the hue from step to step.
    """
    step = 256.0 / levels
    bright = np.clip(picture.max(axis=2), 1.0, 255.0)
    level = np.floor(bright / step) * step + step / 2
    levelled: Picture = np.floor(picture * (level / bright)[:, :, None] + 0.5)
    return np.clip(levelled, 0, 255).astype(np.uint8)


def relief(picture: Picture, height: Grey, strength: float) -> Picture:
    """The picture lit from its upper left as if it stood out by ``height``."""
    before = np.roll(height, (1, 1), (0, 1))
    return shade(picture, np.clip(1.0 + strength * (height - before), 0.55, 1.45))


def strokes(
    picture: Picture, count: int, seed: int, *, reach: tuple[int, int], lean: float, dark: Rgb, light: Rgb
) -> None:
    """Draw blades of grass: short upright lines that lean, darker at their foot, running on over borders.

    ``reach`` is how long they are, in pixels; ``lean`` how far their tips are off, per pixel of length.
    """
    height, width = picture.shape[:2]
    low, high = np.array(dark, np.float64), np.array(light, np.float64)
    index = np.arange(count, dtype=np.int64)
    x, y, long, aside, tone = (random(index, n, seed) for n in range(5))
    for k in range(count):
        length = reach[0] + int(float(long[k]) * (reach[1] - reach[0] + 1))
        foot_x, foot_y = float(x[k]) * width, int(float(y[k]) * height)
        colour = low + (high - low) * float(tone[k])
        for step in range(length):
            column = int(foot_x + (float(aside[k]) - 0.5) * lean * step) % width
            picture[(foot_y - step) % height, column] = colour * (0.66 + 0.4 * step / length)


def grain(width: int, height: int, seed: int, *, across: bool = False) -> Grey:
    """Wood grain, drawn out along the height (or the width), 0...1."""
    if across:
        return grain(height, width, seed).T
    fine = cloudy(width, height, across=width // 4, down=2, seed=seed, octaves=3)
    broad = cloudy(width, height, across=max(4, width // 16), down=2, seed=seed + 5, octaves=2)
    return 0.6 * fine + 0.4 * broad


def planks(
    width: int,
    height: int,
    count: int,
    seed: int,
    *,
    dark: Rgb,
    light: Rgb,
    across: bool = False,
    ends: bool = True,
) -> Picture:
    """Boards side by side along the height (or the width), with joints, nails and staggered ends."""
    if across:
        return planks(height, width, count, seed, dark=dark, light=light, across=False, ends=ends).transpose(
            1, 0, 2
        )
    x, y = grid(width, height)
    board = x * count // width
    inside = x - board * width // count
    breadth = width // count
    tone = random(board, 0, seed)
    tint = 0.25 * tone + 0.75 * grain(width, height, seed + 3)
    if ends:
        cut = (random(board, 1, seed) * height).astype(np.int64)
        away = (y - cut) % height
        tint = tint + 0.12 * (random(board, (away > height // 2).astype(np.int64), seed + 9) - 0.5)
    picture = ramp(dark, light, tint)
    gap = (inside == 0) | (inside == breadth - 1)
    picture = shade(picture, np.where(gap, 0.45, np.where(inside == 1, 1.12, 1.0)))
    if ends:
        picture = shade(picture, np.where((away < 2) | ((away - height // 2) % height < 2), 0.5, 1.0))
        nail = (np.abs(inside - breadth // 2) == breadth // 4) & ((away == 5) | (away == height - 4))
        picture = shade(picture, np.where(nail, 0.35, 1.0))
    return picture


def courses(
    width: int,
    height: int,
    *,
    rows: int,
    per_row: int,
    seed: int,
    dark: Rgb,
    light: Rgb,
    joint: Rgb,
    gap: int = 2,
) -> Picture:
    """Courses of stones or bricks, every second one shifted by half a stone."""
    x, y = grid(width, height)
    row = y * rows // height
    rise = height // rows
    length = width // per_row
    shifted = (x + (row % 2) * (length // 2)) % width
    stone = shifted // length
    in_x, in_y = shifted - stone * length, y - row * rise
    tone = random(stone, row, seed)
    rough = cloudy(width, height, across=8, down=8, seed=seed + 11, octaves=5)
    picture = ramp(dark, light, 0.55 * tone + 0.45 * rough)
    lit = np.where((in_y == gap) | (in_x == gap), 1.15, 1.0)
    low = np.where((in_y >= rise - 2) | (in_x >= length - 2), 0.8, 1.0)
    picture = shade(picture, lit * low)
    mortar = (in_y < gap) | (in_x < gap)
    return blend(picture, ramp(joint, joint, rough), mortar.astype(np.float64))


def bar(picture: Picture, x0: int, y0: int, *, x1: int, y1: int, wood: Picture) -> None:
    """Lay a beam of ``wood`` over a rectangle of the picture, with dark edges; it runs on over borders.

    What reaches from border to border has no edge there, since it goes on in the next repeat.
    """
    height, width = picture.shape[:2]
    rows, columns = np.arange(y0, y1), np.arange(x0, x1)
    edge_rows = (rows == y0) | (rows == y1 - 1) if y1 - y0 < height else rows < y0
    edge_columns = (columns == x0) | (columns == x1 - 1) if x1 - x0 < width else columns < x0
    dark = np.where(edge_rows[:, None] | edge_columns[None, :], 0.55, 1.0)
    at = np.ix_(rows % height, columns % width)
    picture[at] = shade(wood[at], dark)


def slanted(picture: Picture, x0: int, y0: int, *, x1: int, y1: int, half: int, wood: Picture) -> None:
    """Lay a beam of level ``wood`` from one point to another (x0 < x1), ``half`` pixels up and down.

    The grain runs along it, and its edges are smooth.
    """
    height, width = picture.shape[:2]
    x, y = grid(width, height)
    line = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    off = np.abs(y - line)
    along = wood[(y - np.floor(line).astype(np.int64)) % height, x]
    along = shade(along, 1.0 - 0.4 * np.clip((off - (half - 3.0)) / 2.0, 0.0, 1.0))
    covers = np.where((x >= x0) & (x <= x1), np.clip(half + 0.5 - off, 0.0, 1.0), 0.0)
    picture[:] = blend(picture, along, covers)
