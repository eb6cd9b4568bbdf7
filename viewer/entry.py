"""Where the installed ``holtwalk`` and ``python -m viewer`` begin: an interrupt ends it quietly from here on.

Nothing is loaded before that, but for what Python has of it already.
"""

# `signal` itself loads enum first, and an interrupt meanwhile would be a traceback.
import _signal as early  # type: ignore[import-not-found]
import os

if early.getsignal(early.SIGINT) is early.default_int_handler:
    early.signal(early.SIGINT, lambda *_: os._exit(130))

from viewer.main import main

if early.getsignal(early.SIGINT) is not early.SIG_IGN:
    if hasattr(early, "pthread_sigmask"):  # held back until main knows what an interrupt does
        early.pthread_sigmask(early.SIG_BLOCK, {early.SIGINT})
    early.signal(early.SIGINT, early.default_int_handler)

__all__ = ["main"]
