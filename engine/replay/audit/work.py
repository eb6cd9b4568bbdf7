"""How much work a question of an audit may be, so that no landblock takes for ever."""

from __future__ import annotations


class TooMuchWorkError(Exception):
    """What is asked of a cell is more work than there is time for."""


class Work:
    """What is left of the work that a landblock may be, and each of its cells.

    It is counted in what the question goes through, never in time: the same is left out on every machine.
    """

    __slots__ = ("_left", "_left_of_cell", "_of_cell")

    def __init__(self, most: int, most_of_cell: int) -> None:
        self._left = most
        self._of_cell = self._left_of_cell = most_of_cell

    def begin_cell(self) -> None:
        """Count anew for the next cell."""
        self._left_of_cell = self._of_cell

    def take(self, count: int) -> None:
        """Count some; raises TooMuchWorkError where that is too much."""
        self._left -= count
        self._left_of_cell -= count
        if min(self._left, self._left_of_cell) < 0:
            raise TooMuchWorkError
