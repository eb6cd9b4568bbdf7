"""The ground: heights, terrain types, roads, water and what may grow, of the landblocks about the village.

Vertices are numbered over the whole map, 24 m apart, so that neighbouring blocks agree on their borders:
from the village block's south-west corner, i to the east and j to the north.
"""

from __future__ import annotations

from functools import cache

from engine.dat.records.land_block import LandBlock
from engine.world.terrain import cut_sw_ne
from scripts.demo_world import ids
from scripts.demo_world.art.noise import Grey, smooth_noise

BLOCKS = range(-2, 3)  # landblocks to either side of the village's
FLAT = 47  # height index of the village: 94 m
STEP = 2.0

BARREN_ROCK, GRASSLAND, LUSH, MARSH, PACKED_DIRT, PATCHY_DIRT, PATCHY_GRASS, SAND, FOREST = (
    0x00, 0x01, 0x03, 0x04, 0x07, 0x08, 0x09, 0x0A, 0x15,
)  # fmt: skip
RUNNING, FRESH, SHALLOW_SEA = 0x10, 0x11, 0x12
# What grows at a vertex: the scenery bits of its word, the same choice for every terrain type.
BARE, SPARSE, DENSE = range(3)

_X0, _Y0 = (ids.VILLAGE >> 24) * 8, (ids.VILLAGE >> 16 & 0xFF) * 8
_SIZE = 8 * (2 * 2 + 1) + 1
_WAVES = smooth_noise(_SIZE, _SIZE, across=7, down=7, seed=601)
_RIPPLES = smooth_noise(_SIZE, _SIZE, across=15, down=15, seed=602)
_WOODS = smooth_noise(_SIZE, _SIZE, across=9, down=9, seed=603)
_MIDDLE = (6.5, 1.2)  # the village's middle

LANE = 4  # from the square northward
SQUARE = ((4, 1), (5, 1), (4, 2), (5, 2))
HILL = ((1, 6), (2, 7))  # the corners of its level top
CRAG = (-11, 19)
POND = ((6, 5), (7, 5), (6, 6), (7, 6))
# From the pond down to the lake, which is a whole landblock.
STREAM = (
    (8, 6), (9, 6), (9, 7), (10, 7), (11, 7), (11, 8), (12, 8), (13, 8), (13, 9), (14, 9), (15, 9),
)  # fmt: skip
LAKE = 0xABB50000
WATER: dict[tuple[int, int], int] = (
    dict.fromkeys(POND, FLAT - 2)
    | {spot: FLAT - 3 - n // 5 for n, spot in enumerate(STREAM)}
    | {(i, j): FLAT - 6 for i in range(16, 25) for j in range(8, 17)}
)


def _noise(field: Grey, i: int, j: int) -> float:
    return float(field[(j + 16) % _SIZE, (i + 16) % _SIZE])


def _lane(j: int) -> int:
    """Where the lane is at a row: straight to the north, then to the north-east."""
    return LANE if j <= 9 else LANE + j - 9


def is_road(i: int, j: int) -> bool:
    """Whether a vertex carries road: the street from west to east, the square on it, and the lane."""
    return j == 1 or (i, j) in SQUARE or (j >= 1 and i == _lane(j))


@cache
def shore(i: int, j: int) -> tuple[float, int]:
    """How far a vertex is from the nearest water, in vertices, and that water's height index."""
    off, level = min(((i - x) ** 2 + (j - y) ** 2, level) for (x, y), level in WATER.items())
    return off**0.5, level


def _above(i: int, j: int) -> float:
    """How far a vertex is from the hill's level top, in vertices."""
    (x0, y0), (x1, y1) = HILL
    dx, dy = max(x0 - i, 0, i - x1), max(y0 - j, 0, j - y1)
    return float((dx * dx + dy * dy) ** 0.5)


def _away(i: int, j: int) -> float:
    """How far a vertex is from the middle of the village."""
    return max(abs(i - _MIDDLE[0]), abs(j - _MIDDLE[1]))


@cache
def height_index(i: int, j: int) -> int:
    """The height index of a vertex."""
    if (i, j) in WATER:
        return WATER[i, j]
    away = max(0.0, _away(i, j) - 3.2)
    hills = away * (0.25 + 1.5 * _noise(_WAVES, i, j)) + min(away, 4.0) * (_noise(_RIPPLES, i, j) - 0.5)
    rim = max(0.0, _away(i, j) - 12.0)
    hills += rim * rim * (0.25 + 0.5 * _noise(_RIPPLES, i, j))
    near_road = min(abs(j - 1), abs(i - _lane(j)) + (6 if j < 1 else 0))
    hills *= min(1.0, 0.12 + 0.22 * near_road)
    hills += max(0.0, 12.0 - 6.0 * _above(i, j))
    crag = ((i - CRAG[0]) ** 2 + (j - CRAG[1]) ** 2) ** 0.5
    hills += max(0.0, 52.0 - 20.0 * crag)
    off, level = shore(i, j)
    return min(FLAT + int(hills + 0.5), level + int(1.2 * off * off))


def metres(i: int, j: int) -> float:
    """The height of a vertex."""
    return height_index(i, j) * STEP


@cache
def terrain_type(i: int, j: int) -> int:  # noqa: PLR0911 - one zone of ground a line
    """The terrain type of a vertex."""
    if (i, j) in WATER:
        return FRESH if (i, j) in POND else RUNNING if (i, j) in STREAM else SHALLOW_SEA
    steep = max(
        abs(height_index(i, j) - height_index(i + di, j + dj)) for di in (-1, 0, 1) for dj in (-1, 0, 1)
    )
    if steep >= 9:
        return BARREN_ROCK
    if is_road(i, j):
        return PACKED_DIRT
    off, level = shore(i, j)
    if off < 1.5:
        return SAND if level == FLAT - 6 else MARSH if (i + j) % 2 else LUSH
    if (i, j) in ((6, 2), (7, 2), (6, 0), (7, 0), (5, 0), (4, 3), (5, 3)):
        return PATCHY_DIRT
    woods = _noise(_WOODS, i, j)
    if woods > 0.62:
        return FOREST
    if woods > 0.5:
        return LUSH
    if _noise(_RIPPLES, i + 3, j) > 0.78:
        return PATCHY_GRASS
    return GRASSLAND


def growth(i: int, j: int) -> int:
    """What may grow at a vertex: nothing in the village and on roads, more where there are woods."""
    if _away(i, j) <= 3.2 or is_road(i, j) or (i, j) in WATER:
        return BARE
    if _above(i, j) == 0.0:
        return BARE
    if _noise(_WOODS, i, j) > 0.5 or terrain_type(i, j) == MARSH:
        return DENSE
    return SPARSE if _noise(_RIPPLES, j, i) > 0.3 else BARE


def land_block(block: int, *, has_objects: bool) -> LandBlock:
    """The terrain of a block of the surroundings of the village; ``block`` is its id, low word zero."""
    i0, j0 = (block >> 24) * 8 - _X0, (block >> 16 & 0xFF) * 8 - _Y0
    words, heights = [], []
    for x in range(9):
        for y in range(9):
            i, j = i0 + x, j0 + y
            words.append(int(is_road(i, j)) | terrain_type(i, j) << 2 | growth(i, j) << 11)
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
    if cut_sw_ne(_X0 + i, _Y0 + j):
        if u > v:
            return sw + (se - sw) * u + (ne - se) * v
        return sw + (ne - nw) * u + (nw - sw) * v
    if u + v <= 1:
        return sw + (se - sw) * u + (nw - sw) * v
    return ne + (nw - ne) * (1 - u) + (se - ne) * (1 - v)
