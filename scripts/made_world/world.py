"""The records of a made world in the order of their ids, and its files.

From the west: columns of landblocks with a dungeon each, flat at height zero; then a shore, then land with
a town in every twenty-fifth landblock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.dat.container.dat_file import DatFile
from engine.dat.records.codecs import encode
from engine.dat.records.land_block_info import LandBlockInfo
from scripts.demo_world.terrain import flat_block
from scripts.environment import ROOT
from scripts.made_world import dungeons
from scripts.made_world.land import TILE_BLOCKS, Land
from scripts.made_world.towns import town

DEMO_PORTAL = ROOT / "assets" / "demo" / "client_portal.dat"
LARGEST = 255  # landblocks to a side: the whole map
DUNGEON_SHARE = 23  # one column of dungeons for so many columns: eleven of a whole map's


@dataclass(frozen=True, slots=True)
class MadeWorld:
    """What a world is made of: ``width`` by ``height`` landblocks from the map's south-west corner.

    ``dungeon_columns`` of them, the westernmost, hold dungeons of ``fewest`` to ``most`` cells.
    """

    width: int
    height: int
    dungeon_columns: int
    seed: int = 1
    fewest: int = dungeons.FEWEST
    most: int = dungeons.MOST

    def portal_records(self) -> Iterator[tuple[int, bytes]]:
        """The records of the portal file: the demo's, as they are shipped."""
        with DatFile.open(DEMO_PORTAL) as shipped:
            for entry in shipped.entries():
                yield entry.id, shipped.read_entry(entry)

    def cell_records(self) -> Iterator[tuple[int, bytes]]:
        """The records of the cell file, ids ascending."""
        land = Land(self.dungeon_columns, self.seed)
        for bx in range(self.width):
            for by in range(self.height):
                records = self._dungeon(bx, by) if bx < self.dungeon_columns else self._land(land, bx, by)
                for object_id, record in records:
                    yield object_id, encode(record)

    def dungeon_size(self, bx: int, by: int) -> int:
        """How many cells the dungeon of a landblock has: as many small ones as large, by their logarithm."""
        count = self.dungeon_columns * self.height
        rank = (bx * self.height + by) * 377 % count if count % 13 and count % 29 else bx * self.height + by
        share = (rank + 0.5) / count
        size: float = self.fewest * (self.most / self.fewest) ** share
        return round(size)

    def _dungeon(self, bx: int, by: int) -> Iterator[tuple[int, object]]:
        block = bx << 24 | by << 16
        random = Random(self.seed << 16 | block >> 16)
        made = dungeons.plan(self.dungeon_size(bx, by), random)
        cells = dungeons.cells(block, made, random)
        for cell in cells:
            yield cell.id, cell
        yield block | 0xFFFE, LandBlockInfo(block | 0xFFFE, len(cells))
        yield block | 0xFFFF, flat_block(block)

    def _land(self, land: Land, bx: int, by: int) -> Iterator[tuple[int, object]]:
        block = bx << 24 | by << 16
        if land.is_village(bx, by):
            info, cells = town(block, (bx - self.dungeon_columns) // TILE_BLOCKS + by // TILE_BLOCKS)
            for cell in cells:
                yield cell.id, cell
            yield info.id, info
        yield block | 0xFFFF, land.record(bx, by, has_objects=land.is_village(bx, by))
