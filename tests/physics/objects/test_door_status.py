"""What a door's report says is true in every phase: compared in every tick with what happens."""

import pytest

from engine.physics.enums import TICK
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.objects.door_status import door_status
from engine.physics.simulation.ticking import PLAYER_ID
from engine.world.physics_state import ETHEREAL
from engine.world.source import DoorFacts
from tests.physics.objects.door_scenes import CLIP, CLOSED, DOOR, OPEN, door, staged


def status(sim):
    return door_status(door(sim), sim.time)


def words(sim):
    return status(sim).words


def test_each_phase_in_words():
    sim = staged()
    assert words(sim) == "closed"
    sim.use(DOOR)
    assert words(sim) == "opening, open in 1.5 s, closes in 30.0 s"
    sim.wait(CLIP)
    assert words(sim) == "open, closes in 28.5 s"
    sim.use(DOOR)
    assert words(sim) == "closing, solid in 1.5 s where nobody stands in it"
    sim.wait(CLIP)
    assert words(sim) == "closed"  # the use's reset, 28.5 s from now, will find nothing to close
    assert status(sim).resets_in is None


def test_a_door_that_is_open_by_default_opens_again():
    sim = staged(OPEN, facts=DoorFacts(default_open=True, reset_interval=5.0))
    assert words(sim) == "open"
    sim.use(DOOR)
    assert words(sim) == "closing, solid in 1.5 s where nobody stands in it, opens in 5.0 s"
    sim.wait(CLIP)
    assert words(sim) == "closed, opens in 3.5 s"
    sim.wait(1.0)
    sim.use(DOOR)
    assert words(sim) == "opening, open in 1.5 s"


def test_a_held_door_says_by_whom_and_a_locked_one_that_it_is():
    sim = staged()
    sim.set_state(DOOR, OPEN)
    sim.move_tick((0.0, 2.0, 0.0))
    sim.use(DOOR)
    sim.wait(CLIP + 0.5)
    assert status(sim).held_by == PLAYER_ID == sim.body.id
    assert words(sim) == "held by 0x50000001 in it, tries to close in 0.5 s"
    sim.use(DOOR)
    assert status(sim).held_by == 0
    assert words(staged(facts=DoorFacts(locked=True))) == "closed, locked"
    door(sim).resume(OPEN, DoorPhase.HELD, 0.25, sim.time)
    assert words(sim) == "held by somebody in it, tries to close in 0.8 s"


@pytest.mark.parametrize("default_open", [False, True])
@pytest.mark.parametrize("inside", [False, True])
def test_what_it_says_comes_true(default_open, inside):
    """Through uses, resets and holds: a tick later each number is a tick less, or the thing has happened."""
    facts = DoorFacts(default_open=default_open, reset_interval=4.0)
    sim = staged(OPEN if default_open else CLOSED, at=(0.0, 5.0, 0.005), facts=facts)
    seen = set()
    for tick in range(900):
        if tick in (10, 200, 350, 520, 700):
            sim.use(DOOR)
        if tick == 120 and inside:
            sim.set_state(DOOR, OPEN)
            for _ in range(30):
                sim.move_tick((0.0, -0.1, 0.0))
        before = status(sim)
        sim.walk_tick()
        now = status(sim)
        seen.add(before.phase)
        assert before.is_passable is (before.phase is not DoorPhase.CLOSED)
        assert now.is_passable is bool(door(sim).target.state & ETHEREAL)
        assert (before.ends_in is None) is (before.phase in (DoorPhase.OPEN, DoorPhase.CLOSED))
        assert (before.held_by == PLAYER_ID) is (before.phase is DoorPhase.HELD)
        if before.ends_in is not None and now.phase is before.phase and now.ends_in <= before.ends_in:
            assert now.ends_in == pytest.approx(before.ends_in - TICK, abs=1e-6)
        if before.resets_in is not None:
            if before.resets_in > TICK + 1e-6:
                assert now.resets_in == pytest.approx(before.resets_in - TICK, abs=1e-6)
            else:
                opens = before.phase not in (DoorPhase.OPENING, DoorPhase.OPEN)
                assert now.phase is (DoorPhase.OPENING if opens else DoorPhase.CLOSING)
        elif before.ends_in is None:
            assert now.phase is before.phase
    assert seen >= {DoorPhase.OPENING, DoorPhase.OPEN, DoorPhase.CLOSING}
    assert (DoorPhase.HELD if inside else DoorPhase.CLOSED) in seen


@pytest.mark.parametrize("ethereal", [False, True])
def test_no_shape_is_said_to_collide_that_does_not(ethereal):
    sim = staged(OPEN if ethereal else CLOSED)
    said = status(sim)
    assert said.shape_words(is_family=True) == ("passable" if ethereal else "collides")
    assert said.shape_words(is_family=False) == "not asked"
    sim.move_tick((0.0, 3.0, 0.0))
    assert (sim.position.frame.origin[1] > 2.5) is ethereal


def test_a_tick_s_report_of_a_door_is_not_an_older_one_of_another_lock_or_time():
    """A report is kept for the next tick where nothing changed: a lock, or the time left, is a change."""
    sim = staged()

    def told_and_true():
        sim.move_tick((0.0, 0.0, 0.0))
        (report,) = sim.report().doors
        return report.status, status(sim)

    for locked in (False, True, False):
        sim.stage_door(DOOR, state=CLOSED, phase="closed", since=0.0, locked=locked)
        told, true = told_and_true()
        assert told == true
        assert told.is_locked is locked
    for phase, word in ((DoorPhase.OPENING, OPEN), (DoorPhase.CLOSING, OPEN), (DoorPhase.HELD, OPEN)):
        door(sim).resume(word, phase, 0.0, sim.time)
        left = [told_and_true() for _ in range(3)]
        assert [told for told, _ in left] == [true for _, true in left]
        assert len({told.ends_in for told, _ in left}) == 3
