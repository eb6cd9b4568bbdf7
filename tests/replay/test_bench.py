"""The benchmark's figures: ratios to the loop, verdicts by the nominal core. No time is asserted."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from engine import FORM
from engine.dat.errors import UNREADABLE, DatError
from engine.physics.simulation.simulation import Simulation
from engine.replay import many_cells
from engine.replay.bench import SWEEP, TICK, Target, bench_load, result
from engine.replay.many_cells import SPACING, ManyCells
from engine.replay.scenarios.scenario import ScenarioResult, StagingError
from engine.replay.scenarios.stage import Stage
from engine.replay.yardstick import NOMINAL_LOOP_MS, Beside, reference_loop, timed
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.needed import posix
from tests.places import DEMO, ROOT
from viewer.commands import bench
from viewer.commands.bench import BORDER_WALK
from viewer.main import main
from viewer.places import put
from viewer.verify import bench_particles
from viewer.verify.border_walk import SWIFT, BorderWalk


def test_figure_is_scaled_to_the_nominal_core() -> None:
    line = result(Target("x", 100.0, "us"), 150.0, 2.0 * NOMINAL_LOOP_MS, "")
    assert line.figures["scaled_us"] == 75.0
    assert line.figures["ratio_to_loop"] == pytest.approx(0.15 / (2.0 * NOMINAL_LOOP_MS), abs=1e-5)
    assert line.ok is True


def test_figure_over_its_target_is_not_ok() -> None:
    assert result(Target("x", 100.0, "ms"), 101.0, NOMINAL_LOOP_MS, "").ok is False


def test_milliseconds_and_microseconds_give_the_same_ratio() -> None:
    a = result(Target("x", 1.0, "ms"), 2.0, 4.0, "")
    b = result(Target("x", 1.0, "us"), 2000.0, 4.0, "")
    assert a.figures["ratio_to_loop"] == b.figures["ratio_to_loop"]


def test_a_tick_is_measured_beside_its_sweep_and_one_figure_alone(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["bench", "--demo", "--json", "--only", "tick-over-sweep"])
    document = json.loads(capsys.readouterr().out)
    assert [line["name"] for line in document["results"]] == ["tick-over-sweep"]
    assert document["results"][0]["figures"]["measured_us"] > 0.0
    assert code == (0 if document["ok"] else 1)
    assert document["form"] == FORM.name


def test_a_figure_that_is_not_there_is_named_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "nothing"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("holtwalk: there is no figure named 'nothing'; there are: ")
    assert "pview-largest-view" in error
    assert error.count("\n") == 1


def test_a_figure_whose_record_is_damaged_is_not_here_and_those_after_it_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged(_: object) -> NoReturn:
        raise DatError("a.dat", 0x13000000, None, why)

    monkeypatch.setattr(bench, "bench_sweep", damaged)
    monkeypatch.setattr(
        bench, "bench_tick", lambda _: ScenarioResult(TICK.name, ok=True, figures={}, detail="")
    )
    only, why = {SWEEP.name, TICK.name}, "there is no region in this file"
    lines = list(bench._measure(None, is_demo=False, only=only))  # type: ignore[arg-type]
    assert [(line.name, line.ok) for line in lines] == [(SWEEP.name, None), (TICK.name, True)]
    assert lines[0].detail == f"a.dat, object 0x13000000: {why}"
    why = f"{UNREADABLE}: Input/output error"
    with pytest.raises(DatError):  # the disk's fault, not the world's
        list(bench._measure(None, is_demo=False, only=only))  # type: ignore[arg-type]


def test_a_home_that_is_not_there_is_not_loaded_in_no_time() -> None:
    stage = Stage(lambda: World(open_source(demo=DEMO)), "0x12340001 [1 1 0]", {})
    with pytest.raises(StagingError, match="landblock 0x1234 is not there"):
        bench_load(stage)


def test_the_walk_over_borders_starts_where_there_is_room_in_the_demo() -> None:
    simulation = Simulation(World(open_source(demo=DEMO)), SWIFT)
    assert put(simulation, BORDER_WALK).moved_by < 1.0


def test_the_loop_in_pieces_is_the_loop() -> None:
    assert reference_loop(16) == reference_loop(16)
    beside = Beside()
    beside.look()
    beside.look()
    whole = 1000.0 * timed(reference_loop)
    assert whole / 5.0 < beside.loop_ms < whole * 5.0  # the same work, whatever else the machine does


def test_many_cells_are_as_many_as_asked_for_stand_apart_and_lead_nowhere() -> None:
    many = ManyCells(open_source(demo=DEMO), 0xA9B40000, 25)
    world = World(many)
    block = world.load_block(0xA9B40000)
    assert block is not None
    assert len(block.env_cells) == 25
    assert block.buildings == []
    assert not any(cell.seen_outside for cell in block.env_cells.values())
    for cell in block.env_cells.values():
        for portal in cell.portals:
            other = block.env_cells[portal.other_cell_id]
            assert math.dist(cell.frame.origin, other.frame.origin) < SPACING
    assert len({cell.frame.origin for cell in block.env_cells.values()}) == 3  # houses of ten


def test_a_thousand_particles_are_seen_where_they_are_measured_and_nothing_stands_there_else() -> None:
    stage = SimpleNamespace(open_world=lambda: World(open_source(demo=DEMO)), home_block=0xA9B40000)
    count, model_id = bench_particles._fullest(stage)  # type: ignore[arg-type]
    burning = bench_particles.Burning(open_source(demo=DEMO), stage.home_block, count, model_id)
    assert 1_000 <= burning.shown(bench_particles.LIVED) <= 1_100
    block = burning.simulation.world.blocks[0xA9B40000]
    assert (block.env_cells, block.buildings, block.statics) == ({}, [], [])
    assert [thing.model_id for thing in block.entities] == [model_id] * count
    assert all(0.0 < y - burning.eye[1] % 192.0 < 24.0 for y in (e.frame.origin[1] for e in block.entities))


def test_frames_by_the_clock_are_held_to_their_worst_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walk = BorderWalk(own=[1.0] * 200, undrawn=[0.5] * 200, clock=[2.0] * 199 + [60.0], blocks=[1, 2, 3, 4])
    monkeypatch.setattr(bench, "walk_over_borders", lambda *_, **__: walk)
    stage = SimpleNamespace(open_world=lambda: None)
    borders, clock = bench._bench_borders(stage, NOMINAL_LOOP_MS, is_demo=True)  # type: ignore[arg-type]
    assert (borders.name, borders.ok) == ("border-frame-cpu-worst", True)
    assert (clock.name, clock.ok) == ("frames-by-clock-p99", False)  # for its worst frame
    assert clock.figures["scaled_ms"] == 2.0
    walk.clock[-1] = 30.0
    assert bench._bench_borders(stage, NOMINAL_LOOP_MS, is_demo=True)[1].ok  # type: ignore[arg-type]


@posix("signals that ask to end")
def test_a_bench_that_is_asked_to_end_leaves_no_file_of_a_gigabyte(tmp_path: Path) -> None:
    asked = """
import os, signal
from engine.replay import bench
bench.DatFile.open = lambda _: os.kill(os.getpid(), signal.SIGTERM)
bench.BIG_ENTRIES = 30
bench.bench_open(5.0)
"""
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}, check=False
    )
    assert done.returncode == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_house_full_of_things_is_not_copied_until_no_memory_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(many_cells, "MOST_STATICS", 10)
    with pytest.raises(ValueError, match=r"^5000 cells as in .* hold \d+ statics, too many$"):
        ManyCells(open_source(demo=DEMO), 0xA9B40000, 5000)
