"""Textures of what stands and hangs in houses and before them: wood, cloth, iron, signs."""

from __future__ import annotations

import numpy as np

from scripts.demo_world.art.art_building import OAK, OAK_DARK, PINE, PINE_DARK
from scripts.demo_world.art.noise import cells, cloudy, grid, random
from scripts.demo_world.art.paint import (
    Picture,
    bar,
    blend,
    grain,
    plain,
    planks,
    ramp,
    shade,
    slanted,
)


def table_wood() -> Picture:
    """A scrubbed table top: 1 m."""
    picture = planks(64, 64, 4, 131, dark=(104, 74, 44), light=(148, 110, 70), ends=False)
    return shade(picture, 0.9 + 0.16 * cloudy(64, 64, across=3, down=3, seed=132, octaves=3))


def embers() -> Picture:
    """Glowing coals, shown once."""
    _, which, gap = cells(64, 64, across=9, down=9, seed=151)
    lump = cloudy(64, 64, across=12, down=12, seed=152, octaves=3)
    heat = np.minimum(gap / 0.3, 1.0) * (0.25 + 0.75 * random(which, 0, 153)) + 0.5 * (lump - 0.5)
    return ramp((44, 16, 12), (244, 122, 40), np.clip(heat, 0.0, 1.0))


def staves() -> Picture:
    """A barrel's side, top to bottom, with iron hoops."""
    picture = planks(128, 128, 8, 161, dark=(88, 56, 30), light=(146, 102, 60), ends=False)
    iron = ramp((48, 46, 46), (96, 92, 88), cloudy(128, 128, across=16, down=4, seed=162, octaves=3))
    for y in (6, 36, 84, 114):
        bar(picture, 0, y, x1=128, y1=y + 8, wood=iron)
    return picture


def lid() -> Picture:
    """A barrel's end, shown once."""
    x, y = grid(64, 64)
    d = (2 * x - 63) * (2 * x - 63) + (2 * y - 63) * (2 * y - 63)
    picture = planks(64, 64, 6, 171, dark=(96, 62, 34), light=(150, 108, 66), ends=False)
    return blend(picture, plain(64, 64, (66, 62, 60)), (d > 52 * 52).astype(np.float64))


def blanket() -> Picture:
    """A woven blanket with a border all around, shown once."""
    x, y = grid(64, 128)
    stripe = (x % 20 < 4) | (y % 31 < 4)
    thread = 0.85 + 0.15 * ((x + y) % 2)
    picture = blend(plain(64, 128, (122, 42, 38)), plain(64, 128, (196, 170, 116)), stripe * 0.8)
    return shade(picture, thread)


