"""The line under the picture that says for a while what came of something."""

from __future__ import annotations

import time

SECONDS = 5.0


class Message:
    """What was said last, for as long as it is shown."""

    def __init__(self) -> None:
        self._text = ""
        self._until = 0.0

    def say(self, text: str) -> None:
        """Show a line."""
        self._text, self._until = text, time.perf_counter() + SECONDS

    @property
    def shown(self) -> str:
        """The line that is shown now, empty for none."""
        return self._text if time.perf_counter() < self._until else ""
