"""Steps down and up and the question for support, probe by probe (sweep 3.13)."""

from __future__ import annotations

import pytest

from engine.collision.moving_sphere import MovingSphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    COLLIDED,
    FLOOR_Z,
    LANDING_Z,
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    PLACEMENT,
    TRANSITION,
    Response,
)
from engine.physics.transition import found, stepping
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import A_FLOOR, FLAT, cells, origin, transition
from tests.physics.scripted_rules import OnlyRules

GROUND = Contact.on(FLAT, ROOM)
STEEP = Contact((0.0, 0.8, 0.6), 0.0, ROOM)
STANDS = OI_CONTACT | OI_ON_WALKABLE


def mover(state=STANDS):
    t = transition(cells(room(polygons=[])), cell_id=ROOM, contact=None, grounded=False)
    t.object_info.state = state
    return t


def probes(t, *answers):
    """What each attempt was; they give these answers and contacts in turn."""
    left, made = list(answers), []

    def insert(t, attempts):
        path = t.sphere_path
        kind = "down" if path.step_down else "support" if path.check_walkable else "room"
        made.append((kind, attempts, round(origin(t)[2], 6), path.insert_type, path.walkable_allowance))
        ts, contact = left.pop(0)
        if contact is not None:
            t.collision_info.contact = contact
        return ts

    t.rules = OnlyRules(insert=insert)
    return made


# --- down


def test_a_step_down_goes_down_finds_ground_and_makes_sure_of_the_room_there():
    t = mover()
    made = probes(t, (OK, GROUND), (OK, None))
    t.sphere_path.near_miss = found.NearMiss(
        A_FLOOR.tested.hit(FLAT.normal, Response.SLIDE), FLAT.normal, step_up=True
    )
    t.sphere_path.walk_interp = 0.3
    assert stepping.step_down(t, 0.75, FLOOR_Z)
    assert made == [("down", 5, -0.75, TRANSITION, 0.0), ("room", 1, -0.75, PLACEMENT, 0.0)]
    path = t.sphere_path
    assert (path.step_down, path.step_down_amt, path.walk_interp) == (False, 0.75, 1.0)
    assert (path.insert_type, path.near_miss) == (TRANSITION, None)


@pytest.mark.parametrize(
    "answers",
    [[(COLLIDED, GROUND)], [(OK, None)], [(OK, STEEP)], [(OK, GROUND), (COLLIDED, None)]],
    ids=["blocked", "no ground", "too steep", "no room"],
)
def test_else_it_fails_and_is_left_where_it_ended(answers):
    t = mover()
    made = probes(t, *answers)
    assert not stepping.step_down(t, 0.75, FLOOR_Z)
    assert len(made) == len(answers)
    assert origin(t) == (0.0, 0.0, -0.75)
    assert (t.sphere_path.insert_type, t.sphere_path.step_down) == (TRANSITION, False)


def test_to_land_on_steep_ground_will_do():
    t = mover(OI_CONTACT)
    probes(t, (OK, STEEP), (OK, None))
    assert stepping.step_down(t, 0.04, LANDING_Z)


# --- support


def on_a_floor(x, *, state=STANDS):
    """A foot over a floor that reaches from -5 to 5 m, with its middle at ``x``."""
    t = mover(state)
    floor = found.Walkable(
        polygon=A_FLOOR.polygon, sphere=MovingSphere(x, 0.0, 0.475, 0.48), up=A_FLOOR.up, pos=A_FLOOR.pos,
        scale=1.0, tested=A_FLOOR.tested,
    )  # fmt: skip
    t.sphere_path.walkable = floor
    return t


@pytest.mark.parametrize("carried", ["in the air", "no floor remembered", "half the foot is on it"])
def test_nobody_is_asked_who_is_carried_for_sure(carried):
    t = on_a_floor(0.0 if carried.startswith("half") else 9.0, state=0 if carried == "in the air" else STANDS)
    made = probes(t)
    if carried.startswith("no"):
        t.sphere_path.walkable = None
    assert stepping.check_walkable(t, FLOOR_Z)
    assert made == []


@pytest.mark.parametrize(("below", "carries"), [(COLLIDED, True), (OK, False)])
def test_what_is_hit_below_carries_the_foot(below, carries):
    """Half the depth of a step down is looked at; then all is as it was."""
    t = on_a_floor(9.0)
    made = probes(t, (below, None))
    assert stepping.check_walkable(t, FLOOR_Z) is carries
    assert made == [("support", 1, -0.75, TRANSITION, FLOOR_Z)]
    assert origin(t) == (0.0, 0.0, 0.0)
    assert t.sphere_path.check_cell is t.sphere_path.curr_cell
    assert not t.sphere_path.check_walkable


@pytest.mark.parametrize(("below", "steps"), [(COLLIDED, True), (OK, False)])
def test_who_minds_edges_steps_down_only_where_something_is_under_the_foot(below, steps):
    t = on_a_floor(9.0, state=STANDS | OI_EDGE_SLIDE)
    made = probes(t, (OK, GROUND), (below, None), (OK, None))
    assert stepping.step_down(t, 0.75, FLOOR_Z) is steps
    assert [kind for kind, *_ in made] == ["down", "support", "room"][: 3 if steps else 2]


# --- up


@pytest.mark.parametrize(
    ("state", "height", "allowance"), [(STANDS, 0.6, FLOOR_Z), (OI_CONTACT, 0.04, LANDING_Z)]
)
def test_a_step_up_probes_upward_from_the_place_that_was_tried(state, height, allowance):
    t = mover(state)
    made = probes(t, (OK, GROUND), (OK, None))
    t.collision_info.contact = GROUND
    t.sphere_path.walkable = A_FLOOR
    assert stepping.step_up(t, (1.0, 0.0, 0.0))
    assert made == [("down", 5, 0.0, TRANSITION, allowance), ("room", 1, 0.0, PLACEMENT, allowance)]
    path = t.sphere_path
    assert path.step_down_amt == height
    assert path.step_up_normal == (1.0, 0.0, 0.0)
    assert not path.step_up
    assert path.walkable is None


@pytest.mark.parametrize(("up", "state"), [(True, STANDS | OI_EDGE_SLIDE), (False, STANDS)])
def test_who_steps_up_or_minds_no_edge_is_not_asked_for_support(up, state):
    t = on_a_floor(9.0, state=state)
    made = probes(t, (OK, GROUND), (OK, None))
    assert stepping.step_up(t, (1.0, 0.0, 0.0)) if up else stepping.step_down(t, 0.75, FLOOR_Z)
    assert [kind for kind, *_ in made] == ["down", "room"]


def test_a_step_up_that_fails_goes_back_without_its_contact():
    def push(t, _):
        t.sphere_path.add_offset_to_check_pos(0.0, 0.0, 0.5)
        return COLLIDED

    t = mover()
    t.rules = OnlyRules(insert=push)
    t.sphere_path.add_offset_to_check_pos(0.2, 0.0, 0.0)
    t.collision_info.contact = GROUND
    assert not stepping.step_up(t, (1.0, 0.0, 0.0))
    assert origin(t) == (0.2, 0.0, 0.0)
    assert t.collision_info.contact is None
    assert not t.sphere_path.step_up
