"""A program that ends another one that doesn't hear its interrupts (``unheard``).

Its words are that one's process and how many seconds after an interrupt it ends it, unless that one computes
still; on stdin come the numbers of the signals that it got, and the end of them when it is gone.
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
LITTLE = 0.03  # seconds of computing in a while: who waits for a display takes less


def watch(process: int, after: float) -> None:
    """Wait for an interrupt or the end of the other process; end it where it doesn't do so itself."""
    if _is_gone(until=None) or _is_gone(until=time.monotonic() + after):
        return
    for _ in range(MOST):
        before = computed(process)
        if _is_gone(until=time.monotonic() + min(WHILE, after)):
            return
        if computed(process) - before < LITTLE:
            break
    if os.getppid() == process:
        os.kill(process, signal.SIGKILL)


def _is_gone(*, until: float | None) -> bool:
    """Whether the other one ends by then; without a time, before it is interrupted."""
    while until is None or time.monotonic() < until:
        left = None if until is None else max(0.0, until - time.monotonic())
        if select([0], [], [], left)[0]:
            told = os.read(0, 64)
            if not told:
                return True
            if until is None and signal.SIGINT in told:
                return False
    return False


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
