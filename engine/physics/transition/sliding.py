"""Motion bent by what one stands on and slides along (sweep 3.8, 3.15)."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.physics.body.outcome import Contact
from engine.physics.enums import ADJUSTED, COLLIDED, SLID, TransitionState
from engine.physics.transition.transition import Transition
from engine.world.ids import block_offset
from engine.world.tolerance import EPS


def adjust_offset(t: Transition, offset: Vec3) -> Vec3:
    """Bend a displacement along the contact plane and the sliding normal (sweep 3.8).

    Uphill it is projected onto the plane, downhill it keeps its horizontal part. Lifts the tried position
    where the foot sphere is sunk into the contact plane.
    """
    info = t.collision_info
    x, y, z = offset
    slide = False
    sx = sy = sz = 0.0
    sliding = info.sliding_normal
    if sliding is not None:
        sx, sy, sz = sliding
        if x * sx + y * sy + z * sz < 0.0:
            slide = True
        else:
            info.sliding_normal = None
    contact = info.contact
    if contact is not None:
        nx, ny, nz = contact.normal
        a = x * nx + y * ny + z * nz
        if slide:
            cx = ny * sz - nz * sy
            cy = nz * sx - nx * sz
            cz = nx * sy - ny * sx
            length = math.sqrt(cx * cx + cy * cy + cz * cz)
            if length < EPS:
                x = y = z = 0.0
            else:
                cx /= length
                cy /= length
                cz /= length
                k = cx * x + cy * y + cz * z
                x, y, z = cx * k, cy * k, cz * k
        elif a <= 0.0:
            x -= nx * a
            y -= ny * a
            z -= nz * a
        elif abs(nz) > EPS:
            z = -(x * nx + y * ny) / nz
        if not contact.is_water and contact.cell_id != 0:
            _lift_onto(t, contact)
    elif slide:
        k = x * sx + y * sy + z * sz
        x -= sx * k
        y -= sy * k
        z -= sz * k
    return (x, y, z)


def _lift_onto(t: Transition, contact: Contact) -> None:
    path = t.sphere_path
    nx, ny, nz = contact.normal
    foot = path.global_sphere[0]
    ox, oy, _ = block_offset(path.check_pos.cell_id, contact.cell_id)
    dist = nx * (foot.x - ox) + ny * (foot.y - oy) + nz * foot.z + contact.d
    if dist < foot.r - EPS and abs(nz) > EPS:
        lift = (foot.r - dist) / nz
        if foot.r > abs(lift):
            path.add_offset_to_check_pos(0.0, 0.0, lift)


def slide_sphere(t: Transition, index: int, n: Vec3) -> TransitionState:
    """Keep only the motion along the crease between what a sphere hit and the ground (sweep 3.15).

    ``n`` is in block axes; ``index`` is 0 for the foot sphere.
    """
    path = t.sphere_path
    info = t.collision_info
    tried, curr = path.global_sphere[index], path.curr_sphere[index]
    ox, oy, oz = block_offset(path.curr_pos.cell_id, path.check_pos.cell_id)
    gx = tried.x + ox - curr.x
    gy = tried.y + oy - curr.y
    gz = tried.z + oz - curr.z
    nx, ny, nz = n
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        path.add_offset_to_check_pos(-gx * 0.5, -gy * 0.5, -gz * 0.5)
        return ADJUSTED
    info.set_collision_normal(n)
    px, py, pz = info.slide_normal
    cx = ny * pz - nz * py
    cy = nz * px - nx * pz
    cz = nx * py - ny * px
    length2 = cx * cx + cy * cy + cz * cz
    if length2 >= EPS:
        k = (cx * gx + cy * gy + cz * gz) / length2
        cx *= k
        cy *= k
        cz *= k
        # EPS against a square: what would slide by less than 1.4 cm is blocked.
        if cx * cx + cy * cy + cz * cz < EPS:
            return COLLIDED
        path.add_offset_to_check_pos(cx - gx, cy - gy, cz - gz)
        return SLID
    if nx * px + ny * py + nz * pz >= 0.0:
        k = nx * gx + ny * gy + nz * gz
        path.add_offset_to_check_pos(-nx * k, -ny * k, -nz * k)
        return SLID
    length = math.sqrt(gx * gx + gy * gy + gz * gz)
    if length >= EPS:
        info.set_collision_normal((-gx, -gy, -gz))
    return COLLIDED


def step_up_slide(t: Transition) -> TransitionState:
    """What a failed step up does: forget the contact and slide along what was hit (sweep 2.6)."""
    path = t.sphere_path
    t.collision_info.contact = None
    path.step_up = False
    return slide_sphere(t, 0, path.step_up_normal)
