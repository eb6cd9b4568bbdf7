"""``holtwalk bench``: what things cost, beside a reference loop timed in the same run (promises 12)."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine import FORM
from engine.dat.errors import DatError, may_pass
from engine.files.ended_in_order import ended_in_order
from engine.files.shown import shown
from engine.replay.bench import (
    COUNTRY,
    LARGE_VIEW,
    LOAD,
    OPEN,
    SWEEP,
    SWEEP_TAIL,
    TICK,
    VIEW,
    Target,
    bench_load,
    bench_open,
    bench_sweep,
    bench_tick,
    bench_view,
    result,
)
from engine.replay.bench_growth import SWEEPS, VIEWS, bench_growth
from engine.replay.scenarios.scenario import ScenarioResult, StagingError, all_ok
from engine.replay.scenarios.stage import Stage, put
from engine.replay.yardstick import NOMINAL_LOOP_MS, time_reference
from engine.world.loading.process_builder import Site
from engine.world.sources.open_source import SourceArguments
from viewer.commands.groundwork.worlds import dats_folder, demo_folder, open_world, source_for_pieces
from viewer.renderer.gl.context import NoGl, create_headless
from viewer.renderer.scene.block_maker import BlockMaker
from viewer.user_error import UserError
from viewer.verify.bench_frames import CROWD, EDGE, FRAME, STREET, TOWN, bench_inn, bench_street, bench_town
from viewer.verify.bench_particles import PARTICLES, bench_particles
from viewer.verify.border_walk import walk_over_borders
from viewer.verify.verification import make_stage

FIRST_FRAME = Target("first-frame-cold", 700.0, "ms")
PANELS = Target("panels-cpu", 1.5, "ms")
PANELS_APART = Target("panels-cpu-side-by-side", 1.5, "ms")
CLOCK = Target("frames-by-clock-p99", 16.0, "ms")
MOST_BY_CLOCK = 33.0  # the worst of those frames, milliseconds
BORDERS = Target("border-frame-cpu-worst", 33.0, "ms")
FIGURES = {
    target.name
    for target in (
        SWEEP, SWEEP_TAIL, TICK, VIEW, SWEEPS, VIEWS, LOAD, COUNTRY, OPEN, FRAME, PANELS, PANELS_APART,
        STREET, TOWN, EDGE, CROWD, PARTICLES, BORDERS, CLOCK, FIRST_FRAME,
    )
}  # fmt: skip
FRAMES = 60
BORDER_WALK, BORDER_COUNT = "0xA8B20027 [100.0 150.0 113.2] 1 0 0 0", 3
BORDER_OBJECTS, BORDER_RADIUS = 1, 2  # farther, the whole of the demo would be there from the first
SMALL = (64, 36)  # so small that a software rasteriser has next to nothing to fill


def run(args: Namespace) -> int:
    """Measure everything, or what is named; 1 where a figure is over its target on the nominal core."""
    only = set(args.only or ())
    for name in sorted(only - FIGURES):
        raise UserError(f"there is no figure named '{shown(name)}'; there are: {', '.join(sorted(FIGURES))}")
    demo = demo_folder() if not args.dumps and dats_folder(args) == demo_folder() else None
    source_for_pieces(args)  # each figure opens the world anew
    stage = make_stage(lambda: open_world(args), demo)
    if not args.json:
        print(
            f"the hot packages run {FORM.name}; the nominal core runs the reference loop in "
            f"{NOMINAL_LOOP_MS:.1f} ms"
        )
    results = []
    for line in _measure(stage, is_demo=demo is not None, only=only):
        results.append(line)
        if not args.json:
            print(_text(line), flush=True)
    ok = all_ok(results)
    if args.json:
        document = {"ok": ok, "form": FORM.name, "results": [line.to_json() for line in results]}
        print(json.dumps(document))
    return 0 if ok else 1


def _measure(stage: Stage, *, is_demo: bool, only: set[str]) -> Iterator[ScenarioResult]:
    """One figure after the other, each beside a loop timed just before it: a machine's speed may change."""
    steps: tuple[tuple[tuple[Target, ...], Callable[[], list[ScenarioResult]]], ...] = (
        ((SWEEP, SWEEP_TAIL), lambda: bench_sweep(stage)),
        ((TICK,), lambda: [bench_tick(stage)]),
        ((VIEW,), lambda: [bench_view(stage)]),
        ((SWEEPS, VIEWS), lambda: bench_growth(stage)),
        ((LOAD, COUNTRY), lambda: bench_load(stage)),
        ((OPEN,), lambda: [bench_open(time_reference())]),
        ((FRAME,), lambda: [bench_inn(stage)]),
        ((PANELS, PANELS_APART), lambda: _bench_panels(stage, time_reference())),
        ((STREET,), lambda: [bench_street(stage)]),
        *(((target,), partial(_of_town, stage, target)) for target in (TOWN, EDGE, CROWD)),
        ((PARTICLES,), lambda: [bench_particles(stage)]),
        ((BORDERS, CLOCK), lambda: _bench_borders(stage, time_reference(), is_demo=is_demo)),
        ((FIRST_FRAME,), lambda: [_bench_first_frame(is_demo=is_demo)]),
    )
    for targets, step in steps:
        wanted = [target.name for target in targets if not only or target.name in only]
        if not wanted:
            continue
        try:
            yield from (line for line in step() if line.name in wanted)
        except (StagingError, UserError, DatError) as reason:
            if may_pass(str(reason)) and isinstance(reason, DatError):
                raise
            yield from (ScenarioResult(name, None, {}, str(reason)) for name in wanted)


