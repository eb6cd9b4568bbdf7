"""The attempts of a sub-step, each answer of a cell with what is done about it (sweep 3.10, 3.11)."""

from __future__ import annotations

import pytest

from engine.collision.moving_sphere import MovingSphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    INVALID,
    LANDING_Z,
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    PLACEMENT,
    SLID,
    TRANSITION,
    HitKind,
    Response,
    near_miss_of,
)
from engine.physics.transition import found, insertion
from engine.physics.transition.hit import Hit
from engine.world.frame import Frame, Position
from tests.physics.rooms import ROOM, portal, room
from tests.physics.scenes import A_FLOOR, FLAT, cells, flat_floor, origin, transition
from tests.physics.scripted_rules import OnlyRules

GROUND = Contact.on(FLAT, ROOM)


class Rules(OnlyRules):
    """Steps that are noted and answer as they are told to."""

    def __init__(self, *, up=False, down=(), carries=True):
        super().__init__(step_up=self._up, step_down=self._down, check_walkable=self._carries)
        self.up, self.down, self.carries = up, list(down), carries
        self.asked = []

    def _down(self, t, height, z):
        self.asked.append(("down", height, z))
        return self.down.pop(0)

    def _up(self, t, normal):
        self.asked.append(("up", normal))
        t.sphere_path.step_up_normal = normal
        return self.up

    def _carries(self, t, z):
        self.asked.append(("carries", z))
        return self.carries


def attempt(t, own, others=(), *, attempts=3):
    """Run the attempts of a mover whose cells answer in turn: its own, and where that is OK the other.

    An answer with which a cell is asked again is given until nobody asks again.
    """
    left, told, again = {"own": list(own), "others": list(others)}, [], []

    def collide(t, cell):
        if again:
            return again.pop()
        who = "own" if cell.id == ROOM else "others"
        told.append(who)
        answer = left[who].pop(0) if left[who] else OK
        if isinstance(answer, tuple):
            answer, write = answer
            write(t)
        if who == "own" and answer in (SLID, ADJUSTED):
            again.extend([answer] * (attempts - 1))
        return answer

    t.rules.answers["collide"] = collide
    return insertion.transitional_insert(t, attempts), told


def mover(*, contact=GROUND, grounded=True, missed=None, **more):
    world = cells(room(polygons=[], portals=[portal(0, ROOM + 1, 0.0, 1)]), room(ROOM + 1, []))
    t = transition(world, cell_id=ROOM, contact=None, grounded=grounded, **more)
    t.collision_info.contact = contact
    t.object_info.step_down = True
    t.sphere_path.near_miss = missed
    t.rules = Rules()
    return t


def near_miss(*, step_up):
    hit = Hit(HitKind.CELL, ROOM, ROOM, gfxobj=0, poly=4, normal=(1.0, 0.0, 0.0), response=Response.SLIDE)
    return found.NearMiss(hit=hit, normal=(1.0, 0.0, 0.0), step_up=step_up)


# --- answers


def test_without_a_cell_all_is_well_and_without_an_attempt_nothing_is():
    t = mover()
    assert attempt(t, [COLLIDED], attempts=0) == (INVALID, [])
    t.sphere_path.check_cell = None
    assert attempt(t, [COLLIDED]) == (OK, [])


def test_all_well_is_one_attempt():
    assert attempt(mover(), [OK], [OK]) == (OK, ["own", "others"])


@pytest.mark.parametrize("others", [False, True])
def test_a_collision_ends_it_at_once_and_forgets_the_near_miss(others):
    t = mover(missed=near_miss(step_up=False))
    answers = ([OK], [COLLIDED]) if others else ([COLLIDED], [])
    assert attempt(t, *answers)[0] is COLLIDED
    assert t.sphere_path.near_miss is None
    assert t.collision_info.contact is GROUND


@pytest.mark.parametrize("moved", [SLID, ADJUSTED])
@pytest.mark.parametrize("others", [False, True])
def test_who_is_moved_tries_again_without_the_near_miss_of_before(moved, others):
    t = mover(missed=near_miss(step_up=False), grounded=False)
    answers = ([OK], [moved]) if others else ([moved], [])
    ts, told = attempt(t, *answers)
    assert ts is OK
    assert told == (["own", "others"] if others else ["own"]) + ["own", "others"]


@pytest.mark.parametrize(("moved", "kept"), [(SLID, False), (ADJUSTED, True)])
def test_a_slide_loses_the_contact(moved, kept):
    t = mover()
    attempt(t, [moved], attempts=1)
    assert (t.collision_info.contact is GROUND) is kept


