"""From a pose to where parts stand (motion 5.1)."""

from __future__ import annotations

from engine.motion.ready_clip import Pose
from engine.world.frame import Frame


def whole_pose(pose: Pose | None, resting: Pose) -> Pose:
    """A frame for every part: the animation's, the placement's for those that it lacks.

    Without an animation all are the placement's; frames beyond the last part are left out.
    """
    if pose is None:
        return resting
    if not resting:
        return pose
    return pose[: len(resting)] + resting[len(pose) :]


def placed_parts(frame: Frame, pose: Pose, scale: float) -> Pose:
    """Where the parts of an object stand: its scale puts them farther off, ``frame`` moves and turns them."""
    out = []
    for part in pose:
        x, y, z = part.origin
        out.append(frame.combine(part.with_origin((x * scale, y * scale, z * scale))))
    return tuple(out)
