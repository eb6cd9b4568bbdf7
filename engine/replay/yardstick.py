"""The yardstick of all figures: a loop of what the engine does, timed in the same run and in between.

It calls, reads attributes, unpacks tuples and makes small objects, so that what slows the engine down on a
busy machine, or on another, slows the loop down as well.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final

from engine.dat.values import Vec3

NOMINAL_LOOP_MS: Final = 5.0
"""What a current desktop core is taken to need for the loop."""

LOOP_STEPS: Final = 11_500
PIECES: Final = 20
PLANES: Final = ((0.5, -0.5, 0.0, 0.0), (0.5, -0.5, 1.0, 1.0), (0.5, -0.5, 2.0, 2.0), (0.5, -0.5, 0.0, 3.0))
Clock = Callable[[], float]


class _Ball:
    """What the loop moves about: made anew with every step, as places of a sweep are."""

    __slots__ = ("center", "radius")

    def __init__(self, center: Vec3, radius: float) -> None:
        self.center = center
        self.radius = radius

    def moved(self, by: Vec3) -> _Ball:
        x, y, z = self.center
        dx, dy, dz = by
        return _Ball((x * 0.999 + dx, y * 0.999 + dy, z * 0.999 + dz), self.radius)

    def reaches(self, planes: tuple[tuple[float, float, float, float], ...]) -> bool:
        x, y, z = self.center
        for nx, ny, nz, d in planes:  # noqa: SIM110  (a loop as those of the engine)
            if nx * x + ny * y + nz * z + d < -self.radius:
                return False
        return True


def reference_loop(steps: int = LOOP_STEPS) -> int:
    """The loop; how many of its steps ended in reach of all planes."""
    ball = _Ball((0.0, 0.0, 0.0), 0.48)
    hits = 0
    for i in range(steps):
        ball = ball.moved((0.5, (i & 7) * 0.25, 0.125))
        if ball.reaches(PLANES):
            hits += 1
    return hits


def timed(action: Callable[[], object], clock: Clock = time.thread_time) -> float:
    """Seconds that an action takes by a clock, by default this thread's own.

    That leaves out what other programs on the machine take away.
    """
    start = clock()
    action()
    return clock() - start


def time_reference(clock: Clock = time.thread_time) -> float:
    """Milliseconds that the loop takes here: the median of several runs."""
    return 1000.0 * statistics.median(timed(reference_loop, clock) for _ in range(15))


class Beside:
    """The loop in pieces, timed between samples, so that both meet the same moments of the machine."""

    def __init__(self) -> None:
        self._pieces: list[float] = []

    def look(self) -> None:
        """Time one piece."""
        self._pieces.append(timed(lambda: reference_loop(LOOP_STEPS // PIECES)))

    @property
    def loop_ms(self) -> float:
        """What the whole loop took, by the median piece."""
        return 1000.0 * PIECES * statistics.median(self._pieces)
