"""A sweep knows no north: a scene that is turned about the vertical and moved goes as it went before."""

from __future__ import annotations

import math

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.world.frame import Frame, Position
from tests.physics.models import cylinder_model, model, part, sphere_model
from tests.physics.rooms import ROOM, box_polygons
from tests.physics.stage import airborne_body, grounded_body, push, staged_room

THINGS = {
    "post": cylinder_model(0.3, 2.2),
    "stump": cylinder_model(0.4, 0.35),
    "ball": sphere_model(0.9, 0.6),
    "stone": sphere_model(0.05, 0.3),
    "lamp": sphere_model(1.9, 0.35),
    "block": model(parts=[part(box_polygons((-0.5, -0.4, 0.0), (0.5, 0.4, 1.5)))]),
    "step": model(parts=[part(box_polygons((-0.5, -0.4, 0.0), (0.5, 0.4, 0.4)))]),
}
WAYS = {
    "straight at it": (False, (0.0, 0.0, 0.005), (0.23, 0.013, 0.0)),
    "past its side": (False, (0.0, 0.35, 0.005), (0.23, 0.013, 0.0)),
    "falling on it": (True, (1.55, 0.05, 2.9), (0.037, 0.011, -0.31)),
    "falling past it": (True, (0.9, 0.3, 2.9), (0.041, 0.011, -0.31)),
    "flying at it": (True, (0.2, 0.1, 0.7), (0.27, 0.013, 0.02)),
}
SHIFT = (3.0, -2.0)


def turn(p, degrees):
    a = math.radians(degrees)
    c, s = math.cos(a), math.sin(a)
    return (p[0] * c - p[1] * s, p[0] * s + p[1] * c, p[2])


def way(thing, start, move, *, airborne, degrees):
    """Where each of some ticks ends, turned and moved back, with what was hit and how."""
    half = math.radians(degrees) / 2.0
    sx, sy = SHIFT

    def placed(p):
        x, y, z = turn(p, degrees)
        return (x + sx, y + sy, z)

    frame = Frame(placed((1.7, 0.1, 0.0)), (math.cos(half), 0.0, 0.0, math.sin(half)))
    world, _ = staged_room(PhysicsObject(0x7A9B4015, THINGS[thing], Position(ROOM, frame), state=8))
    body = (airborne_body if airborne else grounded_body)(world, placed(start))
    out = []
    for result in push(world, body, turn(move, degrees), ticks=12):
        x, y, z = result.position.frame.origin
        normal = (result.normal or (0.0,) * 3) + (result.sliding_normal or (0.0,) * 3)
        told = [(hit.kind, hit.response) for hit in result.hits]
        out.append(
            (
                turn((x - sx, y - sy, z), -degrees),
                turn(normal[:3], -degrees) + turn(normal[3:], -degrees),
                told,
            )
        )
    return out


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("how", WAYS)
def test_whichever_way_a_scene_is_turned_it_goes_the_same_way(thing, how):
    airborne, start, move = WAYS[how]
    as_built = way(thing, start, move, airborne=airborne, degrees=0.0)
    for degrees in (37.0, 90.0, 201.0, 318.0):
        turned = way(thing, start, move, airborne=airborne, degrees=degrees)
        for (place, normal, told), (place_0, normal_0, told_0) in zip(turned, as_built, strict=True):
            assert place == pytest.approx(place_0, abs=1e-4), degrees
            assert normal == pytest.approx(normal_0, abs=1e-4), degrees
            assert told == told_0, degrees
