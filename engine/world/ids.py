"""Cell ids and land coordinates (membership 1.1-1.3): arithmetic on ids, no data needed."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.world.tolerance import EPS

CELL_SIDE: Final = 24.0
BLOCK_SIDE: Final = 192.0
LAND_CELLS: Final = 2040
LAST_BLOCK: Final = 254
EXIT_CELL: Final = 0xFFFF
MIDDLE_LAND_CELL: Final = 0x25  # of a landblock's 64, north-east of its very middle, where four of them meet
FIRST_ENV_CELL: Final = 0x0100
LAST_ENV_CELL: Final = 0xFFFD


def is_outdoor(cell_id: int) -> bool:
    """Whether an id names a landcell (low word below 0x100)."""
    return (cell_id & 0xFFFF) < FIRST_ENV_CELL


def cell_in_range(low: int) -> bool:
    """Whether a low word can name a landcell, an EnvCell or the block itself."""
    return 1 <= low <= 0x40 or FIRST_ENV_CELL <= low <= LAST_ENV_CELL or low == 0xFFFF


def middle_of_land_cell(low: int) -> tuple[float, float]:
    """The middle in plan of the landcell with a low word, in its block's frame."""
    return (((low - 1) >> 3) + 0.5) * CELL_SIDE, (((low - 1) & 7) + 0.5) * CELL_SIDE


def block_of(cell_id: int) -> int:
    """The id of the landblock an id belongs to, low word zero."""
    return cell_id & 0xFFFF0000


def block_xy(cell_id: int) -> tuple[int, int]:
    """Which landblock of the map an id belongs to, counted from west and from south."""
    return (cell_id >> 24) & 0xFF, (cell_id >> 16) & 0xFF


def blocks_around(cell_id: int, radius: int = 1) -> list[int]:
    """The square of landblocks within so many steps of an id's own, which is one of them, on the map."""
    bx, by = block_xy(cell_id)
    return [
        (x << 24) | (y << 16)
        for x in range(max(0, bx - radius), min(LAST_BLOCK, bx + radius) + 1)
        for y in range(max(0, by - radius), min(LAST_BLOCK, by + radius) + 1)
    ]


def block_steps(a: int, b: int) -> int:
    """How many steps, slanting ones too, lie between the landblocks of two ids."""
    (ax, ay), (bx, by) = block_xy(a), block_xy(b)
    return max(abs(ax - bx), abs(ay - by))


def inbound(x: int, y: int) -> bool:
    """Whether land cell coordinates lie on the map."""
    return 0 <= x < LAND_CELLS and 0 <= y < LAND_CELLS


def blockid_to_lcoord(cell_id: int) -> tuple[int, int] | None:
    """Land cell coordinates of a block's south-west cell; None off the map or for id 0."""
    if cell_id == 0:
        return None
    x = ((cell_id >> 24) & 0xFF) * 8
    y = ((cell_id >> 16) & 0xFF) * 8
    return (x, y) if inbound(x, y) else None


def gid_to_lcoord(cell_id: int) -> tuple[int, int] | None:
    """Land cell coordinates of a landcell id; None when it names no landcell on the map.

    Block 0,0 has no non-zero block id, yet its landcells are legal (physics LD3).
    """
    low = cell_id & 0xFFFF
    if not cell_in_range(low) or not is_outdoor(cell_id):
        return None
    x = ((cell_id >> 24) & 0xFF) * 8 + ((low - 1) >> 3)
    y = ((cell_id >> 16) & 0xFF) * 8 + ((low - 1) & 7)
    return (x, y) if inbound(x, y) else None


def lcoord_to_gid(x: int, y: int) -> int:
    """The landcell id at land cell coordinates, 0 off the map."""
    if not inbound(x, y):
        return 0
    return ((((x >> 3) << 8) | (y >> 3)) << 16) | (1 + ((x & 7) << 3) + (y & 7))


def get_outside_lcoord(cell_id: int, p: Vec3) -> tuple[int, int] | None:
    """Land cell coordinates under a point given in the block frame of ``cell_id``."""
    if not cell_in_range(cell_id & 0xFFFF):
        return None
    base = blockid_to_lcoord(cell_id)
    if base is None:
        return None
    x = base[0] + math.floor(p[0] / CELL_SIDE)
    y = base[1] + math.floor(p[1] / CELL_SIDE)
    return (x, y) if inbound(x, y) else None


def adjust_to_outside(cell_id: int, p: Vec3) -> tuple[int, Vec3]:
    """The landcell under a point and the point in that cell's block frame; id 0 where there is none.

    Works from an indoor id too: only its block matters.
    """
    if not cell_in_range(cell_id & 0xFFFF):
        return 0, p
    x = 0.0 if abs(p[0]) < EPS else p[0]
    y = 0.0 if abs(p[1]) < EPS else p[1]
    coord = get_outside_lcoord(cell_id, (x, y, p[2]))
    if coord is None:
        return 0, (x, y, p[2])
    x -= math.floor(x / BLOCK_SIDE) * BLOCK_SIDE
    y -= math.floor(y / BLOCK_SIDE) * BLOCK_SIDE
    return lcoord_to_gid(coord[0], coord[1]), (x, y, p[2])


def block_offset(a: int, b: int) -> Vec3:
    """The origin of ``b``'s block seen from ``a``'s block: ``point_in_a = point_in_b + offset``."""
    if a >> 16 == b >> 16:
        return (0.0, 0.0, 0.0)
    dx = ((b >> 24) & 0xFF) - ((a >> 24) & 0xFF)
    dy = ((b >> 16) & 0xFF) - ((a >> 16) & 0xFF)
    return (dx * BLOCK_SIDE, dy * BLOCK_SIDE, 0.0)


def rebase(p: Vec3, from_cell: int, to_cell: int) -> Vec3:
    """A point given in ``from_cell``'s block frame, in ``to_cell``'s block frame."""
    if from_cell >> 16 == to_cell >> 16:
        return p
    ox, oy, oz = block_offset(to_cell, from_cell)
    return (p[0] + ox, p[1] + oy, p[2] + oz)
