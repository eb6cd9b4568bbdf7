"""Steps down and up, and whether something carries the foot (sweep 3.13)."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.physics.enums import (
    FLOOR_Z,
    LANDING_Z,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    PLACEMENT,
    SMALL_STEP,
    state_name,
)
from engine.physics.transition.transition import Transition


def step_down(t: Transition, height: float, z: float) -> bool:
    """Probe for ground with an up-ness of at least ``z`` within ``height`` metres.

    Moves the tried position down first unless a step up is going on; then the probe pushes up. On
    failure the tried position is left where the probe ended.
    """
    path = t.sphere_path
    info = t.collision_info
    path.near_miss = None
    path.step_down = True
    path.step_down_amt = height
    path.walk_interp = 1.0
    if not path.step_up:
        path.add_offset_to_check_pos(0.0, 0.0, -height)
    ts = t.rules.insert(t, 5)
    path.step_down = False
    what = "up" if path.step_up else "down"
    contact = info.contact
    found = ts is OK and contact is not None and contact.normal[2] >= z
    if (
        not found
        or not (not t.object_info.state & OI_EDGE_SLIDE or path.step_up or check_walkable(t, z))
    ):  # fmt: skip
        if t.trace is not None:
            why = "no support for the foot" if found else f"no ground ({state_name(ts)})"
            t.trace.response(f"step {what} {height:.3f}: {why}")
        return False
    backup = path.insert_type
    path.insert_type = PLACEMENT
    ts = t.rules.insert(t, 1)
    path.insert_type = backup
    if t.trace is not None:
        t.trace.response(f"step {what} {height:.3f}: {'done' if ts is OK else 'no room there'}")
    return ts is OK


def step_up(t: Transition, normal: Vec3) -> bool:
    """Try to stand on top of what was hit; on failure the tried position is restored, contact lost."""
    path = t.sphere_path
    t.collision_info.contact = None
    path.step_up = True
    path.step_up_normal = normal
    h, z = SMALL_STEP, LANDING_Z
    if t.object_info.state & OI_ON_WALKABLE:
        z = FLOOR_Z
        h = t.object_info.step_up_height
    path.walkable_allowance = z
    path.save_check_pos()
    ok = step_down(t, h, z)
    path.step_up = False
    path.walkable = None
    if not ok:
        path.restore_check_pos()
    return ok


def check_walkable(t: Transition, z: float) -> bool:
    """Whether the foot has support: the last walkable polygon carries it or something is hit below."""
    path = t.sphere_path
    if not t.object_info.state & OI_ON_WALKABLE:
        return True
    if path.check_walkables():
        return True
    pos, cell = path.check_pos, path.check_cell
    path.walkable_allowance = z
    path.check_walkable = True
    h, _ = path.probe_height(t.object_info.step_down_height)
    path.add_offset_to_check_pos(0.0, 0.0, -h)
    ts = t.rules.insert(t, 1)
    path.check_walkable = False
    path.set_check_pos(pos, cell)
    return ts is not OK  # what is hit below carries the foot
