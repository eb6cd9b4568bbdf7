"""What signals do to the scripts that start the program: Ctrl+C ends them quietly, as it does the program."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.stderr.write("holtwalk: this is a part of the other scripts; run.py, beside it, starts the program\n")
    sys.exit(2)

import os
import signal
from collections.abc import Mapping, Sequence

__all__ = ["INTERRUPTED", "hand_over", "leave_at_once", "raise_again", "told_to_shell"]

try:
    from viewer.leaving import INTERRUPTED, leave, told_to_shell
except (ImportError, EOFError, ValueError, TypeError):  # a damaged program is started too, and says so
    INTERRUPTED = 130

    def leave(*_: object) -> None:
        """End the process on the spot."""
        os._exit(INTERRUPTED)

    def told_to_shell(code: int) -> int:
        """The exit code as it is."""
        return code


try:
    from viewer.interrupts import is_put_off, let_none_be_lost
    from viewer.interrupts import raise_again as raise_where_it_can
except (ImportError, EOFError, ValueError, TypeError):  # as above

    def is_put_off() -> bool:
        """None ever is."""
        return False

    def let_none_be_lost() -> None:
        """One may be."""

    def raise_where_it_can() -> None:
        """Wherever it comes."""
        if signal.getsignal(signal.SIGINT) is leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_at_once() -> None:
    """End at once when interrupted: for the time in which modules are loaded."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        signal.signal(signal.SIGINT, leave)
    if hasattr(signal, "pthread_sigmask"):  # a script that runs again in the environment has held them back
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def raise_again() -> None:
    """Have interrupts raise KeyboardInterrupt from now on, and requests to end SystemExit.

    Both can be caught, and so whatever a script waits for at that moment ends with it.
    """
    let_none_be_lost()
    raise_where_it_can()
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _exit)


def hand_over(command: Sequence[str], environment: Mapping[str, str], *, is_ours: bool = True) -> int:
    """Let a program take this one's place, so that each signal that ends this process ends the program.

    One of ours begins with interrupts held back, and lets them come when it can take them. Where a process
    can't become another, on Windows, this one waits for it and has its exit code.
    """
    if is_put_off():
        raise KeyboardInterrupt  # the thread that has it come again ends here
    if hasattr(signal, "pthread_sigmask"):
        if is_ours:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as where it is closed
                stream.flush()
        os.execve(command[0], list(command), environment)
    import subprocess  # takes long to load: not before it is known what an interrupt does

    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _go_on)
    return subprocess.run(command, env=environment, check=False).returncode


def _exit(number: int, _: object) -> None:
    sys.exit(128 + number)


def _go_on(*_: object) -> None:
    """The program was interrupted as well; it says how it ends."""
