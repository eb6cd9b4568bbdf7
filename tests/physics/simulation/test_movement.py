"""Speeds and jumps: the MO cases of movement 12.10, the table of movement 10.1."""

import math

import pytest

from engine.physics.simulation.movement import (
    Motion,
    MovementInput,
    adjust_motion,
    get_leave_ground_velocity,
    get_state_velocity,
    jump_height,
    jump_velocity,
    run_rate,
    state_motion,
    turn_rate,
)


@pytest.mark.parametrize(
    ("skill", "rate"),
    [(0, 1.0), (100, 1.916667), (200, 2.375), (300, 2.65), (799, 3.199449), (800, 4.5)],
)
def test_MO1_run_rate(skill, rate):
    assert run_rate(skill) == pytest.approx(rate, abs=1e-6)


def test_MO2_burden_slows_the_run():
    assert run_rate(200, 1.5) == pytest.approx(1.6875)
    assert run_rate(200, 2.0) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "skill", "power", "burden", "height", "vz"),
    [
        ("MO3", 100, 1.0, 0.0, 1.635714, 5.662155),
        ("MO4", 300, 1.0, 0.0, 4.2125, 9.086528),
        ("MO4b", 300, 0.5, 0.0, 2.10625, 6.425146),
        ("MO5", 300, 1.0, 1.5, 2.10625, 6.425146),
        ("MO6", 0, 1.0, 0.0, 0.35, 2.619160),
    ],
)
def test_jump(*, name, skill, power, burden, height, vz):
    assert jump_height(skill, power, burden) == pytest.approx(height, abs=1e-6)
    assert jump_velocity(skill, power, burden) == pytest.approx(vz, abs=1e-6)


def test_jump_extent_is_clamped_and_nothing_is_nothing():
    assert jump_height(300, 7.0) == jump_height(300, 1.0)
    assert jump_velocity(300, 0.0001) == 0.0


def test_MO7_sidestep():
    command, speed = adjust_motion(Motion.SIDESTEP_RIGHT, 1.0, run=False, rate=2.0)
    assert command is Motion.SIDESTEP_RIGHT
    assert speed == pytest.approx(1.248)
    velocity = get_state_velocity(state_motion(MovementInput(side=1), 2.0), 2.0)
    assert velocity == pytest.approx((1.56, 0.0, 0.0))
    left = get_state_velocity(state_motion(MovementInput(side=-1), 2.0), 2.0)
    assert left == pytest.approx((-1.56, 0.0, 0.0))


def test_running_sidestep_is_clamped():
    velocity = get_state_velocity(state_motion(MovementInput(side=1, run=True), 4.5), 4.5)
    assert velocity == pytest.approx((3.75, 0.0, 0.0))


def test_MO8_backward_walk_and_run():
    walk = get_state_velocity(state_motion(MovementInput(forward=-1), 2.375), 2.375)
    assert walk == pytest.approx((0.0, -2.028, 0.0))
    motion = state_motion(MovementInput(forward=-1, run=True), 2.375)
    assert motion.forward is Motion.WALK_FORWARD
    assert get_state_velocity(motion, 2.375)[1] == pytest.approx(-2.028 * 2.375)


def test_forward_walk_and_run():
    assert get_state_velocity(state_motion(MovementInput(forward=1), 2.375), 2.375)[1] == pytest.approx(3.12)
    motion = state_motion(MovementInput(forward=1, run=True), 2.375)
    assert motion.forward is Motion.RUN_FORWARD
    assert get_state_velocity(motion, 2.375)[1] == pytest.approx(9.5)


def test_speed_is_clamped_to_the_run():
    velocity = get_state_velocity(state_motion(MovementInput(forward=1, side=1, run=True), 2.375), 2.375)
    assert math.hypot(velocity[0], velocity[1]) == pytest.approx(9.5)


def test_run_forward_is_returned_untouched():
    assert adjust_motion(Motion.RUN_FORWARD, 1.7, run=True, rate=3.0) == (Motion.RUN_FORWARD, 1.7)


def test_turns_clockwise_in_degrees():
    assert turn_rate(state_motion(MovementInput(turn=1), 1.0)) == pytest.approx(math.degrees(1.5))
    assert turn_rate(state_motion(MovementInput(turn=-1, run=True), 1.0)) == pytest.approx(
        -math.degrees(2.25)
    )


def test_leaving_the_ground_keeps_momentum():
    assert get_leave_ground_velocity((0, 0, 0), 0.0, (1.0, 2.0, 0.0)) == (1.0, 2.0, 0.0)
    assert get_leave_ground_velocity((0, 3.0, 0), 5.0, (1.0, 2.0, 0.0)) == (0, 3.0, 5.0)
