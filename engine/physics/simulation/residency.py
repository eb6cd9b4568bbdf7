"""Which landblocks are loaded: those around the body, dropped again when it has gone far (visibility 1.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.dat.values import Vec3
from engine.physics.objects.near_place import TOUCHED
from engine.world.box import Box
from engine.world.cells import Landblock
from engine.world.ids import block_of, block_steps, blocks_around, rebase
from engine.world.loading.outlines import Outlines
from engine.world.loading.saved_blocks import SavedBlocks
from engine.world.loading.world import World

LOAD_RADIUS = 1
KEEP_RADIUS = 3


class BlockKeeper(Protocol):
    """Who sees to it that the landblocks around the body are there.

    ``builders`` are called, on any thread, with a block that is built ahead of its time, ``gates`` before it
    is attached, with a time to return by: all have to say True; ``discards`` with one not wanted after
    all. ``Residency`` never builds ahead; the ``Streamer`` of
    ``engine.world.loading.streaming`` does.
    """

    builders: list[Callable[[Landblock], None]]
    gates: list[Callable[[Landblock, float], bool]]
    discards: list[Callable[[Landblock], None]]

    def load(self, cell_id: int, place: Vec3 | None = None) -> None:
        """Make the landblock of a cell and its neighbours resident, now.

        Who builds ahead may leave those for later that are far from a ``place`` in the block frame.
        """

    def approach(self, cell_id: int) -> bool:
        """Ask for what ``load`` loads; whether it is all there."""

    def visit(self, cell_id: int) -> None:
        """The body is in a cell."""

    def reach(self, radius: int, horizon: int) -> None:
        """Keep the landblocks within ``radius`` and the ground of those within ``horizon`` from now on."""

    def ready(self, cell_id: int, a: Vec3, b: Vec3, reach: float) -> bool:
        """Whether all that is to be there is, within ``reach`` of the box around two points (block frame)."""

    def pump(self) -> None:
        """Between two ticks: let what has come join the world."""

    def saved(self) -> SavedBlocks:
        """What is loaded, as far as the next ticks depend on it."""

    def restore(self, saved: SavedBlocks, cell_id: int) -> None:
        """Let the world around a body in a cell be loaded as it was, now."""


class Residency:
    """Loads the landblocks within ``load_radius`` of the body's, forgets those beyond ``keep_radius``.

    Everything happens at once, in the tick that crosses a border: the same run gives the same ticks. A
    dungeon's landblock stands alone, and its neighbours are not loaded, while the body is in its rooms.
    """

    __slots__ = ("_alone", "builders", "center", "discards", "gates", "keep_radius", "load_radius", "world")

    def __init__(self, world: World, load_radius: int = LOAD_RADIUS, keep_radius: int = KEEP_RADIUS) -> None:
        self.world = world
        self.builders: list[Callable[[Landblock], None]] = []
        self.gates: list[Callable[[Landblock, float], bool]] = []
        self.discards: list[Callable[[Landblock], None]] = []
        self.load_radius = load_radius
        self.keep_radius = max(load_radius, keep_radius)
        self.center = 0
        self._alone = False

    def load(self, cell_id: int, place: Vec3 | None = None) -> None:
        """Make the landblock of a cell and its neighbours resident."""
        block = self.world.load_block(cell_id)
        if block is None or not block.stands_alone(cell_id):
            self.world.load_around(cell_id, self.load_radius)

    def approach(self, cell_id: int) -> bool:
        """Load, and say that it is done."""
        self.load(cell_id)
        return True

    def reach(self, radius: int, horizon: int) -> None:
        """Nothing: how much is kept was settled when it was made."""

    def ready(self, cell_id: int, a: Vec3, b: Vec3, reach: float) -> bool:
        """True: nothing is ever on its way."""
        return True

    def pump(self) -> None:
        """Nothing: what is to be there is."""

    def saved(self) -> SavedBlocks:
        """All that is loaded."""
        return SavedBlocks(self.center, self._alone, tuple(self.world.blocks))

    def restore(self, saved: SavedBlocks, cell_id: int) -> None:
        """Load what was loaded and nothing else."""
        for block_id in [b for b in self.world.blocks if b not in saved.blocks]:
            self.world.unload_block(block_id)
        for block_id in saved.blocks:
            self.world.load_block(block_id)
        self.center, self._alone = saved.center, saved.alone

    def visit(self, cell_id: int) -> None:
        """The body is in a cell: load around it and drop what is far, when it has come from elsewhere.

        Elsewhere is another landblock, or the rooms of a dungeon for one that is now on the land.
        """
        block_id = block_of(cell_id)
        if block_id == self.center and not self._alone:
            return
        self.center = block_id
        self.load(cell_id)
        block = self.world.blocks.get(block_id)
        self._alone = block is not None and block.stands_alone(cell_id)
        for other in [b for b in self.world.blocks if block_steps(b, block_id) > self.keep_radius]:
            self.world.unload_block(other)


class SparingResidency(Residency):
    """For a body that is put down to look and not to walk: loads what it may touch, for others to load more.

    A neighbour is left out where its outline tells that nothing of it comes near the place.
    """

    __slots__ = ("_outlines", "_put")

    def __init__(self, world: World, outlines: Outlines) -> None:
        super().__init__(world)
        self._outlines = outlines
        self._put: tuple[int, Vec3] | None = None

    def load(self, cell_id: int, place: Vec3 | None = None) -> None:
        """Make the landblock of a cell resident, and of its neighbours those that come near the place.

        Without a place that is the last one; all neighbours where the last one lies in another landblock.
        """
        if place is not None:
            self._put = (block_of(cell_id), place)
        block = self.world.load_block(cell_id)
        if block is not None and block.stands_alone(cell_id):
            return
        for block_id in blocks_around(cell_id, self.load_radius):
            if not self._is_far(block_id, block_of(cell_id)):
                self.world.load_block(block_id)

    def _is_far(self, block_id: int, home: int) -> bool:
        if self._put is None or self._put[0] != home:
            return False
        outline = self._outlines.of(block_id)
        return outline is not None and not _comes_near(outline, rebase(self._put[1], home, block_id))


def _comes_near(box: Box, place: Vec3) -> bool:
    """Whether a box comes near the upright line through a place."""
    x, y, _ = place
    return box.ax - TOUCHED <= x <= box.bx + TOUCHED and box.ay - TOUCHED <= y <= box.by + TOUCHED
