"""A stretch of kept ticks as files for somebody else: a script with its expected ticks, and a capture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.files.format_version import SIM_SCRIPT, TICKS, FirstStamped, stamp
from engine.files.json_form import Json
from engine.files.write import LineFile, write_text
from engine.physics.simulation.inputs import Input, Spawn
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.tell import tell
from engine.replay.begin import begin_document, begin_of
from engine.replay.case_names import RECORDING_NAME, SCRIPT_NAME
from engine.replay.history.ticks import History, told_again
from engine.replay.recorder import CaptureRecorder
from engine.replay.told import steps_of
from engine.world.cells import PlacedObject
from engine.world.location import format_location


@dataclass(frozen=True, slots=True)
class Again:
    """How a stretch went when it was told again: the first tick that came to something else, if any."""

    first_other: int | None

    @property
    def words(self) -> str:
        """In one line."""
        if self.first_other is None:
            return "run again by the same input, every tick came out the same"
        return f"run again by the same input, it came out otherwise from tick {self.first_other} on"


def write_script(history: History, first: int, last: int, folder: Path) -> None:
    """Write the ticks after ``first`` up to ``last`` as a script that begins there, and what they came to.

    That makes the folder a case. What was done after the tick shown, where that is the last, is its end.
    OSError where a file can't be written.
    """
    start, moments = history.at(first), history.stretch(first + 1, last)
    document = {
        **stamp(SIM_SCRIPT),
        "start": format_location(start.saved.body.position),
        **_mover(history.simulation.mover),
        "begin": begin_document(begin_of(start.saved, history.simulation)),
        "steps": steps_of([*(told for told, _ in told_again(moments)), *since(history, last)]),
    }
    write_text(folder / SCRIPT_NAME, json.dumps(document, indent=1) + "\n")
    stamped = FirstStamped(TICKS)
    with LineFile(folder / RECORDING_NAME) as lines:
        for moment in moments:
            lines.write(json.dumps(stamped(moment.report.to_json())))


def put_down_by_hand(history: History, first: int, last: int) -> list[PlacedObject]:
    """What such a script puts down that its world does not bring."""
    moments = history.stretch(first + 1, last)
    told = (*(one for moment in moments for one in moment.told), *since(history, last))
    begin = begin_of(history.at(first).saved, history.simulation)
    return [*begin.spawned, *(one.placed for one in told if isinstance(one, Spawn))]


def since(history: History, last: int) -> tuple[Input, ...]:
    """What was done after a tick, while it was shown, and before another came."""
    return history.pending if history.shown == last else ()


def _mover(mover: MoverSettings) -> Json:
    """The member ``mover``, with what is not as usual: scripts have their numbers in single precision."""
    usual = MoverSettings()
    names = ("step_up", "step_down", "run_skill", "jump_skill", "burden")
    out: Json = {n: getattr(mover, n) for n in names if getattr(mover, n) != getattr(usual, n)}
    if mover.spheres != usual.spheres:
        out["spheres"] = [[*sphere.center, sphere.radius] for sphere in mover.spheres]
    return {"mover": out} if out else {}


def write_capture(history: History, first: int, last: int, path: Path) -> Again:
    """Write the ticks after ``first`` up to ``last`` as a capture, by telling them again.

    The simulation is afterwards where it was, with what was done after the tick shown; the capture ends with
    that tick. OSError where the file can't be written.
    """
    with _put_back(history), history.unheard():
        simulation = history.simulation
        history.show(first)
        other: int | None = None
        with CaptureRecorder(simulation, path):
            for told, simulation.waits in told_again(history.stretch(first + 1, last)):
                report = tell(simulation, told)
                if report is not None and other is None:
                    if report.to_json() != history.at(report.tick).report.to_json():
                        other = report.tick
        missing = simulation.tick + 1 if other is None and simulation.tick < last else other
        return Again(missing)


@contextmanager
def _put_back(history: History) -> Iterator[None]:
    staged = history.staged()
    try:
        yield
    finally:
        history.simulation.waits = False
        history.put_back(staged)
