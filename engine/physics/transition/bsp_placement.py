"""Putting a mover down inside a physics tree: push it out of what it is in (collision 4.6)."""

from __future__ import annotations

from typing import Final

from engine.collision.bsp_queries import SolidHit, sphere_intersects_solid_poly
from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import adjust_to_placement_poly
from engine.physics.enums import ADJUSTED, COLLIDED, OK, Response, TransitionState
from engine.physics.transition.bsp_collisions import centre_check
from engine.physics.transition.transition import Transition
from engine.world.bsp import BspNode

MAX_PUSHES: Final = 20


def placement_insert_bsp(t: Transition, root: BspNode) -> TransitionState:
    """Push the local-space spheres out of a tree's polygons, at most twenty times."""
    path = t.sphere_path
    centre = centre_check(t)
    s0 = path.localspace_sphere[0]
    valid0 = s0.copy()
    valid1 = path.localspace_sphere[1].copy() if path.num_sphere > 1 else None
    radius = valid0.r
    out = SolidHit()  # a polygon found by a look that answered "nothing" is there for the next look
    for i in range(MAX_PUSHES):
        out.centre_solid = False
        new_radius = _push(t, root, valid0, valid1, radius=radius, out=out, centre=centre)
        if new_radius is None and valid1 is not None:
            new_radius = _push(t, root, valid1, valid0, radius=radius, out=out, centre=centre)
        if new_radius is not None:
            radius = new_radius
            continue
        if i == 0:
            return OK
        x, y, z = path.localspace_pos.frame.to_global_vec((valid0.x - s0.x, valid0.y - s0.y, valid0.z - s0.z))
        path.add_offset_to_check_pos(x, y, z)
        if t.trace is not None:
            t.trace.response(f"placed: pushed out by {i} polygons")
        return ADJUSTED
    return COLLIDED


def _push(
    t: Transition,
    root: BspNode,
    struck: MovingSphere,
    other: MovingSphere | None,
    *,
    radius: float,
    out: SolidHit,
    centre: bool,
) -> float | None:
    """Push out of one polygon; the radius for the next look, None when nothing was struck."""
    if not sphere_intersects_solid_poly(root, struck, radius, out, centre_check=centre):
        return None
    if out.poly is None:
        return radius * 2.0
    adjust_to_placement_poly(
        out.poly, struck, other, radius, centre_solid=out.centre_solid, solid_check=centre
    )
    if t.trace is not None:
        n = t.sphere_path.localspace_pos.frame.to_global_vec(out.poly.normal)
        t.trace.test(t.hit_under_test(out.poly.id, n, Response.PUSHED_OUT))
    out.poly = None
    return struck.r
