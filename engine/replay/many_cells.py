"""A landblock of as many cells as one likes, made in memory of a house's own: loaded and never met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.dat.records.env_cell import OUTSIDE, SEEN_OUTSIDE, EnvCell
from engine.dat.records.land_block_info import LandBlockInfo
from engine.replay.town import FIRST_CELL, copied, houses_of
from engine.world.ids import block_of
from engine.world.source import Scene, WorldSource

SPACING = 40.0  # metres between copies, more than a house measures
A_ROW = 4


class ManyCells:
    """A source in which one landblock is a dungeon of ``count`` cells: copies of its smallest house.

    They stand apart, in layers one below the other, without ways out. All else is the source's own. Raises
    ValueError where no house stands in the landblock.
    """

    def __init__(self, source: WorldSource, block_id: int, count: int) -> None:
        self._source = source
        self._block = block_of(block_id)
        info = source.land_block_info(self._block | 0xFFFE)
        if info is None or not info.buildings:
            raise ValueError("no building stands in the landblock that is to be a dungeon")
        house = min(houses_of(source, self._block, info), key=lambda house: len(house.cells))
        shut = tuple(_without_exits(cell) for cell in house.cells)
        self._records: dict[int, EnvCell] = {}
        while len(self._records) < count:
            number = len(self._records) // len(shut)
            layer, place = divmod(number, A_ROW * A_ROW)
            by = (SPACING * (place % A_ROW), SPACING * (place // A_ROW), -SPACING * layer)
            first = FIRST_CELL + len(self._records)
            part = shut[: count - len(self._records)]
            self._records |= {cell.id: cell for cell in copied(part, self._block, first, by)}
        self._info = replace(info, num_cells=count, objects=(), buildings=())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def land_block_info(self, block_id: int) -> LandBlockInfo | None:
        """What stands in a landblock."""
        return self._info if block_of(block_id) == self._block else self._source.land_block_info(block_id)

    def cell_ids(self, block_id: int) -> Sequence[int]:
        """The ids of a landblock's cells."""
        return tuple(self._records) if block_of(block_id) == self._block else self._source.cell_ids(block_id)

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """A cell."""
        inside = block_of(cell_id) == self._block
        return self._records.get(cell_id) if inside else self._source.env_cell(cell_id)

    def scene(self) -> Scene:
        """The source's scene without what stands in the landblock."""
        scene = self._source.scene()
        return replace(scene, objects=tuple(o for o in scene.objects if block_of(o.cell_id) != self._block))


def _without_exits(cell: EnvCell) -> EnvCell:
    portals = tuple(portal for portal in cell.portals if portal.other_cell != OUTSIDE)
    return replace(cell, portals=portals, flags=cell.flags & ~SEEN_OUTSIDE)
