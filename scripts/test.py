"""Run every check of the project: style, types, layers, docs, tests.

    python scripts/test.py [--no-skips] [--compiled] [arguments of pytest]

Makes the environment first. Needs Python 3.11 or later and nothing else; tests that draw use EGL, and
tests that open a window use Xvfb, where there is one. With --no-skips (or HOLTWALK_NO_SKIPS=1) a test that
would be skipped for want of either, or of a program or a device, fails instead. With --compiled the hot
packages are compiled first and the tests run on that form, which is removed again where none was there; those
that replace or count functions are skipped.
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

from scripts.checks import main

if __name__ == "__main__":
    finish(main)
