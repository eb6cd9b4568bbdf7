"""What is worked out of a record once, however often it is asked for.

Records are told apart by being the same object: to compare or hash a long one takes as long as to read it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

Record = TypeVar("Record")
Made = TypeVar("Made")
MOST: Final = 1024


class MadeOnce(Generic[Record, Made]):
    """What ``make`` makes of each record; the ``most`` that came last are remembered, and their records."""

    def __init__(self, make: Callable[[Record], Made], most: int = MOST) -> None:
        self._make = make
        self._most = most
        self._known: dict[int, tuple[Record, Made]] = {}

    def __call__(self, record: Record) -> Made:
        """What was made of a record, or is now."""
        known = self._known.get(id(record))
        if known is None or known[0] is not record:
            if len(self._known) >= self._most:
                self._known.pop(next(iter(self._known), 0), None)
            known = self._known[id(record)] = (record, self._make(record))
        return known[1]
