"""The cases of motion 9.1 and 9.2: frames, wraps, hooks, and how far a sequence moves its object."""

import math

import pytest

from engine.motion.sequence import MOST_EVENTS, STILL, Node, subtract
from engine.world.frame import Frame
from tests.motion.made import clip, degrees, moving, near, sequence, shown, step

X = clip(10, {0: [(0, 0)], 1: [(1, 0)], 2: [(2, 0)], 3: [(3, 1)], 4: [(4, -1)], 5: [(5, 0)], 9: [(9, 0)]})
Y = clip(4, {0: [(0, 0)], 1: [(1, 1)], 2: [(2, -1)], 3: [(3, 0)]})


def test_S1_S2_S3_S4_S5_a_cycle_fires_the_hooks_of_frames_it_leaves_and_wraps():
    seq = sequence((X, 0, -1, 30.0))
    near(step(seq, 0.05), 1, 1.5, [0])
    near(step(seq, 0.05), 3, 3.0, [1, 2])
    near(step(seq, 0.1), 6, 6.0, [3, 5])
    near(step(seq, 0.11), 9, 9.3, [])
    near(step(seq, 0.03), 0, 0.2, [])


def test_S6_S7_S8_S9_S10_backwards_it_begins_at_the_end_and_the_first_frame_fires_nothing():
    seq = sequence((X, 0, -1, -30.0))
    near(shown(seq), 9, 9.9998, [])
    near(step(seq, 0.05), 8, 8.4998, [9])
    near(step(seq, 0.1), 5, 5.4998, [])
    near(step(seq, 0.12), 1, 1.8998, [5, 4, 2])
    near(step(seq, 0.06), 0, 0.0998, [1])
    near(step(seq, 0.02), 9, 9.4996, [])


@pytest.mark.parametrize(
    ("given", "kept"), [((50, 60), (9, 9)), ((4, 2), (4, 4)), ((0, -1), (0, 9)), ((2, 99), (2, 9))]
)
def test_S11_limits_are_held_to_the_animation(given, kept):
    node = Node(X, *given, 30.0)  # type: ignore[call-arg]
    assert (node.low, node.high) == kept


def test_S12_S13_a_stretch_within_an_animation_wraps_within_its_limits():
    seq = sequence((clip(24, {5: [(5, 0)], 9: [(9, 0)], 10: [(10, 0)]}), 5, 10, 20.0))
    near(step(seq, 0.12), 7, 7.4, [5])
    near(step(seq, 0.12), 9, 9.8, [])
    near(step(seq, 0.12), 6, 6.2, [9, 5])
    near(step(seq, 0.5), 10, 10.2, [9, 5, 9])


def test_S14_one_frame_never_fires_its_hook():
    seq = sequence((clip(4, {2: [(2, 0)]}), 2, 2, 30.0))
    for fn in (2.5, 2.0, 2.5):
        near(step(seq, 0.05), 2, fn, [])


def test_S15_no_rate_holds_the_frame_while_velocity_and_turning_go_on():
    seq = sequence((clip(31), 30, 30, 0.0))
    seq.velocity, seq.omega = (0.0, 2.0, 0.0), (0.0, 0.0, 1.0)
    off = seq.update(0.1)
    near(shown(seq), 30, 30.0, [])
    assert off.origin == pytest.approx((0.0, 0.2, 0.0))
    assert degrees(off) == pytest.approx(5.7296, abs=5e-4)


def test_S16_S17_a_long_step_fires_every_hook_on_the_way():
    near(step(sequence((Y, 0, -1, 10.0)), 1.05), 2, 2.5, [0, 1, 0, 1, 0, 1])
    near(step(sequence((Y, 0, -1, -10.0)), 1.05), 1, 1.4994, [3, 2, 3, 2, 3, 2])


def test_S18_a_step_goes_through_several_nodes():
    two = [clip(2, {0: [(10 * k, 0)], 1: [(10 * k + 1, 0)]}) for k in (1, 2, 3)]
    seq = sequence(*((c, 0, -1, 30.0) for c in two))
    near(step(seq, 0.21), 0, 0.3, [10, "done", 20, "done", 30, "done"])
    assert [n.clip for n in seq.nodes] == [two[2]]


def test_S19_S20_a_link_and_its_cycle():
    link, cycle = clip(4, {0: [(10, 0)], 3: [(13, 0)]}), clip(8, {0: [(20, 0)], 7: [(27, 0)]})
    seq = sequence((link, 0, -1, 20.0), (cycle, 0, -1, 30.0))
    near(step(seq, 0.11), 2, 2.2, [10])
    near(step(seq, 0.1), 0, 0.3, ["done"])
    near(step(seq, 0.1), 3, 3.3, [20])
    near(step(seq, 0.2), 1, 1.3, [20])


