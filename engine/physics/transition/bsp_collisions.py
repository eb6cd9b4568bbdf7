"""The mover against one physics tree: the branches in their order (collision 4.6).

The spheres must have been put into the tree's space first (``cache_localspace_sphere``).
"""

from __future__ import annotations

import math
from typing import Final

from engine.collision.bsp_queries import (
    PolyHit,
    WalkableProbe,
    find_walkable,
    hits_walkable,
    sphere_intersects_poly,
    sphere_intersects_solid,
)
from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import adjust_sphere_to_poly
from engine.dat.values import Vec3
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    LANDING_Z,
    OI_CONTACT,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
    Response,
    TransitionState,
    response_of,
)
from engine.physics.transition.found import NearMiss, Walkable
from engine.physics.transition.sliding import slide_sphere, step_up_slide
from engine.physics.transition.transition import Transition
from engine.world.bsp import BspNode
from engine.world.ids import block_offset
from engine.world.polygon import Polygon

MAX_CLIP_TRIES: Final = 15
CLIP_PRECISION: Final = 0.02
NO_NORMAL: Vec3 = (0.0, 0.0, 0.0)


def centre_check(t: Transition) -> bool:
    """Whether a centre in the solid counts: not for who is inside the building whose shell is tested."""
    return not t.sphere_path.bldg_check or not t.cell_array.hits_interior_cell


def find_bsp_collisions(t: Transition, root: BspNode, scale: float) -> TransitionState:
    """Test the local-space spheres against a tree and do what the mover's state asks for."""
    path = t.sphere_path
    s0 = path.localspace_sphere[0]
    if path.insert_type == PLACEMENT or path.obstruction_ethereal:
        return _overlap(t, root)
    if path.check_walkable:
        carried = hits_walkable(root, s0, path.localspace_z, path.walkable_allowance)
        if carried and t.trace is not None:
            t.trace.test(t.hit_under_test(-1, NO_NORMAL, Response.CARRIES_FOOT))
        return COLLIDED if carried else OK
    if path.step_down:
        k = -(path.step_down_amt * path.walk_interp) / scale
        zx, zy, zz = path.localspace_z
        return _rest_on_walkable(t, root, (zx * k, zy * k, zz * k), scale)
    cx, cy, cz = path.localspace_curr_center
    move = (s0.x - cx, s0.y - cy, s0.z - cz)
    if path.collide:
        return _rest_on_walkable(t, root, move, scale)
    if t.object_info.state & OI_CONTACT:
        return _collide_grounded(t, root, move)
    return _collide_airborne(t, root, move, scale)


def _overlap(t: Transition, root: BspNode) -> TransitionState:
    """Row 1: is there room here at all?"""
    centre = centre_check(t)
    for s in t.sphere_path.localspace_sphere:
        if sphere_intersects_solid(root, s, centre_check=centre):
            return t.no_room()
    return OK


def _rest_on_walkable(t: Transition, root: BspNode, move: Vec3, scale: float) -> TransitionState:
    """Rows 3 and 4: put the foot sphere on walkable ground in the way of ``move``."""
    path = t.sphere_path
    s0 = path.localspace_sphere[0]
    probe = WalkableProbe(s0.copy(), move, path.localspace_z, path.walkable_allowance)
    probe.walk_interp = path.walk_interp
    find_walkable(root, probe)
    path.walk_interp = probe.walk_interp
    poly = probe.polygon
    if poly is None:
        return OK
    valid = probe.sphere
    pos = path.localspace_pos
    x, y, z = pos.frame.to_global_vec((valid.x - s0.x, valid.y - s0.y, valid.z - s0.z))
    path.add_offset_to_check_pos(x * scale, y * scale, z * scale)
    t.collision_info.contact = contact_with(t, poly, scale)
    t.ground = t.tested(poly.id)
    path.walkable = Walkable(
        polygon=poly, sphere=valid, up=path.localspace_z, pos=pos, scale=scale, tested=t.ground
    )
    if t.trace is not None:
        n = pos.frame.to_global_vec(poly.normal)
        t.trace.test(t.hit_under_test(poly.id, n, Response.GROUND))
    return ADJUSTED


def contact_with(t: Transition, poly: Polygon, scale: float) -> Contact:
    """The contact with a polygon of the tree under test: its plane in the block frame of ``check_pos``.

    The scale goes into d before the transform, which is right for scaled parts anywhere (collision 4.1).
    """
    path = t.sphere_path
    pos = path.localspace_pos
    cell_id = path.check_pos.cell_id
    nx, ny, nz = pos.frame.to_global_vec(poly.normal)
    ax, ay, az = pos.frame.origin
    ox, oy, oz = block_offset(cell_id, pos.cell_id)
    d = poly.d * scale - (nx * (ax + ox) + ny * (ay + oy) + nz * (az + oz))
    return Contact((nx, ny, nz), d, cell_id)


