"""What the sweep needs of a world: resident cells by id, and nothing by position."""

from __future__ import annotations

from typing import Protocol

from engine.world.cells import ObjCell


class CellGraph(Protocol):
    """The look-up of resident cells (physics 2.4); ``engine.world.world.World`` is one."""

    def get_visible(self, cell_id: int, /) -> ObjCell | None:
        """The cell of an id where it is loaded; never loads anything."""
