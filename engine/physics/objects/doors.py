"""Doors: use, open at once, close by themselves, solid when nobody is in the way (objects 9).

A door knows simulation time only. Its collision stands at the closed pose for ever; what swings is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.dat.pieces.hooks import AnimationHook
from engine.named_tuple import NamedTuple
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.objects.motion_clip import DoorMotion, Pose
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.world.physics_state import ETHEREAL
from engine.world.source import DoorFacts

RESET_INTERVAL = 30.0
HOLD_RETRY = 1.0
TIME_SLACK = 1e-9
MOST_TRIES = 1000
"""Times that a held door tries to close before ``now`` is reached; those before them are passed over."""
LONG_AGO = 3600.0  # seconds: whatever a clip began has come to its end

Occupied = Callable[[PhysicsObject], int]


class SavedDoor(NamedTuple):
    """Everything of a door that can change, but for its entity's state; the fields are its own."""

    phase: DoorPhase
    phase_start: float
    reset_at: float | None
    held_by: int
    locked: bool
    default_open: bool
    reset_interval: float


class DoorController:
    """The life of one door entity.

    ``occupied`` gives who stands in the door as it is now (objects 8.6), 0 for nobody; ``held_by`` is who did
    when it was to become solid last. A door that is
    spawned open is open by default, unless ``facts`` say otherwise: its reset opens it again. A locked
    door can be closed by use but not opened, from either side.
    """

    __slots__ = (
        "default_open", "held_by", "locked", "motion", "occupied", "phase", "phase_start",
        "registry", "reset_at", "reset_interval", "target",
    )  # fmt: skip

    def __init__(
        self,
        target: PhysicsObject,
        motion: DoorMotion,
        registry: ShadowRegistry,
        occupied: Occupied,
        *,
        reset_interval: float = RESET_INTERVAL,
        facts: DoorFacts | None = None,
    ) -> None:
        self.target = target
        self.motion = motion
        self.registry = registry
        self.occupied = occupied
        is_open = (target.state & ETHEREAL) != 0
        self.reset_interval = reset_interval if facts is None else facts.reset_interval
        self.default_open = is_open if facts is None else facts.default_open
        self.locked = facts is not None and facts.locked
        self.phase = DoorPhase.OPEN if is_open else DoorPhase.CLOSED
        self.phase_start = 0.0
        self.reset_at: float | None = None
        self.held_by = 0

    @property
    def entity_id(self) -> int:
        """The door's entity."""
        return self.target.entity_id

    @property
    def is_open(self) -> bool:
        """Open or on the way there: a use closes it."""
        return self.phase in (DoorPhase.OPENING, DoorPhase.OPEN)

    @property
    def is_busy(self) -> bool:
        """Whether a clip plays; uses are ignored."""
        return self.phase in (DoorPhase.OPENING, DoorPhase.CLOSING)

    @property
    def refuses(self) -> bool:
        """Whether it is locked and shut: uses come to nothing."""
        return self.locked and not self.is_open

    def countdown(self, now: float) -> float | None:
        """Seconds until the door opens or closes by itself; None when no reset is due that does anything."""
        if self.reset_at is None or self.is_open is self.default_open:
            return None
        return max(0.0, self.reset_at - now)

    def phase_ends_in(self, now: float) -> float | None:
        """Seconds until the clip ends or a held door tries to close; None where the phase has no end."""
        end = self._phase_end()
        return None if end is None else max(0.0, end - now)

    def use(self, now: float) -> bool:
        """Open or close the door; False when it is busy or refuses. Any earlier reset becomes stale."""
        if self.is_busy or self.refuses:
            return False
        self.reset_at = now + self.reset_interval
        if self.is_open:
            self._close(now)
        else:
            self._open(now)
        return True

    def set_state(self, state: int, now: float) -> None:
        """Assign a state: passable or solid at once, whoever stands there, and nothing more is due."""
        self.registry.update_physics_state(self.entity_id, state)
        self.reset_at = None
        self._enter(DoorPhase.OPEN if state & ETHEREAL else DoorPhase.CLOSED, now)

    def resume(self, state: int, phase: DoorPhase, since: float, now: float) -> None:
        """Be in a state and a phase that began ``since`` seconds ago; no reset is due."""
        self.set_state(state, now)
        self._enter(phase, now - since)

    def stage(self, state: int, phase: DoorPhase, start: float, *, locked: bool) -> None:
        """Take a state word, a phase that began at ``start``, and a lock, each as it is told.

        A server's bugs can be staged so: a bit that the pose belies. The reset that is due stays.
        """
        self._assign(state)
        held_by = self.held_by
        self._enter(phase, start)
        self.held_by = held_by if phase is DoorPhase.HELD else 0
        self.locked = locked

    def saved(self) -> SavedDoor:
        """What it is doing."""
        return SavedDoor(
            phase=self.phase,
            phase_start=self.phase_start,
            reset_at=self.reset_at,
            held_by=self.held_by,
            locked=self.locked,
            default_open=self.default_open,
            reset_interval=self.reset_interval,
        )

    def restore(self, saved: SavedDoor) -> None:
        """Be doing what was saved; the entity's state is not its own."""
        self.phase, self.phase_start, self.reset_at = saved.phase, saved.phase_start, saved.reset_at
        self.held_by, self.locked = saved.held_by, saved.locked
        self.default_open, self.reset_interval = saved.default_open, saved.reset_interval

    def advance(self, now: float) -> None:
        """Let everything happen that is due by ``now``, each thing at its own time."""
        while True:
            due = self._next_due()
            if due is None or due > now + TIME_SLACK:
                return
            if self.reset_at == due:
                self._reset(due)
            elif self.phase is DoorPhase.OPENING:
                self._enter(DoorPhase.OPEN, due)
            else:
                self._finalize_close(due)
                if self.phase is DoorPhase.HELD:
                    self._pass_over_tries(now)

    def _pass_over_tries(self, now: float) -> None:
        """Whoever is in the way was so at every try: nothing moves within one call."""
        end = now if self.reset_at is None else min(now, self.reset_at)
        tries = math.floor((end - self.phase_start) / HOLD_RETRY) - MOST_TRIES
        if tries > 0:
            self.phase_start += tries * HOLD_RETRY

    def pose(self, t: float) -> Pose:
        """The parts' frames to draw at simulation time ``t``, object space, unscaled."""
        motion, since = self.motion, t - self.phase_start
        if self.phase is DoorPhase.CLOSED:
            return motion.closed_cycle.pose_in_loop(since) or motion.closed_pose  # as most doors are
        if self.phase is DoorPhase.OPENING and since < motion.opening.length:
            return motion.opening.pose_at(since) or motion.open_pose
        if self.is_open:
            return motion.open_cycle.pose_in_loop(since) or motion.open_pose
        if self.phase is DoorPhase.CLOSING and since < motion.closing.length:
            return motion.closing.pose_at(since) or motion.closed_pose
        return motion.closed_cycle.pose_in_loop(since) or motion.closed_pose

    def hooks(self, t: float) -> list[tuple[float, AnimationHook]]:
        """The hooks of its clips by simulation time ``t`` that decide how it looks, each with its time.

        Open, it looks as at the end of its opening, however it came to be open; shut, as at that of its
        closing, and before it has ever closed as its model is.
        """
        motion, start = self.motion, self.phase_start
        opening, closing = motion.opening, motion.closing
        if self.phase is DoorPhase.OPENING:
            played = [(start, opening)]
        elif self.phase is DoorPhase.OPEN:
            played = [(start - opening.length, opening)]
        elif self.phase is DoorPhase.CLOSING:
            played = [(start - LONG_AGO, opening), (start, closing)]
        else:
            played = [(start - closing.length, closing)] if start > 0.0 else []
        return [(begun + at, hook) for begun, clip in played for at, hook in clip.hooks if begun + at <= t]

    def _next_due(self) -> float | None:
        due, end = self.reset_at, self._phase_end()
        if due is None or (end is not None and end < due):
            return end
        return due

    def _phase_end(self) -> float | None:
        if self.phase is DoorPhase.OPENING:
            return self.phase_start + self.motion.opening.length
        if self.phase is DoorPhase.CLOSING:
            return self.phase_start + self.motion.closing.length
        return self.phase_start + HOLD_RETRY if self.phase is DoorPhase.HELD else None

    def _enter(self, phase: DoorPhase, now: float) -> None:
        if phase is not DoorPhase.HELD:
            self.held_by = 0
        self.phase = phase
        self.phase_start = now

    def _assign(self, state: int) -> None:
        if state != self.target.state:
            self.registry.update_physics_state(self.entity_id, state)

    def _open(self, now: float) -> None:
        self._assign(self.target.state | ETHEREAL)
        self._enter(DoorPhase.OPENING, now)
        self.advance(now)

    def _close(self, now: float) -> None:
        self._enter(DoorPhase.CLOSING, now)
        self.advance(now)

    def _reset(self, due: float) -> None:
        self.reset_at = None
        if self.default_open and not self.is_open:
            self._open(due)
        elif self.is_open and not self.default_open:
            self._close(due)

    def _finalize_close(self, due: float) -> None:
        """Become solid, unless somebody is in the way: then stay passable and try again."""
        self._assign(self.target.state & ~ETHEREAL)
        self.held_by = self.occupied(self.target)
        if self.held_by:
            self._assign(self.target.state | ETHEREAL)
            self._enter(DoorPhase.HELD, due)
        else:
            self._enter(DoorPhase.CLOSED, due)
