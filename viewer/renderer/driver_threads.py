"""Mesa's threads: one to carry out what it is told to draw, and those of its software driver."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from viewer.memory_limits import limits
from viewer.renderer.driver_words import SILENT, WORDS

COUNT: Final = "LP_NUM_THREADS"
"""Mesa's variable: how many threads the software driver draws with; 0 for the one that asks alone."""
APART: Final = "mesa_glthread"
"""Mesa's variable: whether a thread of its own carries out the calls, and not the one that makes them."""
MOST: Final = 32
_LOOKS, _PAUSE = 200, 0.001  # at how many threads there are until those that were tried are gone, seconds
Start = Callable[[Callable[[], object]], Thread]
"""Starts a thread that runs something; RuntimeError where no more threads are to be had."""


def settle_driver_threads(start: Start | None = None) -> None:
    """Have Mesa carry out calls in a thread of its own, and draw without any where they can't all be started.

    Apart, half of a frame's work runs beside our own; other drivers decide for themselves. A limit
    (``ulimit -u``, that of a container) may leave too few threads, and only starting them tells: the software
    driver waits for ever for those that it could not start. To be called before the process's first OpenGL
    context: the driver reads the environment once. What the user has set there stays.
    """
    if sys.platform != "linux":
        return
    wanted = _wanted()
    if wanted and not _to_be_had(wanted, start or _start):
        os.environ[COUNT] = "0"
        return
    is_silent = SILENT in os.environ.get(WORDS, "")  # else it would tell of the variable, in a line each time
    is_free = is_silent and not any(
        limits()
    )  # of memory: some 100 MB more are taken, and the driver dies without
    if APART not in os.environ and is_free and len(os.sched_getaffinity(0)) > 1:
        os.environ[APART] = "true"


def _wanted() -> int:
    """The threads that the driver starts: for calls, for programs, some to draw, as many to compute."""
    try:
        each = int(os.environ.get(COUNT, ""))
    except ValueError:
        cores = os.cpu_count() or 1
        each = cores if cores > 1 else 0
    return 2 * min(each, MOST) + 2 if each > 0 else 0


def _to_be_had(count: int, start: Start) -> bool:
    """Whether so many threads run at once, and are gone again."""
    before = _threads()
    enough = Event()
    started: list[Thread] = []
    try:
        started.extend(start(enough.wait) for _ in range(count))
    except RuntimeError:
        return False
    finally:
        enough.set()
        for thread in started:
            thread.join()
    for _ in range(_LOOKS):  # one that was joined counts until the system has done away with it
        if _threads() <= before:
            return True
        time.sleep(_PAUSE)
    return False


def _threads() -> int:
    """How many threads this process has; 0 where the system doesn't say."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def _start(work: Callable[[], object]) -> Thread:
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread
