"""Recorded cases: a folder of dumps, a script and its recorded run each; how much of them agrees.

``python -m engine.replay.cases FOLDER [NAME...]`` prints one line a case.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.physics.simulation import SimulationError
from engine.replay.sim import Deviation, compare, deviation, read_recording, run_steps, start_script
from engine.replay.sim_script import read_script
from engine.world.json_node import JsonError
from engine.world.sources import SourceError, open_source
from engine.world.world import World

SCRIPT_NAME = "sim.json"
RECORDING_NAME = "expected.jsonl"
DUMPS_NAME = "dumps"
CLOSE = 0.002
NEAR = 0.01


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went. Counts are of compared ticks, the placement (tick -1) among them.

    ``loose`` ticks were left out. ``first`` is the first deviation beyond 2 mm or with another cell,
    ``ok`` or ``on_ground``. ``error`` says in one line why a case could not be run at all.
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

    @property
    def passed(self) -> bool:
        """Every compared tick has the recorded cell, flags and position within 2 mm."""
        return not self.error and self.first is None and self.compared > 0

    def describe(self) -> str:
        """One line: shares of ticks and the first divergence."""
        if self.error:
            return f"{self.name}: {self.error}"
        n = max(self.compared, 1)
        shares = (
            f"cell {self.same_cell / n:.1%}, flags {self.same_flags / n:.1%}, "
            f"2 mm {self.close / n:.1%}, 1 cm {self.near / n:.1%}"
        )
        first = "" if self.first is None else f"; first: {self.first.describe()}"
        return f"{self.name}: {self.compared} ticks ({self.loose} loose): {shares}{first}"


def run_case(folder: Path, split_trees: bool = False) -> CaseResult:
    """Run the case in a folder and compare every tick that is not loose."""
    name = folder.name
    try:
        script = read_script(folder / SCRIPT_NAME)
        recording = read_recording(folder / RECORDING_NAME)
        world = World(open_source(dumps=folder / DUMPS_NAME, split_trees=split_trees))
        simulation = start_script(world, script)
        placed = recording.get(-1)
        deviations = [] if placed is None else [deviation(simulation.report(), placed)]
        deviations += compare(run_steps(simulation, script), recording)
    except (JsonError, SourceError, SimulationError, ValueError) as error:
        return CaseResult(name, error=str(error))
    expected = sum(not recorded.loose for recorded in recording.values())
    if len(deviations) != expected:
        return CaseResult(name, error=f"{expected} ticks are recorded, {len(deviations)} were run")
    first = next((d for d in deviations if not _same(d)), None)
    return CaseResult(
        name,
        len(deviations),
        sum(recorded.loose for recorded in recording.values()),
        sum(d.same_cell for d in deviations),
        sum(d.same_ok and d.same_ground for d in deviations),
        sum(d.distance <= CLOSE for d in deviations),
        sum(d.distance <= NEAR for d in deviations),
        first,
    )


def _same(d: Deviation) -> bool:
    return d.same_cell and d.same_ok and d.same_ground and d.distance <= CLOSE


def case_folders(folder: Path) -> list[Path]:
    """The cases in a folder: its sub-folders that hold a script and a recorded run, by name."""
    return sorted(
        path
        for path in folder.iterdir()
        if (path / SCRIPT_NAME).is_file() and (path / RECORDING_NAME).is_file()
    )


def main(arguments: Sequence[str]) -> int:
    """Run all (or the named) cases of a folder; 1 when one of them is off, 2 on bad usage."""
    folder = Path(arguments[0]) if arguments else None
    if folder is None or not folder.is_dir():
        print("usage: python -m engine.replay.cases FOLDER [NAME...]", file=sys.stderr)
        return 2
    names = set(arguments[1:])
    unknown = names - {path.name for path in case_folders(folder)}
    if unknown:
        print(f"{folder}: there is no case {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    results = [run_case(path) for path in case_folders(folder) if not names or path.name in names]
    for result in results:
        print(result.describe())
    passed = sum(result.passed for result in results)
    print(f"{passed} of {len(results)} cases agree, {sum(r.compared for r in results)} ticks compared")
    return 0 if passed == len(results) and results else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
