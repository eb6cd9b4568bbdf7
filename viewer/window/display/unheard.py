"""Interrupts while the X server stands still.

Xlib waits for its answer without end, moderngl's calls do so with Python's lock held, and Python hears an
interrupt only when they come back: nothing in the process itself can end it then.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from viewer.interrupts import raises
from viewer.window.display.watcher import KEEPS, KEPT

AFTER: Final = 4.0  # seconds; to end takes less, with files to close and processes to stop
WATCHER: Final = Path(__file__).with_name("watcher.py")


def end_where_interrupts_go_unheard(after: float = AFTER) -> None:
    """Have a process of its own end this one where, so long after an interrupt, it is still there.

    Python writes the number of each signal that comes into a pipe, which it does at once, whatever it
    waits for. Without room for one more process all stays as it is.
    """
    if sys.platform == "win32" or not raises():
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    words = [sys.executable, "-I", "-S", str(WATCHER), str(os.getpid()), str(after)]
    with suppress(OSError):
        subprocess.Popen(words, stdin=heard, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)


@contextmanager
def given_time() -> Iterator[None]:
    """Let whoever watches know that files are written meanwhile, which a lock or a slow disk can hold up."""
    _tell(KEEPS)
    try:
        yield
    finally:
        _tell(KEPT)


def _tell(word: bytes) -> None:
    told = signal.set_wakeup_fd(-1)  # which alone says what it is
    if told >= 0:
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        with suppress(OSError):
            os.write(told, word)
