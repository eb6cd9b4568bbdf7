"""Random numbers that come again: the client's generator (particles 4.1)."""

from __future__ import annotations

from typing import Final

_FIRST_MODULUS: Final = 2147483563
_SECOND_MODULUS: Final = 2147483399
_ENTRIES: Final = 32
_PER_ENTRY: Final = 67108862
_WARM_UP: Final = 8
_MOST: Final = 0.9999999


class Draws:
    """A stream of numbers from 0 to below 1 that a seed decides: ``ran2`` of Numerical Recipes."""

    def __init__(self, seed: int) -> None:
        first = seed % _FIRST_MODULUS or 1
        self._second = first
        table = [0] * _ENTRIES
        for place in range(_ENTRIES + _WARM_UP - 1, -1, -1):
            first = 40014 * first % _FIRST_MODULUS
            if place < _ENTRIES:
                table[place] = first
        self._first = first
        self._table = table
        self._last = table[0]

    def next(self) -> float:
        """The next number."""
        self._first = 40014 * self._first % _FIRST_MODULUS
        self._second = 40692 * self._second % _SECOND_MODULUS
        place = self._last // _PER_ENTRY
        last = self._table[place] - self._second
        self._table[place] = self._first
        if last < 1:
            last += _FIRST_MODULUS - 1
        self._last = last
        drawn = last / _FIRST_MODULUS
        return drawn if drawn < _MOST else _MOST
