"""Which cells the spheres touch, and which of them holds the foot sphere's centre (membership 7)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.collision.cell_tree import point_inside_cell_bsp, some_sphere_reaches_cell
from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Sphere
from engine.physics.membership.cell_array import (
    FEW,
    WHY_BUILDING,
    WHY_OUTSIDE,
    WHY_PORTAL,
    WHY_SEED,
    WHY_UNLOADED_PORTAL,
    CellArray,
)
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell, LandCell, ObjCell, PlaneTuple
from engine.world.frame import Position
from engine.world.ids import CELL_SIDE, block_offset, blockid_to_lcoord, cell_in_range, inbound, lcoord_to_gid
from engine.world.terrain import find_terrain_poly
from engine.world.tolerance import EPS


def find_cell_list(world: CellGraph, pos: Position, spheres: Sequence[Sphere], array: CellArray) -> None:
    """The cells that spheres (block frame of ``pos``) touch, without a pick: the form for objects."""
    moving = [MovingSphere(s.center[0], s.center[1], s.center[2], s.radius) for s in spheres]
    build_cell_list(world, pos.cell_id, moving, array, want_current=False)


def build_cell_list(
    world: CellGraph,
    cell_id: int,
    spheres: list[MovingSphere],
    array: CellArray,
    *,
    want_current: bool,
) -> ObjCell | None:
    """Fill a cell array around spheres given in the block frame of ``cell_id``; the containing cell.

    The seed comes first, then what each cell in turn leads to. An interior cell wins over a landcell; of
    two interior ones the first in the array. None where no cell holds the centre of the first sphere, or
    none was wanted (find_cell_list).
    """
    array.reset()
    visible = world.get_visible(cell_id)
    if (cell_id & 0xFFFF) >= 0x100:
        array.hits_interior_cell = True
        array.append(cell_id, visible, WHY_SEED)
    else:
        add_all_outside_cells(world, cell_id, spheres, array, why=WHY_SEED)
    if visible is None or not spheres:
        return None
    index = 0
    cells = array.cells
    while index < len(cells):
        cell = cells[index]
        if cell is not None:
            array.source = cell.id
            if isinstance(cell, EnvCell):
                find_transit_cells(world, cell, cell_id, spheres, array=array)
            elif isinstance(cell, LandCell):
                find_building_transit_cells(world, cell, cell_id, spheres, array=array)
        index += 1
    current = pick_current_cell(cell_id, spheres[0], array) if want_current else None
    if array.do_not_load_cells and (cell_id & 0xFFFF) >= 0x100:
        prune(array, visible)
    return current


def pick_current_cell(cell_id: int, sphere: MovingSphere, array: CellArray) -> ObjCell | None:
    """The cell of an array that holds a sphere's centre: the first interior one, else the last landcell."""
    current: ObjCell | None = None
    for cell in array.cells:
        if cell is None:
            continue
        x, y, z = sphere.x, sphere.y, sphere.z
        if cell.id >> 16 != cell_id >> 16:
            ox, oy, _ = block_offset(cell_id, cell.id)
            x -= ox
            y -= oy
        if isinstance(cell, EnvCell):
            if cell.portals and point_inside_cell_bsp(cell.block_planes, x, y, z):
                array.hits_interior_cell = True
                return cell
        elif isinstance(cell, LandCell) and find_terrain_poly(cell, (x, y, z)) is not None:
            current = cell
    return current


def point_in_cell(cell: ObjCell, x: float, y: float, z: float) -> bool:
    """Whether a cell holds a point of its block frame; one without portals holds none (collision 4.5)."""
    if isinstance(cell, EnvCell):
        return bool(cell.portals) and point_inside_cell_bsp(cell.block_planes, x, y, z)
    return isinstance(cell, LandCell) and find_terrain_poly(cell, (x, y, z)) is not None


def prune(array: CellArray, visible: ObjCell) -> None:
    """Drop what the seed's stab list does not name; never done for the tick's array (membership 7.1)."""
    listed = {visible.id, *visible.stab_list}
    index = 0
    while index < len(array.ids):
        if array.ids[index] in listed:
            index += 1
        else:
            array.remove_cell(index)


def would_prune(seed: ObjCell | None, cell_id: int, stab: frozenset[int]) -> bool:
    """Whether a prune from a seed drops a cell: from an interior seed what its stab list, ``stab``, lacks.

    From a landcell, which has no stab list, none ever runs.
    """
    return seed is not None and not seed.is_outdoor and cell_id != seed.id and cell_id not in stab


