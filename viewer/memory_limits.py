"""The limits of memory that were set for this process, and what they leave (POSIX).

Libraries of others ask for no more than they get, and end the process by their own words where that fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from engine.named_tuple import NamedTuple

MB: Final = 1 << 20
NUMPY_SPACE: Final = 96 * MB
"""Address space that numpy takes as it is loaded, its library of sums with a single thread."""
NUMPY_DATA: Final = 52 * MB
"""The same of memory that is written to."""
WORK_SPACE: Final = 320 * MB
"""Address space for the work itself, and what a thread sets aside of it: where not even small things can be
had Python crashes or never ends."""
WORK_DATA: Final = 64 * MB
"""The same of memory that is written to."""
OF_LIMIT: Final = "a limit (ulimit "
"""How the words of a MemoryError begin that tells which limit leaves too little, and how much."""
NO_ROOM: Final = ("failed to map segment", "cannot allocate memory")
"""What the system's loader says of a library that there is no memory for."""


class Limit(NamedTuple):
    """A limit by its option of ``ulimit``, and the bytes that it leaves of this kind of memory."""

    option: str
    left: int
    is_of_data: bool


def limits() -> Iterator[Limit]:
    """The limits that are set: of address space, and of memory that is written to."""
    if sys.platform == "win32":
        return
    import resource

    for limit, option, line, is_of_data in (
        (resource.RLIMIT_AS, "-v", "VmSize", False), (resource.RLIMIT_DATA, "-d", "VmData", True),
    ):  # fmt: skip
        most = resource.getrlimit(limit)[0]
        if most != resource.RLIM_INFINITY:
            yield Limit(option, max(0, most - _taken(line)), is_of_data)


def is_for_want_of_memory(error: ImportError) -> bool:
    """Whether a part could not be loaded since a limit leaves no memory for it."""
    text = str(error).lower()
    return any(words in text for words in NO_ROOM) and any(limits())


def memory_in_use() -> int:
    """Bytes of memory that this process holds; 0 where the system doesn't say."""
    return _taken("VmRSS")


def refuse_without_room() -> None:
    """Raise MemoryError where a limit leaves too little to begin with, which is what the error says."""
    is_loaded = "numpy" in sys.modules
    for limit in limits():
        numpy, work = (NUMPY_DATA, WORK_DATA) if limit.is_of_data else (NUMPY_SPACE, WORK_SPACE)
        needed = work if is_loaded else numpy + work
        if limit.left < needed:
            left = f"{OF_LIMIT}{limit.option}) leaves {limit.left // MB} MB"
            raise MemoryError(f"{left}, and this takes {needed // MB} MB")


def _taken(name: str) -> int:
    """What this process has of a kind of memory, in bytes; 0 where the system doesn't say (macOS)."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith(f"{name}:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
