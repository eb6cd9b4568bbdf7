"""What becomes of a sub-step, accepted or blocked, and what it hands on to the next (sweep 3.9)."""

from __future__ import annotations

import pytest

from engine.dat.values import Plane
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    INVALID,
    OI_CONTACT,
    OI_IS_VIEWER,
    OI_ON_WALKABLE,
    OK,
    SLID,
)
from engine.physics.transition.driver import validate_transition
from engine.world.physics_state import GRAVITY
from tests.physics.rooms import ROOM, portal, room
from tests.physics.scenes import UP, cells, origin, transition

HALL = ROOM + 1
STANDS = OI_CONTACT | OI_ON_WALKABLE
EAST, WEST = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)
BLOCKED = pytest.mark.parametrize("ts", [COLLIDED, ADJUSTED, SLID])


def sub_step(move=(0.2, 0.3, 0.1), *, at=(0.0, 0.0, 0.0), state=0, known=None, contact=None, into_hall=False):
    """A sub-step that was tried, with the ground that it knew before and what it found."""
    ways = [[portal(0, other, 1000.0, 1)] for other in (HALL, ROOM)]
    world = cells(room(ROOM, [], portals=ways[0]), room(HALL, [], portals=ways[1]))
    t = transition(world, at, move, cell_id=ROOM, contact=None, grounded=False)
    t.object_info.state = state
    if into_hall:
        t.sphere_path.check_cell = world.get_visible(HALL)
        t.sphere_path.adjust_check_pos(HALL)
    if known is not None:
        t.collision_info.remember(known)
    t.collision_info.contact = contact
    t.mover.velocity = (1.0, 2.0, 3.0)
    return t


def ground(z=0.0, normal=UP):
    return Contact(normal, -z * normal[2], HALL)


# --- accepted


def test_an_accepted_one_takes_place_and_cell_and_is_part_of_the_way():
    t = sub_step(into_hall=True)
    assert validate_transition(t, OK) is OK
    path = t.sphere_path
    assert path.curr_pos.frame.origin == origin(t) == (0.2, 0.3, 0.1)
    assert path.curr_cell is path.check_cell is t.world.get_visible(HALL)
    assert path.displacement() == pytest.approx((0.0, 0.0, 0.0))
    assert path.way == [(HALL, (0.2, 0.3, 0.1))]
    assert t.mover.velocity == (1.0, 2.0, 3.0)


def test_an_answer_that_is_none_changes_nothing():
    t = sub_step(into_hall=True)
    assert validate_transition(t, INVALID) is INVALID
    assert t.sphere_path.curr_pos.frame.origin == (0.0, 0.0, 0.0)
    assert origin(t) == (0.2, 0.3, 0.1)
    assert t.sphere_path.way == []


# --- blocked


@BLOCKED
def test_a_blocked_one_goes_back_in_place_and_cell_and_still_is_well(ts):
    t = sub_step(into_hall=True)
    here = t.sphere_path.curr_cell
    t.array_cell_id = ROOM
    assert validate_transition(t, ts) is OK
    path = t.sphere_path
    assert path.curr_pos.frame.origin == origin(t) == (0.0, 0.0, 0.0)
    assert path.curr_cell is path.check_cell is here
    assert path.way == []
    assert t.cell_array.ids[0] == ROOM  # filled around the place that it went back to
    assert t.array_cell_id == -1  # and not for the place that somebody asks about next


@BLOCKED
@pytest.mark.parametrize(
    ("met", "normal", "slides"),
    [(None, UP, (0.0, 0.0, 0.0)), (WEST, WEST, WEST), ((-0.6, 0.0, 0.8), (-0.6, 0.0, 0.8), WEST)],
)
def test_a_blocked_one_slides_along_what_it_met_or_else_an_upright_normal(ts, met, *, normal, slides):
    """The next slides by the level part of it."""
    t = sub_step()
    t.collision_info.collision_normal = met
    validate_transition(t, ts)
    assert t.collision_info.collision_normal == normal
    assert t.collision_info.sliding_normal == pytest.approx(slides)


@BLOCKED
@pytest.mark.parametrize(("z", "held"), [(0.0, True), (-0.006, False), (0.95, True), (0.96, False)])
def test_the_floor_known_last_still_carries_a_foot_that_touches_it(ts, z, held):
    """The foot's middle is 0.475 m up, its radius 0.48 m: a floor 5 mm below, or 0.955 m up, touches."""
    known = ground(z)
    t = sub_step(state=STANDS, known=known)
    validate_transition(t, ts)
    info = t.collision_info
    assert info.contact is info.last_known is (known if held else None)
    assert t.object_info.state == (STANDS if held else 0)
    assert t.mover.velocity == (0.0, 0.0, 0.0)


