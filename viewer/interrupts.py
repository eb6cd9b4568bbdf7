"""What an interrupt from the keyboard does: it ends the program quietly, whenever it comes.

Nothing but the standard library is imported here: this counts from the program's first moment on.
"""

from __future__ import annotations

import _thread
import io
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from viewer.leaving import leave

AGAIN = 0.01  # seconds after which an interrupt that got lost, or came at a bad time, comes once more
PATIENCE = 3.0  # seconds
LAST_WORDS = 1.0  # seconds
Handler = Callable[[int, FrameType | None], None]
LOADING = "<frozen importlib."
BETWEEN_C = (os.path.join("moderngl", "__init__.py"), "_moderngl.py")
"""What compiled code calls that takes it for granted that nothing is raised: it would go on with nothing."""


class _Heard:
    """When Python last came to do what an interrupt does, by the monotonic clock; what became of it."""

    at = -math.inf
    is_lost = False
    is_put_off = False


def heard_since(moment: float) -> bool:
    """Whether an interrupt was heard after a moment of the monotonic clock, whatever it did."""
    return moment < _Heard.at


def is_put_off() -> bool:
    """Whether an interrupt that came at a bad time is about to come once more, from another thread."""
    return _Heard.is_put_off


def leave_at_once() -> None:
    """Let interrupts end the process on the spot, where nothing is to be put in order."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _raise):  # else the caller ignores it
        signal.signal(signal.SIGINT, leave)


def raise_again() -> None:
    """Have interrupts raise KeyboardInterrupt from now on, after ``leave_at_once``.

    One that comes while a module is loaded waits until it is: some libraries catch whatever is raised
    meanwhile, and some end the process. So does one amid what moderngl does, and while a file is closed.
    """
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, _raise)


def let_none_be_lost() -> None:
    """Have an interrupt that comes while Python drops an object, and is lost with a traceback, come again."""
    sys.unraisablehook = _interrupt_again


def raises() -> bool:
    """Whether an interrupt raises KeyboardInterrupt now, in the ways of this module."""
    return signal.getsignal(signal.SIGINT) is _raise


@contextmanager
def ended_soon(seconds: float = LAST_WORDS) -> Iterator[None]:
    """Let an interrupted program end after so long, though what it does meanwhile never comes to an end.

    What it still has to say is waited for by a pipe that is full, and that nobody reads.
    """
    over = _thread.allocate_lock()
    over.acquire()
    with suppress(RuntimeError):  # no more threads are to be had
        _thread.start_new_thread(_leave_unless, (over, seconds))
    try:
        yield
    finally:
        over.release()


def _leave_unless(over: _thread.LockType, seconds: float) -> None:
    if not over.acquire(timeout=seconds):
        leave()


@contextmanager
def held_back(patience: float = PATIENCE) -> Iterator[None]:
    """Let an interrupt wait for the end of what must not be left half done; a second one ends the process.

    After so many seconds the first comes all the same, and what is half done is left so.
    """
    if not raises():
        yield
        return
    came: list[bool] = []
    late: list[bool] = []

    def wait(number: int, frame: FrameType | None) -> None:
        _Heard.at = time.monotonic()
        if late:
            _raise(number, frame)
        elif came:
            leave()
        else:
            came.append(True)
            with suppress(RuntimeError):  # no more threads are to be had
                _thread.start_new_thread(_interrupt_while, (came, late, _thread.get_ident(), patience))

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _raise)
    if came:
        came.clear()
        raise KeyboardInterrupt


@contextmanager
def raised_once(patience: float = PATIENCE) -> Iterator[Handler]:
    """Let the first interrupt raise KeyboardInterrupt; those of the next seconds ask for what is under way.

    A second one, as of who presses the keys twice, would end what puts things in order at any line of it.
    Yields a handler by which other signals do the same, also where interrupts are ignored.
    """
    import threading  # which at the top would count for the first moments

    raised = -math.inf

    def once(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        now = _Heard.at = time.monotonic()
        if now < raised + patience and not _Heard.is_lost:
            return
        _Heard.is_lost = False
        signal.signal(signal.SIGINT, once)  # by which one that has to wait, or gets lost, comes again
        try:
            _raise(number, frame)
        except KeyboardInterrupt:
            raised = now
            raise

    is_main = threading.current_thread() is threading.main_thread()  # which alone hears signals
    usual = signal.getsignal(signal.SIGINT) if is_main else None
    if usual not in (None, signal.SIG_IGN):
        signal.signal(signal.SIGINT, once)
    try:
        yield once
    finally:
        if usual is not None:
            signal.signal(signal.SIGINT, usual)


def _interrupt_while(waits: list[bool], late: list[bool], thread: int, seconds: float) -> None:
    time.sleep(seconds)
    if waits:
        late.append(True)
        _interrupt(thread)


def _raise(_: int, frame: FrameType | None) -> None:
    _Heard.at = time.monotonic()
    while frame is not None:
        if _loads(frame) or frame.f_code.co_filename.endswith(BETWEEN_C) or _closes(frame):
            return _interrupt_soon()
        frame = frame.f_back
    raise KeyboardInterrupt


def was_loading(error: BaseException) -> bool:
    """Whether an error was raised while a module was loaded, whatever kind of error that made it."""
    trace = error.__traceback__
    while trace is not None:
        if _loads(trace.tb_frame):
            return True
        trace = trace.tb_next
    return False


def _loads(frame: FrameType) -> bool:
    """Whether a frame loads a module, or is one that is being loaded; not the one that all began in."""
    if frame.f_code.co_filename.startswith(LOADING):
        return True
    own = ("__main__", None)  # without a name: cProfile's
    return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") not in own


def _closes(frame: FrameType) -> bool:
    """Whether a frame closes a file: of one that nobody holds any more Python drops what that raises."""
    return frame.f_code.co_name == "close" and isinstance(frame.f_locals.get("self"), io.IOBase)


def _interrupt_again(unraisable: sys.UnraisableHookArgs) -> None:
    if unraisable.exc_type is KeyboardInterrupt:
        _Heard.is_lost = True
        _interrupt_soon()
    else:
        sys.__unraisablehook__(unraisable)


def _interrupt_soon() -> None:
    _Heard.is_put_off = True
    try:
        _thread.start_new_thread(_wait_and_interrupt, (_thread.get_ident(),))
    except RuntimeError:  # no more threads are to be had, and what is raised at a bad time may crash
        leave()


def _wait_and_interrupt(thread: int) -> None:
    time.sleep(AGAIN)
    _interrupt(thread)
    _Heard.is_put_off = False  # only now: it is never neither here nor there


def _interrupt(thread: int) -> None:
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(thread, signal.SIGINT)  # ends what it waits for, too
