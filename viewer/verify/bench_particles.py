"""What particles cost a frame: the drawing thread's own time for a thousand of them that are seen."""

from __future__ import annotations

import gc
import math
import statistics
import time
from itertools import pairwise

from engine.dat.values import Vec3
from engine.particles.effects import on_map
from engine.physics.enums import TICK
from engine.physics.simulation.simulation import Simulation
from engine.replay.bench import Target, result
from engine.replay.many_things import MIDDLE, ManyThings
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.scenario import ScenarioResult, StagingError
from engine.replay.scenarios.stage import Stage, put
from engine.replay.yardstick import Beside
from engine.world.loading.world import World
from engine.world.source import WorldSource
from viewer.picture.live_effects import LiveEffects
from viewer.verify.picture_stage import Onlooker

PARTICLES = Target("particles-1000", 1.0, "ms")
COUNT = 1_000
FRAMES, WARM_UP = 60, 10
LIVED = 10.0  # seconds, until as many are born as die
BACK = 12.0  # metres from the things to who looks at them
SMALL = (64, 36)
MODELS_AT_MOST = 200  # that are tried; a village has some ten


class Burning:
    """A body before so many things of a model with a script."""

    def __init__(self, source: WorldSource, block_id: int, count: int, model_id: int) -> None:
        try:
            many = ManyThings(source, block_id, count, model_id)
        except ValueError as error:
            raise StagingError(str(error)) from error
        self.simulation = Simulation(World(many))
        cell_id, place = many.at(MIDDLE[0], MIDDLE[1] - BACK)
        put(self.simulation, cell_id, place, 0.0)
        self.effects = LiveEffects(self.simulation)
        self.eye = on_map(cell_id, self.simulation.position.frame).origin

    def shown(self, now: float) -> int:
        """How many particles are seen at a time; as many again are getting ready for what comes."""
        return len(self.effects.shown(now, self.eye, _always))


def bench_particles(stage: Stage) -> ScenarioResult:
    """What they take at 60 frames a second, two a tick: births and deaths, places, rows for the GPU.

    They are of what makes most of them in the home landblock, as often as a thousand need. Their draws, a
    call for each kind, are left out: what they take is the GPU's, or software GL's, which works out vertices.
    """
    count, model_id = _fullest(stage)
    burning = Burning(stage.open_world().source, stage.home_block, count, model_id)
    effects = burning.effects
    parts: dict[str, list[float]] = {"tick": [], "places": [], "rows": []}
    seen: list[int] = []
    beside = Beside()
    with Onlooker(burning.simulation, SMALL) as onlooker:
        meshes = onlooker.renderer.scene.particles
        gc.collect()
        gc.freeze()
        try:
            for number in range(WARM_UP + FRAMES):
                now = LIVED + TICK * (number // 2 + number % 2 / 2.0)
                times = [time.thread_time()]
                if number % 2 == 0:
                    effects.advance(now)
                times.append(time.thread_time())
                shown = effects.shown(now, burning.eye, _always)
                times.append(time.thread_time())
                meshes.begin(shown, _unlit)
                times.append(time.thread_time())
                if number >= WARM_UP:
                    for name, (a, b) in zip(parts, pairwise(times), strict=True):
                        parts[name].append(1000.0 * (b - a))
                    seen.append(len(shown))
                beside.look()
        finally:
            gc.unfreeze()
            effects.close()
    median = {name: statistics.median(times) for name, times in parts.items()}
    median["tick"] = statistics.median(parts["tick"][::2]) / 2.0  # one in two frames
    detail = f"median of {FRAMES} frames, {count} things that make them"
    spread = {f"{name}_ms": round(ms, 2) for name, ms in median.items()}
    alive = round(statistics.median(seen))
    return result(PARTICLES, sum(median.values()), beside.loop_ms, detail, **spread, particles=alive)


def _fullest(stage: Stage) -> tuple[int, int]:
    """The model of the home landblock with the most particles, and how many of it make a thousand."""
    world = stage.open_world()
    block = world.load_block(stage.home_block)
    models = {placed.model_id for placed in block.statics} if block is not None else set()
    seen: dict[int, int] = {}
    scripted = [n for n in sorted(models) if (model := world.model(n)) is not None and model.script]
    for model_id in evenly(scripted, MODELS_AT_MOST, "models").things:
        seen[model_id] = Burning(world.source, stage.home_block, 1, model_id).shown(LIVED)
    most = max(seen, key=seen.__getitem__, default=0)
    if not seen.get(most):
        raise StagingError("nothing in the home landblock makes particles")
    return math.ceil(COUNT / seen[most]), most


def _always(_: int) -> bool:
    return True


def _unlit(_: int, __: Vec3) -> Vec3:
    return 0.0, 0.0, 0.0
