"""What a sphere and a cylinder of an object answer to each kind of probe (collision 5.1, 5.2).

The mover's spheres have a radius of 0.5 m, the object's shape one of 1 m, so that they touch at 1.5 m.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.values import Sphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    LANDING_Z,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
    SLID,
)
from engine.world.frame import Frame, Position, quat_of_heading
from tests.physics.transition.probes import AT_HOME_AND_TURNED, SHAPES, SPHERES, Climb, ball, cylinder

pytestmark = AT_HOME_AND_TURNED


# --- any overlap of foot or head


@SHAPES
@pytest.mark.parametrize("how", ["placed", "through an open door", "asks for support"])
@pytest.mark.parametrize(
    "room",
    [((1.4, 0.0, 0.0), COLLIDED), ((1.4, 0.0, -1.2), COLLIDED), ((1.6, 0.0, 0.0), OK), ((0.0, 0.0, 9.0), OK)],
    ids=["foot", "head alone", "beside", "above"],
)
def test_foot_and_head_need_room(scene, shape, how, room):
    to, result = room
    t = scene.trying(to)
    path = t.sphere_path
    if how == "placed":
        path.insert_type = PLACEMENT
    elif how == "through an open door":
        path.obstruction_ethereal = True
    else:
        path.check_walkable = True
    assert shape(scene, t) is result
    assert scene.origin(t) == pytest.approx(to)


# --- a step down


@pytest.mark.parametrize(("interp", "left"), [(1.0, 0.6), (0.8, 0.4)])
def test_a_step_down_ends_on_top_of_a_cylinder(scene, interp, left):
    """0.2 m up again, of 0.5 m that the probe went down, or 0.4 of them."""
    t = scene.probing_down((0.3, 0.4, 0.8), interp=interp)
    assert scene.cylinder(t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((0.3, 0.4, 1.0))
    assert scene.stands_on(t, (0.0, 0.0, 1.0), -1.0)
    assert t.sphere_path.walk_interp == pytest.approx(left)


@pytest.mark.parametrize(("interp", "left"), [(1.0, 0.8), (0.5, 0.3)])
def test_a_step_down_ends_on_a_ball_where_its_slope_touches(scene, interp, left):
    """0.9 m beside the middle the touch is 1.2 m above it: up by 0.1 m, and the slope is 0.6 to 0.8."""
    t = scene.probing_down((0.9, 0.0, 1.1), interp=interp)
    assert scene.ball(t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((0.9, 0.0, 1.2))
    assert scene.stands_on(t, (0.6, 0.0, 0.8), -(0.8 * 0.5 + 1.0))
    assert t.sphere_path.walk_interp == pytest.approx(left)


def test_a_balls_slope_that_is_too_steep_for_the_probe_is_no_ground(scene):
    t = scene.probing_down((0.9, 0.0, 1.1))
    t.sphere_path.walkable_allowance = 0.81
    t.collision_info.contact = None
    assert scene.ball(t) is OK
    assert scene.origin(t) == pytest.approx((0.9, 0.0, 1.1))
    assert t.collision_info.contact is None


@SHAPES
@pytest.mark.parametrize(
    ("amount", "result"), [(0.2, ADJUSTED), (0.19, ADJUSTED), (0.17, COLLIDED), (0.0, COLLIDED)]
)
def test_a_step_down_goes_no_higher_up_than_it_came_down_but_for_a_tenth(scene, shape, amount, result):
    """0.2 m up: all of a probe of 0.2 m and 1.05 times one of 0.19, but not 1.18 times one of 0.17."""
    t = scene.probing_down((0.0, 0.0, 0.8 if shape is cylinder else 1.3), amount)
    assert shape(scene, t) is result


@SHAPES
def test_a_step_down_that_meets_nothing_goes_on(scene, shape):
    t = scene.probing_down((1.6, 0.0, 0.5))
    assert shape(scene, t) is OK
    assert t.sphere_path.walk_interp == 1.0


# --- who falls


@SHAPES
@pytest.mark.parametrize("z", [0.0, 0.4])
def test_who_flies_into_the_side_tries_to_land_from_there(scene, shape, z):
    t = scene.trying((-1.3, 0.0, z), (0.3, 0.0, 0.0))
    t.sphere_path.walk_interp = 0.5
    assert shape(scene, t) is ADJUSTED
    path = t.sphere_path
    assert path.collide
    assert path.walkable_allowance == LANDING_Z
    assert path.walk_interp == 1.0
    length = (1.6**2 + z**2) ** 0.5
    normal = (-1.0, 0.0, 0.0) if shape is cylinder else (-1.6 / length, 0.0, z / length)
    assert scene.normal(path.step_up_normal) == pytest.approx(normal)
    assert scene.frame.to_local(path.backup_check_pos.frame.origin) == pytest.approx((-1.3, 0.0, z))


@pytest.mark.parametrize(("dz", "normal"), [(-0.3, (0.0, 0.0, 1.0)), (0.3, (0.0, 0.0, -1.0))])
def test_over_or_under_a_cylinder_its_cap_is_met(scene, dz, normal):
    t = scene.trying((0.2, 0.0, 0.8 if dz < 0.0 else -0.4), (0.0, 0.0, dz), spheres=SPHERES[:1])
    assert scene.cylinder(t) is ADJUSTED
    assert scene.normal(t.sphere_path.step_up_normal) == pytest.approx(normal)


@SHAPES
def test_a_flying_head_alone_is_stopped(scene, shape):
    t = scene.trying((-1.3, 0.0, -1.2), (0.3, 0.0, 0.0))
    assert shape(scene, t) is COLLIDED
    normal = (-1.0, 0.0, 0.0) if shape is cylinder else (-1.6 / 1.6125, 0.0, -0.2 / 1.6125)
    assert scene.normal(t.collision_info.collision_normal) == pytest.approx(normal, abs=1e-4)
    assert not t.sphere_path.collide


def test_one_lands_on_a_cylinder_where_the_way_down_touches_its_top(scene):
    """Half a metre down and 0.2 m along, of which the last two fifths are taken back."""
    t = scene.landing((0.2, 0.1, 0.8), (0.2, 0.1, -0.5))
    assert scene.cylinder(t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((0.12, 0.06, 1.0))
    assert scene.stands_on(t, (0.0, 0.0, 1.0), -1.0)
    assert t.sphere_path.walk_interp == pytest.approx(0.6)


def test_one_lands_on_a_ball_where_the_way_down_touches_it(scene):
    t = scene.landing((0.9, 0.0, 1.0), (0.0, 0.0, -1.0))
    assert scene.ball(t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((0.9, 0.0, 1.2))
    # The plane goes through the foot as it was before it went back: that is the original's.
    assert scene.stands_on(t, (0.6, 0.0, 0.8), -(0.6 * (0.9 - 0.3) + 0.8 * (1.5 - 0.4)))
    assert t.sphere_path.walk_interp == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("shape", "to", "left"), [(cylinder, (0.2, 0.0, 0.8), 0.3), (ball, (0.9, 0.0, 0.9), 0.2)]
)
def test_a_landing_takes_its_share_of_what_was_left_of_the_way(scene, shape, to, left):
    """Of the half that was left, three fifths and two fifths: the other two and three are taken back."""
    t = scene.landing(to, (0.0, 0.0, -0.5), interp=0.5)
    assert shape(scene, t) is ADJUSTED
    assert t.sphere_path.walk_interp == pytest.approx(left)


def test_on_a_ball_of_another_size_one_stands_where_the_two_touch(scene):
    """A foot of 0.2 m on a ball of 1.3 m touches at 1.5 m, too; the plane is 1.3 m from the middle."""
    small = (Sphere((0.0, 0.0, 0.5), 0.2),)
    t = scene.probing_down((0.9, 0.0, 1.1), spheres=small)
    assert scene.ball(t, radius=1.3) is ADJUSTED
    assert scene.origin(t) == pytest.approx((0.9, 0.0, 1.2))
    assert scene.stands_on(t, (0.6, 0.0, 0.8), -(0.8 * 0.5 + 1.3))


def test_one_lands_on_a_ball_on_the_way_that_one_came(scene):
    to, move = np.array((0.5, 0.4, 0.95)), np.array((0.3, -0.2, -0.6))
    t = scene.landing(tuple(to.tolist()), tuple(move.tolist()))
    assert scene.ball(t) is ADJUSTED
    there = np.array(scene.origin(t))
    back = there - to
    assert np.cross(back, move) == pytest.approx(0.0, abs=1e-9)
    assert 0.0 < -(back @ move) < move @ move
    assert np.linalg.norm(there) == pytest.approx(1.5)  # feet and ball's middle are both 0.5 m up
    assert scene.normal(t.collision_info.contact.normal) == pytest.approx(there / 1.5)


def test_a_balls_slope_that_is_too_steep_is_not_landed_on(scene):
    t = scene.landing((0.9, 0.0, 1.0), (0.0, 0.0, -1.0))
    t.sphere_path.walkable_allowance = 0.81
    assert scene.ball(t) is OK
    assert t.collision_info.contact is None


def test_past_a_cylinders_rim_there_is_no_landing(scene):
    """Where the way crosses the height of the top, the foot is 1.6 m from the axis."""
    t = scene.landing((1.4, 0.0, 0.8), (-0.5, 0.0, -0.5))
    assert scene.cylinder(t) is OK
    assert t.collision_info.contact is None
    assert scene.cylinder(scene.landing((1.0, 0.0, 0.8), (-0.5, 0.0, -0.5))) is ADJUSTED


@SHAPES
@pytest.mark.parametrize("dz", [0.3, 0.0, -0.1], ids=["up", "level", "too short a fall"])
def test_who_does_not_come_from_above_does_not_land(scene, shape, dz):
    t = scene.landing((0.0, 0.0, 0.8 if shape is cylinder else 1.3), (0.0, 0.0, dz))
    assert shape(scene, t) is COLLIDED
    assert t.collision_info.contact is None


# --- who stands


@pytest.mark.parametrize(
    ("shape", "asked"), [(cylinder, (0.0, -1.0, 0.0)), (ball, (-1.6, 0.0, 0.0))], ids=["cylinder", "ball"]
)
def test_a_step_up_is_asked_with_the_way_to_the_shape(scene, shape, asked):
    """A cylinder's normal is turned by the object's frame once more, a ball's is no unit: the original's."""
    t = scene.trying((-1.3, 0.0, 0.0), (0.3, 0.0, 0.0), grounded=True)
    t.rules = Climb()
    t.object_info.step_up_height = 1.6
    t.sphere_path.cache_localspace_sphere(Position(0, Frame((0.0, 0.0, 0.0), quat_of_heading(270.0))), 1.0)
    shape(scene, t)
    assert [scene.normal(n) for n in t.rules.normals] == [pytest.approx(asked, abs=1e-9)]


@SHAPES
@pytest.mark.parametrize(("height", "climbs"), [(-0.001, False), (0.001, True)])
@pytest.mark.parametrize("z", [0.0, -0.3])
def test_what_is_higher_than_a_step_is_not_climbed(scene, shape, z, *, height, climbs):
    """The cylinder's top is 1 m above its foot. The ball counts by its middle: there it is 1.5 m."""
    t = scene.trying((-1.3, 0.0, z), (0.3, 0.0, 0.0), grounded=True)
    t.rules = Climb()
    t.object_info.step_up_height = height - z + (1.0 if shape is cylinder else 1.5)
    shape(scene, t)
    assert bool(t.rules.normals) is climbs


