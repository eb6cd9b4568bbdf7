"""Work that takes long in one frame: the line that says so is seen before, and the picture stands still."""

from __future__ import annotations

from collections.abc import Callable

from viewer.window.walking.pace import Pace


class Announced:
    """Work that is done once a picture has shown its line; ``say`` shows one.

    Time is held until then: what the work takes in is what was last drawn, at the end of a tick.
    """

    def __init__(self, say: Callable[[str], object], pace: Pace) -> None:
        self._say = say
        self._pace = pace
        self._work: Callable[[], object] | None = None
        self._is_drawn = False

    def begin(self, words: str, work: Callable[[], object]) -> None:
        """Say what is about to be done, and do it then; nothing where other work is under way."""
        if self._work is None:
            self._work, self._is_drawn = work, False
            self._pace.held = True
            self._say(words)

    def begin_frame(self) -> None:
        """Do what was announced, where a whole frame has shown it."""
        if self._work is None:
            return
        if not self._is_drawn:
            self._is_drawn = True
            return
        work, self._work = self._work, None
        try:
            work()
        finally:
            self._pace.held = False
