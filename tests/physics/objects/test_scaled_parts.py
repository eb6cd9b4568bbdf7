"""Collision 4.1: parts that are scaled, turned and far from the block's corner."""

import math

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.world.frame import Frame, Position
from tests.physics.models import model, part
from tests.physics.rooms import ROOM, box_polygons, floor
from tests.physics.stage import airborne_body, push, staged_room

TURN = (math.cos(0.4), 0.0, 0.0, math.sin(0.4))


def block(scale):
    shape = model(parts=[part(box_polygons((-1.0, -1.0, 0.0), (1.0, 1.0, 0.5)))])
    return PhysicsObject(7, shape, Position(ROOM, Frame((30.0, 20.0, 1.0), TURN)), state=0x10008, scale=scale)


@pytest.mark.parametrize(("scale", "top"), [(1.0, 1.5), (2.0, 2.0)])
def test_one_stands_on_a_scaled_part_where_its_top_is(scale, top):
    world, _ = staged_room(block(scale), polygons=[floor(-20, 40, 0.0)])
    body = airborne_body(world, (30.0, 20.0, top + 0.6))
    push(world, body, (0.0, 0.0, -0.4), 2)
    assert body.on_ground
    assert body.position.frame.origin[2] == pytest.approx(top + 0.005, abs=1e-4)
    assert body.contact.d == pytest.approx(-top)
    push(world, body, (0.1, 0.0, 0.0), 3)
    assert body.position.frame.origin == pytest.approx((30.3, 20.0, top + 0.005), abs=1e-4)


def test_a_scaled_wall_stops_at_its_face():
    world, _ = staged_room(block(2.0), polygons=[floor(-20, 40, 1.0)])
    body = airborne_body(world, (30.0, 16.0, 1.1))
    push(world, body, (0.0, 0.0, -0.1), 2)
    results = push(world, body, (0.0, 0.05, 0.0), 60)
    x, y, _ = Frame((30.0, 20.0, 1.0), TURN).to_local(body.position.frame.origin)
    assert math.hypot(max(abs(x) - 2.0, 0.0), max(abs(y) - 2.0, 0.0)) >= 0.48 - 0.001
    assert any(hit.owner == 7 for result in results for hit in result.hits)


@pytest.mark.parametrize(("of_part", "of_object"), [(0.0, 1.0), (-0.0, 1.0), (1e-300, 1e-300), (1e-9, 1.0)])
def test_a_part_that_is_scaled_to_nothing_is_in_nobodys_way(of_part, of_object):
    """A Setup whose part has no height: spheres would be put into its space by one over nothing."""
    flat = model(parts=[part(box_polygons((-1.0, -1.0, 0.0), (1.0, 1.0, 2.0)))])
    flat = flat._replace(part_scales=((1.0, 1.0, of_part),))
    place = Position(ROOM, Frame((30.0, 20.0, 1.0)))
    thing = PhysicsObject(7, flat, place, state=0x10008, scale=of_object)
    ends = []
    for things in ((thing,), ()):
        world, _ = staged_room(*things, polygons=[floor(-20, 40, 1.0)])
        body = airborne_body(world, (30.0, 18.0, 1.1))
        push(world, body, (0.0, 0.0, -0.1), 2)
        results = push(world, body, (0.0, 0.1, 0.0), 40)
        assert not any(hit.owner == 7 for result in results for hit in result.hits)
        ends.append(body.position)
    assert ends[0] == ends[1]
    assert ends[0].frame.origin[1] > 20.0