@SHAPES
@pytest.mark.parametrize("z", [0.0, -1.0], ids=["foot", "head"])
def test_who_walks_against_it_slides_along(scene, shape, z):
    """What leads along the crease of shape and ground stays: (0, 0.4) of (0.3, 0.4)."""
    t = scene.trying((-1.3, 0.4, z), (0.3, 0.4, 0.0), grounded=True)
    t.object_info.step_up_height = 0.1
    assert shape(scene, t) is SLID
    assert scene.origin(t) == pytest.approx((-1.6, 0.4, z))
    assert scene.normal(t.collision_info.collision_normal) == pytest.approx((-1.0, 0.0, 0.0))


@SHAPES
@pytest.mark.parametrize("z", [0.0, -1.0], ids=["foot", "head"])
def test_on_a_slope_one_slides_along_the_crease_of_shape_and_slope(scene, shape, z):
    """The ground's normal n and the shape's p: what is kept is the way's share along n x p."""
    ground, way = np.array((-0.36, 0.48, 0.8)), np.array((0.3, 0.4, 0.1))
    t = scene.trying((-1.3, 0.4, z + 0.1), tuple(way.tolist()), grounded=True)
    t.object_info.step_up_height = 0.1
    t.collision_info.contact = Contact(scene.frame.to_global_vec(tuple(ground)), 0.0, 0)
    assert shape(scene, t) is SLID
    crease = np.cross((-1.0, 0.0, 0.0), ground)
    kept = crease * (crease @ way) / (crease @ crease)
    assert scene.origin(t) == pytest.approx(np.array((-1.6, 0.0, z)) + kept)


