"""When particles are born and die and when an emitter is over (particles 3, 6.4, 10.2, 10.6)."""

from itertools import count

import pytest

from engine.world.frame import Frame, quat_about_z
from tests.particles.bench_parts import NOWHERE, age, standard, started

WORKED = {
    "particle_type": 3, "birthrate": 0.05, "max_particles": 40, "lifespan": 1.5, "lifespan_rand": 0.5,
    "min_offset": 0.1, "max_offset": 0.3, "a": (0.0, 0.0, 2.0), "min_a": 0.8, "max_a": 1.2,
    "b": (0.0, 0.0, -1.0), "start_scale": 0.5, "final_scale": 1.5, "scale_rand": 0.1, "start_trans": 0.2,
    "final_trans": 1.0, "parent_local": 1,
}  # fmt: skip
LONG = {"max_particles": 1000, "lifespan": 100.0}


def run(record, times, bases=None, stop_before=None):
    """Living and total after each update, None from the one that removes the emitter; and births' times."""
    emitter = started(record)
    after, births = {}, []
    for time in times:
        if stop_before is not None and time >= stop_before:
            emitter.stop()
            stop_before = None
        before = emitter.total
        base = bases(time) if bases else NOWHERE
        if not emitter.update(time, base, drawn=True):
            after[time] = None
            break
        births += [time] * (emitter.total - before)
        after[time] = (emitter.living, emitter.total)
    return after, births


def at(rate, seconds):
    return [k / rate for k in range(1, int(seconds * rate) + 1)]


@pytest.mark.parametrize(
    ("case", "changes", "rate", "totals"),
    [
        ("B1", {"birthrate": 0.25}, 30, (3, 7, 37)),
        ("B2", {"birthrate": 0.0}, 30, (30, 60, 300)),
        ("B3", {"birthrate": 0.03}, 30, (30, 60, 300)),
        ("B4", {"birthrate": 0.5}, 8, (1, 3, 16)),
        ("B5", {"birthrate": 0.05}, 10, (10, 20, 100)),
    ],
)
def test_births_go_by_the_ticks(case, changes, rate, totals):
    after, births = run(standard(**LONG, **changes), at(rate, 10))
    assert tuple(after[t][1] for t in (1.0, 2.0, 10.0)) == totals
    if case == "B1":
        assert births[:5] == pytest.approx([0.2667, 0.5333, 0.8, 1.0667, 1.3333], abs=1e-4)
    if case == "B4":
        assert births[:4] == [0.625, 1.25, 1.875, 2.5]


def test_B6_what_was_missed_is_not_made_up_for():
    after, _ = run(standard(birthrate=0.1), [0.05, 3.0, 3.05, 3.2])
    assert [total for _, total in after.values()] == [0, 1, 1, 2]


def test_B7_a_full_emitter_waits():
    after, births = run(standard(birthrate=0.125, max_particles=3, lifespan=1.5), at(8, 4))
    assert births == [0.25, 0.5, 0.75, 1.75, 2.0, 2.25, 3.25, 3.5, 3.75]
    assert {living for time, (living, _) in after.items() if time >= 0.75} == {3}


@pytest.mark.parametrize(
    ("case", "changes", "expected"),
    [
        (
            "B8",
            {"birthrate": 0.25, "lifespan": 2.0, "max_particles": 1000},
            {1: (3, 3), 2: (7, 7), 3: (8, 11), 10: (7, 37)},
        ),
        ("B9", WORKED, {1: (15, 15), 2: (23, 30), 3: (23, 45), 10: (23, 150), 20: (23, 300)}),
        ("B10", {**WORKED, "initial_particles": 10}, {1: (25, 25), 2: (23, 40), 3: (23, 55), 10: (23, 160)}),
    ],
)
def test_how_many_live(case, changes, expected):
    after, _ = run(standard(**changes), at(30, max(expected)))
    assert {time: after[float(time)] for time in expected} == expected


@pytest.mark.parametrize(
    ("case", "changes", "times", "expected"),
    [
        (
            "B11",
            {"initial_particles": 2, "total_particles": 2, "lifespan": 1.0},
            at(4, 2),
            {0.25: (2, 2), 1.0: None},
        ),
        (
            "B12",
            {"initial_particles": 2, "total_particles": 5, "birthrate": 0.25, "lifespan": 1.0},
            at(4, 3),
            {0.25: (2, 2), 0.5: (3, 3), 1.0: (2, 4), 1.5: (2, 5), 2.0: (1, 5), 2.5: None},
        ),
        (
            "B13",
            {
                "initial_particles": 10, "total_particles": 10, "max_particles": 4, "birthrate": 0.25,
                "lifespan": 1.0,
            },
            at(4, 3),
            {0.25: (4, 4), 1.0: (1, 5), 1.5: (2, 6), 2.0: (2, 7), 3.0: (2, 9)},
        ),
        (
            "B15",
            {"total_seconds": 1.0, "birthrate": 0.25, "lifespan": 0.25},
            [0.5, 1.0, 1.5, 2.0],
            {0.5: (1, 1), 1.0: (1, 2), 1.5: (1, 3), 2.0: None},
        ),
        (
            "B19",
            {"initial_particles": 1, "total_particles": 1, "lifespan": 0.5},
            [0.1, 0.4999, 0.5],
            {0.1: (1, 1), 0.4999: (1, 1), 0.5: None},
        ),
        (
            "B20",
            {"birthrate": 0.1, "lifespan": 0.0},
            at(10, 0.5),
            {0.1: (0, 0), 0.2: (1, 1), 0.3: (0, 1), 0.4: (1, 2), 0.5: (0, 2)},
        ),
    ],
)  # fmt: skip
def test_the_end_of_an_emitter(case, changes, times, expected):
    after, _ = run(standard(**changes), times)
    assert {time: after[time] for time in expected} == expected


