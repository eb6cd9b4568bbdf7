"""The driver of a sweep: sub-steps, and what becomes of each (sweep 3.5, 3.6, 3.9)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.native import breathe
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    OI_CONTACT,
    OI_FREE_ROTATE,
    OI_IS_VIEWER,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OK,
    REFUSED_BLOCKED,
    REFUSED_CONTACT,
    REFUSED_LENGTH,
    REFUSED_NO_CELL,
    REFUSED_SLIDING,
    SLID,
    TransitionState,
    state_name,
)
from engine.physics.membership.cell_list import build_cell_list
from engine.physics.transition.sliding import adjust_offset
from engine.physics.transition.trace import Carried
from engine.physics.transition.transition import Transition
from engine.world.frame import Frame, Position, frames_equal, get_offset, slerp
from engine.world.physics_state import GRAVITY
from engine.world.tolerance import EPS

# A safety valve, not the original's: a longer request is refused (sweep 3.5).
MAX_STEPS: Final = 1000


def calc_num_steps(t: Transition) -> tuple[Vec3, Vec3, int]:
    """The whole offset, the offset of one sub-step and their number (sweep 3.5).

    No sub-step is longer than the foot sphere's radius, so nothing can be tunnelled through.
    """
    path = t.sphere_path
    if path.begin_pos is None:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1
    offset = get_offset(path.begin_pos, path.end_pos)
    radius = path.local_sphere[0].radius
    x, y, z = offset
    length = math.sqrt(x * x + y * y + z * z)
    steps = length / radius
    if math.isinf(steps) or math.isnan(steps):  # of a sphere next to nothing, too
        return offset, offset, MAX_STEPS + 1
    if t.object_info.state & OI_IS_VIEWER:
        if length <= EPS:
            return offset, (0.0, 0.0, 0.0), 0
        k = radius / length
        return offset, (x * k, y * k, z * k), math.floor(steps) + 1
    if steps > 1.0:
        n = math.ceil(steps)
        return offset, (x / n, y / n, z / n), n
    if length > 0.0:
        return offset, offset, 1
    return offset, (0.0, 0.0, 0.0), 0


def find_transitional_position(t: Transition) -> bool:  # noqa: PLR0912 - the loop of sub-steps in the order that the recordings need
    """Sweep from the begin to the end position in sub-steps; False when refused (sweep 3.6)."""
    path = t.sphere_path
    info = t.collision_info
    if path.begin_cell is None or path.begin_pos is None:
        t.refused_by = REFUSED_NO_CELL
        return False
    offset, per_step, count = calc_num_steps(t)
    if count > MAX_STEPS:
        if t.trace is not None:
            t.trace.response(f"refused: {count} sub-steps are more than {MAX_STEPS}")
        t.refused_by = REFUSED_LENGTH
        return False
    state = t.object_info.state
    viewer = (state & OI_IS_VIEWER) != 0
    free_rotate = (state & OI_FREE_ROTATE) != 0
    begin_quat, end_quat = path.begin_pos.frame.quat, path.end_pos.frame.quat
    turns = begin_quat != end_quat
    if turns and (free_rotate or count == 0):
        curr = path.curr_pos
        path.curr_pos = Position(curr.cell_id, Frame(curr.frame.origin, end_quat))
    path.set_check_pos(path.curr_pos, path.curr_cell)
    if count == 0:
        build_cell_array(t)
        return True
    ts = OK
    for i in range(count):
        breathe()
        if viewer and i == count - 1:
            length = math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
            if length > EPS:
                k = (length - path.local_sphere[0].radius * (count - 1)) / length
                per_step = (offset[0] * k, offset[1] * k, offset[2] * k)
        if t.trace is not None:
            t.trace.begin(i, path.curr_pos.frame.origin, path.curr_pos.cell_id, per_step)
        g = adjust_offset(t, per_step)
        if not viewer and g[0] * g[0] + g[1] * g[1] + g[2] * g[2] < EPS * EPS:
            if t.trace is not None:
                t.trace.response("nothing left to move after contact and sliding normal")
                t.trace.stop(path.curr_pos.frame.origin, path.curr_pos.cell_id)
            # Pushing straight into a wall: refused as a whole, so that contact and sliding normal stay.
            if i != 0 and ts is OK:
                return True
            t.refused_by = REFUSED_CONTACT if info.sliding_normal is None else REFUSED_SLIDING
            return False
        if turns and not free_rotate:
            check = path.check_pos
            quat = slerp(begin_quat, end_quat, (i + 1) / count)
            path.set_check_pos(Position(check.cell_id, Frame(check.frame.origin, quat)), path.check_cell)
        # Only now: the bend above needs the last sub-step's, and this one has to find its own ground.
        info.sliding_normal = None
        info.contact = None
        if t.trace is not None:
            t.trace.step.adjusted = g
        path.add_offset_to_check_pos(g[0], g[1], g[2])
        ts = validate_transition(t, t.rules.insert(t, 3))
        if info.frames_stationary_fall != 0:
            break
        if info.collision_normal is not None and t.object_info.state & OI_PATH_CLIPPED:
            break
    if ts is not OK:
        t.refused_by = REFUSED_BLOCKED
    return ts is OK


def build_cell_array(t: Transition) -> None:
    """Fill the transition's cell array at the tried position, without a pick (sweep 3.7)."""
    path = t.sphere_path
    t.array_cell_id = -1
    build_cell_list(t.world, path.check_pos.cell_id, path.global_sphere, t.cell_array, want_current=False)


