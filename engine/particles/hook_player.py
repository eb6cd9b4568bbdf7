"""Plays what an object's script and animation make of its looks, at any time (motion 8.1, particles 9.2).

What is shown follows from the time alone. So nothing is played from a moment when somebody looked first, but
from the beginning of a stretch of simulation time, and anew where the time goes back.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Hashable, Iterable
from typing import Final, Protocol

from engine.dat.pieces.hooks import CALL_SCRIPT, AnimationHook
from engine.dat.records.physics_script import PhysicsScript
from engine.particles.appearance import Appearance, Changing
from engine.particles.birth import Dice
from engine.particles.script_queue import Pauses, ScriptQueue
from engine.world.tolerance import EPS

STRETCH: Final = 600.0
"""Seconds after which scripts begin anew, as long a time before it is seen."""
MOST_PLAYED: Final = 100_000
"""Hooks that one look goes through at most: a script that calls itself in next to no time would never end."""


class Scripts(Protocol):
    """Where scripts come from; None for one that is missing or damaged."""

    def script(self, script_id: int) -> PhysicsScript | None:
        """A script."""


class TimedHooks(Protocol):
    """An animation whose hooks come due at times."""

    def timed_hooks(self, start: float, end: float) -> Iterable[tuple[float, AnimationHook]]:
        """The hooks that come due after one time and up to another (seconds), in order, and when."""


class HookPlayer:
    """One object: its default script, what that calls, and its animation, None for one without."""

    def __init__(
        self,
        scripts: Scripts,
        key: Hashable,
        *,
        script: int,
        parts: int,
        scale: float,
        animation: TimedHooks | None,
    ) -> None:
        self._scripts = scripts
        self._key = key
        self._script = script
        self._parts = parts
        self._scale = scale
        self._animation = animation
        self._stretch = -1
        self._now = math.inf
        self.played = 0

    def at(self, now: float, most: int = MOST_PLAYED) -> Appearance | None:
        """How the object looks at a time; None where nothing has changed it.

        ``most`` hooks are gone through, and then its scripts end; ``played`` says how many were.
        """
        stretch = max(0, math.floor(now / STRETCH) - 1)
        if now < self._now or stretch != self._stretch:
            self._begin(stretch)
        self._play(now, most)
        return self._changing.at(now) if self._changing.is_changed else None

    def _begin(self, stretch: int) -> None:
        self._stretch = stretch
        self._now = start = stretch * STRETCH
        self._dice = Dice(zlib.crc32(repr((self._key, stretch)).encode()))
        self._changing = Changing(self._parts, self._scale)
        self._end_scripts()
        self._add(self._script, start)

    def _end_scripts(self) -> None:
        self._queue = ScriptQueue()
        self._pauses = Pauses()

    def _play(self, now: float, most: int) -> None:
        """Let all come due up to a time, each at its own."""
        hooks = self._animation.timed_hooks(self._now, now) if self._animation is not None else ()
        upcoming = iter(hooks)
        hook = next(upcoming, None)
        self.played = 0
        while True:
            animated = hook[0] if hook is not None else math.inf
            due = min(self._queue.due, self._pauses.due, animated)
            if not due <= now:
                break
            if self.played >= most:
                self._end_scripts()
                break
            if hook is not None and due == animated:
                self._run(hook[1], due)
                hook = next(upcoming, None)
            elif due == self._pauses.due:
                for called in self._pauses.take(due):
                    self._add(called, due)
            elif not self._queue.update(due, lambda fired, at=due: self._run(fired, at)):  # type: ignore[misc]
                self._end_scripts()
        self._now = now

    def _add(self, script_id: int, now: float) -> None:
        script = self._scripts.script(script_id) if script_id else None
        if script is not None:
            self._queue.add(script, now)

    def _run(self, hook: AnimationHook, now: float) -> None:
        self.played += 1
        if hook.type != CALL_SCRIPT:
            self._changing.run(hook, now)
            return
        called, pause = hook.values
        assert isinstance(called, int)
        assert isinstance(pause, int | float)
        if pause >= EPS:
            self._pauses.add(called, now + self._dice.next() * pause)
        else:
            self._add(called, now)
