"""What is built beside the walk: nothing waits for it, and what goes wrong in it is one line."""

import threading
import time

import pytest

from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from tests.world.plains import HOME, PATIENCE, around, block


def test_nothing_waits_for_the_worker(streamer, source):
    stream = streamer(radius=1, horizon=2)
    stream.load(HOME | 1)
    stream.visit(HOME | 1)
    source.gate.clear()
    stream.visit(block(1, 0) | 1)
    for _ in range(1000):
        stream.pump()
    assert stream.busy
    assert around(stream.world) == {0: 1, 1: 8}
    assert not stream.wait(0.05)
    source.gate.set()
    assert stream.wait()
    assert block(2, 0) in stream.world.blocks


def test_ready_says_what_is_missing_near_a_path(streamer, source):
    stream = streamer(radius=1)
    stream.load(HOME | 1)
    stream.visit(HOME | 1)
    source.gate.clear()
    stream.visit(block(1, 0) | 1)
    here = block(1, 0) | 0x21
    a = (150.0, 96.0, 20.0)
    assert stream.ready(here, a, (167.9, 96.0, 20.0), 24.0)
    assert not stream.ready(here, a, (168.1, 96.0, 20.0), 24.0)
    assert not stream.ready(here, (190.0, 96.0, 20.0), a, 24.0)
    assert stream.ready(here, (150.0, 5.0, 20.0), (20.0, 5.0, 20.0), 24.0)
    source.gate.set()
    stream.wait()
    assert stream.ready(here, a, (191.0, 96.0, 20.0), 24.0)


def test_what_is_not_wanted_any_more_is_not_built(streamer, source):
    stream = streamer(radius=1)
    source.gate.clear()
    stream.visit(HOME | 1)
    while not source.asked:
        time.sleep(0.001)
    stream.visit(block(20, 0) | 1)
    dropped = []
    stream.discards.append(dropped.append)
    source.gate.set()
    assert stream.wait()
    assert around(stream.world, block(20, 0)) == {0: 1, 1: 8}
    assert [b.id for b in dropped] == [HOME]
    assert len(source.asked) == 10


def test_a_teleport_takes_what_the_worker_has_under_way(streamer, source):
    stream = streamer(radius=1)
    stream.visit(HOME | 1)
    stream.load(HOME | 1)
    blocks = dict(stream.world.blocks)
    assert stream.wait()
    assert stream.world.blocks == blocks


def test_an_approach_brings_the_goal_without_waiting_and_keeps_it_until_the_body_is_there(streamer, source):
    stream = streamer(radius=1)
    stream.load(HOME | 1)
    stream.visit(HOME | 1)
    goal = block(40, 40) | 1
    end = time.perf_counter() + PATIENCE
    while not stream.approach(goal):
        stream.pump()
        assert time.perf_counter() < end
    for _ in range(30):
        stream.pump()
    assert around(stream.world, block(40, 40))[1] == 8
    assert around(stream.world)[1] == 8
    stream.visit(goal)
    for _ in range(30):
        stream.pump()
    assert around(stream.world, block(40, 40)) == {0: 1, 1: 8}


def test_builders_run_on_the_worker_and_gates_hold_a_landblock_back(streamer):
    stream = streamer(radius=1)
    threads, tries = set(), []
    stream.builders.append(lambda built: threads.add(threading.current_thread().name))

    def gate(built, deadline):
        assert deadline > time.perf_counter() - 1.0
        assert threading.current_thread() is threading.main_thread()
        tries.append(built.id)
        return tries.count(built.id) > 3

    stream.gates.append(gate)
    loaded = []
    stream.world.on_load.append(lambda built: loaded.append(built.id))
    stream.visit(HOME | 1)
    assert stream.wait()
    assert threads == {"landblocks"}
    assert {tries.count(b) for b in loaded} == {4}
    assert len(loaded) == 9


def test_an_error_in_a_builder_is_one_too(streamer):
    stream = streamer(radius=1)

    def fail(built):
        if built.id == HOME:
            raise ValueError("no")

    stream.builders.append(fail)
    stream.visit(HOME | 1)
    assert stream.wait()
    assert len(stream.world.blocks) == 8
    assert stream.world.problems.lines == ["memory, landblock 0x80800000: no"]


def test_nothing_is_built_ahead_before_the_start(source):
    stream = Streamer(World(source))
    stream.load(HOME | 1)
    stream.visit(HOME | 1)
    stream.visit(block(1, 0) | 1)
    assert not stream.wait(0.05)
    assert source.asked == []
    stream.start()
    assert stream.wait()
    stream.close()
    unused = Streamer(World(source))
    unused.close()


def test_closing_ends_the_worker(streamer):
    stream = streamer()
    stream.close()
    assert not stream._builder.is_at_work
    assert stream.world.on_load == stream.world.on_unload == []


def test_ground_that_comes_after_the_whole_landblock_takes_nothing_from_it(streamer, source):
    stream = streamer(radius=2, horizon=2)
    gone = []
    stream.discards.append(gone.append)
    source.gate.clear()
    stream.visit(HOME | 1)
    whole = stream.world.load_block(block(2, 2))
    source.gate.set()
    assert stream.wait()
    assert stream.world.blocks[block(2, 2)] is whole
    assert block(2, 2) not in stream.world.horizon
    assert [b.id for b in gone] == [block(2, 2), block(2, 2)]
    assert whole not in gone


@pytest.mark.parametrize(
    ("place", "near"),
    [
        ((96.0, 96.0), {(0, 0)}),
        ((30.0, 96.0), {(0, 0), (-1, 0)}),
        ((170.0, 180.0), {(0, 0), (1, 0), (0, 1), (1, 1)}),
    ],
)
def test_who_is_put_down_waits_only_for_the_neighbours_that_are_near(streamer, place, near):
    stream = streamer(radius=1)
    stream.load(HOME | 1, (*place, 20.0))
    assert set(stream.world.blocks) == {block(x, y) for x, y in near}
    stream.visit(HOME | 1)
    assert stream.wait()
    assert around(stream.world) == {0: 1, 1: 8}
