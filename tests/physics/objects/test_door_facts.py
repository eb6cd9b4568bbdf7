"""What a spawn list says of a door: locked, open by default, and when it is reset (objects 9)."""

import pytest

from engine.physics.objects.door_phase import DoorPhase
from engine.world.source import DoorFacts
from tests.physics.objects.door_scenes import CLIP, CLOSED, DOOR, OPEN, door, staged, state, walk_through


def test_a_locked_door_refuses_use_from_both_sides_and_blocks():
    for y, step in ((0.0, 0.1), (4.0, -0.1)):
        sim = staged(at=(0.0, y, 0.005), facts=DoorFacts(locked=True))
        assert not sim.use(DOOR)
        assert door(sim).refuses
        assert state(sim) == CLOSED
        assert (walk_through(sim, 60, step) - 2.0) * step < 0.0
        assert door(sim).countdown(sim.time) is None


def test_a_locked_door_that_was_opened_otherwise_can_be_closed_and_is_locked_again():
    sim = staged(facts=DoorFacts(locked=True))
    sim.set_state(DOOR, OPEN)
    assert not door(sim).refuses
    assert sim.use(DOOR)
    sim.wait(CLIP)
    assert state(sim) == CLOSED
    assert not sim.use(DOOR)


def test_the_reset_interval_counts_from_the_use():
    sim = staged(facts=DoorFacts(reset_interval=4.0))
    sim.use(DOOR)
    assert door(sim).countdown(sim.time) == pytest.approx(4.0)
    sim.wait(4.0 + CLIP - 0.1)
    assert state(sim) == OPEN
    sim.wait(0.1)
    assert state(sim) == CLOSED


def test_a_door_open_by_default_opens_again_and_one_that_is_only_open_closes():
    sim = staged(OPEN, facts=DoorFacts(default_open=True, reset_interval=5.0))
    sim.use(DOOR)
    sim.wait(CLIP)
    assert state(sim) == CLOSED
    sim.wait(5.0)
    assert state(sim) == OPEN
    sim = staged(OPEN, facts=DoorFacts(default_open=False, reset_interval=5.0))
    sim.use(DOOR)
    sim.wait(10.0)
    assert state(sim) == CLOSED


def test_a_reset_leaves_a_door_that_is_open_by_default_and_open_as_it_is():
    """Closed and opened again by use, it neither closes nor swings once more when the reset is due."""
    sim = staged(OPEN, facts=DoorFacts(default_open=True, reset_interval=5.0))
    sim.use(DOOR)
    sim.wait(CLIP)
    sim.use(DOOR)
    sim.wait(4.9)
    assert (state(sim), door(sim).phase) == (OPEN, DoorPhase.OPEN)
    sim.wait(0.2)
    assert (state(sim), door(sim).phase) == (OPEN, DoorPhase.OPEN)
