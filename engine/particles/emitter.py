"""One running emitter: when particles are born, die and when it is over (particles 3, 6.4)."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import Final

from engine.dat.number_rules import MOST_SLOTS
from engine.dat.records.particle_emitter import PER_METRE, PER_SECOND, ParticleEmitter
from engine.dat.values import Vec3
from engine.particles.birth import Chance, born_of, lifespan_of, throw
from engine.particles.particle_pool import Pool
from engine.particles.path import path_of
from engine.particles.room import OwnRoom
from engine.world.frame import Frame

_SLACK: Final = 1e-6  # seconds before a death at which it is looked at exactly


class Emitter:
    """An emitter on an owner, or on a part of it.

    ``base`` is where that is (map coordinates), ``hook`` the offset from it and ``part`` the part's index,
    0xFFFFFFFF for the object. ``number`` marks its rows in the pool. Births happen in ``begin``, as many as
    the record says, and in ``update``, at most one; none without ``room``. What is dead when somebody
    first looks, at ``unseen_until`` (seconds), takes its numbers and its slot, but no row; so does what is
    born before ``shown_from``.
    """

    def __init__(
        self,
        record: ParticleEmitter,
        number: int,
        pool: Pool,
        chance: Chance,
        *,
        base: Frame,
        hook: Vec3,
        now: float,
        part: int = 0xFFFFFFFF,
    ) -> None:
        self.part = part
        self.script = 0
        """What started it; 0 for an animation."""
        self.record = record
        self.number = number
        self.unseen_until = -math.inf
        self.shown_from = -math.inf
        self.room = OwnRoom(pool.room)
        """Its owner's, where it has one."""
        self.base = base
        self.hook = hook
        self.slots: list[int | None] = []
        self.total = 0
        self.stopped = False
        self.last_emit = now
        self.last_origin = base.to_global(hook)
        self._created = now
        self._is_endless = record.is_endless
        self._updated = now
        self._pool = pool
        self._chance = chance
        self._free: list[int] = []
        self._most = max(0, min(record.max_particles, MOST_SLOTS))
        self._deaths: list[tuple[float, int, float, float]] = []  # a heap: when, slot, birth, lifespan

    @property
    def living(self) -> int:
        """How many particles it has."""
        return len(self.slots) - len(self._free)

    @property
    def origin(self) -> Vec3:
        """Where the middle of its births is, map coordinates."""
        return self.base.to_global(self.hook)

    @property
    def only_bears(self) -> bool:
        """Whether births by time and deaths are all it does while it is drawn and its base is at rest."""
        return not self.stopped and self._is_endless and bool(self.record.emitter_type & PER_SECOND)

    @property
    def next_birth(self) -> float:
        """A time shortly before its next birth, seconds, where it ``only_bears``."""
        if self._deaths and self.living >= self._most:
            return self._deaths[0][0] - _SLACK
        return self.last_emit + self.record.birthrate - _SLACK

    def bear(self, now: float) -> None:
        """What ``update`` does where it ``only_bears``, but that slots are freed when one is needed."""
        if not now - self.last_emit <= self.record.birthrate:
            self._bury(now)
            if self.living < self._most:
                self._emit(now)

    def rows(self) -> list[int]:
        """The pool's rows of its particles, by slot."""
        return [row for row in self.slots if row is not None]

    def begin(self, now: float) -> None:
        """The births at creation; those beyond the slots are lost."""
        for _ in range(min(self.record.initial_particles, self._most)):
            if not self._emit(now):
                return

    def update(self, now: float, base: Frame, *, drawn: bool) -> bool:
        """One tick; whether the emitter goes on. ``drawn`` is whether it counts as in view."""
        if base is not self.base:
            self.base = base
            if self.record.parent_local:
                self._pool.move(self.rows(), base)
        if not drawn and self._is_endless:
            self._wait(now - self._updated)
        self._updated = now
        if self._deaths and self._deaths[0][0] <= now + _SLACK:
            self._bury(now)
        if self.stopped:
            return self.living > 0
        if not drawn and self._is_endless:
            return True
        if self._should_emit(now):
            if drawn:
                self._emit(now)
            else:
                self.total += 1  # recorded, without a particle
                self.last_emit = now
                self.last_origin = self.origin
        if not self._is_endless:
            self._check_stop(now)
        return True

    def stop(self) -> None:
        """No more births; what lives lives on."""
        self.stopped = True

    def destroy(self) -> None:
        """It and all its particles are no more."""
        for row in self.rows():
            self._pool.give_back(row)
        self.room.give_back(self.living)
        self.slots.clear()
        self._free.clear()
        self._deaths.clear()
        self.stopped = True

    def _should_emit(self, now: float) -> bool:
        record = self.record
        by_time = record.emitter_type & PER_SECOND
        if by_time and now - self.last_emit <= record.birthrate:
            return False
        if 0 < record.total_particles <= self.total or self.living >= self._most:
            return False
        if by_time:
            return True
        if record.emitter_type & PER_METRE:
            return math.dist(self.origin, self.last_origin) ** 2 > record.birthrate**2
        return False

    def _check_stop(self, now: float) -> None:
        record = self.record
        if record.total_seconds > 0.0 and self._created + record.total_seconds < now:
            self.stopped = True
        if 0 < record.total_particles <= self.total:
            self.stopped = True

    def _emit(self, now: float) -> bool:
        """Whether there was room for a particle to be born."""
        is_new = not self._free
        if is_new and len(self.slots) >= self._most:
            return False
        if not self.room.take():
            self.room.lack(self.record.id)
            return False
        if is_new:
            slot = len(self.slots)
            self.slots.append(None)
        else:
            slot = heappop(self._free)
        thrown = throw(self.record, self._chance)
        lifespan = lifespan_of(self.record, thrown)
        if not (now < self.shown_from - _SLACK or self.unseen_until - now > lifespan + _SLACK):
            born = born_of(self.record, thrown)
            path = path_of(self.record.particle_type, self.base, self.hook, born)
            self.slots[slot] = self._pool.take(self.number, self.base, born=born, path=path, now=now)
        heappush(self._deaths, (now + lifespan, slot, now, lifespan))
        self.total += 1
        self.last_emit = now
        if not self.record.emitter_type & PER_SECOND:
            self.last_origin = self.origin
        return True

    def _bury(self, now: float) -> None:
        """Free the slots of particles that have lived their time."""
        deaths = self._deaths
        before = len(deaths)
        while deaths and deaths[0][0] <= now + _SLACK and now - deaths[0][2] >= deaths[0][3]:
            slot = heappop(deaths)[1]
            row = self.slots[slot]
            if row is not None:
                self._pool.give_back(row)
            self.slots[slot] = None
            heappush(self._free, slot)
        if before != len(deaths):
            self.room.give_back(before - len(deaths))

    def _wait(self, seconds: float) -> None:
        self._pool.wait(self.rows(), seconds)
        self._deaths = [
            (when + seconds, slot, birth + seconds, life) for when, slot, birth, life in self._deaths
        ]
