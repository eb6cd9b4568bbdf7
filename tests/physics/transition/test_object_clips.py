"""Missiles and cameras against object shapes (collision 5.1.4, 5.2.3), and the quick reject of objects."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.values import Sphere
from engine.physics.enums import OI_FREE_ROTATE, OI_IS_VIEWER, OI_PATH_CLIPPED, OI_PERFECT_CLIP, Response
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.transition import obj_collisions
from engine.physics.transition.run import find_valid_position, new_transition
from engine.world.frame import Frame, Position
from engine.world.physics_state import MISSILE
from tests.physics.models import cylinder_model, door_model, slab_model, sphere_model
from tests.physics.rooms import ROOM
from tests.physics.stage import airborne_body, grounded_body, push, staged_room

CAMERA = OI_IS_VIEWER | OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP


def thing(m, at, state=0x8, **more):
    return PhysicsObject(9, m, Position(ROOM, Frame(at)), state=state, **more)


def camera_sweep(target, start, end, radius=0.3):
    """Where a camera's sphere gets to on its way, and the normal it met."""
    world, _ = staged_room(target, polygons=[])
    body = airborne_body(world, start)
    t = new_transition(world, body, (Sphere((0.0, 0.0, 0.0), radius),))
    t.object_info.state = CAMERA
    t.init_path(world.get_visible(ROOM), Position(ROOM, Frame(start)), Position(ROOM, Frame(end)))
    ok = find_valid_position(t)
    info = t.collision_info
    return (
        ok,
        t.sphere_path.curr_pos.frame.origin,
        info.collision_normal,
    )


def test_a_camera_stops_at_a_cylinder():
    ok, at, normal = camera_sweep(thing(cylinder_model(0.5, 2.0), (0, 2, 0)), (0, 0, 1), (0, 3, 1))
    assert ok
    assert at == pytest.approx((0.0, 1.2, 1.0), abs=1e-3)
    assert normal == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)


def test_a_camera_stops_on_top_of_a_cylinder():
    ok, at, normal = camera_sweep(thing(cylinder_model(0.5, 2.0), (0, 2, 0)), (0, 2, 4), (0, 2, 0.5))
    assert ok
    assert at[2] == pytest.approx(2.3, abs=1e-3)
    assert normal == (0.0, 0.0, 1.0)


def test_a_camera_stops_at_a_sphere():
    ok, at, normal = camera_sweep(thing(sphere_model(1.0, 0.5), (0, 2, 0)), (0, 0.1, 1), (0, 3, 1))
    assert ok
    assert at == pytest.approx((0.0, 1.2, 1.0), abs=1e-3)
    assert normal == pytest.approx((0.0, -1.0, 0.0), abs=1e-3)


def test_a_camera_stops_at_a_slab():
    ok, at, _ = camera_sweep(thing(slab_model(), (0, 2, 0), 0x10008), (0, 0, 1), (0, 3, 1))
    assert ok
    assert at[1] == pytest.approx(1.7, abs=0.01)


def test_a_camera_passes_open_doors():
    assert camera_sweep(thing(slab_model(), (0, 2, 0), 0x1000C), (0, 0, 1), (0, 3, 1))[1] == pytest.approx(
        (0, 3, 1)
    )


@pytest.mark.parametrize("m", [cylinder_model(0.5, 2.0), sphere_model(1.0, 0.5)], ids=["cylinder", "sphere"])
def test_a_missile_stops_without_perfect_clip(m):
    world, _ = staged_room(thing(m, (0, 2, 0)), polygons=[])
    arrow = airborne_body(world, (0.0, 0.0, 1.0))
    arrow.spheres = (Sphere((0.0, 0.0, 0.0), 0.1),)
    arrow.state = MISSILE
    results = push(world, arrow, (0.0, 0.3, 0.0), 8)
    assert results[-1].position.frame.origin[1] < 1.45
    normal = next(r.normal for r in results if r.normal)
    assert normal == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)


def test_a_head_under_a_ball_is_stopped():
    """Only sphere 1 touches: grounded it slides, in the air it is a collision."""

    def ball():
        return thing(sphere_model(1.8, 0.3), (0, 1, 0))

    world, _ = staged_room(ball())
    body = grounded_body(world, (0.0, 0.0, 0.005))
    results = push(world, body, (0.0, 0.1, 0.0), 6)
    assert body.position.frame.origin[1] < 0.7
    assert any(r.hits and r.hits[0].response == Response.SLIDE for r in results)
    world, _ = staged_room(ball())
    body = airborne_body(world, (0.0, 0.0, 0.2))
    results = push(world, body, (0.0, 0.1, 0.0), 6)
    assert any(r.hits and r.hits[0].response == Response.COLLIDE_WITH_POINT for r in results)


def test_a_head_against_a_hanging_cylinder():

    def beam():
        return thing(cylinder_model(0.3, 1.0), (0.0, 1.0, 1.6))

    world, _ = staged_room(beam())
    body = grounded_body(world, (0.0, 0.0, 0.005))
    push(world, body, (0.0, 0.1, 0.0), 6)
    assert body.position.frame.origin[1] < 0.35
    world, _ = staged_room(beam())
    body = airborne_body(world, (0.0, 0.9, 0.0))
    (result,) = push(world, body, (0.0, 0.0, 0.1))
    assert result.normal == pytest.approx((0.0, 0.0, -1.0))


MODELS = [cylinder_model(0.4, 1.3), sphere_model(0.6, 0.6), slab_model(), door_model()]


@settings(max_examples=30, derandomize=True, deadline=None)
@given(
    m=st.sampled_from(MODELS),
    angle=st.floats(0.0, 2 * math.pi),
    x=st.floats(-1.2, 1.2),
    dx=st.floats(-0.3, 0.3),
    dz=st.floats(-0.3, 0.3),
    airborne=st.booleans(),
)
def test_the_quick_reject_changes_nothing(*, m, angle, x, dx, dz, airborne):
    """Every object tested in full gives the same walk as the bounds' quick reject."""
    turn = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))

    def walk():
        world, _ = staged_room(
            PhysicsObject(9, m, Position(ROOM, Frame((0.0, 1.5, 0.0), turn)), state=0x10008)
        )
        start = (x, 0.0, 0.9 if airborne else 0.005)
        body = airborne_body(world, start) if airborne else grounded_body(world, start)
        return [
            (r.ok, r.position.frame.origin, r.normal)
            for r in push(world, body, (dx, 0.25, dz if airborne else 0.0), 10)
        ]

    quick = walk()
    original = obj_collisions._reach_of
    obj_collisions._reach_of = lambda path: (0.0, 0.0, 0.0, math.inf)
    try:
        assert walk() == quick
    finally:
        obj_collisions._reach_of = original
