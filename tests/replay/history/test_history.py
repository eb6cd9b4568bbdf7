"""Kept ticks: back to any of them, on as a branch, bounded in memory, with marks where something happened."""

from __future__ import annotations

import gc
import itertools
import tracemalloc
from types import SimpleNamespace

import pytest

from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tell import tell
from engine.replay.history.marks import CELL, DOOR, DOWN, HIT, PUT, REFUSED, UP, height_stepped
from engine.replay.history.ticks import LONGEST_GAP, History, told_again
from engine.world.loading.world import World
from engine.world.physics_state import ETHEREAL
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.replay.history.door_walks import AHEAD, BEFORE_THE_DOOR, DOOR_ID, walking


def told(history: History, first: int, last: int) -> list:
    return [moment.told for moment in history.stretch(first, last)]


def test_going_back_shows_the_tick_that_was_with_all_that_watched_it():
    sim, history, watch = walking()
    for _ in range(60):
        sim.input_tick(AHEAD)
    words, report = watch.now.words, sim.report().to_json()
    sim.use(DOOR_ID)
    for _ in range(60):
        sim.input_tick(AHEAD)
    assert sim.report().to_json() != report
    assert history.show(59) == 59
    assert sim.report().to_json() == report
    assert watch.now.words == words
    assert sim.tick == 59
    assert not sim.registry.objects[DOOR_ID].state & ETHEREAL


def test_told_again_from_any_tick_it_comes_to_the_same_to_the_bit():
    sim, history, _ = walking()
    for tick in range(150):
        if tick == 40:
            sim.use(DOOR_ID)
        sim.face(180.0 + tick)
        sim.input_tick(MovementInput(forward=1, run=True, jump=0.4 if tick % 30 == 0 else None))
    wanted = {m.tick: (m.report.to_json(), m.report.trace.to_json()) for m in history.moments if m.tick >= 0}
    inputs = list(told_again(history.stretch(30, 149)))
    history.show(29)
    history.close()
    for one, waited in inputs:
        sim.waits = waited
        report = tell(sim, one)
        if report is not None:
            assert (report.to_json(), report.trace.to_json()) == wanted[report.tick]
    assert sim.tick == 149


def test_a_tick_from_the_middle_on_is_a_branch_and_the_other_one_is_kept():
    sim, history, _ = walking()
    for _ in range(30):
        sim.input_tick(AHEAD)
    there = sim.report().to_json()
    history.show(10)
    assert not history.is_at_end
    for _ in range(5):
        sim.input_tick(MovementInput(forward=-1))
    assert history.is_at_end
    assert (history.first, history.last) == (-1, 15)
    assert [(b.fork, len(b.moments)) for b in history.branches] == [(10, 19)]
    back = sim.report().to_json()
    assert history.take_branch(0) == 10
    assert history.last == 29
    history.show(29)
    assert sim.report().to_json() == there
    history.take_branch(0)
    history.show(15)
    assert sim.report().to_json() == back


def test_at_least_a_minute_stays_and_memory_bounds_what_is_more():
    sim, history, _ = walking(least=20, max_bytes=1)
    for _ in range(50):
        sim.input_tick(AHEAD)
    assert len(history.moments) == 20
    assert (history.first, history.last) == (30, 49)
    assert history.size == sum(m.size for m in history.moments)
    sim, history, _ = walking(least=20, max_bytes=400_000)
    for _ in range(400):
        sim.input_tick(AHEAD)
        assert history.size <= 400_000 or len(history.moments) == 20
    assert 20 < len(history.moments) < 400
    assert all(span.last >= history.first for span in history.spans)


def test_the_default_keeps_a_minute():
    _, history, _ = walking()
    assert history.least == 60 * 30


