"""The loaded cells by id (membership 2.4): what sweeps and traversals ask of a world."""

from __future__ import annotations

from engine.world.cells import EnvCell, Landblock, LandCell, ObjCell, Portal


class CellGraph:
    """Landblocks by id and the look-up of their cells; nothing is ever loaded by it.

    A world is one, and so are the cells of a landblock that has been built and is not part of a world yet.
    ``version`` grows with every landblock that comes or goes, so that caches know when to forget.
    """

    __slots__ = ("blocks", "version")

    def __init__(self) -> None:
        self.blocks: dict[int, Landblock] = {}
        self.version = 0

    def get_visible(self, cell_id: int) -> ObjCell | None:
        """The cell of an id if it is resident (membership 2.4)."""
        block = self.blocks.get(cell_id & 0xFFFF0000)
        if block is None:
            return None
        low = cell_id & 0xFFFF
        if low >= 0x100:
            return block.env_cells.get(cell_id)
        if 1 <= low <= 0x40 and block.land_cells:
            return block.land_cells[low - 1]
        return None

    def beyond(self, portal: Portal) -> ObjCell | None:
        """The resident cell behind a portal of a resident cell; the portal remembers it for one version."""
        if portal.known_version != self.version or portal.known_by is not self:
            portal.known = self.get_visible(portal.other_cell_id)
            portal.known_by = self
            portal.known_version = self.version
        return portal.known

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """The resident EnvCell of an id."""
        cell = self.get_visible(cell_id) if (cell_id & 0xFFFF) >= 0x100 else None
        return cell if isinstance(cell, EnvCell) else None

    def land_cell(self, cell_id: int) -> LandCell | None:
        """The resident landcell of an id."""
        cell = self.get_visible(cell_id) if (cell_id & 0xFFFF) < 0x100 else None
        return cell if isinstance(cell, LandCell) else None


def cells_of(block: Landblock) -> CellGraph:
    """The cells of one landblock."""
    graph = CellGraph()
    graph.blocks[block.id] = block
    return graph
