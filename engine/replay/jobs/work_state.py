"""A file that keeps the results of long work piece by piece, so that it can be stopped and taken up again.

JSON lines: the first says what the work is, every other holds a piece's key and its result.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from engine.files.read import read_bytes
from engine.files.write import LineFile
from engine.replay.jobs.pool import Json

FORMAT: Final = "work-state"
VERSION: Final = 1


class StateError(Exception):
    """A state that can't be taken up: one line with the file's name."""


class WorkState:
    """What is done of a piece of long work; ``work`` tells one such work from another.

    A line that was cut off by a crash is forgotten. Raises StateError for a file that holds something else,
    which is left as it is, and ReadError.
    """

    def __init__(self, path: Path, work: Json) -> None:
        self.results: dict[str, Json] = {}
        size = self._read(path, work) if os.path.exists(path) else 0
        self._file = LineFile(path, keep=size)
        if not size:
            header = {"holtwalk": {"format": FORMAT, "version": VERSION}, "work": work}
            self._file.write(json.dumps(header))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, key: str, result: Json) -> None:
        """Note the result of a piece, unless it is noted."""
        if key not in self.results:
            self._file.write(json.dumps({"key": key, "result": result}))
            self.results[key] = result

    def _read(self, path: Path, work: Json) -> int:
        """Read what is done; how many bytes of the file are whole."""
        data = read_bytes(path, pipes=False)
        size = data.rfind(b"\n") + 1
        if not data:
            return 0
        lines = data[:size].split(b"\n")[:-1]
        try:
            documents = [json.loads(line) for line in lines]
            head = documents[0]["holtwalk"]
            kind, version, of = head["format"], head["version"], documents[0]["work"]
            self.results = {document["key"]: document["result"] for document in documents[1:]}
        except (ValueError, LookupError, TypeError, RecursionError):
            kind, version, of = "", 0, None
        if kind != FORMAT or not isinstance(version, int):
            raise StateError(f"{path}: holds no state of earlier work; it is left as it is")
        if version > VERSION:
            raise StateError(f"{path}: is of version {version}, this program knows {VERSION}")
        if of != work:
            raise StateError(f"{path}: belongs to other work, {_difference(of, work)}; it is left as it is")
        return size


def _difference(of: object, work: Json) -> str:
    if isinstance(of, dict):
        for name, value in work.items():
            if of.get(name) != value:
                return f"its {name} differs"
    return "described otherwise"