@pytest.mark.parametrize(
    ("case", "limit"), [("B14", {"total_seconds": 1.0}), ("B16", {"total_particles": 3})]
)
def test_the_end_comes_after_the_birth(case, limit):
    after, births = run(standard(birthrate=0.25, lifespan=0.5, **limit), at(8, 3))
    assert births == [0.375, 0.75, 1.125]
    assert list(after)[-1] == 1.625
    assert after[1.625] is None


def test_B17_a_stop_lets_the_living_live():
    after, births = run(standard(birthrate=0.25, lifespan=0.5), at(8, 3), stop_before=1.0)
    assert births == [0.375, 0.75]
    assert (after[1.0], after[1.25]) == ((1, 2), None)


def test_B18_a_stop_while_empty():
    after, _ = run(standard(), at(8, 1), stop_before=0.25)
    assert list(after.values()) == [(0, 0), None]


def test_B21_freed_slots_are_used_again():
    emitter = started(standard(birthrate=0.25, lifespan=0.6, max_particles=4))
    totals = []
    for k in range(1, 8):
        emitter.update(round(k * 0.3, 9), NOWHERE, drawn=True)
        totals.append(emitter.total)
        assert len(emitter.slots) <= 2
    assert totals == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("case", "step", "births"),
    [("B22", 1.0, [3, 6, 9]), ("B23", 5.0, list(range(1, 10))), ("B25", 0.0, [])],
)
def test_births_by_distance(case, step, births):
    record = standard(emitter_type=2, birthrate=2.0, lifespan=100.0, max_particles=100)
    _, found = run(record, [0.5 * k for k in range(1, 10)], lambda t: Frame((t / 0.5 * step, 0.0, 0.0)))
    assert [round(t / 0.5) for t in found] == births


def test_B24_turning_moves_an_emitter_with_an_offset():
    emitter = started(standard(emitter_type=2, birthrate=2.0), hook=(0.0, 3.0, 0.0))
    for k in range(1, 5):
        emitter.update(0.5 * k, Frame((0.0, 0.0, 0.0), quat_about_z(k * 0.7853981634)), drawn=True)
        assert emitter.total == k


def test_B26_types_are_bits_and_time_goes_first():
    assert run(standard(emitter_type=3, birthrate=0.25), at(8, 1))[1] == [0.375, 0.75]
    assert run(standard(emitter_type=0, birthrate=0.25), at(8, 1))[1] == []


def test_a_count_that_no_memory_holds_is_bounded():
    emitter = started(standard(max_particles=2**31 - 1, initial_particles=2**31 - 1))
    assert emitter.living == 4096


def ages(emitter, now):
    return [None if row is None else age(emitter, row, now) for row in emitter.slots]


def test_G1_an_endless_emitter_freezes_unseen():
    emitter = started(
        standard(birthrate=0.5, lifespan=2.0, max_particles=2, particle_type=2, a=(1.0, 0.0, 0.0))
    )
    found = {}
    for time, drawn in [(0.75, True), (1.0, True), (1.75, True), *((t, False) for t in (2.0, 3.0, 4.0, 6.0))]:
        emitter.update(time, NOWHERE, drawn=drawn)
        found[time] = ages(emitter, time)
    assert found[1.75] == found[2.0] == found[6.0] == [1.0, 0.0]
    for time in (6.75, 7.0, 7.75, 8.0):
        emitter.update(time, NOWHERE, drawn=True)
        found[time] = ages(emitter, time)
    assert (found[6.75], found[7.0], found[7.75]) == ([1.75, 0.75], [0.0, 1.0], [0.75, 1.75])


def test_G2_a_finite_one_goes_on_unseen_and_notes_its_births():
    emitter = started(standard(birthrate=0.5, lifespan=2.0, max_particles=4, total_seconds=20.0))
    totals = {}
    for time in (0.75, 1.0, 1.75, 2.0, 3.0, 4.0, 6.0, 6.75):
        emitter.update(time, NOWHERE, drawn=time not in (2.0, 3.0, 4.0, 6.0))
        totals[time] = (emitter.total, emitter.living)
    assert [totals[t] for t in (1.75, 3.0, 4.0, 6.0)] == [(2, 2), (3, 1), (4, 0), (5, 0)]
    assert totals[6.75] == (6, 1)
    assert ages(emitter, 6.75)[0] == 0.0


def test_G3_a_gap_ages_what_is_drawn():
    emitter = started(standard(birthrate=0.5, lifespan=3.0))
    emitter.update(1.0, NOWHERE, drawn=True)
    emitter.update(1.5, NOWHERE, drawn=True)
    assert ages(emitter, 1.5) == [0.5]
    emitter.update(6.5, NOWHERE, drawn=True)
    assert (ages(emitter, 6.5), emitter.total) == ([0.0], 2)


def test_rows_come_back_to_the_pool():
    emitter = started(standard(birthrate=0.0, lifespan=0.5, max_particles=50))
    pool = emitter._pool
    for k in count(1):
        if k > 300:
            break
        emitter.update(k / 30, NOWHERE, drawn=True)
    assert len(pool) == emitter.living == 15
    assert pool._used <= 17
    emitter.destroy()
    assert len(pool) == 0
