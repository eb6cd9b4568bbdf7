"""What the cross-hair is on: a ray against the doors' parts as they are drawn, and the world in between."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.enums import HitKind
from engine.physics.objects.doors import DoorController
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.ids import rebase
from engine.world.loading.world import World
from viewer.picture.eye_line import viewer_sweep

REACH = 6.0
RAY_RADIUS = 0.05
SLACK = 0.25


class Picked(NamedTuple):
    """A door under the cross-hair and how far away it is, metres."""

    entity: int
    distance: float


def pick_door(simulation: Simulation, root: int, eye: Vec3, direction: Vec3) -> Picked | None:
    """The nearest door that a ray meets within reach, unless something stands before it.

    ``eye`` is in the block frame of ``root``, the cell the eye's picture starts from; ``direction`` is a
    unit vector.
    """
    best: Picked | None = None
    for door in simulation.doors.values():
        distance = _distance(door, simulation.time, root, eye=eye, direction=direction)
        if distance is not None and distance <= REACH and (best is None or distance < best.distance):
            best = Picked(door.entity_id, distance)
    if best is None or is_blocked(simulation.world, root, eye=eye, direction=direction, picked=best):
        return None
    return best


def is_blocked(world: World, root: int, *, eye: Vec3, direction: Vec3, picked: Picked) -> bool:
    """Whether anything but the door itself stops a thin sweep short of it."""
    length = picked.distance
    x, y, z = eye
    end = (x + direction[0] * length, y + direction[1] * length, z + direction[2] * length)
    start = world.get_visible(root)
    if start is None:
        return True
    sweep = viewer_sweep(
        world, start, RAY_RADIUS, begin=Position(root, Frame(eye)), end=Position(root, Frame(end))
    )
    if any(hit.kind is HitKind.ENTITY and hit.owner == picked.entity for hit in sweep.hits):
        return False
    reached = sweep.sphere_path.curr_pos
    way = math.dist(eye, rebase(reached.frame.origin, reached.cell_id, root))
    return way < length - SLACK


def _distance(door: DoorController, now: float, root: int, *, eye: Vec3, direction: Vec3) -> float | None:
    """Metres along the ray to the nearest of a door's parts, None where it meets none."""
    target = door.target
    start = rebase(eye, root, target.position.cell_id)
    nearest: float | None = None
    for part, pose in zip(target.model.parts, door.pose(now), strict=False):
        frame = target.position.frame.combine(pose.scaled(target.scale))
        low, high = part.box
        k = target.scale
        t = ray_to_box(
            frame.to_local(start),
            frame.to_local_vec(direction),
            (low[0] * k, low[1] * k, low[2] * k),
            (high[0] * k, high[1] * k, high[2] * k),
        )
        if t is not None and (nearest is None or t < nearest):
            nearest = t
    return nearest


def ray_to_box(start: Vec3, direction: Vec3, low: Vec3, high: Vec3) -> float | None:
    """Where a ray enters an axis-aligned box, in lengths of ``direction``; 0 from inside, None for a miss."""
    enter, leave = 0.0, math.inf
    for a, d, lo, hi in zip(start, direction, low, high, strict=True):
        if abs(d) < 1e-12:
            if not lo <= a <= hi:
                return None
            continue
        t0, t1 = sorted(((lo - a) / d, (hi - a) / d))
        enter, leave = max(enter, t0), min(leave, t1)
        if enter > leave:
            return None
    return enter
