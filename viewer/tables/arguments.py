"""From words on the command line to a command and its options, by the table in `viewer.tables.options`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from engine.files.shown import shown
from viewer.tables.option import ABOUT, Command, Option
from viewer.tables.options import COMMANDS, by_group
from viewer.tables.shared_options import COMMON_OPTIONS, WORLD_OPTIONS, options_of
from viewer.user_error import BadValueError, UserError

MOST_OPTIONS = 2000  # argparse looks through all that are left for each
LONG = 300  # characters of a word of a message, which may be a path of the command line's
OR_TOUR = "--or-tour"
WORKED_ON = ("--landblock", "--type")
HELP = ("-h", "--help")  # what words that ask for it begin with
LOCATION_START = re.compile(r"@|/|\[|0[xX]|\d|[0-9a-fA-F]{8}\b")


def parse(words: list[str]) -> tuple[Command, argparse.Namespace]:
    """The command that the words name and its options; raises UserError on bad usage, SystemExit on --help.

    World options may stand before the command. Without a command, or where the first argument looks like
    a location, it is the walk (promises 1). ``--or-tour`` in front of everything is for the walk only.
    """
    or_tour = words[:1] == [OR_TOUR]
    command, rest = _split(words[1:] if or_tour else words)
    if or_tour and command.name == "walk":
        rest = [OR_TOUR, *rest]
    options = options_of(command)
    parser = _Parser(
        prog=f"holtwalk {command.name}",
        description=command.summary,
        epilog=f"example: {command.example}",
        formatter_class=argparse.HelpFormatter if any(word.startswith(HELP) for word in rest) else _narrow,
        allow_abbrev=False,
    )
    for option in options:
        _add(parser, option)
    joined = _join_values(rest, options)
    for word in joined:  # argparse takes the two dashes out of any value and stores an empty list
        if word.startswith("--") and word.endswith("=--"):
            parser.error(f"argument {word.removesuffix('=--')}: '--' is no value")
    if sum(word.startswith("-") for word in joined) > MOST_OPTIONS:
        parser.error(f"there are more than {MOST_OPTIONS:,} options")
    args = parser.parse_args(joined)
    for option in options:
        if option.needs and _given(args, option.name) and not _given(args, option.needs):
            raise UserError(f"{option.name} means nothing without {option.needs} (see {parser.prog} --help)")
    args.command = command.name
    args.repeated = _repeated(joined, options)
    return command, args


def overview() -> str:
    """What `holtwalk --help` prints."""
    width = max(len(command.name) for command in COMMANDS)
    lines = ["usage: holtwalk [COMMAND] [options]", "", "Each command has --help with all its options."]
    for group, commands in by_group():
        lines += ["", f"to {group}:" if group != ABOUT else "about this installation:"]
        for command in commands:
            lines.append(f"  {command.name:<{width}}  {command.summary}")
            lines.append(f"  {'':<{width}}    {command.example}")
    lines += ["", "options of every command that has a world:"]
    for option in WORLD_OPTIONS + COMMON_OPTIONS:
        lines.append(f"  {f'{option.name} {option.metavar}':<16}  {option.help}")
    return "\n".join(lines)


def _narrow(prog: str) -> argparse.HelpFormatter:
    """For who isn't asked for help: argparse makes one an option, and each looks how wide the terminal is.

    It does so by a module that brings two packers along.
    """
    return argparse.HelpFormatter(prog, width=80)


class _Parser(argparse.ArgumentParser):
    def print_help(self, file: Any = None) -> None:
        print(self.format_help(), end="", file=file)  # argparse tells nobody where that fails

    def error(self, message: str) -> NoReturn:
        words = " ".join(shown(word, LONG) for word in message.split(" "))
        raise UserError(f"{words} (see {self.prog} --help)")


def _split(words: list[str]) -> tuple[Command, list[str]]:
    by_name = {command.name: command for command in COMMANDS}
    with_value = {option.name for option in WORLD_OPTIONS if option.metavar}
    at = 0
    while at < len(words) and words[at].startswith("--"):
        at += 2 if words[at] in with_value else 1
    before, rest = words[:at], words[at:]
    for length in (2, 1):
        name = " ".join(rest[:length])
        if len(rest) >= length and name in by_name:
            return by_name[name], before + rest[length:]
    if rest and not before and not LOCATION_START.match(rest[0]):
        group = [name for name in by_name if name.startswith(rest[0] + " ")]
        known = ", ".join(group or by_name)
        raise UserError(f"no command '{shown(' '.join(rest[: 2 if group else 1]))}'; there are {known}")
    return by_name["walk"], words


def _given(args: argparse.Namespace, name: str) -> bool:
    value = getattr(args, name.removeprefix("--").replace("-", "_"))
    return value is not None and value is not False


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    settings: dict[str, object] = {"help": option.help}
    settings |= {"choices": option.choices} if option.choices else {}
    if option.is_argument:
        settings |= {"metavar": option.metavar, "type": _reader(option)}
        settings |= {"nargs": "+"} if option.many else {} if option.required else {"nargs": "?"}
    elif option.choices:
        settings |= {"default": option.default}
    elif option.metavar:
        settings |= {"metavar": option.metavar, "type": _reader(option), "default": option.default}
        settings |= {"required": option.required, "action": "append" if option.many else "store"}
    else:
        settings |= {"action": "store_true"}
    parser.add_argument(option.name, **settings)  # type: ignore[arg-type]


def _repeated(words: list[str], options: tuple[Option, ...]) -> list[str]:
    """A line for each option that is given more than once, may not be, and says what is worked on or written.

    Of how something looks, the last is known to count: it stands over those of an alias or a script.
    """
    single = {
        o.name
        for o in options
        if (o.is_path or o.writes or o.name in WORKED_ON) and not (o.is_argument or o.many)
    }
    named = (word.partition("=")[::2] for word in words)
    given: dict[str, list[str]] = {}
    for name, value in named:
        if name in single:
            given.setdefault(name, []).append(value)
    return [
        f"{name} is given {len(values)} times; the last, {shown(values[-1], LONG)}, counts"
        for name, values in given.items()
        if len(values) > 1
    ]


def _reader(option: Option) -> Callable[[str], object]:
    def read(text: str) -> object:
        if not text and (option.is_path or option.words):
            raise argparse.ArgumentTypeError(f"'' is empty, not {option.metavar}: {option.help}")
        try:
            return option.kind(text)
        except BadValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"'{shown(text)}' is not {option.metavar}: {option.help}"
            ) from None

    return read


def _join_values(words: list[str], options: tuple[Option, ...]) -> list[str]:
    """Tie every option to its value, so that values may begin with a minus and locations have blanks."""
    valued = {o.name: o for o in options if (o.metavar or o.choices) and not o.is_argument}
    out: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        option = valued.get(word)
        takes_words = option.words if option else any(o.is_argument and o.words for o in options)
        if option is None and word.startswith("-"):
            out.append(word)
            continue
        end = at
        if takes_words:
            while end < len(words) and not words[end].startswith("--"):
                end += 1
        elif option is not None and at < len(words) and not words[at].startswith("--"):
            end = at + 1
        value = " ".join(words[at:end])
        if option is None:
            out.append(f"{word} {value}".rstrip())
        else:
            out.append(f"{word}={value}" if end > at else word)
        at = end
    return out
