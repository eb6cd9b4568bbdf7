"""Python keeps byte code wherever it can, and cut short where a disk is nearly full: then we keep none.

What was cut all the same is found and removed. Nothing is imported here but the standard library: programs
and scripts begin with this.
"""

from __future__ import annotations

import os
import sys

ROOM = 1 << 24  # bytes: all of ours takes six million
LARGEST = 1 << 20  # of one file


def keep_none_without_room() -> None:
    """Have this process and those that it starts write no byte code that may not fit where it would lie."""
    folder = sys.pycache_prefix or os.path.dirname(os.path.abspath(__file__))
    if _has_room(folder):
        return
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def told_if_cut(error: BaseException) -> str:
    """A line where an error came of byte code that was cut, which is removed, else ""."""
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True  # what is loaded now, from its source
    try:
        from engine.cut_bytecode import repaired
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = before
    return repaired(error)


def _has_room(folder: str) -> bool:
    if not hasattr(os, "statvfs"):
        return True  # there nothing is known of it: what is cut is found when it is read
    from resource import RLIM_INFINITY, RLIMIT_FSIZE, getrlimit

    largest = getrlimit(RLIMIT_FSIZE)[0]
    if largest != RLIM_INFINITY and largest < LARGEST:
        return False
    try:
        found = os.statvfs(folder)
    except OSError:
        return True  # as where the folder is not there yet
    return found.f_bavail * found.f_frsize >= ROOM
