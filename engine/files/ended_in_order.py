"""Interrupts and requests to end (SIGTERM, SIGHUP) at a bad time: what is open is put in order first."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

REQUESTS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)
"""The signals by which another program asks this one to end, as far as this system has them."""


class _RequestedToEndError(BaseException):
    """Raised at the line that a request came at; caught by nobody but who then ends the process.

    That is the block that listens: ``came`` is its list of requests. Blocks within it are left by the error.
    """

    def __init__(self, came: list[int]) -> None:
        super().__init__()
        self.came = came


@contextmanager
def ended_in_order(raises: Callable[[int, FrameType | None], object] | None = None) -> Iterator[None]:
    """Let requests to end be raised within the block, and end the process as they would have once it is left.

    Only where nobody else listens to them, and on the main thread, which alone hears signals. ``raises`` is
    a handler that raises something else.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    leaves = False

    def raise_it(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if leaves:
            return
        if raises is not None:
            raises(number, frame)
        else:
            raise _RequestedToEndError(came)

    ours = [number for number in REQUESTS if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, raise_it)
        yield
    except _RequestedToEndError as error:
        if error.came is not came:
            raise
    finally:
        leaves = True
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
        if came:
            os.kill(os.getpid(), came[0])


@contextmanager
def held_back() -> Iterator[None]:
    """Let interrupts and requests to end wait until the block is left, which is soon."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, *REQUESTS)}
    heard = {number: handler for number, handler in usual.items() if handler not in (None, signal.SIG_IGN)}
    try:
        for number in heard:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)
