"""The body: where a mover is, how it moves and what it stands on (physics 2.2, 3.18)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from engine.dat.values import Plane, Sphere, Vec3
from engine.physics.enums import (
    DEFAULT_ELASTICITY,
    DEFAULT_FRICTION,
    FLOOR_Z,
    GRAVITY,
    GRAVITY_Z,
    MAX_VELOCITY,
    PLAYER_STATE,
    SLEDDING,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_WATER_CONTACT,
)
from engine.physics.simulation.bounce import handle_all_collisions
from engine.physics.transition.collision_info import NO_PLANE
from engine.physics.transition.sphere_path import NOWHERE
from engine.world.cells import ObjCell
from engine.world.frame import Frame, Position

if TYPE_CHECKING:
    from engine.physics.transition.transition import Transition

DUMMY_SPHERE = Sphere((0.0, 0.0, 0.1), 0.1)
HUMAN_SPHERES = (Sphere((0.0, 0.0, 0.475), 0.48), Sphere((0.0, 0.0, 1.35), 0.48))
HUMAN_STEP_UP: Final = 0.6
HUMAN_STEP_DOWN: Final = 1.5

CommitListener = Callable[["PhysicsBody", "ObjCell | None", "Transition"], None]
GroundListener = Callable[["PhysicsBody"], None]

_SINGLE = struct.Struct("fff")


class PhysicsBody:
    """A physics object that can move.

    ``spheres`` are object-local and scaled, as are the step heights (metres). ``position`` is in the
    block frame of its cell id, ``velocity`` and ``acceleration`` in block axes, ``omega`` in radians a
    second. The contact plane is in the block frame of ``contact_plane_cell_id``. ``cell`` can be read
    by all and is written by ``set_position_internal`` alone. Listeners in ``on_commit`` get the
    body, the cell it left (the same one where it did not change) and the transition. ``touching`` holds
    the entities met lately: when (``clock``, seconds of simulation time) and whether ethereal.
    """

    __slots__ = (
        "_cell", "acceleration", "cell_ids", "clock", "colliding_with_environment",
        "contact_plane", "contact_plane_cell_id", "contact_plane_is_water", "elasticity",
        "free_heading", "friction", "id", "is_impenetrable", "is_pk", "is_pk_lite",
        "is_player", "omega", "on_commit", "on_hit_ground",
        "on_leave_ground", "position", "scale", "sliding_normal", "spheres", "state",
        "step_down_height", "step_up_height", "touching", "transient_state", "velocity",
    )  # fmt: skip

    def __init__(
        self,
        object_id: int,
        spheres: Sequence[Sphere] = HUMAN_SPHERES,
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
        self.contact_plane: Plane = NO_PLANE
        self.contact_plane_cell_id = 0
        self.contact_plane_is_water = False
        self.sliding_normal: Vec3 = (0.0, 0.0, 0.0)
        self.colliding_with_environment = False
        self.touching: dict[int, tuple[float, bool]] = {}
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
        """Contact and OnWalkable (decision 15)."""
        return self.transient_state & (TS_CONTACT | TS_ON_WALKABLE) == TS_CONTACT | TS_ON_WALKABLE

    @property
    def movement_spheres(self) -> tuple[Sphere, ...]:
        """The spheres that a sweep moves: the dummy for a body without any (physics 2.1)."""
        return self.spheres if self.spheres else (DUMMY_SPHERE,)

    def set_position_internal(self, transition: Transition) -> None:
        """Commit a transition: the one place where the current cell is written (physics 3.18).

        The origin is rounded to single precision (physics 0.2). A path that ended in no cell leaves
        the body without one, and inactive.
        """
        path = transition.sphere_path
        info = transition.collision_info
        pos = path.curr_pos
        frame = pos.frame
        previous = self._cell
        self.position = Position(pos.cell_id, frame.with_origin(single(frame.origin)))
        if path.curr_cell is not previous:
            self._cell = path.curr_cell
        if path.curr_cell is None:
            self.transient_state &= ~TS_ACTIVE
            for lost_listener in self.on_commit:
                lost_listener(self, previous, transition)
            return
        before = self.transient_state
        self.contact_plane = info.contact_plane
        self.contact_plane_cell_id = info.contact_plane_cell_id
        self.contact_plane_is_water = info.contact_plane_is_water
        self._set_bit(TS_CONTACT, info.contact_plane_valid)
        self._set_bit(TS_WATER_CONTACT, info.contact_plane_is_water)
        self.set_on_walkable(info.contact_plane_valid and info.contact_plane.normal[2] >= FLOOR_Z)
        self.sliding_normal = info.sliding_normal
        self._set_bit(TS_SLIDING, info.sliding_normal_valid)
        handle_all_collisions(self, info, (before & TS_ON_WALKABLE) != 0)
        if transition.cell_array.ids:
            self.cell_ids = tuple(transition.cell_array.ids)
        for listener in self.on_commit:
            listener(self, previous, transition)

    def _set_bit(self, bit: int, value: bool) -> None:
        if value:
            self.transient_state |= bit
        else:
            self.transient_state &= ~bit

    def set_on_walkable(self, value: bool) -> None:
        """Change the OnWalkable bit, telling who listens about leaving or hitting the ground."""
        was = self.on_walkable
        self._set_bit(TS_ON_WALKABLE, value)
        self.calc_acceleration()
        if was and not value:
            for left in self.on_leave_ground:
                left(self)
        elif value and not was:
            for landed in self.on_hit_ground:
                landed(self)

    def calc_acceleration(self) -> None:
        """None on walkable ground unless sledding, else gravity for who has it (physics 3.3)."""
        if self.on_ground and not self.state & SLEDDING:
            self.acceleration = (0.0, 0.0, 0.0)
            self.omega = (0.0, 0.0, 0.0)
        elif self.state & GRAVITY:
            self.acceleration = (0.0, 0.0, GRAVITY_Z)
        else:
            self.acceleration = (0.0, 0.0, 0.0)

    def set_velocity(self, v: Vec3) -> None:
        """Give the body a velocity in block axes, clamped to 50 m/s (physics 3.3)."""
        m2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        if m2 > MAX_VELOCITY * MAX_VELOCITY:
            k = MAX_VELOCITY / m2**0.5
            v = (v[0] * k, v[1] * k, v[2] * k)
        self.velocity = v
        self.transient_state |= TS_ACTIVE

    def stop(self) -> None:
        """Take the velocity away (physics 2.8)."""
        self.set_velocity((0.0, 0.0, 0.0))

    def set_local_velocity(self, v: Vec3) -> None:
        """Give the body a velocity in its own axes."""
        self.set_velocity(self.position.frame.to_global_vec(v))

    def set_frame(self, frame: Frame) -> None:
        """Turn (or, for what owns no cell, place) the body without a sweep: same cell id."""
        self.position = Position(self.position.cell_id, frame)


def single(p: Vec3) -> Vec3:
    """A point rounded to single precision, as committed origins are (physics 0.2).

    Kept in double precision, a walk drifts from a recorded one by a millimetre in 250 ticks.
    """
    x, y, z = _SINGLE.unpack(_SINGLE.pack(p[0], p[1], p[2]))
    return (float(x), float(y), float(z))
