"""A cell's objects against the mover (objects 8.1, 8.5), and who stands in an object (objects 8.6)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.physics.enums import (
    ENTITY_HIT,
    INITIAL_PLACEMENT,
    OI_CONTACT,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PK_LITE,
    OI_IS_PLAYER,
    OK,
    PLACEMENT,
    TransitionState,
)
from engine.physics.objects.shadow_object import WEENIE, CellShadow, PhysicsObject
from engine.physics.objects.shadow_shape import ShadowShape, ShapeType
from engine.physics.transition.bsp_collisions import find_bsp_collisions
from engine.physics.transition.cylsphere_object import intersects_cylsphere
from engine.physics.transition.sphere_object import intersects_sphere
from engine.physics.transition.sphere_path import SpherePath
from engine.physics.transition.transition import Transition
from engine.world.cells import ObjCell
from engine.world.frame import Position
from engine.world.ids import block_offset, rebase
from engine.world.physics_state import ETHEREAL, IGNORE_COLLISIONS, MISSILE, STATIC

# A sphere meets a cylinder as far out as its corner: the mover's radius counts times the root of two.
CORNER: Final = 1.4143


def find_obj_collisions(cell: ObjCell, t: Transition) -> TransitionState:
    """Every object in a cell's shadow list, in order; the first result that is not OK (objects 8.1)."""
    if t.sphere_path.insert_type == INITIAL_PLACEMENT:
        return OK
    path = t.sphere_path
    cell_id = path.check_pos.cell_id
    block = cell_id >> 16
    x, y, z, r = path.around if path.around_moves == path.moves else _reach_of(path)
    for shadow in cell.shadow_objects:
        if not isinstance(shadow, CellShadow):
            continue
        target = shadow.object
        cx, cy, cz = target.bound_center
        if block != target.block:
            ox, oy, _ = block_offset(cell_id, target.position.cell_id)
            cx += ox
            cy += oy
        dx, dy, dz, reach = x - cx, y - cy, z - cz, r + target.bound_radius
        if dx * dx + dy * dy + dz * dz > reach * reach:
            continue  # so far off that no sphere of the mover comes near any colliding shape
        if shadow.entity_id == t.mover.id:
            continue
        result = find_object_collisions(target, shadow.state, t)
        if result is not OK:
            return result
        if path.around_moves != path.moves:  # what was met has moved the mover
            x, y, z, r = _reach_of(path)
            cell_id = path.check_pos.cell_id
            block = cell_id >> 16
    return OK


def _reach_of(path: SpherePath) -> tuple[float, float, float, float]:
    """Centre and radius of a sphere around all that the mover's spheres can meet; the path keeps it."""
    foot, head = path.global_sphere[0], path.global_sphere[-1]
    x, y, z = (foot.x + head.x) * 0.5, (foot.y + head.y) * 0.5, (foot.z + head.z) * 0.5
    dx, dy, dz = head.x - x, head.y - y, head.z - z
    path.around = (x, y, z, math.sqrt(dx * dx + dy * dy + dz * dz) + max(foot.r, head.r) * CORNER)
    path.around_moves = path.moves
    return path.around


def find_object_collisions(target: PhysicsObject, state: int, t: Transition) -> TransitionState:
    """Test the mover against the colliding family of one object (FindObjCollisions, objects 8.5).

    ``state`` is the object's state in the cell through which it is met. An ethereal object is tested so
    that its touch is reported, and never blocks.
    """
    if state & ETHEREAL and state & IGNORE_COLLISIONS:
        return OK
    path, info, mover = t.sphere_path, t.collision_info, t.object_info
    static = (state & STATIC) != 0
    ethereal = (state & ETHEREAL) != 0 or (mover.ethereal and not static)
    if ethereal and path.step_down:
        return OK  # or one would stand on open doors
    if _is_exempt(target, mover.state) or _missile_ignore(target, state, t):
        return OK
    path.obstruction_ethereal = ethereal
    result = _find_family_collisions(target, t)
    if result is not OK and not path.step_down:
        if static:
            if not mover.state & OI_CONTACT:
                info.collided_with_environment = True
        elif ethereal:
            result = OK
            info.collision_normal = None
            info.add_object(target, OK)
        else:
            info.add_object(target, result)
    path.obstruction_ethereal = False
    return result


