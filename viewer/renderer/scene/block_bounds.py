"""How far a landblock and what stands in it reach, and what of it a picture may show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.world.cells import Landblock
from engine.world.ids import block_offset

if TYPE_CHECKING:
    from viewer.renderer.scene.sight import Sight

Reach = Callable[[int], float]
"""How far a model reaches from its origin at scale 1, metres."""


class BlockBounds:
    """The spheres of landblocks, each worked out once as long as it is asked for."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._spheres: dict[int, tuple[Landblock, Vec3, float]] = {}

    def sphere(self, block: Landblock) -> tuple[Vec3, float]:
        """A sphere around a landblock's buildings and statics, in its frame, metres; of radius 0 for none.

        What stands indoors counts, too: it may reach out through an exit. Moving things don't.
        """
        found = self._spheres.get(block.id)
        if found is None or found[0] is not block:
            found = self._spheres[block.id] = (block, *_around(list(_standing(block, self._reach))))
        return found[1:]

    def keep(self, block_ids: set[int]) -> None:
        """Forget all landblocks but these."""
        for block_id in [block_id for block_id in self._spheres if block_id not in block_ids]:
            del self._spheres[block_id]


class Chosen:
    """Which rooms, buildings and statics of a landblock are made: all, or ``only`` what a sight may show.

    ``buildings`` and ``statics`` say it of each by its place in the landblock's list; of what stands indoors,
    whether it shows if it reaches outdoors.
    """

    def __init__(self, block: Landblock, reach: Reach, only: Sight | None) -> None:
        self._block_id = block.id
        self._no_rooms: set[int] = set()
        self._centers, self._radii = np.zeros((0, 3)), np.zeros(0)
        shown = np.ones(len(block.buildings) + len(block.statics), bool)
        if only is not None and len(shown):
            centers, radii = map(np.array, zip(*_standing(block, reach), strict=True))
            shown = only.sees_each(block.id, centers, radii)
            self._centers, self._radii = centers[~shown], radii[~shown]
        if only is not None:
            self._no_rooms = block.env_cells.keys() - only.rooms
        self.is_all = only is None
        self.buildings: list[bool] = shown[: len(block.buildings)].tolist()
        self.statics: list[bool] = shown[len(block.buildings) :].tolist()

    def has_room(self, cell_id: int) -> bool:
        """Whether a cell is made."""
        return cell_id not in self._no_rooms

    def lacks(self, sight: Sight | None) -> bool:
        """Whether a sight, or None for all there is, may show something that is left out."""
        if not self._no_rooms and not len(self._radii):
            return False
        if sight is None or not self._no_rooms.isdisjoint(sight.rooms):
            return True
        return bool(sight.sees_each(self._block_id, self._centers, self._radii).any())


def _standing(block: Landblock, reach: Reach) -> Iterator[tuple[Vec3, float]]:
    """Where buildings, then statics, have their origins, and how far they reach from there."""
    for building in block.buildings:
        yield building.pos.frame.origin, reach(building.model_id)
    for thing in block.statics:
        (x, y, z), (dx, dy, dz) = thing.frame.origin, block_offset(block.id, thing.cell_id)
        yield (x + dx, y + dy, z + dz), reach(thing.model_id) * abs(thing.scale)


def _around(spheres: list[tuple[Vec3, float]]) -> tuple[Vec3, float]:
    if not spheres:
        return (0.0, 0.0, 0.0), 0.0
    low = [min(place[k] - reach for place, reach in spheres) for k in range(3)]
    high = [max(place[k] + reach for place, reach in spheres) for k in range(3)]
    middle = ((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, (low[2] + high[2]) / 2.0)
    return middle, math.dist(middle, high)
