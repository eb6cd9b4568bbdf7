"""Running a sim script, tick by tick, and comparing it with a recorded run (promises 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.format_version import TICKS
from engine.physics.simulation.asked_place import Arrival, go_to
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tell import tell
from engine.physics.simulation.tick_report import TickReport
from engine.replay.begin import go_to_begin
from engine.replay.sim_script import (
    JumpStep,
    LaunchStep,
    MoveStep,
    SetStateStep,
    SimScript,
    TeleportStep,
    ToldStep,
    UseStep,
)
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError, Node, is_stamp, json_text, parse_json

TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What is to be done about the places that a script names: who is told what came of them, and whether
    one that is far from where its words say will do."""

    told: Callable[[Arrival], None]
    anywhere: bool


def start_script(
    world: World, script: SimScript, *, trace: bool = False, arrivals: Arrivals | None = None
) -> Simulation:
    """A simulation whose body stands, settled, at the script's start.

    ``arrivals`` says what came of the place and whether a stray one is refused. Raises SimulationError (or
    ValueError for the location) with one line where the body can't stand there.
    """
    m = script.mover
    settings = MoverSettings(
        spheres=m.spheres,
        step_up=m.step_up,
        step_down=m.step_down,
        run_skill=m.run_skill,
        jump_skill=m.jump_skill,
        burden=m.burden,
    )
    simulation = Simulation(world, settings)
    simulation.trace = trace
    if script.begin is not None:
        go_to_begin(simulation, script.begin)
    else:
        _arrive(simulation, script.start, arrivals)
    return simulation


def _arrive(simulation: Simulation, place: str, arrivals: Arrivals | None) -> None:
    position = simulation.world.locate(place)
    if arrivals is None:
        simulation.teleport(position)
    else:
        arrivals.told(go_to(simulation, position, anywhere=arrivals.anywhere))


def run_steps(
    simulation: Simulation, script: SimScript, arrivals: Arrivals | None = None
) -> Iterator[TickReport]:
    """The report of each tick of a started script, in order; steps without ticks act before the next one."""
    for step in simulation.world.under_way.through("the script's steps", script.steps):
        if isinstance(step, ToldStep):
            for told in step.told:
                report = tell(simulation, told)
                if report is not None:
                    yield report
        elif isinstance(step, MoveStep):
            tick = simulation.walk_tick if step.walk else simulation.move_tick
            for move in step.moves():
                yield tick(move)
        elif isinstance(step, JumpStep):
            simulation.jump(step.extent)
        elif isinstance(step, LaunchStep):
            simulation.launch(step.velocity)
        elif isinstance(step, UseStep):
            simulation.use(step.entity)
        elif isinstance(step, SetStateStep):
            simulation.set_state(step.entity, step.state)
        elif isinstance(step, TeleportStep):
            _arrive(simulation, step.location, arrivals)


