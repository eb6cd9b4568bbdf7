"""What a static look-up would answer: the cell of a resting position, guessed afresh.

For comparison only (panels, ``cell``, ``sim --trace`` and ``audit``): no tick ever asks it, membership is
carried. A comparison listens to a simulation and counts how often the guess is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.membership.cell_list import point_in_cell
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.world.cell_graph import CellGraph
from engine.world.ids import adjust_to_outside, block_of, rebase
from engine.world.loading.world import World


def static_lookup(world: CellGraph, cell_id: int, point: Vec3, hints: Iterable[int]) -> int:
    """The id of the first hinted interior cell that holds a point, else of the landcell below; 0 for none.

    ``point`` is in the block frame of ``cell_id``; ``hints`` are the interior ids to look at, in order.
    """
    for hint in hints:
        cell = world.get_visible(hint)
        if cell is not None and not cell.is_outdoor:
            x, y, z = rebase(point, cell_id, cell.id)
            if point_in_cell(cell, x, y, z):
                return cell.id
    land_id, _ = adjust_to_outside(cell_id, point)
    return land_id if land_id and world.get_visible(land_id) is not None else 0


def search_order(world: World, cell_id: int) -> Iterable[int]:
    """The hints of an engine that knows nothing of the sweep: all interior cells of the block, by id."""
    block = world.blocks.get(block_of(cell_id))
    return () if block is None else block.env_cells


@dataclass(frozen=True, slots=True)
class LookUp:
    """One tick: the carried cell, the one a look-up finds (0 for none), how many were wrong so far."""

    tick: int
    carried: int
    found: int
    disagreements: int

    @property
    def disagrees(self) -> bool:
        """Whether the look-up is wrong about this tick."""
        return self.carried != self.found

    def describe(self) -> str:
        """One line on this tick."""
        found = hex_id(self.found) if self.found else "no cell"
        if not self.disagrees:
            return f"a static look-up agrees: {found}"
        return f"a static look-up would say {found} (disagreement {self.disagreements})"

    def to_json(self) -> dict[str, object]:
        """The form of a ``sim --trace`` line."""
        return {
            "cell": hex_id(self.found) if self.found else None,
            "disagrees": self.disagrees,
            "disagreements": self.disagreements,
        }


class StaticComparison:
    """Listens to a simulation: after every tick, what a static look-up of the foot centre would say.

    ``ticks`` were compared, ``last`` is the newest of them and None before the first.
    """

    __slots__ = ("_simulation", "disagreements", "last", "ticks")

    def __init__(self, simulation: Simulation) -> None:
        self.ticks = 0
        self.disagreements = 0
        self.last: LookUp | None = None
        self._simulation = simulation
        simulation.on_tick.append(self.tick)

    def close(self) -> None:
        """Stop listening."""
        self._simulation.on_tick.remove(self.tick)

    def save(self) -> object:
        """What it has counted so far."""
        return self.ticks, self.disagreements, self.last

    def restore(self, saved: object) -> None:
        """Have counted that."""
        assert isinstance(saved, tuple)
        self.ticks, self.disagreements, self.last = saved

    def describe(self) -> str:
        """One line on all ticks."""
        return f"a static look-up disagrees with the sweep in {self.disagreements} of {self.ticks} ticks"

    def tick(self, report: TickReport) -> None:
        """Take in a tick's report."""
        found = self._look_up(report)
        self.ticks += 1
        self.disagreements += found != report.cell
        self.last = LookUp(report.tick, report.cell, found, self.disagreements)

    def arrived(self, report: TickReport) -> None:
        """The body was put somewhere: the look-up is of there, and counts for no tick."""
        self.last = LookUp(report.tick, report.cell, self._look_up(report), self.disagreements)

    def _look_up(self, report: TickReport) -> int:
        simulation = self._simulation
        body = simulation.body
        foot = body.position.frame.to_global(body.movement_spheres[0].center)
        hints = search_order(simulation.world, report.cell)
        return static_lookup(simulation.world, report.cell, foot, hints)
