"""An object that scripts run on: its queue, its emitters, what hooks do to them (particles 1.4, 2, 3.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, Protocol

from engine.dat.pieces.hooks import (
    CALL_SCRIPT,
    CREATE_BLOCKING_PARTICLE,
    CREATE_PARTICLE,
    DEFAULT_SCRIPT,
    DESTROY_PARTICLE,
    STOP_PARTICLE,
    AnimationHook,
)
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.values import Vec3
from engine.particles.birth import Chance
from engine.particles.emitter import Emitter
from engine.particles.particle_pool import Pool
from engine.particles.room import OwnRoom
from engine.particles.script_queue import Pauses, ScriptQueue
from engine.world.frame import Frame
from engine.world.tolerance import EPS

WHOLE: Final = 0xFFFFFFFF
"""The part that stands for the object itself."""


class EffectRecords(Protocol):
    """Where records come from; None for one that is missing or damaged."""

    def emitter(self, emitter_id: int) -> ParticleEmitter | None:
        """A particle emitter."""

    def script(self, script_id: int) -> PhysicsScript | None:
        """A script."""

    def script_table(self, table_id: int) -> PhysicsScriptTable | None:
        """A table of scripts."""


class Moving(Protocol):
    """How an object's parts move by themselves; all of it follows from the time (seconds)."""

    @property
    def weight(self) -> int:
        """The steps that finding a tick's hooks takes at most."""

    def parts(self, now: float) -> tuple[Frame, ...]:
        """The parts' frames relative to the object, at its scale."""

    def hooks(self, start: float, end: float) -> list[AnimationHook]:
        """The hooks that come due after one time and up to another, in order."""