def test_the_figure_is_what_the_ticks_take_within_a_half():
    sim, history, _ = walking()
    for _ in range(30):
        sim.input_tick(AHEAD)
    gc.collect()
    tracemalloc.start()
    before, figure = tracemalloc.get_traced_memory()[0], history.size
    for tick in range(600):
        sim.face(float(tick))
        sim.input_tick(AHEAD)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0.67 < (history.size - figure) / taken < 1.5, (history.size - figure, taken)


def test_marks_tell_what_happened_and_when():
    sim, history, _ = walking()
    for _ in range(40):
        sim.input_tick(AHEAD)  # into the closed door
    sim.use(DOOR_ID)
    for _ in range(90):
        sim.input_tick(MovementInput(forward=1, run=True, side=0))
    sim.teleport(sim.world.locate(BEFORE_THE_DOOR))
    sim.input_tick(AHEAD)
    kinds = {span.kind for span in history.spans}
    assert {CELL, HIT, DOOR, PUT} <= kinds
    assert [s.first for s in history.spans if s.kind == PUT] == [130]
    door = next(s for s in history.spans if s.kind == DOOR)
    assert (door.first, door.last) == (40, 40)
    history.show(0)
    assert history.next_mark(1, DOOR) == 40
    history.show(60)
    assert history.next_mark(-1, DOOR) == 40
    assert history.next_mark(-1, PUT) is None


def hits(history: History) -> list[tuple[int, int]]:
    return [(span.first, span.last) for span in history.spans if span.kind == HIT]


def test_a_slide_along_one_thing_is_one_mark_though_it_is_met_in_every_second_tick():
    sim, history, _ = walking()
    sim.face(150.0)
    for _ in range(60):
        sim.input_tick(AHEAD)
    met = [moment.tick for moment in history.moments if HIT in moment.marks]
    assert max(b - a for a, b in itertools.pairwise(met)) > 1
    assert hits(history) == [(met[0], met[-1])]
    assert history.next_mark(-1) == history.next_blocked(-1) == met[0]
    history.show(met[0])
    assert history.next_blocked(-1) is None


def test_a_push_that_is_refused_after_its_hit_is_one_obstacle_and_refusals_are_found_by_their_kind():
    sim, history, _ = walking()
    for tick in range(120):
        sim.input_tick(MovementInput() if tick in (60, 61) else AHEAD)
    (hit, *more), refused = hits(history), [s.first for s in history.spans if s.kind == REFUSED]
    assert more == []
    assert refused
    assert history.next_mark(-1) == history.next_blocked(-1) == hit[0]
    assert history.next_mark(-1, REFUSED) == refused[-1]


def test_the_same_thing_met_again_after_more_than_half_a_second_is_another_mark():
    sim, history, _ = walking()
    for _ in range(20):
        sim.input_tick(AHEAD)
    for _ in range(LONGEST_GAP + 5):
        sim.input_tick(MovementInput(forward=-1))
    for _ in range(40):
        sim.input_tick(AHEAD)
    first, second = hits(history)
    assert second[0] - first[1] > LONGEST_GAP
    assert history.next_blocked(-1) == second[0]
    history.show(second[0])
    assert history.next_blocked(-1) == first[0]


def test_a_mark_whose_first_ticks_are_forgotten_begins_at_the_first_that_is_kept():
    sim, history, _ = walking(least=20, max_bytes=1)
    sim.face(150.0)
    for _ in range(60):
        sim.input_tick(AHEAD)
    assert history.next_blocked(-1) == history.first
    history.show(history.first)
    assert history.next_blocked(-1) is None


def test_a_stair_of_thirteen_steps_is_marked_thirteen_times_up_and_down():
    sim = Simulation(World(open_source(demo=DEMO)))
    sim.teleport(sim.world.locate("0xA9B40171 [151.6 14.3 94] 0 0 0 1"))
    history = History(sim)
    for tick in range(240):
        sim.input_tick(MovementInput(forward=1 if tick < 120 else -1))
    marks = [mark for moment in history.moments for mark in moment.marks]
    assert (marks.count(UP), marks.count(DOWN)) == (13, 13)