def test_S21_a_link_backwards():
    seq = sequence((Y, 0, -1, -20.0), (clip(8), 0, -1, 30.0))
    near(step(seq, 0.06), 2, 2.7998, [3])
    near(step(seq, 0.06), 1, 1.5998, [2])
    near(step(seq, 0.1), 0, 0.6003, ["done"])


def test_S22_another_rate_keeps_the_frame():
    seq = sequence((clip(10), 0, -1, 10.0))
    near(step(seq, 0.33), 3, 3.3)
    seq.multiply_cyclic(2.5)
    near(shown(seq), 3, 3.3)
    near(step(seq, 0.1), 5, 5.8)
    seq.multiply_cyclic(0.0)
    near(step(seq, 0.5), 5, 5.8)


def test_S23_of_two_animations_of_a_cycle_only_the_second_repeats():
    first, second = clip(3), clip(5)
    seq = sequence((first, 0, -1, 10.0), (second, 0, -1, 10.0))
    near(step(seq, 0.25), 2, 2.5)
    assert seq.node.clip is first
    near(step(seq, 0.25), 2, 2.0, ["done"])
    assert [n.clip for n in seq.nodes] == [second]
    near(step(seq, 0.45), 1, 1.5)


def test_S24_without_links_the_cycle_begins_at_its_start():
    link, cycle = clip(6), clip(8)
    seq = sequence((link, 0, -1, 30.0), (cycle, 0, -1, -30.0))
    near(step(seq, 0.11), 3, 3.3)
    seq.remove_links()
    assert seq.node.clip is cycle
    near(shown(seq), 7, 7.9998)


def test_S25_a_link_goes_on_while_what_follows_it_is_changed():
    link, new = clip(6), clip(3)
    seq = sequence((link, 0, -1, 30.0), (clip(8), 0, -1, 30.0))
    near(step(seq, 0.05), 1, 1.5)
    seq.remove_cyclic()
    seq.append(Node(new, 0, -1, 30.0))
    assert seq.node.clip is link
    near(shown(seq), 1, 1.5)
    near(step(seq, 0.2), 1, 1.5)
    assert seq.node.clip is new


def test_S26_what_repeats_goes_and_something_else_comes():
    seq = sequence((X, 0, -1, 30.0))
    seq.update(0.11)
    seq.remove_cyclic()
    assert seq.nodes == [] and seq.node is None
    seq.append(Node(clip(8), 0, -1, 30.0))
    near(shown(seq), 0, 0.0)


def test_S27_without_nodes_velocity_and_turning_go_on():
    seq = sequence()
    seq.velocity, seq.omega = (0.0, 2.0, 0.0), (0.0, 0.0, 1.0)
    off = seq.update(0.5)
    assert off.origin == pytest.approx((0.0, 1.0, 0.0))
    assert degrees(off) == pytest.approx(28.648, abs=5e-4)


def test_S28_a_first_step_backwards():
    seq = sequence((Y, 0, -1, -10.0))
    near(step(seq, 0.0001), 3, 3.9988)
    near(step(seq, 0.1), 2, 2.9988, [3])


def test_a_rate_that_jumps_billions_of_frames_ends():
    seq = sequence((clip(2), 0, -1, 1e30))
    seq.update(1e6)
    assert 0 <= seq.frame <= 1


def moved(seq, *steps):
    """How far each step moves the object northward."""
    return [seq.update(dt).origin[1] for dt in steps]


def test_an_update_gives_so_many_hooks_at_most():
    played = sequence((clip(5, {k: [(k, 0)] * 3000 for k in range(4)}), 0, -1, 30.0))
    played.update(5.0)
    assert len(played.events) == MOST_EVENTS


def test_R1_a_cycle_moves_by_whole_frames():
    seq = sequence((clip(10, moves=[moving(y=0.1)] * 10), 0, -1, 30.0))
    assert moved(seq, 0.11, 0.11, 0.13) == pytest.approx([0.3, 0.3, 0.4])
    near(shown(seq), 0, 0.5)


def test_R2_velocity_comes_on_top_with_each_frame():
    seq = sequence((clip(10, moves=[moving(y=1.0)] * 10), 0, -1, 30.0))
    seq.velocity = (0.0, 3.0, 0.0)
    assert moved(seq, 0.17) == pytest.approx([5.5])


def test_R3_the_first_frame_counts_again_in_place_of_the_last():
    seq = sequence((clip(6, moves=[moving(y=2.0**k) for k in range(6)]), 0, -1, 10.0))
    assert moved(seq, 0.15, 0.2, 0.3, 0.6) == pytest.approx([1, 6, 25, 32])


