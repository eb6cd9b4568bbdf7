"""What a sweep and a traversal cost with more and more loaded around: what is touched and seen, no more."""

from __future__ import annotations

import statistics
from functools import partial
from itertools import islice

from engine.physics.simulation.simulation import Simulation
from engine.replay.bench import Target, back_and_forth, sweeping
from engine.replay.many_cells import ManyCells
from engine.replay.scenarios.scenario import ScenarioResult, StagingError
from engine.replay.scenarios.stage import SLOW, Stage, put
from engine.replay.yardstick import NOMINAL_LOOP_MS, Beside, timed
from engine.visibility.camera import first_person_eye, pivot_of
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import build_view
from engine.visibility.view import View, vertical_fov
from engine.world.loading.world import World

MOST = 1.5  # times what it is in the smallest block
SWEEPS, VIEWS = Target("growth-of-sweep", MOST, "times"), Target("growth-of-pview", MOST, "times")
COUNTS = (10, 100, 1_000, 5_000)
SAMPLES = 100


def bench_growth(stage: Stage) -> list[ScenarioResult]:
    """Both in a room of the same house, the landblock holding ever more copies of it."""
    sweeps: list[float] = []
    views: list[float] = []
    for count in COUNTS:
        simulation = _in_a_house(stage, count)
        beside = Beside()
        sweep, view = [], []
        look = partial(_look, simulation, OpeningIndex())
        for i in range(SAMPLES):
            x, y = back_and_forth((SLOW, 0.0, 0.0), i)
            sweep.append(timed(sweeping(simulation, x, y)))
            view.append(timed(look))
            beside.look()
        scale = 1e6 * NOMINAL_LOOP_MS / beside.loop_ms
        sweeps.append(scale * statistics.median(sweep))
        views.append(scale * statistics.median(view))
    return [_line(SWEEPS, sweeps), _line(VIEWS, views)]


def _line(target: Target, scaled: list[float]) -> ScenarioResult:
    growth = scaled[-1] / scaled[0]
    figures: dict[str, object] = {
        f"scaled_us_{count}_cells": round(us, 1) for count, us in zip(COUNTS, scaled, strict=True)
    }
    figures |= {"growth": round(growth, 2), "target_growth": target.limit}
    detail = f"{COUNTS[-1]} cells in a landblock against {COUNTS[0]}, in the same room"
    return ScenarioResult(target.name, growth <= target.limit, figures, detail)


def _in_a_house(stage: Stage, count: int) -> Simulation:
    """A body in the middle of the first room in which there is place for it."""
    try:
        many = ManyCells(stage.open_world().source, stage.home_block, count)
    except ValueError as error:
        raise StagingError(str(error)) from error
    simulation = Simulation(World(many))
    block = simulation.world.load_block(stage.home_block)
    cells = block.env_cells.values() if block is not None else ()
    for cell in islice(cells, many.rooms):
        x, y, z = cell.frame.origin
        try:
            put(simulation, cell.id, (x, y, z + 0.01))
        except StagingError:
            continue
        if simulation.position.cell_id == cell.id and simulation.body.on_ground:
            return simulation
    raise StagingError("no room of the smallest house has a place for a body")


def _look(simulation: Simulation, index: OpeningIndex) -> object:
    body = simulation.body
    pivot = pivot_of(body.position.frame.origin)
    yaw = body.position.frame.heading()
    eye = first_person_eye(pivot, yaw)
    view = View.from_angles(eye, yaw, 0.0, fov_y=vertical_fov(16.0 / 9.0), width=1280, height=720)
    cell_id = body.position.cell_id
    return build_view(
        simulation.world, cell_id, foot=pivot, pivot=pivot, eye=eye, view=view, options=None, index=index
    )
