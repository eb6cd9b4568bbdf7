"""SetPosition: resolve a place's cell, find room there, commit (sweep 3.19)."""

from __future__ import annotations

from typing import Final

from engine.physics.enums import (
    SPE_COLLIDED,
    SPE_NO_CELL,
    SPE_NO_VALID_POSITION,
    SPE_OK,
    SPF_SLIDE,
)
from engine.physics.membership.cell_list import build_cell_list
from engine.physics.transition.placement import adjust_position
from engine.physics.transition.run import find_valid_position
from engine.physics.transition.transition import Transition
from engine.world.cells import ObjCell
from engine.world.frame import Position

TOLERANCE: Final = 0.05


def set_position(t: Transition, pos: Position, flags: int) -> int:
    """Put the mover of a fresh transition at a place (SetPosition); a SetPositionError value."""
    body = t.mover
    path = t.sphere_path
    pos, cell = adjust_position(t, pos)
    if cell is None:
        path.init_path(None, None, pos)
        body.set_position_internal(t.outcome())
        return SPE_OK
    if not _has_room(t, cell, pos, flags):
        reported = body.handle_all_collisions(t.outcome(), was_on_walkable=False)
        return SPE_COLLIDED if reported else SPE_NO_VALID_POSITION
    if path.curr_cell is None:
        return SPE_NO_CELL
    body.set_position_internal(t.outcome())
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
    build_cell_list(t.world, pos.cell_id, path.global_sphere, t.cell_array, want_current=False)
    t.mover.set_position_internal(t.outcome())
    return True


def _has_room(t: Transition, cell: ObjCell, pos: Position, flags: int) -> bool:
    """Whether there is room at a place; without Slide it must be found nearly where asked for."""
    path = t.sphere_path
    path.init_path(cell, None, pos)
    path.placement_allows_sliding = (flags & SPF_SLIDE) != 0
    if not find_valid_position(t):
        return False
    if flags & SPF_SLIDE:
        return True
    x, y, _ = path.curr_pos.frame.origin
    px, py, _ = pos.frame.origin
    # Signed, as the original compares: to the west and south a body may be put any way off.
    return path.curr_pos.cell_id == cell.id and x - px < TOLERANCE and y - py < TOLERANCE