def awning() -> Picture:
    """Striped canvas: 1 m."""
    x, y = grid(64, 64)
    picture = blend(plain(64, 64, (52, 92, 104)), plain(64, 64, (216, 204, 170)), (x // 16) % 2 * 1.0)
    return shade(
        picture, 0.86 + 0.06 * ((x + y) % 2) + 0.1 * cloudy(64, 64, across=4, down=4, seed=195, octaves=2)
    )


def linen() -> Picture:
    """Undyed cloth: 1 m."""
    x, y = grid(32, 32)
    return shade(plain(32, 32, (206, 198, 176)), 0.92 + 0.08 * ((x // 2 + y // 2) % 2))


def crate() -> Picture:
    """One side of a crate, shown once."""
    picture = planks(64, 64, 5, 191, dark=PINE_DARK, light=PINE, across=True, ends=False)
    wood = ramp(PINE_DARK, PINE, grain(64, 64, 192))
    slanted(picture, 8, 56, x1=56, y1=8, half=5, wood=wood)
    for x0, y0, x1, y1 in ((0, 0, 64, 8), (0, 56, 64, 64), (0, 0, 8, 64), (56, 0, 64, 64)):
        bar(picture, x0, y0, x1=x1, y1=y1, wood=wood)
    return picture


def sign() -> Picture:
    """The inn's sign, shown once: a foaming mug on green."""
    picture = ramp((34, 70, 44), (56, 100, 62), cloudy(64, 64, across=4, down=4, seed=201, octaves=4))
    bar(picture, 0, 0, x1=64, y1=5, wood=plain(64, 64, (150, 116, 60)))
    bar(picture, 0, 59, x1=64, y1=64, wood=plain(64, 64, (150, 116, 60)))
    bar(picture, 18, 22, x1=42, y1=52, wood=plain(64, 64, (176, 124, 60)))
    bar(picture, 42, 28, x1=49, y1=46, wood=plain(64, 64, (176, 124, 60)))
    picture[32:42, 42:46] = picture[10, 10]
    bar(picture, 16, 16, x1=44, y1=24, wood=plain(64, 64, (236, 230, 214)))
    return picture


def bark() -> Picture:
    """Bark of a trunk: 1 m."""
    ridged = grain(64, 128, 211)
    return shade(
        ramp((58, 46, 34), (116, 96, 74), ridged),
        0.8 + 0.3 * cloudy(64, 128, across=4, down=8, seed=212, octaves=3),
    )


def iron() -> Picture:
    """Wrought iron: 1 m."""
    return ramp((44, 44, 48), (86, 84, 84), cloudy(32, 32, across=8, down=8, seed=221, octaves=3))


def flame() -> Picture:
    """A lamp's light, shown once."""
    x, y = grid(32, 32)
    d = np.sqrt(((x - 15.5) * (x - 15.5) + (y - 15.5) * (y - 15.5)) / 240.0)
    return ramp((255, 246, 200), (224, 132, 40), d)


def books() -> Picture:
    """A shelf's contents, shown once: three boards of books and jars."""
    x, y = grid(128, 128)
    row = y // 42
    book = x // 8
    tone = random(book, row, 231)
    picture = ramp((96, 40, 32), (70, 84, 60), tone)
    picture = blend(picture, ramp((60, 56, 90), (150, 120, 70), tone), (random(book, row, 232) > 0.5) * 1.0)
    top = 10 + (random(book, row, 233) * 12).astype(np.int64)
    in_y = y - row * 42
    picture = shade(picture, np.where(x % 8 == 0, 0.4, 1.0))
    picture = blend(picture, plain(128, 128, (34, 24, 16)), (in_y < top) * 1.0)
    board = ramp(OAK_DARK, OAK, grain(128, 128, 234, across=True))
    for start in (0, 38, 80, 122):
        bar(picture, 0, start, x1=128, y1=start + 6, wood=board)
    return picture


def rug() -> Picture:
    """A woven rug with a border and a star of lozenges, shown once."""
    x, y = grid(64, 64)
    off = np.maximum(np.abs(2 * x - 63), np.abs(2 * y - 63))
    lozenge = (np.abs(2 * x - 63) + np.abs(2 * y - 63)) // 2
    picture = plain(64, 64, (106, 40, 34))
    picture = blend(picture, plain(64, 64, (54, 56, 74)), (lozenge < 26) * 1.0)
    picture = blend(picture, plain(64, 64, (198, 164, 98)), ((lozenge // 3) % 4 == 0) * 0.9)
    picture = blend(picture, plain(64, 64, (48, 50, 66)), (off > 46) * 1.0)
    checks = (off > 46) & ((x // 4 + y // 4) % 2 == 0)
    picture = blend(picture, plain(64, 64, (190, 162, 104)), checks * 0.8)
    picture = blend(picture, plain(64, 64, (188, 172, 136)), (off > 60) * 1.0)
    return shade(picture, 0.84 + 0.16 * ((x + y) % 2) * cloudy(64, 64, across=8, down=8, seed=241, octaves=3))


def curtain() -> Picture:
    """A curtain that hangs in folds, with a border below, shown once."""
    x, y = grid(32, 64)
    fold = np.abs(((x + 1.5 * cloudy(32, 64, across=2, down=2, seed=245, octaves=2)) % 8) / 4.0 - 1.0)
    picture = blend(plain(32, 64, (126, 42, 38)), plain(32, 64, (196, 164, 104)), ((y > 54) & (y < 59)) * 0.9)
    return shade(picture, 0.62 + 0.42 * fold)


def chest() -> Picture:
    """A chest's side with iron bands and a lock, shown once."""
    picture = planks(64, 64, 4, 251, dark=(82, 50, 26), light=(136, 90, 50), across=True, ends=False)
    iron_bars = ramp((46, 44, 44), (100, 96, 92), cloudy(64, 64, across=16, down=16, seed=252, octaves=3))
    for x in (4, 52):
        bar(picture, x, 0, x1=x + 8, y1=64, wood=iron_bars)
    bar(picture, 0, 0, x1=64, y1=5, wood=iron_bars)
    bar(picture, 0, 59, x1=64, y1=64, wood=iron_bars)
    bar(picture, 26, 6, x1=38, y1=24, wood=plain(64, 64, (172, 138, 66)))
    picture[14:20, 31:33] = (30, 22, 14)
    return picture


def bone() -> Picture:
    """Old bone, browned by the ground it lies on: 1 m."""
    return ramp((96, 91, 82), (162, 156, 142), cloudy(32, 32, across=8, down=8, seed=261, octaves=3))


def pewter() -> Picture:
    """Mugs and plates: 1 m."""
    return ramp((74, 72, 68), (138, 134, 126), cloudy(32, 32, across=4, down=4, seed=271, octaves=3))


# Letters of the village's name, five pixels wide and seven high, a row a number.
_LETTERS = {
    "H": (17, 17, 17, 31, 17, 17, 17), "O": (14, 17, 17, 17, 17, 17, 14), "L": (16, 16, 16, 16, 16, 16, 31),
    "T": (31, 4, 4, 4, 4, 4, 4), "W": (17, 17, 17, 21, 21, 27, 17), "A": (14, 17, 17, 31, 17, 17, 17),
    "K": (17, 18, 20, 24, 20, 18, 17),
}  # fmt: skip


def town_sign() -> Picture:
    """A board with the village's name carved into it, shown once."""
    picture = planks(128, 32, 3, 281, dark=(104, 74, 44), light=(160, 122, 78), across=True, ends=False)
    for n, letter in enumerate("HOLTWALK"):
        for row, bits in enumerate(_LETTERS[letter]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    x, y = 9 + 14 * n + 2 * column, 9 + 2 * row
                    picture[y : y + 2, x : x + 2] = (44, 26, 14)
    wood = ramp(OAK_DARK, OAK, grain(128, 32, 282, across=True))
    bar(picture, 0, 0, x1=128, y1=3, wood=wood)
    bar(picture, 0, 29, x1=128, y1=32, wood=wood)
    return picture
