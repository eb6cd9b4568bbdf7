"""What things cost: figures of the engine beside a reference loop timed in the same run (promises 12).

A figure means the same on another machine as a ratio to the loop. ``scaled`` is the figure on a core that
runs the loop in ``NOMINAL_LOOP_MS``, which is what a current desktop core is taken to need.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import struct
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import FORM
from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import DatFile
from engine.dat.hex_id import hex_id
from engine.dat.object_types import DatKind
from engine.dat.values import Vec3
from engine.files.ended_in_order import ended_in_order
from engine.files.write import write_bytes
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import carry_out, make_sweep
from engine.replay.scenarios.scenario import ScenarioResult, StagingError
from engine.replay.scenarios.stage import WALK, Stage, put, put_at_door
from engine.replay.yardstick import NOMINAL_LOOP_MS, PIECES, Beside, timed
from engine.visibility.camera import first_person_eye, pivot_of
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import build_view
from engine.visibility.view import View, vertical_fov
from engine.world.frame import Position
from engine.world.ids import blocks_around

SWEEP_TICKS = 400
VIEWS = 200
LOADS = 5
BIG_FILE = 1 << 30
BIG_ENTRIES = 60_000
LARGE_VIEW = "inn large view"


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure may cost at most on the nominal core, in its own unit."""

    name: str
    limit: float
    unit: str


SWEEP = Target("sweep-indoors-near-door", 8.0 if FORM.compiled else 120.0, "us")
SWEEP_TAIL = Target("sweep-indoors-near-door-p99", 24.0 if FORM.compiled else 360.0, "us")
TICK = Target("tick-over-sweep", 5.0 if FORM.compiled else 60.0, "us")
VIEW = Target("pview-largest-view", 100.0 if FORM.compiled else 480.0, "us")
LOAD = Target("load-landblock", 60.0, "ms")
COUNTRY = Target("load-landblock-country", 2.5, "ms")
OPEN = Target("open-dats-find-one", 50.0, "ms")


def result(target: Target, value: float, loop_ms: float, detail: str, **more: object) -> ScenarioResult:
    """A figure's line: measured, as a ratio to the loop, and scaled to the nominal core."""
    in_ms = value / 1000.0 if target.unit == "us" else value
    scaled = value * NOMINAL_LOOP_MS / loop_ms
    figures: dict[str, object] = {
        f"measured_{target.unit}": round(value, 2),
        "loop_ms": round(loop_ms, 3),
        "ratio_to_loop": round(in_ms / loop_ms, 5),
        f"scaled_{target.unit}": round(scaled, 2),
        f"target_{target.unit}": target.limit,
        **more,
    }
    return ScenarioResult(target.name, scaled <= target.limit, figures, detail)


