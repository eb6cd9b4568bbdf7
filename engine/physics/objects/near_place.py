"""Which statics somebody may meet who is put down at a place, only to look from there."""

from __future__ import annotations

import math
from typing import Final

from engine.world.cells import PlacedObject
from engine.world.frame import Position
from engine.world.ids import BLOCK_SIDE, block_xy
from engine.world.loading.world import World

TOUCHED: Final = 12.0
"""Metres: farther than a body that is put down is moved, and its camera behind it."""
VAST: Final = 1000.0  # metres: what reaches so far is told of where it is cut off (objects 8.2)


class NearPlace:
    """Tells of the statics of a world whether anything of them comes near a place, at any height."""

    __slots__ = ("_reaches", "_world", "_x", "_y")

    def __init__(self, world: World, place: Position) -> None:
        self._world = world
        self._x, self._y = _on_map(place.cell_id, place.frame.origin)
        self._reaches: dict[int, float] = {}

    def may_meet(self, placed: PlacedObject) -> bool:
        """Whether a static may be met there; True of one that moves as well, whose place is asked for."""
        reach = self._reaches.get(placed.model_id)
        if reach is None:
            model = self._world.model(placed.model_id)
            reach = math.inf if model is None or model.is_animated else model.reach()
            self._reaches[placed.model_id] = reach
        reach *= abs(placed.scale)
        x, y = _on_map(placed.cell_id, placed.frame.origin)
        return reach > VAST or math.hypot(x - self._x, y - self._y) <= reach + TOUCHED


def _on_map(cell_id: int, place: tuple[float, float, float]) -> tuple[float, float]:
    """A place of a cell's landblock, in metres from the map's south-west corner."""
    bx, by = block_xy(cell_id)
    return bx * BLOCK_SIDE + place[0], by * BLOCK_SIDE + place[1]
