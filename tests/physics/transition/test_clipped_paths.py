"""Collision 4.6 rows 8-11 and the viewer's rules: sweeps that stop where they touch."""

import math

import pytest

from engine.dat.values import Sphere
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import (
    OI_FREE_ROTATE,
    OI_IS_VIEWER,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    Response,
)
from engine.physics.transition.driver import MAX_STEPS
from engine.physics.transition.run import find_valid_position, new_transition
from engine.world.frame import Frame, Position
from tests.physics.rooms import ROOM, quad, room
from tests.physics.scenes import block_cells, cells, flat_floor, stand, terrain, wall
from tests.physics.stage import airborne_body, push

CAMERA = OI_IS_VIEWER | OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP
SPHERE = (Sphere((0.0, 0.0, 0.0), 0.3),)


def clip(world, start, end, cell_id=ROOM, *, flags=CAMERA):
    t = new_transition(
        world, PhysicsBody(0, SPHERE, step_up_height=0.0, step_down_height=0.0, state=0), SPHERE
    )
    t.object_info.state = flags
    frame = Frame(start)
    t.init_path(
        world.get_visible(cell_id), Position(cell_id, frame), Position(cell_id, frame.with_origin(end))
    )
    return t, find_valid_position(t)


def test_a_camera_stops_just_before_a_wall():
    world = cells(room(polygons=[wall(2.0, -5.0, 5.0, sign=-1)]))
    t, ok = clip(world, (0.0, 0.0, 0.0), (4.0, 1.0, 0.0))
    assert ok
    x, y, _ = t.sphere_path.curr_pos.frame.origin
    assert 1.6 < x <= 1.7 + 0.001
    assert y == pytest.approx(x / 4.0, abs=1e-6)
    assert t.collision_info.collision_normal == (-1.0, 0.0, 0.0)
    assert [h.response for h in t.hits] == [Response.CLIPPED]


def test_without_perfect_clip_it_stops_where_the_sub_step_began():
    world = cells(room(polygons=[wall(2.0, -5.0, 5.0, sign=-1)]))
    t, ok = clip(world, (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), flags=CAMERA & ~OI_PERFECT_CLIP)
    assert ok
    assert t.sphere_path.curr_pos.frame.origin[0] == pytest.approx(1.5)


def test_a_free_camera_arrives():
    t, ok = clip(cells(room(polygons=[flat_floor(-20, 20, -9.0)])), (0.0, 0.0, 0.0), (2.0, 1.0, 1.0))
    assert ok
    assert t.sphere_path.curr_pos.frame.origin == pytest.approx((2.0, 1.0, 1.0))


def test_a_camera_is_kept_above_the_terrain():
    world = block_cells(terrain())
    t, ok = clip(world, (100.0, 100.0, 2.0), (102.0, 100.0, -1.0), 0xA9B40025)
    assert ok
    assert t.sphere_path.curr_pos.frame.origin[2] >= 0.3 - 0.001


def test_a_falling_head_against_a_ceiling_is_stopped():
    ceiling = quad(5, (-9, -9, 2.0), (-9, 9, 2.0), (9, 9, 2.0), (9, -9, 2.0))
    world = cells(room(polygons=[ceiling]))
    body = airborne_body(world, (0.0, 0.0, 0.1))
    (result,) = push(world, body, (0.0, 0.0, 0.2))
    assert result.ok
    assert result.normal == (0.0, 0.0, -1.0)
    assert body.position.frame.origin[2] == pytest.approx(0.1)
    assert [(h.poly, h.response) for h in result.hits] == [(5, Response.COLLIDED)]


@pytest.mark.parametrize("far", [MAX_STEPS * 0.48 + 1.0, 1e30, math.inf, math.nan])
def test_a_request_beyond_all_bounds_is_refused_at_once(far):
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0)]))
    body = stand(world, (0.0, 0.0, 0.005), ROOM)
    (result,) = push(world, body, (far, 0.0, 0.0))
    assert not result.ok
    assert body.position.frame.origin[0] == 0.0