def _collide_grounded(t: Transition, root: BspNode, move: Vec3) -> TransitionState:
    """Rows 5 to 7: step over what the foot hits, slide along what the head hits, note near misses."""
    path = t.sphere_path
    out = PolyHit()
    if sphere_intersects_poly(root, path.localspace_sphere[0], move, out) and out.poly is not None:
        n = path.localspace_pos.frame.to_global_vec(out.poly.normal)
        hit = t.note_hit(out.poly.id, n, Response.STEP_UP)
        if t.rules.step_up(t, n):
            hit.response = Response.STEPPED_UP
            return OK
        ts = step_up_slide(t)
        hit.response = response_of(ts)
        return ts
    if path.num_sphere < 2:
        return OK
    head = PolyHit()
    if sphere_intersects_poly(root, path.localspace_sphere[1], move, head) and head.poly is not None:
        n = path.localspace_pos.frame.to_global_vec(head.poly.normal)
        hit = t.note_hit(head.poly.id, n, Response.SLIDE)
        # What the head hits slides the foot: they move as one.
        ts = slide_sphere(t, 0, n)
        hit.response = response_of(ts)
        return ts
    near = head.poly if head.poly is not None else out.poly
    if near is not None:
        n = path.localspace_pos.frame.to_global_vec(near.normal)
        hit = t.hit_under_test(near.id, n, Response.NEAR_MISS)
        path.near_miss = NearMiss(hit, (-n[0], -n[1], -n[2]), step_up=head.poly is None)
    return OK


def _collide_airborne(t: Transition, root: BspNode, move: Vec3, scale: float) -> TransitionState:
    """Rows 8 to 11: any polygon that is touched counts, even one that is being left."""
    path = t.sphere_path
    s0 = path.localspace_sphere[0]
    out = PolyHit()
    sphere_intersects_poly(root, s0, move, out)
    if out.poly is not None:
        n = path.localspace_pos.frame.to_global_vec(out.poly.normal)
        if t.object_info.state & OI_PATH_CLIPPED:
            return _collide_with_pt(t, root, out.poly, n, scale=scale)
        t.note_hit(out.poly.id, n, Response.TRIES_TO_LAND)
        path.set_collide(n)
        path.walkable_allowance = LANDING_Z
        return ADJUSTED
    if t.object_info.state & OI_PATH_CLIPPED or path.num_sphere < 2:
        return OK
    head = PolyHit()
    sphere_intersects_poly(root, path.localspace_sphere[1], move, head)
    if head.poly is not None:
        n = path.localspace_pos.frame.to_global_vec(head.poly.normal)
        t.note_hit(head.poly.id, n, Response.COLLIDED)
        t.collision_info.set_collision_normal(n)
        return COLLIDED
    return OK


def _collide_with_pt(
    t: Transition, root: BspNode, poly: Polygon, n: Vec3, *, scale: float
) -> TransitionState:
    """A path-clipped mover stops at what it hits; with PerfectClip right where it touches."""
    path = t.sphere_path
    hit = t.note_hit(poly.id, n, Response.COLLIDED)
    if not t.object_info.state & OI_PERFECT_CLIP:
        t.collision_info.set_collision_normal(n)
        return COLLIDED
    s0 = path.localspace_sphere[0]
    valid = s0.copy()
    clipped = adjust_to_plane(root, valid, path.localspace_curr_center, poly)
    if clipped is None:
        return COLLIDED
    normal = path.localspace_pos.frame.to_global_vec(clipped.normal)
    t.collision_info.set_collision_normal(normal)
    x, y, z = path.localspace_pos.frame.to_global_vec((valid.x - s0.x, valid.y - s0.y, valid.z - s0.z))
    path.add_offset_to_check_pos(x * scale, y * scale, z * scale)
    hit.response = Response.CLIPPED
    return ADJUSTED


def adjust_to_plane(root: BspNode, s: MovingSphere, curr: Vec3, poly: Polygon) -> Polygon | None:
    """Move a sphere back towards ``curr`` until it just touches nothing; the polygon that stopped it.

    First goes to the plane of each polygon met, then halves the interval. None when it doesn't settle.
    """
    move = (s.x - curr[0], s.y - curr[1], s.z - curr[2])
    lo, hi = 0.0, 1.0
    tries = 0
    while True:
        k = adjust_sphere_to_poly(poly, s, curr, move)
        if k == 1.0:
            break
        out = PolyHit()
        _place(s, curr, move, k)
        if not sphere_intersects_poly(root, s, move, out):
            lo = k
            break
        if out.poly is not None:
            poly = out.poly
        tries += 1
        hi = k
        if tries >= MAX_CLIP_TRIES:
            return None
    while tries < MAX_CLIP_TRIES:
        mid = (lo + hi) * 0.5
        _place(s, curr, move, mid)
        if sphere_intersects_poly(root, s, move, PolyHit()):
            hi = mid
        else:
            lo = mid
        if math.fabs(hi - lo) < CLIP_PRECISION:
            break
        tries += 1
    _place(s, curr, move, lo)
    return poly


def _place(s: MovingSphere, curr: Vec3, move: Vec3, k: float) -> None:
    s.x = curr[0] + move[0] * k
    s.y = curr[1] + move[1] * k
    s.z = curr[2] + move[2] * k
