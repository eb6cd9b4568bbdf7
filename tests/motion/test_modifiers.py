"""Modifiers of motion 9.3: turning and side-stepping beside a cycle, and what is left of them after."""

import pytest

from engine.motion.commands import NON_COMBAT, READY
from engine.motion.lookup import key_of
from tests.motion.made import at, degrees, listed, motion, near, state_t
from tests.motion.motion_steps import RUN, SIDE, TURN, omega, pass_


def test_M9_M10_turning_on_the_spot_ends_by_stop_alone():
    state, made = state_t()
    state.do(TURN)
    off = pass_(state, 0.21)
    assert listed(state, made) == ["t@30"]
    near(at(state, made)[1:], 6, 6.3)
    assert degrees(off) == pytest.approx(-17.189, abs=5e-4)
    assert state.do(READY)
    assert listed(state, made) == ["t@30"]
    assert state.stop(TURN)
    assert listed(state, made) == ["r@30"] and omega(state) == 0.0


def test_M11_turning_left_plays_the_cycle_back():
    state, made = state_t()
    state.do(TURN, -1.5)
    off = pass_(state, 0.1)
    assert listed(state, made) == ["t@-45"]
    near(at(state, made)[1:], 5, 5.4998)
    assert omega(state) == 2.25
    assert degrees(off) == pytest.approx(11.459, abs=5e-4)


def test_M12_turning_while_running_changes_the_turning_alone():
    state, made = state_t()
    state.do(RUN)
    for command, turning in (((TURN, -1.0), 1.5), ((TURN, 1.5), -2.25)):
        state.do(*command)
        assert (listed(state, made), omega(state)) == (["rn@30", "n@30"], turning)
    state.stop(TURN)
    assert (listed(state, made), omega(state)) == (["rn@30", "n@30"], 0.0)


def test_M13_M14_M15_a_turn_is_kept_while_running_and_taken_up_again_after():
    state, made = state_t()
    state.do(TURN)
    state.do(RUN, 2.0)
    assert listed(state, made) == ["rn@60", "n@60"]
    assert state.modifiers == [(TURN, 1.0)] and omega(state) == -1.5
    pass_(state, 0.11)
    state.do(READY)
    assert listed(state, made) == ["nr@30", "t@30"]
    assert (state.substate, state.modifiers, omega(state)) == (TURN, [], -1.5)
    state.stop(TURN)
    assert listed(state, made) == ["nr@30", "r@30"] and omega(state) == 0.0


def test_M16_side_stepping_while_running_is_velocity():
    state, made = state_t()
    state.do(RUN, 2.0)
    state.do(SIDE, 1.248)
    assert state.sequence.velocity == pytest.approx((1.56, 0.0, 0.0))
    assert pass_(state, 0.11).origin[0] == pytest.approx(0.156, abs=5e-4)
    assert listed(state, made) == ["n@60"]


def test_M17_side_stepping_to_the_left_plays_back():
    state, made = state_t()
    state.do(SIDE, -1.248)
    pass_(state, 0.11)
    name, frame, fn = at(state, made)
    assert name == "s" and state.sequence.node.fps == pytest.approx(-37.44, abs=1e-5)
    near((frame, fn), 3, 3.8814)


def test_M18_the_first_of_two_is_the_substate():
    state, made = state_t()
    state.do(SIDE, 1.248)
    state.do(TURN)
    assert listed(state, made) == ["s@37.44"] and omega(state) == -1.5
    state.stop(SIDE)
    assert listed(state, made) == ["t@30"] and omega(state) == -1.5


def test_M25_a_cycle_that_clears_takes_no_modifier():
    clearing = motion(key_of(NON_COMBAT, 0x41000014), (), bits=1)
    state, _ = state_t(extra_cycles=(clearing,))
    state.do(RUN)
    state.do(TURN)
    assert omega(state) == -1.5
    assert state.do(0x41000014)
    assert omega(state) == 0.0 and state.modifiers == []
    assert not state.do(TURN)


def test_M31_each_of_two_modifiers_is_taken_up_once():
    state, made = state_t()
    state.do(RUN, 2.0)
    state.do(SIDE, 1.248)
    state.do(TURN, 1.5)
    state.do(READY)
    assert listed(state, made)[-1] == "t@45"
    assert [c for c, _ in state.modifiers] == [SIDE]
    assert omega(state) == -2.25
    assert state.sequence.velocity == pytest.approx((1.56, 0.0, 0.0))
