"""What was made of an object last: for parts of a report that tell the same for several frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Source = TypeVar("Source")
Made = TypeVar("Made")


class LastMade(Generic[Source, Made]):
    """Makes something of an object that never changes, anew only for another object than the last."""

    __slots__ = ("_last", "_make")

    def __init__(self, make: Callable[[Source], Made]) -> None:
        self._make = make
        self._last: tuple[Source, Made] | None = None

    def of(self, source: Source) -> Made:
        """What is made of this."""
        last = self._last
        if last is None or last[0] is not source:
            last = self._last = (source, self._make(source))
        return last[1]
