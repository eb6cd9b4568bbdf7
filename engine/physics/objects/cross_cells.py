"""The cells that an object's shadow falls into (objects 8.2) and transit of parts (membership 7.2-7.4).

Object bounds are given in the block frame of the object's own cell and rebased where cells of another
landblock are asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.collision.cell_tree import box_intersects_cell
from engine.dat.values import Sphere, Vec3
from engine.physics.membership.cell_array import (
    WHY_BUILDING,
    WHY_OUTSIDE,
    WHY_PORTAL,
    WHY_SEED,
    WHY_UNLOADED_PORTAL,
    CellArray,
)
from engine.physics.membership.cell_list import find_cell_list
from engine.physics.objects.shadow_object import PartBox, PhysicsObject
from engine.physics.objects.shadow_shape import ShapeType
from engine.world.cell_graph import CellGraph
from engine.world.cells import Building, EnvCell, LandCell, ObjCell
from engine.world.frame import Frame, Position
from engine.world.ids import (
    CELL_SIDE,
    adjust_to_outside,
    block_offset,
    gid_to_lcoord,
    inbound,
    lcoord_to_gid,
    rebase,
)
from engine.world.polygon import Polygon, bounding_sphere
from engine.world.tolerance import EPS

MAX_CYLSPHERES: Final = 10
MOST_CELLS: Final = 100  # 2.4 km
MOST_TRIED: Final = 1 << 19  # parts at openings, of one object: seconds; sixty in fifty rooms take 20,000
MOST_SPHERES: Final = 256  # that are looked for one by one, of models that have some few
DUMMY_SPHERE = Sphere((0.0, 0.0, 0.1), 0.1)

POSITIVE: Final = 0
NEGATIVE: Final = 1
CROSSING_PLANE: Final = 3

Box = tuple[Vec3, Vec3]


def calc_cross_cells(world: CellGraph, target: PhysicsObject) -> CellArray:
    """The cells that an object overlaps, in the order found, its own cell first (objects 8.2).

    Objects with a physics tree, and statics without cylinders, go by the boxes of their parts; the rest
    by their cylinders, spheres or sorting sphere. A cell that is not loaded is listed without its cell.
    """
    array = CellArray(explains=True)
    cylinders = [s for s in target.shapes if s.kind is ShapeType.CYLINDER][:MAX_CYLSPHERES]
    if target.has_physics_bsp or (target.is_static and not cylinders):
        find_bbox_cell_list(world, target.position, target.part_boxes(), array)
        return array
    spheres = [Sphere(s.frame.origin, s.radius) for s in cylinders or target.shapes]
    if len(spheres) > MOST_SPHERES:
        spheres = [_sphere_around(spheres)]
    _add_sphere_cells(world, target, spheres or [_sorting_sphere(target)], array)
    return array


def _sphere_around(spheres: Sequence[Sphere]) -> Sphere:
    middle, _ = bounding_sphere([s.center for s in spheres])
    return Sphere(middle, max(math.dist(middle, s.center) + s.radius for s in spheres))


def _sorting_sphere(target: PhysicsObject) -> Sphere:
    center, radius = target.model.sorting_sphere
    if radius <= 0.0:
        return DUMMY_SPHERE
    s = target.scale
    return Sphere((center[0] * s, center[1] * s, center[2] * s), radius * s)


def _add_sphere_cells(
    world: CellGraph, target: PhysicsObject, spheres: Sequence[Sphere], array: CellArray
) -> None:
    """Add the cells that local spheres touch; a static's list is pruned by the stab list (membership 7.1)."""
    frame = target.position.frame
    found = CellArray(explains=True)
    found.do_not_load_cells = target.is_static
    placed = [Sphere(frame.to_global(s.center), s.radius) for s in spheres]
    find_cell_list(world, target.position, placed, found)
    for cell_id, cell, why in zip(found.ids, found.cells, found.why, strict=True):
        array.add_cell(cell_id, cell, why)
        array.tried += len(spheres) * len(cell.portals if isinstance(cell, EnvCell) else ())


def find_bbox_cell_list(world: CellGraph, pos: Position, parts: Sequence[PartBox], array: CellArray) -> None:
    """The object's own cell, then whatever its parts reach from there, cell by cell."""
    array.add_cell(pos.cell_id, world.get_visible(pos.cell_id), WHY_SEED)
    if not parts:
        return
    index = 0
    while index < len(array.ids) and array.tried <= MOST_TRIED:
        cell = array.cells[index]
        array.source = array.ids[index]
        if isinstance(cell, EnvCell):
            find_transit_cells_by_parts(world, cell, pos.cell_id, parts, array=array)
        elif isinstance(cell, LandCell):
            add_outside_cells_by_parts(world, pos, parts, array)
            if cell.building is not None:
                find_building_transit_cells_by_parts(world, cell.building, pos.cell_id, parts, array=array)
        index += 1