@SHAPES
@pytest.mark.parametrize("along", [0.0, 0.01])
def test_who_walks_straight_against_it_is_held(scene, shape, along):
    """A slide shorter than 1.4 cm is none."""
    t = scene.trying((-1.3, along, 0.0), (0.3, along, 0.0), grounded=True)
    t.object_info.step_up_height = 0.1
    assert shape(scene, t) is COLLIDED


@pytest.mark.parametrize(
    ("z", "dz", "result"), [(-1.3, 0.2, COLLIDED), (1.3, -0.2, SLID)], ids=["under", "on"]
)
def test_a_balls_underside_holds_and_its_top_carries(scene, z, dz, result):
    """Where no crease is: the way into the ball is taken away on top, and below there is none."""
    t = scene.trying((0.0, 0.0, z), (0.0, 0.0, dz), grounded=True, spheres=SPHERES[:1])
    t.object_info.step_up_height = -9.0
    assert scene.ball(t) is result
    assert scene.origin(t) == pytest.approx((0.0, 0.0, z if result is COLLIDED else 1.5))


# --- missiles and cameras


@SHAPES
def test_what_is_stopped_in_its_path_keeps_the_normal(scene, shape):
    t = scene.trying((-1.3, 0.0, 0.0), (0.3, 0.0, 0.0))
    t.object_info.state |= OI_PATH_CLIPPED
    assert shape(scene, t) is COLLIDED
    assert scene.normal(t.collision_info.collision_normal) == pytest.approx((-1.0, 0.0, 0.0))
    assert scene.origin(t) == pytest.approx((-1.3, 0.0, 0.0))


