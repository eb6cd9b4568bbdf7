"""The shape builder: SB1-SB7 of the conformance cases, and the family that collides (objects 8.4-8.5)."""

import math
import random

import pytest

from engine.dat.values import CylSphere, Sphere
from engine.physics.objects.shadow_object import PhysicsObject, computed_state, placed_object
from engine.physics.objects.shadow_shape import ShapeType, colliding_family, posed_frames, shapes_from_setup
from engine.world.frame import Frame, Position
from tests.physics.models import door_model, model, part, placed, slab_model
from tests.physics.rooms import ROOM, box_polygons

BOX = box_polygons((-0.1, -0.1, 0.0), (0.1, 0.1, 1.0))


def kinds(shapes):
    return [s.kind for s in shapes]


def test_SB1_SB2_the_door_has_four_shapes():
    shapes = shapes_from_setup(door_model())
    assert kinds(shapes) == [ShapeType.SPHERE, ShapeType.BSP, ShapeType.BSP, ShapeType.BSP]
    assert shapes[0].frame.origin == pytest.approx((0, 0, 0.018))
    assert shapes[0].radius == pytest.approx(0.1)
    assert [s.part_index for s in shapes] == [-1, 0, 1, 2]
    assert [s.gfxobj_id for s in shapes] == [0, 0x010044B5, 0x010044B6, 0x010044B6]


def test_SB3_parts_stand_at_their_placement_frames():
    door = door_model()
    for shape, frame in zip(shapes_from_setup(door)[1:], door.part_frames, strict=True):
        assert shape.frame.origin == frame.origin
        assert shape.frame.quat == frame.quat


def test_SB4_a_part_without_a_tree_has_no_shape():
    shapes = shapes_from_setup(model(parts=[part(BOX), part(BOX, physics=False)]))
    assert [s.part_index for s in shapes] == [0]


def test_SB5_a_creature_is_one_cylinder():
    creature = model(
        parts=[part(BOX, physics=False)],
        cylspheres=[CylSphere((0.0, 0.0, 0.0), 0.4, 1.2)],
        spheres=[Sphere((0.0, 0.0, 0.5), 0.5)],
    )
    shapes = shapes_from_setup(creature)
    assert kinds(shapes) == [ShapeType.CYLINDER]
    assert (shapes[0].radius, shapes[0].cyl_height) == (0.4, 1.2)


def test_SB6_scale_doubles_everything():
    shapes = shapes_from_setup(model(cylspheres=[CylSphere((0.1, 0.2, 0.6), 0.4, 1.2)]), 2.0)
    assert shapes[0].radius == pytest.approx(0.8)
    assert shapes[0].cyl_height == pytest.approx(2.4)
    assert shapes[0].frame.origin == pytest.approx((0.2, 0.4, 1.2))


def test_SB7_a_cylinder_without_height_is_four_radii_high():
    shapes = shapes_from_setup(model(cylspheres=[CylSphere((0.0, 0.0, 0.0), 0.3, 0.0)]))
    assert shapes[0].cyl_height == pytest.approx(1.2)


def test_shapes_without_radius_are_left_out():
    flat = model(cylspheres=[CylSphere((0.0, 0.0, 0.0), 0.0, 1.0)], spheres=[Sphere((0.0, 0.0, 0.0), 1.0)])
    assert shapes_from_setup(flat) == ()
    assert shapes_from_setup(model(spheres=[Sphere((0.0, 0.0, 0.0), 0.0)])) == ()


def test_a_part_without_bounds_gets_the_fallback_radius():
    bare = part(BOX)
    bare.physics_root.radius = 0.0
    assert shapes_from_setup(model(parts=[bare]), 3.0)[0].radius == pytest.approx(3.0)


def test_a_part_scale_enlarges_the_tree_but_not_its_place():
    big = model(parts=[part(BOX)], frames=[Frame((1.0, 0.0, 0.0))])._replace(part_scales=((3.0, 3.0, 3.0),))
    shape = shapes_from_setup(big, 2.0)[0]
    assert shape.scale == pytest.approx(6.0)
    assert shape.frame.origin == pytest.approx((2.0, 0.0, 0.0))
    assert shape.radius == pytest.approx(big.parts[0].physics_root.radius * 6.0)


