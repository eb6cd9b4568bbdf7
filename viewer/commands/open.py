"""``holtwalk open``: a bug folder in the window, at its tick."""

from __future__ import annotations

import os
from argparse import Namespace
from functools import partial
from pathlib import Path

from viewer.commands import walk
from viewer.commands.worlds import DATS_VARIABLE
from viewer.tables.arguments import parse
from viewer.terminal import say
from viewer.window.bug_folder import Bug, open_bug, read_bug


def run(args: Namespace) -> int:
    """Open the window on a bug; the world is the one that is named, else the one that the folder names."""
    bug = read_bug(Path(args.folder))
    words = ["walk", "--at", bug.script.start, "--time", repr(bug.facts.hour)]
    if bug.facts.modes:
        words += ["--mode", ",".join(bug.facts.modes)]
    words += _world_words(args, bug)
    if args.size is not None:
        words += ["--size", "{}x{}".format(*args.size)]
    if args.report:
        words += ["--report", args.report]
    _, walk_args = parse(words)
    if bug.facts.asked:
        say(f"{bug.folder}: {bug.facts.asked}")
    return walk.run(walk_args, partial(open_bug, bug=bug))


def _world_words(args: Namespace, bug: Bug) -> list[str]:
    named = [w for name in ("dats", "dumps", "scene", "spawns") if (value := getattr(args, name))
             for w in (f"--{name}", str(value))]  # fmt: skip
    if args.demo:
        named.append("--demo")
    if named or os.environ.get(DATS_VARIABLE):
        return named
    return list(bug.facts.world_words)
