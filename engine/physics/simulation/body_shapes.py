"""What physics knows about a place, as lines: shadow shapes, spheres, ground (views 8.2 no. 12)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from engine.dat.values import Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import FLOOR_Z
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_shape import ShadowShape, ShapeType
from engine.physics.simulation.sweep import SweepResult
from engine.world.bsp import BspNode
from engine.world.cells import EnvCell, LandCell, ObjCell
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.physics_state import ETHEREAL
from engine.world.polygon import Polygon

SOLID: Final[Rgba] = (1.0, 0.55, 0.15, 1.0)
PASSABLE: Final[Rgba] = (0.3, 0.9, 1.0, 1.0)
OTHER_FAMILY: Final[Rgba] = (0.6, 0.6, 0.65, 0.7)
BODY: Final[Rgba] = (0.95, 0.95, 0.3, 1.0)
WALKABLE: Final[Rgba] = (0.3, 1.0, 0.4, 1.0)
STEEP: Final[Rgba] = (1.0, 0.3, 0.25, 1.0)
NORMAL: Final[Rgba] = (1.0, 0.3, 0.9, 1.0)
CAMERA: Final[Rgba] = (0.5, 0.7, 1.0, 0.9)
_SEGMENTS: Final = 20
_PLANE_SIZE: Final = 0.6
_PLANE_LIFT: Final = 0.01
_SLOPE_ALPHA: Final = 0.35
_LEVEL: Final = 0.01  # walls, and what looks down


def shadow_shapes(out: DebugShapes, objects: Iterable[PhysicsObject]) -> None:
    """The shapes of objects: orange where they block, cyan where ethereal, grey what never collides."""
    for target in objects:
        color = PASSABLE if target.state & ETHEREAL else SOLID
        family = frozenset(target.family)
        for shape in () if out.room.is_full else target.shapes:
            place = target.position.frame.combine(shape.frame)
            collides = shape in family
            _shape(out, shape, place, target.position.cell_id, color=color if collides else OTHER_FAMILY)


def body_shapes(out: DebugShapes, body: PhysicsBody, normal: Vec3 | None = None) -> None:
    """The body's spheres, the plane it stands on with its normal, and the normal it last collided with."""
    cell_id, frame = body.position.cell_id, body.position.frame
    for sphere in body.movement_spheres:
        _sphere(out, frame.to_global(sphere.center), sphere.radius, cell_id, color=BODY)
    feet = frame.origin
    contact = body.contact
    if contact is not None:
        nx, ny, nz = contact.normal
        color = WALKABLE if body.on_walkable else STEEP
        x, y, z = rebase(feet, cell_id, contact.cell_id)
        d = nx * x + ny * y + nz * z + contact.d
        foot = out.rebased([feet], cell_id)[0]
        k = _PLANE_LIFT - d
        at = (foot[0] + nx * k, foot[1] + ny * k, foot[2] + nz * k)
        u, v = _across((nx, ny, nz))
        quad = [
            (
                at[0] + _PLANE_SIZE * (a * u[0] + b * v[0]),
                at[1] + _PLANE_SIZE * (a * u[1] + b * v[1]),
                at[2] + _PLANE_SIZE * (a * u[2] + b * v[2]),
            )
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        out.outline(quad, color)
        out.fan(quad, (*color[:3], 0.35))
        out.line(at, (at[0] + nx, at[1] + ny, at[2] + nz), color)
    if normal is not None:
        x, y, z = out.rebased([(feet[0], feet[1], feet[2] + 1.0)], cell_id)[0]
        out.line((x, y, z), (x + normal[0], y + normal[1], z + normal[2]), NORMAL)


def path_shapes(out: DebugShapes, body: PhysicsBody, sweep: SweepResult) -> None:
    """The last sweep, sub-step by sub-step: what was asked for in yellow, what was swept in green.

    The foot sphere is drawn where each sub-step ended. Nothing without a trace.
    """
    if sweep.trace is None or not body.movement_spheres:
        return
    foot = body.movement_spheres[0]
    cx, cy, cz = foot.center
    for step in sweep.trace.steps:
        if not step.end_cell_id or not step.cell_id:
            continue
        x, y, z = out.rebased([step.start], step.cell_id)[0]
        ex, ey, ez = out.rebased([step.end], step.end_cell_id)[0]
        dx, dy, dz = step.offset
        start = (x + cx, y + cy, z + cz)
        end = (ex + cx, ey + cy, ez + cz)
        out.line(start, (start[0] + dx, start[1] + dy, start[2] + dz), BODY)
        out.line(start, end, WALKABLE if step.advanced else STEEP)
        for axis in range(3):
            out.outline(_ring(end, foot.radius, axis), (*WALKABLE[:3], 0.6))


def camera_shapes(out: DebugShapes, cell_id: int, pivot: Vec3, eye: Vec3, *, radius: float) -> None:
    """The camera's sweep from the pivot to the eye, with the sphere that was swept."""
    a, b = out.rebased([pivot, eye], cell_id)
    out.line(a, b, CAMERA)
    for p in (a, b):
        for axis in range(3):
            out.outline(_ring(p, radius, axis), CAMERA)


def slope_shapes(out: DebugShapes, cells: Iterable[ObjCell], objects: Iterable[PhysicsObject]) -> None:
    """What a foot can stand on in green, what is too steep in red: of cells, ground, shells and objects.

    Faces that look down carry nobody and are left out.
    """
    for cell in cells:
        if out.room.is_full:
            return
        if isinstance(cell, EnvCell):
            for polygon in cell.structure.physics_polygons.values():
                _slope(out, polygon, cell.frame, cell.id)
        elif isinstance(cell, LandCell):
            for polygon in cell.polygons:
                _slope(out, polygon, cell.frame, cell.id)
            building = cell.building
            if building is not None and building.shell_root is not None:
                for polygon in tree_polygons(building.shell_root):
                    _slope(out, polygon, building.shell_frame, cell.id)
    for target in objects:
        for shape in () if out.room.is_full else target.family:
            if shape.part is not None:
                place = target.position.frame.combine(shape.frame)
                for polygon in shape.part.physics_polygons.values():
                    _slope(out, polygon, place, target.position.cell_id, scale=shape.scale)


def _slope(out: DebugShapes, polygon: Polygon, place: Frame, cell_id: int, *, scale: float = 1.0) -> None:
    nx, ny, nz = place.to_global_vec(polygon.normal)
    if nz <= _LEVEL:
        return
    color = WALKABLE if nz >= FLOOR_Z else STEEP
    corners = [place.to_global((x * scale, y * scale, z * scale)) for x, y, z in polygon.vertices]
    lifted = [
        (x + nx * _PLANE_LIFT, y + ny * _PLANE_LIFT, z + nz * _PLANE_LIFT)
        for x, y, z in out.rebased(corners, cell_id)
    ]
    out.fan(lifted, (*color[:3], _SLOPE_ALPHA))
    out.outline(lifted, (*color[:3], 0.8))


def tree_polygons(root: BspNode) -> list[Polygon]:
    """The polygons of a tree, each once."""
    found: dict[int, Polygon] = {}
    todo = [root]
    while todo:
        node = todo.pop()
        found.update((id(p), p) for p in node.polygons)
        todo += [child for child in (node.neg, node.pos) if child is not None]
    return list(found.values())


def _shape(out: DebugShapes, shape: ShadowShape, place: Frame, cell_id: int, *, color: Rgba) -> None:
    if shape.kind is ShapeType.SPHERE:
        _sphere(out, place.origin, shape.radius, cell_id, color=color)
    elif shape.kind is ShapeType.CYLINDER:
        x, y, z = place.origin
        low = _ring((x, y, z), shape.radius, 2)
        high = _ring((x, y, z + shape.cyl_height), shape.radius, 2)
        low, high = out.rebased(low, cell_id), out.rebased(high, cell_id)
        out.outline(low, color)
        out.outline(high, color)
        for k in range(0, _SEGMENTS, _SEGMENTS // 4):
            out.line(low[k], high[k], color)
    elif shape.part is not None:
        size = shape.scale
        for polygon in shape.part.physics_polygons.values():
            corners = [place.to_global((p[0] * size, p[1] * size, p[2] * size)) for p in polygon.vertices]
            out.outline(out.rebased(corners, cell_id), color)


def _sphere(out: DebugShapes, center: Vec3, radius: float, cell_id: int, *, color: Rgba) -> None:
    for axis in range(3):
        out.outline(out.rebased(_ring(center, radius, axis), cell_id), color)


def _ring(center: Vec3, radius: float, axis: int) -> list[Vec3]:
    """A circle about an axis (0 x, 1 y, 2 z)."""
    points: list[Vec3] = []
    for k in range(_SEGMENTS):
        a = 2.0 * math.pi * k / _SEGMENTS
        c, s = radius * math.cos(a), radius * math.sin(a)
        off = ((0.0, c, s), (c, 0.0, s), (c, s, 0.0))[axis]
        points.append((center[0] + off[0], center[1] + off[1], center[2] + off[2]))
    return points


def _across(normal: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors in the plane of a normal."""
    nx, ny, nz = normal
    ux, uy, uz = (0.0, nz, -ny) if abs(nx) < 0.7 else (nz, 0.0, -nx)
    k = 1.0 / math.sqrt(ux * ux + uy * uy + uz * uz)
    u = (ux * k, uy * k, uz * k)
    return u, (ny * u[2] - nz * u[1], nz * u[0] - nx * u[2], nx * u[1] - ny * u[0])