@SHAPES
def test_a_clipped_path_looks_at_the_foot_alone(scene, shape):
    t = scene.trying((-1.3, 0.0, -1.2), (0.3, 0.0, 0.0))
    t.object_info.state |= OI_PATH_CLIPPED
    assert shape(scene, t) is OK


@SHAPES
def test_a_perfect_clip_ends_at_the_touch(scene, shape):
    t = scene.trying((-1.3, 0.0, 0.0), (0.3, 0.0, 0.0))
    t.object_info.state |= OI_PATH_CLIPPED | OI_PERFECT_CLIP
    assert shape(scene, t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((-1.5, 0.0, 0.0), abs=1e-6)
    assert scene.normal(t.collision_info.collision_normal) == pytest.approx((-1.0, 0.0, 0.0))


@SHAPES
def test_a_perfect_clip_that_went_down_gives_the_height_back_too(scene, shape):
    """From 3 m above the middle straight down to where it touches the top."""
    x = 0.0 if shape is cylinder else 0.9
    t = scene.trying((x, 0.0, 0.7 if shape is cylinder else 0.9), (0.0, 0.0, -2.0))
    t.object_info.state |= OI_PATH_CLIPPED | OI_PERFECT_CLIP
    assert shape(scene, t) is ADJUSTED
    assert scene.origin(t) == pytest.approx((x, 0.0, 1.0 if shape is cylinder else 1.2), abs=1e-6)
    normal = (0.0, 0.0, 1.0) if shape is cylinder else (0.6, 0.0, 0.8)
    assert scene.normal(t.collision_info.collision_normal) == pytest.approx(normal)


@SHAPES
def test_a_perfect_clip_that_began_inside_is_held(scene, shape):
    t = scene.trying((-1.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    t.object_info.state |= OI_PATH_CLIPPED | OI_PERFECT_CLIP
    assert shape(scene, t) is COLLIDED
    assert scene.origin(t) == pytest.approx((-1.0, 0.0, 0.0))
