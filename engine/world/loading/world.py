"""The loaded world: landblocks by id and the look-up of resident cells."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from engine.world.cell_graph import CellGraph
from engine.world.cells import Landblock
from engine.world.frame import Position
from engine.world.ids import block_of, blocks_around
from engine.world.loading.landblock import BlockLoader
from engine.world.loading.middle import middle_of
from engine.world.location import parse_location
from engine.world.models import Model
from engine.world.source import Problems, WorldSource
from engine.world.terrain import terrain_height
from engine.world.under_way import UnderWay

BlockListener = Callable[[Landblock], None]


class World(CellGraph):
    """Landblocks that are loaded, and nothing else: it never derives a cell from a position.

    ``on_load`` / ``on_unload`` are called with each block that comes or goes. ``horizon`` holds landblocks
    of which only the heights and terrain are there: to be drawn beyond ``blocks``, unknown to every
    look-up; ``horizon_version`` grows with every change of it. ``under_way`` tells how far what takes
    long with a landblock is. All but ``build_block`` and ``build_ground`` belong to the simulation's thread.
    """

    __slots__ = (
        "_building", "horizon", "horizon_version", "loader", "on_load", "on_unload", "problems",
        "source", "under_way",
    )  # fmt: skip

    def __init__(self, source: WorldSource) -> None:
        super().__init__()
        self.source = source
        self.problems = Problems()
        scene = source.scene()
        self.problems.take(scene.problems, scene.unkept)
        source.listen(self.problems.report)
        self.under_way = UnderWay()
        self.loader = BlockLoader(source, self.problems, self.under_way)
        self.horizon: dict[int, Landblock] = {}
        self.horizon_version = 0
        self.on_load: list[BlockListener] = []
        self.on_unload: list[BlockListener] = []
        self._building = Lock()

    def load_block(self, cell_id: int) -> Landblock | None:
        """Load the landblock an id belongs to; None where the source has nothing there."""
        block_id = block_of(cell_id)
        block = self.blocks.get(block_id)
        if block is not None:
            return block
        block = self.build_block(block_id)
        if block is not None:
            self.attach_block(block)
        return block

    def build_block(self, cell_id: int) -> Landblock | None:
        """A landblock with everything in it, not yet part of the world; on any thread, one at a time."""
        with self._building:
            return self.loader.load(cell_id)

    def build_ground(self, cell_id: int) -> Landblock | None:
        """A landblock with nothing but its heights, for the horizon; on any thread, one at a time."""
        with self._building:
            return self.loader.load_ground(cell_id)

    def attach_block(self, block: Landblock) -> None:
        """Make a landblock that was built part of the world, in place of one with its id."""
        self.unload_block(block.id)
        self.blocks[block.id] = block
        self.version += 1
        self.forget_horizon(block.id)
        for listener in self.on_load:
            listener(block)

    def show_horizon(self, block: Landblock) -> None:
        """Add the ground of a landblock that is not loaded to the horizon."""
        if block.id not in self.blocks:
            self.horizon[block.id] = block
            self.horizon_version += 1

    def forget_horizon(self, block_id: int) -> None:
        """Take a landblock's ground from the horizon."""
        if self.horizon.pop(block_of(block_id), None) is not None:
            self.horizon_version += 1

    def load_around(self, cell_id: int, radius: int = 1) -> None:
        """Load the landblock of an id and those within ``radius`` blocks of it that lie on the map."""
        for block_id in blocks_around(cell_id, radius):
            self.load_block(block_id)

    def unload_block(self, block_id: int, *, keep_ground: bool = False) -> None:
        """Forget a landblock, all of it or all but its ground, which joins the horizon."""
        block = self.blocks.pop(block_of(block_id), None)
        if block is None:
            return
        self.version += 1
        for listener in self.on_unload:
            listener(block)
        for cell in block.env_cells.values():
            for portal in cell.portals:
                portal.forget()
        if keep_ground and block.land_cells:
            self.show_horizon(Landblock(block.id, block.terrain, block.heights))

    def locate(self, text: str) -> Position:
        """The position that a location string names, its block loaded.

        Map coordinates get the ground's height, a bare id the middle of the cell or landblock on its floor.
        Raises ValueError with one line.
        """
        place = parse_location(text)
        block = self.load_block(place.cell_id)
        if place.is_middle:
            return middle_of(place.cell_id, block)
        x, y, z = place.frame.origin
        if place.on_ground and block is not None:
            z = terrain_height(block, x, y) or 0.0
        return Position(place.cell_id, place.frame.with_origin((x, y, z)))

    def model(self, model_id: int) -> Model | None:
        """The model of a Setup or GfxObj id, built once."""
        return self.loader.models.model(model_id)
