"""Opens the world that the command line names (sources 1)."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from engine.files.read_once import is_read_here_once, place_for_all
from engine.world.loading.world import World
from engine.world.source import Mark
from engine.world.sources.dats import DatsSource
from engine.world.sources.open_source import SourceArguments, SourceError
from viewer.commands.groundwork.stamps import DAT_FILES, DUMP_FILES, SPAWN_FILES, WORLD_FILES, stamp
from viewer.renderer.gl.resources import MissingResourceError, data_folder
from viewer.report.progress import PartsTold
from viewer.terminal import say
from viewer.user_error import UserError

DATS_VARIABLE = "HOLTWALK_DATS"
READ_FROM = {"demo": WORLD_FILES, "dats": DAT_FILES, "dumps": DUMP_FILES, "spawns": SPAWN_FILES}
"""The endings of what is read from the folders of a world."""


def open_world(args: Namespace, told: PartsTold | None = None) -> World:
    """The world of the options ``dats, dumps, demo, scene, spawns``; the demo where no source is named.

    HOLTWALK_DATS counts where none of the three is given. Objects of the built-in list are told of once.
    ``told`` says how far a spawn list or the world's landblocks are where they take long.
    """
    told = told or PartsTold(args.command)
    try:
        source = source_arguments(args).open(told)
    except SourceError as error:
        raise UserError(str(error)) from error
    count = source.known_objects if isinstance(source, DatsSource) else 0
    if count and not getattr(args, "told_of_doors", False):
        args.told_of_doors = True
        say(f"{count} doors of Holtburg are taken from a built-in list; --no-doors leaves them out")
    world = World(source)
    world.under_way.hear = told
    return world


def source_arguments(args: Namespace) -> SourceArguments:
    """What the options, or HOLTWALK_DATS, say about the source."""
    scene = Path(args.scene) if args.scene else None
    spawns = Path(args.spawns) if args.spawns else None
    if args.dumps:
        _exclusive(args)
        return SourceArguments(dumps=Path(args.dumps), scene=scene, spawns=spawns)
    folder = dats_folder(args)
    if folder == demo_folder():
        return SourceArguments(demo=folder, scene=scene, spawns=spawns)
    return SourceArguments(dats=folder, scene=scene, spawns=spawns, known=_known_doors(args))


def source_for_pieces(args: Namespace) -> SourceArguments:
    """The same for work that opens the source more than once, in other processes too.

    UserError for a pipe, which is read once only.
    """
    named = source_arguments(args)
    return SourceArguments(*(None if path is None else _for_all(path) for path in named))


def _for_all(path: Path) -> Path:
    place = place_for_all(path)
    if place is None:
        what = "a file without a name" if path.is_file() else "a pipe or device"
        raise UserError(f"{path}: is {what}, and this work reads it more than once; name a file")
    return place


def _to_read_again(path: Path) -> Path:
    """Where a file or folder is for every process, where there is such a place."""
    return place_for_all(path) or path


def _known_doors(args: Namespace) -> Path | None:
    """The list of Holtburg's doors, unless the user has doors of his own or wants none."""
    if args.scene or args.spawns or getattr(args, "no_doors", False):
        return None
    try:
        path = data_folder("assets") / "scenes" / "holtburg-doors.json"
    except MissingResourceError:
        return None
    return path if path.exists() else None


def may_be_read_again(args: Namespace) -> bool:
    """Whether the files of a world can be read by another process too: a pipe is empty when it was read."""
    return not any(is_read_here_once(Path(name)) for name in (args.scene, args.spawns) if name)


def dats_folder(args: Namespace) -> Path:
    """The folder of dat files that the options, or HOLTWALK_DATS, name; the demo's for want of one."""
    _exclusive(args)
    named = args.dats or ("" if args.demo else os.environ.get(DATS_VARIABLE, ""))
    return _to_read_again(Path(named)) if named else demo_folder()


def source_folder(args: Namespace) -> Path:
    """The folder that the world's records come from."""
    return Path(args.dumps) if args.dumps else dats_folder(args)


def world_words(args: Namespace) -> list[str]:
    """The options that name the same world from any folder, whatever HOLTWALK_DATS says.

    What is read once only keeps the name that it was given by.
    """
    if args.dumps:
        words = ["--dumps", str(Path(args.dumps).resolve())]
    else:
        folder = dats_folder(args)
        words = ["--demo"] if folder == demo_folder() else ["--dats", str(folder.resolve())]
    for name in ("scene", "spawns"):
        if getattr(args, name):
            path = Path(getattr(args, name))
            place = place_for_all(path)
            words += [f"--{name}", str(path.absolute() if place is None else place.resolve())]
    return words + (["--no-doors"] if getattr(args, "no_doors", False) else [])


def world_stamp(args: Namespace) -> dict[str, list[list[object]]]:
    """What tells the world that the options name from what it was at another time, and what is read as what.

    One folder can hold dats, dumps and spawn lists at once.
    """
    return {
        name: stamp(args, [path], endings=READ_FROM.get(name, ()), below=name == "spawns")
        for name, path in source_arguments(args)._asdict().items()
        if path is not None
    }


def demo_folder() -> Path:
    """Where the demo world's files lie."""
    try:
        return data_folder("assets") / "demo"
    except MissingResourceError as error:
        raise UserError(str(error)) from error


def _exclusive(args: Namespace) -> None:
    given = [name for name in ("dats", "dumps", "demo") if getattr(args, name)]
    if len(given) > 1:
        raise UserError(f"--{given[0]} and --{given[1]} exclude each other")


def report_problems(world: World, *, verbose: bool, after: Mark = (0, 0)) -> None:
    """What was wrong with the data, on stderr: every line when verbose, else how many there are.

    What came before the mark ``after`` has been said.
    """
    problems = world.problems
    tell_problems(problems.since(after), verbose=verbose, count=problems.count_since(after))


def tell_problems(lines: Sequence[str], *, verbose: bool, count: int | None = None) -> None:
    """Lines of what was wrong on stderr: each when verbose, else the first and how many more there are.

    ``count`` is their number where they are not all there.
    """
    if verbose:
        for line in lines:
            say(line)
    elif lines:
        count = len(lines) if count is None else count
        more = f" (and {count - 1} more, see --verbose)" if count > 1 else ""
        say(f"{lines[0]}{more}")
