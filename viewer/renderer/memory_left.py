"""Whether a limit leaves the memory that drawing takes: drivers don't ask, they end the whole process."""

from __future__ import annotations

import sys
from typing import Final

MB: Final = 1 << 20
SPACE: Final = 720 * MB
"""Address space that Mesa's software driver takes for a context and the program's own pictures."""
DATA: Final = 256 * MB
"""The same of memory that is written to."""
A_PIXEL: Final = 72
"""Bytes that a pixel of a picture takes on its way to its file."""


def lacking(pixels: int = 0) -> str:
    """One line saying which limit is too low to draw so many pixels; empty where none is.

    It knows what the limits of this process leave (POSIX), not what the machine has.
    """
    if sys.platform == "win32":
        return ""
    import resource

    for limit, option, line, needed in (
        (resource.RLIMIT_AS, "-v", "VmSize", SPACE), (resource.RLIMIT_DATA, "-d", "VmData", DATA),
    ):  # fmt: skip
        most = resource.getrlimit(limit)[0]
        if most == resource.RLIM_INFINITY:
            continue
        left = max(0, most - _taken(line))
        needed += pixels * A_PIXEL
        if left < needed:
            return (
                f"no memory to draw with: a limit (ulimit {option}) leaves {left // MB} MB, "
                f"and drawing takes about {needed // MB} MB"
            )
    return ""


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
