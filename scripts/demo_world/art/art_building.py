"""Textures of houses, drawn by code. Every function returns a picture that tiles."""

from __future__ import annotations

import numpy as np

from scripts.demo_world.art.noise import cells, cloudy, grid, random
from scripts.demo_world.art.paint import (
    Picture,
    bar,
    blend,
    courses,
    grain,
    planks,
    ramp,
    relief,
    shade,
    slanted,
)

OAK_DARK, OAK = (58, 38, 22), (112, 78, 46)
PINE_DARK, PINE = (96, 66, 36), (158, 118, 72)
LIME_DARK, LIME = (174, 157, 134), (224, 208, 188)


def plaster() -> Picture:
    """Limewash over rough plaster, with faint stains: 2 m."""
    rough = cloudy(128, 128, across=8, down=8, seed=11, octaves=4)
    stain = cloudy(128, 128, across=2, down=2, seed=12, octaves=3)
    return shade(ramp(LIME_DARK, LIME, 0.35 + 0.65 * rough), 0.88 + 0.16 * stain)


def timbered() -> Picture:
    """Timber framing with plastered panels: one bay of 2.4 m, posts at its borders, braces below."""
    size = 256
    rough = cloudy(size, size, across=12, down=12, seed=21, octaves=4)
    stain = cloudy(size, size, across=3, down=3, seed=22, octaves=3)
    picture = shade(ramp(LIME_DARK, LIME, 0.3 + 0.7 * rough), 0.86 + 0.18 * stain)
    upright = ramp(OAK_DARK, OAK, grain(size, size, 23) * 0.8)
    level = ramp(OAK_DARK, OAK, grain(size, size, 24, across=True) * 0.8)
    slanted(picture, 10, 244, x1=118, y1=132, half=11, wood=level)
    slanted(picture, 138, 132, x1=246, y1=244, half=11, wood=level)
    bar(picture, 0, 120, x1=size, y1=138, wood=level)
    bar(picture, 0, 244, x1=size, y1=size + 10, wood=level)
    bar(picture, 120, 0, x1=136, y1=size, wood=upright)
    bar(picture, 246, 0, x1=size + 10, y1=size, wood=upright)
    return picture


def panelled() -> Picture:
    """A wall of a room: a wainscot of boards, a rail, limewash between posts, a beam above: 2.4 by 3.25 m."""
    width, height = 192, 256
    rough = cloudy(width, height, across=12, down=16, seed=25, octaves=4)
    stain = cloudy(width, height, across=2, down=3, seed=26, octaves=3)
    picture = shade(ramp(LIME_DARK, LIME, 0.3 + 0.7 * rough), 0.84 + 0.2 * stain)
    upright = ramp(OAK_DARK, OAK, grain(width, height, 27) * 0.9)
    level = ramp(OAK_DARK, OAK, grain(width, height, 28, across=True) * 0.9)
    boards = planks(width, height, 12, 29, dark=(66, 44, 26), light=(120, 84, 50), ends=False)
    picture[176:, :] = boards[176:, :]
    bar(picture, 0, 168, x1=width, y1=178, wood=level)
    bar(picture, 0, 244, x1=width, y1=height, wood=level)
    bar(picture, 0, 0, x1=width, y1=18, wood=level)
    bar(picture, 185, 18, x1=width + 7, y1=168, wood=upright)
    picture[178:182, :] *= 0.7
    picture[18:22, 7:185] *= 0.8
    return picture


def floor_planks() -> Picture:
    """Oak floor boards: 2 m."""
    picture = planks(256, 256, 8, 31, dark=(84, 56, 32), light=(150, 108, 66))
    return shade(picture, 0.85 + 0.2 * cloudy(256, 256, across=3, down=3, seed=32, octaves=3))


def ceiling() -> Picture:
    """Boards over two dark beams: 2 m."""
    picture = planks(128, 128, 8, 41, dark=(78, 52, 30), light=(122, 88, 54), ends=False)
    beam = ramp(OAK_DARK, OAK, grain(128, 128, 42, across=True) * 0.7)
    for y in (8, 72):
        bar(picture, 0, y, x1=128, y1=y + 18, wood=beam)
        picture[y + 18 : y + 22] *= 0.6
    return picture


def wainscot() -> Picture:
    """Upright boards, for doors' jambs, stairs and small walls: 1 m."""
    return planks(64, 128, 4, 51, dark=PINE_DARK, light=PINE, ends=False)


