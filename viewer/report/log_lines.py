"""What was said to the user, kept to be read again: messages, complaints, everything that went to stderr."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Final

from viewer.report.wanted_words import wanted_words

MOST: Final = 2000  # lines that are kept
MOST_TOLD: Final = 20  # of them in a line of the report


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line: seconds since the log began, and whether it went to stderr."""

    seconds: float
    text: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class LogReport:
    """The lines that are kept, oldest first; ``wanted`` is what those that are shown hold."""

    lines: tuple[LogLine, ...] = ()
    wanted: str = ""

    @property
    def shown(self) -> tuple[LogLine, ...]:
        """The lines in which all words of the filter stand."""
        words = wanted_words(self.wanted)
        if not words:
            return self.lines
        return tuple(line for line in self.lines if all(word in line.text.lower() for word in words))

    def to_json(self) -> dict[str, list[str]]:
        """What a line of ``--report`` has of it: the last lines."""
        return {"lines": [line.text for line in self.lines[-MOST_TOLD:]]}


class Log:
    """Keeps lines; any thread may add one."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._lines: deque[LogLine] = deque(maxlen=MOST)
        self._partial = ""
        self._report: LogReport | None = None
        self._wanted = ""

    def add(self, text: str, *, is_error: bool = False) -> None:
        """Keep a line; one that says the same as the line before says nothing new."""
        if not text or (self._lines and self._lines[-1].text == text):
            return
        self._lines.append(LogLine(time.monotonic() - self._begin, text, is_error))
        self._report = None

    def hear(self, written: str) -> None:
        """Take in what is written to stderr, whole lines of it."""
        *lines, self._partial = (self._partial + written).split("\n")
        for line in lines:
            self.add(line.removeprefix("holtwalk: "), is_error=True)

    def want(self, text: str) -> None:
        """Show the lines alone that hold a text."""
        self._wanted, self._report = text, None

    def report(self) -> LogReport:
        """What is kept."""
        if self._report is None:
            self._report = LogReport(tuple(self._lines), self._wanted)
        return self._report
