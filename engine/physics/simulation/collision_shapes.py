"""All that collides, as solid faces with their edges: the world as a body knows it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from engine.dat.values import Vec3
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_shape import ShadowShape, ShapeType
from engine.physics.simulation.body_shapes import PASSABLE, SOLID, tree_polygons
from engine.world.cells import Building, EnvCell, LandCell
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.frame import Frame
from engine.world.physics_state import ETHEREAL

CELL: Final[Rgba] = (0.66, 0.70, 0.76, 1.0)
GROUND: Final[Rgba] = (0.42, 0.60, 0.36, 1.0)
SHELL: Final[Rgba] = (0.72, 0.58, 0.44, 1.0)
GROUND_DROP: Final = 0.01  # metres
_EDGE_SHARE: Final = 0.35  # of a face's colour: its edges are darker
_LIGHT: Vec3 = (0.36, 0.27, 0.89)
_AMBIENT: Final = 0.55
_AROUND: Final = 20
_RINGS: Final = 10


def cell_collision(out: DebugShapes, cell: EnvCell) -> None:
    """The physics polygons of an interior cell."""
    for polygon in cell.structure.physics_polygons.values():
        _face(out, [cell.frame.to_global(v) for v in polygon.vertices], cell.id, CELL)


def ground_collision(out: DebugShapes, cell: LandCell) -> None:
    """The two triangles of a landcell's ground, a centimetre lower: many a floor lies at its height."""
    for polygon in cell.polygons:
        _face(out, [(x, y, z - GROUND_DROP) for x, y, z in polygon.vertices], cell.id, GROUND)


def shell_collision(out: DebugShapes, block_id: int, building: Building) -> None:
    """The physics polygons of a building's outside."""
    if building.shell_root is not None:
        for polygon in tree_polygons(building.shell_root):
            corners = [building.shell_frame.to_global(v) for v in polygon.vertices]
            _face(out, corners, block_id, SHELL)


def object_collision(out: DebugShapes, objects: Iterable[PhysicsObject]) -> None:
    """The shapes by which objects collide, as they stand now; of ethereal ones the edges alone."""
    for target in objects:
        ethereal = bool(target.state & ETHEREAL)
        for shape in () if out.room.is_full else target.family:
            place = target.position.frame.combine(shape.frame)
            for corners in _faces_of(shape, place):
                if ethereal:
                    out.outline(out.rebased(corners, target.position.cell_id), PASSABLE)
                else:
                    _face(out, corners, target.position.cell_id, SOLID)


def _face(out: DebugShapes, corners: Sequence[Vec3], cell_id: int, color: Rgba) -> None:
    """A face, shaded by how it lies, and its edges."""
    placed = out.rebased(corners, cell_id)
    if len(placed) < 3:
        return
    light = _AMBIENT + (1.0 - _AMBIENT) * max(0.0, _lit(placed))
    r, g, b, a = color
    out.fan(placed, (r * light, g * light, b * light, a))
    out.outline(placed, (r * _EDGE_SHARE, g * _EDGE_SHARE, b * _EDGE_SHARE, a))


def _lit(corners: Sequence[Vec3]) -> float:
    """The cosine between a face's normal and the light."""
    x = y = z = 0.0
    ax, ay, az = corners[-1]
    for bx, by, bz in corners:
        x += (ay - by) * (az + bz)
        y += (az - bz) * (ax + bx)
        z += (ax - bx) * (ay + by)
        ax, ay, az = bx, by, bz
    length = math.sqrt(x * x + y * y + z * z)
    return 0.0 if length == 0.0 else (x * _LIGHT[0] + y * _LIGHT[1] + z * _LIGHT[2]) / length


def _faces_of(shape: ShadowShape, place: Frame) -> list[list[Vec3]]:
    """The faces of a shape, seen from outside counter-clockwise; round ones in facets."""
    if shape.part is not None:
        k = shape.scale
        return [
            [place.to_global((x * k, y * k, z * k)) for x, y, z in polygon.vertices]
            for polygon in shape.part.physics_polygons.values()
        ]
    x, y, z = place.origin
    if shape.kind is ShapeType.SPHERE:
        levels = [-math.pi / 2.0 + math.pi * k / _RINGS for k in range(_RINGS + 1)]
        rings = [(z + shape.radius * math.sin(a), shape.radius * math.cos(a)) for a in levels]
    else:
        top = z + shape.cyl_height
        rings = [(z, 0.0), (z, shape.radius), (top, shape.radius), (top, 0.0)]
    return [
        face
        for low, high in pairwise(rings)
        for k in range(_AROUND)
        if len(face := _facet(x, y, low=low, high=high, k=k)) >= 3
    ]


def _facet(x: float, y: float, *, low: tuple[float, float], high: tuple[float, float], k: int) -> list[Vec3]:
    """The part of a surface about the z axis between two rings (height, radius), a triangle at an end."""
    a, b = (2.0 * math.pi * step / _AROUND for step in (k, k + 1))
    corners: list[Vec3] = []
    for (z, radius), angle in ((low, a), (low, b), (high, b), (high, a)):
        corner = (x + radius * math.cos(angle), y + radius * math.sin(angle), z)
        if not corners or math.dist(corner, corners[-1]) > 1e-6:
            corners.append(corner)
    if len(corners) > 1 and math.dist(corners[0], corners[-1]) <= 1e-6:
        corners.pop()
    return corners