class Owner:
    """One object. ``frame`` is its place on the map (block 0,0's axes, metres), None where it is in no cell.

    ``parts`` are its parts' frames relative to it. ``number_of`` gives emitters the numbers of their rows.
    """

    def __init__(
        self,
        records: EffectRecords,
        pool: Pool,
        chance: Chance,
        number_of: Callable[[], int],
        *,
        cell_id: int,
        frame: Frame,
        parts: tuple[Frame, ...] = (),
        script_table: int = 0,
    ) -> None:
        self.cell_id = cell_id
        self.emitters: dict[int, Emitter] = {}
        self.queue = ScriptQueue()
        self.script_table = script_table
        self.default_play: tuple[int, float] = (0, 0.0)
        self.unseen_until = -math.inf
        """When somebody looks for the first time, seconds: what is dead by then is never shown."""
        self.shown_from = -math.inf
        """The first births that are shown, seconds: what is born before never is."""
        self.looped = False
        """Whether a script came round without end in one update; nothing waits then."""
        self._records = records
        self._pool = pool
        self._room = OwnRoom(pool.room)
        self._chance = chance
        self._number_of = number_of
        self._bases: dict[int, Frame] = {}
        self._pauses = Pauses()
        self._unnamed = 0
        self._moving: Moving | None = None
        self._moved = 0.0
        self._is_hooked = True
        self.place(cell_id, frame, parts)

    def place(self, cell_id: int, frame: Frame, parts: tuple[Frame, ...] = ()) -> None:
        """Stand somewhere else; emitters come along. ``cell_id`` 0 is in no cell."""
        self.cell_id = cell_id
        self.frame = frame
        self.parts = parts
        self._bases.clear()

    def base(self, part: int) -> Frame:
        """Where the object or one of its parts is; the same object as long as it has not moved."""
        found = self._bases.get(part)
        if found is None:
            found = self.frame if part == WHOLE else self.frame.combine(self.parts[part])
            self._bases[part] = found
        return found

    def play(self, script_id: int, now: float) -> None:
        """Queue a script; nothing for one that is not there."""
        script = self._records.script(script_id)
        if script is not None:
            self.queue.add(script, now)

    def play_type(self, play_type: int, intensity: float, now: float) -> None:
        """Queue what the object's table has for an occasion; nothing without a table or a cell."""
        if not self.cell_id or not self.script_table:
            return
        table = self._records.script_table(self.script_table)
        script = table.choose(play_type, intensity) if table is not None else None
        if script is not None:
            self.play(script, now)

    def live_through(self, ticks: range, seconds: float) -> int:
        """Live through ticks of so many seconds in short, drawn as it stands; the first that is left.

        That is all they do as long as its emitters go on by themselves: ``tick`` is for the others, and for
        the last before somebody looks.
        """
        emitters = list(self.emitters.values())
        if self._moving is not None or not self.cell_id or not all(one.only_bears for one in emitters):
            return ticks.start
        until, due = min(self.queue.due, self._pauses.due) - EPS, -math.inf
        for tick in ticks:
            now = tick * seconds
            if not now <= until:
                return tick
            if not now < due:
                for one in emitters:
                    one.bear(now)
                due = min([one.next_birth for one in emitters], default=math.inf)
        return ticks.stop

    def tick(self, now: float, drawn: Callable[[Emitter], bool], *, static: bool = True) -> None:
        """One tick: scripts, then particles; the other way round for what is not ``static``; then pauses.

        Hooks of the animation that moves the object come before, with the parts where they were (motion 5.5).
        """
        if self._moving is not None:
            self._move(self._moving, now)
        if static and self.queue:
            self._run_scripts(now)
        for key, emitter in list(self.emitters.items()):
            if not emitter.update(now, self.base(emitter.part), drawn=drawn(emitter)):
                del self.emitters[key]
                self._room.end_emitter()
        if not static and self.queue:
            self._run_scripts(now)
        for script_id in self._pauses.take(now) if self._pauses else ():
            self.play(script_id, now)

    def run_hook(self, hook: AnimationHook, now: float, script: int = 0) -> None:
        """What a hook of a script, an animation or a server does; hooks of other kinds do nothing here.

        ``script`` is the one that it stands in, 0 for none.
        """
        values: tuple[Any, ...] = hook.values
        if hook.type in (CREATE_PARTICLE, CREATE_BLOCKING_PARTICLE):
            emitter_id, part, offset, key = values
            self.create(
                emitter_id,
                part,
                offset=offset.origin,
                key=key,
                now=now,
                blocks=hook.type == CREATE_BLOCKING_PARTICLE,
                script=script,
            )
        elif hook.type == DESTROY_PARTICLE:
            self.destroy(values[0])
        elif hook.type == STOP_PARTICLE:
            if values[0] in self.emitters:
                self.emitters[values[0]].stop()
        elif hook.type == DEFAULT_SCRIPT:
            self.play_type(*self.default_play, now)
        elif hook.type == CALL_SCRIPT:
            self._call(values[0], values[1], now)

    def create(
        self, emitter_id: int, part: int, *, offset: Vec3, key: int, now: float, blocks: bool = False,
        script: int = 0,
    ) -> Emitter | None:  # fmt: skip
        """Start an emitter on the object or a part; None where that fails, in silence but for want of room.

        One of the same name (``key``, 0 for none) goes first, or stands in the way where the new one
        ``blocks``.
        """
        if key and key in self.emitters:
            if blocks:
                return None
            self.destroy(key)
        record = self._records.emitter(emitter_id)
        if record is None or not record.hw_gfxobj or not (part == WHOLE or part < len(self.parts)):
            return None
        if not self._room.take_emitter(emitter_id, len(self.emitters)):
            return None
        if not key:
            self._unnamed += 1
            while self._unnamed in self.emitters:
                self._unnamed += 1
            key = self._unnamed
        emitter = Emitter(
            record,
            self._number_of(),
            self._pool,
            self._chance,
            base=self.base(part),
            hook=offset,
            now=now,
            part=part,
        )
        emitter.room = self._room
        if self.cell_id:  # elsewhere its particles' time may stand still
            emitter.unseen_until = self.unseen_until
            emitter.shown_from = self.shown_from
        emitter.script = script
        self.emitters[key] = emitter
        emitter.begin(now)
        return emitter

    def destroy(self, key: int) -> None:
        """An emitter and its particles vanish; nothing for a name that is not there."""
        emitter = self.emitters.pop(key, None)
        if emitter is not None:
            emitter.destroy()
            self._room.end_emitter()

    def end_scripts(self) -> None:
        """Nothing more is played; what was started goes on."""
        self.queue = ScriptQueue()
        self._pauses = Pauses()

    def close(self) -> None:
        """The object is gone, with all its emitters."""
        for key in list(self.emitters):
            self.destroy(key)

    def move_by(self, moving: Moving, since: float) -> None:
        """Let its parts move, and take the hooks that come due after a time."""
        self._moving = moving
        self._moved = since

    def end_animation(self) -> None:
        """No more hooks come of what moves it; the parts go on moving."""
        self._is_hooked = False

    def _move(self, moving: Moving, now: float) -> None:
        steps = (moving.weight if self._is_hooked else 0) + (len(self.parts) if self.emitters else 0)
        if not self._pool.room.take_work(steps):
            self._moving = None
            return
        for hook in moving.hooks(self._moved, now) if self._is_hooked else ():
            self.run_hook(hook, now)
        self._moved = now
        if self.emitters:
            self.parts = moving.parts(now)
            self._bases = {WHOLE: self.frame}

    def _run_scripts(self, now: float) -> None:
        done = 0

        def run(hook: AnimationHook) -> None:
            nonlocal done
            done += 1
            self.run_hook(hook, now, self.queue.script)

        if not self.queue.update(now, run):
            self.looped = True
            self.end_scripts()
        if not self._pool.room.take_work(done):
            self.end_scripts()

    def _call(self, script_id: int, pause: float, now: float) -> None:
        """A script calls another: at once, or after a random part of the pause."""
        if pause >= EPS:
            self._pauses.add(script_id, now + self._chance.next() * pause)
        elif self.cell_id:
            self.play(script_id, now)
