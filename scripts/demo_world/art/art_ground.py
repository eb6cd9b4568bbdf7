"""Textures of the ground and of leaves, and the masks by which terrain textures run into each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.demo_world.art.noise import Grey, cells, cloudy, grid, random
from scripts.demo_world.art.paint import Picture, Rgb, blend, ramp, relief, shade, strokes
from scripts.demo_world.solids import CIRCLE_12

Bytes = NDArray[np.uint8]
MASK = 128


def meadow(size: int, seed: int, *, dark: Rgb, light: Rgb, dry: Rgb) -> Picture:
    """Grass: blade by blade, and nothing broad in it that one would know again in the next repeat."""
    tuft = cloudy(size, size, across=size // 8, down=size // 8, seed=seed, octaves=3)
    patch = cloudy(size, size, across=14, down=14, seed=seed + 1, octaves=3)
    picture = ramp(dark, light, 0.16 + 0.45 * tuft + 0.18 * patch)
    strokes(picture, 3400, seed + 2, reach=(5, 11), lean=1.0, dark=dark, light=light)
    strokes(picture, 260, seed + 3, reach=(4, 9), lean=1.4, dark=light, light=dry)
    return even(shade(picture, 0.95 + 0.1 * patch))


def broad(field: Grey) -> Grey:
    """What a field is on the whole about each of its pixels: from eighth to eighth of its width."""
    parts = 8
    step = field.shape[0] // parts
    blocks = field.reshape(parts, step, parts, step).mean(axis=(1, 3))
    x, y = grid(field.shape[1], field.shape[0])
    fx, fy = (x + 0.5) / step - 0.5, (y + 0.5) / step - 0.5
    x0, y0 = np.floor(fx).astype(np.int64), np.floor(fy).astype(np.int64)
    tx, ty = fx - x0, fy - y0
    near = [blocks[(y0 + dy) % parts, (x0 + dx) % parts] for dy in (0, 1) for dx in (0, 1)]
    low, high = near[0] + (near[1] - near[0]) * tx, near[2] + (near[3] - near[2]) * tx
    mixed: Grey = low + (high - low) * ty
    return mixed


def even(picture: Picture) -> Picture:
    """The picture without its broad lights and darks, of a quarter of its width and more.

    Repeated over a field they would be seen as a grid from above.
    """
    for _ in range(4):  # what lies between the blocks' middles is not quite theirs: again
        grey = picture.mean(axis=2)
        picture = shade(picture, grey.mean() / np.maximum(broad(grey), 1.0))
    return picture


def even_noise(field: Grey) -> Grey:
    """Noise without what is broad in it, about the same mean."""
    for _ in range(4):
        field = field - broad(field) + field.mean()
    return field


def grass() -> Picture:
    """A mown green."""
    return meadow(256, 301, dark=(48, 74, 28), light=(112, 142, 58), dry=(158, 152, 88))


def lush() -> Picture:
    """Tall grass with a few flowers."""
    picture = meadow(256, 311, dark=(36, 66, 24), light=(94, 138, 50), dry=(124, 144, 66))
    x, y = grid(256, 256)
    flower = random(x // 2, y // 2, 312)
    picture = np.where((flower > 0.9965)[:, :, None], np.array((226, 214, 130.0)), picture)
    return np.where((flower < 0.002)[:, :, None], np.array((216, 206, 226.0)), picture)


def earth(seed: int, dark: Rgb, light: Rgb, stones: float) -> Picture:
    """Bare ground: crumbs, and pebbles of two sizes that stand out of it."""
    crumbs = cloudy(256, 256, across=32, down=32, seed=seed, octaves=4)
    picture = ramp(
        dark,
        light,
        0.3 * cloudy(256, 256, across=14, down=14, seed=seed + 5, octaves=3) + 0.55 * crumbs + 0.07,
    )
    picture = relief(picture, crumbs, 1.8)
    for across, more in ((38, 1.4), (20, 1.0)):
        near, which, gap = cells(256, 256, across=across, down=across, seed=seed + across)
        lump = np.clip(1.0 - near / 0.1, 0.0, 1.0)
        is_stone = (random(which, 1, seed + 2) < stones * more) & (near < 0.1) & (gap > 0.08)
        pebble = ramp((98, 88, 72), (150, 138, 116), random(which, 2, seed + 3))
        pebble = relief(shade(pebble, 0.78 + 0.3 * lump), lump, 0.9)
        picture = blend(picture, pebble, is_stone.astype(np.float64))
    return even(picture)


def dirt() -> Picture:
    """Packed dirt."""
    return earth(321, (112, 90, 64), (172, 144, 106), 0.1)


def patchy() -> Picture:
    """Grass worn through to the dirt, in many small places."""
    worn = even_noise(cloudy(256, 256, across=12, down=12, seed=331, octaves=4))
    return even(blend(grass(), dirt(), np.clip((worn - 0.38) * 4.0, 0.0, 1.0)))


def forest() -> Picture:
    """Needles, leaves and moss."""
    picture = ramp((46, 36, 22), (98, 78, 48), cloudy(256, 256, across=24, down=24, seed=341, octaves=4))
    moss = ramp((38, 52, 22), (78, 92, 40), cloudy(256, 256, across=32, down=32, seed=342, octaves=3))
    moist = even_noise(cloudy(256, 256, across=24, down=24, seed=343, octaves=3))
    thick = np.clip((moist - 0.54) * 4.0, 0.0, 0.8)
    picture = blend(picture, moss, thick)
    strokes(picture, 1500, 344, reach=(3, 7), lean=2.6, dark=(50, 36, 20), light=(134, 102, 58))
    strokes(picture, 700, 345, reach=(3, 6), lean=1.6, dark=(40, 54, 22), light=(96, 110, 48))
    return even(picture)


def bare_rock(size: int, seed: int, *, dark: Rgb, light: Rgb) -> Picture:
    """Weathered stone: lumps, grain, and fissures that begin and end."""
    lump = cloudy(size, size, across=size // 24, down=size // 24, seed=seed, octaves=3)
    rough = cloudy(size, size, across=size // 8, down=size // 8, seed=seed + 1, octaves=4)
    x, y = grid(size, size)
    picture = ramp(dark, light, 0.3 * lump + 0.7 * rough)
    picture = shade(picture, 0.93 + 0.14 * random(x, y, seed + 2))
    picture = relief(relief(picture, lump, 3.0), rough, 1.5)
    for across, deep in ((size // 36, 0.5), (size // 18, 0.3)):
        picture = shade(picture, 1.0 - deep * fissures(size, across, seed + across))
    return even(picture)


def fissures(size: int, across: int, seed: int) -> Grey:
    """How open the ground is, 0...1: lines that begin and end, nowhere so thin that they become dots."""
    along = cloudy(size, size, across=across, down=across, seed=seed, octaves=4)
    steps = [(np.roll(along, -1, axis) - np.roll(along, 1, axis)) / 2.0 for axis in (0, 1)]
    steep = np.sqrt(steps[0] * steps[0] + steps[1] * steps[1])
    away = np.abs(along - 0.5) / np.maximum(steep, 0.004)  # pixels to the line
    here = cloudy(size, size, across=across, down=across, seed=seed + 50, octaves=2)
    return np.clip(1.0 + 0.7 * here - away, 0.0, 1.0) * np.clip((here - 0.5) * 6.0, 0.0, 1.0)


def rock() -> Picture:
    """Bare rock."""
    return bare_rock(256, 351, dark=(82, 78, 74), light=(160, 154, 144))


def sand() -> Picture:
    """Sand: grains, and ripples that the wind leaves."""
    x, y = grid(256, 256)
    waves = cloudy(256, 256, across=9, down=26, seed=361, octaves=3)
    picture = ramp((160, 142, 100), (206, 190, 146), 0.55 * waves + 0.45 * random(x, y, 362))
    return even(relief(picture, waves, 2.2))


def marsh() -> Picture:
    """Wet ground."""
    picture = ramp((40, 42, 26), (78, 78, 44), cloudy(256, 256, across=16, down=16, seed=371, octaves=4))
    strokes(picture, 1200, 373, reach=(3, 8), lean=1.2, dark=(44, 50, 24), light=(100, 104, 56))
    return even(
        blend(
            picture,
            grass(),
            np.clip((cloudy(256, 256, across=24, down=24, seed=372, octaves=3) - 0.52) * 4.0, 0.0, 0.7),
        )
    )


def water() -> Picture:
    """Still water: ripples that catch the sky."""
    broad = cloudy(256, 256, across=12, down=12, seed=381, octaves=4)
    fine = cloudy(256, 256, across=36, down=36, seed=382, octaves=2)
    picture = ramp((34, 58, 84), (78, 112, 138), 0.6 * broad + 0.4 * fine)
    return even(relief(picture, fine, 0.7))


def snow() -> Picture:
    """Snow."""
    return ramp((206, 212, 224), (246, 248, 252), cloudy(256, 256, across=8, down=8, seed=391, octaves=5))


def cobbles() -> Picture:
    """The road: cobbles set in earth, each with a lit and a dark side."""
    near, which, gap = cells(256, 256, across=18, down=18, seed=401)
    rough = cloudy(256, 256, across=32, down=32, seed=403, octaves=3)
    stone = ramp((104, 98, 88), (160, 151, 136), 0.65 * random(which, 1, 402) + 0.35 * rough)
    stone = blend(stone, ramp((120, 96, 74), (150, 124, 98), rough), (random(which, 2, 402) > 0.82) * 0.7)
    dome = np.minimum(gap / 0.34, 1.0) * (1.0 - 0.5 * near)
    stone = relief(shade(stone, 0.82 + 0.26 * dome), dome, 1.3)
    mud = ramp((70, 58, 42), (106, 90, 64), cloudy(256, 256, across=16, down=16, seed=404, octaves=4))
    worn = even_noise(cloudy(256, 256, across=9, down=9, seed=405, octaves=3))
    worn = np.clip((worn - 0.55) * 2.0, 0.0, 0.3)
    return even(blend(blend(stone, mud, 1.0 - np.minimum(gap / 0.14, 1.0)), mud, worn))


def _uv() -> tuple[Grey, Grey]:
    """Texture coordinates of a mask's pixels: u eastward, v downward (0 north, 1 south)."""
    x, y = grid(MASK, MASK)
    return (x + 0.5) / MASK, (y + 0.5) / MASK


