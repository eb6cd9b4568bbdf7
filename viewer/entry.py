"""Where the installed ``holtwalk`` and ``python -m viewer`` begin: an interrupt ends it quietly from here on.

Nothing is loaded before that, but for what Python has of it already.
"""

import _signal as early  # type: ignore[import-not-found]  # as in viewer.leaving

if early.getsignal(early.SIGINT) is early.default_int_handler:
    early.signal(early.SIGINT, early.SIG_DFL)

import os

from viewer.leaving import leave, told_to_shell

if early.getsignal(early.SIGINT) == early.SIG_DFL:
    early.signal(early.SIGINT, leave)

try:
    from viewer.bytecode import keep_none_without_room

    keep_none_without_room()
    if os.getpid() == 1 and hasattr(os, "fork"):
        from viewer.first_process import start_another

        start_another()
    from viewer.main import main as run_words
except (EOFError, ValueError, TypeError) as error:
    import sys

    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True  # what is loaded now, from its source
    from viewer.bytecode import told_if_cut

    told = told_if_cut(error)
    if not told:
        raise
    os.write(2, f"holtwalk: {ascii(told)[1:-1]}\n".encode())
    os._exit(2)

if early.getsignal(early.SIGINT) is not early.SIG_IGN:
    if hasattr(early, "pthread_sigmask"):  # held back until main knows what an interrupt does
        early.pthread_sigmask(early.SIG_BLOCK, {early.SIGINT})
    early.signal(early.SIGINT, early.default_int_handler)


def main() -> int:
    """Run the command line that the program was called with; its exit code."""
    return told_to_shell(run_words())
