"""The cases of motion 9.3: which links and cycles a command brings, and the ledger that cuts them."""

import pytest

from engine.dat.records.motion_table import MotionTable, StyleDefault
from engine.motion.commands import NON_COMBAT, READY
from engine.motion.lookup import MotionLookup, key_of
from engine.motion.motion_state import MotionState
from tests.motion.made import DEAD, ON, WAVE, Made, at, links, listed, motion, near, state_t
from tests.motion.motion_steps import RUN, WALK, pass_


def test_a_table_begins_in_its_default_state():
    state, made = state_t()
    assert (state.style, state.substate, state.mod) == (NON_COMBAT, READY, 1.0)
    assert listed(state, made) == ["r@30"]


def test_M1_M2_a_link_leads_to_the_cycle_and_by_way_of_ready_to_another():
    state, made = state_t()
    assert state.do(WALK)
    assert (listed(state, made), state.reported) == (["rw@30", "w@30"], 1)
    pass_(state, 0.31)
    assert at(state, made) == ("w", 3, 3.3)
    state.do(RUN, 2.0)
    assert (listed(state, made), state.reported) == (["wr@30", "rn@60", "n@60"], 2)
    pass_(state, 0.1)
    assert at(state, made)[:2] == ("wr", 3)
    pass_(state, 0.2)
    assert at(state, made)[:2] == ("n", 5)


def test_M3_M4_another_speed_retimes_in_place_and_ready_goes_home():
    state, made = state_t()
    state.do(RUN, 2.0)
    pass_(state, 0.21)
    assert at(state, made)[:2] == ("n", 9)
    state.do(RUN, 2.65)
    assert (listed(state, made), state.reported) == (["n@79.5"], 0)
    assert at(state, made)[:2] == ("n", 9)
    state.do(READY)
    assert listed(state, made) == ["nr@30", "r@30"]
    pass_(state, 0.3)
    assert at(state, made)[:2] == ("r", 2)


def test_M5_M6_backing_plays_the_link_back_and_home_the_other():
    state, made = state_t()
    state.do(WALK, -0.65)
    assert listed(state, made) == ["wr@-19.5", "w@-19.5"]
    near(at(state, made)[1:], 4, 4.9998)
    pass_(state, 0.3)
    near(at(state, made)[1:], 15, 15.1496)
    state.do(READY)
    assert listed(state, made) == ["rw@-30", "r@30"]
    near(at(state, made)[1:], 5, 5.9998)
    pass_(state, 0.25)
    near(at(state, made)[1:], 1, 1.5002)


def test_M7_forward_to_back():
    state, made = state_t()
    state.do(WALK)
    pass_(state, 0.31)
    state.do(WALK, -0.65)
    assert (listed(state, made), state.reported) == (["wr@30", "wr@-19.5", "w@-19.5"], 2)
    pass_(state, 0.2)
    name, frame, fn = at(state, made)
    assert name == "wr" and len(state.sequence.nodes) == 2
    near((frame, fn), 4, 4.3498)


def test_M8_back_to_running():
    state, made = state_t()
    state.do(WALK, -0.65)
    pass_(state, 0.31)
    state.do(RUN, 2.0)
    assert (listed(state, made), state.reported) == (["rw@-19.5", "rn@60", "n@60"], 2)


def test_M19_a_link_under_way_plays_to_its_end():
    state, made = state_t()
    state.do(WALK)
    pass_(state, 0.05)
    state.do(READY)
    assert listed(state, made) == ["rw@30", "wr@30", "r@30"]
    assert at(state, made) == ("rw", 1, 1.5)
    pass_(state, 0.3)
    near(at(state, made)[1:], 4, 4.5)
    pass_(state, 0.1)
    assert at(state, made)[0] == "r"
    near(at(state, made)[1:], 2, 2.5)


def test_M20_a_link_from_anything():
    state, made = state_t()
    state.do(DEAD)
    assert listed(state, made) == ["xd@30", "d@0"]
    pass_(state, 0.5)
    assert at(state, made)[:2] == ("xd", 15)
    pass_(state, 0.2)
    assert at(state, made)[:2] == ("d", 0)


def test_M21_M22_an_action_leads_back():
    state, made = state_t()
    state.do(WAVE)
    assert listed(state, made) == ["rv@30", "r@30"] and state.substate == READY
    assert state.actions == [WAVE]
    pass_(state, 0.21)
    near(at(state, made)[1:], 6, 6.3)
    pass_(state, 0.21)
    near(at(state, made)[1:], 0, 0.6)
    assert state.actions == []

    state, made = state_t()
    state.do(RUN, 2.0)
    pass_(state, 0.31)
    state.do(WAVE)
    assert listed(state, made) == ["nr@30", "rv@30", "rn@30", "n@60"] and state.reported == 3


def test_M23_what_the_table_has_not_is_refused():
    state, made = state_t()
    for command in (ON, 0x10000058, 0x2500003B):
        assert not state.do(command)
    assert listed(state, made) == ["r@30"]


