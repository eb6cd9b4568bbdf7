"""The client's generator, to compare the order of draws with the reference (particles 4.1)."""

_FIRST_MODULUS = 2147483563
_SECOND_MODULUS = 2147483399
_ENTRIES = 32
_PER_ENTRY = 67108862
_WARM_UP = 8
_MOST = 0.9999999


class Draws:
    """``ran2`` of Numerical Recipes."""

    def __init__(self, seed):
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

    def next(self):
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
