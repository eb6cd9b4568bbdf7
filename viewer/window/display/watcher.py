"""A program that ends another one that doesn't hear its interrupts (``unheard``).

Its words are that one's process and how many seconds after an interrupt it ends it; on stdin come the numbers
of the signals that it got, and the end of them when it is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from select import select


def watch(process: int, after: float) -> None:
    """Wait for an interrupt or the end of the other process; end it where it doesn't do so itself."""
    deadline: float | None = None
    while deadline is None or time.monotonic() < deadline:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if select([0], [], [], left)[0]:
            told = os.read(0, 64)
            if not told:
                return
            if deadline is None and signal.SIGINT in told:
                deadline = time.monotonic() + after
    if os.getppid() == process:
        os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us as well
    watch(int(sys.argv[1]), float(sys.argv[2]))