def test_the_last_answer_stays_when_all_attempts_are_used():
    ts, told = attempt(mover(), [SLID, ADJUSTED, SLID, OK])
    assert (ts, told) == (SLID, ["own"] * 3)


# --- landing


def hitting(*, contact=GROUND, known=True, **rules):
    """An airborne mover whose hit is being resolved, 1 m before the place it tries."""
    t = mover(contact=contact, grounded=False)
    if known:
        t.collision_info.remember(GROUND)
    path = t.sphere_path
    path.collide = True
    path.walkable = A_FLOOR
    path.step_up_normal = (0.0, 1.0, 0.0)
    path.save_check_pos()
    path.add_offset_to_check_pos(0.0, 1.0, 0.0)
    t.mover.velocity = (0.0, 5.0, 0.0)
    t.rules = Rules(**rules)
    return t


def test_who_hit_ground_that_carries_and_has_room_there_has_landed():
    t = hitting()
    asked_as = []
    note = (OK, lambda t: asked_as.append(t.sphere_path.insert_type))
    assert attempt(t, [note, note])[0] is OK
    assert asked_as == [TRANSITION, PLACEMENT]
    assert t.sphere_path.insert_type == TRANSITION
    assert t.rules.asked == [("carries", LANDING_Z)]
    assert origin(t) == (0.0, 1.0, 0.0)
    assert not t.sphere_path.collide
    assert t.sphere_path.walkable is None
    assert t.mover.velocity == (0.0, 5.0, 0.0)


@pytest.mark.parametrize("why", ["no contact", "carries nobody", "no room"])
@pytest.mark.parametrize("known", [True, False])
def test_who_cannot_land_goes_back(why, known):
    """One that knew its ground stops there; another keeps the normal of what it hit."""
    t = hitting(contact=None if why == "no contact" else GROUND, known=known, carries=why != "carries nobody")
    assert attempt(t, [OK, COLLIDED if why == "no room" else OK])[0] is COLLIDED
    info = t.collision_info
    assert origin(t) == (0.0, 0.0, 0.0)
    assert info.contact is info.last_known is t.sphere_path.walkable is None
    assert not t.sphere_path.collide
    assert t.mover.velocity == ((0.0, 0.0, 0.0) if known else (0.0, 5.0, 0.0))
    assert info.collision_normal == (None if known else (0.0, 1.0, 0.0))


def test_what_leaves_no_room_to_land_is_a_hit_and_nothing_from_before():
    t = hitting()
    before, there = (near_miss(step_up=False).hit for _ in range(2))
    there.poly = 9
    t.in_the_way = before
    attempt(t, [OK, (COLLIDED, lambda t: setattr(t, "in_the_way", there))])
    assert t.hits == [there]
    t = hitting()
    t.in_the_way = before
    attempt(t, [OK, COLLIDED])
    assert t.hits == []
    t = hitting()
    attempt(t, [OK, (OK, lambda t: setattr(t, "in_the_way", there))])
    assert t.hits == []


# --- near misses


@pytest.mark.parametrize(("climbs", "x"), [(True, -0.3), (False, 0.0)])
def test_the_foots_near_miss_is_stepped_onto_else_slid_along(climbs, x):
    """A step up that fails has lost the ground, which is looked for again."""
    t = mover(missed=near_miss(step_up=True), displacement=(-0.3, 0.4, 0.0))
    t.rules = Rules(up=climbs, down=[True])
    assert attempt(t, [OK, OK])[0] is OK
    assert [what for what, *_ in t.rules.asked] == (["up"] if climbs else ["up", "down"])
    assert t.rules.asked[0] == ("up", (1.0, 0.0, 0.0))
    assert origin(t) == pytest.approx((x, 0.4, 0.0))
    assert [(hit.poly, hit.response) for hit in t.hits] == [(4, near_miss_of(OK if climbs else SLID))]


@pytest.mark.parametrize(("along", "slide"), [(0.4, SLID), (0.0, COLLIDED)])
def test_the_heads_near_miss_is_slid_along_and_the_place_tried_again(along, slide):
    """Whatever came of it, and be it a collision."""
    t = mover(missed=near_miss(step_up=False), displacement=(-0.3, along, 0.0))
    assert attempt(t, [OK, OK]) == (OK, ["own", "others", "own", "others"])
    assert t.collision_info.collision_normal == (1.0, 0.0, 0.0)
    assert [hit.response for hit in t.hits] == [near_miss_of(slide)]
    assert origin(t) == pytest.approx((0.0 if slide is SLID else -0.3, along, 0.0))


@pytest.mark.parametrize("probe", ["step_down", "step_up"])
def test_a_probe_minds_no_near_miss(probe):
    t = mover(missed=near_miss(step_up=False))
    setattr(t.sphere_path, probe, True)
    assert attempt(t, [OK]) == (OK, ["own", "others"])


