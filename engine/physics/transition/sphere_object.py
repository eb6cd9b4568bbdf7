"""A mover against a sphere of an object: what each kind of probe answers (collision 5.1)."""

from __future__ import annotations

import math

from engine.collision.moving_sphere import MovingSphere
from engine.collision.sphere import (
    find_time_of_collision,
    lift_onto_sphere,
    spheres_overlap,
    swept_landing_time,
)
from engine.dat.values import Vec3
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    LANDING_Z,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
    SLID,
    Response,
    TransitionState,
)
from engine.physics.transition.sliding import slide_sphere, step_up_slide
from engine.physics.transition.sphere_path import INTERP_LIMIT
from engine.physics.transition.transition import Transition
from engine.world.tolerance import EPS


def unit_or_none(v: Vec3) -> Vec3 | None:
    """The unit vector of a direction; None where it is shorter than EPS."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if length < EPS:
        return None
    return (v[0] / length, v[1] / length, v[2] / length)


def offset_from(sphere: MovingSphere, center: Vec3) -> Vec3:
    """The vector from an object's centre to a sphere's."""
    return (sphere.x - center[0], sphere.y - center[1], sphere.z - center[2])


def start_offset(t: Transition, i: int, center: Vec3) -> Vec3:
    """The vector from an object's centre to where sphere ``i`` was accepted last, in check_pos's block."""
    path = t.sphere_path
    s = path.global_sphere[i]
    gx, gy, gz = path.displacement(i)
    return (s.x - gx - center[0], s.y - gy - center[1], s.z - gz - center[2])


def stand_on(t: Transition, normal: Vec3, point: Vec3, interp: float) -> None:
    """Take the plane of an object through a point as the contact plane.

    It counts as water: that keeps adjust_offset from lifting the mover back onto it (collision 5.2).
    """
    d = -(normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2])
    t.collision_info.contact = Contact(normal, d, t.sphere_path.check_pos.cell_id, is_water=True)
    t.ground = t.tested(-1)
    t.sphere_path.walk_interp = interp


def intersects_sphere(t: Transition, center: Vec3, radius: float) -> TransitionState:  # noqa: PLR0911 - the cases of a sphere, each with its outcome
    """Test the mover against an object's sphere, given in the block frame of ``check_pos``."""
    path = t.sphere_path
    g0 = path.global_sphere[0]
    reach = radius + g0.r - EPS
    d0 = offset_from(g0, center)
    hit0 = spheres_overlap(d0, reach)
    hit1 = path.num_sphere > 1 and spheres_overlap(offset_from(path.global_sphere[1], center), reach)
    if path.insert_type == PLACEMENT or path.obstruction_ethereal:
        return t.no_room() if hit0 or hit1 else OK
    if path.step_down:
        if not (hit0 or hit1):
            return OK
        return _step_sphere_down(t, center, radius, reach=reach, d0=d0)
    if path.check_walkable:
        return COLLIDED if hit0 or hit1 else OK
    state = t.object_info.state
    if path.collide:
        if not (hit0 or hit1):
            return OK
        return _land_on_sphere(t, reach, d0)
    if state & (OI_CONTACT | OI_ON_WALKABLE):
        if hit0:
            return _step_sphere_up(t, center, reach, d0)
        return _slide_head(t, center) if hit1 else OK
    if state & OI_PATH_CLIPPED:
        return _collide_with_point(t, 0, center, reach) if hit0 else OK
    if hit0:
        n = unit_or_none(start_offset(t, 0, center))
        if n is None:
            return COLLIDED
        path.set_collide(n)
        path.walkable_allowance = LANDING_Z
        t.note_hit(-1, n, Response.COLLIDE)
        return ADJUSTED
    return _collide_with_point(t, 1, center, reach) if hit1 else OK


def _step_sphere_down(
    t: Transition, center: Vec3, radius: float, *, reach: float, d0: Vec3
) -> TransitionState:
    path = t.sphere_path
    amount = path.step_down_amt * path.walk_interp
    lift = lift_onto_sphere(d0, reach + EPS)
    if abs(amount) < EPS or lift is None:
        return COLLIDED
    interp = (1.0 - lift / amount) * path.walk_interp
    if interp >= path.walk_interp or interp < INTERP_LIMIT:
        return COLLIDED
    full = reach + EPS
    n = (d0[0] / full, d0[1] / full, (d0[2] + lift) / full)
    if not path.is_walkable_allowable(n[2]):
        return OK
    top = (center[0] + n[0] * radius, center[1] + n[1] * radius, center[2] + n[2] * radius)
    stand_on(t, n, top, interp)
    path.add_offset_to_check_pos(0.0, 0.0, lift)
    return ADJUSTED


