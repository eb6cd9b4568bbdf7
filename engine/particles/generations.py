"""One object's effects as they are at a tick, whenever one began to look.

What scripts and emitters have done depends on all that went before, so two pictures of one moment would
differ by how long each had been at it. Here an object's scripts begin anew every GENERATION ticks, unseen: a
generation warms up for that long, then bears what is seen for as long, and then only lets its particles live
out. So a moment is known from three generations, and no seam shows between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from engine.named_tuple import NamedTuple
from engine.particles.owner import Owner
from engine.world.frame import Frame

TICKS_PER_SECOND: Final = 30
QUANTUM: Final = 1.0 / TICKS_PER_SECOND
"""Seconds between two ticks."""
GENERATION: Final = 8 * TICKS_PER_SECOND
"""Ticks that a generation is unseen, then bears, then lives out."""
_SLACK: Final = 1e-6


class TickAt(NamedTuple):
    """The last tick at a time, and whether the time is ``between`` that and the next."""

    tick: int
    between: bool

    @classmethod
    def of(cls, now: float) -> TickAt:
        """At a time in seconds."""
        ticks = now * TICKS_PER_SECOND
        tick = math.floor(ticks + _SLACK)
        return cls(tick, between=ticks - tick > _SLACK)


class Generations:
    """The generations of one object; ``make`` makes an owner of a number with its script begun at a time."""

    def __init__(self, make: Callable[[int, float], Owner], *, static: bool) -> None:
        self._make = make
        self._static = static
        self.owners: dict[int, Owner] = {}
        self.tick: int | None = None

    @property
    def is_behind(self) -> bool:
        """Whether nothing has been worked out yet."""
        return self.tick is None

    def reach(self, tick: int) -> None:
        """Go on to a tick; from nothing that is three generations' work, from there a tick's."""
        if self.tick is None or not self.tick <= tick <= self.tick + GENERATION:
            self._begin(tick)
            return
        for t in range(self.tick + 1, tick + 1):
            if t % GENERATION == 0:
                self._follow(t // GENERATION)
            for number, owner in self.owners.items():
                if number <= t // GENERATION or t % GENERATION:
                    self._tick(owner, t)
        self.tick = tick

    def place(self, cell_id: int, frame: Frame, parts: tuple[Frame, ...]) -> None:
        """The object has moved."""
        for owner in self.owners.values():
            owner.place(cell_id, frame, parts)

    def seen_from(self, number: int) -> float:
        """The time of the first births of a generation that are seen, seconds."""
        return number * GENERATION * QUANTUM

    def close(self) -> None:
        """The object is gone."""
        for owner in self.owners.values():
            owner.close()
        self.owners.clear()
        self.tick = None

    def _begin(self, tick: int) -> None:
        self.close()
        last = tick // GENERATION
        for number in (last - 1, last, last + 1):
            first = (number - 1) * GENERATION
            owner = self._warm_up(number)
            owner.unseen_until = tick * QUANTUM
            t, end = first + 1, (number + 1) * GENERATION
            while t <= tick:
                if t == end:
                    _end_births(owner)
                self._tick(owner, t)
                t = owner.live_through(range(t + 1, max(t + 1, min(tick, end) if t < end else tick)), QUANTUM)
        self.tick = tick

    def _follow(self, number: int) -> None:
        """A generation begins to be seen: the one before it bears no more, another begins to warm up."""
        gone = self.owners.pop(number - 2, None)
        if gone is not None:
            gone.close()
        _end_births(self.owners[number - 1])
        self._warm_up(number + 1)

    def _warm_up(self, number: int) -> Owner:
        """A generation begins, unseen: what it bears until it is seen takes its chances, but no row."""
        owner = self.owners[number] = self._make(number, self.seen_from(number - 1))
        owner.shown_from = self.seen_from(number)
        return owner

    def _tick(self, owner: Owner, tick: int) -> None:
        owner.tick(tick * QUANTUM, _always if owner.cell_id else _never, static=self._static)


def _end_births(owner: Owner) -> None:
    owner.end_scripts()
    owner.end_animation()
    for emitter in owner.emitters.values():
        emitter.stop()


def _always(_: object) -> bool:
    return True


def _never(_: object) -> bool:
    return False