def bench_sweep(stage: Stage) -> list[ScenarioResult]:
    """Walking ticks indoors up to a closed door and away again, sweep and commit, no report."""
    simulation, step = _at_the_door(stage)
    times: list[float] = []
    beside = Beside()
    gc.disable()
    try:
        for i in range(SWEEP_TICKS):
            times.append(timed(sweeping(simulation, *back_and_forth(step, i))))
            beside.look()
    finally:
        gc.enable()
    times.sort()
    median, tail = (times[len(times) // 2] * 1e6, times[int(len(times) * 0.99)] * 1e6)
    where = f"{len(times)} walking ticks in {hex_id(simulation.position.cell_id)}"
    return [
        result(SWEEP, median, beside.loop_ms, f"median of {where}"),
        result(SWEEP_TAIL, tail, beside.loop_ms, f"99th percentile of {where}"),
    ]


def bench_tick(stage: Stage) -> ScenarioResult:
    """What a whole tick with its report takes beyond its sweep: two bodies on one walk, in turns."""
    walker, step = _at_the_door(stage)
    sweeper, _ = _at_the_door(stage)
    ticks: list[float] = []
    sweeps: list[float] = []
    beside = Beside()
    gc.disable()
    try:
        for i in range(SWEEP_TICKS):
            x, y = back_and_forth(step, i)
            ticks.append(timed(partial(walker.walk_tick, (x, y, 0.0))))
            sweeps.append(timed(sweeping(sweeper, x, y)))
            beside.look()
    finally:
        gc.enable()
    tick, sweep = statistics.median(ticks) * 1e6, statistics.median(sweeps) * 1e6
    return result(
        TICK, tick - sweep, beside.loop_ms, f"medians of {len(ticks)}: {tick:.1f} less {sweep:.1f} us"
    )


def _at_the_door(stage: Stage) -> tuple[Simulation, Vec3]:
    """A body inside the front door, and a walking step towards it."""
    simulation = stage.simulation()
    doorway, _ = stage.front_door(simulation)
    put_at_door(simulation, doorway, -1.6)
    return simulation, doorway.inward(WALK)


def back_and_forth(step: Vec3, i: int) -> tuple[float, float]:
    """The ``i``-th of steps that go ten times one way and ten times the other."""
    sign = -1.0 if i % 20 < 10 else 1.0
    return sign * step[0], sign * step[1]


def sweeping(simulation: Simulation, dx: float, dy: float) -> Callable[[], None]:
    """The sweep of one step, metres, and its commit."""
    body, world = simulation.body, simulation.world
    x, y, z = body.position.frame.origin
    target = Position(body.position.cell_id, body.position.frame.with_origin((x + dx, y + dy, z)))

    def sweep() -> None:
        carry_out(make_sweep(world, body, target))

    return sweep


def bench_view(stage: Stage) -> ScenarioResult:
    """One traversal in the view that sees the most cells."""
    simulation = stage.simulation()
    place = stage.place(LARGE_VIEW)
    put(simulation, place.cell_id, place.frame.origin, place.frame.heading())
    body = simulation.body
    feet = body.position.frame.origin
    pivot = pivot_of(feet)
    yaw = body.position.frame.heading()
    eye = first_person_eye(pivot, yaw)
    view = View.from_angles(eye, yaw, 0.0, fov_y=vertical_fov(16.0 / 9.0), width=1280, height=720)
    index = OpeningIndex()
    cell_id = body.position.cell_id

    def look() -> object:
        return build_view(
            simulation.world, cell_id, foot=pivot, pivot=pivot, eye=eye, view=view, options=None, index=index
        )

    picture = build_view(
        simulation.world, cell_id, foot=pivot, pivot=pivot, eye=eye, view=view, options=None, index=index
    )
    regions = sum(len(c.regions) for c in picture.cells)
    median, loop_ms = _median_of(look, VIEWS)
    return result(
        VIEW, median * 1e6, loop_ms, f"{len(picture.cells)} cells in {regions} regions",
        cells=len(picture.cells), regions=regions,
    )  # fmt: skip


def bench_load(stage: Stage) -> list[ScenarioResult]:
    """Loading the home landblock cold, and then its neighbours: records, cells, buildings, statics."""
    village: list[float] = []
    country: list[float] = []
    cells = 0
    beside = Beside()
    gc.disable()
    try:
        for _ in range(LOADS):
            world = stage.open_world()
            for block_id in (stage.home_block, *blocks_around(stage.home_block)):
                if block_id in world.blocks:
                    continue
                took = timed(partial(world.load_block, block_id))
                block = world.blocks.get(block_id)
                if block_id == stage.home_block:
                    if block is None:
                        raise StagingError(f"landblock 0x{block_id >> 16:04X} is not there")
                    village.append(took)
                    cells = len(block.env_cells)
                elif block is not None and not block.env_cells:
                    country.append(took)
            for _ in range(PIECES // LOADS):
                beside.look()
    finally:
        gc.enable()
    median = statistics.median(village) * 1000.0
    lines = [result(LOAD, median, beside.loop_ms, f"{cells} cells", cells=cells)]
    if country:
        around = f"median of {len(country)} loadings of neighbours without cells"
        lines.append(result(COUNTRY, statistics.median(country) * 1000.0, beside.loop_ms, around))
    return lines


def bench_open(loop_ms: float) -> ScenarioResult:
    """Opening a dat file of a gigabyte and finding one of its objects, on a file made for it."""
    rng = random.Random(1)
    files = {0x01000000 + i: struct.pack("<I", i) * 4 for i in range(BIG_ENTRIES)}
    with ended_in_order(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "client_portal.dat"
        data = build_dat(files, DatKind.PORTAL)
        # The blocks of a real file lie far apart; a sparse tail gives this one its size.
        write_bytes(path, data, zeros=BIG_FILE - len(data))
        wanted = [0x01000000 + rng.randrange(BIG_ENTRIES) for _ in range(20)]
        times = []
        before = resident_mb()
        for object_id in wanted:
            start = time.perf_counter()
            with DatFile.open(path) as dat:
                dat.read(object_id)
            times.append(time.perf_counter() - start)
        grown = resident_mb() - before
    median = statistics.median(times) * 1000.0
    return result(
        OPEN, median, loop_ms, f"1 GiB, {BIG_ENTRIES} entries, {grown:.0f} MB more resident",
        resident_mb=round(grown, 1),
    )  # fmt: skip


def resident_mb() -> float:
    """This process's resident memory in megabytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _median_of(action: Callable[[], object], times: int) -> tuple[float, float]:
    """The median of an action's times in seconds, and the loop's milliseconds in between."""
    beside = Beside()
    samples: list[float] = []
    gc.disable()
    try:
        for _ in range(times):
            samples.append(timed(action))
            beside.look()
    finally:
        gc.enable()
    return statistics.median(samples), beside.loop_ms
