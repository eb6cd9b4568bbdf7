"""The cases of motion 9.4, and the figure that shows what a sweep did to a body."""

import pytest

from engine.motion.commands import FALLING, READY, RUN_FORWARD, SIDE_STEP_RIGHT, TURN_RIGHT, WALK_FORWARD
from engine.motion.figure import Figure, Follower, Moved, Steering
from engine.physics.simulation.movement import Motion, adjust_motion
from tests.motion.made import at, listed, near, state_t

TICK = 1.0 / 30.0
WALK, RUN = WALK_FORWARD, RUN_FORWARD
RUNS = {"forward": RUN, "forward_speed": 1.0}


def figure_t():
    state, made = state_t()
    return Figure(state), made


def steer(figure, **what):
    figure.steer(Steering(**what))


def names(figure, made):
    return [name.split("@")[0] for name in listed(figure.motions, made)]


def pass_(figure, *seconds):
    for dt in seconds:
        figure.update(dt)


def omega(figure):
    return figure.motions.sequence.omega[2]


def test_F1_F2_F3_F4_running_turning_and_letting_go():
    figure, made = figure_t()
    steer(figure, **RUNS)
    assert listed(figure.motions, made) == ["rn@30", "n@30"]
    pass_(figure, 0.2)
    assert at(figure.motions, made)[:2] == ("n", 3)
    steer(figure, **RUNS, turn=1.5)
    assert listed(figure.motions, made) == ["n@30"] and omega(figure) == -2.25
    steer(figure, turn=1.5)
    assert listed(figure.motions, made) == ["nr@30", "t@45"]
    pass_(figure, 0.6)
    near(at(figure.motions, made)[1:], 6, 6.5)
    steer(figure)
    assert listed(figure.motions, made) == ["r@30"]


def test_F5_backing_and_letting_go():
    figure, made = figure_t()
    steer(figure, forward=WALK, forward_speed=-0.65)
    pass_(figure, 0.5)
    near(at(figure.motions, made)[1:], 11, 11.2496)
    steer(figure)
    assert listed(figure.motions, made) == ["rw@-30", "r@30"]
    pass_(figure, 0.5)
    assert at(figure.motions, made)[:2] == ("r", 1)


def test_F6_stepping_aside_while_walking_is_velocity():
    figure, made = figure_t()
    steer(figure, forward=WALK, side=-1.248)
    assert listed(figure.motions, made) == ["rw@30", "w@30"]
    assert figure.motions.sequence.velocity == pytest.approx((-1.56, 0.0, 0.0))


def test_F7_F8_F9_off_the_ground_and_back():
    figure, made = figure_t()
    steer(figure, **RUNS)
    pass_(figure, 0.5)
    steer(figure, **RUNS, in_air=True)
    assert names(figure, made) == ["nr", "rf", "f"]
    pass_(figure, 0.5)
    assert names(figure, made) == ["f"]
    steer(figure, **RUNS, in_air=True, turn=1.5)
    assert names(figure, made) == ["f"] and omega(figure) == -2.25
    steer(figure, **RUNS, turn=1.5)
    assert listed(figure.motions, made) == ["fr@30", "rn@30", "n@30"] and omega(figure) == -2.25
    pass_(figure, 0.5)
    assert at(figure.motions, made)[:2] == ("n", 9)


def test_F10_a_fall_from_standing():
    figure, made = figure_t()
    steer(figure, in_air=True)
    assert names(figure, made) == ["rf", "f"]
    pass_(figure, 0.04)
    near(at(figure.motions, made)[1:], 1, 1.2)
    pass_(figure, 0.5)
    near(at(figure.motions, made)[1:], 5, 5.2)
    steer(figure)
    assert names(figure, made) == ["fr", "r"]
    pass_(figure, 0.04)
    near(at(figure.motions, made)[1:], 1, 1.2)
    pass_(figure, 0.2)
    assert names(figure, made) == ["r"]
    near(at(figure.motions, made)[1:], 0, 0.2)


def test_F11_side_and_turn_while_standing():
    figure, made = figure_t()
    steer(figure, side=-1.248, turn=1.0)
    assert names(figure, made) == ["s"] and omega(figure) == -1.5
    steer(figure, turn=1.0)
    assert listed(figure.motions, made) == ["t@30"]
    steer(figure)
    assert listed(figure.motions, made) == ["r@30"]


def test_F12_each_modifier_counts_once_after_a_fall():
    figure, _ = figure_t()
    steer(figure, forward=WALK, side=-1.248)
    steer(figure, forward=WALK, side=-1.248, in_air=True)
    steer(figure, **RUNS, turn=1.5, in_air=True)
    steer(figure, **RUNS, turn=1.5)
    assert omega(figure) == -2.25
    assert figure.motions.sequence.velocity == pytest.approx((0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ((Motion.WALK_BACKWARD, 1.0, False, 1.0), (Motion.WALK_FORWARD, -0.65)),
        ((Motion.SIDESTEP_LEFT, 1.0, False, 1.0), (Motion.SIDESTEP_RIGHT, -1.248)),
        ((Motion.TURN_LEFT, 1.0, True, 1.0), (Motion.TURN_RIGHT, -1.5)),
        ((Motion.WALK_FORWARD, 1.0, True, 2.65), (Motion.RUN_FORWARD, 2.65)),
        ((Motion.WALK_BACKWARD, 1.0, True, 2.65), (Motion.WALK_FORWARD, -1.7225)),
        ((Motion.SIDESTEP_RIGHT, 1.0, True, 2.65), (Motion.SIDESTEP_RIGHT, 3.0)),
    ],
)
def test_F13_keys_become_commands(keys, found):
    key, asked, run, rate = keys
    command, speed = adjust_motion(key, asked, run=run, rate=rate)
    assert (command, speed) == (found[0], pytest.approx(found[1]))


