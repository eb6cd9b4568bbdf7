"""How far long work is and how long it will take: a line on stderr, on a terminal or where asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from engine.replay.jobs.process_pool import Tell
from viewer.terminal import is_terminal, say, say_over

ON_TERMINAL: Final = 0.25  # seconds between two states of the line
IN_LINES: Final = 2.0  # seconds between two lines where they stay
Clock = Callable[[], float]


class Progress:
    """Says it at once, and from then on now and then; ``total`` is the weight of all pieces, once known."""

    def __init__(self, what: str, *, asked: bool, clock: Clock = time.monotonic) -> None:
        self._what = what
        self.total = 0.0
        self._terminal = is_terminal()
        self._on = asked or self._terminal
        self._clock = clock
        self._began = self._next = clock()
        self._first: float | None = None
        self._shown = False
        self(0.0, "")

    def __call__(self, done: float, key: str, *, at_once: bool = False) -> None:
        """So much is done, the piece last heard of is ``key``."""
        now = self._clock()
        if not self._on or (now < self._next and not at_once):
            return
        self._next = now + (ON_TERMINAL if self._terminal else IN_LINES)
        if done and self._first is None:
            self._first = done  # what was kept from an earlier run took no time
        text = self._text(done, key, now - self._began)
        if self._terminal:
            say_over(text)
            self._shown = True
        else:
            say(text)

    def share(self, key: str) -> Tell:
        """Who hears what share of a single piece is done."""
        return lambda share: self(share * self.total, key)

    def make_way(self) -> None:
        """Take the line from the terminal, for something else to be printed."""
        if self._shown:
            say_over("")
            self._shown = False

    def _text(self, done: float, key: str, seconds: float) -> str:
        share = min(1.0, done / self.total) if self.total else 0.0
        text = f"{self._what}: {share:.1%}"
        gained = done - (self._first or 0.0)
        if gained > 0.0 and seconds > 0.0 and share < 1.0:
            text += f", {duration((self.total - done) * seconds / gained)} left"
        return f"{text}, at {key}" if key else text


def duration(seconds: float) -> str:
    """A time as one says it: 40 s, 12 min, 3 h 20 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60.0)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
