"""No more frames a second than are wanted: what is left of a frame's time is slept."""

from __future__ import annotations

import time
from collections.abc import Callable


class FrameCap:
    """Waits at the end of frames; ``clock`` and ``sleep`` are the system's, in seconds."""

    def __init__(
        self, clock: Callable[[], float] = time.perf_counter, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._next = clock()

    def wait(self, most: float) -> None:
        """Wait so long that there are ``most`` frames a second; 0 for as many as there can be.

        Frames that come late are not made up for.
        """
        now = self._clock()
        if most <= 0.0:
            self._next = now
            return
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + 1.0 / most
