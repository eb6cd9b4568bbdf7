"""Terrain: heights, the split of each cell into two triangles, and water (collision 6.1-6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dat.records.land_block import LandBlock
from engine.dat.values import Vec3
from engine.world.cells import (
    ENTIRELY_WATER,
    NOT_WATER,
    PARTIALLY_WATER,
    Landblock,
    LandCell,
)
from engine.world.ids import BLOCK_SIDE, CELL_SIDE
from engine.world.polygon import Polygon

CELLS: Final = 8
VERTICES: Final = 9
FIRST_WATER: Final = 0x10
LAST_WATER: Final = 0x14
DEEP_WATER: Final = 0.89999998
SHALLOW_WATER: Final = 0.45
SHORE: Final = 0.1
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Of a landcell: south-west, south-east, north-east, north-west, in steps east and north."""
SW_NE = ((0, 1, 2), (0, 2, 3))
SE_NW = ((0, 1, 3), (2, 3, 1))
"""The corners of the two triangles, by which way the cell is cut."""


def split_hash(x: int, y: int) -> int:
    """The 32-bit number that decides the diagonal of the landcell at land cell coordinates."""
    return (y * (214614067 * x + 1813693831) - 1109124029 * x - 1369149221) & 0xFFFFFFFF


def cut_sw_ne(x: int, y: int) -> bool:
    """Whether that landcell is cut from south-west to north-east; else from south-east to north-west."""
    return split_hash(x, y) >= 0x80000000


def terrain_type(word: int) -> int:
    """The terrain type of a vertex's word, 0-31."""
    return (word >> 2) & 0x1F


def is_water(word: int) -> bool:
    """Whether a vertex's terrain type is one of the water types."""
    return FIRST_WATER <= terrain_type(word) <= LAST_WATER


def land_polygons(block_id: int, cx: int, cy: int, heights: Sequence[float]) -> tuple[Polygon, Polygon]:
    """The two triangles of a landcell in its block's frame; ``heights`` are 81 metres, x * 9 + y.

    Their ids are 2 * (cx * 8 + cy) and the next (dat-format 4.2).
    """
    corners: list[Vec3] = []
    for east, north in CORNERS:
        x, y = cx + east, cy + north
        corners.append((CELL_SIDE * x, CELL_SIDE * y, heights[VERTICES * x + y]))
    gx = ((block_id >> 24) & 0xFF) * CELLS + cx
    gy = ((block_id >> 16) & 0xFF) * CELLS + cy
    first = 2 * (CELLS * cx + cy)
    (a, b, c), (d, e, f) = SW_NE if cut_sw_ne(gx, gy) else SE_NW
    return (
        Polygon(first, (corners[a], corners[b], corners[c])),
        Polygon(first + 1, (corners[d], corners[e], corners[f])),
    )


def cell_water_type(terrain: Sequence[int], cx: int, cy: int) -> int:
    """How much of a landcell is water, by the words of its four corners."""
    at = VERTICES * cx + cy
    wet = sum(is_water(terrain[i]) for i in (at, at + 1, at + VERTICES, at + VERTICES + 1))
    if wet == 0:
        return NOT_WATER
    return ENTIRELY_WATER if wet == 4 else PARTIALLY_WATER


def add_land_cells(block: Landblock) -> None:
    """Give a landblock its 64 landcells and its water type, from its ``terrain`` and ``heights``."""
    waters = [cell_water_type(block.terrain, cx, cy) for cx in range(CELLS) for cy in range(CELLS)]
    kinds = set(waters)
    if kinds == {ENTIRELY_WATER}:
        block.water_type = ENTIRELY_WATER
    else:
        block.water_type = NOT_WATER if kinds == {NOT_WATER} else PARTIALLY_WATER
    in_open_water = block.water_type == ENTIRELY_WATER
    for number, water in enumerate(waters):
        cx, cy = divmod(number, CELLS)
        polygons = land_polygons(block.id, cx, cy, block.heights)
        block.land_cells.append(
            LandCell(block.id | (1 + number), polygons, water, block.terrain, in_open_water=in_open_water)
        )


def point_in_poly2d(polygon: Polygon, x: float, y: float, *, positive: bool = True) -> bool:
    """Whether a polygon holds a point in plan, edges included (collision 4.4).

    ``positive`` says that the polygon's winding is counter-clockwise seen from above.
    """
    vertices = polygon.vertices
    px, py, _ = vertices[0]
    for i in range(len(vertices) - 1, -1, -1):
        vx, vy, _ = vertices[i]
        value = (py - vy) * (x - vx) + (vx - px) * (y - vy)
        if value > 0.0 if positive else value < 0.0:
            return False
        px, py = vx, vy
    return True


def find_terrain_poly(cell: LandCell, p: Vec3) -> Polygon | None:
    """The triangle of a landcell above or below a point of its block frame; the first on the diagonal."""
    x, y, _ = p
    first, second = cell.polygons
    if point_in_poly2d(first, x, y):
        return first
    return second if point_in_poly2d(second, x, y) else None


def height_on(polygon: Polygon, x: float, y: float) -> float:
    """The height of a terrain triangle's plane, metres."""
    nx, ny, nz = polygon.normal
    return -(nx * x + ny * y + polygon.d) / nz


def terrain_height(block: Landblock, x: float, y: float) -> float | None:
    """The height of a landblock's ground at a place of its frame; None off the block or without terrain."""
    if not block.land_cells or not (0.0 <= x <= BLOCK_SIDE and 0.0 <= y <= BLOCK_SIDE):
        return None
    cx, cy = min(CELLS - 1, int(x // CELL_SIDE)), min(CELLS - 1, int(y // CELL_SIDE))
    polygon = find_terrain_poly(block.land_cells[CELLS * cx + cy], (x, y, 0.0))
    return None if polygon is None else height_on(polygon, x, y)


def ground_height(record: LandBlock, table: Sequence[float], x: float, y: float) -> float:
    """The height of a record's ground at a place inside the block, by the region's height table."""
    heights = [table[index] for index in record.height]
    cx, cy = min(CELLS - 1, int(x // CELL_SIDE)), min(CELLS - 1, int(y // CELL_SIDE))
    first, second = land_polygons(record.id & 0xFFFF0000, cx, cy, heights)
    return height_on(first if point_in_poly2d(first, x, y) else second, x, y)


def water_depth(cell: LandCell, p: Vec3) -> float:
    """How far walkers sink into the water at a point of the cell's block frame, metres."""
    if cell.water_type == NOT_WATER:
        return 0.0
    if cell.water_type == ENTIRELY_WATER:
        return DEEP_WATER
    terrain = cell.terrain
    if not terrain:
        return SHORE
    vx = int(p[0] // CELL_SIDE) + (1 if p[0] % CELL_SIDE >= CELL_SIDE / 2 else 0)
    vy = int(p[1] // CELL_SIDE) + (1 if p[1] % CELL_SIDE >= CELL_SIDE / 2 else 0)
    if not (0 <= vx < VERTICES and 0 <= vy < VERTICES):
        return SHORE
    return SHALLOW_WATER if is_water(terrain[VERTICES * vx + vy]) else SHORE
