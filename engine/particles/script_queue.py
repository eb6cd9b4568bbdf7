"""The scripts of one owner, one after the other, and those that wait for their pause (particles 2.2)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.made_once import MadeOnce

MOST_HOOKS: Final = 1000
"""Hooks of one owner in one update: a script that calls itself in no time would never end."""
MOST_PAUSES: Final = 256
"""Scripts of one owner that wait: one that calls itself twice would double them for ever."""


class _Playing:
    __slots__ = ("items", "length", "next", "script", "start")

    def __init__(self, script: int, items: tuple[ScriptItem, ...], start: float, length: float) -> None:
        self.script = script
        self.items = items
        self.start = start
        self.length = length
        self.next = 0


# A long script may be called a thousand times in a tick, by each of thousands of owners.
_in_order: Final = MadeOnce(PhysicsScript.in_order)
_length: Final = MadeOnce[PhysicsScript, float](lambda script: script.length)


class ScriptQueue:
    """What an owner plays: the first script runs, the others wait for its end."""

    def __init__(self) -> None:
        self._queue: deque[_Playing] = deque()

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def due(self) -> float:
        """The time of the next hook, seconds; endless where none is left."""
        for playing in self._queue:
            if playing.next < len(playing.items):
                return playing.start + playing.items[playing.next].start
        return math.inf

    def add(self, script: PhysicsScript, now: float) -> None:
        """Play a script, now or from where the last one ends: loops do not drift. An empty one is nothing."""
        if not script.items:
            return
        last = self._queue[-1] if self._queue else None
        start = now if last is None else last.start + last.length
        self._queue.append(_Playing(script.id, _in_order(script), start, _length(script)))

    @property
    def script(self) -> int:
        """The id of the script that runs, as its hooks do; 0 where none does."""
        return self._queue[0].script if self._queue else 0

    def update(self, now: float, run: Callable[[AnimationHook], None]) -> bool:
        """Run all hooks that are due, however late; False where MOST_HOOKS did not do, and the rest waits."""
        for _ in range(MOST_HOOKS):
            while self._queue and self._queue[0].next == len(self._queue[0].items):
                self._queue.popleft()
            if not self._queue:
                return True
            playing = self._queue[0]
            item = playing.items[playing.next]
            # ``not <=`` so that a time that is no number never comes.
            if not playing.start + item.start <= now:
                return True
            playing.next += 1  # before the hook, which may add a script
            run(item.hook)
        return False


class Pauses:
    """The scripts of one owner that were called with a pause, at most MOST_PAUSES: more calls do nothing."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, int]] = []  # a heap: when, the how manieth call, script
        self._calls = 0

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def due(self) -> float:
        """The time of the next one, seconds; endless where none waits."""
        return self._waiting[0][0] if self._waiting else math.inf

    def add(self, script_id: int, when: float) -> None:
        """Let a script wait for a time; nothing for one that never comes."""
        if len(self._waiting) < MOST_PAUSES and math.isfinite(when):
            self._calls += 1
            heappush(self._waiting, (when, self._calls, script_id))

    def take(self, now: float) -> list[int]:
        """The scripts whose time has come, in the order of their calls; they wait no more."""
        come = []
        while self._waiting and self._waiting[0][0] <= now:
            _, call, script_id = heappop(self._waiting)
            come.append((call, script_id))
        return [script_id for _, script_id in sorted(come)]
