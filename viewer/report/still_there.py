"""Says that a command is still at work where nobody has heard of it for long, and what it is at.

What is often long says by itself how far it is (see ``progress``). This is for all the rest: what only
the oddest of files make long, which would look as if it hung.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from viewer.memory_limits import MB, memory_in_use
from viewer.report.progress import duration
from viewer.terminal import last_heard, say_beside

SILENCE: Final = 15.0
"""Seconds after which somebody at a terminal asks themselves whether it hangs."""
MUCH: Final = 1024 * MB
OURS: Final = ("engine.", "viewer.")


@contextmanager
def still_there(command: str, silence: float = SILENCE) -> Iterator[None]:
    """Meanwhile, say each time that nothing was said for so many seconds that the command is at work."""
    ended = threading.Event()
    thread = threading.Thread(
        target=_watch, args=(command, silence, ended, threading.get_ident()), name="still there", daemon=True
    )
    with suppress(RuntimeError):  # no more threads may be started: then it goes without
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if thread.is_alive():
            thread.join(1.0)  # one that still writes when Python ends would end it by an error


def _watch(command: str, silence: float, ended: threading.Event, worker: int) -> None:
    began = time.monotonic()
    while not ended.wait(max(silence / 10, silence - (time.monotonic() - max(began, last_heard())))):
        now = time.monotonic()
        if now - max(began, last_heard()) >= silence:
            say_beside(_line(command, now - began, sys._current_frames().get(worker)))  # noqa: SLF001 (Python gives no other way)


def _line(command: str, seconds: float, frame: FrameType | None) -> str:
    line = f"{command}: still at work after {duration(seconds)}"
    while frame is not None and not _is_ours(frame):
        frame = frame.f_back
    if frame is not None:
        line += f", in {frame.f_code.co_name} of {frame.f_globals['__name__']}"
    memory = memory_in_use()
    return line if memory < MUCH else f"{line}, with {memory / MUCH:.1f} GB of memory"


def _is_ours(frame: FrameType) -> bool:
    """Whether this is a function of the program that has a name."""
    return frame.f_code.co_name[0] != "<" and frame.f_globals.get("__name__", "").startswith(OURS)
