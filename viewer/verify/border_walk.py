"""A walk over landblock borders as the window takes it, off screen: what its frames cost (promises 12)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.world.ids import block_of
from engine.world.loading.process_builder import Site
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from viewer.picture.horizon import view_distance
from viewer.picture.offscreen import OffscreenRenderer
from viewer.places import put
from viewer.renderer.render_options import RenderOptions
from viewer.window.calm_collections import calm_collections
from viewer.window.walking.walk import Walk

SWITCH_SECONDS = 0.001  # so long at most the worker keeps a frame waiting for the interpreter
SWIFT = MoverSettings(run_skill=10_000.0)
STANDING, RUNNING = MovementInput(), MovementInput(forward=1, run=True)
WARM_UP = 10
MOST_FRAMES = 4000


@dataclass(slots=True)
class BorderWalk:
    """Milliseconds a frame: of the frames' own thread, of that without drawing, and by the clock.

    ``blocks`` are the landblocks that the body came through, ``loaded`` how many came on the way.
    """

    own: list[float] = field(default_factory=list)
    undrawn: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    loaded: int = 0

    @property
    def borders(self) -> int:
        """How many were crossed."""
        return len(self.blocks) - 1


def walk_over_borders(
    world: World,
    place: str,
    *,
    borders: int,
    reach: tuple[int, int],
    size: tuple[int, int],
    most_frames: int = MOST_FRAMES,
    at_border: Callable[[], None] = lambda: None,
    site: Site | None = None,
) -> BorderWalk:
    """Run straight on from a place over so many borders, landblocks coming and going.

    Frames follow one another without a pause, a tick each; ``borders`` may not be reached where something
    is in the way. ``reach`` are the landblocks in sight, objects and ground. With a ``site`` another process
    builds. ``at_border`` is called with every landblock that the body comes into.
    """
    out = BorderWalk()
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        with ExitStack() as stack:
            streamer = stack.enter_context(closing(Streamer(world, *reach, site=site)))
            simulation = Simulation(world, SWIFT, residency=streamer)
            put(simulation, place)
            screen = stack.enter_context(OffscreenRenderer(simulation, size))
            screen.ctx.extra = None  # as in a window, which waits for nothing amid a frame
            screen.renderer.scene.follow(streamer)
            screen.renderer.blocks_per_frame = 1
            streamer.start()
            walk = Walk(simulation)
            stack.enter_context(calm_collections(world))
            options = RenderOptions(view_distance=view_distance(reach[1]))
            there, came = set(world.blocks), set(world.blocks)
            for number in range(-WARM_UP, most_frames):
                times = _frame(walk, screen, options, RUNNING if number >= 0 else STANDING)
                came.update(world.blocks)
                if number >= 0:
                    for figures, seconds in zip((out.own, out.undrawn, out.clock), times, strict=True):
                        figures.append(1000.0 * seconds)
                    block = block_of(simulation.position.cell_id)
                    if block not in out.blocks:
                        out.blocks.append(block)
                        at_border()
                if out.borders >= borders and not streamer.busy:
                    break
            out.loaded = len(came - there)
    finally:
        sys.setswitchinterval(before)
    return out


def _frame(
    walk: Walk, screen: OffscreenRenderer, options: RenderOptions, controls: MovementInput
) -> tuple[float, float, float]:
    """One frame with its tick; seconds of this thread, of it without drawing, and by the clock."""
    clock, start = time.perf_counter(), time.thread_time()
    renderer = screen.renderer
    walk.advance(TICK, controls)
    picture = walk.look_out(screen.size, TICK)
    renderer.scene.update(picture.root, renderer.blocks_per_frame)
    updated = time.thread_time()
    renderer.draw(picture, walk.objects(), options)
    screen.ctx.finish()
    return time.thread_time() - start, updated - start, time.perf_counter() - clock
