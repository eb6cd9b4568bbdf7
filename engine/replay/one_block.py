"""A source with other cells in one landblock, made in memory, to measure what such a landblock costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dat.records.env_cell import EnvCell
from engine.dat.records.land_block_info import LandBlockInfo
from engine.world.ids import block_of
from engine.world.source import WorldSource


class OneBlockInstead:
    """``records`` are the landblock's cells, ``info`` what stands there; all else is the source's own."""

    def __init__(self, source: WorldSource, block_id: int, info: LandBlockInfo) -> None:
        self.source = source
        self.block = block_of(block_id)
        self.info = info
        self.records: dict[int, EnvCell] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def land_block_info(self, block_id: int) -> LandBlockInfo | None:
        """What stands in a landblock."""
        return self.info if block_of(block_id) == self.block else self.source.land_block_info(block_id)

    def cell_ids(self, block_id: int) -> Sequence[int]:
        """The ids of a landblock's cells."""
        return tuple(self.records) if block_of(block_id) == self.block else self.source.cell_ids(block_id)

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """A cell."""
        inside = block_of(cell_id) == self.block
        return self.records.get(cell_id) if inside else self.source.env_cell(cell_id)
