"""``holtwalk completion``: a script by which a shell completes commands and options, made by shtab."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

import shtab

from viewer.tables.option import Command, Option
from viewer.tables.options import COMMANDS
from viewer.tables.shared_options import options_of


def run(args: Namespace) -> int:
    """Print it."""
    print(shtab.complete(completed_parser(), shell=args.shell))
    return 0


def completed_parser() -> ArgumentParser:
    """A parser with every command and option of the table, for shtab; nothing is parsed with it.

    World options, and the walk's, may stand before a command.
    """
    parser = ArgumentParser("holtwalk", description="Walk through the world and see why it behaves so.")
    parser.add_argument("--version", action="store_true", help="say which version this is")
    walk = next(command for command in COMMANDS if command.name == "walk")
    for option in options_of(walk):
        if not option.is_argument:
            _add(parser, walk, option)
    below: Any = parser.add_subparsers()
    groups: dict[str, Any] = {}
    for command in COMMANDS:
        group, _, name = command.name.rpartition(" ")
        if group and group not in groups:
            summary = f"commands of {group}"
            groups[group] = below.add_parser(group, help=summary, description=summary).add_subparsers()
        place = groups.get(group, below)
        one = place.add_parser(name, help=command.summary, description=command.summary)
        for option in options_of(command):
            _add(one, command, option)
    return parser


def _add(parser: ArgumentParser, command: Command, option: Option) -> None:
    values = list(_values(command, option))
    settings: dict[str, Any] = {"help": option.help.replace("%", "%%")}
    if not option.is_argument and not option.metavar and not option.choices:
        settings["action"] = "store_true"
    elif values:
        settings["choices"] = values
    if option.is_argument and not values:
        settings["metavar"] = option.metavar
    if option.is_argument and option.many:
        settings["nargs"] = "+"
    action: Any = parser.add_argument(option.name, **settings)
    if option.reads is not None or option.writes:
        is_folder = option.metavar == "DIR"
        action.complete = shtab.DIRECTORY if is_folder else shtab.FILE


def _values(command: Command, option: Option) -> Iterator[str]:
    """What a shell may offer: the choices, what the table suggests, the names that `--only` takes."""
    yield from option.choices or option.suggests
    if option.name == "--only":
        from viewer.commands.bench import FIGURES
        from viewer.verify.verification import NAMES

        yield from NAMES if command.name == "verify" else sorted(FIGURES)
