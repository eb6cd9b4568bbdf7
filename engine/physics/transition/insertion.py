"""One attempt to be somewhere: the current cell, the other cells, and the ground (sweep 3.10-3.12)."""

from __future__ import annotations

from engine.collision.cell_tree import OUTSIDE, point_inside_cell_bsp, sphere_intersects_cell
from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    INVALID,
    LANDING_Z,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OK,
    PLACEMENT,
    SLID,
    SMALL_STEP,
    TransitionState,
    near_miss_of,
    state_name,
)
from engine.physics.membership.cell_list import build_cell_list, point_in_cell
from engine.physics.transition.edges import edge_slide
from engine.physics.transition.found import NearMiss
from engine.physics.transition.picks import Pick, pick_of
from engine.physics.transition.sliding import slide_sphere, step_up_slide
from engine.physics.transition.transition import Transition
from engine.world.cells import EnvCell, ObjCell
from engine.world.frame import Position
from engine.world.ids import adjust_to_outside, block_offset, is_outdoor


def transitional_insert(t: Transition, attempts: int) -> TransitionState:
    """Try to be at the tried position, being pushed about at most ``attempts`` times (sweep 3.10)."""
    path = t.sphere_path
    info = t.collision_info
    first = path.check_cell
    if first is None:
        return OK
    if attempts <= 0:
        return INVALID
    ts = OK
    for _ in range(attempts):
        ts = insert_into_cell(t, path.check_cell, attempts)
        if ts is OK:
            ts = check_other_cells(t, path.check_cell)
            if ts is not OK:
                path.near_miss = None
            if ts is COLLIDED:
                return COLLIDED
        elif ts is SLID:
            info.contact = None
            path.near_miss = None
        elif ts is ADJUSTED:
            path.near_miss = None
        elif ts is COLLIDED:
            path.near_miss = None
            return COLLIDED
        if ts is not OK:
            if t.trace is not None:
                t.trace.response(f"{state_name(ts)}, tried again")
            continue
        if path.collide:
            return _land(t, attempts)
        if path.near_miss is not None and not path.step_down and not path.step_up:
            # Whatever came of it, and be it COLLIDED: the place is tried again, as the original does.
            ts = _near_miss(t, path.near_miss)
            continue
        if (
            info.contact is not None
            or not t.object_info.state & OI_CONTACT
            or path.step_down
            or path.check_cell is None
            or not t.object_info.step_down
        ):
            return OK
        stop, ts = _keep_feet_down(t)
        if stop:
            return ts
    return ts


def _land(t: Transition, attempts: int) -> TransitionState:
    """An airborne hit is being resolved: stand if there is support, else go back (sweep 3.10 a)."""
    path = t.sphere_path
    info = t.collision_info
    path.collide = False
    reset = True
    ts = OK
    if info.contact is not None and t.rules.check_walkable(t, LANDING_Z):
        backup = path.insert_type
        path.insert_type = PLACEMENT
        t.take_in_the_way()
        ts = transitional_insert(t, attempts)
        path.insert_type = backup
        reset = ts is not OK
        in_the_way = t.take_in_the_way()
        if reset and in_the_way is not None:
            t.add_hit(in_the_way)
    path.walkable = None
    if not reset:
        if t.trace is not None:
            t.trace.response("landed")
        return ts
    path.restore_check_pos()
    info.contact = None
    if info.last_known is not None:
        t.mover.stop()
        info.last_known = None
    else:
        info.set_collision_normal(path.step_up_normal)
    return COLLIDED


def _near_miss(t: Transition, missed: NearMiss) -> TransitionState:
    """A polygon was touched without moving into it: step onto it or slide along it (sweep 3.10 b)."""
    path = t.sphere_path
    path.near_miss = None
    hit = t.add_hit(missed.hit)
    if missed.step_up:
        ts = OK
        if not t.rules.step_up(t, missed.normal):
            ts = step_up_slide(t)
    else:
        ts = slide_sphere(t, 0, missed.normal)
    hit.response = near_miss_of(ts)
    return ts


def _keep_feet_down(t: Transition) -> tuple[bool, TransitionState]:
    """Contact was lost: look for ground below, else deal with the edge (sweep 3.10 c); (stop, state)."""
    path = t.sphere_path
    h, z = SMALL_STEP, LANDING_Z
    if t.object_info.state & OI_ON_WALKABLE:
        z = FLOOR_Z
        h = t.object_info.step_down_height
    path.walkable_allowance = z
    path.save_check_pos()
    h, twice = path.probe_height(h)
    down = t.rules.step_down(t, h, z) or (twice and t.rules.step_down(t, h, z))
    if down:
        path.walkable = None
        return True, OK
    return edge_slide(t, h, z)


def insert_into_cell(t: Transition, cell: ObjCell | None, attempts: int) -> TransitionState:
    """Collide with one cell until it has nothing more to say (sweep 3.11)."""
    if cell is None:
        return COLLIDED
    ts = OK
    for _ in range(attempts):
        ts = t.rules.collide(t, cell)
        if ts is OK or ts is COLLIDED:
            return ts
        if ts is SLID:
            t.collision_info.contact = None
    return ts


