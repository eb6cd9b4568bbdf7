"""About how many bytes a kept tick takes: a count of its parts by what such a part takes in CPython."""

from __future__ import annotations

from typing import Final

from engine.physics.simulation.saved import SavedSimulation
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.trace import SweepTrace

TICK: Final = 3600  # save, body, way, report, sweep result, their vectors
TOLD: Final = 250
STEP: Final = 1500
PICK: Final = 600
CANDIDATE: Final = 150
HIT: Final = 250
LINE: Final = 160
DOOR: Final = 260
PLACED: Final = 110  # an entry of the table of what stands where
ORDERED: Final = 40


def moment_bytes(
    saved: SavedSimulation, before: SavedSimulation | None, report: TickReport, told: int
) -> int:
    """What a tick's save takes that it does not share with the one ``before``, with its report and inputs."""
    size = TICK + TOLD * told + HIT * len(report.hits) + 8 * len(report.doors)
    if report.trace is not None:
        size += trace_bytes(report.trace)
    if before is None or saved.doors is not before.doors:
        size += DOOR * len(saved.doors)
    objects, old = saved.objects, None if before is None else before.objects
    if old is None or objects.placed is not old.placed:
        size += PLACED * len(objects.placed)
        size += sum(100 + ORDERED * len(ids) for ids in objects.order.values())
    if old is None or objects is not old:
        size += 300 + PLACED * len(objects.states)
    return size


def trace_bytes(trace: SweepTrace) -> int:
    """What a sweep's account takes."""
    size = 0
    for step in trace.steps:
        size += STEP + LINE * len(step.responses) + HIT * (len(step.hits) + len(step.tested))
        for pick in step.picks:
            size += PICK + CANDIDATE * len(pick.candidates) + LINE * len(pick.asked)
    return size
