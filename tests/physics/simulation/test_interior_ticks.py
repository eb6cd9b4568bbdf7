"""Sweep 12.11, SC1-SC14: whole ticks in one room of one leaf."""

import pytest

from engine.dat.values import Plane
from engine.physics.enums import TS_SLIDING, HitKind
from engine.physics.simulation.sweep import make_transition
from engine.world.physics_state import EDGE_SLIDE_STATE, PLAYER_STATE
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import UP, cells, flat_floor, stand, wall
from tests.physics.stage import airborne_body, push

NO_EDGE_SLIDE = PLAYER_STATE & ~EDGE_SLIDE_STATE


def world_of(*polygons):
    return cells(room(polygons=list(polygons)))


def walled_room():
    return world_of(flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1))


def step_room(h):
    return world_of(
        flat_floor(-20, 0, 0.0), wall(0.0, 0.0, h, sign=-1, polygon_id=1), flat_floor(0, 20, h, polygon_id=2)
    )


def drop_room(d):
    return world_of(
        flat_floor(-20, 0, d), wall(0.0, 0.0, d, sign=1, polygon_id=1), flat_floor(0, 20, 0.0, polygon_id=2)
    )


def at(body):
    return body.position.frame.origin


def test_SC1_a_slide_along_a_wall_leaves_a_sliding_normal_every_other_tick():
    world = walled_room()
    body = stand(world, (1.4, 0.0, 0.005), ROOM)
    sliding = []
    for y in (0.2, 0.4, 0.6):
        push(world, body, (0.2, 0.2, 0.0))
        assert at(body) == pytest.approx((1.4, y, 0.005), abs=1e-4)
        sliding.append(bool(body.transient_state & TS_SLIDING))
    assert sliding == [True, False, True]
    assert body.sliding_normal == pytest.approx((-1, 0, 0))


def test_SC2_pushing_straight_into_a_wall():
    world = walled_room()
    body = stand(world, (1.4, 0.0, 0.005), ROOM)
    body.velocity = (1.0, 0.0, 0.0)
    first, second, third = push(world, body, (0.2, 0.0, 0.0), 3)
    assert first.ok
    assert first.normal == pytest.approx((-1, 0, 0))
    assert body.velocity == (0.0, 0.0, 0.0)
    assert not second.ok
    assert not third.ok
    assert second.normal is None
    assert at(body) == pytest.approx((1.4, 0.0, 0.005), abs=1e-6)
    assert [(h.kind, h.owner, h.poly) for h in first.hits] == [(HitKind.CELL, ROOM, 1)]


@pytest.mark.parametrize("h", [0.3, 0.5, 0.6, 0.65])
def test_SC3_SC4_SC5_a_step_is_climbed(h):
    world = step_room(h)
    body = stand(world, (-0.49, 0.0, 0.005), ROOM)
    push(world, body, (0.05, 0.0, 0.0))
    if h == 0.5:
        assert at(body) == pytest.approx((-0.44, 0.0, 0.505), abs=1e-4)
    push(world, body, (0.05, 0.0, 0.0), 29)
    assert at(body) == pytest.approx((1.01, 0.0, h + 0.005), abs=1e-4)


@pytest.mark.parametrize("h", [0.7, 0.8])
def test_SC6_a_step_out_of_the_spheres_reach_blocks(h):
    world = step_room(h)
    body = stand(world, (-0.49, 0.0, 0.005), ROOM)
    push(world, body, (0.05, 0.0, 0.0), 30)
    assert at(body) == pytest.approx((-0.49, 0.0, 0.005), abs=1e-4)


def test_SC7_a_long_sub_step_reaches_a_higher_ledge():
    world = step_room(0.8)
    body = stand(world, (-0.5, 0.0, 0.005), ROOM)
    push(world, body, (0.2, 0.0, 0.0), 6)
    assert at(body) == pytest.approx((0.7, 0.0, 0.805), abs=1e-4)


def test_SC8_but_no_more_than_one_and_a_half_step_heights():
    world = step_room(0.89)
    body = stand(world, (-0.5, 0.0, 0.005), ROOM)
    push(world, body, (0.2, 0.0, 0.0), 6)
    assert at(body) == pytest.approx((-0.5, 0.0, 0.005), abs=1e-4)


@pytest.mark.parametrize("d", [0.5, 0.7])
def test_SC9_a_drop_within_half_the_step_down_height_is_walked_down(d):
    world = drop_room(d)
    body = stand(world, (-0.3, 0.0, d + 0.005), ROOM)
    push(world, body, (0.1, 0.0, 0.0), 15)
    assert at(body) == pytest.approx((1.2, 0.0, 0.005), abs=1e-4)


