"""What frames cost in the street, in a town and at its edge: the drawing thread's own time, by its parts."""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.physics.simulation.simulation import Simulation
from engine.replay.bench import LARGE_VIEW, Target, resident_mb, result
from engine.replay.scenarios.scenario import ScenarioResult, StagingError
from engine.replay.scenarios.stage import Stage, put
from engine.replay.town import COLUMNS, ROWS, TownSource
from engine.replay.yardstick import Beside
from engine.world.loading.world import World
from viewer.verify.picture_stage import Onlooker

FRAME = Target("frame-cpu", 3.4, "ms")
STREET = Target("frame-street", 5.8, "ms")
TOWN = Target("frame-town", 8.0, "ms")
EDGE = Target("frame-town-edge", 11.0, "ms")
CROWD = Target("frame-town-400-entities", 10.5, "ms")
FRAMES, WARM_UP = 60, 10
SMALL = (64, 36)  # so small that a software rasteriser has next to nothing to fill
PLACES = {TOWN: ((96.0, 80.0), 0.0), EDGE: (((4.0, 4.0)), 45.0), CROWD: ((96.0, 80.0), 0.0)}
FEW, MANY = 100, 400
MOST_RESIDENT_MB = 256.0  # that a town may take with all that draws it, the software GL's part included


@dataclass(frozen=True, slots=True)
class Parts:
    """Milliseconds of a frame's parts, one each a frame."""

    tick: list[float]
    visible: list[float]
    draw: list[float]


def bench_inn(stage: Stage) -> ScenarioResult:
    """Frames in the view that sees the most cells: tick, traversal, submission; overlay off."""
    return _frames(FRAME, _put_at(stage, LARGE_VIEW), LARGE_VIEW, {})


def bench_street(stage: Stage) -> ScenarioResult:
    """Frames in the village's street."""
    return _frames(STREET, _put_at(stage, "street"), "street", {})


def _put_at(stage: Stage, name: str) -> Simulation:
    simulation = stage.simulation()
    place = stage.place(name)
    put(simulation, place.cell_id, place.frame.origin, place.frame.heading())
    return simulation


def bench_town(stage: Stage, target: Target) -> ScenarioResult:
    """Frames in a town of 30 houses made of the village's, with a hundred entities or four."""
    entities = MANY if target is CROWD else FEW
    before = resident_mb()
    own = stage.open_world()
    doors = [thing.model_id for thing in own.source.scene().objects if thing.entity_id is not None]
    if not doors:
        raise StagingError("no entity stands in this world's scene to fill a town with")
    try:
        town = TownSource(own.source, stage.home_block, entities, doors[0])
    except ValueError as error:
        raise StagingError(str(error)) from error
    simulation = Simulation(World(town))
    (x, y), heading = PLACES[target]
    cell_id = stage.home_block | 1 + 8 * int(x // 24.0) + int(y // 24.0)
    put(simulation, cell_id, (x, y, town.height), heading)
    block = simulation.world.blocks[stage.home_block]
    if len(block.buildings) < COLUMNS * ROWS:
        raise StagingError(f"only {len(block.buildings)} of the town's {COLUMNS * ROWS} houses can be built")
    more: dict[str, object] = {"cells": len(block.env_cells), "entities": len(block.entities)}
    line = _frames(target, simulation, f"{len(block.buildings)} houses", more)
    resident = resident_mb() - before
    line.figures.update(more_resident_mb=round(resident, 1), target_resident_mb=MOST_RESIDENT_MB)
    return replace(line, ok=line.ok and resident <= MOST_RESIDENT_MB)


def _frames(target: Target, simulation: Simulation, where: str, more: dict[str, object]) -> ScenarioResult:
    parts, beside, draws, all_threads = Parts([], [], []), Beside(), 0, []
    heading = simulation.position.frame.heading()
    with Onlooker(simulation, SMALL) as onlooker:
        onlooker.renderer.ctx.extra = None  # as in a window, which waits for nothing amid a frame
        gc.collect()
        gc.freeze()
        try:
            for number in range(WARM_UP + FRAMES):
                # A clock of this thread alone leaves out those of the driver; what all take is told beside.
                before = time.process_time()
                times = [time.thread_time()]
                simulation.walk_tick()
                times.append(time.thread_time())
                picture, objects = onlooker.view(heading + number % 2 * 0.5)
                times.append(time.thread_time())
                draws = onlooker.renderer.draw(picture, objects).draws
                times.append(time.thread_time())
                if number >= WARM_UP:
                    all_threads.append(1000.0 * (time.process_time() - before))
                    spans = [1000.0 * (b - a) for a, b in pairwise(times)]
                    for part, span in zip((parts.tick, parts.visible, parts.draw), spans, strict=True):
                        part.append(span)
                beside.look()
        finally:
            gc.unfreeze()
    whole = statistics.median(map(sum, zip(parts.tick, parts.visible, parts.draw, strict=True)))
    spread = {
        f"{name}_ms": round(statistics.median(times), 2)
        for name, times in (("tick", parts.tick), ("visible", parts.visible), ("draw", parts.draw))
    }
    spread["all_threads_ms"] = round(statistics.median(all_threads), 2)
    detail = f"median of {FRAMES} frames, {where}, {SMALL[0]}x{SMALL[1]}"
    return result(target, whole, beside.loop_ms, detail=detail, **spread, draws=draws, **more)