def _of_town(stage: Stage, target: Target) -> list[ScenarioResult]:
    return [bench_town(stage, target)]


def _bench_panels(stage: Stage, loop_ms: float) -> list[ScenarioResult]:
    """The thread's own time for report, menu and panels, all open: docked, and side by side."""
    from viewer.overlay.dock.layout import PanelLayout  # loading the panels takes long
    from viewer.verify.panel_cost import panel_times, side_by_side

    simulation = stage.simulation()
    place = stage.place(LARGE_VIEW)
    put(simulation, place.cell_id, place.frame.origin, place.frame.heading())
    try:
        context = create_headless()
    except NoGl as error:
        raise StagingError(str(error)) from error
    try:
        apart = statistics.median(panel_times(simulation, FRAMES, side_by_side()))
        times = panel_times(simulation, FRAMES, PanelLayout())
    finally:
        context.release()
    what = f"median of {FRAMES} frames, every panel open"
    docked = statistics.median(times)
    return [
        result(PANELS, docked, loop_ms, f"{what} in its first place"),
        result(PANELS_APART, apart, loop_ms, f"{what} and none behind another"),
    ]


def _bench_borders(stage: Stage, loop_ms: float, *, is_demo: bool) -> list[ScenarioResult]:
    """A run over borders, landblocks on their way: its worst frame's own time, and frames by the clock."""
    if not is_demo:
        raise StagingError("measured on the demo world only")
    walk = walk_over_borders(
        stage.open_world(),
        BORDER_WALK,
        borders=BORDER_COUNT,
        reach=(BORDER_OBJECTS, BORDER_RADIUS),
        size=SMALL,
        site=Site(SourceArguments(demo=demo_folder()), BlockMaker),
    )
    if walk.borders < BORDER_COUNT:
        raise StagingError(f"something is in the way after {walk.borders} borders")
    own, clock, count = sorted(walk.own), sorted(walk.clock), len(walk.own)
    what = f"{count} frames over {walk.borders} borders, {walk.loaded} landblocks came"
    worst = result(
        BORDERS, own[-1], loop_ms, f"worst of {what}",
        p99_ms=round(own[-1 - count // 100], 2), median_ms=round(own[count // 2], 2),
        worst_without_drawing_ms=round(max(walk.undrawn), 2),
    )  # fmt: skip
    most = clock[-1] * NOMINAL_LOOP_MS / loop_ms
    waited = result(
        CLOCK, clock[-1 - count // 100], loop_ms, f"99th percentile of {what}",
        median_ms=round(clock[count // 2], 2), scaled_worst_ms=round(most, 2),
        target_worst_ms=MOST_BY_CLOCK,
    )  # fmt: skip
    return [worst, replace(waited, ok=waited.ok and most <= MOST_BY_CLOCK)]


def _bench_first_frame(*, is_demo: bool) -> ScenarioResult:
    """A process from its start to the first picture written, drawn off screen; by the clock on the wall.

    Byte code is there: a run before has written it.
    """
    if not is_demo:
        raise StagingError("measured on the demo world only")
    here = Path(__file__).resolve().parents[2]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])}
    times = []
    loop_ms = time_reference(time.perf_counter)
    with ended_in_order(), tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-P", "-m", "viewer", "render", "--demo", "--at", "0xA9B40171 [155.4 13.4 94]",
            "--size", "640x360", "--out",
        ]  # fmt: skip
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        variables["PYTHONIOENCODING"] = "utf-8"
        variables["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        own = []
        for run in range(4):
            before = os.times()
            start = time.perf_counter()
            picture = str(Path(folder) / f"{run}.png")  # one that is there already is looked at first
            done = subprocess.run(
                [*command, picture], env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                encoding="utf-8", errors="backslashreplace", check=False,
            )  # fmt: skip
            times.append(time.perf_counter() - start)
            after = os.times()
            own.append(after[2] + after[3] - before[2] - before[3])
            if done.returncode != 0:
                raise StagingError(f"nothing can be drawn: {done.stderr.strip()}")
    what = "best of 3, process start to picture written, byte code there"
    cpu = round(min(own[1:]) * 1000.0)
    return result(FIRST_FRAME, min(times[1:]) * 1000.0, loop_ms, what, processor_ms=cpu)


def _text(line: ScenarioResult) -> str:
    verdict = {True: "ok", False: "OVER", None: "not here"}[line.ok]
    figures = ", ".join(f"{name} {value}" for name, value in line.figures.items())
    return f"{verdict:8} {line.name}: {line.detail}" + (f" [{figures}]" if figures else "")
