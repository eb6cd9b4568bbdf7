"""A landblock of as many cells as one likes, made in memory of a house's own: loaded and never met."""

from __future__ import annotations

from engine.dat.records.env_cell import OUTSIDE, SEEN_OUTSIDE, EnvCell
from engine.replay.one_block import OneBlockInstead
from engine.replay.town import FIRST_CELL, MOST_STATICS, copied, houses_of, statics_of
from engine.world.ids import block_of
from engine.world.source import Scene, WorldSource

SPACING = 40.0  # metres between copies, more than a house measures
A_ROW = 4


class ManyCells(OneBlockInstead):
    """A source in which one landblock is a dungeon of ``count`` cells: copies of its smallest house.

    They stand apart, in layers one below the other, without ways out. All else is the source's own. Raises
    ValueError where no house with a room stands in the landblock, or one that is full of things.
    """

    def __init__(self, source: WorldSource, block_id: int, count: int) -> None:
        info = source.land_block_info(block_of(block_id) | 0xFFFE)
        if info is None or not info.buildings:
            raise ValueError("no building stands in the landblock that is to be a dungeon")
        super().__init__(source, block_id, info._replace(num_cells=count, objects=(), buildings=()))
        houses = list(houses_of(source, self.block, info))
        if not houses:
            raise ValueError("no building with a room stands in the landblock that is to be a dungeon")
        house = min(houses, key=lambda house: len(house.cells))
        self.rooms = len(house.cells)  # of one house; all others are like these
        shut = tuple(_without_exits(cell) for cell in house.cells)
        statics = statics_of(shut) * count // len(shut)
        if statics > MOST_STATICS:
            raise ValueError(f"{count} cells as in its smallest house hold {statics} statics, too many")
        while len(self.records) < count:
            number = len(self.records) // len(shut)
            layer, place = divmod(number, A_ROW * A_ROW)
            by = (SPACING * (place % A_ROW), SPACING * (place // A_ROW), -SPACING * layer)
            first = FIRST_CELL + len(self.records)
            part = shut[: count - len(self.records)]
            self.records |= {cell.id: cell for cell in copied(part, self.block, first, by)}

    def scene(self) -> Scene:
        """The source's scene without what stands in the landblock."""
        scene = self.source.scene()
        return scene._replace(objects=tuple(o for o in scene.objects if block_of(o.cell_id) != self.block))


def _without_exits(cell: EnvCell) -> EnvCell:
    portals = tuple(portal for portal in cell.portals if portal.other_cell != OUTSIDE)
    return cell._replace(portals=portals, flags=cell.flags & ~SEEN_OUTSIDE)