def add_all_outside_cells(
    world: CellGraph, cell_id: int, spheres: list[MovingSphere], array: CellArray, *, why: str = WHY_OUTSIDE
) -> None:
    """Add the landcells under the spheres (block frame of ``cell_id``), at most once for an array."""
    if array.added_outside:
        return
    array.added_outside = True  # before adding: each landcell in the growing list would begin again
    base = blockid_to_lcoord(cell_id) if cell_in_range(cell_id & 0xFFFF) else None
    if base is None:
        return
    for s in spheres:
        x = 0.0 if abs(s.x) < EPS else s.x
        y = 0.0 if abs(s.y) < EPS else s.y
        fx, fy = math.floor(x / CELL_SIDE), math.floor(y / CELL_SIDE)
        gx, gy = base[0] + fx, base[1] + fy
        if not inbound(gx, gy):
            break
        u, w = x - fx * CELL_SIDE, y - fy * CELL_SIDE
        low, high = s.r, CELL_SIDE - s.r
        _add_outside(world, gx, gy, array, why=why)
        if u > high:
            _add_outside(world, gx + 1, gy, array, why=why)
            if w > high:
                _add_outside(world, gx + 1, gy + 1, array, why=why)
            if w < low:
                _add_outside(world, gx + 1, gy - 1, array, why=why)
        if u < low:
            _add_outside(world, gx - 1, gy, array, why=why)
            if w > high:
                _add_outside(world, gx - 1, gy + 1, array, why=why)
            if w < low:
                _add_outside(world, gx - 1, gy - 1, array, why=why)
        if w > high:
            _add_outside(world, gx, gy + 1, array, why=why)
        if w < low:
            _add_outside(world, gx, gy - 1, array, why=why)


def _add_outside(world: CellGraph, x: int, y: int, array: CellArray, *, why: str) -> None:
    if inbound(x, y):
        cell_id = lcoord_to_gid(x, y)
        array.add_cell(cell_id, world.get_visible(cell_id), why)


def find_transit_cells(
    world: CellGraph, cell: EnvCell, cell_id: int, spheres: list[MovingSphere], *, array: CellArray
) -> None:
    """Add what an EnvCell leads to: neighbours whose volume the spheres touch, the outdoors through exits.

    For a loaded neighbour the portal's plane does not matter; for an unloaded one only the plane can
    (EnvCell.find_transit_cells, membership 7.3). Spheres are in the block frame of ``cell_id``.
    """
    ox = oy = 0.0
    if cell.id >> 16 != cell_id >> 16:
        ox, oy, _ = block_offset(cell_id, cell.id)
    outside = array.added_outside
    cells = array.cells
    version = world.version
    for portal in cell.portals:
        if portal.is_exit:
            if not outside:
                outside = _touches_plane(cell.portal_planes[portal.index], spheres, ox, oy)
            continue
        other = portal.known
        if portal.known_version != version or portal.known_by is not world:
            other = world.beyond(portal)
        if isinstance(other, EnvCell):
            # Where they are few, cells are compared faster than ids.
            known = other in cells if len(cells) <= FEW else array.holds(other.id)
            if not known and some_sphere_reaches_cell(other.block_planes, spheres, ox, oy):
                array.append(other.id, other, WHY_PORTAL)
        elif _reaches_beyond(cell.portal_planes[portal.index], portal.portal_side, spheres, ox, oy=oy):
            array.add_cell(portal.other_cell_id, None, WHY_UNLOADED_PORTAL)
    if outside:
        add_all_outside_cells(world, cell_id, spheres, array)


def _touches_plane(plane: PlaneTuple, spheres: list[MovingSphere], ox: float, oy: float) -> bool:
    """Whether some sphere touches a plane; ``ox, oy`` is the plane's block seen from the spheres'."""
    nx, ny, nz, d = plane
    for s in spheres:
        reach = s.r + EPS
        if -reach < nx * (s.x - ox) + ny * (s.y - oy) + nz * s.z + d < reach:
            return True
    return False


def _reaches_beyond(
    plane: PlaneTuple, side: int, spheres: list[MovingSphere], ox: float, *, oy: float
) -> bool:
    """Whether some sphere reaches the far side of a portal's plane."""
    nx, ny, nz, d = plane
    for s in spheres:
        dist = nx * (s.x - ox) + ny * (s.y - oy) + nz * s.z + d
        reach = s.r + EPS
        if dist > -reach if side == 1 else dist < reach:
            return True
    return False


def find_building_transit_cells(
    world: CellGraph,
    cell: LandCell,
    cell_id: int,
    spheres: list[MovingSphere],
    *,
    array: CellArray,
) -> None:
    """Add what a landcell leads to: its neighbours, and the interior behind its building's openings."""
    add_all_outside_cells(world, cell_id, spheres, array)
    if cell.building is None:
        return
    for portal in cell.building.portals:
        other = world.get_visible(portal.other_cell_id)
        if isinstance(other, EnvCell):
            check_building_transit(other, portal.other_portal_id, cell_id, spheres, array=array)


def check_building_transit(
    cell: EnvCell,
    portal_id: int,
    cell_id: int,
    spheres: list[MovingSphere],
    *,
    array: CellArray,
) -> None:
    """Add an interior cell met from outdoors when a sphere touches its volume (membership 7.4)."""
    if portal_id < 0:
        return
    ox = oy = 0.0
    if cell.id >> 16 != cell_id >> 16:  # the original forgets it, and misses doors beyond a block's border
        ox, oy, _ = block_offset(cell_id, cell.id)
    if some_sphere_reaches_cell(cell.block_planes, spheres, ox, oy):
        array.hits_interior_cell = True
        array.add_cell(cell.id, cell, WHY_BUILDING)
