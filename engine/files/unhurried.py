"""Writing to a pipe or a terminal by a thread, so that nobody waits for who reads there."""

from __future__ import annotations

import errno
import os
import threading
from collections import deque
from contextlib import suppress
from typing import Final

MOST: Final = 256 << 20  # bytes that may wait to be read: a quarter of an hour of a window's reports
AGAIN: Final = 0.05  # seconds until a descriptor that takes nothing just now is tried once more


_whole: dict[tuple[int, int], threading.Lock] = {}
"""Of each pipe: who writes to it writes a whole piece, though another thread writes there as well."""


class Unhurried:
    """Takes bytes for a descriptor at once, and writes all of them in order as they are read there.

    What goes wrong meanwhile comes, as an OSError, with the next call. RuntimeError where no thread starts.
    """

    def __init__(self, fd: int, most: int = MOST) -> None:
        self._fd = os.dup(fd)  # its own: the number may be another file's by the time that a write is over
        self._most = most
        self._waiting: deque[bytes] = deque()
        self._size = 0  # of what waits, and of what is being written
        self._error: OSError | None = None
        self._is_ended = False
        self._changed = threading.Condition()
        about = os.fstat(fd)
        self._alone = _whole.setdefault((about.st_dev, about.st_ino), threading.Lock())
        try:
            threading.Thread(target=self._write_all, name="unhurried", daemon=True).start()
        except RuntimeError:
            os.close(self._fd)
            raise

    def write(self, data: bytes) -> None:
        """Have bytes written, all or none."""
        with self._changed:
            self._complain()
            if self._size and self._size + len(data) > self._most:
                raise OSError(errno.ENOBUFS, f"nobody reads it, and {self._most >> 20} MB wait to be read")
            self._waiting.append(data)
            self._size += len(data)
            self._changed.notify_all()

    def is_read_within(self, seconds: float | None) -> bool:
        """Whether all is written, at last after so many seconds; without them however long it takes."""
        with self._changed:
            is_over = self._changed.wait_for(lambda: not self._size or self._error is not None, seconds)
            self._complain()
            return is_over

    def end(self) -> None:
        """Write nothing more: what waits is dropped."""
        with self._changed:
            self._is_ended = True
            self._waiting.clear()
            self._changed.notify_all()

    def _complain(self) -> None:
        if self._error is not None:
            raise OSError(self._error.errno, self._error.strerror)

    def _write_all(self) -> None:
        try:
            while data := self._next():
                with self._alone:
                    self._write(data)
                with self._changed:
                    self._size -= len(data)
                    self._changed.notify_all()
        except OSError as error:
            with self._changed:
                self._error = error
                self._waiting.clear()
                self._changed.notify_all()
        finally:
            with suppress(OSError):
                os.close(self._fd)

    def _next(self) -> bytes:
        """What is to be written next; empty once it has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_ended)
            return b"" if self._is_ended else self._waiting.popleft()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:  # who opened it lets nobody wait there
                with self._changed:
                    self._changed.wait_for(lambda: self._is_ended, AGAIN)
                    if self._is_ended:
                        return
