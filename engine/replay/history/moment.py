"""What a history keeps: ticks as they ended, what is staged after one, and ticks that were left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.physics.enums import REFUSED_NOT_READY
from engine.physics.simulation.inputs import TICKS, Input
from engine.physics.simulation.saved import SavedSimulation
from engine.physics.simulation.tick_report import TickReport


class Keeper(Protocol):
    """Something that goes along with a simulation, and back with it."""

    def save(self) -> object:
        """What it is now; never changed later."""

    def restore(self, saved: object) -> None:
        """Be that again."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of a tick: what it was told, what came of it, and all that is needed to go on from there.

    ``told`` came since the end of the tick before; ``waited`` says that the world was still on its way.
    ``kept`` are the keepers' states, in their order; ``size`` is in bytes, about.
    """

    saved: SavedSimulation
    told: tuple[Input, ...]
    report: TickReport
    kept: tuple[object, ...]
    marks: tuple[str, ...]
    size: int

    @property
    def tick(self) -> int:
        """Its number."""
        return self.saved.tick.tick

    @property
    def can_be_told(self) -> bool:
        """Whether an input made it: no input leads to a tick that the simulation was put at."""
        return any(isinstance(told, TICKS) for told in self.told)

    @property
    def waited(self) -> bool:
        """Whether the tick was refused because the world was on its way."""
        return self.report.refused_by == REFUSED_NOT_READY


@dataclass(frozen=True, slots=True)
class Staged:
    """A tick as it ended, and all that was ``told`` since while time stood still: what is now.

    ``kept`` are the keepers' states, in their order.
    """

    shown: int
    saved: SavedSimulation
    told: tuple[Input, ...]
    kept: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Ticks that were left when somebody went on from an earlier one, ``fork``.

    ``left`` is the last one as it was left, None where nobody was there.
    """

    fork: int
    moments: tuple[Moment, ...]
    left: Staged | None = None
