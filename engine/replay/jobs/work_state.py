"""A file that keeps the results of long work piece by piece, so that it can be stopped and taken up again.

JSON lines: the first says what the work is, every other holds a piece's key, its result and a sum of both, so
that a line that was damaged is told from one that was written.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.files.format_version import WORK_STATE, FormatError, check_stamp, stamp
from engine.files.json_form import Json
from engine.files.read import read_bytes
from engine.files.write import LineFile
from engine.replay.jobs.result_shape import Shape, has_shape


class StateError(Exception):
    """A state that can't be taken up: one line with the file's name."""


class WorkState:
    """What is done of a piece of long work; ``work`` tells one such work from another.

    A piece whose line was cut off by a crash, or damaged, or whose result has not the shape that such results
    have, is forgotten: it is done again. Raises
    StateError for a file that holds something else, which is left as it is, and ReadError.
    """

    def __init__(self, path: Path, work: Json, shape: Shape = dict) -> None:
        self.results: dict[str, Json] = {}
        self._shape = shape
        keep, size = self._read(path, work) if os.path.exists(path) else (0, 0)
        self._file = LineFile(path, keep, size)
        if not keep:
            self._file.write(json.dumps({**stamp(WORK_STATE), "work": work}))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._file.end()
        else:
            self._file.close()

    def keep(self, key: str, result: Json) -> None:
        """Note the result of a piece, unless it is noted."""
        if key not in self.results:
            self._file.write(json.dumps({"key": key, "result": result, "sum": _sum(key, result)}))
            self.results[key] = result

    def _read(self, path: Path, work: Json) -> tuple[int, int]:
        """Read what is done; how many bytes of the file are whole, and how many it has."""
        data = read_bytes(path, pipes=False)
        size = data.rfind(b"\n") + 1
        if not data:
            return 0, 0
        lines = data[:size].split(b"\n")[:-1]
        try:
            document = json.loads(lines[0].decode("utf-8"))
            is_state = check_stamp(document, WORK_STATE) > 0 and "work" in document
        except FormatError as error:
            raise StateError(f"{path}: {error}; it is left as it is") from None
        except (ValueError, LookupError, RecursionError):
            is_state = False
        if not is_state:
            raise StateError(f"{path}: holds no state of earlier work; it is left as it is")
        of = document["work"]
        if of != work:
            raise StateError(f"{path}: belongs to other work, {_difference(of, work)}; it is left as it is")
        self.results = {key: result for line in lines[1:] for key, result in _kept(line, self._shape)}
        return size, len(data)


def _sum(key: str, result: Json) -> int:
    return zlib.crc32(json.dumps([key, result]).encode())


def _kept(line: bytes, shape: Shape) -> Iterator[tuple[str, Json]]:
    """The piece and the result of a line that is as it was written."""
    with suppress(ValueError, LookupError, TypeError, RecursionError):
        document = json.loads(line)
        key, result = document["key"], document["result"]
        if document["sum"] == _sum(key, result) and has_shape(key, str) and has_shape(result, shape):
            yield key, result


def _difference(of: object, work: Json) -> str:
    if isinstance(of, dict):
        for name, value in work.items():
            if of.get(name) != value:
                return f"its {name} differs"
    return "described otherwise"
