"""A body's sweep: build its transition, run it, commit it, say what happened (physics 3.4, decision 15)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.values import Plane, Vec3
from engine.physics.enums import (
    EDGE_SLIDE_STATE,
    EPS,
    ETHEREAL,
    MISSILE,
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_FREE_ROTATE,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PK_LITE,
    OI_IS_PLAYER,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    SPE_OK,
    TELEPORT_FLAGS,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
)
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import build_cell_list
from engine.physics.simulation.body import PhysicsBody
from engine.physics.transition.placement import force_into_cell, set_position
from engine.physics.transition.sphere_path import SpherePath
from engine.physics.transition.trace import Hit, SweepTrace
from engine.physics.transition.transition import Transition
from engine.world.cell_graph import CellGraph
from engine.world.frame import Position


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What one sweep came to, after its commit.

    ``ok`` is False when it was refused as a whole: the body stayed as it was. ``position`` is in the
    block frame of its cell id. ``cells`` are the ids of the collision cell array where the body is now,
    seeded with its cell. ``hits`` changed the outcome, ``touched`` are entities that did not.
    ``sliding_normal`` is what the body takes along into its next sweep, ``refused_by`` why this one was
    refused.
    """

    ok: bool
    cell_id: int
    position: Position
    on_ground: bool
    normal: Vec3 | None
    hits: tuple[Hit, ...]
    touched: tuple[int, ...]
    contact_plane: Plane | None
    contact_plane_cell_id: int
    cells: tuple[int, ...]
    changed: bool
    trace: SweepTrace | None = None
    sliding_normal: Vec3 | None = None
    refused_by: str = ""

    @property
    def collided(self) -> bool:
        """Whether there is a collision normal."""
        return self.normal is not None


def make_transition(world: CellGraph, body: PhysicsBody, trace: SweepTrace | None = None) -> Transition:
    """A transition with the body's spheres, heights and flags, but none of its contact (SetPosition)."""
    t = Transition(world, body, body.movement_spheres, trace)
    oi = t.object_info
    oi.step_up_height = body.step_up_height
    oi.step_down_height = body.step_down_height
    oi.ethereal = (body.state & ETHEREAL) != 0
    oi.step_down = (body.state & MISSILE) == 0
    if body.is_player:
        oi.state |= OI_IS_PLAYER
    if body.is_impenetrable:
        oi.state |= OI_IS_IMPENETRABLE
    if body.is_pk:
        oi.state |= OI_IS_PK
    if body.is_pk_lite:
        oi.state |= OI_IS_PK_LITE
    return t


def make_sweep(
    world: CellGraph, body: PhysicsBody, target: Position, trace: SweepTrace | None = None
) -> Transition:
    """The transition from where the body is to ``target``, with its contact and sliding state (3.4)."""
    t = make_transition(world, body, trace)
    oi = t.object_info
    info = t.collision_info
    if body.state & EDGE_SLIDE_STATE:
        oi.state |= OI_EDGE_SLIDE
    transient = body.transient_state
    if transient & TS_CONTACT:
        info.last_known_contact_plane_valid = True
        info.last_known_contact_plane = body.contact_plane
        info.last_known_contact_plane_cell_id = body.contact_plane_cell_id
        info.last_known_contact_plane_is_water = body.contact_plane_is_water
        if not is_separating(body):
            info.contact_from_last_known()
            oi.state |= OI_CONTACT
            if transient & TS_ON_WALKABLE:
                oi.state |= OI_ON_WALKABLE
    if transient & TS_SLIDING:
        info.sliding_normal_valid = True
        info.sliding_normal = body.sliding_normal
    if body.free_heading:
        oi.state |= OI_FREE_ROTATE
    if body.state & MISSILE:
        oi.state |= OI_PATH_CLIPPED
    if transient & TS_STATIONARY_STUCK:
        info.frames_stationary_fall = 3
    elif transient & TS_STATIONARY_STOP:
        info.frames_stationary_fall = 2
    elif transient & TS_STATIONARY_FALL:
        info.frames_stationary_fall = 1
    t.init_path(body.cell, body.position, target)
    return t


def is_separating(body: PhysicsBody) -> bool:
    """Whether the body's velocity leads it off its contact plane (check_contact is the opposite)."""
    n, v = body.contact_plane.normal, body.velocity
    return v[0] * n[0] + v[1] * n[1] + v[2] * n[2] > EPS


def sweep(
    world: CellGraph, body: PhysicsBody, target: Position, trace: SweepTrace | None = None
) -> SweepResult:
    """Sweep a body to a target position and commit; a refused sweep changes nothing."""
    before = 0 if body.cell is None else body.cell.id
    t = make_sweep(world, body, target, trace)
    ok = t.find_valid_position()
    if ok:
        body.set_position_internal(t)
    return report(world, body, t, ok, before)


def place(
    world: CellGraph,
    body: PhysicsBody,
    pos: Position,
    flags: int = TELEPORT_FLAGS,
    trace: SweepTrace | None = None,
) -> tuple[int, SweepResult]:
    """Put a body somewhere (spawn, teleport): the SetPositionError and what became of it."""
    before = 0 if body.cell is None else body.cell.id
    t = make_transition(world, body, trace)
    error = set_position(t, pos, flags)
    return error, report(world, body, t, error == SPE_OK, before)


def force(world: CellGraph, body: PhysicsBody, pos: Position) -> SweepResult:
    """Put a body somewhere whether there is room or not; not ``ok`` where no cell holds the place."""
    before = 0 if body.cell is None else body.cell.id
    t = make_transition(world, body)
    return report(world, body, t, force_into_cell(t, pos), before)


def report(world: CellGraph, body: PhysicsBody, t: Transition, ok: bool, before: int) -> SweepResult:
    """The result of a transition that was committed (or refused) on a body."""
    info = t.collision_info
    cell_id = 0 if body.cell is None else body.cell.id
    return SweepResult(
        ok,
        cell_id,
        body.position,
        body.on_ground,
        info.collision_normal if info.collision_normal_valid else None,
        tuple(t.hits),
        tuple(target.entity_id for target in info.touched),
        body.contact_plane if body.in_contact else None,
        body.contact_plane_cell_id,
        cells_at(world, body),
        cell_id != before,
        t.trace,
        body.sliding_normal if body.transient_state & TS_SLIDING else None,
        t.refused_by,
    )


def cells_at(world: CellGraph, body: PhysicsBody) -> tuple[int, ...]:
    """The collision cell array where a body stands, seeded with its own cell."""
    path = SpherePath(body.movement_spheres)
    path.set_check_pos(body.position, body.cell)
    array = CellArray()
    build_cell_list(world, body.position.cell_id, path.global_sphere, array, False, None)
    return tuple(array.ids)
