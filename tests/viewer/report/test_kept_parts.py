"""What a report keeps from one frame to the next says what would be made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from tests.viewer.goings import walking
from viewer.report.door_reporting import DoorReporter
from viewer.report.last_made import LastMade
from viewer.report.sweep_reporting import SweepReporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from viewer.window.walking.walk import Walk


def test_what_is_kept_of_sweeps_and_doors_is_what_would_be_made_anew() -> None:
    walk = walking()
    told = 0
    try:
        door = walk.report().doors[0].entity
        deeds: dict[int, Callable[[], object]] = {
            5: lambda: walk.use(door),
            12: lambda: walk.questions.lock_door(door, locked=True),
            20: lambda: walk.set_ethereal(door, ethereal=True),
            26: lambda: walk.questions.pose_door(door, 0.5),
            31: lambda: walk.questions.type_door_state(door, "0x10008"),
            38: walk.questions.place_door,
            45: lambda: walk.travel.show(10),
            60: lambda: walk.travel.show(40),
        }
        for tick in range(90):
            forward = 1 if tick % 30 < 18 else 0
            walk.advance(TICK, MovementInput(forward=forward))
            assert_as_made_anew(walk)
            if tick in deeds:
                deeds[tick]()
                assert_as_made_anew(walk)
                told += 1
        assert told == len(deeds)
    finally:
        walk.close()


def assert_as_made_anew(walk: Walk) -> None:
    """The report, twice, as other frames have it, against one that nothing was kept for."""
    simulation = walk.simulation
    for report in (walk.report(), walk.report()):
        doors = DoorReporter().reports(simulation.doors.values(), simulation.body, simulation.time)
        assert report.doors == doors
        sweep = simulation.last_sweep
        anew = None
        if sweep is not None:
            anew = SweepReporter().report(sweep, walk.comparison, walk.watch.now, walk.last_move.now)
        assert report.sweep == anew


def test_something_is_made_once_of_one_thing() -> None:
    made: list[object] = []
    kept = LastMade(lambda source: made.append(source) or len(made))
    first, alike = ["a"], ["a"]
    assert [kept.of(first), kept.of(first), kept.of(alike), kept.of(first)] == [1, 1, 2, 3]
