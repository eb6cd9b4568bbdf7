"""At an edge: walk off, slide along a cliff's foot or along the edge crossed (sweep 3.14)."""

from __future__ import annotations

import math

from engine.collision.polygon_tests import find_crossed_edge
from engine.dat.values import Vec3
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    Response,
    TransitionState,
)
from engine.physics.transition.sliding import slide_sphere
from engine.physics.transition.transition import Transition
from engine.world.tolerance import EPS


def edge_slide(t: Transition, height: float, z: float) -> tuple[bool, TransitionState]:
    """Decide what happens where the ground ends; (stop, state). The first row that fits applies."""
    path = t.sphere_path
    info = t.collision_info
    state = t.object_info.state
    if not (state & OI_ON_WALKABLE and state & OI_EDGE_SLIDE):
        path.walkable = None
        path.restore_check_pos()
        info.contact = None
        return _edge(t, "walks off", stop=True, ts=OK)
    contact = info.contact
    if contact is not None and contact.normal[2] < z:
        path.walkable = None
        path.restore_check_pos()  # before the slide: one worked out first would be lost with the place
        ts = cliff_slide(t, contact.normal)
        info.contact = None
        return _edge(t, "cliff slide", stop=False, ts=ts)
    carried = path.walkable
    if carried is not None:
        path.restore_check_pos()
        info.contact = None
        ts = precipice_slide(t)
        return _edge(t, "precipice slide", stop=ts is COLLIDED, ts=ts)
    if contact is not None:
        path.walkable = None
        path.restore_check_pos()
        info.contact = None
        return _edge(t, "goes on without contact", stop=True, ts=OK)
    gx, gy, gz = path.displacement()
    path.add_offset_to_check_pos(-gx, -gy, -gz)
    t.rules.step_down(t, height, z)
    info.contact = None
    path.restore_check_pos()
    walkable = path.walkable
    if walkable is not None:
        info.contact = None
        path.cache_localspace_sphere(walkable.pos, walkable.scale)
        walkable.sphere = path.localspace_sphere[0].copy()
        ts = precipice_slide(t)
        return _edge(t, "precipice slide off the last ground", stop=ts is COLLIDED, ts=ts)
    path.walkable = None
    return _edge(t, "held", stop=True, ts=COLLIDED)


def _edge(t: Transition, what: str, *, stop: bool, ts: TransitionState) -> tuple[bool, TransitionState]:
    if t.trace is not None:
        t.trace.response(f"edge: {what}")
    return stop, ts


def cliff_slide(t: Transition, normal: Vec3) -> TransitionState:
    """Move along the line where ground of this normal, too steep to walk on, meets the last known ground."""
    path = t.sphere_path
    ax, ay, az = normal
    bx, by, bz = t.collision_info.last_normal
    cx = ay * bz - az * by
    cy = az * bx - ax * bz
    length = math.sqrt(cx * cx + cy * cy)
    if length < EPS:
        return OK
    nx, ny = -cy / length, cx / length
    gx, gy, _ = path.displacement()
    k = nx * gx + ny * gy
    # The motion into the slope is doubled, not taken away: the original's, and the attempt ends blocked.
    if k <= 0.0:
        path.add_offset_to_check_pos(nx * k, ny * k, 0.0)
        t.collision_info.set_collision_normal((nx, ny, 0.0))
    else:
        path.add_offset_to_check_pos(-nx * k, -ny * k, 0.0)
        t.collision_info.set_collision_normal((-nx, -ny, 0.0))
    if t.ground is not None:
        t.add_hit(t.ground.hit(normal, Response.CLIFF))
    return ADJUSTED


def precipice_slide(t: Transition) -> TransitionState:
    """Slide along the edge of the walkable polygon that the foot has crossed."""
    path = t.sphere_path
    walkable = path.walkable
    edge = None
    if walkable is not None:
        edge = find_crossed_edge(walkable.polygon, walkable.sphere, walkable.up)
    path.walkable = None
    if walkable is None or edge is None:
        return COLLIDED
    path.step_up = False
    nx, ny, nz = walkable.pos.frame.to_global_vec(edge)
    gx, gy, gz = path.displacement()
    if nx * gx + ny * gy + nz * gz > 0.0:
        nx, ny, nz = -nx, -ny, -nz
    ts = slide_sphere(t, 0, (nx, ny, nz))
    t.add_hit(walkable.tested.hit((nx, ny, nz), Response.EDGE))
    return ts
