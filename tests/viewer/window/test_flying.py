"""What the detached eye can do: its cell follows it through portals, and doors are used from where it is."""

from __future__ import annotations

import math

import pytest

from engine.physics.simulation.movement import MovementInput
from engine.visibility.view import basis
from tests.viewer.walks import BEFORE_THE_DOOR, DOOR, FORWARD, SIZE, VESTIBULE
from viewer.places import put
from viewer.window.walking.picking import REACH, _distance
from viewer.window.walking.walk import STANDING, Walk

BACK = MovementInput(forward=-1, run=True)
USED = f"used 0x{DOOR:08X}: it is opening"


def take_off(walk: Walk, place: str) -> None:
    put(walk.simulation, place)
    walk.camera.target_yaw = walk.simulation.position.frame.heading()
    walk.camera.settle()
    walk.look_out(SIZE, 0.0)
    walk.toggle_flight()


def fly(walk: Walk, metres: float) -> int:
    """Fly ahead (or back), a tenth of a metre a frame; the cell that the eye comes to."""
    for _ in range(round(abs(metres) / 0.1)):
        walk.advance(0.1 / 8.0, FORWARD if metres > 0.0 else BACK)
        walk.look_out(SIZE, 0.0)
    assert walk.flight is not None
    return walk.flight.cell_id


def test_a_door_is_used_by_the_detached_eye(walk: Walk) -> None:
    take_off(walk, BEFORE_THE_DOOR)
    fly(walk, -2.0)
    before = walk.simulation.position
    assert walk.use_seen() == USED
    walk.advance(2.0, STANDING)
    assert walk.simulation.doors[DOOR].is_open
    assert walk.simulation.position.frame.origin == before.frame.origin


def test_the_eyes_cell_follows_it_through_portals_and_the_door_is_used_from_inside(walk: Walk) -> None:
    take_off(walk, BEFORE_THE_DOOR)
    assert walk.use_seen() == USED
    walk.advance(2.0, STANDING)
    root = walk.look_out(SIZE, 0.0).root
    assert fly(walk, 2.7) == 0xA9B40170
    assert fly(walk, 3.0) == 0xA9B40171
    assert walk.look_out(SIZE, 0.0).root == root  # the picture's list stays the body's
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    assert fly(walk, 3.0) == 0xA9B40170
    walk.advance(60.0, STANDING)  # the door has closed by itself
    assert walk.use_seen() == USED


def test_the_eye_goes_by_its_own_ray_and_not_the_bodys(walk: Walk) -> None:
    take_off(walk, BEFORE_THE_DOOR)
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    assert walk.use_seen() == "nothing to use here"
    fly(walk, 20.0)
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    assert walk.use_seen() == "nothing to use here"  # out of reach now


@pytest.mark.parametrize("aside", [3.1, -2.2])
def test_a_wall_before_the_door_is_in_the_way(walk: Walk, aside: float) -> None:
    take_off(walk, VESTIBULE)
    flight = walk.flight
    assert flight is not None
    fly(walk, 1.0)  # just into the main room
    assert flight.cell_id == 0xA9B40171
    for _ in range(round(abs(aside) / 0.1)):
        walk.advance(0.1 / 8.0, MovementInput(side=1 if aside > 0.0 else -1))
    door = walk.simulation.doors[DOOR].target.position.frame.origin
    x, y, _ = flight.eye
    to_door = math.degrees(math.atan2(door[0] - x, door[1] - y))
    walk.turn(to_door - walk.camera.yaw, 0.0)
    walk.camera.settle()
    ahead = basis(walk.camera.yaw, walk.camera.pitch)[2]
    met = _distance(walk.simulation.doors[DOOR], 0.0, flight.cell_id, eye=flight.eye, direction=ahead)
    assert met is not None
    assert met < REACH
    assert walk.use_seen() == "nothing to use here"


@pytest.mark.parametrize("place", [VESTIBULE, BEFORE_THE_DOOR])
def test_a_teleport_ends_the_flight(walk: Walk, place: str) -> None:
    """Else the eye stays behind, and what one sees is not where the body has come to."""
    take_off(walk, BEFORE_THE_DOOR)
    fly(walk, -3.0)
    assert walk.teleport(place) == ""
    assert not walk.flying
    picture = walk.look_out(SIZE, 0.0)
    assert picture.body_cell == walk.simulation.position.cell_id
    x, y, z = walk.simulation.position.frame.origin
    ex, ey, ez = picture.view.eye
    assert math.dist((x, y, z), (ex, ey, ez)) < 5.0
    walk.advance(0.5, FORWARD)
    assert walk.simulation.position.frame.origin != (x, y, z), "the keys move the body again"


def test_a_teleport_that_fails_leaves_the_flight_as_it_is(walk: Walk) -> None:
    take_off(walk, BEFORE_THE_DOOR)
    fly(walk, -1.0)
    assert walk.teleport("0xA9B40FFF [1 2 3]") != ""
    assert walk.flying
