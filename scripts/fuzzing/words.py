"""Command lines that somebody, or something, got wrong: run as they are, in a folder of their own."""

from __future__ import annotations

import io
import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

from engine.files.write import write_bytes
from engine.world.sources.json_node import JsonError
from scripts.fuzzing.samples import PLACE
from viewer.main import main
from viewer.tables.option import Option
from viewer.tables.options import COMMANDS
from viewer.tables.shared_options import options_of

LONGEST = 1000  # characters of a line
MOST_LINES = 60  # of complaints
SOUND = (
    f"cell|--at|{PLACE}",
    f"cell|--at|{PLACE}|--json|--demo",
    f"pvs|--at|{PLACE}|--look|90,0|--why|0xA9B40170|--json",
    "audit|--jobs|1|--json",
    "audit|--state|work.state|--jsonl|--jobs|1|--progress",
    "dat ls|--type|Setup",
    "dat show|0x02000A12|--json",
    "dat extract|0x02000A12|--out|out.bin",
    "replay|capture.jsonl|--compare|capture|--jobs|1",
    "sim|sim.json|--record|recorded.jsonl|--json",
    "sim|--cases|cases|--jobs|1",
)
HOSTILE = (
    "", " ", "-", "--", "---", "-1", "0", "1", "1e999", "nan", "0x", "0x" + "f" * 5000, "9" * 5000, "é" * 300,
    "\x1b[2J", "\u202e", "a\nb", "\udcff", "x" * 300, "x" * 100_000, ".", "..", "/", "/dev/null",
    "/proc/self/mem", "nowhere/at/all", "sim.json", "capture.jsonl", "cases", "link", "work.state", "out.png",
    "--=", "--json=1", "=", "@sim.json", "%s%n", PLACE, "0xFFFFFFFF [0 0 0]", "42.1N 33.6E",
    "0xA9B40000 [1e38 0 0]", "1,2", "1,2,3", "nan,nan", "64x64", "0x0",
)  # fmt: skip
SLOW = ("walk", "tour", "render", "bench", "verify")  # drawing, and what measures, is tried elsewhere
GIVEN = "--jobs"  # so many processes as a damaged number names are not to be had


def use_words(folder: Path, dice: Random) -> None:
    """Run one damaged command line; AssertionError for an answer that is none, JsonError for a refusal."""
    work = folder / "words"
    work.mkdir(exist_ok=True)
    for name in ("sim.json", "capture.jsonl"):
        write_bytes(work / name, b"{}\n")
    if not os.path.lexists(work / "link"):
        (work / "link").symlink_to("sim.json")
    words = damaged_words(dice)
    out, err = io.StringIO(), io.StringIO()
    with chdir(work), redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    # A terminal is sent what its letters are for: the rest of a name goes out as numbers.
    lines = err.getvalue().encode("utf-8", "backslashreplace").decode().splitlines()
    if code not in (0, 1, 2) or len(lines) > MOST_LINES:
        raise AssertionError(f"{words!r:.300}: code {code}, {len(lines)} lines")
    for line in lines:
        if len(line) > LONGEST or "internal error" in line or "Traceback" in line or not line.isprintable():
            raise AssertionError(f"{words!r:.300}: {line[:300]!r}")
    if code == 2:
        if not lines:
            raise AssertionError(f"{words!r:.300}: refused without a word")
        raise JsonError(lines[-1])


def damaged_words(dice: Random) -> list[str]:
    """A command line with one to three words taken away, doubled, changed or put in."""
    command, *words = dice.choice(SOUND).split("|")
    options = next(options_of(known) for known in COMMANDS if known.name == command)
    for _ in range(dice.randint(1, 3)):
        at = dice.randint(0, len(words))
        match dice.randrange(5):
            case 0 if words:
                del words[at : at + 1]
            case 1 if words:
                words[at:at] = words[max(0, at - 1) : at + 1]
            case 2:
                words[at : at + 1] = [dice.choice(HOSTILE)]
            case _:
                words[at:at] = _option(dice.choice(options), dice)
    for at in range(len(words) - 1):
        if words[at] == GIVEN and words[at + 1] not in ("0", "-1", "1", "nan", ""):
            words[at + 1] = "1"
    names = command.split() if dice.random() < 0.97 else [dice.choice(HOSTILE[:20])]
    return [*names, *words] if names[0] not in SLOW else names


def _option(option: Option, dice: Random) -> list[str]:
    """An option with a value that need not fit it."""
    if not option.is_argument and option.name == GIVEN:
        return [GIVEN, "1"]
    value = dice.choice(option.choices) if option.choices and dice.random() < 0.5 else dice.choice(HOSTILE)
    names = [] if option.is_argument else [option.name]
    return [*names, value] if option.metavar or option.choices else names