def _mask(inside: Grey, softness: float) -> Bytes:
    """A mask of a signed distance: 0 (overlay shown) well inside, 255 (ground kept) well outside."""
    return np.clip(np.floor(127.5 - inside / softness * 127.5), 0, 255).astype(np.uint8)


def _ragged(seed: int, strength: float) -> Grey:
    """Noise for a mask's edge that dies away at the cell's borders, so that neighbours meet."""
    u, v = _uv()
    calm = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v))
    noise = (
        0.6 * cloudy(MASK, MASK, across=5, down=5, seed=seed, octaves=3)
        + 0.4 * cloudy(MASK, MASK, across=16, down=16, seed=seed + 9, octaves=3)
        - 0.5
    )
    return noise * strength * np.minimum(calm * 6.0, 1.0)


def corner_mask(seed: int) -> Bytes:
    """Overlay in the north-west corner (code 8), up to the middle of its edges."""
    u, v = _uv()
    return _mask(0.5 - np.sqrt(u * u + v * v) + _ragged(seed, 0.8), 0.12)


def side_mask(seed: int) -> Bytes:
    """Overlay along the west edge (code 9), up to the middle."""
    u, _ = _uv()
    return _mask(0.5 - u + _ragged(seed, 0.8), 0.12)


ROAD = 5.0 / 24.0  # the half of a road that lies in one cell, in cell sides


