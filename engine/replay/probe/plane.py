"""Where an object is probed: the plane of the opening that it stands in, else its own broad side."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_shape import ShapeType
from engine.world.cells import EnvCell, Portal
from engine.world.ids import adjust_to_outside, rebase
from engine.world.loading.world import World

REACH = 0.8  # metres between an object and the plane of its opening
SHARE = 0.5  # of the opening's width that the object must stand across


@dataclass(frozen=True, slots=True)
class ProbePlane:
    """An upright rectangle in the block frame of ``cell_id``, metres.

    ``origin`` is the middle of its lower edge, ``along`` points right seen from its front, where ``out``
    points to. ``near`` and ``far`` are how far the object reaches behind and before it along ``out``.
    ``front`` and ``back`` are the cells on either side; ``portal`` the (cell, portal) of the opening, None
    for an object's own side.
    """

    cell_id: int
    origin: Vec3
    along: Vec3
    out: Vec3
    width: float
    height: float
    near: float
    far: float
    front: int
    back: int
    portal: tuple[int, int] | None

    def point(self, right: float, up: float, out: float) -> Vec3:
        """A place by its distances from the middle of the lower edge."""
        x, y, z = self.origin
        ax, ay, _ = self.along
        ox, oy, _ = self.out
        return (x + ax * right + ox * out, y + ay * right + oy * out, z + up)

    def out_of(self, p: Vec3) -> float:
        """How far before the plane a place is."""
        return sum((a - o) * d for a, o, d in zip(p, self.origin, self.out, strict=True))


def probe_plane(world: World, target: PhysicsObject) -> ProbePlane:
    """The opening that an object stands in, else the broad side of its colliding shapes.

    Raises ValueError where nothing of the object collides.
    """
    corners = family_corners(target)
    if not corners:
        raise ValueError(f"object {hex_id(target.entity_id)} has no shape that collides")
    found: list[tuple[float, ProbePlane]] = []
    for cell_id in dict.fromkeys((target.position.cell_id, *target.cell_ids)):
        cell = world.env_cell(cell_id)
        if cell is not None:
            for portal in cell.portals:
                plane = _opening(cell, portal, target, corners=corners)
                if plane is not None:
                    found.append((abs(plane.near + plane.far), plane))
    if found:
        return min(found, key=lambda pair: (pair[0], pair[1].portal))[1]
    return _own_side(target, corners)


def family_corners(target: PhysicsObject) -> list[Vec3]:
    """Points that bound the colliding shapes, in the block frame of the object's cell."""
    out: list[Vec3] = []
    for shape, pose in zip(target.family, target.poses, strict=True):
        if shape.kind is ShapeType.BSP and shape.part is not None:
            k = shape.scale
            for polygon in shape.part.physics_polygons.values():
                out += [pose.frame.to_global((x * k, y * k, z * k)) for x, y, z in polygon.vertices]
            continue
        x, y, z = pose.frame.origin
        r = shape.radius
        low, high = (0.0, shape.cyl_height) if shape.kind is ShapeType.CYLINDER else (-r, r)
        out += [(x + i, y + j, z + k) for i in (-r, r) for j in (-r, r) for k in (low, high)]
    return out


def _opening(
    cell: EnvCell, portal: Portal, target: PhysicsObject, *, corners: list[Vec3]
) -> ProbePlane | None:
    """The plane of a portal, None where it is not upright or the object does not stand in it."""
    home = target.position.cell_id
    nx, ny, _ = cell.frame.to_global_vec(portal.polygon.normal)
    flat = math.hypot(nx, ny)
    if flat < 0.9:
        return None
    sign = (1.0 if portal.portal_side == 1 else -1.0) / flat
    out = (nx * sign, ny * sign, 0.0)
    points = [rebase(cell.frame.to_global(v), cell.id, home) for v in portal.polygon.vertices]
    plane = _around(
        home,
        points,
        out,
        corners=corners,
        portal=(cell.id, portal.index),
        front=portal.other_cell_id,
        back=cell.id,
    )
    if abs(plane.near + plane.far) / 2.0 > REACH:
        return None
    spots = [_dot(c, plane.along) - _dot(plane.origin, plane.along) for c in corners]
    across = min(max(spots), plane.width / 2.0) - max(min(spots), -plane.width / 2.0)
    heights = [c[2] - plane.origin[2] for c in corners]
    if across < SHARE * plane.width or max(heights) < 0.0 or min(heights) > plane.height:
        return None
    if portal.is_exit:
        outside = adjust_to_outside(home, plane.point(0.0, 0.0, plane.far + 1.0))[0]
        return _with_front(plane, outside)
    return plane


def _own_side(target: PhysicsObject, corners: list[Vec3]) -> ProbePlane:
    """The side across the thinner of the object's own horizontal axes."""
    frame = target.position.frame
    axes = [frame.to_global_vec((1.0, 0.0, 0.0)), frame.to_global_vec((0.0, 1.0, 0.0))]
    flat = [(x / n, y / n, 0.0) for x, y, _ in axes if (n := math.hypot(x, y)) > 1e-6] or [(0.0, 1.0, 0.0)]
    spread = [max(s) - min(s) for axis in flat if (s := [_dot(c, axis) for c in corners])]
    out = flat[spread.index(min(spread))]
    home = target.position.cell_id
    middle = (max(s := [_dot(c, out) for c in corners]) + min(s)) / 2.0
    points = [_shifted(c, out, middle - _dot(c, out)) for c in corners]
    return _around(home, points, out, corners=corners, portal=None, front=home, back=home)


def _around(
    home: int,
    points: list[Vec3],
    out: Vec3,
    *,
    corners: list[Vec3],
    portal: tuple[int, int] | None,
    front: int,
    back: int,
) -> ProbePlane:
    """The upright rectangle around points of a plane that faces ``out``."""
    along = (-out[1], out[0], 0.0)
    spots = [_dot(p, along) for p in points]
    depth = sum(_dot(p, out) for p in points) / len(points)
    low, high = min(p[2] for p in points), max(p[2] for p in points)
    middle = (min(spots) + max(spots)) / 2.0
    origin = (out[0] * depth + along[0] * middle, out[1] * depth + along[1] * middle, low)
    reach = [_dot(c, out) - depth for c in corners]
    return ProbePlane(
        cell_id=home,
        origin=origin,
        along=along,
        out=out,
        width=max(spots) - min(spots),
        height=high - low,
        near=min(reach),
        far=max(reach),
        front=front,
        back=back,
        portal=portal,
    )


def _with_front(plane: ProbePlane, front: int) -> ProbePlane:
    return ProbePlane(
        cell_id=plane.cell_id,
        origin=plane.origin,
        along=plane.along,
        out=plane.out,
        width=plane.width,
        height=plane.height,
        near=plane.near,
        far=plane.far,
        front=front,
        back=plane.back,
        portal=plane.portal,
    )


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _shifted(p: Vec3, by: Vec3, k: float) -> Vec3:
    return (p[0] + by[0] * k, p[1] + by[1] * k, p[2] + by[2] * k)
