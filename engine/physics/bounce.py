"""What a commit does about collisions: reports, bounce and the fall counter (physics 3.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.physics.collision_info import CollisionInfo
from engine.physics.enums import (
    INELASTIC,
    SLEDDING,
    STATIC,
    TS_STATIONARY,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
)

if TYPE_CHECKING:
    from engine.physics.body import PhysicsBody


def handle_all_collisions(body: PhysicsBody, info: CollisionInfo, prev_walkable: bool) -> bool:
    """Report what was met, reflect the velocity, keep the stationary bits; whether anything was reported.

    ``prev_walkable`` is the OnWalkable bit before the commit. ``body.touching`` becomes the ids
    of the entities met in this commit.
    """
    reported = False
    now_walkable = body.on_walkable
    bounce = not (prev_walkable and now_walkable and not body.state & SLEDDING)
    for target in info.collide_objects:
        if target.state & STATIC or target.entity_id not in body.touching:
            reported = True
    body.touching = {t.entity_id: 0.0 for t in info.collide_objects if not t.state & STATIC}
    if body.colliding_with_environment:
        body.colliding_with_environment = info.collided_with_environment
    elif info.collided_with_environment or (not prev_walkable and now_walkable):
        body.colliding_with_environment = True
        reported = True
    fsf = info.frames_stationary_fall
    if fsf <= 1:
        if bounce and info.collision_normal_valid:
            reflect(body, info)
    else:
        body.velocity = (0.0, 0.0, 0.0)
        if fsf == 3:
            body.transient_state &= ~TS_STATIONARY
            return reported
    if fsf == 0:
        body.transient_state &= ~TS_STATIONARY
    elif fsf == 1:
        body.transient_state |= TS_STATIONARY_FALL
    elif fsf == 2:
        body.transient_state |= TS_STATIONARY_STOP
    else:
        body.transient_state |= TS_STATIONARY_STUCK
    return reported


def reflect(body: PhysicsBody, info: CollisionInfo) -> None:
    """Throw back the part of the velocity that goes into the collision normal."""
    if body.state & INELASTIC:
        body.velocity = (0.0, 0.0, 0.0)
        return
    vx, vy, vz = body.velocity
    nx, ny, nz = info.collision_normal
    k = vx * nx + vy * ny + vz * nz
    if k < 0.0:
        k *= 1.0 + body.elasticity
        body.velocity = (vx - nx * k, vy - ny * k, vz - nz * k)
