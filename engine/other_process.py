"""What every process that helps this one needs: it hears no Ctrl+C, and ends when this one has ended."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from threading import Thread


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let a process that starts meanwhile know of no interrupt from the keyboard, from the first moment."""
    if sys.platform == "win32":
        yield  # there it learns so in its first lines
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """In a helping process, first of all: be deaf to Ctrl+C for good, and end as soon as the parent has."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
