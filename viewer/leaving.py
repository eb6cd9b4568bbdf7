"""How an interrupted program ends: by the signal itself where a terminal sent it, else with exit code 130.

Shells go on with the loop that an interrupted program ran in, unless the signal ended it. Nothing is imported
here but what Python has loaded when it begins: this counts from the program's first moment on.
"""

from __future__ import annotations

# `signal` itself loads enum first, and an interrupt meanwhile would be a traceback.
import _signal as early  # type: ignore[import-not-found]
import os
import sys

INTERRUPTED = 130
SHELL = "/bin/sh"


def leave(*_: object) -> None:
    """End the process on the spot; also as what a signal does."""
    if _is_in_front():
        try:
            early.signal(early.SIGINT, early.SIG_DFL)
            os.kill(os.getpid(), early.SIGINT)
        except ValueError:  # the main thread alone may say so; in a program that takes its place it is so
            try:  # noqa: SIM105 - what has that is not loaded yet
                os.execv(SHELL, ["sh", "-c", "kill -INT $$"])
            except OSError:
                pass
    os._exit(INTERRUPTED)


def told_to_shell(code: int) -> int:
    """The exit code; after an interrupt from a terminal Python ends in order, and by the signal at last."""
    if not _is_in_front():
        return code
    if early.getsignal(early.SIGINT) is leave:  # else the caller ignores it
        early.signal(early.SIGINT, early.SIG_DFL)  # Python's own end, which takes a while, hears none
    if code == INTERRUPTED:
        sys.excepthook = _say_nothing
        raise KeyboardInterrupt
    return code


def _say_nothing(*_: object) -> None:
    """In place of a traceback."""


def _is_in_front() -> bool:
    """Whether the process runs in the foreground of a terminal, where Ctrl+C reaches it and its shell."""
    if sys.platform == "win32":
        return False
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
