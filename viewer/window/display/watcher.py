"""A program that ends another one that doesn't hear its interrupts (``unheard``).

Its words are that one's process and how many seconds after an interrupt it ends it, unless that one computes
still; on stdin come the numbers of the signals that it got, and the end of them when it is gone. While it
writes what its user would miss it says so, and is given more time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from select import select

WHILE = 1.0  # seconds, at most
MOST = 6  # whiles that one that computes is given: shaders on a cold cache, on a machine that is full
KEEPS, KEPT = b"\x00", b"\xff"  # numbers of no signal: files are written now, and are there
PATIENCE = {KEEPS: 20.0, KEPT: 4.0}  # seconds: for locks of others and slow disks; to end as usually
LITTLE = 0.03  # seconds of computing in a while: who waits for a display takes less


def watch(process: int, after: float) -> None:
    """Wait for an interrupt or the end of the other process; end it where it doesn't do so itself."""
    told = Told()
    if told.is_gone(until=None) or told.is_gone(until=time.monotonic() + after):
        return
    for _ in range(MOST):
        before = computed(process)
        if told.is_gone(until=time.monotonic() + min(WHILE, after)):
            return
        if computed(process) - before < LITTLE:
            break
    if os.getppid() == process:
        os.kill(process, signal.SIGKILL)


class Told:
    """What the other process tells, a byte at a time; ``patience`` is until when it is given more time."""

    def __init__(self) -> None:
        self.patience = 0.0

    def is_gone(self, *, until: float | None) -> bool:
        """Whether the other one ends by then; without a time, before it is interrupted."""
        while (left := self._left(until)) is None or left > 0.0:
            if not select([0], [], [], left)[0]:
                continue
            told = os.read(0, 1)
            if not told:
                return True
            if told in PATIENCE:
                self.patience = time.monotonic() + PATIENCE[told]
            elif until is None and told[0] == signal.SIGINT:
                return False
        return False

    def _left(self, until: float | None) -> float | None:
        return None if until is None else max(until, self.patience) - time.monotonic()


def computed(process: int) -> float:
    """Seconds of computing that a process has taken; 0 where the system doesn't say."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us as well
    watch(int(sys.argv[1]), float(sys.argv[2]))
