"""The line under the picture that says for a while what came of something."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 5.0  # a line is shown at least
SIGHT, LETTER, MOST = 2.0, 0.05, 15.0  # seconds: to see that there is a line, to read a letter of it, at most


def reading_time(text: str) -> float:
    """For how many seconds a line is shown: a long one, with a path and a command in it, is read longer."""
    return min(MOST, max(SECONDS, SIGHT + LETTER * len(text)))


def _always() -> bool:
    return True


class Message:
    """What was said last, for as long as it is read; ``heard`` is told of it all, ``clock`` has seconds.

    ``holding`` tells of a line until when it holds, whoever says it.
    """

    def __init__(
        self,
        heard: Callable[[str], object] = lambda _: None,
        clock: Callable[[], float] = time.perf_counter,
        holding: Callable[[str], Callable[[], bool]] = lambda _: _always,
    ) -> None:
        self._heard = heard
        self._clock = clock
        self._holding = holding
        self._text = ""
        self._until: float | None = 0.0
        self._holds = _always

    def say(self, text: str) -> None:
        """Show a line, while it holds."""
        text = text.encode("utf-8", "backslashreplace").decode()  # a file's name need not be UTF-8
        self._heard(text)
        self._holds = self._holding(text)
        self._text, self._until = text, None

    @property
    def shown(self) -> str:
        """The line that is shown now, empty for none; its time begins when it is first asked for.

        What came of long work is said within the frame that did the work, which nobody has seen yet.
        """
        now = self._clock()
        if self._until is None:
            self._until = now + reading_time(self._text)
        return self._text if now < self._until and self._holds() else ""