def test_M24_the_velocity_of_a_cycle_counts_in_its_links_too():
    state, _ = state_t(walk_velocity=(0.0, 3.12, 0.0))
    state.do(WALK)
    assert state.sequence.velocity == (0.0, 3.12, 0.0)
    assert pass_(state, 0.11).origin[1] == pytest.approx(0.312, abs=5e-4)
    assert pass_(state, 0.11).origin[1] == pytest.approx(0.312, abs=5e-4)
    state.do(WALK, 2.0)
    assert state.sequence.velocity == (0.0, 6.24, 0.0)
    assert pass_(state, 0.11).origin[1] == pytest.approx(0.728, abs=5e-4)


def test_M26_a_restricted_cycle_is_entered_from_the_default_alone():
    crouch, sitting = 0x41000012, 0x41000013
    cycles = (motion(key_of(NON_COMBAT, crouch), ()), motion(key_of(NON_COMBAT, sitting), (), bits=2))
    state, _ = state_t(extra_cycles=cycles)
    assert [state.do(c) for c in (crouch, sitting, READY, sitting)] == [True, False, True, True]


def styles_state():
    made = Made({"r": 4, "n": 8, "nr": 5, "to3e": 6, "to3f": 7, "back": 3, "r3e": 9, "r3f": 10, "reload": 2})
    bow, sword = 0x8000003E, 0x8000003F
    ways = {
        NON_COMBAT: {(RUN, READY): made.play("nr"), (READY, bow): made.play("to3e"),
                     (READY, sword): made.play("to3f")},
        bow: {(READY, NON_COMBAT): made.play("back")},
    }  # fmt: skip
    table = MotionTable(
        id=1,
        default_style=NON_COMBAT,
        style_defaults=tuple(StyleDefault(s, READY) for s in (NON_COMBAT, bow, sword)),
        cycles=(
            motion(key_of(NON_COMBAT, READY), made.play("r")),
            motion(key_of(NON_COMBAT, RUN), made.play("n")),
            motion(key_of(bow, READY), made.play("r3e")),
            motion(key_of(sword, READY), made.play("r3f")),
        ),
        modifiers=(),
        links=tuple(link for style, pairs in ways.items() for link in links(style, pairs)),
    )
    return MotionState(MotionLookup(table), made), made, bow, sword


def test_M27_a_style_is_left_and_entered_by_its_links():
    state, made, bow, sword = styles_state()
    state.do(RUN)
    state.update(0.3)
    state.do(bow)
    assert (listed(state, made), state.reported) == (["nr@30", "to3e@30", "r3e@30"], 2)
    assert (state.style, state.substate) == (bow, READY)
    state.do(sword)
    assert listed(state, made)[-3:] == ["back@30", "to3f@30", "r3f@30"] and state.reported == 2


def test_M28_a_style_with_another_default():
    made = Made({"r": 4, "reload": 6, "to": 3})
    bow, reload_ = 0x8000003E, 0x40000016
    table = MotionTable(
        id=1,
        default_style=NON_COMBAT,
        style_defaults=(StyleDefault(NON_COMBAT, READY), StyleDefault(bow, reload_)),
        cycles=(
            motion(key_of(NON_COMBAT, READY), made.play("r")),
            motion(key_of(bow, reload_), made.play("reload")),
        ),
        modifiers=(),
        links=links(NON_COMBAT, {(READY, bow): made.play("to")}),
    )
    state = MotionState(MotionLookup(table), made)
    assert state.do(bow)
    assert (listed(state, made), state.substate) == (["to@30", "reload@30"], reload_)


def test_M29_from_no_speed_at_all_a_cycle_never_comes_back():
    state, made = state_t()
    state.do(WALK)
    pass_(state, 0.31)
    for speed in (0.0, 1.0):
        state.do(WALK, speed)
        assert listed(state, made) == ["w@0"]


def test_M30_a_default_cycle_without_animations_stands_still():
    made = Made({"w": 4})
    table = MotionTable(
        1,
        NON_COMBAT,
        (StyleDefault(NON_COMBAT, READY),),
        (motion(key_of(NON_COMBAT, READY), ()), motion(key_of(NON_COMBAT, WALK), made.play("w"))),
    )
    state = MotionState(MotionLookup(table), made)
    assert state.sequence.nodes == [] and state.substate == READY
    assert state.do(READY) and state.reported == -1
    assert state.do(WALK) and listed(state, made) == ["w@30"]


def test_L1_quick_taps_leave_one_link():
    state, made = state_t()
    seen = []
    for command in (WALK, READY, WALK, READY):
        state.do(command)
        seen.append([name.split("@")[0] for name in listed(state, made)])
    assert seen == [["rw", "w"], ["rw", "wr", "r"], ["rw", "w"], ["rw", "wr", "r"]]


def test_a_table_without_its_default_does_nothing():
    made = Made({"r": 4})
    for defaults, cycles in (((), ()), ((StyleDefault(NON_COMBAT, READY),), ())):
        state = MotionState(MotionLookup(MotionTable(1, NON_COMBAT, defaults, cycles)), made)
        assert not state.do(WALK) and not state.stop(READY)
        assert state.sequence.nodes == []


def test_an_animation_that_is_missing_is_left_out():
    state, made = state_t()
    del made.clips[made.numbers["rw"]]
    state.do(WALK)
    assert listed(state, made) == ["w@30"]