def find_transit_cells_by_parts(
    world: CellGraph, cell: EnvCell, base: int, parts: Sequence[PartBox], *, array: CellArray
) -> None:
    """EnvCell.find_transit_cells for parts given in the block frame of ``base`` (membership 7.3)."""
    outside = False
    array.tried += len(parts)
    local = [(local_box(cell, base, p), _local_center(cell, base, p), p) for p in parts]
    for portal in cell.portals:
        if array.added_outside or outside if portal.is_exit else array.holds(portal.other_cell_id):
            continue  # it would add nothing
        array.tried += len(parts)
        if array.tried > MOST_TRIED:
            break
        for box, center, part in local:
            if not _reaches_portal(portal.polygon, portal.portal_side, center, part.radius + EPS):
                continue
            if intersect_box(portal.polygon, box) == portal.portal_side:
                continue
            if portal.is_exit:
                outside = True
                break
            other = world.env_cell(portal.other_cell_id)
            if other is None:
                array.add_cell(portal.other_cell_id, None, WHY_UNLOADED_PORTAL)
                break
            tree = other.structure.cell_tree
            if tree is not None and box_intersects_cell(tree, local_box(other, base, part)):
                array.add_cell(other.id, other, WHY_PORTAL)
                break
    if outside:
        add_outside_cells_by_parts(world, Position(base, Frame((0.0, 0.0, 0.0))), parts, array)


def _reaches_portal(plane: Polygon, side: int, center: Vec3, radius: float) -> bool:
    distance = plane.distance(center)
    return distance >= -radius if side == 1 else distance <= radius


def find_building_transit_cells_by_parts(
    world: CellGraph, building: Building, base: int, parts: Sequence[PartBox], *, array: CellArray
) -> None:
    """The interior cells that parts reach through a building's openings (membership 7.4)."""
    for portal in building.portals:
        other = world.env_cell(portal.other_cell_id)
        if other is not None and not array.holds(other.id):
            array.tried += len(parts)
            if array.tried > MOST_TRIED:
                return
            check_building_transit_by_parts(other, portal.other_portal_id, base, parts, array=array)


def check_building_transit_by_parts(
    cell: EnvCell, portal_id: int, base: int, parts: Sequence[PartBox], *, array: CellArray
) -> None:
    """Add an interior cell when some part crosses its exit portal from outside (membership 7.4)."""
    tree = cell.structure.cell_tree
    if not 0 <= portal_id < len(cell.portals) or tree is None:
        return
    portal = cell.portals[portal_id]
    for part in parts:
        distance = portal.polygon.distance(_local_center(cell, base, part))
        radius = part.radius + EPS
        if distance > radius if portal.portal_side == 1 else distance < -radius:
            continue
        box = local_box(cell, base, part)
        if intersect_box(portal.polygon, box) not in (CROSSING_PLANE, portal.portal_side):
            continue
        if box_intersects_cell(tree, box):
            array.add_cell(cell.id, cell, WHY_BUILDING)
            return


def add_outside_cells_by_parts(
    world: CellGraph, pos: Position, parts: Sequence[PartBox], array: CellArray
) -> None:
    """Add the rectangle of landcells that the parts' boxes cover (membership 7.2).

    The rectangle is counted from the landcell under the first part's origin, across landblocks, and ends
    MOST_CELLS from it: what a damaged model claims beyond that is no place. The array then says that it is
    cut off.
    """
    if array.added_outside:
        return
    array.added_outside = True
    if not parts:
        return
    base_id, _ = adjust_to_outside(pos.cell_id, parts[0].origin)
    base = gid_to_lcoord(base_id)
    if base is None:
        return
    ox, oy, _ = block_offset(base_id, pos.cell_id)
    lx, ly = base[0] & 7, base[1] & 7
    left = right = low = high = 0
    for part in parts:
        xs = [c[0] + ox for c in part.corners]
        ys = [c[1] + oy for c in part.corners]
        left = min(left, math.floor(min(xs) / CELL_SIDE) - lx)
        right = max(right, math.floor(max(xs) / CELL_SIDE) - lx)
        low = min(low, math.floor(min(ys) / CELL_SIDE) - ly)
        high = max(high, math.floor(max(ys) / CELL_SIDE) - ly)
    array.cut_off = max(-left, -low, right, high) > MOST_CELLS
    left, low = max(left, -MOST_CELLS), max(low, -MOST_CELLS)
    right, high = min(right, MOST_CELLS), min(high, MOST_CELLS)
    for x in range(base[0] + left, base[0] + right + 1):
        for y in range(base[1] + low, base[1] + high + 1):
            if inbound(x, y):
                cell_id = lcoord_to_gid(x, y)
                array.add_cell(cell_id, world.land_cell(cell_id), WHY_OUTSIDE)


def local_box(cell: ObjCell, base: int, part: PartBox) -> Box:
    """The axis-aligned box, in a cell's own space, around a part's corners."""
    frame = cell.frame
    points = [frame.to_local(rebase(c, base, cell.id)) for c in part.corners]
    xs, ys, zs = [p[0] for p in points], [p[1] for p in points], [p[2] for p in points]
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def _local_center(cell: ObjCell, base: int, part: PartBox) -> Vec3:
    return cell.frame.to_local(rebase(part.center, base, cell.id))


def intersect_box(polygon: Polygon, box: Box) -> int:
    """On which side of a polygon's plane a box lies: POSITIVE, NEGATIVE or CROSSING_PLANE (collision 4.5)."""
    (ax, ay, az), (bx, by, bz) = box
    nx, ny, nz = polygon.normal
    near = far = polygon.d
    for n, a, b in ((nx, ax, bx), (ny, ay, by), (nz, az, bz)):
        near += min(n * a, n * b)
        far += max(n * a, n * b)
    if near > EPS:
        return POSITIVE
    return NEGATIVE if far < -EPS else CROSSING_PLANE
