"""How fast a body walks, runs, turns and jumps (movement 10)."""

from __future__ import annotations

import math
from enum import IntEnum

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.tolerance import EPS

WALK_SPEED = 3.12
RUN_SPEED = 4.0
SIDESTEP_SPEED = 1.25
BACKWARD_FACTOR = 0.65
SIDESTEP_FACTOR = 0.5
MAX_SIDESTEP = 3.0
TURN_RATE = 1.5
RUN_TURN_FACTOR = 1.5
MIN_JUMP_HEIGHT = 0.35
DOUBLE_GRAVITY = 19.6
TOP_RUN_SKILL = 800


class Motion(IntEnum):
    """The motion commands that move a body over the ground (movement 10.1)."""

    READY = 0x41000003
    RUN_FORWARD = 0x44000007
    WALK_FORWARD = 0x45000005
    WALK_BACKWARD = 0x45000006
    TURN_RIGHT = 0x6500000D
    TURN_LEFT = 0x6500000E
    SIDESTEP_RIGHT = 0x6500000F
    SIDESTEP_LEFT = 0x65000010


class MovementInput(NamedTuple):
    """What the keys say for one tick: each axis -1, 0 or 1.

    ``forward`` is positive ahead, ``side`` and ``turn`` positive to the right (clockwise). ``jump`` is the
    extent (0..1) of a jump that starts before the tick, None for none.
    """

    forward: int = 0
    side: int = 0
    turn: int = 0
    run: bool = False
    jump: float | None = None


class StateMotion(NamedTuple):
    """The adjusted commands of a tick and their speed factors; READY and 0 where there is none."""

    forward: Motion = Motion.READY
    forward_speed: float = 0.0
    sidestep_speed: float = 0.0
    turn_speed: float = 0.0


def burden_modifier(burden: float) -> float:
    """What is left of a skill under a burden (encumbrance over capacity, movement 10.3)."""
    if burden < 1.0:
        return 1.0
    return 2.0 - burden if burden < 2.0 else 0.0


def run_rate(skill: float, burden: float = 0.0) -> float:
    """The factor on the run speed, 1.0 to 4.5 (movement 10.3)."""
    if skill >= TOP_RUN_SKILL:
        return 4.5
    return (burden_modifier(burden) * (skill / (skill + 200.0) * 11.0) + 4.0) / 4.0


def jump_height(skill: float, extent: float, burden: float = 0.0) -> float:
    """How high a jump of an extent (clamped to 0..1) rises, metres (movement 10.5)."""
    power = min(max(extent, 0.0), 1.0)
    return max(
        MIN_JUMP_HEIGHT,
        burden_modifier(burden) * (skill / (skill + 1300.0) * 22.2 + 0.05) * power,
    )


def jump_velocity(skill: float, extent: float, burden: float = 0.0) -> float:
    """The upward velocity of a jump, m/s; 0 for an extent of nothing (movement 10.5)."""
    if extent < EPS:
        return 0.0
    return math.sqrt(DOUBLE_GRAVITY * jump_height(skill, extent, burden))


def adjust_motion(command: Motion, speed: float, *, run: bool, rate: float) -> tuple[Motion, float]:
    """The command that stands for a command, and its speed factor (adjust_motion, movement 10.1).

    Backward becomes a slower negative walk, left becomes a negative right; with the run key held the
    walk becomes a run where it goes forward. RunForward is returned untouched.
    """
    if command is Motion.RUN_FORWARD:
        return command, speed
    if command is Motion.WALK_BACKWARD:
        command, speed = Motion.WALK_FORWARD, -speed * BACKWARD_FACTOR
    elif command is Motion.TURN_LEFT:
        command, speed = Motion.TURN_RIGHT, -speed
    elif command is Motion.SIDESTEP_LEFT:
        command, speed = Motion.SIDESTEP_RIGHT, -speed
    if command is Motion.SIDESTEP_RIGHT:
        speed *= WALK_SPEED / SIDESTEP_SPEED * SIDESTEP_FACTOR
    if not run:
        return command, speed
    if command is Motion.WALK_FORWARD:
        if speed > 0.0:
            command = Motion.RUN_FORWARD
        speed *= rate
    elif command is Motion.TURN_RIGHT:
        speed *= RUN_TURN_FACTOR
    elif command is Motion.SIDESTEP_RIGHT:
        speed = min(max(speed * rate, -MAX_SIDESTEP), MAX_SIDESTEP)
    return command, speed


def state_motion(keys: MovementInput, rate: float) -> StateMotion:
    """The adjusted motions that a tick's keys ask for."""
    forward, forward_speed = Motion.READY, 0.0
    if keys.forward:
        command = Motion.WALK_FORWARD if keys.forward > 0 else Motion.WALK_BACKWARD
        forward, forward_speed = adjust_motion(command, 1.0, run=keys.run, rate=rate)
    sidestep_speed = 0.0
    if keys.side:
        command = Motion.SIDESTEP_RIGHT if keys.side > 0 else Motion.SIDESTEP_LEFT
        _, sidestep_speed = adjust_motion(command, 1.0, run=keys.run, rate=rate)
    turn_speed = 0.0
    if keys.turn:
        command = Motion.TURN_RIGHT if keys.turn > 0 else Motion.TURN_LEFT
        _, turn_speed = adjust_motion(command, 1.0, run=keys.run, rate=rate)
    return StateMotion(forward, forward_speed, sidestep_speed, turn_speed)


def get_state_velocity(motion: StateMotion, rate: float) -> Vec3:
    """The velocity of a motion in the body's own frame, m/s, x to the right and y ahead (movement 10.2)."""
    x = SIDESTEP_SPEED * motion.sidestep_speed
    y = (RUN_SPEED if motion.forward is Motion.RUN_FORWARD else WALK_SPEED) * motion.forward_speed
    length, top = math.hypot(x, y), RUN_SPEED * rate
    if length > top:
        x *= top / length
        y *= top / length
    return (x, y, 0.0)


def turn_rate(motion: StateMotion) -> float:
    """Degrees of heading a second, positive clockwise."""
    return math.degrees(TURN_RATE * motion.turn_speed)


def get_leave_ground_velocity(state_velocity: Vec3, vz: float, current_local: Vec3) -> Vec3:
    """The local velocity with which a body leaves the ground (movement 10.5).

    ``vz`` is the jump's; ``current_local`` the body's velocity in its own frame, kept when neither the
    motion nor a jump moves it: walking off a ledge keeps momentum.
    """
    x, y, _ = state_velocity
    if abs(x) < EPS and abs(y) < EPS and abs(vz) < EPS:
        return current_local
    return (x, y, vz)
