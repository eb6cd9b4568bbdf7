"""Integration and quantum rules: IN and QU of sweep 12.9."""

import pytest

from engine.physics.simulation.integration import (
    calc_acceleration,
    calc_friction,
    slice_quanta,
    update_physics,
)

FALL = (0.0, 0.0, -9.8)
UP = (0.0, 0.0, 1.0)
REST = (0.0, 0.0, 0.0)


def test_IN1_IN2_fall_from_rest():
    moved, v = update_physics(REST, FALL, 1 / 30, ground=None, friction=0.95)
    assert moved == REST
    assert v == pytest.approx((0, 0, -0.326667), abs=1e-6)
    moved, v = update_physics(v, FALL, 1 / 30, ground=None, friction=0.95)
    assert 10 + moved[2] == pytest.approx(9.983667, abs=1e-6)
    assert v[2] == pytest.approx(-0.653333, abs=1e-6)


def test_IN3_thrown():
    moved, v = update_physics((3.0, 0.0, 7.0), FALL, 0.2, ground=None, friction=0.95)
    assert (moved[0], moved[1], moved[2] + 10) == pytest.approx((0.6, 0, 11.204))
    assert v == pytest.approx((3, 0, 5.04))


def test_IN4_friction_on_the_ground():
    moved, v = update_physics((4.0, 0.0, 0.0), REST, 0.1, ground=UP, friction=0.95)
    assert moved[0] == pytest.approx(0.296454, abs=1e-6)
    assert v[0] == pytest.approx(2.964538, abs=1e-6)


def test_IN5_slow_on_the_ground_stops():
    assert update_physics((0.25, 0.0, 0.0), REST, 0.1, ground=UP, friction=0.95) == (REST, REST)


def test_IN6_velocity_is_clamped():
    moved, v = update_physics((60.0, 0.0, 80.0), FALL, 0.1, ground=None, friction=0.95)
    assert moved == pytest.approx((3, 0, 3.951))
    assert v == pytest.approx((30, 0, 39.02))


def test_IN7_friction_factor():
    assert calc_friction((1.0, 0.0, 0.0), UP, friction=0.95, q=1 / 30, speed2=1.0)[0] == pytest.approx(
        0.904966, abs=1e-6
    )


def test_friction_spares_a_body_that_leaves_the_ground():
    assert calc_friction((1.0, 0.0, 0.25), UP, friction=0.95, q=1.0, speed2=1.0) == (1.0, 0.0, 0.25)


def test_sled_friction():
    slope = (0.5, 0.0, 0.8660254)
    assert calc_friction((1.0, 0.0, 0.0), UP, friction=0.95, q=1.0, speed2=1.0, sledding=True) == REST
    along = (0.0, 3.0, 0.0)
    assert calc_friction(along, slope, friction=0.95, q=1.0, speed2=9.0, sledding=True)[1] == pytest.approx(
        2.4
    )
    assert calc_friction(along, UP, friction=0.95, q=1.0, speed2=9.0, sledding=True)[1] == pytest.approx(0.15)


def test_acceleration_is_none_only_on_walkable_ground():
    assert calc_acceleration(contact=True, on_walkable=True, gravity=True) == REST
    assert calc_acceleration(contact=True, on_walkable=True, gravity=True, sledding=True) == FALL
    assert calc_acceleration(contact=True, on_walkable=False, gravity=True) == FALL
    assert calc_acceleration(contact=False, on_walkable=False, gravity=False) == REST


def test_QU1_one_tick():
    quanta, clock = slice_quanta(10.05, 10.0)
    assert quanta == pytest.approx([0.05])
    assert clock == 10.05


def test_QU2_slices():
    quanta, clock = slice_quanta(10.45, 10.0)
    assert quanta == pytest.approx([0.2, 0.2, 0.05])
    assert clock == pytest.approx(10.45)


def test_QU3_a_small_remainder_waits():
    quanta, clock = slice_quanta(10.42, 10.0)
    assert quanta == pytest.approx([0.2, 0.2])
    assert clock == pytest.approx(10.4)


@pytest.mark.parametrize("dt", [2.5, 0.0001])
def test_QU4_time_is_dropped(dt):
    assert slice_quanta(10.0 + dt, 10.0) == ([], 10.0 + dt)