def _step_sphere_up(t: Transition, center: Vec3, reach: float, d0: Vec3) -> TransitionState:
    if t.object_info.step_up_height < reach + EPS - d0[2]:
        return _slide_foot(t, center, d0)
    o0 = start_offset(t, 0, center)
    hit = t.hit_under_test(-1, unit_or_none(o0) or o0, Response.STEP_UP_FAILED)  # the step tests other things
    if t.rules.step_up(t, o0):
        return OK
    t.add_hit(hit)
    return step_up_slide(t)


def _slide_head(t: Transition, center: Vec3) -> TransitionState:
    n = unit_or_none(start_offset(t, 1, center))
    if n is None:
        return COLLIDED
    t.note_hit(-1, n, Response.SLIDE)
    return slide_sphere(t, 1, n)


def _slide_foot(t: Transition, center: Vec3, d0: Vec3) -> TransitionState:
    """The sphere's own slide: like slide_sphere, but a sphere's underside blocks."""
    n = unit_or_none(start_offset(t, 0, center))
    if n is None:
        return COLLIDED
    t.note_hit(-1, n, Response.SLIDE)
    info = t.collision_info
    info.set_collision_normal(n)
    px, py, pz = info.slide_normal
    gx, gy, gz = t.sphere_path.displacement(0)
    cx, cy, cz = n[1] * pz - n[2] * py, n[2] * px - n[0] * pz, n[0] * py - n[1] * px
    length2 = cx * cx + cy * cy + cz * cz
    if length2 >= EPS:
        k = (cx * gx + cy * gy + cz * gz) / length2
        ox, oy, oz = cx * k, cy * k, cz * k
        if ox * ox + oy * oy + oz * oz < EPS:
            return COLLIDED
        t.sphere_path.add_offset_to_check_pos(ox - gx, oy - gy, oz - gz)
        return SLID
    if px * d0[0] + py * d0[1] + pz * d0[2] < 0.0:
        return COLLIDED
    k = -(n[0] * gx + n[1] * gy + n[2] * gz)
    t.sphere_path.add_offset_to_check_pos(n[0] * k, n[1] * k, n[2] * k)
    return SLID


def _collide_with_point(t: Transition, i: int, center: Vec3, reach: float) -> TransitionState:
    path = t.sphere_path
    o = start_offset(t, i, center)
    if not t.object_info.state & OI_PERFECT_CLIP:
        n = unit_or_none(o)
        if n is not None:
            t.collision_info.set_collision_normal(n)
            t.note_hit(-1, n, Response.COLLIDE_WITH_POINT)
        return COLLIDED
    full = reach + EPS
    g = path.displacement(i)
    time = find_time_of_collision(g, o, full)
    if time < EPS or time > 1.0:
        return COLLIDED
    back = time - 1.0
    off = (g[0] * back, g[1] * back, g[2] * back)
    d = offset_from(path.global_sphere[i], center)
    n = ((off[0] + d[0]) / full, (off[1] + d[1]) / full, (off[2] + d[2]) / full)
    t.collision_info.set_collision_normal(n)
    t.note_hit(-1, n, Response.CLIP)
    path.add_offset_to_check_pos(off[0], off[1], off[2])
    return ADJUSTED


def _land_on_sphere(t: Transition, reach: float, d0: Vec3) -> TransitionState:
    path = t.sphere_path
    gx, gy, gz = path.displacement(0)
    back = (-gx, -gy, -gz)
    full = reach + EPS
    time = swept_landing_time(d0, back, full)
    if time is None:
        return COLLIDED
    interp = (1.0 - time) * path.walk_interp
    if interp >= path.walk_interp or interp < INTERP_LIMIT:
        return COLLIDED
    off = (back[0] * time, back[1] * time, back[2] * time)
    n = ((d0[0] + off[0]) / full, (d0[1] + off[1]) / full, (d0[2] + off[2]) / full)
    if not path.is_walkable_allowable(n[2]):
        return OK
    g0 = path.global_sphere[0]
    stand_on(t, n, (g0.x - n[0] * g0.r, g0.y - n[1] * g0.r, g0.z - n[2] * g0.r), interp)
    t.note_hit(-1, n, Response.LAND)
    path.add_offset_to_check_pos(off[0], off[1], off[2])
    return ADJUSTED
