"""Sphere and cylinder against the mover's sphere: overlap, times, normals (collision 5.1, 5.2)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision.cylsphere import (
    cylsphere_overlap,
    normal_of_collision,
    perfect_clip_time,
    time_of_cap,
    time_of_side,
)
from engine.collision.sphere import (
    find_time_of_collision,
    lift_onto_sphere,
    spheres_overlap,
    swept_landing_time,
)

COORD = st.floats(-3.0, 3.0)
VEC = st.tuples(COORD, COORD, COORD)
EPS = 0.0002


def along(o, m, t):
    return tuple(a + b * t for a, b in zip(o, m, strict=True))


def test_spheres_overlap_up_to_the_sum_of_the_radii():
    assert spheres_overlap((0.0, 0.0, 1.0), 1.0)
    assert not spheres_overlap((0.0, 0.0, 1.0001), 1.0)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(VEC, VEC, st.floats(0.2, 1.5))
def test_time_of_collision_is_the_first_touch(movement, d, reach):
    t = find_time_of_collision(movement, d, reach)
    if t == -1.0:
        return
    assert math.hypot(*along(d, movement, t)) == pytest.approx(reach, abs=1e-6)
    if t > 0.0:
        assert math.hypot(*d) > reach
        for i in range(20):
            assert math.hypot(*along(d, movement, t * i / 20)) >= reach - 1e-9


def test_no_time_from_inside_at_rest_or_past():
    assert find_time_of_collision((1.0, 0.0, 0.0), (0.1, 0.0, 0.0), 1.0) == -1.0
    assert find_time_of_collision((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0) == -1.0
    assert find_time_of_collision((1.0, 0.0, 0.0), (-3.0, 1.5, 0.0), 1.0) == -1.0
    assert find_time_of_collision((1.0, 0.0, 0.0), (-3.0, 0.0, 0.0), 1.0) == pytest.approx(2.0)


@settings(max_examples=80, derandomize=True, deadline=None)
@given(VEC, st.floats(0.5, 2.0))
def test_lift_rests_on_top(d, reach):
    lift = lift_onto_sphere(d, reach)
    if lift is None:
        assert d[0] ** 2 + d[1] ** 2 >= reach**2
    else:
        assert math.hypot(d[0], d[1], d[2] + lift) == pytest.approx(reach)
        assert d[2] + lift >= 0.0


def test_swept_landing_goes_back_to_the_touch():
    t = swept_landing_time((0.0, 0.0, 0.9), (0.0, 0.0, 0.25), 1.0)
    assert t == pytest.approx(0.4)
    assert swept_landing_time((0.0, 0.0, 0.9), (0.0, 0.0, 0.0), 1.0) is None
    assert swept_landing_time((3.0, 0.0, 0.0), (0.0, 0.0, 0.2), 1.0) is None


@settings(max_examples=150, derandomize=True, deadline=None)
@given(VEC, st.floats(0.2, 1.0), st.floats(0.2, 1.5), st.floats(0.3, 3.0))
def test_cylinder_overlap_is_reach_in_plan_and_height_with_slack(d, r, radius, height):
    reach = radius - EPS + r
    plan = math.hypot(d[0], d[1]) <= reach
    tall = -(r - EPS) <= d[2] <= height + r - EPS
    near = min(abs(math.hypot(d[0], d[1]) - reach), abs(d[2] + r - EPS), abs(d[2] - height - r + EPS))
    if near > 1e-9:
        assert cylsphere_overlap(d, r, reach, height) == (plan and tall)


def test_normal_of_the_side_and_of_the_caps():
    r, reach, h = 0.48, 0.6798, 2.0
    assert normal_of_collision((1.0, 0.0, 1.0), (0.6, 0.0, 1.0), sphere_radius=r, reach=reach, height=h) == (
        (1.0, 0.0, 0.0),
        True,
    )
    assert normal_of_collision((0.1, 0.0, 3.0), (0.1, 0.0, 2.3), sphere_radius=r, reach=reach, height=h) == (
        (0.0, 0.0, 1.0),
        True,
    )
    assert normal_of_collision(
        (0.1, 0.0, -1.0), (0.1, 0.0, -0.3), sphere_radius=r, reach=reach, height=h
    ) == ((0.0, 0.0, -1.0), True)
    # From outside the radius and above the top: the side, but it may have been the edge of the cap.
    assert normal_of_collision((1.0, 0.0, 3.0), (0.6, 0.0, 2.3), sphere_radius=r, reach=reach, height=h) == (
        (1.0, 0.0, 0.0),
        False,
    )
    assert normal_of_collision((1.0, 0.0, 3.0), (0.6, 0.0, 3.0), sphere_radius=r, reach=reach, height=h) == (
        (1.0, 0.0, 0.0),
        True,
    )


def test_times_of_side_and_cap():
    assert time_of_side((-2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5) == pytest.approx(1.5)
    assert time_of_side((-2.0, 2.0, 0.0), (1.0, 0.0, 0.0), 0.5) is None
    assert time_of_side((-2.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.5) is None
    assert time_of_cap((0.0, 0.0, 3.0), (0.0, 0.0, -1.0), 0.5, 2.0) == (pytest.approx(0.5), (0.0, 0.0, 1.0))
    assert time_of_cap((0.0, 0.0, -1.0), (0.0, 0.0, 1.0), 0.5, 2.0) == (pytest.approx(0.5), (0.0, 0.0, -1.0))
    assert time_of_cap((0.0, 0.0, 3.0), (1.0, 0.0, 0.0), 0.5, 2.0) is None


@settings(max_examples=200, derandomize=True, deadline=None)
@given(o=VEC, movement=VEC, r=st.floats(0.1, 0.5), radius=st.floats(0.2, 1.0), height=st.floats(0.5, 2.5))
def test_a_clip_ends_on_the_surface(*, o, movement, r, radius, height):
    """Where a moving sphere is clipped, it touches the side's reach or a cap's, and is not past it."""
    reach = radius - EPS + r
    d = along(o, movement, 1.0)
    if cylsphere_overlap(o, r, reach, height) or not cylsphere_overlap(d, r, reach, height):
        return
    found = perfect_clip_time(o, d, movement, sphere_radius=r, reach=reach, height=height)
    if found is None:
        return
    t, normal = found
    assert 0.0 <= t <= 1.0
    x, y, z = along(o, movement, t)
    if normal[2] != 0.0:
        assert z == pytest.approx(height + r if normal[2] > 0 else -r, abs=1e-9)
    else:
        assert math.hypot(x, y) == pytest.approx(reach + EPS, abs=1e-6)
        assert math.hypot(*normal) == pytest.approx(1.0, abs=1e-6)


def test_head_on_clips():
    r, reach, h = 0.3, 0.5 - EPS + 0.3, 2.0
    t, normal = perfect_clip_time(
        (-2.0, 0.0, 1.0), (-0.5, 0.0, 1.0), (1.5, 0.0, 0.0), sphere_radius=r, reach=reach, height=h
    )
    assert t == pytest.approx(1.2 / 1.5)
    assert normal == pytest.approx((-1.0, 0.0, 0.0))
    t, normal = perfect_clip_time(
        (0.1, 0.0, 3.0), (0.1, 0.0, 2.0), (0.0, 0.0, -1.0), sphere_radius=r, reach=reach, height=h
    )
    assert t == pytest.approx(0.7)
    assert normal == (0.0, 0.0, 1.0)
    # Falling past the rim from outside: it is the cap's plane first, out of reach, so the side.
    t, normal = perfect_clip_time(
        (1.5, 0.0, 2.4), (0.5, 0.0, 1.9), (-1.0, 0.0, -0.5), sphere_radius=r, reach=reach, height=h
    )
    assert t == pytest.approx(0.7)
    assert normal == pytest.approx((1.0, 0.0, 0.0))
