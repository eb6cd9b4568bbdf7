"""The interior cells near the body, nearest first: those that one may ask about without knowing their ids."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Final

from engine.physics.simulation.simulation import Simulation
from engine.world.ids import rebase
from viewer.asking.plan import Plan, PlanCell

REACH: Final = 96.0  # metres
MOST: Final = 24
ANEW: Final = 2.0  # metres that the body goes until they are looked for again


class NearCells:
    """Looks for the cells of one simulation; what it found holds until the body or the world moved on."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._plan = Plan(simulation)
        self._about: object = None
        self._found: tuple[int, ...] = ()

    def but(self, known: Container[int]) -> list[int]:
        """The nearest that are not among ``known``, so many at most."""
        position, world = self._simulation.position, self._simulation.world
        place = rebase(position.frame.origin, position.cell_id, 0)
        about = (world.version, *(round(c / ANEW) for c in place))
        if about != self._about:
            x, y, z = place
            box = (x - REACH, y - REACH, x + REACH, y + REACH)
            cells = self._plan.cells(z - REACH, z + REACH, box)
            far = sorted((_distance(cell, place), cell.cell) for cell in cells)
            self._found = tuple([cell for distance, cell in far if distance <= REACH])
            self._about = about
        return [cell for cell in self._found if cell not in known][:MOST]


def _distance(cell: PlanCell, place: tuple[float, float, float]) -> float:
    """How far a place is from a cell's bounds, metres."""
    x, y, z = place
    return math.hypot(
        max(cell.west - x, 0.0, x - cell.east),
        max(cell.south - y, 0.0, y - cell.north),
        max(cell.low - z, 0.0, z - cell.high),
    )
