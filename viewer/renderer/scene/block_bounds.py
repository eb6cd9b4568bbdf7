"""How far a landblock reaches as it is drawn outdoors: a sphere around all that stands there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from engine.dat.values import Vec3
from engine.world.cells import Landblock
from engine.world.ids import block_offset
from engine.world.models import Model

_MARKER = 1.0  # metres: what stands for a missing model reaches less far


class BlockBounds:
    """The spheres of landblocks, each worked out once as long as it is asked for."""

    def __init__(self, model_of: Callable[[int], Model | None]) -> None:
        self._model_of = model_of
        self._spheres: dict[int, tuple[Landblock, Vec3, float]] = {}
        self._reaches: dict[int, float] = {}

    def sphere(self, block: Landblock) -> tuple[Vec3, float]:
        """A sphere around a landblock's buildings and statics, in its frame, metres; of radius 0 for none.

        What stands indoors counts, too: it may reach out through an exit. Moving things don't.
        """
        found = self._spheres.get(block.id)
        if found is None or found[0] is not block:
            found = self._spheres[block.id] = (block, *_around(list(self._standing(block))))
        return found[1:]

    def keep(self, block_ids: set[int]) -> None:
        """Forget all landblocks but these."""
        for block_id in [block_id for block_id in self._spheres if block_id not in block_ids]:
            del self._spheres[block_id]

    def _standing(self, block: Landblock) -> Iterator[tuple[Vec3, float]]:
        """Where things have their origins, and how far they reach from there."""
        for building in block.buildings:
            yield building.pos.frame.origin, self._reach(building.model_id)
        for thing in block.statics:
            (x, y, z), (dx, dy, dz) = thing.frame.origin, block_offset(block.id, thing.cell_id)
            yield (x + dx, y + dy, z + dz), self._reach(thing.model_id) * abs(thing.scale)

    def _reach(self, model_id: int) -> float:
        found = self._reaches.get(model_id)
        if found is None:
            model = self._model_of(model_id)
            found = self._reaches[model_id] = max(_MARKER, model.reach() if model is not None else 0.0)
        return found


def _around(spheres: list[tuple[Vec3, float]]) -> tuple[Vec3, float]:
    if not spheres:
        return (0.0, 0.0, 0.0), 0.0
    low = [min(place[k] - reach for place, reach in spheres) for k in range(3)]
    high = [max(place[k] + reach for place, reach in spheres) for k in range(3)]
    middle = ((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, (low[2] + high[2]) / 2.0)
    return middle, math.dist(middle, high)
