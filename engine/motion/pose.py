"""From a pose to where parts stand (motion 5.1)."""

from __future__ import annotations

from engine.motion.ready_clip import Pose


def whole_pose(pose: Pose | None, resting: Pose) -> Pose:
    """A frame for every part: the animation's, the placement's for those that it lacks.

    Without an animation all are the placement's; frames beyond the last part are left out.
    """
    if pose is None:
        return resting
    if not resting:
        return pose
    return pose[: len(resting)] + resting[len(pose) :]
