"""Start Holtwalk from a checkout: make its environment, then walk through the demo world.

    python scripts/run.py [arguments of holtwalk]

Without a command the walk opens; where there is no display the tour is drawn into `tour/` instead.
Needs Python 3.11 or later and nothing else.
"""

from __future__ import annotations

import sys

from interrupts import INTERRUPTED, leave_at_once, raise_again, run_interruptible

leave_at_once()

from environment import SetupError, child_environment, prepare  # noqa: E402


def arguments(given: list[str]) -> list[str]:
    """The program's arguments: should they come to a walk, it may turn into the tour."""
    return given if given and given[0] in ("-h", "--help", "--version") else ["--or-tour", *given]


def main() -> int:
    """Prepare, run, and hand on the program's exit code."""
    raise_again()
    try:
        python = prepare("requirements.lock")
    except SetupError as error:
        print(f"holtwalk: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    command = [str(python), "-P", "-m", "viewer", *arguments(sys.argv[1:])]
    return run_interruptible(command, child_environment())


if __name__ == "__main__":
    sys.exit(main())