def _find_family_collisions(target: PhysicsObject, t: Transition) -> TransitionState:
    path = t.sphere_path
    if target.is_boxed and _is_clear_of_box(path, target):
        return OK
    for i in range(len(target.family)):
        shape, pose = target.family[i], target.poses[i]
        t.under_test = (ENTITY_HIT, target.entity_id, shape.gfxobj_id, shape.part_index)
        if shape.root is not None and _is_clear_of(path, target.bounds[i], pose.cell_id):
            continue
        result = _find_shape_collisions(target, shape, pose, t)
        if result is not OK:
            return result
    return OK


def _is_clear_of_box(path: SpherePath, target: PhysicsObject) -> bool:
    position = target.position
    ox = oy = 0.0
    if path.check_pos.cell_id >> 16 != position.cell_id >> 16:
        ox, oy, _ = block_offset(path.check_pos.cell_id, position.cell_id)
    # Where room is asked for, a centre in the solid counts as well.
    solid = path.insert_type == PLACEMENT or path.obstruction_ethereal
    return target.box.is_clear_of(path.global_sphere, position.frame, ox, oy, solid=solid)


def _is_clear_of(path: SpherePath, bound: MovingSphere, cell_id: int) -> bool:
    """Whether no sphere comes near a bound in the block frame of a cell, so that a tree need not be asked."""
    bx, by, bz, br = bound.x, bound.y, bound.z, bound.r
    if path.check_pos.cell_id >> 16 != cell_id >> 16:
        ox, oy, _ = block_offset(path.check_pos.cell_id, cell_id)
        bx += ox
        by += oy
    for s in path.global_sphere:
        x, y, z, reach = s.x - bx, s.y - by, s.z - bz, s.r + br
        if not x * x + y * y + z * z > reach * reach:
            return False
    return True


def _find_shape_collisions(
    target: PhysicsObject, shape: ShadowShape, pose: Position, t: Transition
) -> TransitionState:
    path = t.sphere_path
    if shape.kind is ShapeType.BSP:
        return _find_part_collisions(shape, pose, t)
    at = rebase(pose.frame.origin, pose.cell_id, path.check_pos.cell_id)
    if shape.kind is ShapeType.SPHERE:
        return intersects_sphere(t, at, shape.radius)
    path.cache_localspace_sphere(target.position, 1.0)
    return intersects_cylsphere(t, at, shape.radius, shape.cyl_height)


def _find_part_collisions(shape: ShadowShape, pose: Position, t: Transition) -> TransitionState:
    """A part's physics tree, where some sphere reaches its root's bounds (collision 4.6)."""
    root = shape.root
    if root is None:
        return OK
    path = t.sphere_path
    path.cache_localspace_sphere(pose, shape.scale)
    cx, cy, cz = root.center
    for s in path.localspace_sphere:
        x, y, z, reach = s.x - cx, s.y - cy, s.z - cz, s.r + root.radius
        if x * x + y * y + z * z < reach * reach:
            return find_bsp_collisions(t, root, shape.scale)
    return OK


def _is_exempt(target: PhysicsObject, mover_state: int) -> bool:
    """Whether two players pass through each other: neither impenetrable, not both of one PK kind."""
    flags = target.weenie
    if not (flags & OI_IS_PLAYER and mover_state & OI_IS_PLAYER):
        return False
    if (flags | mover_state) & OI_IS_IMPENETRABLE:
        return False
    return not flags & mover_state & (OI_IS_PK | OI_IS_PK_LITE)


def _missile_ignore(target: PhysicsObject, state: int, t: Transition) -> bool:
    """Whether the target is a missile, or one that the mover, a missile, flies through."""
    if state & MISSILE:
        return True
    return (t.mover.state & MISSILE) != 0 and (state & ETHEREAL) != 0 and (target.weenie & WEENIE) != 0


def stands_in(target: PhysicsObject, placement: Transition) -> bool:
    """Whether a mover, placed where it stands, overlaps an object as its state is now (check_collision)."""
    return find_object_collisions(target, target.state, placement) is not OK


def ethereal_check_for_collisions(
    target: PhysicsObject, placements: Iterable[tuple[frozenset[int], Transition]]
) -> bool:
    """Whether somebody is in the way of an object becoming solid (objects 8.6).

    ``placements`` gives for each body in the world the ids of the cells it overlaps and a placement
    transition at its own position.
    """
    cells = set(target.shadows)
    return any(cells & ids and stands_in(target, placement) for ids, placement in placements)
