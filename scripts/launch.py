"""What ``scripts/run.py`` does: the environment is made, then the program runs in it."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.stderr.write("holtwalk: this is a part of the other scripts; run.py, beside it, starts the program\n")
    sys.exit(2)

from scripts.environment import child_environment, prepare
from scripts.interrupts import hand_over
from scripts.start import RUNTIME


def arguments(given: list[str]) -> list[str]:
    """The program's arguments: should they come to a walk, it may turn into the tour."""
    return given if given and given[0] in ("-h", "--help", "--version") else ["--or-tour", *given]


def main(given: list[str]) -> int:
    """Prepare, run, and hand on the program's exit code."""
    command = [str(prepare(RUNTIME)), "-P", "-m", "viewer", *arguments(given)]
    return hand_over(command, child_environment())
