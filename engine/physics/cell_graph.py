"""What the sweep needs of a world: resident cells by id, and nothing by position."""

from __future__ import annotations

from typing import Protocol

from engine.world.cells import EnvCell, Landblock, LandCell, ObjCell
from engine.world.ids import block_of, is_outdoor


class CellGraph(Protocol):
    """The look-up of resident cells (physics 2.4); ``engine.world.world.World`` is one."""

    def get_visible(self, cell_id: int, /) -> ObjCell | None:
        """The cell of an id where it is loaded; never loads anything."""


class CellLookup(CellGraph, Protocol):
    """The same, by kind of cell."""

    def env_cell(self, cell_id: int, /) -> EnvCell | None:
        """The EnvCell of an id where it is loaded."""

    def land_cell(self, cell_id: int, /) -> LandCell | None:
        """The landcell of an id where it is loaded."""


class OneBlock:
    """The cells of a landblock that has been built and is not part of a world yet."""

    def __init__(self, block: Landblock) -> None:
        self.block = block

    def get_visible(self, cell_id: int) -> ObjCell | None:
        """The cell of an id, None for one of another landblock."""
        return self.land_cell(cell_id) if is_outdoor(cell_id) else self.env_cell(cell_id)

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """The EnvCell of an id."""
        return self.block.env_cells.get(cell_id)

    def land_cell(self, cell_id: int) -> LandCell | None:
        """The landcell of an id."""
        low = cell_id & 0xFFFF
        if block_of(cell_id) != self.block.id or not (1 <= low <= len(self.block.land_cells)):
            return None
        return self.block.land_cells[low - 1]