@dataclass(frozen=True, slots=True)
class RecordedTick:
    """One line of a recorded run: feet in the block frame of ``cell``; None where a line does not say.

    ``loose`` lines depend on the order in which a BSP hands out its polygons and are not compared.
    """

    tick: int
    cell: int
    position: Vec3
    ok: bool | None = None
    on_ground: bool | None = None
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far a tick is from its recording: metres, and whether cell, ``ok`` and ``on_ground`` agree.

    ``distance`` is infinite where the cells lie in different landblocks.
    """

    report: TickReport
    recorded: RecordedTick
    distance: float
    same_cell: bool
    same_ok: bool
    same_ground: bool

    @property
    def agrees(self) -> bool:
        """The same cell and within 1 cm (promises 4)."""
        return self.same_cell and self.distance <= TOLERANCE

    def describe(self) -> str:
        """One line saying what is off and what was hit."""
        got, want = self.report, self.recorded
        parts = [f"tick {want.tick}"]
        if not self.same_cell:
            parts.append(f"cell {hex_id(got.cell)} instead of {hex_id(want.cell)}")
        if math.isfinite(self.distance):
            parts.append(f"{self.distance * 1000.0:.1f} mm off at {_place(got.position)}")
        if not self.same_ok:
            parts.append(f"ok {got.ok} instead of {want.ok}")
        if not self.same_ground:
            parts.append(f"on_ground {got.on_ground} instead of {want.on_ground}")
        hits = ", ".join(f"{hit!r}" for hit in got.hits)
        return f"{'; '.join(parts)}; hit {hits or 'nothing'}"


def _place(p: Vec3) -> str:
    return f"[{p[0]:.4f} {p[1]:.4f} {p[2]:.4f}]"


def read_recording(path: Path) -> dict[int, RecordedTick]:
    """A recorded run by tick. Raises JsonError with one line naming file, line and reason."""
    recording: dict[int, RecordedTick] = {}
    for number, line in enumerate(json_text(path).split("\n"), start=1):
        where = f"{path}: line {number}"
        if line.strip() and not is_stamp(line, where, TICKS):
            recorded = parse_recorded(line, where)
            if recorded.tick < PLACED:
                raise JsonError(f"{where}: tick {recorded.tick}: the first is 0, and {PLACED} the placement")
            if recorded.tick in recording:
                raise JsonError(f"{where}: tick {recorded.tick} is given twice")
            recording[recorded.tick] = recorded
    return recording


def parse_recorded(line: str, where: str) -> RecordedTick:
    """One line of a recorded run; errors as ``read_recording``."""
    node = Node(parse_json(line, where, is_line=True), where)
    return RecordedTick(
        tick=node.get("tick").whole(),
        cell=node.get("cell").unsigned(),
        position=node.get("position").vec3(),
        ok=_flag(node, "ok"),
        on_ground=_flag(node, "on_ground"),
        loose=node.mapping().get("loose") is True,  # recorded cases name here as well what alone is loose
    )


def _flag(node: Node, key: str) -> bool | None:
    """What a line says of something, None where it says nothing."""
    return node.get(key).flag() if node.has(key) and node.mapping()[key] is not None else None


PLACED: Final = -1
"""The tick of a recorded line that tells of the body as it was put down."""


def compare(reports: Iterable[TickReport], recording: Mapping[int, RecordedTick]) -> Iterator[Deviation]:
    """The deviation of every report that has a recorded line which is not loose."""
    for report in reports:
        recorded = recording.get(report.tick)
        if recorded is not None and not recorded.loose:
            yield deviation(report, recorded)


def deviation(report: TickReport, recorded: RecordedTick) -> Deviation:
    """How far a report is from its recorded line."""
    same_block = report.cell >> 16 == recorded.cell >> 16
    return Deviation(
        report=report,
        recorded=recorded,
        distance=math.dist(report.position, recorded.position) if same_block else math.inf,
        same_cell=report.cell == recorded.cell,
        same_ok=recorded.ok is None or report.ok == recorded.ok,
        same_ground=recorded.on_ground is None or report.on_ground == recorded.on_ground,
    )


def placement(simulation: Simulation, recording: Mapping[int, RecordedTick]) -> Deviation | None:
    """How far the body, as it was put down, is from its recorded line; None without one, or a loose one."""
    placed = recording.get(PLACED)
    return None if placed is None or placed.loose else deviation(simulation.report(), placed)


def to_compare(recording: Mapping[int, RecordedTick]) -> int:
    """How many recorded ticks are to be compared: no loose ones, nor the placement."""
    return sum(tick != PLACED and not recorded.loose for tick, recorded in recording.items())


def not_recorded(script: SimScript, recording: Mapping[int, RecordedTick]) -> str:
    """How many of a script's ticks have no recorded line, in words; empty where all have one."""
    ticks = range(script.first_tick, script.first_tick + script.ticks)
    lacking = len(ticks) - sum(tick in ticks for tick in recording)
    return f"not recorded, and not compared: {lacking} of {len(ticks)} ticks" if lacking else ""


def not_compared(ticks: int, *, recorded: int, compared: int) -> str:
    """Why a recording, of so many ticks to compare, does not agree though none may be off; else empty."""
    if compared < recorded:
        return f"{recorded - compared} of {recorded} recorded ticks were not run: the script has {ticks}"
    if ticks and not recorded:
        return f"no tick is recorded that could be compared: the script has {ticks}"
    return ""
