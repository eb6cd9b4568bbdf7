"""Reading a capture that is still being written: a file, or standard input."""

from __future__ import annotations

import os
import sys
from collections import deque
from pathlib import Path
from threading import Thread
from typing import Final

from engine.files.format_version import CAPTURE
from engine.replay.capture import BrokenRecord, CaptureRecord, parse_record
from engine.world.sources.json_node import JsonError, is_stamp

STANDARD_INPUT: Final = "-"
CHUNK: Final = 1 << 16


class CaptureTail:
    """The records of a capture, as far as its lines are whole; ``poll`` gives those that have come since.

    ``name`` is a path, or ``-`` for standard input, which a thread of its own waits for. Raises JsonError
    where the file can't be read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._rest = b""
        self._line = 0
        self._chunks: deque[bytes] = deque()
        self._read = 0
        self._ended = False
        if name == STANDARD_INPUT:
            Thread(target=self._read_input, name="capture", daemon=True).start()

    def poll(self, most: int = 1000) -> list[CaptureRecord | BrokenRecord]:
        """What has come since the last call, at most so many records."""
        out: list[CaptureRecord | BrokenRecord] = []
        while len(out) < most:
            line, found, rest = self._rest.partition(b"\n")
            if not found:
                more = self._more()
                if not more:
                    break
                self._rest += more
                continue
            self._rest = rest
            self._line += 1
            record = self._record(line.decode("utf-8", "replace").strip())
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

    def _more(self) -> bytes:
        if self.name == STANDARD_INPUT:
            return self._chunks.popleft() if self._chunks else b""
        try:
            with Path(self.name).open("rb") as file:
                file.seek(self._read)
                chunk = file.read(CHUNK)
        except OSError as error:
            raise JsonError(f"{self.name}: {error.strerror}") from error
        self._read += len(chunk)
        return chunk

    def _read_input(self) -> None:
        try:
            while chunk := os.read(sys.stdin.fileno(), CHUNK):
                self._chunks.append(chunk)
        except (OSError, ValueError, AttributeError):
            pass  # it was closed before: nothing comes from there
        self._ended = True
