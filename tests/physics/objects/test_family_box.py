"""Objects 8.5: who is clear of the box around an object's polygons need not ask its trees."""

import math
import random

import pytest

from engine.collision.bsp_queries import PolyHit, sphere_intersects_poly, sphere_intersects_solid
from engine.collision.moving_sphere import MovingSphere
from engine.physics.enums import COLLIDED, OK, PLACEMENT, TRANSITION
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.sweep import make_transition
from engine.physics.transition.obj_collisions import find_object_collisions
from engine.world.bsp import BspNode, leaf_node
from engine.world.frame import Frame, Position
from engine.world.polygon import Polygon
from tests.physics.models import model, part
from tests.physics.rooms import ROOM, box_polygons, floor, split_tree
from tests.physics.stage import airborne_body, staged_room

TURN = (math.cos(0.4), 0.0, 0.0, math.sin(0.4))
LEAF = box_polygons((-0.04, -0.5, 0.0), (0.04, 0.5, 2.0))
BENT = [Polygon(0, [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 1.2)])]
AT = (30.0, 20.0, 1.0)


def standing(*parts, frames=(), scale=1.0, turn=TURN):
    shape = model(parts=parts, frames=frames)
    return PhysicsObject(7, shape, Position(ROOM, Frame(AT, turn)), state=0x10008, scale=scale)


def touches(target, sphere):
    """Whether a sphere touches a polygon of any of an object's trees, each asked in its own space."""
    for shape, pose in zip(target.family, target.poses, strict=True):
        x, y, z = pose.frame.to_local(sphere.center)
        k = 1.0 / shape.scale
        found = PolyHit()
        sphere_intersects_poly(
            shape.root, MovingSphere(x * k, y * k, z * k, sphere.r * k), (0.0, 0.0, 0.0), found
        )
        if found.poly is not None:
            return True
    return False


def leaves_no_room(target, sphere):
    """Whether a sphere touches a polygon or has its centre in the solid of any of an object's trees."""
    for shape, pose in zip(target.family, target.poses, strict=True):
        x, y, z = pose.frame.to_local(sphere.center)
        k = 1.0 / shape.scale
        if sphere_intersects_solid(
            shape.root, MovingSphere(x * k, y * k, z * k, sphere.r * k), centre_check=True
        ):
            return True
    return False


def is_clear(target, sphere, *, solid=False):
    return target.box.is_clear_of([sphere], target.position.frame, 0.0, 0.0, solid=solid)


def solid_part(polygons):
    return part(polygons)._replace(physics_root=split_tree(polygons, solid=True))


def solid_within(*planes):
    """A part whose tree is solid behind all of some planes, with a little polygon far down in it."""
    bottom = [Polygon(0, [(-0.1, -0.1, -1.0), (0.1, -0.1, -1.0), (0.1, 0.1, -1.0), (-0.1, 0.1, -1.0)])]
    node = leaf_node(bottom, (0.0, 0.0, -1.0), 0.2, solid=True)
    for normal, d in planes:
        node = BspNode(
            normal, d, leaf_node([], (0.0, 0.0, 1.0), 0.2), node,
            center=(0.0, 0.0, 0.0), radius=9.0, polygons=[], is_leaf=False, solid=False, index=0,
        )  # fmt: skip
    return part(bottom)._replace(physics_root=node)


FLAT = ((0.0, 0.0, 1.0), 0.0)
SLANTED = ((0.6, 0.0, 0.8), 0.0)
SIX = [
    (tuple(sign if i == axis else 0.0 for i in range(3)), -1.2) for axis in range(3) for sign in (1.0, -1.0)
]


@pytest.mark.parametrize(
    "target",
    [
        standing(part(LEAF), scale=1.3),
        standing(part(BENT), scale=2.0),
        standing(part(LEAF), part(BENT), frames=(Frame((1.0, 0.0, 0.5), TURN), Frame((0.0, -2.0, 0.0)))),
    ],
    ids=["a leaf", "corners off their plane", "two parts"],
)
def test_nobody_who_touches_a_polygon_is_clear_of_the_box(target):
    dice = random.Random(5)
    touched = 0
    for _ in range(3000):
        x, y, z = (at + dice.uniform(-2.5, 2.5) for at in AT)
        sphere = MovingSphere(x, y, z, dice.uniform(0.1, 0.6))
        if touches(target, sphere):
            touched += 1
            assert not is_clear(target, sphere)
    assert touched > 50


