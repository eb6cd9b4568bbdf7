"""A body's sweep: build its transition, run it, commit it, say what happened (sweep 3.4, 3.23)."""

from __future__ import annotations

from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_FREE_ROTATE,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PK_LITE,
    OI_IS_PLAYER,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    REFUSED_UNLOADED,
    SPE_OK,
    TELEPORT_FLAGS,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
)
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import build_cell_list
from engine.physics.simulation.set_position import force_into_cell, set_position
from engine.physics.transition.hit import Hit
from engine.physics.transition.run import find_valid_position, new_transition
from engine.physics.transition.trace import SweepTrace
from engine.physics.transition.transition import Transition
from engine.world.cell_graph import CellGraph
from engine.world.frame import Position
from engine.world.physics_state import EDGE_SLIDE_STATE, ETHEREAL, MISSILE
from engine.world.tolerance import EPS
from engine.world.way import Knot


@mypyc_attr(acyclic=True)
class SweepResult:
    """What one sweep came to, after its commit; never changed.

    ``ok`` is False when it was refused as a whole: the body stayed as it was. ``position`` is in the
    block frame of its cell id. ``cells`` are the ids of the collision cell array where the body is now,
    seeded with its cell. ``hits`` changed the outcome, ``touched`` are entities that did not.
    ``sliding_normal`` is what the body takes along into its next sweep, ``refused_by`` why this one was
    refused. ``way`` are the accepted sub-steps.
    """

    __slots__ = (
        "cell_id", "cells", "changed", "contact", "hits", "normal", "ok", "on_ground", "position",
        "refused_by", "sliding_normal", "touched", "trace", "way",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - the fields of a result, by keyword
        self,
        *,
        ok: bool,
        cell_id: int,
        position: Position,
        on_ground: bool,
        normal: Vec3 | None = None,
        hits: tuple[Hit, ...] = (),
        touched: tuple[int, ...] = (),
        contact: Contact | None,
        cells: tuple[int, ...],
        changed: bool = False,
        way: tuple[Knot, ...] = (),
        trace: SweepTrace | None = None,
        sliding_normal: Vec3 | None = None,
        refused_by: str = "",
    ) -> None:
        self.ok: Final = ok
        self.cell_id: Final = cell_id
        self.position: Final = position
        self.on_ground: Final = on_ground
        self.normal: Final = normal
        self.hits: Final = hits
        self.touched: Final = touched
        self.contact: Final = contact
        self.cells: Final = cells
        self.changed: Final = changed
        self.way: Final = way
        self.trace: Final = trace
        self.sliding_normal: Final = sliding_normal
        self.refused_by: Final = refused_by

    @property
    def collided(self) -> bool:
        """Whether there is a collision normal."""
        return self.normal is not None

    def settled(self) -> SweepResult:
        """The same without what was met: a body that settles where it was put collides with nothing."""
        return SweepResult(
            ok=self.ok,
            cell_id=self.cell_id,
            position=self.position,
            on_ground=self.on_ground,
            contact=self.contact,
            cells=self.cells,
            changed=self.changed,
            way=self.way,
            trace=self.trace,
            sliding_normal=self.sliding_normal,
            refused_by=self.refused_by,
        )


def make_transition(world: CellGraph, body: PhysicsBody, trace: SweepTrace | None = None) -> Transition:
    """A transition with the body's spheres, heights and flags, but none of its contact (SetPosition)."""
    t = new_transition(world, body, body.movement_spheres, trace)
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
    world: CellGraph,
    body: PhysicsBody,
    target: Position,
    trace: SweepTrace | None = None,
    *,
    keeps_contact: bool = False,
) -> Transition:
    """The transition from where the body is to ``target``, with its contact and sliding state (sweep 3.4).

    With ``keeps_contact`` it starts in contact even where the body's velocity leads off the ground.
    """
    t = make_transition(world, body, trace)
    oi = t.object_info
    info = t.collision_info
    if body.state & EDGE_SLIDE_STATE:
        oi.state |= OI_EDGE_SLIDE
    transient = body.transient_state
    contact = body.contact
    if contact is not None:
        info.remember(contact)
        if keeps_contact or not is_separating(body):
            info.contact = contact
            oi.state |= OI_CONTACT
            if transient & TS_ON_WALKABLE:
                oi.state |= OI_ON_WALKABLE
    if transient & TS_SLIDING:
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
    contact, v = body.contact, body.velocity
    if contact is None:
        return False
    n = contact.normal
    return v[0] * n[0] + v[1] * n[1] + v[2] * n[2] > EPS