def validate_transition(t: Transition, ts: TransitionState) -> TransitionState:
    """Accept a sub-step (advance) or take it back (reset); the one place that changes ``curr_cell``.

    A blocked sub-step gives OK with the old position: the sweep goes on from there (sweep 3.9).
    """
    path = t.sphere_path
    info = t.collision_info
    oi = t.object_info
    insertion = ts
    moved = path.check_pos.cell_id != path.curr_pos.cell_id or not frames_equal(
        path.check_pos.frame, path.curr_pos.frame
    )
    redo = ts is OK and moved
    if ts is OK:
        path.accept()
        path.way.append((path.curr_pos.cell_id, path.curr_pos.frame.origin))
    elif ts is COLLIDED or ts is ADJUSTED or ts is SLID:
        last = info.last_known
        if last is not None:
            t.mover.stop()
            nx, ny, nz = last.normal
            foot = path.curr_sphere[0]
            # The floor known last still carries the foot: who is stopped by a wall does not fall.
            if path.global_sphere[0].r + EPS > abs(nx * foot.x + ny * foot.y + nz * foot.z + last.d):
                info.contact = last
                if oi.state & OI_ON_WALKABLE:
                    redo = True
        if info.collision_normal is None:
            info.set_collision_normal((0.0, 0.0, 1.0))
        # The cell goes back with the place; found again by position, it would flicker at a doorway.
        path.set_check_pos(path.curr_pos, path.curr_cell)
        build_cell_array(t)
        ts = OK
    if info.collision_normal is not None:
        info.set_sliding_normal(info.collision_normal)
    if not oi.state & OI_IS_VIEWER and t.mover.state & GRAVITY:
        _count_stationary_fall(t, redo=redo)
    _remember_contact(t)
    if t.trace is not None:
        end = path.curr_pos
        accepted = insertion is OK
        t.trace.end(
            state_name(insertion),
            advanced=accepted,
            position=end.frame.origin,
            cell_id=end.cell_id,
            carried=carried_state(t),
        )
    return ts


def carried_state(t: Transition) -> Carried:
    """What a sub-step hands on, for the trace."""
    info = t.collision_info
    contact = info.contact
    return Carried(
        contact_plane=None if contact is None else contact.plane,
        contact_cell_id=0 if contact is None else contact.cell_id,
        on_walkable=(t.object_info.state & OI_ON_WALKABLE) != 0,
        sliding_normal=info.sliding_normal,
        collision_normal=info.collision_normal,
        stationary=info.frames_stationary_fall,
    )


def _count_stationary_fall(t: Transition, *, redo: bool) -> None:
    """Count blocked or motionless sub-steps in a row; the third puts a floor under the mover."""
    info = t.collision_info
    if redo:
        info.frames_stationary_fall = 0
    elif info.frames_stationary_fall < 2:
        info.frames_stationary_fall += 1
    else:
        info.frames_stationary_fall = 3
        foot = t.sphere_path.global_sphere[0]
        info.contact = Contact((0.0, 0.0, 1.0), foot.r - foot.z, t.sphere_path.check_pos.cell_id)
        if not t.object_info.state & OI_CONTACT:
            info.set_collision_normal((0.0, 0.0, 1.0))
            info.collided_with_environment = True


def _remember_contact(t: Transition) -> None:
    """The contact of this sub-step becomes the last known one and the mover's state."""
    info = t.collision_info
    oi = t.object_info
    contact = info.contact
    info.remember(contact)
    if contact is not None:
        oi.state |= OI_CONTACT
        if contact.normal[2] >= FLOOR_Z:
            oi.state |= OI_ON_WALKABLE
        else:
            oi.state &= ~OI_ON_WALKABLE
    else:
        oi.state &= ~(OI_CONTACT | OI_ON_WALKABLE)
