"""The human's poses: joints, legs that reach for the ground, and the motions made of them.

A pose is made of angles in degrees and the place of the pelvis; feet are put where they have to be and the
legs bent so that they reach. Positive angles about x swing what hangs down forward.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.dat.values import Quat, StoredFrame, Vec3
from engine.world.frame import Frame, quat_multiply, slerp
from scripts.demo_world.geometry import f32, minus, point
from scripts.demo_world.people.figure import (
    ARM_L,
    ARM_R,
    CHEST,
    FOOT_L,
    FOOT_R,
    FOREARM_L,
    FOREARM_R,
    HEAD,
    PELVIS,
    PIVOTS,
    SHIN_L,
    SHIN_R,
    THIGH_L,
    THIGH_R,
)

Frames = tuple[StoredFrame, ...]
FULL = 2.0 * math.pi
HIP, ANKLE = 0.9, 0.1
THIGH, SHIN = HIP - 0.49, 0.49 - ANKLE


@dataclass(frozen=True, slots=True)
class Foot:
    """Where an ankle is: metres ahead of the hip, above the ground and to the right; the foot's pitch."""

    ahead: float = 0.0
    up: float = ANKLE
    aside: float = 0.0
    pitch: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Angles in degrees by joint: about x forward, about y to the right, about z to the left."""

    drop: float = 0.0  # of the pelvis, metres
    pelvis: Vec3 = (0.0, 0.0, 0.0)
    chest: Vec3 = (0.0, 0.0, 0.0)
    head: Vec3 = (0.0, 0.0, 0.0)
    arm_r: Vec3 = (4.0, 3.0, 0.0)
    arm_l: Vec3 = (4.0, -3.0, 0.0)
    elbow_r: float = 12.0
    elbow_l: float = 12.0
    foot_r: Foot = Foot()
    foot_l: Foot = Foot()


def frames_of(pose: Pose) -> Frames:
    """Every part's frame relative to the body."""
    bent = {
        PELVIS: _turned(pose.pelvis),
        CHEST: _turned(pose.chest),
        HEAD: _turned(pose.head),
        ARM_R: _turned(pose.arm_r),
        ARM_L: _turned(pose.arm_l),
        FOREARM_R: _turned((pose.elbow_r, 0.0, 0.0)),
        FOREARM_L: _turned((pose.elbow_l, 0.0, 0.0)),
    }
    for foot, thigh, shin, ankle in (
        (pose.foot_r, THIGH_R, SHIN_R, FOOT_R),
        (pose.foot_l, THIGH_L, SHIN_L, FOOT_L),
    ):
        down = HIP - pose.drop - foot.up
        hip, knee = reach(foot.ahead, math.hypot(down, foot.aside))
        out = math.degrees(math.atan2(foot.aside, down))
        # The legs hang from the pelvis, but their feet go where the ground is.
        back = _inverse(bent[PELVIS])
        bent[thigh] = quat_multiply(back, quat_multiply(_about_y(-out), _about_x(hip)))
        bent[shin] = _about_x(-knee)
        bent[ankle] = quat_multiply(_about_x(knee - hip + foot.pitch), _about_y(out))
    made: list[Frame] = []
    for part, (parent, pivot) in enumerate(PIVOTS):
        if parent < 0:
            made.append(Frame((pivot[0], pivot[1], pivot[2] - pose.drop), bent[part]))
        else:
            made.append(made[parent].combine(Frame(minus(pivot, PIVOTS[parent][1]), bent[part])))
    return tuple(_stored(frame) for frame in made)


def reach(ahead: float, down: float) -> tuple[float, float]:
    """The angles of hip and knee that bring the ankle there, as near as the leg is long."""
    length = min(math.hypot(ahead, down), 0.9995 * (THIGH + SHIN))
    knee = math.acos((length * length - THIGH * THIGH - SHIN * SHIN) / (2.0 * THIGH * SHIN))
    to_foot = math.atan2(ahead, down)
    inner = math.acos((length * length + THIGH * THIGH - SHIN * SHIN) / (2.0 * THIGH * length))
    return math.degrees(to_foot + inner), math.degrees(knee)