def carry_out(t: Transition) -> bool:
    """Run a sweep and commit where it led; False when it was refused, which changes nothing.

    A path that ends where nothing is loaded is refused as well: the world ends there for a walker.
    """
    found = find_valid_position(t)
    if t.sphere_path.curr_cell is None:
        t.refused_by = t.refused_by if t.sphere_path.begin_cell is None else REFUSED_UNLOADED
        return False
    if not found:
        return False
    t.mover.set_position_internal(t.outcome())
    return True


def sweep(
    world: CellGraph,
    body: PhysicsBody,
    target: Position,
    trace: SweepTrace | None = None,
    *,
    flags: int = 0,
    keeps_contact: bool = False,
) -> SweepResult:
    """Sweep a body to a target position and commit; ``flags`` are OI_* bits beside the body's own."""
    before = 0 if body.cell is None else body.cell.id
    t = make_sweep(world, body, target, trace, keeps_contact=keeps_contact)
    t.object_info.state |= flags
    return report(world, t, ok=carry_out(t), before=before)


def kept(world: CellGraph, body: PhysicsBody, refused_by: str = "") -> SweepResult:
    """The result without a sweep: nothing moved, nothing was hit, contact is kept (sweep 3.23)."""
    cell = body.cell
    return SweepResult(
        ok=not refused_by,
        cell_id=0 if cell is None else cell.id,
        position=body.position,
        on_ground=body.on_ground,
        contact=body.contact,
        cells=() if cell is None else cells_at(world, body),
        sliding_normal=_sliding_normal(body),
        refused_by=refused_by,
    )


def _sliding_normal(body: PhysicsBody) -> Vec3 | None:
    return body.sliding_normal if body.transient_state & TS_SLIDING else None


def place(
    world: CellGraph,
    body: PhysicsBody,
    pos: Position,
    flags: int = TELEPORT_FLAGS,
    *,
    trace: SweepTrace | None = None,
) -> tuple[int, SweepResult]:
    """Put a body somewhere (spawn, teleport): the SetPositionError and what became of it."""
    before = 0 if body.cell is None else body.cell.id
    t = make_transition(world, body, trace)
    error = set_position(t, pos, flags)
    result = report(world, t, ok=error == SPE_OK, before=before)
    if trace is not None:
        end = result.position
        trace.place((pos.frame.origin, pos.cell_id), (end.frame.origin, end.cell_id))
    return error, result


def force(world: CellGraph, body: PhysicsBody, pos: Position) -> SweepResult:
    """Put a body somewhere whether there is room or not; not ``ok`` where no cell holds the place."""
    before = 0 if body.cell is None else body.cell.id
    t = make_transition(world, body)
    return report(world, t, ok=force_into_cell(t, pos), before=before)


def report(world: CellGraph, t: Transition, *, ok: bool, before: int) -> SweepResult:
    """The result of a transition, committed or refused, that began in a cell of id ``before``."""
    info, body = t.collision_info, t.mover
    cell_id = 0 if body.cell is None else body.cell.id
    return SweepResult(
        ok=ok,
        cell_id=cell_id,
        position=body.position,
        on_ground=body.on_ground,
        normal=info.collision_normal,
        hits=tuple(t.hits),
        touched=tuple(target.entity_id for target in info.touched),
        contact=body.contact,
        cells=cells_at(world, body),
        changed=cell_id != before,
        way=tuple(t.sphere_path.way) if ok else (),
        trace=t.trace,
        sliding_normal=_sliding_normal(body),
        refused_by=t.refused_by,
    )


def cells_at(world: CellGraph, body: PhysicsBody) -> tuple[int, ...]:
    """The collision cell array where a body stands, seeded with its own cell."""
    frame = body.position.frame
    spheres: list[MovingSphere] = []
    for sphere in body.movement_spheres:
        x, y, z = frame.to_global(sphere.center)
        spheres.append(MovingSphere(x, y, z, sphere.radius))
    array = CellArray()
    build_cell_list(world, body.position.cell_id, spheres, array, want_current=False)
    return tuple(array.ids)
