"""What a window says on stderr of what is found wrong with the world, as it is found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from engine.world.loading.world import World
from viewer.terminal import say

FEW: Final = 3  # lines of a kind
_NUMBERS: Final = re.compile(r"0x[0-9A-Fa-f]+|\d+")


class ProblemLog:
    """Says on stderr, once and one line each, what is found wrong from now on.

    Of lines that differ by their numbers alone, as those of a file that is lost, only the first few are said
    unless ``verbose``, and how many more there are: once they stop coming, then whenever they are twice as
    many, and at last. ``unsaid`` hears those that are only counted.
    """

    def __init__(self, world: World, *, verbose: bool = False) -> None:
        self.unsaid: Callable[[str], object] = lambda _: None
        self._problems = world.problems
        self._lines = world.problems.lines
        self._seen, self._unkept = world.problems.mark()
        self._verbose = verbose
        self._counts: Counter[str] = Counter()
        self._told: dict[str, tuple[str, int]] = {}  # of each kind its last line said, and how many are told

    def say_new(self) -> None:
        """Say what has come since."""
        if self._seen == len(self._lines):
            for kind in self._untold():
                told = self._told[kind][1]
                if told == FEW or self._counts[kind] >= 2 * told:
                    self._count(kind)
            return
        while self._seen < len(self._lines):
            self._hear(self._lines[self._seen])
            self._seen += 1

    @contextmanager
    def until_end(self) -> Iterator[None]:
        """Say at the end what was not said before."""
        try:
            yield
        finally:
            self.say_new()
            for kind in self._untold():
                self._count(kind)
            for line in self._problems.since((self._seen, self._unkept)):
                say(line)

    def _hear(self, line: str) -> None:
        kind = _NUMBERS.sub("0", line)
        self._counts[kind] += 1
        if self._verbose or self._counts[kind] <= FEW:
            say(line)
            self._told[kind] = (line, self._counts[kind])
        else:
            self.unsaid(line)

    def _untold(self) -> list[str]:
        return [kind for kind, (_, told) in self._told.items() if self._counts[kind] > told]

    def _count(self, kind: str) -> None:
        line, told = self._told[kind]
        say(f"{self._counts[kind] - told} more like this, which --verbose shows: {line}")
        self._told[kind] = (line, self._counts[kind])