def test_a_slope_is_no_step():
    sim = Simulation(World(open_source(demo=DEMO)))
    sim.teleport(sim.world.locate("0xA9B40017 [60 152 114] 0.707106829 0 0 0.707106829"))
    history = History(sim)
    for _ in range(90):
        sim.input_tick(AHEAD)
    heights = [moment.report.position[2] for moment in history.moments]
    assert max(heights) - min(heights) > 3.0
    assert not {UP, DOWN} & {mark for moment in history.moments for mark in moment.marks}


@pytest.mark.parametrize("asked", [-50, 0, 999])
def test_a_tick_that_is_not_kept_shows_the_nearest(asked):
    sim, history, _ = walking()
    for _ in range(10):
        sim.input_tick(AHEAD)
    assert history.show(asked) == max(-1, min(asked, 9))


def test_a_body_that_begins_on_an_upright_plane_has_risen_by_nothing():
    """Only a damaged script begins so: no body stands on one."""
    upright = SimpleNamespace(normal=(1.0, 0.0, 0.0))
    tick = SimpleNamespace(on_ground=True, ok=True, moved=(0.1, 0.0, 0.0), contact_plane=upright)
    assert height_stepped(tick, tick) == 0.0  # type: ignore[arg-type]


def test_the_last_tick_is_found_again_as_it_was_left_with_what_was_done_after_it():
    sim, history, watch = walking()
    for _ in range(20):
        sim.input_tick(AHEAD)
    kept = history.at(19).report.to_json()
    sim.stage_door(DOOR_ID, state=0x10008, phase="opening", since=0.4, locked=True)
    sim.set_state(DOOR_ID, 0x1000C)
    sim.teleport(sim.world.locate("0xA9B40031 [150.0 20.0 94.0] 1 0 0 0"))
    left, told, verdict = sim.report().to_json(), history.pending, watch.save()
    history.show(19)  # where one is already
    assert (sim.report().to_json(), history.pending) == (left, told)
    history.show(10)
    assert history.pending == ()
    assert sim.doors[DOOR_ID].locked is False
    history.show(19)
    assert (sim.report().to_json(), history.pending, watch.save()) == (left, told, verdict)
    assert (sim.doors[DOOR_ID].locked, sim.registry.objects[DOOR_ID].state) == (True, 0x1000C)
    assert history.at(19).report.to_json() == kept
    sim.input_tick(AHEAD)
    assert told == history.at(20).told[: len(told)]
    assert history.show(19) == 19
    assert sim.report().to_json() == kept  # a tick came after: now it is one like every other


def doors_of(sim):
    return [(door.entity, door.state, door.phase, door.countdown) for door in sim.report().doors]


def test_a_branch_comes_back_with_what_was_done_after_its_last_tick():
    sim, history, _ = walking()
    for _ in range(20):
        sim.input_tick(AHEAD)
    sim.use(DOOR_ID)
    left = doors_of(sim)
    history.show(10)
    for _ in range(9):
        sim.input_tick(MovementInput())
    sim.set_state(DOOR_ID, 0x10000)
    other = doors_of(sim)
    history.take_branch(0)
    assert (history.shown, history.last, history.pending) == (10, 19, ())
    history.show(19)
    assert doors_of(sim) == left != other
    history.take_branch(0)
    history.show(19)
    assert doors_of(sim) == other


def test_somebody_who_looks_elsewhere_puts_back_what_was_done_since_a_tick_in_the_middle():
    sim, history, _ = walking()
    for _ in range(20):
        sim.input_tick(AHEAD)
    history.show(7)
    sim.stage_door(DOOR_ID, state=0x10008, phase="opening", since=0.4, locked=True)
    left, staged = sim.report().to_json(), history.staged()
    history.show(3)
    history.put_back(staged)
    assert (sim.report().to_json(), history.shown, len(history.pending)) == (left, 7, 1)