def test_SC10_the_feet_go_down_when_the_foot_sphere_has_left_the_edge():
    world = drop_room(0.5)
    body = stand(world, (0.1, 0.0, 0.505), ROOM)
    for x, z in ((0.2, 0.505), (0.3, 0.505), (0.4, 0.505), (0.5, 0.005)):
        push(world, body, (0.1, 0.0, 0.0))
        assert at(body) == pytest.approx((x, 0.0, z), abs=1e-4)


@pytest.mark.parametrize("d", [0.8, 1.0, 1.2, 5.0])
def test_SC11_a_deeper_drop_holds_a_walker_at_the_edge(d):
    world = drop_room(d)
    body = stand(world, (-0.3, 0.0, d + 0.005), ROOM)
    results = push(world, body, (0.1, 0.0, 0.0), 15)
    assert at(body) == pytest.approx((0.2, 0.0, d + 0.005), abs=1e-4)
    blocked = [r for r in results if r.normal is not None]
    assert blocked[0].normal == pytest.approx((-1, 0, 0))
    assert body.on_ground


def test_SC12_along_the_ledge_the_walker_slides():
    world = drop_room(5.0)
    body = stand(world, (-0.05, 0.0, 5.005), ROOM)
    xs = []
    for _ in range(8):
        push(world, body, (0.1, 0.1, 0.0))
        xs.append(at(body)[0])
    assert xs[1:] == pytest.approx([0.15] * 7, abs=1e-4)
    assert at(body)[1] == pytest.approx(0.8, abs=1e-4)


def test_SC13_without_edge_slide_one_walks_off():
    world = drop_room(5.0)
    body = stand(world, (-0.3, 0.0, 5.005), ROOM, state=NO_EDGE_SLIDE)
    push(world, body, (0.1, 0.0, 0.0), 6)
    assert at(body)[0] == pytest.approx(0.3)
    assert body.on_ground
    push(world, body, (0.1, 0.0, 0.0))
    assert at(body) == pytest.approx((0.4, 0.0, 5.005), abs=1e-4)
    assert not body.on_ground
    assert not body.in_contact


def test_SC14_a_fall_lands_without_a_collision_normal():
    world = world_of(flat_floor(-20, 20, 0.0))
    body = airborne_body(world, (0.0, 0.0, 1.0))
    heights, results = [], []
    for _ in range(3):
        results += push(world, body, (0.0, 0.0, -0.4))
        heights.append(at(body)[2])
    assert heights == pytest.approx([0.6, 0.2, 0.005], abs=1e-4)
    assert body.on_ground
    assert results[-1].normal is None
    assert not push(world, body, (0.0, 0.0, -0.4))[0].ok


def test_a_request_of_no_length_moves_nothing_and_keeps_contact():
    world = walled_room()
    body = stand(world, (1.0, 0.0, 0.005), ROOM)
    (result,) = push(world, body, (0.0, 0.0, 0.0))
    assert (result.ok, result.collided, result.hits) == (True, False, ())
    assert body.on_ground
    assert result.contact.plane == Plane(UP, -0.0)
    assert at(body) == pytest.approx((1.0, 0.0, 0.005), abs=1e-6)


def test_a_tiny_bare_move_is_refused():
    world = walled_room()
    body = stand(world, (1.0, 0.0, 0.005), ROOM)
    (result,) = push(world, body, (0.0001, 0.0, 0.0))
    assert not result.ok
    assert body.on_ground


def test_the_committed_origin_is_a_single_precision_number():
    world = walled_room()
    body = stand(world, (1.0, 0.0, 0.005), ROOM)
    push(world, body, (0.1, 0.1, 0.0))
    import numpy as np

    for value in at(body):
        assert float(np.float32(value)) == value


def test_a_stale_sliding_normal_holds_a_straight_push_and_any_sideways_push_frees_it():
    world = walled_room()
    body = stand(world, (1.4, 0.0, 0.005), ROOM)
    push(world, body, (0.2, 0.0, 0.0), 3)
    world.get_visible(ROOM).structure.physics_root.polygons.pop()
    assert not push(world, body, (0.2, 0.0, 0.0))[0].ok
    push(world, body, (0.2, 0.05, 0.0))
    push(world, body, (0.2, 0.0, 0.0))
    assert at(body)[0] > 1.5


def test_a_mover_in_a_room_without_portals_keeps_it():
    world = walled_room()
    body = stand(world, (0.0, 0.0, 0.005), ROOM)
    results = push(world, body, (-0.1, 0.0, 0.0), 5)
    assert all(r.ok and r.cell_id == ROOM for r in results)
    assert make_transition(world, body).object_info.step_down
