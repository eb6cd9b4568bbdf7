"""Recorded cases: a folder of dumps, a script and its recorded run each; how much of them agrees."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError, of_one_member
from engine.files.json_form import Json
from engine.files.shown import name_of
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.asked_place import StrayPlaceError
from engine.physics.simulation.tick_report import TickReport
from engine.replay.case_names import DUMPS_NAME, RECORDING_NAME, SCRIPT_NAME
from engine.replay.jobs.process_pool import Tell, Work
from engine.replay.jobs.result_shape import Shape
from engine.replay.sim import (
    Arrivals,
    Deviation,
    compare,
    not_compared,
    not_recorded,
    placement,
    read_recording,
    run_steps,
    start_script,
    to_compare,
)
from engine.replay.sim_script import SimScript, read_script
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SCENE_NAME, SourceArguments, SourceError, open_source

CLOSE = 0.002
NEAR = 0.01


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went. Counts are of compared ticks, the placement (tick -1) among them.

    ``loose`` ticks were left out. ``first`` is the first deviation beyond 2 mm or with another cell,
    ``ok`` or ``on_ground``. ``error`` says in one line why a case could not be run at all; ``told`` are
    lines about places that the body did not get and about what is wrong with the world.
    """

    name: str
    compared: int = 0
    loose: int = 0
    same_cell: int = 0
    same_flags: int = 0
    close: int = 0
    near: int = 0
    first: Deviation | None = None
    error: str = ""
    told: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Every compared tick has the recorded cell, flags and position within 2 mm."""
        return not self.error and self.first is None

    def share(self, count: int) -> float:
        """A count of ticks as a share of those compared; 0 where there are none."""
        return count / self.compared if self.compared else 0.0

    @property
    def detail(self) -> str:
        """What went wrong: why it could not be run, or the first divergence and what was hit there."""
        return self.error or ("" if self.first is None else self.first.describe())

    def describe(self) -> str:
        """One line: shares of ticks and the first divergence."""
        if self.error:
            return f"{self.name}: {self.error}"
        shares = (
            f"cell {self.share(self.same_cell):.1%}, flags {self.share(self.same_flags):.1%}, "
            f"2 mm {self.share(self.close):.1%}, 1 cm {self.share(self.near):.1%}"
        )
        first = f"; first: {self.detail}" if self.first is not None else ""
        return f"{self.name}: {self.compared} ticks ({self.loose} loose): {shares}{first}"

    def figures(self) -> dict[str, object]:
        """The figures of ``sim --cases --json``: counts of ticks, shares, and where it first diverged."""
        first = self.first
        return {
            "ticks": self.compared,
            "loose": self.loose,
            "same_cell": self.share(self.same_cell),
            "same_flags": self.share(self.same_flags),
            "within_2_mm": self.share(self.close),
            "within_1_cm": self.share(self.near),
            "first_divergence": None if first is None else first.recorded.tick,
            "hit_there": [] if first is None else [hit.to_json() for hit in first.report.hits],
        }


def run_case(
    folder: Path,
    *,
    split_trees: bool = False,
    tell: Tell = lambda _: None,
    world_of: SourceArguments | None = None,
    anywhere: bool = False,
) -> CaseResult:
    """Run the case in a folder and compare every tick that is not loose.

    ``tell`` hears with every tick what share of them came before. A case without dumps runs in ``world_of``,
    with the doors and objects of its own ``scene.json`` where that names none. A stray place is refused
    unless ``anywhere`` will do.
    """
    name = name_of(folder)
    world: World | None = None
    places: list[str] = []
    arrivals = Arrivals(lambda arrival: places.append(arrival.words), anywhere)

    def told() -> tuple[str, ...]:
        return (*filter(None, places), *([] if world is None else world.problems.since()))

    try:
        script = read_script(folder / SCRIPT_NAME)
        recording = read_recording(folder / RECORDING_NAME)
        dumps = folder / DUMPS_NAME
        if world_of is not None and not os.path.lexists(dumps):
            world = World(_with_scene(world_of, folder / SCENE_NAME).open())
        else:
            world = World(open_source(dumps=dumps, split_trees=split_trees))
        simulation = start_script(world, script, arrivals=arrivals)
        put = placement(simulation, recording)
        ran = list(compare(_heard(run_steps(simulation, script, arrivals), script, tell), recording))
    except StrayPlaceError as error:
        return CaseResult(name, error=f"{error}; --anywhere goes there all the same", told=told())
    except (DatError, JsonError, SourceError, SimulationError, ValueError) as error:
        return CaseResult(name, error=str(error), told=told())
    except Exception as error:  # the cases after it are run all the same
        return CaseResult(name, error=of_one_member(error), told=told())
    deviations = ran if put is None else [put, *ran]
    if line := not_compared(script.ticks, recorded=to_compare(recording), compared=len(ran)):
        return CaseResult(name, error=line, told=told())
    if line := not_recorded(script, recording):
        places.append(line)
    first = next((d for d in deviations if not _same(d)), None)
    return CaseResult(
        name=name,
        compared=len(deviations),
        loose=sum(recorded.loose for recorded in recording.values()),
        same_cell=sum(d.same_cell for d in deviations),
        same_flags=sum(d.same_ok and d.same_ground for d in deviations),
        close=sum(d.distance <= CLOSE for d in deviations),
        near=sum(d.distance <= NEAR for d in deviations),
        first=first,
        told=told(),
    )


def _with_scene(world_of: SourceArguments, scene: Path) -> SourceArguments:
    is_placed = world_of.scene is not None or world_of.spawns is not None or not os.path.lexists(scene)
    return world_of if is_placed else world_of._replace(scene=scene)


def _heard(reports: Iterable[TickReport], script: SimScript, tell: Tell) -> Iterator[TickReport]:
    """The reports of a script as they are."""
    ticks = max(1, script.ticks)
    for number, report in enumerate(reports):
        tell(number / ticks)
        yield report


def _same(d: Deviation) -> bool:
    return d.same_cell and d.same_ok and d.same_ground and d.distance <= CLOSE


def case_folders(folder: Path) -> list[Path]:
    """The cases in a folder: itself where it holds a script, then its sub-folders that hold one, by name.

    A recorded run without a script is one too, which lacks it.
    """
    own = [folder] if (folder / SCRIPT_NAME).is_file() else []
    return own + sorted(
        path for path in folder.iterdir() if _is_there(path / SCRIPT_NAME) or _is_there(path / RECORDING_NAME)
    )


def _is_there(path: Path) -> bool:
    """Whether anything has that name, also what can't be read: it is told where the case is run."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


