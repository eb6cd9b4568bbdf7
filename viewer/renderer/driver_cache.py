"""Mesa's folder of compiled shaders: that it can be made, and that a full disk ends nobody who uses it."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.files.write import fill_holes
from viewer.user_folders import home_on_record

NO_CACHE: Final = "MESA_SHADER_CACHE_DISABLE"
FOLDER: Final = "mesa_shader_cache"
INDEX: Final = "index"
ROOM: Final = 64 << 20  # bytes, some for shaders; most against a disk that fills while it is in use


def settle_cache() -> None:
    """Have Mesa do without a cache where it could not be made; before the first OpenGL context.

    It would say so at every start, and where its index has no room on the disk it would end the process. To
    a file system that copies what it writes (btrfs) an index that has its room is none: it needs as much
    again with each shader.
    """
    if sys.platform == "linux" and not (_has_folder() and _has_room() and hold_index()):
        os.environ.setdefault(NO_CACHE, "true")


def hold_index() -> bool:
    """Give the index of the cache all its room on the disk, once it is there; whether that can be had.

    It is a file of holes that Mesa maps: writing into a hole that the disk has no room for is a SIGBUS.
    """
    folders = _folders()
    if not folders or sys.platform != "linux":
        return True
    index = Path(folders[-1], INDEX)
    try:
        fill_holes(index)
    except OSError as error:
        return error.errno not in (errno.ENOSPC, errno.EDQUOT)  # one that can't be written Mesa leaves alone
    return True


def _has_room() -> bool:
    folders = _folders()
    if not folders:
        return True
    folder = Path(folders[-1])
    while not os.path.isdir(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        disk = os.statvfs(folder)
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize > ROOM


def _has_folder() -> bool:
    """Whether the folders that Mesa makes for its shaders are there, or the first missing can be made."""
    missing = next((folder for folder in _folders() if not os.path.isdir(folder)), None)
    if missing is None:
        return True
    try:
        os.mkdir(missing)
    except OSError:
        return os.path.isdir(missing)  # another process was as quick
    with suppress(OSError):  # another process has put something into it meanwhile
        os.rmdir(missing)
    return True


def _folders() -> tuple[str, ...]:
    """From the outermost to that of compiled shaders; none where Mesa knows no place, and says nothing."""
    named = (os.environ.get(name) for name in ("MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"))
    place = next((name for name in named if name is not None), None)
    if place is not None:
        return place, os.path.join(place, FOLDER)
    home = home_on_record()
    if home is None:
        return ()
    return str(home), str(home / ".cache"), str(home / ".cache" / FOLDER)