def rubble() -> Picture:
    """A wall of rounded field stones, weathered, some mossy: 2 m."""
    near, which, gap = cells(256, 256, across=8, down=9, seed=61)
    tone = random(which, 3, 62)
    rough = cloudy(256, 256, across=16, down=16, seed=63, octaves=5)
    mixed = 0.45 * tone + 0.55 * rough
    picture = ramp((92, 86, 76), (160, 150, 134), mixed)
    hue = random(which, 4, 64)
    picture = blend(picture, ramp((92, 90, 84), (150, 147, 138), mixed), (hue > 0.5) * 1.0)
    picture = blend(picture, ramp((96, 84, 69), (155, 140, 117), mixed), (hue > 0.8) * 1.0)
    dome = np.minimum(gap / 0.3, 1.0)
    picture = relief(shade(picture, 1.1 - 0.34 * near), dome, 1.1)
    picture = relief(picture, rough, 1.2)
    moss = np.clip((cloudy(256, 256, across=14, down=14, seed=65, octaves=3) - 0.5) * 2.0, 0.0, 0.4)
    picture = blend(picture, ramp((74, 82, 50), (116, 122, 78), rough), moss)
    joint = ramp((86, 76, 60), (118, 106, 84), rough)
    return blend(picture, joint, 1.0 - np.minimum(gap / 0.11, 1.0))


def whitewash() -> Picture:
    """Field stones under many coats of lime: 2 m."""
    near, which, gap = cells(128, 128, across=6, down=7, seed=65)
    rough = cloudy(128, 128, across=16, down=16, seed=66, octaves=4)
    stain = cloudy(128, 128, across=2, down=2, seed=67, octaves=3)
    picture = ramp((176, 168, 148), (232, 226, 208), 0.3 * random(which, 5, 68) + 0.7 * rough)
    picture = shade(picture, 1.04 - 0.22 * near)
    joint = ramp((150, 142, 122), (188, 180, 158), rough)
    picture = blend(picture, joint, 0.7 - np.minimum(gap / 0.16, 1.0) * 0.7)
    return shade(picture, 0.86 + 0.18 * stain)


def ashlar() -> Picture:
    """Dressed stones of a vault: 2 m."""
    picture = courses(
        256,
        256,
        rows=8,
        per_row=4,
        seed=71,
        dark=(88, 82, 74),
        light=(142, 134, 120),
        joint=(46, 42, 38),
        gap=3,
    )
    rough = cloudy(256, 256, across=24, down=24, seed=74, octaves=4)
    picture = relief(picture, rough, 1.6)
    damp = cloudy(256, 256, across=2, down=3, seed=72, octaves=4)
    moss = ramp((58, 60, 44), (94, 98, 72), cloudy(256, 256, across=16, down=16, seed=73, octaves=3))
    return blend(picture, moss, np.clip((damp - 0.6) * 3.0, 0.0, 0.6))


def vault() -> Picture:
    """A ceiling of rough slabs between heavy ribs, black with soot: 2.5 m."""
    near, which, gap = cells(256, 256, across=4, down=4, seed=75)
    rough = cloudy(256, 256, across=16, down=16, seed=76, octaves=5)
    picture = ramp((58, 54, 50), (104, 98, 90), 0.4 * random(which, 1, 77) + 0.6 * rough)
    picture = relief(shade(picture, 1.05 - 0.2 * near), rough, 1.6)
    picture = blend(picture, ramp((34, 31, 28), (52, 48, 44), rough), 1.0 - np.minimum(gap / 0.07, 1.0))
    stone = relief(ramp((92, 84, 74), (136, 126, 112), rough), rough, 1.6)
    bar(picture, 0, 0, x1=256, y1=38, wood=stone)
    bar(picture, 0, 38, x1=38, y1=256, wood=stone)
    for at in (0, 85, 170):
        picture[at : at + 2, 0:38] *= 0.5
        picture[0:38, at : at + 2] *= 0.5
    return picture


def arch_stone() -> Picture:
    """Dressed blocks of a doorway: 1 m."""
    picture = courses(
        128,
        128,
        rows=3,
        per_row=2,
        seed=78,
        dark=(112, 104, 90),
        light=(164, 154, 136),
        joint=(58, 52, 46),
        gap=2,
    )
    return relief(picture, cloudy(128, 128, across=16, down=16, seed=79, octaves=4), 1.2)


