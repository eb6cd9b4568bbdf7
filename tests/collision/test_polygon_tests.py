"""Collision 12.4: one polygon against one sphere."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import (
    adjust_sphere_to_plane,
    adjust_sphere_to_poly,
    adjust_to_placement_poly,
    check_small_walkable,
    check_walkable,
    find_crossed_edge,
    hits_sphere,
    pos_hits_sphere,
    touch_point,
    walkable_hits_sphere,
)
from engine.world.polygon import Polygon

UNIT = Polygon(0, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
UP = (0.0, 0.0, 1.0)


def ball(x, y, z, r=0.5):
    return MovingSphere(x, y, z, r)


@pytest.mark.parametrize(
    ("name", "center", "expected"),
    [
        ("PO1", (0.5, 0.5, 0.4), True),
        ("PO2", (0.5, 0.5, 0.5), False),
        ("PO2b", (0.5, 0.5, 0.4999), False),
        ("PO3", (0.5, 0.5, 0.4997), True),
        ("PO4", (1.29, 0.5, 0.4), True),
        ("PO4b", (1.3, 0.5, 0.4), False),
        ("PO5", (1.2, 1.2, 0.4), True),
        ("PO5b", (1.25, 1.25, 0.4), False),
        ("PO6", (0.5, 0.5, -0.3), True),
    ],
)
def test_hits(name, center, expected):
    assert hits_sphere(UNIT, ball(*center)) is expected


def test_PO1_touch_point():
    assert touch_point(UNIT, ball(0.5, 0.5, 0.4)) == pytest.approx((0.5, 0.5, 0.0))


def test_PO7_PO8_a_polygon_being_left_is_touched_but_not_hit():
    assert pos_hits_sphere(UNIT, ball(0.5, 0.5, 0.3), (0, 0, 0.1)) == (False, True)
    assert pos_hits_sphere(UNIT, ball(0.5, 0.5, 0.3), (0, 0, -0.1)) == (True, True)


def test_a_motion_along_a_polygon_does_not_hit_it_by_a_last_bit():
    assert pos_hits_sphere(UNIT, ball(0.5, 0.5, 0.3), (0.4, 0, -1e-6)) == (False, True)


@pytest.mark.parametrize(
    ("name", "test", "r", "center", "expected"),
    [
        ("PO9", check_walkable, 0.24, (1.239, 0.5, 0.48), True),
        ("PO9b", check_walkable, 0.24, (1.241, 0.5, 0.48), False),
        ("PO10", check_small_walkable, 0.48, (1.239, 0.5, 0.48), True),
        ("PO10b", check_small_walkable, 0.48, (1.241, 0.5, 0.48), False),
        ("PO11", check_walkable, 0.24, (1.15, 1.15, 0.48), True),
        ("PO11b", check_walkable, 0.24, (1.18, 1.18, 0.48), False),
    ],
)
def test_support(*, name, test, r, center, expected):
    assert test(UNIT, ball(*center, r), UP) is expected  # type: ignore[call-arg]


def test_support_needs_up_to_leave_the_plane():
    assert not check_walkable(UNIT, ball(0.5, 0.5, 0.1), (1.0, 0.0, 0.0))


def test_PO12_crossed_edge_points_inward():
    assert find_crossed_edge(UNIT, ball(1.3, 0.5, 0.48, 0.48), UP) == pytest.approx((-1, 0, 0))
    assert find_crossed_edge(UNIT, ball(0.5, 0.5, 0.48, 0.48), UP) is None


@pytest.mark.parametrize(
    ("name", "z", "move", "interp", "expected"),
    [
        ("PO13", 0.3, (0, 0, -0.6), 1.0, 0.7),
        ("PO14", 0.3, (0, 0, -0.2), 1.0, 0.1),
        ("PO15", -0.3, (0, 0, -0.6), 1.0, -0.3),
        ("PO16", -0.4, (0, 0, -0.6), 1.0, -0.466667),
        ("PO16b", -0.5, (0, 0, -0.6), 1.0, None),
        ("PO17", 0.48, (0, 0, -0.6), 1.0, None),
        ("PO18", 0.3, (0, 0, -0.6), 0.2, 0.14),
        ("PO19", 0.3, (0.1, 0, 0), 1.0, None),
    ],
)
def test_adjust_sphere_to_plane(*, name, z, move, interp, expected):
    s = ball(0.5, 0.5, z, 0.48)
    result = adjust_sphere_to_plane(UNIT, s, move, interp)
    if expected is None:
        assert result is None
        assert s.z == z
    else:
        assert result == pytest.approx(expected, abs=1e-5)
        assert s.z == pytest.approx(0.48)


@pytest.mark.parametrize(
    ("name", "z", "move", "expected"),
    [
        ("PO20", 1.0, (0, 0, -1), 0.52),
        ("PO20b", -1.0, (0, 0, 1), 0.52),
        ("PO21", 0.3, (0, 0, -1), 1.0),
        ("PO21b", 1.0, (1, 0, 0), 0.0),
    ],
)
def test_adjust_sphere_to_poly(name, z, move, expected):
    s = ball(0.5, 0.5, z, 0.48)
    assert adjust_sphere_to_poly(UNIT, s, (0.5, 0.5, z), move) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("centre_solid", "z", "expected"),
    [(False, 0.3, 0.48), (True, 0.3, -0.48), (False, -0.3, -0.48), (True, -0.3, 0.48)],
)
def test_placement_flips_the_radius_once_for_solid_and_once_for_the_back(centre_solid, z, expected):
    struck, other = ball(0.5, 0.5, z, 0.48), ball(0.5, 0.5, z + 1.0, 0.48)
    adjust_to_placement_poly(UNIT, struck, other, 0.48, centre_solid=centre_solid, solid_check=True)
    assert struck.z == pytest.approx(expected)
    assert other.z - struck.z == pytest.approx(1.0)


def test_a_degenerate_polygon_is_never_hit():
    line = Polygon(1, [(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    assert not hits_sphere(line, ball(0.5, 0.0, 0.0))


def test_walkable_needs_more_than_the_allowance():
    assert walkable_hits_sphere(UNIT, ball(0.5, 0.5, 0.3), UP, 0.99)
    assert not walkable_hits_sphere(UNIT, ball(0.5, 0.5, 0.3), UP, 1.0)


coordinate = st.floats(-2.0, 2.0, width=32)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate), st.floats(0.125, 1.0))
def test_hits_agrees_with_the_distance_to_the_square(center, r):
    x, y, z = center
    nearest = (min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0), 0.0)
    distance = math.dist(center, nearest)
    if abs(distance - (r - 0.0002)) > 1e-6:
        assert hits_sphere(UNIT, ball(x, y, z, r)) is (distance < r - 0.0002)
