"""The table of commands as Markdown, for README and docs."""

from __future__ import annotations

from engine.files.unhurried import MOST
from viewer.tables.markdown import cell_code
from viewer.tables.option import Option
from viewer.tables.options import COMMANDS, by_group
from viewer.tables.shared_options import COMMON_OPTIONS, WORLD_OPTIONS


def command_table() -> str:
    """The commands as a Markdown table, for the README."""
    rows = ["| to | command | does |", "| --- | --- | --- |"]
    for group, commands in by_group():
        for index, command in enumerate(commands):
            rows.append(f"| {'' if index else group} | `holtwalk {command.name}` | {command.summary} |")
    return "\n".join(rows) + "\n"


def command_reference() -> str:
    """Every command with its options in Markdown, for docs/commands.md."""
    without = [f"`{command.name}`" for command in COMMANDS if not command.takes_world]
    lines = [
        "# Commands\n",
        "Made from the option table in `viewer/tables/options.py` by `scripts/write_docs.py`.\n",
        f"Every command takes the common options, all but {', '.join(without[:-1])} and {without[-1]} the",
        "world's as well. A location is written as the game prints it,",
        "`0xA9B40170 [155.0 15.2 94.0] 1 0 0 0` (the quaternion w x y z may be left out), or as map",
        "coordinates, `42.1N 33.6E`. A cell's id alone, `0xA9B40170`, is its middle on its floor; a",
        "landblock's, `0xA9B4` or `0xA9B40000`, the middle of its middle landcell, of a dungeon's its first",
        "room.",
        "Where the body can't be put exactly there, one line on standard error says how far it was moved and",
        "why, and `asked`, `moved_by` (metres) and `reason` of the JSON forms do. A place in another",
        "landblock than its cell's, or more than 5 m off, is refused without `--anywhere`. Exit codes: 0",
        "success, 1 what was checked failed, 2 bad usage or bad input, 130 interrupted (at a terminal by the",
        "signal itself, so that a shell ends the loop that the command ran in), 141 nobody reads the output",
        "any more. Work that takes long says on standard error how far it is; where nothing was said for",
        "15 s, a line there says that the command is still at work, since when and at what. A window says",
        "nothing; where nobody reads what it prints, or reports or records into a pipe, it goes on, and",
        f"{MOST >> 20} MB may wait, at its end for as long as it takes.\n",
        "## World and common options\n",
        *_option_rows(WORLD_OPTIONS + COMMON_OPTIONS),
    ]
    for command in COMMANDS:
        lines += [
            f"\n## {command.name}\n",
            f"`{command.usage}`\n",
            f"{command.summary[0].upper()}{command.summary[1:]}.",
        ]
        lines += ["\n```", command.example, "```"] if command.example else []
        if command.options:
            lines += ["", *_option_rows(command.options)]
    return "\n".join(lines) + "\n"


def _option_rows(options: tuple[Option, ...]) -> list[str]:
    rows = [f"| {cell_code(option.form)} | {option.help}{_detail(option)} |" for option in options]
    return ["| option | meaning |", "| --- | --- |", *rows]


def _detail(option: Option) -> str:
    """What is to be known beside the help: what it goes with, and what counts without it."""
    needs = f"; only with `{option.needs}`" if option.needs else ""
    default = option.default
    if default is None or default is False:
        return needs
    if isinstance(default, tuple):
        default = "x".join(map(str, default))
    elif default is True:
        default = option.metavar.split("|")[0]
    elif isinstance(default, float):
        default = f"{default:g}"
    return f"{needs}; default {default}"
