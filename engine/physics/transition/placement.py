"""Placing: the search for room around a place, and SetPosition (physics 3.17, 3.19)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine.dat.values import Vec3
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    EPS,
    INITIAL_PLACEMENT,
    LANDING_Z,
    OK,
    PLACEMENT,
    SLID,
    SPE_COLLIDED,
    SPE_NO_CELL,
    SPE_NO_VALID_POSITION,
    SPE_OK,
    SPF_SLIDE,
    TRANSITION,
)
from engine.physics.membership.cell_list import build_cell_list
from engine.physics.simulation.bounce import handle_all_collisions
from engine.physics.transition.insertion import (
    check_other_cells,
    find_visible_child_cell,
    insert_into_cell,
    keeps_portalless_cell,
    transitional_insert,
)
from engine.physics.transition.sliding import adjust_offset
from engine.physics.transition.stepping import step_down
from engine.world.cells import EnvCell, ObjCell
from engine.world.frame import Position
from engine.world.ids import adjust_to_outside, cell_in_range, is_outdoor

if TYPE_CHECKING:
    from engine.physics.transition.transition import Transition

SMALL_RADIUS: Final = 0.125
LEAST_RADIUS: Final = 0.48
SMALL_REACH: Final = 2.0
REACH: Final = 4.0
RETAIL_PI: Final = 3.1415999
TOLERANCE: Final = 0.05


def placement_insert(t: Transition) -> int:
    """Be at the tried position, without any step down."""
    path = t.sphere_path
    if path.check_cell is None:
        return COLLIDED
    ts = insert_into_cell(t, path.check_cell, 3)
    if ts == OK:
        ts = check_other_cells(t, path.check_cell)
    return ts


def validate_placement(t: Transition, ts: int, adjust: bool) -> int:
    """Accept a placement; one that was pushed about is looked at once more."""
    if t.sphere_path.check_cell is None:
        return COLLIDED
    if ts == OK:
        _accept(t)
    elif ts in (ADJUSTED, SLID) and adjust:
        return validate_placement(t, placement_insert(t), False)
    return ts


def validate_placement_transition(t: Transition, ts: int) -> int:
    """Accept a try of the search; a failed one forgets what it met where sliding is allowed."""
    path = t.sphere_path
    if path.check_cell is None:
        return COLLIDED
    if ts == OK:
        _accept(t)
    elif path.placement_allows_sliding:
        t.collision_info.init()
    return ts


def _accept(t: Transition) -> None:
    path = t.sphere_path
    path.curr_pos = path.check_pos
    path.curr_cell = path.check_cell
    path.cache_global_curr_center()


def find_placement_position(t: Transition) -> bool:
    """Find room at or around the path's end and put the feet down."""
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    path.insert_type = INITIAL_PLACEMENT
    if validate_placement(t, placement_insert(t), True) != OK:
        return False
    path.insert_type = PLACEMENT
    if not find_placement_pos(t):
        return False
    if t.object_info.step_down:
        h = t.object_info.step_down_height
        path.walkable_allowance = LANDING_Z
        path.save_check_pos()
        backup = path.insert_type
        path.insert_type = TRANSITION
        diameter = 2.0 * path.global_sphere[0].r
        if path.num_sphere < 2 and diameter < h:
            h = path.global_sphere[0].r * 0.5
        if diameter >= h:
            down = step_down(t, h, LANDING_Z)
        else:
            h *= 0.5
            down = step_down(t, h, LANDING_Z) or step_down(t, h, LANDING_Z)
        if not down:
            path.restore_check_pos()
            t.collision_info.clear_contact()
        path.insert_type = backup
        path.walkable = None
    return validate_placement(t, OK, True) == OK


def find_placement_pos(t: Transition) -> bool:
    """Try the place itself, then rings around it."""
    path = t.sphere_path
    if _try_here(t):
        return True
    if not path.placement_allows_sliding:
        return False
    radius = path.local_sphere[0].radius
    small = radius < SMALL_RADIUS
    reach = SMALL_REACH if small else REACH
    if not small:
        radius = max(radius, LEAST_RADIUS)
    rings = REACH / radius * (0.5 if small else 1.0)
    if rings <= 1.0:
        return False
    count = math.ceil(rings)
    step = reach / count
    arc = step / radius * RETAIL_PI
    distance = total = 0.0
    for _ in range(count):
        distance += step
        total += arc
        samples = 2 * math.ceil(total)
        for j in range(samples):
            angle = math.radians(360.0 / samples * j)
            if _try_offset(t, (distance * math.sin(angle), distance * math.cos(angle), 0.0)):
                return True
    return False


