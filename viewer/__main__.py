"""``python -m viewer`` is ``holtwalk``, and so are ``python viewer`` and this file, as editors run it."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - before anything that an older one can't read is loaded
    sys.stderr.write("holtwalk: Python 3.11 or later is needed; this is " + sys.version.split()[0] + "\n")
    sys.exit(2)

import _signal as early  # type: ignore[import-not-found]  # as in viewer.leaving

if __name__ == "__main__" and early.getsignal(early.SIGINT) is early.default_int_handler:
    early.signal(early.SIGINT, early.SIG_DFL)  # before anything is loaded, as an interrupt may come then

if not __package__:  # what Python looks in first is this folder then, and not the one that it lies in
    import os

    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

try:
    from viewer.entry import main
except (EOFError, ValueError, TypeError):  # the byte code of what looks after cut byte code is cut itself
    import os

    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True  # so all is read from its source
    from viewer.entry import main

sys.exit(main())
