"""The ordered list of cells a sphere touches, and why each is in it (physics 2.5)."""

from __future__ import annotations

from typing import Final

from engine.world.cells import ObjCell

WHY_SEED: Final = "seed"
WHY_PORTAL: Final = "portal"
WHY_UNLOADED_PORTAL: Final = "portal to an unloaded cell"
WHY_OUTSIDE: Final = "landcell under the spheres"
WHY_BUILDING: Final = "building portal"


class CellArray:
    """CELLARRAY: ids in the order of discovery, unique, with the cell where it is loaded.

    ``why`` and ``added_by`` tell for each entry what put it there and the id of the cell whose transit
    did (the entry's own id for a seed). Lists run in parallel.
    """

    __slots__ = ("added_by", "added_outside", "cells", "do_not_load_cells", "ids", "source", "why")

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.cells: list[ObjCell | None] = []
        self.why: list[str] = []
        self.added_by: list[int] = []
        self.added_outside = False
        self.do_not_load_cells = False
        self.source = 0

    def reset(self) -> None:
        """Empty the array; the prune flag stays."""
        self.ids = []
        self.cells = []
        self.why = []
        self.added_by = []
        self.added_outside = False
        self.source = 0

    def add_cell(self, cell_id: int, cell: ObjCell | None, why: str) -> None:
        """Append a cell unless its id is there already."""
        if cell_id in self.ids:
            return
        self.ids.append(cell_id)
        self.cells.append(cell)
        self.why.append(why)
        self.added_by.append(self.source if self.source else cell_id)

    def remove_cell(self, index: int) -> None:
        """Drop an entry: the last one takes its place."""
        cell_id, cell = self.ids.pop(), self.cells.pop()
        why, added_by = self.why.pop(), self.added_by.pop()
        if index < len(self.ids):
            self.ids[index] = cell_id
            self.cells[index] = cell
            self.why[index] = why
            self.added_by[index] = added_by