def step(phase: float, *, stride: float, planted: float, front: float, lift: float, heel: float) -> Foot:
    """A foot of a gait at a phase (0…1): on the ground it goes back as fast as the body goes on.

    It is ``planted`` for that part of the cycle, from ``front`` metres before the hip on; then it is lifted
    and brought forward. At the end of its stand the heel rises by ``heel`` metres.
    """
    phase %= 1.0
    back = front - stride * planted
    if phase < planted:
        t = phase / planted
        rise = max(0.0, (t - 0.55) / 0.45) ** 2
        pitch = 12.0 * max(0.0, 1.0 - 6.0 * t) - 48.0 * rise
        return Foot(front - stride * phase, ANKLE + heel * rise, 0.0, pitch)
    t = (phase - planted) / (1.0 - planted)
    eased = t * t * (3.0 - 2.0 * t)
    up = heel * (1.0 - t) ** 2 + lift * math.sin(math.pi * t) ** 1.5
    pitch = -48.0 * (1.0 - t) ** 2 - 18.0 * math.sin(math.pi * t) + 12.0 * t**3
    return Foot(back + (front - back) * eased, ANKLE + up, 0.0, pitch)


def standing(t: float) -> Pose:
    """Standing at ease and breathing; ``t`` 0…1 is one breath."""
    breath, sway = math.sin(FULL * t), math.sin(FULL * t + 1.0)
    return Pose(
        drop=0.006 + 0.002 * sway,
        pelvis=(0.0, 0.4 * sway, 0.0),
        chest=(-0.8 * breath, -0.4 * sway, 0.0),
        head=(0.6 * breath, 0.0, 1.2 * sway),
        arm_r=(3.0 + 0.8 * breath, 4.0 + 0.5 * breath, 0.0),
        arm_l=(3.0 + 0.8 * breath, -4.0 - 0.5 * breath, 0.0),
        foot_r=Foot(0.02, ANKLE, 0.015),
        foot_l=Foot(-0.02, ANKLE, -0.015),
    )


def walking(t: float) -> Pose:
    """A brisk walk, 0…1 is both feet's step: 1.664 m."""
    stride, swing = 1.664, math.cos(FULL * t)
    return _gait(
        t,
        step_of=lambda p: step(p, stride=stride, planted=0.46, front=0.33, lift=0.07, heel=0.12),
        swing=swing,
        arms=26.0,
        bend=(18.0, 16.0),
        lean=-4.0,
        drop=0.055 - 0.018 * math.cos(2 * FULL * t + 0.6),
        turn=6.0,
    )


def running(t: float) -> Pose:
    """A run, 0…1 is both feet's step: 3.2 m."""
    stride, swing = 3.2, math.cos(FULL * t)
    return _gait(
        t,
        step_of=lambda p: step(p, stride=stride, planted=0.28, front=0.34, lift=0.26, heel=0.2),
        swing=swing,
        arms=42.0,
        bend=(78.0, 22.0),
        lean=-19.0,
        drop=0.07 + 0.045 * math.cos(2 * FULL * t - 1.0),
        turn=10.0,
    )


def _gait(
    t: float,
    *,
    step_of: Callable[[float], Foot],
    swing: float,
    arms: float,
    bend: tuple[float, float],
    lean: float,
    drop: float,
    turn: float,
) -> Pose:
    """Both legs half a cycle apart, the arms against them, the chest turned against the hips."""
    return Pose(
        drop=drop,
        pelvis=(lean * 0.3, 1.5 * math.sin(FULL * t), turn * 0.5 * swing),
        chest=(lean * 0.7, -1.5 * math.sin(FULL * t), -turn * swing),
        head=(-lean * 0.75, 0.0, turn * 0.5 * swing),
        arm_r=(-arms * swing, 5.0, 0.0),
        arm_l=(arms * swing, -5.0, 0.0),
        elbow_r=bend[0] - bend[1] * swing,
        elbow_l=bend[0] + bend[1] * swing,
        foot_r=step_of(t),
        foot_l=step_of(t + 0.5),
    )