def test_one_is_clear_of_a_door_leaf_where_a_sphere_around_it_would_reach():
    target = standing(part(LEAF))
    x, y, z = target.position.frame.to_global((0.6, 0.0, 1.0))
    sphere = MovingSphere(x, y, z, 0.48)
    assert is_clear(target, sphere)
    assert math.dist((x, y, z), target.bound_center) < sphere.r + target.bound_radius
    x, y, z = target.position.frame.to_global((0.5, 0.0, 1.0))
    assert not is_clear(target, MovingSphere(x, y, z, 0.48))


def test_a_box_is_measured_once_and_shared_by_all_that_differ_in_place_alone():
    one = standing(part(LEAF))
    other = PhysicsObject(8, one.model, Position(ROOM, Frame((1.0, 2.0, 3.0))), state=8, alike=one)
    assert other.box is one.box


def test_what_is_stretched_by_its_orientation_has_no_box():
    """Records may hold orientations up to 1 % off unit length: its parts then stand elsewhere than it."""
    assert standing(part(LEAF)).is_boxed
    assert not standing(part(LEAF), turn=tuple(1.005 * value for value in TURN)).is_boxed
    stretched = Frame((0.0, 0.0, 0.0), (1.005, 0.0, 0.0, 0.0))
    assert not standing(part(LEAF), frames=(stretched,)).is_boxed


@pytest.mark.parametrize(
    "target",
    [
        standing(solid_part(LEAF), scale=1.3),
        standing(solid_part(box_polygons((-0.8, -0.5, 0.0), (0.8, 0.5, 2.0)))),
        standing(
            solid_part(LEAF), part(BENT), frames=(Frame((1.0, 0.0, 0.5), TURN), Frame((0.0, -2.0, 0.0)))
        ),
        standing(solid_within(FLAT)),
        standing(solid_within(*SIX), scale=0.7),
        standing(solid_within(SLANTED, *SIX)),
    ],
    ids=["a leaf", "a chest", "two parts", "no end", "six sides", "seven sides"],
)
def test_nobody_for_whom_there_is_no_room_is_clear_of_the_box(target):
    dice = random.Random(6)
    met = 0
    for _ in range(3000):
        x, y, z = (at + dice.uniform(-2.5, 2.5) for at in AT)
        sphere = MovingSphere(x, y, z, dice.uniform(0.01, 0.6))
        if leaves_no_room(target, sphere):
            met += 1
            assert not is_clear(target, sphere, solid=True)
    assert met > 50


def test_where_room_is_asked_for_one_is_clear_of_a_solid_that_ends():
    target = standing(solid_part(LEAF))
    x, y, z = target.position.frame.to_global((0.6, 0.0, 1.0))
    assert is_clear(target, MovingSphere(x, y, z, 0.48), solid=True)
    above = MovingSphere(x, y, z + 5.0, 0.48)
    assert is_clear(standing(solid_within(SLANTED, *SIX)), above, solid=True)
    assert not is_clear(standing(solid_within(SLANTED)), above, solid=True)  # no end of it is known


@pytest.mark.parametrize(("asked", "answer"), [(PLACEMENT, COLLIDED), (TRANSITION, OK)])
def test_where_room_is_asked_for_a_centre_in_the_solid_counts_far_from_all_polygons(asked, answer):
    thing = standing(solid_within(FLAT))
    world, _ = staged_room(thing, polygons=[floor(-20, 40, 0.0)])
    body = airborne_body(world, (32.0, 20.0, -1.0))
    t = make_transition(world, body)
    t.init_path(body.cell, body.position, body.position)
    t.sphere_path.set_check_pos(body.position, body.cell)
    t.sphere_path.insert_type = asked
    assert find_object_collisions(thing, thing.state, t) is answer
