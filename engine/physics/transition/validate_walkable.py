"""A mover against the plane of the terrain (sweep 3.16)."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    OI_CONTACT,
    OI_IS_VIEWER,
    OI_ON_WALKABLE,
    OK,
    Response,
    TransitionState,
)
from engine.physics.transition.sphere_path import INTERP_LIMIT
from engine.physics.transition.transition import Transition
from engine.world.ids import is_outdoor
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS


def validate_walkable(
    t: Transition, center: Vec3, radius: float, poly: Polygon, *, is_water: bool, depth: float, cell_id: int
) -> TransitionState:
    """Rest the foot sphere (centre in the landcell's block frame) on a terrain polygon.

    ``depth`` is how far the mover sinks into water, metres. Steep ground under a grounded mover is left
    to the edge rules.
    """
    path = t.sphere_path
    info = t.collision_info
    state = t.object_info.state
    x, y, z = center
    nx, ny, nz = poly.normal
    if state & OI_IS_VIEWER:
        return _stop_viewer(t, center, radius, poly)
    dist = nx * x + ny * y + nz * (z - radius) + poly.d + depth
    if dist > EPS:
        return OK
    if dist < -EPS and path.check_walkable:
        if t.trace is not None:
            t.trace.test(t.hit_under_test(poly.id, poly.normal, Response.CARRIES_FOOT))
        return COLLIDED
    stands = path.step_down or not state & OI_ON_WALKABLE or nz >= FLOOR_Z
    ts = OK
    if stands:
        info.contact = Contact(poly.normal, poly.d, cell_id, is_water=is_water)
        t.ground = t.tested(poly.id)
        if t.trace is not None:
            t.trace.test(t.hit_under_test(poly.id, poly.normal, Response.GROUND))
        if dist < -EPS:
            lift = -dist / nz
            if path.step_down:
                interp = (1.0 - lift / (path.step_down_amt * path.walk_interp)) * path.walk_interp
                if interp >= path.walk_interp or interp < INTERP_LIMIT:
                    return COLLIDED
                path.walk_interp = interp
            path.add_offset_to_check_pos(0.0, 0.0, lift)
            ts = ADJUSTED
    if not state & OI_CONTACT and not path.step_down:
        info.set_collision_normal(poly.normal)
        info.collided_with_environment = True
        t.note_hit(poly.id, poly.normal, Response.LANDED if stands else Response.TOUCHED)
    return ts


def _stop_viewer(t: Transition, center: Vec3, radius: float, poly: Polygon) -> TransitionState:
    path = t.sphere_path
    x, y, z = center
    nx, ny, nz = poly.normal
    dist = nx * x + ny * y + nz * z + poly.d - radius
    if dist > -EPS:
        return OK
    ox, oy, oz = path.displacement()
    v = ox * nx + oy * ny + oz * nz
    k = dist / v if v != 0.0 else 0.0
    begin = path.begin_pos
    if (k <= 0.0 or k > 1.0) and begin is not None and not is_outdoor(begin.cell_id):
        return OK
    path.add_offset_to_check_pos(-ox * k, -oy * k, -oz * k)
    t.collision_info.set_collision_normal(poly.normal)
    t.collision_info.collided_with_environment = True
    t.note_hit(poly.id, poly.normal, Response.STOPPED_VIEW)
    return ADJUSTED
