"""Why the body is in its cell: the last sweep that moved it, kept while it stands or is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.static_comparison import LookUp, StaticComparison
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.trace import SubStep
from engine.world.ids import rebase

ELSEWHERE: Final = 0.01  # metres between the end of a tick and the start of the next: the body was put there


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last sweep that moved the body.

    ``tick`` is when it was and ``cell`` what it came to, ``before`` the cell that it began in. ``steps`` are
    its sub-steps with the cells that were candidates, which held the foot sphere's centre, which was picked
    and what each neighbour answered. ``since`` ticks have passed, ``refused`` of them with a refused sweep.
    ``lookup`` is what a static look-up said of that tick, None where none was made.
    """

    tick: int
    cell: int
    before: int
    steps: tuple[SubStep, ...]
    lookup: LookUp | None = None
    since: int = 0
    refused: int = 0

    @property
    def title(self) -> str:
        """In one line: which sweep it is and what has come since."""
        came = "stayed in" if self.before == self.cell else f"came from {hex_id(self.before)} to"
        many = "1 sub-step" if len(self.steps) == 1 else f"{len(self.steps)} sub-steps"
        title = f"last moved in tick {self.tick}, in {many}: {came} {hex_id(self.cell)}"
        if not self.since:
            return title
        refused = f", {self.refused} refused" if self.refused else ""
        return f"{title}; {self.since / TICKS_PER_SECOND:.1f} s ago ({self.since} ticks{refused})"

    @property
    def words(self) -> list[str]:
        """The title, every sub-step and what the static look-up said."""
        lines = [self.title, *(line for step in self.steps for line in step.lines())]
        return lines if self.lookup is None else [*lines, self.lookup.describe()]

    def to_json(self) -> dict[str, object]:
        """The form of ``last_move`` in a tick line; its sub-steps are in the trace of the tick it names."""
        return {
            "tick": self.tick,
            "cell": hex_id(self.cell),
            "before": hex_id(self.before),
            "since": self.since,
            "refused": self.refused,
            "static_lookup": None if self.lookup is None else self.lookup.to_json(),
        }


class LastMoveWatch:
    """Listens to the ticks of a simulation that traces; ``now`` is None before anything has moved.

    ``comparison`` must have listened before, so that it knows of a tick what is asked here.
    """

    __slots__ = ("_comparison", "_place", "now")

    def __init__(self, comparison: StaticComparison | None = None) -> None:
        self.now: LastMove | None = None
        self._comparison = comparison
        self._place: tuple[int, Vec3] | None = None

    def tick(self, report: TickReport) -> None:
        """Take in a tick's report."""
        steps = () if report.trace is None else tuple(report.trace.steps)
        if any(step.advanced for step in steps) and report.ok:
            lookup = None if self._comparison is None else self._comparison.last
            self.now = LastMove(
                tick=report.tick, cell=report.cell, before=steps[0].cell_id, steps=steps, lookup=lookup
            )
        elif self._was_put_elsewhere(report):
            self.now = None
        elif self.now is not None:
            refused = self.now.refused + (not report.ok)
            self.now = replace(self.now, since=self.now.since + 1, refused=refused)
        self._place = (report.cell, report.position)

    def arrived(self, report: TickReport) -> None:
        """The body was put somewhere: no sweep has moved it there."""
        self.now = None
        self._place = (report.cell, report.position)

    def save(self) -> object:
        """What it has seen so far."""
        return self.now, self._place

    def restore(self, saved: object) -> None:
        """Have seen that."""
        assert isinstance(saved, tuple)
        self.now, self._place = saved

    def _was_put_elsewhere(self, report: TickReport) -> bool:
        if self._place is None:
            return False
        cell, place = self._place
        return math.dist(report.position, rebase(place, cell, report.cell)) > ELSEWHERE