@dataclass(frozen=True, slots=True)
class CaseTask:
    """Running recorded cases: pieces are their folders, results ``case_document``s."""

    world_of: SourceArguments | None = None
    anywhere: bool = False

    def begin(self) -> Work:
        """Nothing is shared between cases."""

        def work(folder: Path, tell: Tell) -> Json:
            result = run_case(folder, tell=tell, world_of=self.world_of, anywhere=self.anywhere)
            return case_document(result)

        return work


CASE: Final[Shape] = {
    "result": {
        "name": str, "ok": bool, "detail": str, "figures": {"first_divergence": object, "hit_there": object},
    },
    "line": str, "counts": (int,) * 6, "diverged": bool, "told": [str],
}  # fmt: skip
"""What a case's document looks like."""


def case_document(result: CaseResult) -> Json:
    """A case as a document: ``counts`` in the order of the fields, ``first`` None where none diverged."""
    counts = (result.compared, result.loose, result.same_cell, result.same_flags, result.close, result.near)
    return {
        "result": {
            "name": result.name,
            "ok": result.passed,
            "figures": result.figures(),
            "detail": result.detail,
        },
        "line": result.describe(),
        "counts": list(counts),
        "diverged": result.first is not None,
        "told": list(result.told),
    }


def document_totals(documents: Sequence[Json]) -> tuple[Json, str]:
    """The figures of all cases counted as one, and their line."""
    sums = [sum(column) for column in zip(*(document["counts"] for document in documents), strict=True)]
    compared, loose, same_cell, same_flags, close, near = sums or [0] * 6
    whole = CaseResult(
        name="all cases",
        compared=compared,
        loose=loose,
        same_cell=same_cell,
        same_flags=same_flags,
        close=close,
        near=near,
    )
    figures, line = dict(whole.figures()), whole.describe()
    first = next((document["result"] for document in documents if document["diverged"]), None)
    if first is not None:
        figures |= {name: first["figures"][name] for name in ("first_divergence", "hit_there")}
        line += f"; first: {first['detail']}"
    return figures, line
