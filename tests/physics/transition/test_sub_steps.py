"""The sub-steps of a sweep: where each is tried, how the body turns on its way, what ends it (sweep 3.6)."""

from __future__ import annotations

import math

import pytest

from engine.dat.values import Plane
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    COLLIDED,
    INVALID,
    OI_FREE_ROTATE,
    OI_IS_VIEWER,
    OI_PATH_CLIPPED,
    OK,
    REFUSED_BLOCKED,
    REFUSED_CONTACT,
    REFUSED_LENGTH,
    REFUSED_NO_CELL,
    REFUSED_SLIDING,
)
from engine.physics.transition import driver
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.physics_state import GRAVITY
from tests.needed import interpreted_only
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import FLAT, cells, transition
from tests.physics.scripted_rules import OnlyRules

GROUND = Contact.on(FLAT, 0)
WAY = (0.6, 0.64, 0.48)
BACK = (-0.6, -0.64, -0.48)
FACING_BACK = Contact.on(Plane(BACK, 0.0), 0)


def along(distance):
    return tuple(distance * a for a in WAY)


def sweep_to(distance, *, heading=0.0, to_heading=None, flags=0):
    """A body in the air that is to go so many metres along WAY, and to turn on it."""
    t = transition(cells(room(polygons=[])), cell_id=ROOM, contact=None, grounded=False)
    begin = Position(ROOM, Frame((0.0, 0.0, 0.0), quat_of_heading(heading)))
    turned = quat_of_heading(heading if to_heading is None else to_heading)
    t.init_path(t.sphere_path.curr_cell, begin, Position(ROOM, Frame(along(distance), turned)))
    t.object_info.state |= flags
    return t


def run(t, answer=lambda t, number: OK, *, on_its_way=True):
    """Run a sweep whose sub-steps answer as told; each try's place, heading and cleared memory."""
    tries = []

    def insert(t, attempts):
        assert attempts == 3
        assert t.collision_info.contact is t.collision_info.sliding_normal is None
        frame = t.sphere_path.check_pos.frame
        tries.append((sum(a * b for a, b in zip(frame.origin, WAY, strict=True)), frame.heading()))
        assert not on_its_way or frame.origin == pytest.approx(along(tries[-1][0]))
        return answer(t, len(tries) - 1)

    t.rules = OnlyRules(insert=insert)
    return driver.find_transitional_position(t), tries


def places(tries):
    return [place for place, _ in tries]


def test_each_sub_step_goes_on_from_where_the_last_was_accepted():
    """1.2 m are three steps of 0.4 m, none longer than the foot's 0.48 m."""
    t = sweep_to(1.2)
    moved, tries = run(t)
    assert moved
    assert places(tries) == pytest.approx([0.4, 0.8, 1.2])
    assert t.sphere_path.curr_pos.frame.origin == pytest.approx(along(1.2))


def test_a_blocked_one_is_tried_again_from_where_it_began():
    t = sweep_to(1.2)
    t.mover.state &= ~GRAVITY  # it would be stuck in its fall
    moved, tries = run(t, lambda t, number: COLLIDED if number == 1 else OK)
    assert moved
    assert places(tries) == pytest.approx([0.4, 0.8, 0.8])


def test_a_view_goes_in_steps_of_its_radius_and_ends_with_what_is_left():
    moved, tries = run(sweep_to(1.2, flags=OI_IS_VIEWER))
    assert moved
    assert places(tries) == pytest.approx([0.48, 0.96, 1.2])


# --- turning


def test_a_body_turns_along_with_its_way():
    t = sweep_to(1.2, heading=10.0, to_heading=100.0)
    assert [heading for _, heading in run(t)[1]] == pytest.approx([40.0, 70.0, 100.0])
    assert t.sphere_path.curr_pos.frame.heading() == pytest.approx(100.0)


def test_what_is_free_to_turn_faces_where_it_is_to_face_at_once():
    t = sweep_to(1.2, heading=10.0, to_heading=100.0, flags=OI_FREE_ROTATE)
    assert [heading for _, heading in run(t)[1]] == pytest.approx([100.0] * 3)


@pytest.mark.parametrize("flags", [0, OI_FREE_ROTATE])
def test_who_only_turns_has_turned_and_tried_nothing(flags):
    t = sweep_to(0.0, heading=10.0, to_heading=100.0, flags=flags)
    assert run(t) == (True, [])
    path = t.sphere_path
    assert path.curr_pos.frame.heading() == path.check_pos.frame.heading() == pytest.approx(100.0)
    assert t.cell_array.ids == [ROOM]