def _try_here(t: Transition) -> bool:
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    t.collision_info.sliding_normal_valid = False
    t.collision_info.clear_contact()
    return validate_placement_transition(t, transitional_insert(t, 3)) == OK


def _try_offset(t: Transition, offset: Vec3) -> bool:
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    x, y, z = adjust_offset(t, offset)
    if x * x + y * y + z * z >= EPS * EPS:
        path.add_offset_to_check_pos(x, y, z)
    t.collision_info.sliding_normal_valid = False
    t.collision_info.clear_contact()
    return validate_placement_transition(t, transitional_insert(t, 3)) == OK


def adjust_position(t: Transition, pos: Position) -> tuple[Position, ObjCell | None]:
    """The position with the cell that its foot centre is in, for placing only (AdjustPosition).

    An interior id names a loaded cell: the point is looked for in it and its stab list; from a cell that
    sees the outside it may also be on the land. A cell without portals holds what its own tree holds.
    """
    low = pos.cell_id & 0xFFFF
    if not cell_in_range(low):
        return pos, None
    if not is_outdoor(pos.cell_id):
        cell = t.world.get_visible(pos.cell_id)
        if not isinstance(cell, EnvCell):
            return pos, None
        x, y, z = pos.frame.to_global(t.sphere_path.local_sphere[0].center)
        if keeps_portalless_cell(cell, cell.id, x, y, z):
            return pos, cell
        child = find_visible_child_cell(t, cell, x, y, z)
        if child is not None:
            return Position(child.id, pos.frame), child
        if not cell.seen_outside:
            return pos, None
    new_id, origin = adjust_to_outside(pos.cell_id, pos.frame.origin)
    if new_id == 0:
        return pos, None
    return Position(new_id, pos.frame.with_origin(origin)), t.world.get_visible(new_id)


def set_position(t: Transition, pos: Position, flags: int) -> int:
    """Put the mover of a fresh transition at a place (SetPosition); a SetPositionError value."""
    body = t.mover
    path = t.sphere_path
    pos, cell = adjust_position(t, pos)
    if cell is None:
        path.init_path(None, None, pos)
        body.set_position_internal(t)
        return SPE_OK
    if not check_position_internal(t, cell, pos, flags):
        reported = handle_all_collisions(body, t.collision_info, False)
        return SPE_COLLIDED if reported else SPE_NO_VALID_POSITION
    if path.curr_cell is None:
        return SPE_NO_CELL
    body.set_position_internal(t)
    return SPE_OK


def force_into_cell(t: Transition, pos: Position) -> bool:
    """Put the mover of a fresh transition at a place whether there is room or not (ForceIntoCell).

    False, with the mover where it was, where no cell holds the place.
    """
    pos, cell = adjust_position(t, pos)
    if cell is None:
        return False
    path = t.sphere_path
    path.init_path(cell, None, pos)
    path.set_check_pos(pos, cell)
    build_cell_list(t.world, pos.cell_id, path.global_sphere, t.cell_array, False, None)
    t.mover.set_position_internal(t)
    return True


def check_position_internal(t: Transition, cell: ObjCell, pos: Position, flags: int) -> bool:
    """Whether there is room at a place; without Slide it must be found nearly where asked for."""
    path = t.sphere_path
    path.init_path(cell, None, pos)
    path.placement_allows_sliding = (flags & SPF_SLIDE) != 0
    if not t.find_valid_position():
        return False
    if flags & SPF_SLIDE:
        return True
    x, y, _ = path.curr_pos.frame.origin
    px, py, _ = pos.frame.origin
    # Signed, as the original compares: to the west and south a body may be put any way off.
    return path.curr_pos.cell_id == cell.id and x - px < TOLERANCE and y - py < TOLERANCE
