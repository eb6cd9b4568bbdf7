"""What reaches the terminal: messages in one line each, and no control characters from names or data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOWrapper
from typing import Any, TextIO

from engine.files.shown import harmless, one_line


def say(text: object) -> None:
    """A message on stderr: one line, however it is worded."""
    print(f"holtwalk: {one_line(str(text))}", file=sys.stderr, flush=True)


@contextmanager
def harmless_output() -> Iterator[None]:
    """Keep control characters, but for line ends and tabs, out of all that is printed meanwhile."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names in files may hold what the terminal has no letter for
            stream.reconfigure(errors="backslashreplace")
    with redirect_stdout(_Harmless(sys.stdout)), redirect_stderr(_Harmless(sys.stderr)):
        yield


class _Harmless:
    """A stream of text as another one, its control characters written out."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(harmless(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
