"""The bytes of a dat: of a file that is read as it is asked for, or in memory.

A file is not mapped into memory: one that is cut while it is open would end the process without a word.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from threading import Lock
from typing import Protocol
from weakref import finalize

from engine.dat.errors import CHANGED, UNREADABLE, DatError

# Not blocking: to open a pipe would wait for a writer before it can be seen to be none.
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class StoredBytes(Protocol):
    """What a dat is read from; ``size`` is its size in bytes when it was opened."""

    size: int

    def read(self, offset: int, size: int) -> bytes:
        """So many bytes from an offset on, fewer only where the dat ends; DatError where that fails."""
        ...

    def verify(self) -> None:
        """Raise DatError where what was read may be of another file than what was read before."""
        ...

    def is_replaced(self) -> bool:
        """Whether another one has its name by now, or none."""
        ...

    def close(self) -> None:
        """Let go of them."""
        ...


class MemoryBytes:
    """A dat in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, offset: int, size: int) -> bytes:
        """As the protocol."""
        return self._data[offset : offset + size]

    def verify(self) -> None:
        """Nothing changes here."""

    def is_replaced(self) -> bool:
        """It has no name."""
        return False

    def close(self) -> None:
        """Nothing to do."""


class FileBytes:
    """A dat file. It is read at places, so that several threads may do so.

    Size and time of change tell whether it is still the file that was opened: one that was put in its
    place under the same name is another one, and is not noticed, as this one stays whole. A file that nobody
    holds any more is closed.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._fd = os.open(name, _FLAGS)
        try:
            found = os.fstat(self._fd)
            if not stat.S_ISREG(found.st_mode):
                raise DatError(name, None, None, "can't be opened: it is no file")
        except BaseException:
            os.close(self._fd)
            raise
        self.size = found.st_size
        self._changed_at = found.st_mtime_ns
        self._lock = Lock()
        self._closing = finalize(self, _close, self._fd)
        self._closing.atexit = False  # threads may still read, and the system closes it

    def read(self, offset: int, size: int) -> bytes:
        """As the protocol."""
        size = min(size, self.size - offset)
        try:
            data = self._read_at(offset, size)
            while len(data) < size:
                more = self._read_at(offset + len(data), size - len(data))
                if not more:
                    raise self._error(CHANGED)
                data += more
        except OSError as error:
            raise self._error(f"{UNREADABLE}: {error.strerror or error}") from error
        return data

    def verify(self) -> None:
        """As the protocol."""
        try:
            found = os.fstat(self._fd)
        except OSError as error:
            raise self._error(f"{UNREADABLE}: {error.strerror or error}") from error
        if found.st_size != self.size or found.st_mtime_ns != self._changed_at:
            raise self._error(CHANGED)

    def is_replaced(self) -> bool:
        """As the protocol."""
        try:
            return not os.path.samestat(os.stat(self._name), os.fstat(self._fd))
        except OSError:
            return True

    def close(self) -> None:
        """Close the file."""
        self._fd = -1
        self._closing()

    def _read_at(self, offset: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._fd, size, offset)
        with self._lock:
            os.lseek(self._fd, offset, os.SEEK_SET)
            return os.read(self._fd, size)

    def _error(self, reason: str) -> DatError:
        return DatError(self._name, None, None, reason)


def _close(fd: int) -> None:
    with suppress(OSError):  # it was only read: nothing is lost
        os.close(fd)
