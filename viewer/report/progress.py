"""How far long work is and how long it will take: a line on stderr, on a terminal or where asked for.

Work that is seldom long says it once it has been silent for a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from viewer.terminal import is_terminal, say, say_over

if TYPE_CHECKING:
    from engine.replay.jobs.process_pool import Tell

ON_TERMINAL: Final = 0.25  # seconds between two states of the line
ENOUGH: Final = 0.5  # seconds of work by which the time that is left can be told
CRUMB: Final = 0.002  # of the whole: by less it can't, as work is slow to begin
IN_LINES: Final = 2.0  # seconds between two lines where they stay
QUIET: Final = 5.0  # seconds of silence until work that is seldom long says how far it is
PAUSE: Final = 2.0  # seconds of something else, after which it has QUIET anew
Clock = Callable[[], float]


class Progress:
    """Says it at once, and from then on now and then; ``total`` is the weight of all pieces, once known.

    What it hears of first was done by an earlier run, and the clock by which it tells the time that is left
    runs from when more is done: processes have to begin. It says so as soon as there is enough to go by. With
    ``quiet`` it says nothing for so many seconds.
    """

    def __init__(self, what: str, *, asked: bool, quiet: float = 0.0, clock: Clock = time.monotonic) -> None:
        self._what = what
        self.total = 0.0
        self._terminal = is_terminal()
        self._on = asked or self._terminal
        self._clock = clock
        self._next = clock()
        self._kept: float | None = None
        self._from: tuple[float, float] | None = None  # so much was done at that time
        self._shown = False
        self._owes_time = not quiet
        if quiet:
            self._from = 0.0, self._next  # all of it is from this run
            self.hush(quiet)
        else:
            self(0.0, "")

    def __call__(self, done: float, key: str, *, at_once: bool = False) -> None:
        """So much is done, the piece last heard of is ``key``."""
        now = self._clock()
        if self.total and self._kept is None:
            self._kept = done
        if self._from is None and done > (self._kept or 0.0):
            self._from = done, now
        left = self._left(done, now)
        is_time = now >= self._next or at_once or (self._owes_time and left is not None)
        if not self._on or not is_time:
            return
        self._next = now + (ON_TERMINAL if self._terminal else IN_LINES)
        self._owes_time = self._owes_time and left is None
        text = self._text(done, key, left)
        if self._terminal:
            say_over(text)
            self._shown = True
        else:
            say(text)

    def hush(self, seconds: float) -> None:
        """Say nothing for so long from now."""
        self._next = self._clock() + seconds

    def go_on_with(self, what: str, began: float) -> None:
        """Tell of other work from now on, which began at a time of the clock."""
        self._what, self._from = what, (0.0, began)

    def share(self, key: str) -> Tell:
        """Who hears what share of a single piece is done."""
        return lambda share: self(share * self.total, key)

    def make_way(self) -> None:
        """Take the line from the terminal, for something else to be printed."""
        if self._shown:
            say_over("")
            self._shown = False

    def _left(self, done: float, now: float) -> float | None:
        """How many seconds it will still take; None as long as there is too little to go by."""
        before, since = self._from or (done, now)
        too_little = done - before <= CRUMB * self.total or now - since < ENOUGH
        if too_little or done >= self.total:
            return None
        return (self.total - done) * (now - since) / (done - before)

    def _text(self, done: float, key: str, left: float | None) -> str:
        share = min(1.0, done / self.total) if self.total else 0.0
        text = f"{self._what}: {share:.1%}"
        if left is not None:
            text += f", {duration(left)} left"
        return f"{text}, at {key}" if key else text


class PartsTold:
    """Says how far the parts of a command's work are where they take long.

    Of a part within another one it is said only where that one alone takes long.
    """

    def __init__(self, command: str, *, clock: Clock = time.monotonic) -> None:
        self._command = command
        self._clock = clock
        self._began: dict[str, float] = {}
        self._last = clock()
        self._progress = Progress(command, asked=True, quiet=QUIET, clock=clock)
        self._progress.total = 1.0

    def __call__(self, part: str, share: float) -> None:
        """So much of a part, 0 to 1, is done."""
        now = self._clock()
        if not self._began and now - self._last > PAUSE:
            self._progress.hush(QUIET)
        self._last = now
        if share == 0.0:
            self._began[part] = now
        began = self._began.setdefault(part, now)
        within_another = next(iter(self._began)) != part
        if share >= 1.0:
            del self._began[part]
        if within_another and now - began < QUIET:
            return
        self._progress.go_on_with(f"{self._command}: {part}", began)
        self._progress(share, "")
        if share >= 1.0:
            self._progress.make_way()

    def make_way(self) -> None:
        """Take the line from the terminal, for something else to be printed: that ends the silence, too."""
        self._progress.make_way()
        self._progress.hush(QUIET)


def duration(seconds: float) -> str:
    """A time as one says it: 40 s, 12 min, 3 h 20 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60.0)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
