"""An interrupt that the main thread doesn't hear, as it waits in a call of a library: it ends the program.

Off screen software GL draws for minutes within one call. Where that keeps Python's lock, nothing here runs.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from viewer.interrupts import heard_since, raises
from viewer.leaving import leave

PATIENCE: Final = 5.0  # seconds
JUST_NOW: Final = 1.0  # seconds that it takes at most to be told of one that was heard meanwhile


@contextmanager
def ended_when_unheard(patience: float = PATIENCE) -> Iterator[None]:
    """Meanwhile, end the process where Python has not come to hear of an interrupt after so many seconds.

    Python writes the number of each signal that comes into a pipe, at once, whatever this thread waits for.
    """
    if sys.platform == "win32" or not raises():
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(heard, patience, ended), name="unheard", daemon=True)
    try:
        with suppress(RuntimeError):  # no more threads may be started: then it goes without
            thread.start()
        yield
    finally:
        signal.set_wakeup_fd(before)
        ended.set()
        os.close(told)  # then there is nothing more to read
        if thread.ident is not None:
            thread.join(1.0)


def _watch(heard: int, patience: float, ended: threading.Event) -> None:
    while came := os.read(heard, 1):
        if came[0] == signal.SIGINT:
            at = time.monotonic() - JUST_NOW
            if not ended.wait(patience) and not heard_since(at):
                leave()
    os.close(heard)