@BLOCKED
def test_a_slope_known_last_is_measured_from_where_the_sub_step_began(ts):
    """Through the foot's middle where it began, 0.6 m from where it was tried."""
    normal = (0.36, 0.48, 0.8)
    t = sub_step((0.36 * 0.6, 0.48 * 0.6, 0.8 * 0.6), at=(1.0, 2.0, 0.0), state=STANDS)
    known = Contact(normal, -(0.36 * 1.0 + 0.48 * 2.0 + 0.8 * 0.475), ROOM)
    t.collision_info.remember(known)
    validate_transition(t, ts)
    assert t.collision_info.contact is known


@BLOCKED
def test_who_knows_no_floor_keeps_its_velocity(ts):
    t = sub_step()
    validate_transition(t, ts)
    assert t.mover.velocity == (1.0, 2.0, 3.0)


# --- handed on


@pytest.mark.parametrize(
    ("normal", "state"),
    [(UP, STANDS), ((0.0, 0.8, 0.6), OI_CONTACT), ((0.0, (1 - FLOOR_Z**2) ** 0.5, FLOOR_Z), STANDS)],
    ids=["floor", "steep", "steepest floor"],
)
@pytest.mark.parametrize("before", [0, OI_CONTACT, STANDS])
def test_what_was_found_is_known_and_stood_on(normal, state, before):
    found = ground(normal=normal)
    t = sub_step(state=before | OI_IS_VIEWER, known=ground(5.0), contact=found)
    validate_transition(t, OK)
    assert t.collision_info.last_known is found
    assert t.object_info.state == state | OI_IS_VIEWER


def test_who_found_nothing_stands_on_nothing_and_knows_nothing():
    t = sub_step(state=STANDS | OI_IS_VIEWER, known=ground())
    validate_transition(t, OK)
    assert t.collision_info.last_known is None
    assert t.object_info.state == OI_IS_VIEWER


def test_what_an_accepted_one_met_is_slid_along_by_the_next():
    t = sub_step()
    t.collision_info.set_collision_normal(EAST)
    validate_transition(t, OK)
    assert t.collision_info.sliding_normal == EAST


# --- stuck in a fall


@pytest.mark.parametrize(
    ("ts", "move", "into_hall", "counted"),
    [
        (OK, (0.2, 0.0, 0.0), False, 0), (OK, (0.0, 0.0, 0.0), True, 0), (OK, (0.0, 0.0, 0.0), False, 2),
        (COLLIDED, (0.2, 0.0, 0.0), False, 2),
    ],
    ids=["moved", "into another cell", "unmoved", "blocked"],
)  # fmt: skip
def test_sub_steps_that_come_no_farther_are_counted(ts, move, *, into_hall, counted):
    t = sub_step(move, into_hall=into_hall)
    t.collision_info.frames_stationary_fall = 1
    validate_transition(t, ts)
    assert t.collision_info.frames_stationary_fall == counted


@pytest.mark.parametrize(("state", "counted"), [(STANDS, 0), (OI_CONTACT, 2)])
def test_who_is_held_by_a_wall_on_a_floor_does_not_count(state, counted):
    t = sub_step(state=state, known=ground())
    t.collision_info.frames_stationary_fall = 1
    validate_transition(t, COLLIDED)
    assert t.collision_info.frames_stationary_fall == counted


@pytest.mark.parametrize("exempt", ["view", "no gravity"])
def test_views_and_what_does_not_fall_are_not_counted(exempt):
    t = sub_step(state=OI_IS_VIEWER if exempt == "view" else 0)
    if exempt == "no gravity":
        t.mover.state &= ~GRAVITY
    validate_transition(t, COLLIDED)
    assert t.collision_info.frames_stationary_fall == 0


@pytest.mark.parametrize("in_contact", [False, True])
def test_the_third_in_a_row_puts_a_floor_under_the_foot(in_contact):
    """Through its lowest point; who was in contact with something is not told that it hit the floor."""
    t = sub_step((0.0, 0.0, 0.0), state=OI_CONTACT if in_contact else 0)
    info = t.collision_info
    info.frames_stationary_fall = 2
    validate_transition(t, OK)
    assert info.frames_stationary_fall == 3
    assert info.contact.plane == Plane(UP, pytest.approx(0.48 - 0.475))
    assert (info.contact.cell_id, info.contact.is_water) == (ROOM, False)
    assert info.collision_normal == (None if in_contact else UP)
    assert info.collided_with_environment is not in_contact
    assert t.object_info.state == STANDS
