"""``holtwalk walk``: the window (promises 11)."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.physics.simulation.asked_place import Arrival
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import PictureView
from engine.world.loading.process_builder import Site
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.source import WorldSource
from viewer.commands import tour
from viewer.commands.groundwork.outputs import check_outputs
from viewer.commands.groundwork.problem_log import ProblemLog
from viewer.commands.groundwork.session import recording
from viewer.commands.groundwork.worlds import (
    DATS_VARIABLE,
    dats_folder,
    demo_folder,
    may_be_read_again,
    open_world,
    report_problems,
    source_arguments,
    world_words,
)
from viewer.deaf_calls import ended_when_unheard
from viewer.picture.day_clock import DayClock
from viewer.places import put
from viewer.renderer.scene.block_maker import BlockMaker
from viewer.report.still_there import still_there
from viewer.tables.options import COMMANDS, WINDOW_SIZE
from viewer.tables.settings import SETTINGS
from viewer.tables.shared_options import DISTANCES
from viewer.terminal import heard, nobody_waits, say
from viewer.user_error import UserError
from viewer.user_folders import NOTHING_KEPT, config_folder
from viewer.verify.border_walk import SWITCH_SECONDS
from viewer.window.calm_collections import calm_collections
from viewer.window.first_place import front_of_house, told_of_world
from viewer.window.user_files.key_file import settings_folder
from viewer.window.user_files.user_settings import Settings
from viewer.window.user_files.window_place import PlaceFile
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    import moderngl

OPENING = "opening the world"  # said of: `open` and `replay --window` begin here as well


def run(args: Namespace, prepare: Callable[[Walk], str] | None = None) -> int:
    """Open the window and walk until it is closed.

    ``prepare`` does something to the walk before that; what it returns is shown.
    """
    if args.where and args.at:
        raise UserError("name the place once: as the first argument or with --at")
    folder = config_folder()
    settings = settings_over(args, folder)
    if folder is None:
        settings.complaints.append(NOTHING_KEPT)
    for line in settings.complaints:
        say(line)
    gc.set_threshold(0)  # what is made stays until the first picture is there; then the window sees to it
    with still_there(OPENING):  # until there is a window
        world = _open(args, settings)
    with closing(_streamer(args, world)) as streamer:
        with still_there(OPENING):
            simulation = Simulation(world, residency=streamer)
            arrival = _start(args, simulation, settings)
        report_problems(world, verbose=args.verbose)
        return _walk(args, simulation, streamer, notice=arrival.words, settings=settings, prepare=prepare)


def _streamer(args: Namespace, world: World) -> Streamer:
    """Loads landblocks in another process, unless that can't read again what this one has read."""
    site = Site(source_arguments(args), BlockMaker) if may_be_read_again(args) else None
    return Streamer(world, min(args.objects, args.radius), args.radius, site=site)


def settings_over(args: Namespace, folder: Path | None = None) -> Settings:
    """The settings of a folder under the options, whose distances are filled in from them."""
    settings = Settings(folder, {s.name: getattr(args, s.name, None) for s in SETTINGS})
    args.radius, args.objects = int(settings.number("radius")), int(settings.number("objects"))
    return settings


def take_window_options(walk_args: Namespace, args: Namespace) -> None:
    """Give a walk what options of the window another command had, as they stand."""
    for setting in SETTINGS:
        if not setting.option:
            setattr(walk_args, setting.name, getattr(args, setting.name))


def _open(args: Namespace, settings: Settings) -> World:
    """The world of the options, else of the settings; where that can't be opened one line says so."""
    named = args.dats or args.dumps or args.demo or os.environ.get(DATS_VARIABLE)
    folder = settings.from_file.get("dats")
    if folder and not named:
        args.dats = str(folder)
        _check_outputs("walk", args)  # now that it is known what is read
        try:
            return open_world(args)
        except (UserError, OSError) as error:
            why = str(error) if isinstance(error, UserError) else f"{error.filename}: {error.strerror}"
            say(f"settings.toml: dats: {why}; this is the demo")
            args.dats = None
    return open_world(args)


