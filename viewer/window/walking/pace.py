"""How simulation time follows the clock on the wall: ticks that are due, and a pause."""

from __future__ import annotations

from engine.physics.enums import TICK

FRAME_SLACK = 1e-9
"""Seconds: frames that add up to a tick but for rounding make a tick, at any frame rate."""
SPEEDS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class Pace:
    """Owes the simulation its ticks; while ``paused`` it owes none. ``speed`` is 1 as in the game.

    While ``held`` it owes none either, and the picture shows the end of the last tick.
    """

    def __init__(self) -> None:
        self.paused = self.held = False
        self.speed = 1.0
        self._owed = 0.0

    def toggle_pause(self) -> None:
        """Stop or go on, at the beginning of a tick."""
        self.paused = not self.paused
        self._owed = 0.0

    def let_pass(self, seconds: float) -> None:
        """Time passes on the wall."""
        self._owed += seconds * self.speed

    def take(self) -> bool:
        """Take a tick that is due; whether there was one."""
        if self._owed < TICK - FRAME_SLACK:
            return False
        self._owed = max(0.0, self._owed - TICK)
        return True

    @property
    def share(self) -> float:
        """How much of the tick under way has passed: the picture stands between the last two ticks."""
        return 1.0 if self.paused or self.held else min(1.0, self._owed / TICK)