# --- feet on the ground


def losing_ground(down, **more):
    t = mover(contact=None, **more)
    t.rules = Rules(down=down)
    return t


@pytest.mark.parametrize("exempt", ["contact", "airborne", "step down", "missile"])
def test_nobody_else_looks_for_ground(exempt):
    t = losing_ground([], grounded=exempt != "airborne")
    if exempt == "contact":
        t.collision_info.contact = GROUND
    elif exempt == "step down":
        t.sphere_path.step_down = True
    elif exempt == "missile":
        t.object_info.step_down = False
    assert attempt(t, [OK]) == (OK, ["own", "others"])
    assert t.rules.asked == []


def test_nor_does_who_has_walked_onto_land_that_is_not_loaded():
    def walk_out(t):
        t.sphere_path.set_check_pos(Position(ROOM & 0xFFFF0000 | 1, Frame((1.0, 1.0, 0.0))), None)

    t = losing_ground([])
    assert attempt(t, [(OK, walk_out)]) == (OK, ["own"])
    assert t.sphere_path.check_cell is None
    assert t.rules.asked == []


def test_who_loses_the_ground_under_a_floor_looks_for_a_floor_as_deep_as_a_step():
    """1.5 m in two halves, of which the second begins where the first ended."""
    t = losing_ground([False, True])
    t.sphere_path.walkable = A_FLOOR
    assert attempt(t, [OK])[0] is OK
    assert t.sphere_path.walkable is None
    assert t.rules.asked == [("down", 0.75, FLOOR_Z)] * 2
    assert t.sphere_path.walkable_allowance == FLOOR_Z


def test_a_step_that_fits_is_asked_for_once():
    """Nothing is down there, and who minds no edge walks off."""
    t = losing_ground([False])
    t.object_info.step_down_height = 0.9
    assert attempt(t, [OK])[0] is OK
    assert t.rules.asked == [("down", 0.9, FLOOR_Z)]


def test_who_is_in_contact_with_no_floor_looks_four_centimetres_deep():
    t = losing_ground([True])
    t.object_info.state = OI_CONTACT
    assert attempt(t, [OK])[0] is OK
    assert t.rules.asked == [("down", 0.04, LANDING_Z)]
    assert t.sphere_path.walkable_allowance == LANDING_Z


def test_at_an_edge_one_stops_or_tries_again():
    """Who minds edges and remembers no floor is held; another slides along his floor's edge."""
    held, slides = losing_ground([False] * 3), losing_ground([False] * 2, displacement=(0.2, 0.3, 0.0))
    for t in (held, slides):
        t.object_info.state |= OI_EDGE_SLIDE
    assert attempt(held, [OK, OK]) == (COLLIDED, ["own", "others"])
    slides.sphere_path.walkable = found.Walkable(
        polygon=flat_floor(-5.0, 0.0, 0.0), sphere=MovingSphere(0.05, 0.0, 0.475, 0.48), up=A_FLOOR.up,
        pos=A_FLOOR.pos, scale=1.0, tested=A_FLOOR.tested,
    )  # fmt: skip
    assert attempt(slides, [OK, COLLIDED]) == (COLLIDED, ["own", "others", "own"])
    assert origin(slides) == pytest.approx((0.0, 0.3, 0.0))


def test_the_place_is_remembered_before_the_probe():
    t = losing_ground([True])
    t.sphere_path.add_offset_to_check_pos(0.0, 0.3, 0.0)
    attempt(t, [OK])
    assert t.sphere_path.backup_check_pos.frame.origin == (0.0, 0.3, 0.0)
    assert t.object_info.state & OI_ON_WALKABLE


# --- one cell


@pytest.mark.parametrize(
    ("answers", "result", "asked"),
    [
        ([OK], OK, 1), ([COLLIDED], COLLIDED, 1), ([SLID, OK], OK, 2), ([ADJUSTED, COLLIDED], COLLIDED, 2),
        ([SLID] * 4, SLID, 3), ([SLID, SLID, ADJUSTED, OK], ADJUSTED, 3),
    ],
)  # fmt: skip
def test_a_cell_is_asked_until_it_has_nothing_more_to_say(answers, result, asked):
    t = mover()
    left = list(answers)
    t.rules.answers["collide"] = lambda *_: left.pop(0)
    assert insertion.insert_into_cell(t, t.sphere_path.check_cell, 3) is result
    assert len(answers) - len(left) == asked
    assert (t.collision_info.contact is GROUND) is (SLID not in answers)


def test_no_cell_is_a_collision():
    assert insertion.insert_into_cell(mover(), None, 3) is COLLIDED
