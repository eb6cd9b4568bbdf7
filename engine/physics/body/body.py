"""The body: where a mover is, how it moves and what it stands on (sweep 2.2, 3.18)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Final

from engine.dat.values import Sphere, Vec3
from engine.physics.body.bounce import reflect
from engine.physics.body.encounters import Encounters
from engine.physics.body.outcome import Contact, Outcome
from engine.physics.enums import (
    DEFAULT_ELASTICITY,
    DEFAULT_FRICTION,
    FLOOR_Z,
    GRAVITY_Z,
    MAX_VELOCITY,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_WATER_CONTACT,
)
from engine.physics.objects.cross_cells import DUMMY_SPHERE
from engine.world.cells import ObjCell, ShadowObject
from engine.world.frame import NOWHERE, Frame, Position
from engine.world.physics_state import (
    ALIGN_PATH,
    ETHEREAL,
    GRAVITY,
    IGNORE_COLLISIONS,
    INELASTIC,
    MISSILE,
    PATH_CLIPPED_STATE,
    PLAYER_STATE,
    REPORT_AS_ENVIRONMENT,
    SLEDDING,
    STATIC,
)

HUMAN_SPHERES = (Sphere((0.0, 0.0, 0.475), 0.48), Sphere((0.0, 0.0, 1.35), 0.48))
HUMAN_STEP_UP: Final = 0.6
HUMAN_STEP_DOWN: Final = 1.5
MISSILE_BITS: Final = MISSILE | ALIGN_PATH | PATH_CLIPPED_STATE

CommitListener = Callable[["PhysicsBody", "ObjCell | None", Outcome], None]
GroundListener = Callable[["PhysicsBody"], None]

_pack: Final = struct.Struct("fff").pack
_unpack: Final = struct.Struct("fff").unpack


class PhysicsBody:
    """A physics object that can move.

    ``spheres`` are object-local and scaled, as are the step heights (metres). ``position`` is in the
    block frame of its cell id, ``velocity`` and ``acceleration`` in block axes, ``omega`` in radians a
    second. ``contact`` is None in the air. ``cell`` can be read by all and is written by
    ``set_position_internal`` alone. Listeners in ``on_commit`` get the body, the cell it left (the same
    one where it did not change) and the outcome. ``touching`` holds the entities met lately, by
    ``clock``: seconds of simulation time.
    """

    __slots__ = (
        "_cell", "acceleration", "cell_ids", "clock", "colliding_with_environment", "contact",
        "elasticity",
        "free_heading", "friction", "id", "is_impenetrable", "is_pk", "is_pk_lite",
        "is_player", "omega", "on_commit", "on_hit_ground",
        "on_leave_ground", "position", "scale", "sliding_normal", "spheres", "state",
        "step_down_height", "step_up_height", "touching", "transient_state", "velocity",
    )  # fmt: skip

    def __init__(
        self,
        object_id: int,
        spheres: Sequence[Sphere] = HUMAN_SPHERES,
        *,
        step_up_height: float = HUMAN_STEP_UP,
        step_down_height: float = HUMAN_STEP_DOWN,
        state: int = PLAYER_STATE,
        scale: float = 1.0,
    ) -> None:
        self.id = object_id
        self.spheres: tuple[Sphere, ...] = tuple(spheres[:2])
        self.scale = scale
        self.step_up_height = step_up_height
        self.step_down_height = step_down_height
        self.state = state
        self.transient_state = 0
        self.position: Position = NOWHERE
        self._cell: ObjCell | None = None
        self.cell_ids: tuple[int, ...] = ()
        self.velocity: Vec3 = (0.0, 0.0, 0.0)
        self.acceleration: Vec3 = (0.0, 0.0, 0.0)
        self.omega: Vec3 = (0.0, 0.0, 0.0)
        self.friction = DEFAULT_FRICTION
        self.elasticity = DEFAULT_ELASTICITY
        self.contact: Contact | None = None
        self.sliding_normal: Vec3 = (0.0, 0.0, 0.0)
        self.colliding_with_environment = False
        self.touching = Encounters()
        self.clock = 0.0
        self.free_heading = False
        self.is_player = True
        self.is_impenetrable = False
        self.is_pk = False
        self.is_pk_lite = False
        self.on_commit: list[CommitListener] = []
        self.on_leave_ground: list[GroundListener] = []
        self.on_hit_ground: list[GroundListener] = []

    @property
    def cell(self) -> ObjCell | None:
        """The current cell, as the last commit left it."""
        return self._cell

    @property
    def in_contact(self) -> bool:
        """Whether the body touches ground of any steepness."""
        return (self.transient_state & TS_CONTACT) != 0

    @property
    def on_walkable(self) -> bool:
        """The OnWalkable bit alone."""
        return (self.transient_state & TS_ON_WALKABLE) != 0

    @property
    def on_ground(self) -> bool:
        """Contact and OnWalkable (sweep 3.23)."""
        return self.transient_state & (TS_CONTACT | TS_ON_WALKABLE) == TS_CONTACT | TS_ON_WALKABLE

    @property
    def movement_spheres(self) -> tuple[Sphere, ...]:
        """The spheres that a sweep moves: the dummy for a body without any (sweep 2.1)."""
        return self.spheres if self.spheres else (DUMMY_SPHERE,)

    def set_position_internal(self, outcome: Outcome) -> None:
        """Commit what a path came to: the one place where the current cell is written (sweep 3.18).

        The origin is rounded to single precision (sweep 0.2). A path that ended in no cell leaves
        the body without one, and inactive.
        """
        frame = outcome.position.frame
        previous = self._cell
        self.position = Position(outcome.position.cell_id, frame.with_origin(single(frame.origin)))
        self._cell = outcome.cell
        if outcome.cell is None:
            self.transient_state &= ~TS_ACTIVE
        else:
            self._take(outcome)
        for listener in self.on_commit:
            listener(self, previous, outcome)

    def _take(self, outcome: Outcome) -> None:
        """Contact, slide and collisions of a path that ended in a cell."""
        was_on_walkable = self.on_walkable
        contact = outcome.contact
        self.contact = contact
        self.transient_state &= ~(TS_CONTACT | TS_WATER_CONTACT)
        if contact is not None:
            self.transient_state |= TS_CONTACT | TS_WATER_CONTACT if contact.is_water else TS_CONTACT
        self.set_on_walkable(value=contact is not None and contact.normal[2] >= FLOOR_Z)
        sliding = outcome.sliding_normal
        self.sliding_normal = (0.0, 0.0, 0.0) if sliding is None else sliding
        self._set_bit(TS_SLIDING, value=sliding is not None)
        self.handle_all_collisions(outcome, was_on_walkable=was_on_walkable)
        if outcome.cell_ids:
            self.cell_ids = outcome.cell_ids

    def handle_all_collisions(self, outcome: Outcome, *, was_on_walkable: bool) -> bool:
        """Report what was met, reflect the velocity, keep the stationary bits (sweep 3.20).

        ``was_on_walkable`` is the OnWalkable bit before the commit. Whether anything was reported.
        """
        now_walkable = self.on_walkable
        reported = False
        for target in outcome.objects:
            if self._report_object(target):
                reported = True
        self.touching.end(self.clock)
        if self.colliding_with_environment:
            self.colliding_with_environment = outcome.collided_with_environment
        elif outcome.collided_with_environment or (not was_on_walkable and now_walkable):
            self._report_environment()
            reported = True
        frames = outcome.frames_stationary_fall
        if frames > 1:
            self.velocity = (0.0, 0.0, 0.0)
        elif not (was_on_walkable and now_walkable and not self.state & SLEDDING):
            self._bounce(outcome.collision_normal)
        if frames in (0, 3):  # the third has put a floor under the body
            self.transient_state &= ~TS_STATIONARY
        else:
            self.transient_state |= TS_STATIONARY_FALL if frames == 1 else TS_STATIONARY_STOP
        return reported

    def _bounce(self, normal: Vec3 | None) -> None:
        if normal is not None:
            inelastic = self.state & INELASTIC
            self.velocity = (0.0, 0.0, 0.0) if inelastic else reflect(self.velocity, normal, self.elasticity)

    def _report_object(self, target: ShadowObject) -> bool:
        """Remember a target that was met; whether that is news."""
        if target.state & STATIC:
            self._report_environment()
            return True
        if not self.touching.meet(target.entity_id, self.clock, ethereal=(target.state & ETHEREAL) != 0):
            return False
        if target.state & REPORT_AS_ENVIRONMENT:
            self._report_environment()
        elif not target.state & IGNORE_COLLISIONS and self.state & MISSILE:
            self.state &= ~MISSILE_BITS
        return True

    def _report_environment(self) -> None:
        """The body has run into the world: a missile ends there."""
        self.colliding_with_environment = True
        self.state &= ~MISSILE

    def _set_bit(self, bit: int, *, value: bool) -> None:
        if value:
            self.transient_state |= bit
        else:
            self.transient_state &= ~bit

    def set_on_walkable(self, *, value: bool) -> None:
        """Change the OnWalkable bit, telling who listens about leaving or hitting the ground."""
        was = self.on_walkable
        self._set_bit(TS_ON_WALKABLE, value=value)
        self.calc_acceleration()
        if was and not value:
            for left in self.on_leave_ground:
                left(self)
        elif value and not was:
            for landed in self.on_hit_ground:
                landed(self)

    def calc_acceleration(self) -> None:
        """None on walkable ground unless sledding, else gravity for who has it (sweep 3.3)."""
        if self.on_ground and not self.state & SLEDDING:
            self.acceleration = (0.0, 0.0, 0.0)
            self.omega = (0.0, 0.0, 0.0)
        elif self.state & GRAVITY:
            self.acceleration = (0.0, 0.0, GRAVITY_Z)
        else:
            self.acceleration = (0.0, 0.0, 0.0)

    def set_velocity(self, v: Vec3) -> None:
        """Give the body a velocity in block axes, clamped to 50 m/s (sweep 3.3)."""
        m2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        if m2 > MAX_VELOCITY * MAX_VELOCITY:
            k = MAX_VELOCITY / m2**0.5
            v = (v[0] * k, v[1] * k, v[2] * k)
        self.velocity = v
        self.transient_state |= TS_ACTIVE

    def stop(self) -> None:
        """Take the velocity away (sweep 2.8)."""
        self.set_velocity((0.0, 0.0, 0.0))

    def set_local_velocity(self, v: Vec3) -> None:
        """Give the body a velocity in its own axes."""
        self.set_velocity(self.position.frame.to_global_vec(v))

    def set_frame(self, frame: Frame) -> None:
        """Turn (or, for what owns no cell, place) the body without a sweep: same cell id."""
        self.position = Position(self.position.cell_id, frame)


def single(p: Vec3) -> Vec3:
    """A point rounded to single precision, as committed origins are (sweep 0.2).

    Kept in double precision, a walk drifts from a recorded one by a millimetre in 250 ticks.
    """
    rounded: Vec3 = _unpack(_pack(p[0], p[1], p[2]))
    return rounded
