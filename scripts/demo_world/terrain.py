"""The ground: heights, terrain types and roads of the landblocks about the village.

Vertices are numbered over the whole map, 24 m apart, so that neighbouring blocks agree on their borders.
"""

from __future__ import annotations

from functools import cache

from engine.dat.land_block import LandBlock
from scripts.demo_world import ids
from scripts.demo_world.noise import Grey, smooth_noise

BLOCKS = range(-2, 3)  # landblocks to either side of the village's
FLAT = 47  # height index of the village: 94 m
STEP = 2.0

BARREN_ROCK, GRASSLAND, LUSH, PACKED_DIRT, PATCHY_DIRT, PATCHY_GRASS, SAND, FOREST = (
    0x00, 0x01, 0x03, 0x07, 0x08, 0x09, 0x0A, 0x15,
)  # fmt: skip

_X0, _Y0 = (ids.VILLAGE >> 24) * 8, (ids.VILLAGE >> 16 & 0xFF) * 8
_SIZE = 8 * (2 * 2 + 1) + 1
_WAVES = smooth_noise(_SIZE, _SIZE, 7, 7, 601)
_RIPPLES = smooth_noise(_SIZE, _SIZE, 15, 15, 602)
_WOODS = smooth_noise(_SIZE, _SIZE, 9, 9, 603)
_MIDDLE = (6.5, 1.2)  # the village's middle, in vertices of its block


def _noise(field: Grey, i: int, j: int) -> float:
    return float(field[(j + 16) % _SIZE, (i + 16) % _SIZE])


def is_road(i: int, j: int) -> bool:
    """Whether a vertex carries road: the street from west to east, and a lane north out of the village."""
    return j == 1 or (i == 3 and 1 <= j <= 9) or (i == j - 6 and j > 9)


@cache
def height_index(i: int, j: int) -> int:
    """The height index of a vertex, counted from the village block's south-west corner."""
    dx, dy = abs(i - _MIDDLE[0]), abs(j - _MIDDLE[1])
    away = max(0.0, max(dx, dy) - 3.2)
    hills = away * (0.25 + 1.5 * _noise(_WAVES, i, j)) + min(away, 4.0) * (_noise(_RIPPLES, i, j) - 0.5)
    rim = max(0.0, max(dx, dy) - 12.0)
    hills += rim * rim * (0.25 + 0.5 * _noise(_RIPPLES, i, j))
    near_road = min(abs(j - 1), abs(i - 3) + (6 if j < 1 else 0))
    hills *= min(1.0, 0.12 + 0.22 * near_road)
    return FLAT + int(hills + 0.5)


def metres(i: int, j: int) -> float:
    """The height of a vertex."""
    return height_index(i, j) * STEP


@cache
def terrain_type(i: int, j: int) -> int:
    """The terrain type of a vertex."""
    steep = max(
        abs(height_index(i, j) - height_index(i + di, j + dj)) for di in (-1, 0, 1) for dj in (-1, 0, 1)
    )
    if steep >= 9:
        return BARREN_ROCK
    if is_road(i, j):
        return PACKED_DIRT
    if (i, j) in ((5, 2), (7, 2), (6, 0), (7, 0)):
        return PATCHY_DIRT
    woods = _noise(_WOODS, i, j)
    if woods > 0.62:
        return FOREST
    if woods > 0.5:
        return LUSH
    if _noise(_RIPPLES, i + 3, j) > 0.78:
        return PATCHY_GRASS
    return GRASSLAND


def is_wood(i: int, j: int) -> bool:
    """Whether trees stand about a vertex."""
    return terrain_type(i, j) in (FOREST, LUSH) and not is_road(i, j)


def land_block(block: int, has_objects: bool) -> LandBlock:
    """The terrain of a block of the surroundings of the village; ``block`` is its id, low word zero."""
    i0, j0 = (block >> 24) * 8 - _X0, (block >> 16 & 0xFF) * 8 - _Y0
    words, heights = [], []
    for x in range(9):
        for y in range(9):
            i, j = i0 + x, j0 + y
            words.append(int(is_road(i, j)) | terrain_type(i, j) << 2)
            heights.append(height_index(i, j))
    return LandBlock(block | 0xFFFF, int(has_objects), tuple(words), tuple(heights))


def flat_block(block: int) -> LandBlock:
    """A dungeon's terrain: all zero."""
    return LandBlock(block | 0xFFFF, 1, (0,) * 81, (0,) * 81)


def blocks() -> list[int]:
    """The ids of the village's block and those around it."""
    bx, by = ids.VILLAGE >> 24, ids.VILLAGE >> 16 & 0xFF
    return [bx + dx << 24 | by + dy << 16 for dx in BLOCKS for dy in BLOCKS]


def height_at(x: float, y: float) -> float:
    """The ground at a point of the village block's frame, also outside the block (dat-format 4.2)."""
    i, j = int(x // 24), int(y // 24)
    u, v = x / 24 - i, y / 24 - j
    sw, se, ne, nw = metres(i, j), metres(i + 1, j), metres(i + 1, j + 1), metres(i, j + 1)
    gx, gy = _X0 + i, _Y0 + j
    split = (gy * (gx * 214614067 + 1813693831) - gx * 1109124029 - 1369149221) & 0xFFFFFFFF
    if split >= 0x80000000:
        if u > v:
            return sw + (se - sw) * u + (ne - se) * v
        return sw + (ne - nw) * u + (nw - sw) * v
    if u + v <= 1:
        return sw + (se - sw) * u + (nw - sw) * v
    return ne + (nw - ne) * (1 - u) + (se - ne) * (1 - v)
