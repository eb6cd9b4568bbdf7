"""The line under the picture that says for a while what came of something."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 5.0


class Message:
    """What was said last, for as long as it is shown; ``heard`` is told of all of it."""

    def __init__(self, heard: Callable[[str], object] = lambda _: None) -> None:
        self._heard = heard
        self._text = ""
        self._until = 0.0
        self._holds: Callable[[], bool] = lambda: True

    def say(self, text: str, holds: Callable[[], bool] = lambda: True) -> None:
        """Show a line, while it ``holds``."""
        text = text.encode("utf-8", "backslashreplace").decode()  # a file's name need not be UTF-8
        self._heard(text)
        self._holds = holds
        self._text, self._until = text, time.perf_counter() + SECONDS

    @property
    def shown(self) -> str:
        """The line that is shown now, empty for none."""
        return self._text if time.perf_counter() < self._until and self._holds() else ""