def test_R4_backwards_every_frame_counts_once():
    seq = sequence((clip(6, moves=[moving(y=2.0**k) for k in range(6)]), 0, -1, -10.0))
    assert moved(seq, 0.15, 0.2, 0.3) == pytest.approx([-32, -24, -7])
    near(shown(seq), 5, 5.4996)


def test_R5_moves_turn_those_that_follow():
    seq = sequence((clip(4, moves=[moving(y=1.0, degrees=90.0)] * 4), 0, -1, 10.0))
    off = seq.update(0.25)
    assert off.origin == pytest.approx((-1.0, 1.0, 0.0))
    assert abs(degrees(off)) == pytest.approx(180.0)


def test_R6_turning_goes_with_the_frames():
    for seconds, angle in ((0.11, -8.5944), (0.5, -42.972)):
        seq = sequence((clip(30), 0, -1, 30.0))
        seq.omega = (0.0, 0.0, -1.5)
        assert degrees(seq.update(seconds)) == pytest.approx(angle, abs=5e-4)


def test_R7_moves_and_velocity_at_another_rate():
    seq = sequence((clip(30, moves=[moving(y=0.1)] * 30), 0, -1, 15.0))
    seq.velocity = (0.0, 3.0, 0.0)
    assert moved(seq, 0.34) == pytest.approx([1.5])


def test_R8_from_a_link_into_its_cycle():
    link, cycle = clip(3, moves=[moving(y=0.02)] * 3), clip(6, moves=[moving(y=0.1)] * 6)
    seq = sequence((link, 0, -1, 30.0), (cycle, 0, -1, 30.0))
    assert moved(seq, 0.05) == pytest.approx([0.02])
    assert moved(seq, 0.05) == pytest.approx([0.12])
    near(shown(seq), 0, 0.0)
    assert moved(seq, 0.05, 0.2) == pytest.approx([0.1, 0.6])


def run(fps):
    return sequence((clip(24, {6: [(6, 0)], 18: [(18, 0)]}, [moving(y=0.13333298)] * 24), 0, -1, fps))


def test_R9_R10_a_second_of_the_human_run_is_four_metres_in_steps_of_any_length():
    for count, dt in ((30, 1.0 / 30.0), (10, 0.1)):
        seq = run(30.0)
        assert sum(moved(seq, *[dt] * count)) == pytest.approx(4.0, abs=5e-4)
        assert seq.frame == 6


def test_R11_a_fast_run_moves_by_whole_frames_and_fires_its_steps():
    seq = run(79.5)
    numbers, frames, tags = [], [], []
    for _ in range(10):
        off = seq.update(1.0 / 30.0)
        _, fn, fired = shown(seq)
        numbers.append(fn)
        frames.append(round(off.origin[1] / 0.13333298))
        tags.append(fired)
    assert numbers == pytest.approx([2.65, 5.3, 7.95, 10.6, 13.25, 15.9, 18.55, 21.2, 23.85, 2.5], abs=5e-4)
    assert frames == [2, 3, 2, 3, 3, 2, 3, 3, 2, 3]
    # Frame 6 is left in step 3, 18 in step 8.
    assert tags == [[], [], [6], [], [], [], [], [18], [], []]


def test_R12_short_ticks_move_every_second_time():
    assert moved(run(30.0), *[0.0171] * 4) == pytest.approx([0.0, 0.13333, 0.0, 0.13333], abs=5e-4)


def test_R13_walking_backwards():
    seq = sequence((clip(16, moves=[moving(y=0.104)] * 16), 0, -1, -19.5))
    assert sum(moved(seq, *[1.0 / 30.0] * 30)) == pytest.approx(-1.976, abs=5e-4)
    near(shown(seq), 12, 12.4996)


def test_R14_running_and_stepping_aside():
    seq = run(60.0)
    seq.velocity = (1.56, 0.0, 0.0)
    assert seq.update(0.11).origin == pytest.approx((0.156, 0.8, 0.0), abs=5e-4)


def test_R15_subtract_undoes_combine():
    start, step_ = Frame.stored(moving(3.0, 4.0, 0.0, 30.0)), Frame.stored(moving(0.0, 1.0, 0.0, 90.0))
    there = start.combine(step_)
    assert there.origin == pytest.approx((2.5, 4.866, 0.0), abs=5e-4)
    assert degrees(there) == pytest.approx(120.0)
    back = subtract(there, step_)
    assert back.origin == pytest.approx((3.0, 4.0, 0.0))
    assert degrees(back) == pytest.approx(30.0)


def test_R16_turning_about_any_axis():
    seq = sequence()
    seq.omega = (0.5, 0.0, 0.0)
    assert seq.update(1.0).quat == pytest.approx((0.9689, 0.2474, 0.0, 0.0), abs=5e-5)


def test_nothing_moves_where_nothing_is_played():
    assert sequence().update(0.5) is STILL
    assert math.isclose(degrees(STILL), 0.0)
