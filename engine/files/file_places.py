"""The place that a file is put in: what stands there, where its path leads, what a new file takes over."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from typing import Final

OPEN_FILES: Final = "/proc/self/fd"
_OF_THREAD: Final = "/proc/thread-self/fd"
_OPEN_FOLDERS: Final = re.compile(r"/proc/(self|\d+)/(task/\d+/)?fd|/dev/fd")  # of Linux, of macOS
_MOST_LINKS: Final = 40
RIGHTS: Final = "system.posix_acl_access"


def open_already(path: str) -> int | None:
    """The descriptor that a path stands for, itself or through links (``/dev/stdout``); None for a file."""
    folder, name = os.path.split(descriptor_path(path))
    of_this_process = (os.path.realpath(OPEN_FILES), os.path.realpath(_OF_THREAD))
    return int(name) if folder in of_this_process else None


_moved: dict[int, int] = {}
"""Where descriptors are that were led elsewhere: the numbers that others know them by, ours."""


def note_moved(fd: int, apart: int) -> None:
    """What another program knows by a number is ours by another one from now on."""
    _moved[fd] = apart


def handed_on(fd: int) -> int:
    """Our number of a descriptor that another program opened and handed on by its own.

    OSError where it did not: what Python opens by itself it doesn't hand on.
    """
    try:
        is_given = os.get_inheritable(fd)
    except OverflowError:  # no system counts so far
        raise OSError(errno.EBADF, os.strerror(errno.EBADF)) from None
    if not is_given:
        raise OSError(errno.EBADF, "is no descriptor that was handed on to holtwalk")
    return _moved.get(fd, fd)


def descriptor_path(path: str) -> str:
    """What a path, or a link of those that it leads through, names among open files; empty for a file."""
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(path))
        name = os.path.basename(path)
        path = os.path.join(folder, name)
        if name.isdecimal() and _OPEN_FOLDERS.fullmatch(folder):
            return path
        if not os.path.islink(path):
            return ""
        path = os.path.join(folder, os.readlink(path))
    return ""


def status_of(path: str) -> os.stat_result | None:
    """What stands at a path, or where its links lead; None where nothing does."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def take_after(file: str | int, place: str, found: os.stat_result) -> None:
    """Give a file the owner, group and rights of the one in a place, as far as one may.

    Where the group can't be kept, or the list of rights, whatever group it has gets no more than everybody.
    """
    mode = stat.S_IMODE(found.st_mode)
    if hasattr(os, "chown"):
        for owner in (found.st_uid, -1):  # the group is one's own to give, where one is of it
            try:
                os.chown(file, owner, found.st_gid)
                break
            except OSError:
                mode &= ~(stat.S_ISUID | stat.S_ISGID)  # of an owner and a group that it may not have
        else:
            mode = _like_everybody(mode)
    if not _take_attributes(file, place):
        mode = _like_everybody(mode)
    with suppress(OSError):
        os.chmod(file, mode)


def _like_everybody(mode: int) -> int:
    return mode & ~stat.S_IRWXG | mode & stat.S_IRWXG & (mode & stat.S_IRWXO) << 3


def _take_attributes(file: str | int, place: str) -> bool:
    """Give a file the list of rights and the users' attributes of another; whether it has the rights."""
    try:
        names = os.listxattr(place) if hasattr(os, "listxattr") else []
    except OSError:
        return True  # this file system keeps none
    is_kept = True
    for name in names:
        if name != RIGHTS and not name.startswith("user."):
            continue
        try:
            os.setxattr(file, name, os.getxattr(place, name))
        except OSError:
            is_kept = is_kept and name != RIGHTS
    return is_kept


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