def check_other_cells(t: Transition, current: ObjCell | None) -> TransitionState:
    """Collide with all other cells the spheres touch, then go over to the one that holds the centre."""
    path = t.sphere_path
    array = t.cell_array
    foot = path.global_sphere[0]
    new = containing_cell(t)
    if new is None and keeps_portalless_cell(current, path.check_pos.cell_id, foot.center):
        new = current
    pick: Pick | None = None
    if t.trace is not None:
        probe = "step down" if path.step_down else "placement" if path.insert_type else "sub-step"
        pick = pick_of(
            array, path.check_pos.cell_id, center=foot.center, seed=current, picked=new, probe=probe
        )
        t.trace.pick(pick)
    for cell in array.cells:
        if cell is None or cell is current:
            continue
        ts = t.rules.collide(t, cell)
        if pick is not None:
            pick.asked.append((cell.id, state_name(ts)))
        if ts is SLID:
            t.collision_info.contact = None
            return SLID
        if ts is COLLIDED or ts is ADJUSTED:
            return ts
    path.check_cell = new
    if new is not None:
        path.adjust_check_pos(new.id)
        return OK
    if path.step_down:
        return COLLIDED
    return leave_known_cells(t, current)


def containing_cell(t: Transition) -> ObjCell | None:
    """Fill the cell array at the tried position; the cell that holds the foot sphere's centre.

    The confirmation of a step asks where its probe has just asked: the same array serves.
    """
    path = t.sphere_path
    cell_id = path.check_pos.cell_id
    if cell_id != t.array_cell_id or path.moves != t.array_moves:
        t.array_pick = build_cell_list(t.world, cell_id, path.global_sphere, t.cell_array, want_current=True)
        t.array_cell_id = cell_id
        t.array_moves = path.moves
    return t.array_pick


def keeps_portalless_cell(current: ObjCell | None, cell_id: int, point: Vec3) -> bool:
    """Whether a mover stays in a cell that has no portals, and so is never picked (sweep 3.12)."""
    if not isinstance(current, EnvCell) or current.portals:
        return False
    ox, oy, _ = block_offset(cell_id, current.id)
    x, y, z = point
    return point_inside_cell_bsp(current.block_planes, x - ox, y - oy, z)


def leave_known_cells(t: Transition, current: ObjCell | None) -> TransitionState:
    """No loaded cell holds the foot sphere's centre (sweep 3.12).

    From outdoors one may walk into land that is not loaded. From an interior id: stay while the current
    cell's volume is touched, else a cell of its stab list, else the landcell below if the outside can be
    seen from here, else blocked. A body that is being put down has come from nowhere, and only the cells that
    its spheres reach were looked at: it needs its centre within a crack's width of one of them.
    """
    path = t.sphere_path
    placed = path.begin_pos is None
    cell_id = path.check_pos.cell_id
    if is_outdoor(cell_id):
        new_id, origin = adjust_to_outside(cell_id, path.check_pos.frame.origin)
        if new_id == 0:
            return COLLIDED
        path.adjust_check_pos(new_id)
        pos = Position(new_id, path.check_pos.frame.with_origin(origin))
        path.set_check_pos(pos, None)
        return OK
    foot = path.global_sphere[0]
    if isinstance(current, EnvCell):
        ox, oy, _ = block_offset(cell_id, current.id)
        x, y, z = foot.x - ox, foot.y - oy, foot.z
        reach = 0.0 if placed else foot.r
        if sphere_intersects_cell(current.block_planes, x, y, z, r=reach) != OUTSIDE:
            return _enter(t, current, "kept: a crack between cells")
        if placed:
            return COLLIDED
        child = find_visible_child_cell(t, current, (x, y, z))
        if child is not None:
            return _enter(t, child, "found in the stab list")
    if any(c is not None and c.seen_outside for c in (current, *t.cell_array.cells)):
        land_id, _ = adjust_to_outside(cell_id, foot.center)
        land = t.world.get_visible(land_id) if land_id else None
        if land is not None:
            return _enter(t, land, "out into the landcell below")
    return COLLIDED


def find_visible_child_cell(t: Transition, cell: EnvCell, point: Vec3) -> ObjCell | None:
    """The cell of a stab list that holds a point of its block frame (sweep 3.19)."""
    x, y, z = point
    if point_in_cell(cell, x, y, z):
        return cell
    for other_id in cell.stab_list:
        other = t.world.get_visible(other_id)
        if other is not None and point_in_cell(other, x, y, z):
            return other
    return None


def _enter(t: Transition, cell: ObjCell, why: str) -> TransitionState:
    t.sphere_path.check_cell = cell
    t.sphere_path.adjust_check_pos(cell.id)
    if t.trace is not None:
        t.trace.response(f"no cell holds the centre; {hex_id(cell.id)} {why}")
    return OK
