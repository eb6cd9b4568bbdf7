"""The ordered list of cells a sphere touches, and why each is in it (membership 2.5)."""

from __future__ import annotations

from typing import Final

from engine.native import mypyc_attr
from engine.world.cells import ObjCell

WHY_SEED: Final = "seed"
WHY_PORTAL: Final = "portal"
WHY_UNLOADED_PORTAL: Final = "portal to an unloaded cell"
WHY_OUTSIDE: Final = "landcell under the spheres"
WHY_BUILDING: Final = "building portal"
FEW: Final = 16  # up to so many ids a list is looked through faster than a set is kept


@mypyc_attr(acyclic=True, free_list_len=1)
class CellArray:
    """CELLARRAY: ids in the order of discovery, unique, with the cell where it is loaded.

    ``why`` and ``added_by`` tell for each entry what put it there and the id of the cell whose transit
    did (the entry's own id for a seed), in an array that ``explains`` its entries. Lists run in parallel.
    ``hits_interior_cell`` says that the spheres are, or reach, indoors; ``cut_off`` that an object's bounds
    reach beyond the landcells that were looked at. ``tried`` counts how often one of its parts or spheres was
    held against an opening.
    """

    __slots__ = (
        "_known", "added_by", "added_outside", "cells", "cut_off", "do_not_load_cells",
        "explains", "hits_interior_cell", "ids", "source", "tried", "why",
    )  # fmt: skip

    def __init__(self, *, explains: bool = False) -> None:
        self.explains = explains
        self.ids: list[int] = []
        self.cells: list[ObjCell | None] = []
        self.why: list[str] = []
        self.added_by: list[int] = []
        self.added_outside = False
        self.cut_off = False
        self.hits_interior_cell = False
        self.do_not_load_cells = False
        self.source = 0
        self.tried = 0
        self._known: set[int] | None = None

    def reset(self) -> None:
        """Empty the array; the prune flag stays."""
        self.ids.clear()
        self.cells.clear()
        if self.explains:
            self.why.clear()
            self.added_by.clear()
        self.added_outside = False
        self.cut_off = False
        self.hits_interior_cell = False
        self.source = 0
        self._known = None

    def holds(self, cell_id: int) -> bool:
        """Whether an id is in the array, at the same cost however long that is."""
        if len(self.ids) <= FEW:
            return cell_id in self.ids
        if self._known is None:
            self._known = set(self.ids)
        return cell_id in self._known

    def add_cell(self, cell_id: int, cell: ObjCell | None, why: str) -> None:
        """Append a cell unless its id is there already."""
        if not self.holds(cell_id):
            self.append(cell_id, cell, why)

    def append(self, cell_id: int, cell: ObjCell | None, why: str) -> None:
        """Append a cell whose id is not there."""
        if self._known is not None:
            self._known.add(cell_id)
        self.ids.append(cell_id)
        self.cells.append(cell)
        if self.explains:
            self.why.append(why)
            self.added_by.append(self.source if self.source else cell_id)

    def remove_cell(self, index: int) -> None:
        """Drop an entry: the last one takes its place."""
        self._known = None
        cell_id, cell = self.ids.pop(), self.cells.pop()
        keep = index < len(self.ids)
        if keep:
            self.ids[index] = cell_id
            self.cells[index] = cell
        if self.explains:
            why, added_by = self.why.pop(), self.added_by.pop()
            if keep:
                self.why[index] = why
                self.added_by[index] = added_by
