"""What is being written has a name of its own beside its place; what is left of a dead writer is cleared."""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import suppress
from typing import Final

from engine.files.lock import lock_now

_NAME: Final = re.compile(r"\.holtwalk-[0-9a-f]{16}\.part")
_OLD_SECONDS: Final = 60.0  # so long a new one may be there before its writer has locked it


def draft_in(folder: str) -> str:
    """A new path in a folder for what is not whole yet."""
    return os.path.join(folder, f".holtwalk-{os.urandom(8).hex()}.part")


def hold(fd: int) -> bool:
    """Lock an open file or folder: as long as this process has it open nobody clears it or writes it anew.

    Whether nobody else holds it, as far as that can be known.
    """
    if os.name == "nt":
        return True  # there nobody could read it either
    try:
        return lock_now(fd)
    except OSError:  # where nothing can be locked nothing is cleared
        return True


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether somebody holds what stands at a path, which is a file; not where none of that can be known."""
    if os.name == "nt":
        return False
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not lock_now(fd)
    except OSError:
        return False
    finally:
        os.close(fd)


def clear_left_in(folder: str) -> None:
    """Remove the drafts in a folder whose writers have died; whatever stands in the way of that stays."""
    if os.name == "nt":
        return  # folders can't be locked there
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [entry.path for entry in entries if _NAME.fullmatch(entry.name)]:
            with suppress(OSError):
                _clear(path)


def _clear(path: str) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(fd)
        is_old = time.time() - found.st_mtime > _OLD_SECONDS
        if not is_old or found.st_uid != os.getuid() or not lock_now(fd):
            return
        if stat.S_ISDIR(found.st_mode):
            import shutil  # which brings two packers along, and folders are seldom left

            shutil.rmtree(path, ignore_errors=True)
        elif stat.S_ISREG(found.st_mode):
            os.unlink(path)
    finally:
        os.close(fd)
