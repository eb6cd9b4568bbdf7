"""Start Holtwalk from a checkout: make its environment, then walk through the demo world.

    python scripts/run.py [arguments of holtwalk]

Without a command the walk opens; where there is no display the tour is drawn into `tour/` instead.
Needs Python 3.11 or later and nothing else.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - said here, since an old one can't even read what follows
    print(f"holtwalk: Python 3.11 or later is needed; this is {sys.version.split()[0]}", file=sys.stderr)
    sys.exit(2)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.start import RUNTIME, begin, finish

begin(__name__)

from scripts.environment import child_environment, prepare
from scripts.interrupts import run_interruptible


def arguments(given: list[str]) -> list[str]:
    """The program's arguments: should they come to a walk, it may turn into the tour."""
    return given if given and given[0] in ("-h", "--help", "--version") else ["--or-tour", *given]


def main(given: list[str]) -> int:
    """Prepare, run, and hand on the program's exit code."""
    command = [str(prepare(RUNTIME)), "-P", "-m", "viewer", *arguments(given)]
    return run_interruptible(command, child_environment())


if __name__ == "__main__":
    finish(main)
