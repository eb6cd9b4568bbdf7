"""Where the shell has the program print: a file that it appends to (``>>``) is an output like any other.

Of one that it emptied (``>``) nothing is left to lose.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.files.write import write_nowhere

STDOUT, STDERR = 1, 2
STANDARD_STREAMS: Final = {STDOUT: "standard output", STDERR: "standard error"}
OWN_TERMINAL: Final = "/dev/tty"  # another device than the terminal's own, and yet the same one


def appended() -> dict[int, os.stat_result]:
    """The streams that go to files which hold something, and what the system says of these."""
    found = {fd: said for fd in STANDARD_STREAMS if (said := _said_of(fd)) is not None}
    return {fd: said for fd, said in found.items() if stat.S_ISREG(said.st_mode) and said.st_size}


def streams_into(found: os.stat_result) -> list[str]:
    """The names of the streams that go to a file; what is to be said of it is not said there."""
    into = [fd for fd in STANDARD_STREAMS if (said := _said_of(fd)) and os.path.samestat(said, found)]
    if into == [STDERR]:
        os.dup2(STDOUT, STDERR)
    elif STDERR in into:
        write_nowhere(STDERR)
    return [STANDARD_STREAMS[fd] for fd in into]


def spare(words: Sequence[str]) -> None:
    """Have nothing said into a file that a command line names, before it is known what of it is read."""
    for found in appended().values():
        for word in words:
            with suppress(OSError, ValueError):
                if os.path.samestat(os.stat(word.partition("=")[2] or word), found):
                    streams_into(found)


def is_printed_to(path: Path) -> bool:
    """Whether a path is that of the pipe, socket or terminal that the program prints to."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    printed = _said_of(STDOUT)
    is_same = printed is not None and os.path.samestat(printed, found)
    if os.isatty(STDOUT):
        return os.path.realpath(path) == OWN_TERMINAL or is_same
    return (stat.S_ISFIFO(found.st_mode) or stat.S_ISSOCK(found.st_mode)) and is_same


def _said_of(fd: int) -> os.stat_result | None:
    try:
        return os.fstat(fd)
    except OSError:
        return None