def _start(args: Namespace, simulation: Simulation, settings: Settings) -> Arrival:
    """Put the body where the options say, else the settings, else where the world begins."""
    if asked := args.where or args.at:
        return put(simulation, asked, anywhere=args.anywhere)
    if start := settings.from_file.get("start"):
        try:
            return put(simulation, str(start), anywhere=args.anywhere)
        except UserError as error:
            say(f"settings.toml: start: {error}; this is where the world begins")
    front = front_of_house(simulation.world)
    home = front or simulation.world.source.home()
    # Nobody has named the cell of what was chosen before a house: two of the ground's may meet there.
    return put(simulation, home, anywhere=args.anywhere, finds_cell=bool(front))


def _walk(
    args: Namespace, simulation: Simulation, streamer: Streamer, *, notice: str, settings: Settings,
    prepare: Callable[[Walk], str] | None,
) -> int:  # fmt: skip
    from viewer.window.app import App
    from viewer.window.display.open_window import open_window

    simulation.world.under_way.hear = None  # from now on the window shows what is there
    clock = DayClock.of_world(simulation.world, args.time, args.day_group)
    folder = config_folder()
    place_file = PlaceFile(None if folder is None else folder / "window.toml")
    if place_file.complaint:
        say(place_file.complaint)
    saved = place_file.saved
    is_asked = args.size is not None
    if not is_asked:
        args.size = WINDOW_SIZE if saved is None else (saved.width, saved.height)
    try:
        with still_there(f"opening a window on {os.environ.get('DISPLAY') or 'the screen'}"):
            window = open_window(args.size, vsync=bool(settings["vsync"]), saved=saved, fit=not is_asked)
        place_file.opened(args.size, given=window.size)
    except UserError as error:
        if not args.or_tour:
            raise
        say(f"{error}; drawing the tour instead")
        return _tour(args, simulation.world.source)
    from viewer.renderer.renderer import Renderer
    from viewer.window.walking.scene_drawer import SceneDrawer

    renderer = Renderer(window.ctx, simulation.world, *window.buffer_size)
    renderer.scene.follow(streamer)
    renderer.blocks_per_frame = 1  # the first picture comes with the first landblock
    sys.setswitchinterval(SWITCH_SECONDS)
    streamer.start()
    problems = ProblemLog(simulation.world, verbose=args.verbose)

    report = Path(args.report) if args.report else None

    def tell_end(line: str) -> None:
        walk.tell_end_of_file(line)

    with nobody_waits(), recording(simulation, args, on_end=tell_end):
        walk = Walk(
            simulation,
            third_person=args.view == "third",
            strict_root=args.root == "strict",
            report_file=report,
            clock=clock,
        )
        walk.settings = settings
        walk.modes = args.mode or ()
        walk.distances = {name: getattr(args, name) for name in DISTANCES}
        walk.world_words = world_words(args)
        walk.questions.audits.source = walk.questions.map.world.source = source_arguments(args)
        walk.questions.map.world.folder = settings_folder()
        walk.notice, walk.anywhere = notice, args.anywhere
        if prepare is not None:
            walk.notice = prepare(walk)
        drawer = SceneDrawer(renderer, walk)
        problems.unsaid = partial(walk.questions.log.add, is_error=True)

        def draw(picture: PictureView, onto: moderngl.Framebuffer, size: tuple[int, int]) -> None:
            drawer.draw(picture, onto, size)
            problems.say_new()

        is_first = prepare is None and bool(settings["first_steps"])
        app = App(window, walk, draw, place_file, told=partial(told_of_world, simulation.world))
        if is_first:
            app.deeds.show_card()
        with calm_collections(simulation.world), heard(walk.questions.log.hear), problems.until_end():
            for line in (*settings.complaints, *simulation.world.problems.lines):
                walk.questions.log.add(line, is_error=True)
            app.run()
    return 0


def _check_outputs(name: str, args: Namespace) -> None:
    check_outputs(next(command for command in COMMANDS if command.name == name), args)


def _tour(args: Namespace, source: WorldSource) -> int:
    """The tour with what it shares with the walk's options, whose source may have come through a pipe."""
    is_demo = not args.dumps and dats_folder(args) == demo_folder()
    args = Namespace(**{**vars(args), "out": "tour", "dats": None, "dumps": None, "demo": True})
    if not is_demo and not may_be_read_again(args):
        args.scene = args.spawns = None  # what came for another world
    _check_outputs("tour", args)
    if args.report:
        say(f"--report: {args.report} is not written: no window draws a frame")
    with still_there("tour"), ended_when_unheard():  # as where it is asked for by its own name
        return tour.run(args, source if is_demo else None)