def side_stepping(t: float) -> Pose:
    """Stepping to the right, 0…1 is 0.667 m: one foot goes out, the other follows."""
    stride = 0.667

    def foot(phase: float, out: float) -> Foot:
        phase %= 1.0
        if phase < 0.6:
            return Foot(0.0, ANKLE, out - stride * (phase - 0.3), 0.0)
        s = (phase - 0.6) / 0.4
        eased = s * s * (3.0 - 2.0 * s)
        aside = out - 0.3 * stride + 0.6 * stride * eased
        return Foot(0.0, ANKLE + 0.07 * math.sin(math.pi * s), aside, -8.0 * math.sin(math.pi * s))

    right, left = foot(t, 0.1), foot(t + 0.55, -0.1)
    base = standing(0.0)
    return replace(base, drop=0.085 + 0.015 * math.cos(2 * FULL * t), pelvis=(-2.0, -3.0, 0.0),
                   chest=(-2.0, 3.0, 0.0), arm_r=(6.0, 14.0, 0.0), arm_l=(6.0, -14.0, 0.0), elbow_r=34.0,
                   elbow_l=34.0, foot_r=right, foot_l=left)  # fmt: skip


def turning(t: float) -> Pose:
    """Turning to the right on the spot, with small steps."""

    def foot(phase: float, aside: float) -> Foot:
        phase %= 1.0
        lifted = max(0.0, math.sin(FULL * phase))
        return Foot(0.06 * math.cos(FULL * phase), ANKLE + 0.06 * lifted, aside, -10.0 * lifted)

    base = standing(0.0)
    return replace(base, drop=0.03, chest=(-2.0, 0.0, -6.0), head=(0.0, 0.0, -10.0), elbow_r=24.0,
                   elbow_l=24.0, foot_r=foot(t, 0.03), foot_l=foot(t + 0.5, -0.03))  # fmt: skip


def falling(t: float) -> Pose:
    """In the air: knees drawn up, arms out for balance."""
    paddle = math.sin(FULL * t)
    return Pose(
        drop=0.0,
        pelvis=(-4.0, 0.0, 0.0),
        chest=(-10.0, 0.0, 0.0),
        head=(-6.0, 0.0, 0.0),
        arm_r=(22.0 + 12.0 * paddle, 58.0 + 6.0 * paddle, 0.0),
        arm_l=(22.0 - 12.0 * paddle, -58.0 + 6.0 * paddle, 0.0),
        elbow_r=38.0,
        elbow_l=38.0,
        foot_r=Foot(0.1 + 0.05 * paddle, ANKLE + 0.2, 0.04, -22.0),
        foot_l=Foot(-0.14 - 0.05 * paddle, ANKLE + 0.16, -0.04, -34.0),
    )


def landing(t: float) -> Pose:
    """From the fall into the knees and up again."""
    bend = math.sin(math.pi * min(1.0, 0.25 + 0.75 * t)) * 0.2
    base = standing(0.0)
    return replace(
        base,
        drop=base.drop + bend,
        chest=(-90.0 * bend, 0.0, 0.0),
        head=(60.0 * bend, 0.0, 0.0),
        arm_r=(10.0 + 80.0 * bend, 10.0 + 60.0 * bend, 0.0),
        arm_l=(10.0 + 80.0 * bend, -10.0 - 60.0 * bend, 0.0),
        elbow_r=20.0,
        elbow_l=20.0,
    )


def between(a: Frames, b: Frames, share: float) -> Frames:
    """Frames a share of the way from some to others."""
    out = []
    for one, other in zip(a, b, strict=True):
        at = tuple(p + (q - p) * share for p, q in zip(one.origin, other.origin, strict=True))
        out.append(_stored(Frame((at[0], at[1], at[2]), slerp(one.orientation, other.orientation, share))))
    return tuple(out)


def _stored(frame: Frame) -> StoredFrame:
    """A frame as records have it; seven decimals keep a unit quaternion, the same on every machine."""
    w, x, y, z = frame.quat
    return StoredFrame(point(frame.origin), (f32(w, 7), f32(x, 7), f32(y, 7), f32(z, 7)))


def _turned(angles: Vec3) -> Quat:
    about_x, about_y, about_z = angles
    return quat_multiply(_about_z(about_z), quat_multiply(_about_y(-about_y), _about_x(about_x)))


def _about_x(degrees: float) -> Quat:
    half = math.radians(degrees) / 2
    return (math.cos(half), math.sin(half), 0.0, 0.0)


def _about_y(degrees: float) -> Quat:
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, math.sin(half), 0.0)


def _about_z(degrees: float) -> Quat:
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, 0.0, math.sin(half))


def _inverse(q: Quat) -> Quat:
    return (q[0], -q[1], -q[2], -q[3])
