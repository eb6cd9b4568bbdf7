"""Placing: the search for room around a place (sweep 3.17), and whose cell a place is (sweep 3.19)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.native import breathe
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    INITIAL_PLACEMENT,
    LANDING_Z,
    OK,
    PLACEMENT,
    SLID,
    TRANSITION,
    TransitionState,
)
from engine.physics.transition.insertion import (
    check_other_cells,
    find_visible_child_cell,
    insert_into_cell,
    keeps_portalless_cell,
)
from engine.physics.transition.sliding import adjust_offset
from engine.physics.transition.transition import Transition
from engine.world.cells import EnvCell, ObjCell
from engine.world.frame import Position
from engine.world.ids import adjust_to_outside, cell_in_range, is_outdoor
from engine.world.tolerance import EPS

SMALL_RADIUS: Final = 0.125
LEAST_RADIUS: Final = 0.48
SMALL_REACH: Final = 2.0
REACH: Final = 4.0
RETAIL_PI: Final = 3.1415999
# A safety valve, not the original's: what is smaller than a hand is looked for room at so many spots at most.
MOST_SPOTS: Final = 50_000


def placement_insert(t: Transition) -> TransitionState:
    """Be at the tried position, without any step down."""
    path = t.sphere_path
    if path.check_cell is None:
        return COLLIDED
    ts = insert_into_cell(t, path.check_cell, 3)
    if ts is OK:
        ts = check_other_cells(t, path.check_cell)
    return ts


def validate_placement(t: Transition, ts: TransitionState, *, adjust: bool) -> TransitionState:
    """Accept a placement; one that was pushed about is looked at once more."""
    if t.sphere_path.check_cell is None:
        return COLLIDED
    if ts is OK:
        _accept(t)
    elif adjust and (ts is ADJUSTED or ts is SLID):
        return validate_placement(t, placement_insert(t), adjust=False)
    return ts


def validate_placement_transition(t: Transition, ts: TransitionState) -> TransitionState:
    """Accept a try of the search; a failed one forgets what it met where sliding is allowed."""
    path = t.sphere_path
    if path.check_cell is None:
        return COLLIDED
    if ts is OK:
        _accept(t)
    elif path.placement_allows_sliding:
        t.collision_info.init()
    return ts


def _accept(t: Transition) -> None:
    path = t.sphere_path
    path.curr_pos = path.check_pos
    path.curr_cell = path.check_cell
    path.cache_curr_sphere()


def find_placement_position(t: Transition) -> bool:
    """Find room at or around the path's end and put the feet down."""
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    path.insert_type = INITIAL_PLACEMENT
    if validate_placement(t, placement_insert(t), adjust=True) is not OK:
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
        h, twice = path.probe_height(h)
        down = t.rules.step_down(t, h, LANDING_Z) or (twice and t.rules.step_down(t, h, LANDING_Z))
        if not down:
            path.restore_check_pos()
            t.collision_info.contact = None
        path.insert_type = backup
        path.walkable = None
    return validate_placement(t, OK, adjust=True) is OK


def find_placement_pos(t: Transition) -> bool:
    """Try the place itself, then rings around it, of a small body the nearest."""
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
    if rings <= 1.0 or rings > MOST_SPOTS:  # or endless: of a body next to nothing
        return False
    count = math.ceil(rings)
    step = reach / count
    arc = step / radius * RETAIL_PI
    distance = total = 0.0
    left = MOST_SPOTS
    for _ in range(count):
        breathe()
        distance += step
        total += arc
        samples = 2 * math.ceil(total)
        left -= samples
        if left < 0:
            return False
        for j in range(samples):
            angle = math.radians(360.0 / samples * j)
            if _try_offset(t, (distance * math.sin(angle), distance * math.cos(angle), 0.0)):
                return True
    return False


def _try_here(t: Transition) -> bool:
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    t.collision_info.sliding_normal = None
    t.collision_info.contact = None
    return validate_placement_transition(t, t.rules.insert(t, 3)) is OK


def _try_offset(t: Transition, offset: Vec3) -> bool:
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, path.curr_cell)
    x, y, z = adjust_offset(t, offset)
    if x * x + y * y + z * z >= EPS * EPS:
        path.add_offset_to_check_pos(x, y, z)
    t.collision_info.sliding_normal = None
    t.collision_info.contact = None
    return validate_placement_transition(t, t.rules.insert(t, 3)) is OK


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
        if keeps_portalless_cell(cell, cell.id, (x, y, z)):
            return pos, cell
        child = find_visible_child_cell(t, cell, (x, y, z))
        if child is not None:
            return Position(child.id, pos.frame), child
        if not cell.seen_outside:
            return pos, None
    new_id, origin = adjust_to_outside(pos.cell_id, pos.frame.origin)
    if new_id == 0:
        return pos, None
    return Position(new_id, pos.frame.with_origin(origin)), t.world.get_visible(new_id)
