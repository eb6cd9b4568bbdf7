"""The search for room around a place, try by try (sweep 3.17)."""

from __future__ import annotations

import math
from functools import partial

import pytest

from engine.dat.values import Sphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    INITIAL_PLACEMENT,
    LANDING_Z,
    OK,
    PLACEMENT,
    SLID,
    TRANSITION,
)
from engine.physics.transition import placement
from engine.world.frame import Frame, Position
from tests.physics.rooms import ROOM, portal, room
from tests.physics.scenes import A_FLOOR, FLAT, cells, origin, transition
from tests.physics.scripted_rules import OnlyRules

OWN, OTHERS = "own", "others"
HERE = (1.0, 2.0, 3.0)
GROUND = Contact.on(FLAT, ROOM)


@pytest.fixture
def rules():
    """What the body's sweep asks; a test that does not say what is answered finds that nobody asks."""
    return OnlyRules()


@pytest.fixture
def placed(rules):
    return partial(a_placed, rules)


def a_placed(rules, radius=0.48, *, slides=True, two=False):
    """A body that is to be put down; what it touched elsewhere is nothing to go by."""
    spheres = (Sphere((0.0, 0.0, radius), radius), Sphere((0.0, 0.0, 3 * radius), radius))[: 1 + two]
    world = cells(room(polygons=[], portals=[portal(0, ROOM + 1, 0.0, 1)]), room(ROOM + 1, []))
    t = transition(world, HERE, cell_id=ROOM, contact=None, grounded=False, spheres=spheres)
    t.rules = rules
    t.init_path(t.sphere_path.curr_cell, None, Position(ROOM, Frame(HERE)))
    t.sphere_path.placement_allows_sliding = slides
    t.collision_info.contact, t.collision_info.sliding_normal = GROUND, (0.0, 1.0, 0.0)
    return t


@pytest.fixture
def tries(rules):
    """Where room was looked for, from the place asked for; ``answer`` tells what was found there."""
    found = []

    def use(answer=lambda number: COLLIDED):
        def insert(t, attempts):
            assert attempts == 3
            info = t.collision_info
            assert info.contact is info.sliding_normal is info.collision_normal is None
            found.append(tuple(a - b for a, b in zip(origin(t), HERE, strict=True)))
            info.contact, info.sliding_normal = GROUND, (1.0, 0.0, 0.0)
            info.set_collision_normal((1.0, 0.0, 0.0))
            return answer(len(found) - 1)

        rules.answers["insert"] = insert
        return found

    return use


# --- rings


@pytest.mark.parametrize(
    ("radius", "rings", "step", "arc"),
    [
        (0.48, 9, 4.0 / 9.0, 2.9089), (0.3, 9, 4.0 / 9.0, 2.9089), (0.1, 20, 0.1, 3.1415999),
        (1.5, 3, 4.0 / 3.0, 2.7925),
    ],
    ids=["human", "smaller", "small", "large"],
)  # fmt: skip
def test_rings_of_places_are_tried_from_the_north_on(tries, placed, radius, *, rings, step, arc):
    """Twice as many as an arc's length has room for, rounded up, on each: 6, 12, 18 … for a human."""
    found = tries()
    assert not placement.find_placement_pos(placed(radius))
    expected = [(0.0, 0.0, 0.0)]
    for ring in range(1, rings + 1):
        number = 2 * math.ceil(arc * ring)
        for j in range(number):
            angle = math.radians(360.0 / number * j)
            expected.append((step * ring * math.sin(angle), step * ring * math.cos(angle), 0.0))
    assert len(found) == len(expected)
    for there, place in zip(found, expected, strict=True):
        assert there == pytest.approx(place, abs=1e-9)


def test_around_what_is_as_wide_as_the_search_there_is_none(tries, placed):
    found = tries()
    assert not placement.find_placement_pos(placed(4.0))
    assert len(found) == 1


@pytest.mark.parametrize("radius", [0.02, 1e-3, 1e-7, 1e-38, 5e-324])
def test_of_a_mote_so_many_spots_are_tried_and_no_more(tries, placed, radius):
    """One of a tenth of a micrometre has 10^14 around it: put into a wall it was looked for room for ever."""
    found = tries()
    assert not placement.find_placement_pos(placed(radius))
    assert len(found) <= 1 + placement.MOST_SPOTS
    assert (len(found) > 30_000) == (radius > 1e-4)


def test_without_slide_there_is_no_search_and_what_was_met_is_kept(tries, placed):
    found = tries()
    t = placed(slides=False)
    assert not placement.find_placement_pos(t)
    assert len(found) == 1
    assert t.collision_info.collision_normal == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("number", [0, 1, 8])
def test_the_first_place_with_room_is_taken(tries, placed, number):
    def answer(n):
        t.sphere_path.check_cell = other
        return OK if n == number else COLLIDED

    other, found = room(ROOM + 1, []), tries(answer)
    t = placed()
    assert placement.find_placement_pos(t)
    assert len(found) == number + 1
    path = t.sphere_path
    assert path.curr_pos.frame.origin == pytest.approx([a + b for a, b in zip(HERE, found[-1], strict=True)])
    assert path.displacement() == pytest.approx((0.0, 0.0, 0.0))
    assert path.curr_cell is other


def test_a_try_without_a_cell_is_none(tries, placed):
    def lost(_):
        t.sphere_path.check_cell = None
        return OK

    found = tries(lost)
    t = placed(4.0)
    assert not placement.find_placement_pos(t)
    assert len(found) == 1


