"""What a commit does about collisions: reports, bounce and the fall counter (physics 3.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.physics.enums import (
    ALIGN_PATH,
    ETHEREAL,
    IGNORE_COLLISIONS,
    INELASTIC,
    MISSILE,
    PATH_CLIPPED_STATE,
    REPORT_AS_ENVIRONMENT,
    SLEDDING,
    STATIC,
    TS_STATIONARY,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
)
from engine.physics.transition.collision_info import CollisionInfo
from engine.world.cells import ShadowObject

if TYPE_CHECKING:
    from engine.physics.simulation.body import PhysicsBody

COLLISION_MEMORY: Final = 1.0
MISSILE_BITS: Final = MISSILE | ALIGN_PATH | PATH_CLIPPED_STATE


def handle_all_collisions(body: PhysicsBody, info: CollisionInfo, prev_walkable: bool) -> bool:
    """Report what was met, reflect the velocity, keep the stationary bits; whether anything was reported.

    ``prev_walkable`` is the OnWalkable bit before the commit.
    """
    now_walkable = body.on_walkable
    bounce = not (prev_walkable and now_walkable and not body.state & SLEDDING)
    reported = False
    for target in info.collide_objects:
        if track_object_collision(body, target):
            reported = True
    if body.touching:
        report_collision_end(body, False)
    if body.colliding_with_environment:
        body.colliding_with_environment = info.collided_with_environment
    elif info.collided_with_environment or (not prev_walkable and now_walkable):
        report_environment_collision(body)
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


def track_object_collision(body: PhysicsBody, target: ShadowObject) -> bool:
    """Remember a target that was met, with the time; whether that is news."""
    if target.state & STATIC:
        report_environment_collision(body)
        return True
    known = target.entity_id in body.touching
    body.touching[target.entity_id] = (body.clock, (target.state & ETHEREAL) != 0)
    if known:
        return False
    if target.state & REPORT_AS_ENVIRONMENT:
        report_environment_collision(body)
    elif not target.state & IGNORE_COLLISIONS:
        if body.state & MISSILE:
            body.state &= ~MISSILE_BITS
    return True


def report_environment_collision(body: PhysicsBody) -> None:
    """The body has run into the world: a missile ends there."""
    body.colliding_with_environment = True
    body.state &= ~MISSILE


def report_collision_end(body: PhysicsBody, force: bool) -> list[int]:
    """Forget the targets not met for a second, ethereal ones at once, or all; their ids."""
    ended = [
        entity_id
        for entity_id, (since, ethereal) in body.touching.items()
        if force or body.clock - since > (0.0 if ethereal else COLLISION_MEMORY)
    ]
    for entity_id in ended:
        del body.touching[entity_id]
    return ended


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
