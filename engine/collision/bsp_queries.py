"""Questions to a physics tree (collision 4.3). Spheres and directions are in the tree's own space."""

from __future__ import annotations

from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import (
    adjust_sphere_to_plane,
    check_small_walkable,
    hits_sphere,
    pos_hits_sphere,
    walkable_hits_sphere,
)
from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.world.bsp import BspNode
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS


@mypyc_attr(acyclic=True, free_list_len=1)
class PolyHit:
    """What ``sphere_intersects_poly`` leaves: the polygon that was hit, or merely touched, last."""

    __slots__ = ("poly",)

    def __init__(self) -> None:
        self.poly: Polygon | None = None


@mypyc_attr(acyclic=True)
class SolidHit:
    """What ``sphere_intersects_solid_poly`` leaves: a polygon, or that the centre is in the solid."""

    __slots__ = ("centre_solid", "poly")

    def __init__(self) -> None:
        self.poly: Polygon | None = None
        self.centre_solid = False


@mypyc_attr(acyclic=True, free_list_len=1)
class WalkableProbe:
    """A search for walkable ground: ``sphere`` and ``walk_interp`` change as polygons are found.

    ``allowance`` is the up-ness that is too little.
    """

    __slots__ = ("allowance", "move", "polygon", "sphere", "up", "walk_interp")

    def __init__(self, sphere: MovingSphere, move: Vec3, up: Vec3, allowance: float) -> None:
        self.sphere = sphere
        self.move = move
        self.up = up
        self.allowance = allowance
        self.walk_interp = 1.0
        self.polygon: Polygon | None = None


def sphere_misses(node: BspNode, s: MovingSphere) -> bool:
    """Whether a sphere stays clear of a node's bounding sphere."""
    cx, cy, cz = node.center
    dx, dy, dz = s.x - cx, s.y - cy, s.z - cz
    reach = node.radius + s.r
    return dx * dx + dy * dy + dz * dz >= reach * reach


# The walks below go down a tree in a loop and call themselves only where a sphere lies on both sides of a
# plane; bounds and planes are tested in place. A tick asks about a hundred nodes.


def sphere_intersects_poly(node: BspNode | None, s: MovingSphere, move: Vec3, out: PolyHit) -> bool:
    """Whether a sphere moving by ``move`` hits a polygon; ``out`` also gets one it only touches."""
    x, y, z, r = s.x, s.y, s.z, s.r
    rad = r - EPS
    while node is not None:
        if node.has_bounds:
            cx, cy, cz = node.center
            dx, dy, dz, reach = x - cx, y - cy, z - cz, node.radius + r
            if dx * dx + dy * dy + dz * dz >= reach * reach:
                return False
        if node.is_leaf:
            ax, ay, az, bx, by, bz = x - r, y - r, z - r, x + r, y + r, z + r
            for poly in node.polygons:
                box = poly.box
                if box is None:
                    box = poly.measured()
                if bx < box.ax or ax > box.bx or by < box.ay or ay > box.by or bz < box.az or az > box.bz:
                    continue
                hit, touched = pos_hits_sphere(poly, s, move)
                if touched:
                    out.poly = poly
                if hit:
                    return True
            return False
        nx, ny, nz = node.normal
        dist = nx * x + ny * y + nz * z + node.d
        if dist >= rad:
            node = node.front
        elif dist <= -rad:
            node = node.back
        elif node.front is not None and sphere_intersects_poly(node.front, s, move, out):
            return True
        else:
            node = node.back
    return False


def find_walkable(node: BspNode | None, probe: WalkableProbe) -> None:
    """Rest the probe's sphere on walkable polygons in its way; the last one that moved it is kept."""
    s = probe.sphere
    x, y, z, r = s.x, s.y, s.z, s.r
    rad = r - EPS
    while node is not None:
        if node.has_bounds:
            cx, cy, cz = node.center
            dx, dy, dz, reach = x - cx, y - cy, z - cz, node.radius + r
            if dx * dx + dy * dy + dz * dz >= reach * reach:
                return
        if node.is_leaf:
            ux, uy, uz = probe.up
            for poly in node.polygons:
                nx, ny, nz = poly.normal
                if nx * ux + ny * uy + nz * uz <= probe.allowance or not hits_sphere(poly, s):
                    continue
                interp = adjust_sphere_to_plane(poly, s, probe.move, probe.walk_interp)
                if interp is not None:
                    probe.walk_interp = interp
                    probe.polygon = poly
            return
        nx, ny, nz = node.normal
        dist = nx * x + ny * y + nz * z + node.d
        if dist >= rad:
            node = node.front
        elif dist <= -rad:
            node = node.back
        else:
            if node.front is not None:
                find_walkable(node.front, probe)
            node = node.back
            if s.x != x or s.y != y or s.z != z:  # it was moved: the bounds above hold no more
                x, y, z = s.x, s.y, s.z
                if node is not None and sphere_misses(node, s):
                    return


