"""``holtwalk walk``: the window (promises 11)."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import moderngl

from engine.physics.simulation.simulation import Simulation
from engine.visibility.frame_view import FrameView
from engine.world.loading.streaming import Streamer
from viewer.commands import tour
from viewer.commands.outputs import check_outputs
from viewer.commands.session import recording
from viewer.commands.worlds import ProblemLog, open_world, report_problems, world_words
from viewer.errors import UserError
from viewer.picture.day_clock import DayClock
from viewer.places import put
from viewer.tables.options import COMMANDS, DISTANCES
from viewer.terminal import say
from viewer.verify.border_walk import SWITCH_SECONDS
from viewer.window.walk import Walk


def run(args: Namespace) -> int:
    """Open the window and walk until it is closed."""
    if args.where and args.at:
        raise UserError("name the place once: as the first argument or with --at")
    world = open_world(args)
    with closing(Streamer(world, min(args.objects, args.radius), args.radius)) as streamer:
        simulation = Simulation(world, residency=streamer)
        arrival = put(simulation, args.where or args.at or world.source.home(), args.anywhere)
        report_problems(world, args.verbose)
        return _walk(args, simulation, streamer, arrival.words)


def _walk(args: Namespace, simulation: Simulation, streamer: Streamer, notice: str) -> int:
    from viewer.window.app import App, open_window

    clock = DayClock.of_world(simulation.world, args.time, args.day_group)
    try:
        window = open_window(args.size)
    except UserError as error:
        if not args.or_tour:
            raise
        say(f"{error}; drawing the tour instead")
        return _tour(args)
    from viewer.renderer.renderer import Renderer
    from viewer.window.scene_drawer import SceneDrawer

    renderer = Renderer(window.ctx, simulation.world, *window.buffer_size)
    renderer.scene.follow(streamer)
    renderer.blocks_per_frame = 1  # the first picture comes with the first landblock
    sys.setswitchinterval(SWITCH_SECONDS)
    streamer.start()
    problems = ProblemLog(simulation.world)

    report = Path(args.report) if args.report else None
    with recording(simulation, args):
        walk = Walk(simulation, args.view == "third", args.root == "strict", report, clock)
        walk.modes = args.mode or ()
        walk.distances = {name: getattr(args, name) for name in DISTANCES}
        walk.world_words = world_words(args)
        walk.notice, walk.anywhere = notice, args.anywhere
        drawer = SceneDrawer(renderer, walk)

        def draw(frame: FrameView, onto: moderngl.Framebuffer, size: tuple[int, int]) -> None:
            drawer.draw(frame, onto, size)
            problems.say_new()

        App(window, walk, draw).run()
    return 0


def _tour(args: Namespace) -> int:
    """The tour with what it shares with the walk's options."""
    args = Namespace(**{**vars(args), "out": "tour", "dats": None, "dumps": None, "demo": True})
    check_outputs(next(command for command in COMMANDS if command.name == "tour"), args)
    return tour.run(args)
