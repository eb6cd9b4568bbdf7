"""Reading a capture that is still being written: a file, or standard input."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections import deque
from pathlib import Path
from threading import Thread
from typing import Final

from engine.files.format_version import CAPTURE
from engine.files.read import LONGEST_LINE
from engine.replay.capture import BrokenRecord, CaptureRecord, parse_record
from engine.world.sources.json_node import JsonError, is_stamp

STANDARD_INPUT: Final = "-"
CHUNK: Final = 1 << 16
MOST_CHUNKS: Final = 16  # of one look, so that whoever looks once a frame stays in time
MOST_WAITING: Final = 1 << 28  # bytes of standard input that nobody has taken: hours of a client's ticks
SEEN: Final = 1 << 12  # of what was read last, to know it by


class CaptureTail:
    """The records of a capture, as far as its lines are whole; ``poll`` gives those that have come since.

    ``name`` is a path, or ``-`` for standard input, which a thread of its own waits for. Raises JsonError
    where the file can't be read at first, or is a pipe or device. Later a file that has gone, was cut,
    replaced or written anew in its place is told as one broken record, and what is in its place is read from
    its beginning.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._rest = bytearray()
        self._searched = 0  # bytes of the rest without a line's end
        self._is_skipping = False
        self._file: tuple[int, int] | None = None
        self._is_gone = False
        self._line = 0
        self._chunks: deque[bytes] = deque()
        self._came = self._taken = 0  # bytes of standard input
        self._read = 0
        self._seen = b""  # the last bytes before that: a file that is written anew in place has others there
        self._ended = False
        if name == STANDARD_INPUT:
            Thread(target=self._read_input, name="capture", daemon=True).start()

    def poll(self, most: int = 1000) -> list[CaptureRecord | BrokenRecord]:
        """What has come since the last call, at most so many records."""
        out: list[CaptureRecord | BrokenRecord] = []
        chunks = 0
        while len(out) < most:
            end = self._rest.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._rest)
                if self._searched > LONGEST_LINE:
                    if not self._is_skipping:
                        out.append(self._broken(f"is longer than {LONGEST_LINE >> 20} MB"))
                    self._is_skipping = True
                    self._forget()
                more = self._more(out) if chunks < MOST_CHUNKS else b""
                if not more:
                    break
                chunks += 1
                self._rest += more
                continue
            line = self._rest[:end]
            del self._rest[: end + 1]
            self._searched = 0
            self._line += 1
            record = None if self._is_skipping else self._record(line.decode("utf-8", "replace").strip())
            self._is_skipping = False
            if record is not None:
                out.append(record)
        return out

    @property
    def is_over(self) -> bool:
        """Whether nothing can come any more: standard input has ended, and all of it was given."""
        return self._ended and not self._chunks

    def _record(self, line: str) -> CaptureRecord | BrokenRecord | None:
        where = f"{self.name}: line {self._line}"
        if not line:
            return None
        try:
            if is_stamp(line, where, CAPTURE):
                return None
            return parse_record(line, self._line, where)
        except JsonError as error:
            return BrokenRecord(self._line, str(error))

    def _broken(self, reason: str) -> BrokenRecord:
        return BrokenRecord(self._line + 1, f"{self.name}: line {self._line + 1}: {reason}")

    def _forget(self) -> None:
        self._rest.clear()
        self._searched = 0

    def _more(self, out: list[CaptureRecord | BrokenRecord]) -> bytes:
        if self.name == STANDARD_INPUT:
            chunk = self._chunks.popleft() if self._chunks else b""
            self._taken += len(chunk)
            return chunk
        try:
            found = os.stat(self.name)  # before it is opened, which may wait for ever
            if not stat.S_ISREG(found.st_mode):
                raise OSError(
                    0, "only a file, or - for standard input, can be followed or played in the window"
                )
            this = found.st_dev, found.st_ino
            if self._file is not None and (this != self._file or found.st_size < self._read):
                self._begin_again(out)
            self._file = this
            with Path(self.name).open("rb") as file:
                known = self._seen
                file.seek(self._read - len(known))
                chunk = file.read(len(known) + CHUNK)
                if chunk.startswith(known):
                    chunk = chunk[len(known) :]
                else:
                    self._begin_again(out)
                    file.seek(0)
                    chunk = file.read(CHUNK)
        except OSError as error:
            if self._file is None:
                raise JsonError(f"{self.name}: {error.strerror}") from error
            if not self._is_gone:
                out.append(self._broken(f"can't be read on: {error.strerror}"))
            self._is_gone = True
            return b""
        self._is_gone = False
        self._read += len(chunk)
        self._seen = (self._seen + chunk)[-SEEN:]
        return chunk

    def _begin_again(self, out: list[CaptureRecord | BrokenRecord]) -> None:
        out.append(
            self._broken("the file was cut or replaced, or is written anew; it is read from its beginning")
        )
        self._read = self._line = 0
        self._seen = b""
        self._is_skipping = False
        self._forget()

    def _read_input(self) -> None:
        try:
            while chunk := os.read(sys.stdin.fileno(), CHUNK):
                self._chunks.append(chunk)
                self._came += len(chunk)
                while self._came - self._taken > MOST_WAITING:  # who writes it waits
                    time.sleep(0.01)
        except (OSError, ValueError, AttributeError):
            pass  # it was closed before: nothing comes from there
        self._ended = True
