"""``holtwalk open``: a bug folder in the window, at its tick."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from engine import VERSION
from engine.files.read_once import is_read_here_once
from engine.replay.case_names import DUMPS_NAME
from engine.world.sources.json_node import JsonError
from engine.world.sources.scene_file import read_scene
from viewer.commands import walk
from viewer.commands.groundwork.outputs import check_outputs
from viewer.commands.groundwork.worlds import DATS_VARIABLE
from viewer.tables.arguments import parse
from viewer.terminal import say
from viewer.window.sharing.bug_folder import SCENE_NAME, Bug, open_bug, read_bug
from viewer.window.sharing.copied_command import PLACING

SOURCES = ("--dats", "--dumps", "--scene", "--spawns")


def run(args: Namespace) -> int:
    """Open the window on a bug; the world is the one that is named, else the one that the folder names."""
    bug = read_bug(Path(args.folder))
    # Tied to their options: what a folder of somebody else's says never becomes an option itself.
    words = ["walk", f"--at={bug.script.start}", f"--time={bug.facts.hour!r}"]
    if bug.facts.modes:
        words.append(f"--mode={','.join(bug.facts.modes)}")
    words += world_words(args, bug)
    if args.size is not None:
        words += ["--size", "{}x{}".format(*args.size)]
    if args.report:
        words += ["--report", args.report]
    _tell_of_unread_scene(bug, words)
    command, walk_args = parse(words)
    walk.take_window_options(walk_args, args)
    check_outputs(command, walk_args)  # the world may be one that only the folder names
    if bug.facts.asked:
        say(f"{bug.folder}: {bug.facts.asked}")
    if bug.facts.written_by not in ("", VERSION):
        say(f"{bug.folder}: written by Holtwalk {bug.facts.written_by}; this is {VERSION}")
    return walk.run(walk_args, partial(open_bug, bug=bug))


def world_words(args: Namespace, bug: Bug) -> list[str]:
    """The options that open a bug's world. Dats hold no doors: the folder's go with them, if no others do."""
    named = [w for option in SOURCES if (value := getattr(args, option[2:])) for w in (option, str(value))]
    if args.demo:
        named.append("--demo")
    if named or os.environ.get(DATS_VARIABLE):
        scene = bug.folder / SCENE_NAME
        is_placed = {*PLACING, "--dumps"} & set(named) or not os.path.lexists(scene)
        return named if is_placed else [*named, "--scene", str(scene)]
    words, dumps = _with_own_scene(bug), bug.folder / DUMPS_NAME
    if os.path.isdir(dumps) and not _are_here(words):
        what = "" if bug.facts.dumps is None else f" ({bug.facts.dumps.dumped.words})"
        say(f"{bug.folder}: its world is not here; shown from its dumps{what}, without the game's textures")
        return ["--dumps", str(dumps)]
    return words


def _tell_of_unread_scene(bug: Bug, words: Sequence[str]) -> None:
    """Say what is wrong with the folder's own scene where the world goes without it."""
    scene = bug.folder / SCENE_NAME
    if str(scene) in words:
        return
    if not os.path.lexists(scene):
        say(f"{scene}: is not there; doors and objects stand as this world has them now")
        return
    try:
        read_scene(scene, pipes=False)
    except JsonError as error:
        say(f"{error}; it is passed over: this world has its own doors and objects")


def _with_own_scene(bug: Bug) -> list[str]:
    """The options of the world that a bug names; its doors and objects as they were, whatever a file has now.

    A spawn list that is here still brings what stands elsewhere.
    """
    words, scene = list(bug.facts.world_words), bug.folder / SCENE_NAME
    pairs = [pair for pair in pairwise(words) if pair[0] in PLACING]
    if not pairs or not os.path.lexists(scene):
        return words
    for option, name in pairs:
        if option == "--scene" or not os.path.exists(name) or is_read_here_once(Path(name)):
            at = words.index(option)
            del words[at : at + 2]
    return [*words, "--scene", str(scene)]


def _are_here(words: Sequence[str]) -> bool:
    """Whether all files and folders are on this machine that some options name."""
    return all(os.path.exists(value) for option, value in pairwise(words) if option in SOURCES)