def test_who_is_blocked_keeps_the_heading_of_the_last_accepted_place():
    t = sweep_to(1.2, heading=10.0, to_heading=100.0)
    run(t, lambda t, number: OK if number == 0 else COLLIDED)
    assert t.sphere_path.curr_pos.frame.heading() == pytest.approx(40.0)


# --- what ends it


@pytest.mark.parametrize("sliding", [False, True])
def test_where_nothing_is_left_to_move_the_sweep_is_refused_and_keeps_its_contact(sliding):
    """Straight into the wall that it touches or slides along: the next tick finds both as they are."""
    t = sweep_to(1.2)
    info = t.collision_info
    info.contact = FACING_BACK
    if sliding:
        info.contact = None
        info.sliding_normal = BACK
    moved, tries = run(t)
    assert (moved, tries) == (False, [])
    assert t.refused_by == (REFUSED_SLIDING if sliding else REFUSED_CONTACT)
    assert info.contact is (None if sliding else FACING_BACK)
    assert info.sliding_normal == (BACK if sliding else None)


def test_what_is_left_after_a_first_step_counts_as_moved():
    def stop(t, number):
        t.collision_info.contact = FACING_BACK
        return OK

    t = sweep_to(1.2)
    moved, tries = run(t, stop)
    assert moved
    assert places(tries) == pytest.approx([0.4])
    assert t.refused_by == ""


def test_a_view_tries_however_little_is_left():
    t = sweep_to(1.2, flags=OI_IS_VIEWER)
    t.collision_info.contact = FACING_BACK
    moved, tries = run(t)
    assert moved
    assert places(tries)[0] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("flags", "meets", "number"), [(OI_PATH_CLIPPED, True, 1), (OI_PATH_CLIPPED, False, 3), (0, True, 3)]
)
def test_a_clipped_path_ends_at_the_first_thing_that_it_meets(flags, *, meets, number):
    def meet(t, _):
        if meets:
            t.collision_info.set_collision_normal((0.0, 0.0, 1.0))
        return OK

    moved, tries = run(sweep_to(1.2, flags=flags), meet)
    assert moved
    assert len(tries) == number


def test_who_is_stuck_in_its_fall_tries_no_further_in_the_same_sweep():
    """Neither on the ground nor moved: the first such sub-step is the last."""
    t = sweep_to(1.2)
    moved, tries = run(t, lambda t, number: COLLIDED)
    assert moved
    assert len(tries) == 1
    assert t.collision_info.frames_stationary_fall == 1


@pytest.mark.parametrize("x", [math.inf, math.nan, 1000.0 * 0.48 + 1.0])
def test_an_endless_way_is_refused_before_it_begins(x):
    t = sweep_to(x)
    moved, tries = run(t)
    assert (moved, tries) == (False, [])
    assert t.refused_by == REFUSED_LENGTH


@pytest.mark.parametrize("lost", ["cell", "place"])
def test_who_is_nowhere_goes_nowhere(lost):
    t = sweep_to(1.2)
    setattr(t.sphere_path, "begin_cell" if lost == "cell" else "begin_pos", None)
    assert run(t) == (False, [])
    assert t.refused_by == REFUSED_NO_CELL


def test_a_sub_step_that_has_no_answer_refuses_the_sweep():
    t = sweep_to(0.4)
    moved, tries = run(t, lambda t, number: INVALID)
    assert not moved
    assert len(tries) == 1
    assert t.refused_by == REFUSED_BLOCKED


def test_a_wall_that_is_slid_along_bends_one_sub_step_and_is_forgotten():
    """What leads into it is taken from the way; the next finds its own."""
    t = sweep_to(0.4)
    t.collision_info.sliding_normal = (-1.0, 0.0, 0.0)
    tried = []

    def note(t, number):
        tried.append(t.sphere_path.check_pos.frame.origin)
        return OK

    assert run(t, note, on_its_way=False)[0]
    assert tried == [pytest.approx((0.0, 0.4 * WAY[1], 0.4 * WAY[2]))]


@interpreted_only("replaces what compiled code calls")
def test_an_interrupt_is_heard_in_every_sub_step_of_a_long_tick(monkeypatch):
    """In the compiled form nothing else of a tick lets one be heard; a thousand may take minutes."""
    breaths = []
    monkeypatch.setattr(driver, "breathe", lambda: breaths.append(1))
    tries = run(sweep_to(4.9))[1]
    assert len(breaths) == len(tries) == 11