def road_corner_mask(seed: int) -> Bytes:
    """A road that only touches the north-west corner (code 8)."""
    u, v = _uv()
    return _mask(ROAD - (u + v) + _ragged(seed, 0.16), 0.03)


def road_side_mask(seed: int) -> Bytes:
    """A road along the west edge (code 9)."""
    u, _ = _uv()
    return _mask(ROAD - u + _ragged(seed, 0.16), 0.03)


def road_diagonal_mask(seed: int) -> Bytes:
    """A road from the south-east to the north-west corner (code 10)."""
    u, v = _uv()
    return _mask(ROAD - np.abs(u - v) + _ragged(seed, 0.16), 0.03)


def foliage() -> Bytes:
    """Palette indices of a spray of leaves; below 8 nothing is drawn.

    Leaf upon leaf, the lighter ones last and more of them above: a bunch that is dark within and below.
    """
    size, count = 128, 620
    x, y = grid(size, size)
    out = np.zeros((size, size), np.int64)
    lobes = 0.78 + 0.34 * (cloudy(size, size, across=5, down=5, seed=412, octaves=2) - 0.5)
    index = np.arange(count, dtype=np.int64)
    east, south, turn, tone, grown = (random(index, n, 411) for n in range(5))
    for k in range(count):
        cx, cy = 6.0 + 116.0 * float(east[k]), 6.0 + 116.0 * float(south[k])
        dx, dy = (cx - 63.5) / 62.0, (cy - 63.5) / 62.0
        if dx * dx + dy * dy > float(lobes[int(cy), int(cx)]):
            continue
        c, s = CIRCLE_12[int(12 * float(turn[k]))]
        u, v = (x - cx) * c + (y - cy) * s, (y - cy) * c - (x - cx) * s
        long = 4.5 + 3.0 * float(grown[k])
        leaf = u * u / (long * long) + v * v / (0.2 * long * long) < 1.0
        light = 0.12 + 0.55 * k / count + 0.3 * float(tone[k]) - 0.22 * dy
        vein = np.where(np.abs(v) < 0.6, 18, 0) - np.where(v > 1.4, 22, 0)
        out = np.where(leaf, np.clip(int(30 + 200 * light) + vein, 10, 255), out)
    return out.astype(np.uint8)


def lattice() -> Bytes:
    """Palette indices of a leaded window with diamond panes; below 8 nothing is drawn."""
    size = 256
    x, y = grid(size, size)
    lead = (3 * (x + y) % size < 22) | (3 * (x - y) % size < 22)
    frame = (np.minimum(x, size - 1 - x) < 12) | (np.minimum(y, size - 1 - y) < 12)
    frame |= np.abs(2 * x - (size - 1)) < 12
    shade_of = 60 + (cloudy(size, size, across=16, down=16, seed=421, octaves=3) * 60).astype(np.int64)
    return np.where(frame, shade_of + 70, np.where(lead, shade_of, 0)).astype(np.uint8)