def flags() -> Picture:
    """Worn paving: 2 m."""
    near, which, gap = cells(256, 256, across=5, down=5, seed=81)
    rough = cloudy(256, 256, across=16, down=16, seed=82, octaves=5)
    picture = ramp((98, 92, 82), (154, 146, 132), 0.4 * random(which, 1, 83) + 0.6 * rough)
    picture = relief(shade(picture, 1.06 - 0.16 * near), rough, 1.2)
    picture = relief(picture, np.minimum(gap / 0.12, 1.0), 0.9)
    joint = ramp((52, 48, 42), (74, 68, 58), rough)
    return blend(picture, joint, 1.0 - np.minimum(gap / 0.07, 1.0))


def packed_earth() -> Picture:
    """A trodden cellar floor: 2 m."""
    rough = cloudy(128, 128, across=6, down=6, seed=91, octaves=5)
    return ramp((72, 56, 40), (116, 94, 68), rough)


def shingles() -> Picture:
    """A roof of wooden shingles: 2 m."""
    size = 256
    x, y = grid(size, size)
    row = y // 32
    shifted = (x + (row % 2) * 16 + (random(row, 0, 101) * 8).astype(np.int64)) % size
    which = shifted // 32
    in_x, in_y = shifted % 32, y % 32
    tone = random(which, row, 102)
    picture = ramp((88, 58, 40), (156, 108, 74), 0.6 * tone + 0.4 * grain(size, size, 103))
    picture = blend(picture, ramp((82, 84, 66), (116, 116, 92), tone), (random(which, row, 104) > 0.78) * 0.6)
    lower = 27 + (random(which, row, 105) * 4).astype(np.int64)
    picture = shade(picture, 0.72 + 0.36 * in_y / 32.0)
    return shade(picture, np.where((in_y > lower) | (in_x < 2), 0.4, 1.0))


def thatch() -> Picture:
    """Straw in overlapping courses, weathered grey and brown in places: 2 m."""
    size = 256
    _, y = grid(size, size)
    straw = grain(size, size, 111)
    wave = (cloudy(size, size, across=24, down=4, seed=112, octaves=3) * 20).astype(np.int64)
    depth = ((y + wave) % 64) / 64.0
    stalks = cloudy(size, size, across=64, down=8, seed=113, octaves=2)
    picture = ramp((84, 66, 38), (184, 154, 98), 0.1 + 0.5 * straw + 0.4 * stalks)
    old = np.clip((cloudy(size, size, across=5, down=3, seed=114, octaves=3) - 0.5) * 3.0, 0.0, 0.6)
    picture = blend(picture, ramp((78, 70, 56), (150, 140, 116), stalks), old)
    return shade(picture, 0.6 + 0.46 * depth - 0.25 * (depth < 0.05))


def trim() -> Picture:
    """One broad beam, for sills, frames and posts: 1 m."""
    return ramp(OAK_DARK, OAK, grain(64, 128, 121))


def brick() -> Picture:
    """Hearth bricks blackened by smoke: 1 m."""
    picture = courses(
        128,
        128,
        rows=16,
        per_row=4,
        seed=141,
        dark=(104, 52, 40),
        light=(164, 92, 68),
        joint=(120, 110, 98),
        gap=1,
    )
    return shade(picture, 0.75 + 0.4 * cloudy(128, 128, across=2, down=2, seed=142, octaves=3))


def door_leaf() -> Picture:
    """One leaf of a door with strap hinges and studs, shown once; the hinges are at the left."""
    width, height = 128, 256
    picture = planks(width, height, 5, 181, dark=(86, 54, 30), light=(138, 92, 54), ends=False)
    iron = ramp((40, 40, 42), (92, 90, 88), cloudy(width, height, across=16, down=16, seed=182, octaves=3))
    for y in (34, 120, 206):
        bar(picture, 0, y, x1=104, y1=y + 14, wood=iron)
        for x in (12, 38, 64, 90):
            picture[y + 5 : y + 9, x : x + 4] = (150, 146, 138)
        picture[y + 2 : y + 12, 104:110] = iron[y + 2 : y + 12, 104:110]
    frame = ramp(OAK_DARK, OAK, grain(width, height, 183) * 0.6)
    bar(picture, 0, 0, x1=width, y1=8, wood=frame)
    bar(picture, 0, height - 10, x1=width, y1=height, wood=frame)
    picture[124:140, 112:120] = iron[124:140, 112:120]
    picture[128:136, 114:118] = (22, 20, 20)
    return picture
