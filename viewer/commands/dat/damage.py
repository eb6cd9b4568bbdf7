"""What the ``dat`` commands say of damage that they pass over: the first of each file, and how many more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from engine.dat.errors import DatError
from viewer.terminal import say

FEW: Final = 3  # lines for each file


class Damage:
    """Says on stderr what is damaged, all of it where ``verbose``; the rest is counted as the block ends.

    ``before`` is called before a line.
    """

    def __init__(self, *, verbose: bool) -> None:
        self.verbose = verbose
        self._counts: Counter[str] = Counter()
        self.before: Callable[[], None] = lambda: None

    @property
    def any(self) -> bool:
        """Whether there was any."""
        return bool(self._counts)

    def __call__(self, error: DatError) -> None:
        """Hear of a damaged part."""
        self._counts[error.file] += 1
        if self.verbose or self._counts[error.file] <= FEW:
            self.before()
            say(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file, count in self._counts.items() if kind is None and not self.verbose else ():
            if count > FEW:
                say(f"{file}: and {count - FEW} more that are damaged, which --verbose shows")
