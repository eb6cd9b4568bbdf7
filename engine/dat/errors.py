"""The one error that reading or writing a dat raises, and any other error in one line."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from engine.dat.hex_id import hex_id

NO_MEMORY: Final = "no memory is left for it"
UNREADABLE: Final = "can't be read"
MISSING: Final = "there is no such file"
CHANGED: Final = "the file was changed or cut while it was open"
NO_MORE_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})


class DatError(Exception):
    """A dat file or a record in it that can't be read or written.

    ``file`` is the file's path or name ('' for bytes in memory), ``object_id`` the record's id (None when
    the container itself is meant), ``offset`` counts from the record's first byte, or from the file's
    first byte for the container; None where no place can be named.
    """

    def __init__(self, file: str, object_id: int | None, offset: int | None, reason: str) -> None:
        super().__init__(file, object_id, offset, reason)
        self.file = file
        self.object_id = object_id
        self.offset = offset
        self.reason = reason

    def __str__(self) -> str:
        where = [self.file] if self.file else []
        if self.object_id is not None:
            where.append(f"object {hex_id(self.object_id)}")
        if self.offset is not None:
            where.append(f"offset 0x{self.offset:X}")
        return ": ".join([", ".join(where), self.reason] if where else [self.reason])


def may_pass(text: str) -> bool:
    """Whether the machine was at fault in what failed with this text, and not the data: not the next time."""
    return any(words in text for words in (NO_MEMORY, UNREADABLE, MISSING, CHANGED))


def of_one_member(error: Exception) -> str:
    """What one member of many failed at, in one line, so that the others can go on.

    Raises the error itself where no more files can be opened, or a part of the program can't be loaded: that
    is not the member's, and none after it would fare better.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ImportError) or (isinstance(cause, OSError) and cause.errno in NO_MORE_FILES):
            raise error
        cause = cause.__cause__ or cause.__context__
    return in_one_line(error)


def in_one_line(error: Exception) -> str:
    """What something failed at: kind, reason and the line of code.

    Only for errors that nobody foresaw; those with a message for users speak for themselves. What the system
    refuses is not this program's fault, and is not called so.
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return NO_MEMORY
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    at = "" if last is None else f" in {Path(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno}"
    reason = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}{at}" + (f": {reason}" if reason else "")
