"""What a cell itself does to the mover: polygons, terrain, building (sweep 3.11, collision 4.7, 6)."""

from __future__ import annotations

from engine.physics.enums import (
    BUILDING_HIT,
    CELL_HIT,
    COLLIDED,
    INITIAL_PLACEMENT,
    OI_CONTACT,
    OI_IS_VIEWER,
    OK,
    TERRAIN_HIT,
    TransitionState,
)
from engine.physics.transition.bsp_collisions import find_bsp_collisions
from engine.physics.transition.bsp_placement import placement_insert_bsp
from engine.physics.transition.obj_collisions import find_obj_collisions
from engine.physics.transition.transition import Transition
from engine.physics.transition.validate_walkable import validate_walkable
from engine.world.bsp import BspNode
from engine.world.cells import NOT_WATER, Building, EnvCell, LandCell, ObjCell
from engine.world.frame import Position
from engine.world.ids import block_offset
from engine.world.physics_state import MISSILE
from engine.world.terrain import find_terrain_poly, water_depth


def find_collisions(t: Transition, cell: ObjCell) -> TransitionState:
    """A cell's environment, then its building, then the objects in it; the first that is not OK."""
    t.under_test_cell = cell.id
    if isinstance(cell, EnvCell):
        ts = find_env_collisions(t, cell)
    elif isinstance(cell, LandCell):
        ts = find_land_collisions(t, cell)
        if ts is OK and cell.building is not None:
            ts = find_building_collisions(t, cell, cell.building)
    else:
        return OK
    if ts is not OK or not cell.shadow_objects:
        return ts
    return find_obj_collisions(cell, t)


def find_env_collisions(t: Transition, cell: EnvCell) -> TransitionState:
    """An interior cell's physics polygons (collision 4.7)."""
    path = t.sphere_path
    path.obstruction_ethereal = False
    root = cell.structure.physics_root
    if root is None:
        return OK
    path.cache_localspace_sphere(cell.pos, 1.0)
    t.under_test = (CELL_HIT, cell.id, 0, -1)
    if path.insert_type == INITIAL_PLACEMENT:
        ts = placement_insert_bsp(t, root)
    else:
        ts = find_bsp_collisions(t, root, 1.0)
    return ts if ts is OK else _environment(t, ts)


def find_land_collisions(t: Transition, cell: LandCell) -> TransitionState:
    """A landcell's terrain under the foot sphere's lowest point (collision 6.4)."""
    path = t.sphere_path
    foot = path.global_sphere[0]
    ox, oy, _ = block_offset(path.check_pos.cell_id, cell.id)
    low = (foot.x - ox, foot.y - oy, foot.z - foot.r)
    poly = find_terrain_poly(cell, low)
    if poly is None:
        return OK
    if cell.in_open_water and not t.object_info.state & OI_IS_VIEWER and not t.mover.state & MISSILE:
        return COLLIDED
    t.under_test = (TERRAIN_HIT, cell.id, 0, -1)
    is_water = cell.water_type != NOT_WATER
    center = (foot.x - ox, foot.y - oy, foot.z)
    return validate_walkable(
        t, center, foot.r, poly, is_water=is_water, depth=water_depth(cell, low), cell_id=cell.id
    )


def find_building_collisions(t: Transition, cell: LandCell, building: Building) -> TransitionState:
    """The shell that stands on a landcell (collision 6.5)."""
    root = building.shell_root
    if root is None:
        return OK
    path = t.sphere_path
    path.bldg_check = True
    t.under_test = (BUILDING_HIT, cell.id, building.shell_gfxobj or building.model_id, -1)
    ts = find_part_collisions(t, root, Position(building.pos.cell_id, building.shell_frame), 1.0)
    path.bldg_check = False
    return _environment(t, ts)


def find_part_collisions(t: Transition, root: BspNode, pos: Position, scale: float) -> TransitionState:
    """A part's physics tree standing at ``pos``, where the spheres reach its bounds (collision 4.6)."""
    path = t.sphere_path
    path.cache_localspace_sphere(pos, scale)
    cx, cy, cz = root.center
    for s in path.localspace_sphere:
        dx, dy, dz = s.x - cx, s.y - cy, s.z - cz
        reach = s.r + root.radius
        if dx * dx + dy * dy + dz * dz < reach * reach:
            if path.insert_type == INITIAL_PLACEMENT:
                return placement_insert_bsp(t, root)
            return find_bsp_collisions(t, root, scale)
    return OK


def _environment(t: Transition, ts: TransitionState) -> TransitionState:
    if ts is not OK and not t.object_info.state & OI_CONTACT:
        t.collision_info.collided_with_environment = True
    return ts
