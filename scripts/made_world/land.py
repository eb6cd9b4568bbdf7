"""The ground of a made world: the demo's, over and over, and gentle hills between; a shore to the west.

Vertices are numbered over the whole map from its south-west corner, i to the east and j to the north, 24 m
apart: neighbouring landblocks agree on their borders because both ask for the same vertex.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.dat.records.land_block import LandBlock
from scripts.demo_world import terrain
from scripts.demo_world.terrain import BARE, FLAT, GRASSLAND, LUSH, PACKED_DIRT, SPARSE, height_index

TILE_BLOCKS: Final = 5  # landblocks of the demo's ground, its village in the middle one
VILLAGE_AT: Final = 2
SIDE: Final = 8  # vertices of a landblock
TILE: Final = SIDE * TILE_BLOCKS
FADE: Final = 6  # vertices from a tile's edge over which the demo's ground begins
SHORE: Final = 10  # vertices over which the land rises from nothing
HIGHWAY: Final = 3  # the row of a tile along which a road leads straight on
WAVE: Final = 8  # vertices between the hills' heights
HILLS: Final = 6.0


class Land:
    """The ground east of a coast, given in landblocks from the map's west; west of it all is zero."""

    def __init__(self, coast: int, seed: int) -> None:
        self.coast = coast * SIDE
        self.seed = seed
        self._vertex = lru_cache(maxsize=1 << 16)(self._make_vertex)

    def is_village(self, bx: int, by: int) -> bool:
        """Whether a landblock holds a town."""
        east = bx - self.coast // SIDE
        return east >= 0 and east % TILE_BLOCKS == VILLAGE_AT and by % TILE_BLOCKS == VILLAGE_AT

    def record(self, bx: int, by: int, *, has_objects: bool) -> LandBlock:
        """The terrain of a landblock."""
        corners = [self.vertex(bx * SIDE + x, by * SIDE + y) for x in range(9) for y in range(9)]
        words, heights = zip(*corners, strict=True)
        return LandBlock(bx << 24 | by << 16 | 0xFFFF, int(has_objects), words, heights)

    def vertex(self, i: int, j: int) -> tuple[int, int]:
        """The terrain word and height index of a vertex."""
        return self._vertex(i, j)

    def _make_vertex(self, i: int, j: int) -> tuple[int, int]:
        inland = i - self.coast
        if inland <= 0:
            return 0, 0
        ti, tj = inland % TILE, j % TILE
        edge = min(ti, TILE - ti, tj, TILE - tj)
        share = min(1.0, edge / FADE)
        height = FLAT + self._hills(i, j) * (1.0 if tj != HIGHWAY else 0.5)
        if share:
            height += share * (height_index(ti - 2 * SIDE, tj - 2 * SIDE) - height)
        height *= min(1.0, inland / SHORE)
        return self._word(ti, tj, share), int(height + 0.5)

    def _word(self, ti: int, tj: int, share: float) -> int:
        if tj == HIGHWAY:
            return 1 | PACKED_DIRT << 2
        if share < 1.0:
            wild = _hash(ti, tj, self.seed)
            return (LUSH if wild > 0.6 else GRASSLAND) << 2 | (SPARSE if wild > 0.5 else BARE) << 11
        i, j = ti - 2 * SIDE, tj - 2 * SIDE
        return int(terrain.is_road(i, j)) | terrain.terrain_type(i, j) << 2 | terrain.growth(i, j) << 11

    def _hills(self, i: int, j: int) -> float:
        """Height indices above the villages', smooth from vertex to vertex."""
        (x, u), (y, v) = divmod(i, WAVE), divmod(j, WAVE)
        s, t = u / WAVE, v / WAVE
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        a, b = _hash(x, y, self.seed), _hash(x + 1, y, self.seed)
        c, d = _hash(x, y + 1, self.seed), _hash(x + 1, y + 1, self.seed)
        return HILLS * ((a + (b - a) * s) * (1 - t) + (c + (d - c) * s) * t)


def _hash(x: int, y: int, seed: int) -> float:
    """A number from 0 up to 1 for a place, the same on every machine."""
    n = (x * 0x9E3779B1 + y * 0x85EBCA77 + seed * 0xC2B2AE3D) & 0xFFFFFFFF
    n = (n ^ n >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    n = (n ^ n >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return ((n ^ n >> 15) & 0xFFFFFF) / 0x1000000
