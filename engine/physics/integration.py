"""Velocity, friction and gravity over one quantum (physics 3.3)."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.physics.body import PhysicsBody
from engine.physics.enums import EPS, HIDDEN, MAX_VELOCITY, SLEDDING, SMALL_VELOCITY
from engine.world.frame import Frame, quat_multiply

SLED_STOP_SPEED2 = 1.5625
SLED_FAST_SPEED2 = 6.25
SLED_SLOPE_Z = 0.98480775


def calc_friction(body: PhysicsBody, quantum: float, speed2: float) -> None:
    """Slow a body that slides over walkable ground; one that leaves the ground keeps its speed."""
    if not body.on_walkable:
        return
    nx, ny, nz = body.contact_plane.normal
    vx, vy, vz = body.velocity
    s = vx * nx + vy * ny + vz * nz
    if s >= SMALL_VELOCITY:
        return
    friction = body.friction
    if body.state & SLEDDING:
        if speed2 < SLED_STOP_SPEED2:
            friction = 1.0
        elif speed2 >= SLED_FAST_SPEED2 and nz < SLED_SLOPE_Z:
            friction = 0.2
    k = (1.0 - friction) ** quantum
    body.velocity = ((vx - nx * s) * k, (vy - ny * s) * k, (vz - nz * s) * k)


def update_physics_internal(body: PhysicsBody, quantum: float, frame: Frame) -> Frame:
    """Move a frame by the body's velocity over a quantum and let the velocity change."""
    vx, vy, vz = body.velocity
    speed2 = vx * vx + vy * vy + vz * vz
    ax, ay, az = body.acceleration
    origin = frame.origin
    if speed2 > 0.0:
        if speed2 > MAX_VELOCITY * MAX_VELOCITY:
            k = MAX_VELOCITY / math.sqrt(speed2)
            body.velocity = (vx * k, vy * k, vz * k)
            speed2 = MAX_VELOCITY * MAX_VELOCITY
        calc_friction(body, quantum, speed2)
        if speed2 - SMALL_VELOCITY * SMALL_VELOCITY < EPS:
            body.velocity = (0.0, 0.0, 0.0)
        vx, vy, vz = body.velocity
        half = 0.5 * quantum * quantum
        origin = (
            origin[0] + ax * half + vx * quantum,
            origin[1] + ay * half + vy * quantum,
            origin[2] + az * half + vz * quantum,
        )
    body.velocity = (vx + ax * quantum, vy + ay * quantum, vz + az * quantum)
    wx, wy, wz = body.omega
    return grotate(frame.with_origin(origin), (wx * quantum, wy * quantum, wz * quantum))


def update_position_internal(body: PhysicsBody, quantum: float, offset: Frame) -> Frame:
    """The frame a body wants to be at after a quantum.

    ``offset`` is the animation's motion in the body's own space: it counts only on walkable ground.
    """
    if body.state & HIDDEN:
        return body.position.frame
    k = body.scale if body.on_walkable else 0.0
    x, y, z = offset.origin
    frame = body.position.frame.combine(Frame((x * k, y * k, z * k), offset.quat))
    return update_physics_internal(body, quantum, frame)


def grotate(frame: Frame, v: Vec3) -> Frame:
    """Turn a frame about a block axis by the angle ``|v|`` in radians."""
    angle2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if angle2 < EPS * EPS:
        return frame
    angle = math.sqrt(angle2)
    s = math.sin(angle / 2.0) / angle
    turn = (math.cos(angle / 2.0), v[0] * s, v[1] * s, v[2] * s)
    return Frame(frame.origin, quat_multiply(turn, frame.quat))