# -- following a body


def follower_t():
    figure, made = figure_t()
    return Follower(figure), made


def moved(ahead=0.0, aside=0.0, share=1.0, heading=0.0, *, on_ground=True, rise=0.0):
    asked = (aside, ahead, 0.0)
    done = (aside * share, ahead * share, 0.0)
    return Moved(asked=asked, done=done, heading=heading, on_ground=on_ground, rise=rise)


def follow(follower, count, **what):
    for _ in range(count):
        follower.follow(moved(**what), TICK)


@pytest.mark.parametrize(
    ("ahead", "command", "speed"),
    [(3.12, WALK, 1.0), (4.0, RUN, 1.0), (9.5, RUN, 2.375), (-2.028, WALK, -0.65)],
)
def test_a_body_that_moves_is_shown_in_the_cycle_of_its_speed(ahead, command, speed):
    follower, _ = follower_t()
    follow(follower, 2, ahead=ahead)
    motions = follower.figure.motions
    assert (motions.substate, motions.mod) == (command, pytest.approx(speed))


def test_a_run_uphill_stays_a_run_and_its_feet_keep_to_the_ground():
    follower, made = follower_t()
    follow(follower, 20, ahead=8.0)
    follow(follower, 1, ahead=8.0, share=0.4)
    motions = follower.figure.motions
    assert (motions.substate, motions.mod) == (RUN, pytest.approx(0.8))
    assert motions.sequence.node.fps == pytest.approx(24.0, abs=1e-4)
    assert made.name(motions.sequence.node.clip) == "n"


def test_what_a_wall_holds_stands_and_goes_on_when_it_lets_go():
    follower, _ = follower_t()
    follow(follower, 10, ahead=3.12)
    follow(follower, 3, ahead=3.12, share=0.0)
    assert follower.figure.motions.substate == WALK
    follow(follower, 3, ahead=3.12, share=0.0)
    assert follower.figure.motions.substate == READY
    follow(follower, 1, ahead=3.12)
    assert follower.figure.motions.substate == WALK
    assert all(node.fps != 0.0 for node in follower.figure.motions.sequence.nodes)


def test_stepping_aside_is_shown_by_its_speed():
    follower, _ = follower_t()
    follow(follower, 2, aside=-1.56)
    motions = follower.figure.motions
    assert (motions.substate, motions.mod) == (SIDE_STEP_RIGHT, pytest.approx(-1.248))


def test_a_hop_on_stairs_is_no_fall_but_a_jump_is_one_at_once():
    follower, _ = follower_t()
    follow(follower, 10, ahead=4.0)
    follow(follower, 2, ahead=4.0, on_ground=False)
    assert follower.figure.motions.substate == RUN
    follow(follower, 2, ahead=4.0, on_ground=False)
    assert follower.figure.motions.substate == FALLING

    follower, _ = follower_t()
    follow(follower, 1, on_ground=False, rise=5.0)
    assert follower.figure.motions.substate == FALLING
    follow(follower, 1, on_ground=False, rise=-5.0)
    assert follower.figure.motions.substate == FALLING
    follow(follower, 1)
    assert follower.figure.motions.substate == READY


def test_a_turn_of_the_body_turns_the_feet_and_ends_a_moment_later():
    follower, _ = follower_t()
    follow(follower, 1)
    for heading in (3.0, 6.0, 9.0):  # degrees a tick: 1.57 rad/s
        follow(follower, 1, heading=heading)
    motions = follower.figure.motions
    assert motions.substate == TURN_RIGHT and motions.mod == pytest.approx(1.047, abs=1e-3)
    follow(follower, 3, heading=9.0)
    assert motions.substate == TURN_RIGHT
    follow(follower, 3, heading=9.0)
    assert motions.substate == READY


def test_a_slow_turn_leaves_the_feet_alone_and_one_over_north_is_no_leap():
    follower, _ = follower_t()
    for heading in (359.8, 0.2, 0.6):
        follow(follower, 1, heading=heading)
    assert follower.figure.motions.substate == READY


def test_ticks_that_differ_a_little_change_no_rate():
    follower, _ = follower_t()
    follow(follower, 10, ahead=4.0)
    node = follower.figure.motions.sequence.node
    follow(follower, 1, ahead=4.0, share=0.98)
    assert node.fps == 30.0


def test_a_body_that_is_put_somewhere_stands_at_once():
    follower, made = follower_t()
    follow(follower, 10, ahead=9.5)
    follower.put(90.0)
    assert listed(follower.figure.motions, made) == ["r@30"]
    follow(follower, 1, heading=90.0)
    assert follower.figure.motions.substate == READY
