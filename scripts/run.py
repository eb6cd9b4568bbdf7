"""Start Holtwalk from a checkout: make its environment, then walk through the demo world.

    python scripts/run.py [arguments of holtwalk]

Without a command the walk opens; where there is no display the tour is drawn into `tour/` instead.
Needs Python 3.11 or later and nothing else.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said here, in words that a Python of any age can read
    sys.stderr.write("holtwalk: Python 3.11 or later is needed; this is " + sys.version.split()[0] + "\n")
    sys.exit(2)

import _signal as early  # type: ignore[import-not-found]  # as in viewer.leaving

if __name__ == "__main__" and early.getsignal(early.SIGINT) is early.default_int_handler:
    early.signal(early.SIGINT, early.SIG_DFL)  # before anything is loaded, as an interrupt may come then

import os

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

try:
    from scripts.start import begin, finish
except (EOFError, ValueError, TypeError):  # its byte code is cut, as by a full disk
    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True  # so all is read from its source
    from scripts.start import begin, finish

begin(__name__)

from scripts.launch import main

if __name__ == "__main__":
    finish(main)