def hits_walkable(node: BspNode | None, s: MovingSphere, up: Vec3, allowance: float) -> bool:
    """Whether some walkable polygon carries the sphere."""
    x, y, z, r = s.x, s.y, s.z, s.r
    rad = r - EPS
    while node is not None:
        if node.has_bounds:
            cx, cy, cz = node.center
            dx, dy, dz, reach = x - cx, y - cy, z - cz, node.radius + r
            if dx * dx + dy * dy + dz * dz >= reach * reach:
                return False
        if node.is_leaf:
            for poly in node.polygons:
                if walkable_hits_sphere(poly, s, up, allowance) and check_small_walkable(poly, s, up):
                    return True
            return False
        nx, ny, nz = node.normal
        dist = nx * x + ny * y + nz * z + node.d
        if dist >= rad:
            node = node.front
        elif dist <= -rad:
            node = node.back
        elif node.front is not None and hits_walkable(node.front, s, up, allowance):
            return True
        else:
            node = node.back
    return False


def sphere_intersects_solid(node: BspNode | None, s: MovingSphere, *, centre_check: bool) -> bool:
    """Whether a sphere touches any polygon, or has its centre in a solid leaf where ``centre_check``."""
    x, y, z, r = s.x, s.y, s.z, s.r
    rad = r - EPS
    while node is not None:
        if node.is_leaf and (not node.polygons or (centre_check and node.solid)):
            return len(node.polygons) > 0
        if node.has_bounds:
            cx, cy, cz = node.center
            dx, dy, dz, reach = x - cx, y - cy, z - cz, node.radius + r
            if dx * dx + dy * dy + dz * dz >= reach * reach:
                return False
        if node.is_leaf:
            ax, ay, az, bx, by, bz = x - r, y - r, z - r, x + r, y + r, z + r
            for poly in node.polygons:
                box = poly.box
                if box is None:
                    box = poly.measured()
                if bx < box.ax or ax > box.bx or by < box.ay or ay > box.by or bz < box.az or az > box.bz:
                    continue
                if hits_sphere(poly, s):
                    return True
            return False
        nx, ny, nz = node.normal
        dist = nx * x + ny * y + nz * z + node.d
        if dist >= rad:
            node = node.front
        elif dist <= -rad:
            node = node.back
        else:
            # The centre lies on one side only: first the positive child, as stored.
            front = node.front
            if front is not None and sphere_intersects_solid(
                front, s, centre_check=centre_check and dist >= 0.0
            ):
                return True
            centre_check = centre_check and dist < 0.0
            node = node.back
    return False


def sphere_intersects_solid_poly(  # noqa: PLR0911 - a recursion that ends where the first answer is
    node: BspNode | None, s: MovingSphere, radius: float, out: SolidHit, *, centre_check: bool
) -> bool:
    """The same while placing: ``out`` gets the polygon; ``radius`` may be wider than the sphere.

    The answer is the original's, oddity and all: a polygon found on the near side of a plane that the sphere
    lies across stands in ``out``, but what is returned is only whether the centre is in the solid. One that
    already stands in ``out`` counts as found there.
    """
    if node is None:
        return False
    if node.is_leaf:
        if not node.polygons:
            return False
        if centre_check and node.solid:
            out.centre_solid = True
        if not sphere_misses(node, s):
            for poly in node.polygons:
                if hits_sphere(poly, s):
                    out.poly = poly
                    return True
        return out.centre_solid
    if sphere_misses(node, s):
        return False
    nx, ny, nz = node.normal
    dist = nx * s.x + ny * s.y + nz * s.z + node.d
    reach = radius - EPS
    if dist >= reach:
        return sphere_intersects_solid_poly(node.pos, s, radius, out, centre_check=centre_check)
    if dist <= -reach:
        return sphere_intersects_solid_poly(node.neg, s, radius, out, centre_check=centre_check)
    near, far = (node.neg, node.pos) if dist < 0.0 else (node.pos, node.neg)
    sphere_intersects_solid_poly(near, s, radius, out, centre_check=centre_check)
    if out.poly is None:
        return sphere_intersects_solid_poly(far, s, radius, out, centre_check=False)
    return out.centre_solid


def point_intersects_solid(node: BspNode | None, p: Vec3) -> bool:
    """Whether a point falls into a leaf that has polygons (collision 4.3); no rule here asks it."""
    while node is not None and not node.is_leaf:
        nx, ny, nz = node.normal
        dist = nx * p[0] + ny * p[1] + nz * p[2] + node.d
        node = node.neg if dist < 0.0 else node.pos
    return node is not None and len(node.polygons) > 0
