"""Journeys of a walk whose landblocks stream: where they end, and what is said of them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.simulation import Simulation
from engine.world.ids import block_of
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from viewer.places import put
from viewer.window.walking.walk import STANDING, Walk

# -- journeys


@pytest.fixture
def streamed() -> Iterator[tuple[Walk, Streamer]]:
    """A walk whose landblocks come from a worker, which nobody has started yet."""
    world = World(demo_source(DEMO))
    stream = Streamer(world)
    simulation = Simulation(world, residency=stream)
    put(simulation, "0xA8B30001 [12 12 121]")
    yield Walk(simulation), stream
    stream.close()


def test_a_journey_ends_when_its_landblocks_are_there(streamed: tuple[Walk, Streamer]) -> None:
    walk, stream = streamed
    start = walk.location()
    assert walk.teleport("0xABB60021 [100 12 94]") == ""
    for _ in range(20):
        walk.advance(TICK, STANDING)
    assert walk.destination is not None
    assert block_of(walk.simulation.position.cell_id) == 0xA8B30000
    assert walk.location()[:16] == start[:16]
    stream.start()
    end = time.perf_counter() + 30.0
    while walk.destination is not None and time.perf_counter() < end:
        walk.advance(TICK, STANDING)
    assert block_of(walk.simulation.position.cell_id) == 0xABB60000
    assert walk.notice == ""


def test_a_journey_goes_on_while_paused_and_says_what_went_wrong_at_its_end(
    streamed: tuple[Walk, Streamer],
) -> None:
    walk, stream = streamed
    walk.toggle_pause()
    assert walk.teleport("0xABB601FF [100 12 94]") == ""
    stream.start()
    end = time.perf_counter() + 30.0
    while walk.destination is not None and time.perf_counter() < end:
        walk.advance(TICK, STANDING)
    assert "there is no cell 0xABB601FF" in walk.notice
    assert block_of(walk.simulation.position.cell_id) == 0xA8B30000


def test_a_place_that_is_not_quite_the_one_is_told_at_the_end_of_the_journey(
    streamed: tuple[Walk, Streamer],
) -> None:
    walk, stream = streamed
    assert walk.teleport("0xA9B40170 [155.4 15.9 94]") == ""
    stream.start()
    end = time.perf_counter() + 30.0
    while walk.destination is not None and time.perf_counter() < end:
        assert walk.notice == ""
        walk.advance(TICK, STANDING)
    assert "moved 0.44 m: door 0x7A9B4015 stands there; in cell 0xA9B40170" in walk.notice
    there = walk.simulation.position
    assert "144.5 m off cell 0xA9B40170" in walk.teleport("0xA9B40170 [10 10 94]")
    assert walk.simulation.position is there
    walk.anywhere = True
    assert walk.teleport("0xA9B40170 [10 10 94]") == ""
    assert walk.simulation.position.cell_id == 0xA9B40001
    assert "in cell 0xA9B40001, not 0xA9B40170" in walk.notice


def test_a_place_that_makes_no_sense_is_a_complaint_at_once(streamed: tuple[Walk, Streamer]) -> None:
    walk, _ = streamed
    assert "bad location" in walk.teleport("somewhere")
    assert walk.destination is None
