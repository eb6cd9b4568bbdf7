"""The cases of motion 9.5: a table of On and Off, whose links are the swings."""

from engine.dat.records.motion_table import MotionTable, StyleDefault
from engine.motion.commands import NON_COMBAT
from engine.motion.lookup import MotionLookup, key_of
from engine.motion.motion_state import MotionState
from tests.motion.made import OFF, ON, Made, clip, links, listed, motion, near, shown


def door(ways=None, fps=30.0):
    made = Made({"swing": 31})
    number = made.numbers["swing"]
    made.clips[number] = clip(31, {0: [(1, 1)], 30: [(2, -1)]}, number=number)
    if ways is None:
        ways = {(OFF, ON): made.play("swing", fps), (ON, OFF): made.play("swing", -fps)}
    else:
        ways = ways(made)
    table = MotionTable(
        id=1,
        default_style=NON_COMBAT,
        style_defaults=(StyleDefault(NON_COMBAT, OFF),),
        cycles=(
            motion(key_of(NON_COMBAT, OFF), made.play("swing", 0.0, 0, 0)),
            motion(key_of(NON_COMBAT, ON), made.play("swing", 0.0, 30, 30)),
        ),
        modifiers=(),
        links=links(NON_COMBAT, ways),
    )
    return MotionState(MotionLookup(table), made), made


def step(state, dt):
    _, events = state.update(dt)
    frame, fn, _ = shown(state.sequence)
    return frame, fn, ["done" if e is None else e.values[0] for e in events]


def test_D1_opening():
    state, made = door()
    state.do(ON)
    near(step(state, 0.5), 15, 15.0, [1])
    near(step(state, 0.5), 30, 30.0, [])
    near(step(state, 0.1), 30, 30.0, ["done"])
    assert listed(state, made) == ["swing@0"]


def test_D2_closing():
    state, _ = door()
    state.do(ON)
    for _ in range(12):
        step(state, 0.1)
    state.do(OFF)
    near(shown(state.sequence), 30, 30.9998)
    near(step(state, 0.04), 29, 29.7998, [2])
    near(step(state, 0.5), 14, 14.7998, [])
    near(step(state, 0.5), 0, 0.0, ["done"])


def test_D3_how_long_closing_takes():
    state, _ = door()
    state.do(ON)
    state.remove_links()
    state.do(OFF)
    near(step(state, 1.0), 0, 0.9998)
    near(step(state, 0.02), 0, 0.3998)
    assert step(state, 0.02)[2] == ["done"]


def test_D4_D5_a_door_reversed_goes_on_first():
    state, made = door()
    state.do(ON)
    near(step(state, 0.3), 9, 9.0)
    state.do(OFF)
    assert listed(state, made) == ["swing@30", "swing@-30", "swing@0"]
    near(step(state, 0.3), 18, 18.0)
    state.do(ON)
    assert listed(state, made) == ["swing@30", "swing@0"] and state.sequence.nodes[-1].low == 30
    near(step(state, 0.3), 27, 27.0)


def test_D6_a_door_with_one_swing_snaps_shut():
    state, made = door(lambda made: {(OFF, ON): made.play("swing")})
    state.do(ON)
    for _ in range(12):
        step(state, 0.1)
    state.do(OFF)
    assert listed(state, made) == ["swing@0"]
    near(shown(state.sequence), 0, 0.0)


def test_D7_a_swing_from_anything():
    state, _ = door(lambda made: {(0, ON): made.play("swing", 60.0)})
    state.do(ON)
    near(step(state, 0.25), 15, 15.0, [1])


def test_D8_spawned_open():
    state, made = door()
    state.do(ON)
    state.remove_links()
    assert listed(state, made) == ["swing@0"]
    near(step(state, 0.1), 30, 30.0, [])