# --- the place itself


@pytest.fixture
def cells_say(rules):
    """The answers of the body's own cell and of the other that it touches, each in its turn."""

    def use(own, others=()):
        left, asked = {OWN: list(own), OTHERS: list(others)}, []

        def collide(t, cell):
            asked.append(OWN if cell.id == ROOM else OTHERS)
            return left[asked[-1]].pop(0)

        rules.answers["collide"] = collide
        return asked

    return use


@pytest.mark.parametrize(
    ("own", "others", "result", "asked"),
    [
        ([OK], [OK], OK, [OWN, OTHERS]), ([COLLIDED], [], COLLIDED, [OWN]),
        ([OK], [COLLIDED], COLLIDED, [OWN, OTHERS]), ([SLID] * 4, [], SLID, [OWN] * 3),
    ],
)  # fmt: skip
def test_first_its_own_cell_is_asked_then_the_others(cells_say, placed, own, others, *, result, asked):
    said = cells_say(own, others)
    t = placed()
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, t.sphere_path.curr_cell)
    assert placement.placement_insert(t) is result
    assert said == asked
    t.sphere_path.check_cell = None
    assert placement.placement_insert(t) is COLLIDED


@pytest.mark.parametrize("first", [ADJUSTED, SLID])
@pytest.mark.parametrize(("second", "result"), [(OK, OK), (ADJUSTED, ADJUSTED), (COLLIDED, COLLIDED)])
def test_who_is_pushed_about_is_looked_at_once_more(cells_say, placed, first, second, *, result):
    said = cells_say([second] * 3, [OK])
    t = placed()
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, t.sphere_path.curr_cell)
    t.sphere_path.add_offset_to_check_pos(0.5, 0.0, 0.0)
    assert placement.validate_placement(t, first, adjust=True) is result
    assert said.count(OWN) == (3 if second is ADJUSTED else 1)
    assert (t.sphere_path.curr_pos.frame.origin[0] == 1.5) is (result is OK)


@pytest.mark.parametrize("ts", [COLLIDED, SLID])
def test_a_collision_is_no_place_and_nor_is_a_second_push(cells_say, placed, ts):
    said = cells_say([])
    t = placed()
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, t.sphere_path.curr_cell)
    assert placement.validate_placement(t, ts, adjust=ts is COLLIDED) is ts
    assert said == []


# --- feet down


@pytest.fixture
def feet(rules, tries, cells_say):
    """A search that finds room at once; each step down is noted and answers as told."""

    def use(down=(), lowers=0.4):
        tries(lambda _: OK)
        cells_say([OK], [OK])
        steps, answers = [], list(down)

        def step(t, height, z):
            path = t.sphere_path
            steps.append((height, z, path.insert_type, path.walkable_allowance))
            path.add_offset_to_check_pos(0.0, 0.0, -lowers)
            t.collision_info.contact = GROUND
            path.walkable = A_FLOOR
            return answers.pop(0)

        rules.answers["step_down"] = step
        return steps

    return use


PROBE = (LANDING_Z, TRANSITION, LANDING_Z)


@pytest.mark.parametrize(
    ("height", "two", "down", "heights"),
    [
        (0.9, True, [True], [0.9]), (1.5, True, [True], [0.75]), (1.5, True, [False, True], [0.75, 0.75]),
        (1.5, False, [True], [0.24]), (0.9, False, [True], [0.9]),
    ],
)  # fmt: skip
def test_what_is_put_down_steps_down_to_the_ground(feet, placed, height, *, two, down, heights):
    """As far as it steps down, in two halves where that is more than its foot; one sphere half a radius."""
    steps = feet(down)
    t = placed(two=two)
    t.object_info.step_down, t.object_info.step_down_height = True, height
    assert placement.find_placement_position(t)
    assert steps == [(h, *PROBE) for h in heights]
    assert t.sphere_path.curr_pos.frame.origin == pytest.approx((1.0, 2.0, 3.0 - 0.4 * len(steps)))
    assert t.collision_info.contact is GROUND
    assert t.sphere_path.insert_type == PLACEMENT
    assert t.sphere_path.walkable is None


@pytest.mark.parametrize(("height", "number"), [(0.9, 1), (1.5, 2)])
def test_without_ground_it_stays_where_there_was_room(feet, placed, height, number):
    steps = feet([False] * number)
    t = placed(two=True)
    t.object_info.step_down, t.object_info.step_down_height = True, height
    assert placement.find_placement_position(t)
    assert len(steps) == number
    assert t.sphere_path.curr_pos.frame.origin == HERE
    assert t.collision_info.contact is None


def test_a_missile_is_left_in_the_air(feet, placed):
    steps = feet()
    t = placed()
    t.object_info.step_down = False
    assert placement.find_placement_position(t)
    assert steps == []


def test_where_the_search_finds_nothing_nobody_is_put(cells_say, tries, placed):
    tries()
    cells_say([OK], [OK])
    t = placed(4.0)
    t.sphere_path.check_cell = None
    assert not placement.find_placement_position(t)


def test_it_must_fit_before_it_searches(cells_say, tries, placed):
    found = tries(lambda _: OK)
    cells_say([COLLIDED])
    t = placed()
    assert not placement.find_placement_position(t)
    assert found == []
    assert t.sphere_path.insert_type == INITIAL_PLACEMENT
