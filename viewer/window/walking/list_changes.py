"""What came into the visible list and what left it, kept for as long as an eye needs to read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

KEPT: Final = 1.5  # seconds that a change is told


class ListChanges:
    """The changes of the last ``KEPT`` seconds of frames; time that stands still in the world goes on here.

    A cell is told once, by what happened to it last. The first list brings nothing: there was none before.
    """

    def __init__(self) -> None:
        self._listed: frozenset[int] | None = None
        self._came: dict[int, float] = {}
        self._went: dict[int, float] = {}

    def let_pass(self, seconds: float) -> None:
        """Forget what has been told for long enough."""
        for told in (self._came, self._went):
            for cell in tuple(told):
                told[cell] -= seconds
                if told[cell] <= 0.0:
                    del told[cell]

    def forget(self) -> None:
        """Time jumped: what is listed next has nothing before it."""
        self._listed = None
        self._came.clear()
        self._went.clear()

    def look(self, cells: Iterable[int]) -> None:
        """See the cells that a frame lists."""
        now, before = frozenset(cells), self._listed
        self._listed = now
        if before is None:
            return
        for cell in now - before:
            self._came[cell] = KEPT
            self._went.pop(cell, None)
        for cell in before - now:
            self._went[cell] = KEPT
            self._came.pop(cell, None)

    @property
    def came(self) -> tuple[int, ...]:
        """The cells that came, in the order of their numbers."""
        return tuple(sorted(self._came))

    @property
    def went(self) -> tuple[int, ...]:
        """The cells that went, in the order of their numbers."""
        return tuple(sorted(self._went))
