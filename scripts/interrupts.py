"""What Ctrl+C does to the scripts that start the program: they end quietly, with exit code 130."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence

INTERRUPTED = 130


def leave_at_once() -> None:
    """End at once when interrupted: for the time in which modules are loaded."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the caller wants it ignored
        signal.signal(signal.SIGINT, _leave)


def raise_again() -> None:
    """Have interrupts raise KeyboardInterrupt from now on, which can be caught."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run_interruptible(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """The exit code of a program that is left to end an interrupt itself; 128 and more for a signal.

    It begins with interrupts held back, and lets them come when it can take them.
    """
    import subprocess  # takes long to load: not before it is known what an interrupt does

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _go_on)
    if not hasattr(signal, "pthread_sigmask"):
        return subprocess.run(command, env=environment, check=False).returncode
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    with subprocess.Popen(command, env=environment) as process:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        code = process.wait()
    return code if code >= 0 else 128 - code


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


def _go_on(*_: object) -> None:
    """The program was interrupted as well; it says how it ends."""
