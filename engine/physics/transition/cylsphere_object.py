"""A mover against an upright cylinder of an object: what each kind of probe answers (collision 5.2)."""

from __future__ import annotations

from engine.collision.cylsphere import cylsphere_overlap, normal_of_collision, perfect_clip_time
from engine.dat.values import Vec3
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
    Response,
    TransitionState,
)
from engine.physics.transition.sliding import slide_sphere, step_up_slide
from engine.physics.transition.sphere_object import (
    offset_from,
    stand_on,
    start_offset,
    unit_or_none,
)
from engine.physics.transition.sphere_path import INTERP_LIMIT
from engine.physics.transition.transition import Transition
from engine.world.frame import UP
from engine.world.tolerance import EPS


class _Cylinder:
    """The cylinder under test: bottom centre in the block frame of ``check_pos``, height, reach."""

    __slots__ = ("base", "height", "reach")

    def __init__(self, base: Vec3, reach: float, height: float) -> None:
        self.base = base
        self.reach = reach
        self.height = height


def intersects_cylsphere(t: Transition, base: Vec3, radius: float, height: float) -> TransitionState:  # noqa: PLR0911 - the cases of a cylinder, each with its outcome
    """Test the mover against a cylinder whose bottom centre is given in ``check_pos``'s block frame.

    The caller has put the localspace of the object in place.
    """
    path = t.sphere_path
    g0 = path.global_sphere[0]
    cyl = _Cylinder(base, radius - EPS + g0.r, height)
    d0 = offset_from(g0, base)
    hit0 = cylsphere_overlap(d0, g0.r, cyl.reach, height)
    hit1 = False
    if path.num_sphere > 1:
        g1 = path.global_sphere[1]
        hit1 = cylsphere_overlap(offset_from(g1, base), g1.r, cyl.reach, height)
    if path.insert_type == PLACEMENT or path.obstruction_ethereal:
        return t.no_room() if hit0 or hit1 else OK
    if path.step_down:
        return _step_sphere_down(t, cyl, d0) if hit0 or hit1 else OK
    if path.check_walkable:
        return COLLIDED if hit0 or hit1 else OK
    if path.collide:
        return _land_on_top(t, cyl, d0) if hit0 or hit1 else OK
    state = t.object_info.state
    if state & (OI_CONTACT | OI_ON_WALKABLE):
        if hit0:
            return _step_sphere_up(t, cyl, d0)
        return _slide(t, cyl, 1) if hit1 else OK
    if state & OI_PATH_CLIPPED:
        return _collide_with_point(t, cyl, 0) if hit0 else OK
    if hit0:
        n = _unit_normal(t, cyl, 0)
        if n is None:
            return COLLIDED
        path.set_collide(n)
        path.walkable_allowance = LANDING_Z
        t.note_hit(-1, n, Response.COLLIDE)
        return ADJUSTED
    return _collide_with_point(t, cyl, 1) if hit1 else OK


def _unit_normal(t: Transition, cyl: _Cylinder, i: int) -> Vec3 | None:
    s = t.sphere_path.global_sphere[i]
    n, _ = normal_of_collision(
        start_offset(t, i, cyl.base),
        offset_from(s, cyl.base),
        sphere_radius=s.r,
        reach=cyl.reach,
        height=cyl.height,
    )
    return unit_or_none(n)


def _step_sphere_down(t: Transition, cyl: _Cylinder, d0: Vec3) -> TransitionState:
    path = t.sphere_path
    amount = path.step_down_amt * path.walk_interp
    if abs(amount) < EPS:
        return COLLIDED
    g0 = path.global_sphere[0]
    lift = cyl.height + g0.r - d0[2]
    interp = (1.0 - lift / amount) * path.walk_interp
    if interp >= path.walk_interp or interp < INTERP_LIMIT:
        return COLLIDED
    stand_on(t, UP, (g0.x, g0.y, g0.z + lift - g0.r), interp)
    path.add_offset_to_check_pos(0.0, 0.0, lift)
    return ADJUSTED


def _step_sphere_up(t: Transition, cyl: _Cylinder, d0: Vec3) -> TransitionState:
    path = t.sphere_path
    if t.object_info.step_up_height < path.global_sphere[0].r + cyl.height - d0[2]:
        return _slide(t, cyl, 0)
    n = _unit_normal(t, cyl, 0)
    if n is None:
        return COLLIDED
    # The original turns the normal, already in block axes, by the object's frame once more.
    turned = path.localspace_pos.frame.to_global_vec(n)
    hit = t.hit_under_test(-1, turned, Response.STEP_UP_FAILED)  # the step tests other things
    if t.rules.step_up(t, turned):
        return OK
    t.add_hit(hit)
    return step_up_slide(t)


def _slide(t: Transition, cyl: _Cylinder, i: int) -> TransitionState:
    n = _unit_normal(t, cyl, i)
    if n is None:
        return COLLIDED
    t.note_hit(-1, n, Response.SLIDE)
    return slide_sphere(t, i, n)


def _collide_with_point(t: Transition, cyl: _Cylinder, i: int) -> TransitionState:
    n = _unit_normal(t, cyl, i)
    if n is None:
        return COLLIDED
    if not t.object_info.state & OI_PERFECT_CLIP:
        t.collision_info.set_collision_normal(n)
        t.note_hit(-1, n, Response.COLLIDE_WITH_POINT)
        return COLLIDED
    path = t.sphere_path
    s = path.global_sphere[i]
    o0 = start_offset(t, 0, cyl.base)
    d = offset_from(s, cyl.base)
    # Clips are worked out from where the foot sphere began, whichever sphere hit.
    movement = (d[0] - o0[0], d[1] - o0[1], d[2] - o0[2])
    found = perfect_clip_time(o0, d, movement, sphere_radius=s.r, reach=cyl.reach, height=cyl.height)
    if found is None:
        return COLLIDED
    back, normal = found[0] - 1.0, found[1]
    t.collision_info.set_collision_normal(normal)
    t.note_hit(-1, normal, Response.CLIP)
    path.add_offset_to_check_pos(movement[0] * back, movement[1] * back, movement[2] * back)
    return ADJUSTED


def _land_on_top(t: Transition, cyl: _Cylinder, d0: Vec3) -> TransitionState:
    path = t.sphere_path
    gx, gy, gz = path.displacement(0)
    if abs(gz) < EPS:
        return COLLIDED
    g0 = path.global_sphere[0]
    time = -(cyl.height + g0.r - d0[2]) / gz
    ox, oy, oz = -gx * time, -gy * time, -gz * time
    x, y = d0[0] + ox, d0[1] + oy
    if cyl.reach * cyl.reach < x * x + y * y:
        return OK
    interp = (1.0 - time) * path.walk_interp
    if interp >= path.walk_interp or interp < INTERP_LIMIT:
        return COLLIDED
    stand_on(t, UP, (g0.x + ox, g0.y + oy, g0.z + oz - g0.r), interp)
    t.note_hit(-1, UP, Response.LAND)
    path.add_offset_to_check_pos(ox, oy, oz)
    return ADJUSTED
