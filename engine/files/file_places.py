"""The place that a file is put in: what stands there, where its path leads, what a new file takes over."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import Final

OPEN_FILES: Final = "/proc/self/fd"
_OF_THREAD: Final = "/proc/thread-self/fd"
_MOST_LINKS: Final = 40


def open_already(path: str) -> int | None:
    """The descriptor that a path stands for, itself or through links (``/dev/stdout``); None for a file."""
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(path))
        name = os.path.basename(path)
        path = os.path.join(folder, name)
        if name.isdecimal() and folder in (os.path.realpath(OPEN_FILES), os.path.realpath(_OF_THREAD)):
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def status_of(path: str) -> os.stat_result | None:
    """What stands at a path, or where its links lead; None where nothing does."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def take_after(file: str | int, found: os.stat_result) -> None:
    """Give a file the owner and the permissions of the one that it replaces, as far as one may."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(file, found.st_uid, found.st_gid)
    with suppress(OSError):
        os.chmod(file, stat.S_IMODE(found.st_mode))


def sync_folder(folder: str) -> None:
    """Let a new name outlive a power cut, where folders can be synchronised."""
    if os.name == "nt":
        return
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