def test_given_part_frames_replace_the_placement():
    door = door_model()
    given = [Frame((5.0, 6.0, 7.0))]
    frames = posed_frames(door, given)
    assert frames == (given[0], *door.part_frames[1:])
    assert shapes_from_setup(door, 2.0, given)[1].frame.origin == (10.0, 12.0, 14.0)


def test_one_family_collides():
    door = shapes_from_setup(door_model())
    assert kinds(colliding_family(door)) == [ShapeType.BSP] * 3
    assert colliding_family(door[:1]) == door[:1]
    assert colliding_family(()) == ()


def test_computed_state():
    assert computed_state(slab_model(), is_entity=False) == 0x10001
    assert computed_state(slab_model(), is_entity=True) == 0x10008
    assert computed_state(model(), is_entity=False) == 0x1
    assert placed_object(placed(1, state=0x1000C), slab_model()).state == 0x1000C


def test_poses_follow_the_object():
    turn = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))
    target = PhysicsObject(1, door_model(), Position(ROOM, Frame((10.0, 20.0, 5.0), turn)), state=0x10008)
    assert target.has_physics_bsp
    assert target.poses[0].frame.origin == pytest.approx((10.0 - 0.12, 20.0 - 0.01, 6.28))
    target.move_to(Position(ROOM, Frame((0.0, 0.0, 0.0))))
    assert target.poses[0].frame.origin == pytest.approx((-0.01, 0.12, 1.28))


def test_a_part_that_is_turned_collides_turned_in_an_object_that_is_turned():
    """Both turns count, the object's first: a slab along x that a part's frame turns stands along y."""
    quarter = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))
    eighth = (math.cos(math.pi / 8), 0.0, 0.0, math.sin(math.pi / 8))
    slab = model(parts=[part(BOX)], frames=[Frame((1.0, 0.0, 0.0), quarter)])
    target = PhysicsObject(1, slab, Position(ROOM, Frame((10.0, 20.0, 5.0), eighth)), state=0x10008)
    half = math.sqrt(0.5)
    (pose,) = target.poses
    assert pose.frame.origin == pytest.approx((10.0 + half, 20.0 + half, 5.0))
    assert pose.frame.to_global((1.0, 0.0, 0.0)) == pytest.approx((10.0, 20.0 + 2 * half, 5.0))


def test_every_shapes_bound_holds_its_trees_bound_wherever_it_stands():
    rng = random.Random(3)
    for scale in (0.001, 1.0, 3.7):
        target = PhysicsObject(
            1, door_model(), Position(ROOM, Frame((0.0, 0.0, 0.0))), state=0x10008, scale=scale
        )
        for _ in range(50):
            turn = tuple(rng.gauss(0.0, 1.0) for _ in range(4))
            turn = tuple(c / math.hypot(*turn) for c in turn)
            place = tuple(rng.uniform(-300.0, 300.0) for _ in range(3))
            target.move_to(Position(ROOM, Frame(place, turn)))
            assert len(target.bounds) == len(target.family) == 3
            for shape, pose, bound in zip(target.family, target.poses, target.bounds, strict=True):
                step = [rng.gauss(0.0, 1.0) for _ in range(3)]
                k = shape.root.radius / math.hypot(*step)
                edge = [(c + k * d) * shape.scale for c, d in zip(shape.root.center, step, strict=True)]
                assert math.dist(pose.frame.to_global(tuple(edge)), bound.center) < bound.r
                assert bound.r < shape.root.radius * shape.scale + 0.002


def test_an_objects_bound_holds_all_its_parts_and_not_the_first_alone():
    """Who is outside it is not asked about any part (objects 8.5): a small first part must not shrink it."""
    post, leaf = part(box_polygons((-1.5, -0.05, 0.0), (-1.4, 0.05, 0.2))), part(BOX)
    gate = model(parts=[post, leaf], frames=[Frame((0.0, 0.0, 0.0)), Frame((1.0, 0.0, 2.0))])
    for scale in (0.5, 1.0, 3.7):
        target = PhysicsObject(1, gate, Position(ROOM, Frame((10.0, 20.0, 5.0))), state=0x10008, scale=scale)
        assert len(target.family) == 2
        for shape, pose in zip(target.family, target.poses, strict=True):
            center = pose.frame.to_global(tuple(c * shape.scale for c in shape.root.center))
            reach = math.dist(center, target.bound_center) + shape.root.radius * shape.scale
            assert reach <= target.bound_radius + 1e-9
