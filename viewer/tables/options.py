"""The one table of commands and their options: the parser, the help and the docs all come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from viewer.tables.modes import CELL_MODES, MODES, parse_cell_modes, parse_modes
from viewer.tables.option_values import (
    SIDES,
    entity_state,
    landblock,
    look,
    number,
    object_id,
    out_file,
    out_folder,
    size,
    triple,
    whole,
)
from viewer.tables.settings import DEFAULT_REACH, FARTHEST, FIELDS_OF_VIEW, SETTINGS
from viewer.tables.tour_script import files_of

WINDOW_SIZE = (1280, 720)
EACH = f"each side {SIDES[0]} to {SIDES[1]}"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command, or an argument where ``name`` has no dashes.

    ``metavar`` is empty for a switch. ``words`` marks a value that may come as several words (a location
    typed without quotes); they are joined by spaces. ``needs`` names the option that it means nothing
    without. The help names the limits of a value: it is what is said of one beyond them.

    Of a path, ``reads`` says that it is read, and which endings the files have that are read where it is a
    folder, ``deep`` down to the last one; ``writes`` that it is written, and ``makes`` which files come of
    it where it is a folder. What is written is compared with what is read before a command begins.
    """

    name: str
    help: str
    metavar: str = ""
    kind: Callable[[str], object] = str
    choices: tuple[str, ...] = ()
    default: object = None
    required: bool = False
    words: bool = False
    many: bool = False
    needs: str = ""
    reads: tuple[str, ...] | None = None
    deep: bool = False
    writes: bool = False
    makes: Callable[[Path], list[Path]] | None = None

    @property
    def is_argument(self) -> bool:
        """Whether it is given by place and not by name."""
        return not self.name.startswith("-")

    @property
    def usage(self) -> str:
        """How the usage line writes it."""
        value = "|".join(self.choices) or self.metavar
        text = f"{self.name} {value}".rstrip() if not self.is_argument else self.metavar
        return text if self.required else f"[{text}]"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name (two words for a command of a group), what it does, where its code is.

    ``module`` is a module of ``viewer.commands`` with ``run(args: Namespace) -> int``.
    """

    name: str
    summary: str
    module: str
    options: tuple[Option, ...]
    takes_world: bool = True

    @property
    def usage(self) -> str:
        """The command with its own options, as the docs show it."""
        return " ".join(["holtwalk", self.name, *(option.usage for option in self.options)])


WORLD_OPTIONS = (
    Option(
        "--dats", "a folder with your own client_portal.dat and client_cell_1.dat", "DIR", reads=(".dat",)
    ),
    Option("--dumps", "a folder of cell and gfxobj dumps", "DIR", reads=(".json",)),
    Option("--demo", "the built-in demo world, also where HOLTWALK_DATS is set"),
    Option("--scene", "a scene.json that places doors and objects", "FILE", reads=()),
    Option(
        "--spawns",
        "an ACE world export, a file or a folder of .sql files: doors and objects",
        "PATH",
        reads=(".sql",),
        deep=True,
    ),
)
COMMON_OPTIONS = (Option("--verbose", "say more on stderr, and show the traceback of an internal error"),)

AT = Option("--at", "the location, as the game prints it", "LOC", words=True)
MUST_AT = Option("--at", "the location, as the game prints it", "LOC", words=True, required=True)
ANYWHERE = Option(
    "--anywhere", "take a place too that lies in another landblock than its cell's, or more than 5 m off"
)
EXACT = Option("--exact", "leave the body exactly at --at, with room or without, and let it not settle")
JSON = Option("--json", "print JSON on stdout and nothing else there")
JSON_LINES = Option("--json", "print one JSON document a line on stdout and nothing else there")
STREAM = Option(
    "--jsonl",
    "print every result as one JSON line as soon as it is there, and last what --json would print, or "
    "without its results where they were printed",
)
JOBS = Option(
    "--jobs", "how many processes, at least 1, share the work; one a core by default", "N", whole(1)
)
STATE = Option(
    "--state", "keep in this file what is done, and take it up from there: it may be stopped at any time",
    "FILE", out_file, reads=(), writes=True,
)  # fmt: skip
PROGRESS = Option(
    "--progress", "say on stderr how far it is and how long it will take, also where that is no terminal"
)
LONG_WORK = (JOBS, STATE, PROGRESS)
TYPE = Option("--type", "only objects of this type: EnvCell, GfxObj, Setup …", "TYPE")
LOOK = Option("--look", "degrees: yaw clockwise from north, pitch up, -90 to 90", "YAW,PITCH", look)
VIEW = Option("--view", "first or third person", choices=("first", "third"), default="first")
ROOT = Option(
    "--root", "carried through the portals to the eye, or the body's own cell always",
    choices=("carried", "strict"), default="carried",
)  # fmt: skip
RECORD = Option(
    "--record", "write every tick into this capture, which `replay` runs again", "F.jsonl", out_file,
    writes=True,
)  # fmt: skip
FOV = Option(
    "--fov", "vertical field of view in degrees, {} to {}".format(*FIELDS_OF_VIEW), "DEG",
    number(*FIELDS_OF_VIEW),
)  # fmt: skip
SIZE = Option("--size", f"picture size in pixels, {EACH}", "WxH", size, default=(1280, 720))
TIME = Option("--time", "hour of the day, 0 to 24", "H", number(0, 24), default=12.0)
CLOUDS = Option(
    "--clouds", "seconds that the clouds have drifted for, from 0 on", "S", number(0), default=0.0
)
EFFECTS = Option(
    "--effects", "seconds that fires and smoke have gone on for; by default from the start", "S",
    number(0),
)  # fmt: skip
DAY_GROUP = Option(
    "--day-group", "the kind of day, by its number in the region from 0 on, not by the date", "N", whole(0)
)
RADIUS = Option(
    "--radius", f"how many landblocks the ground reaches on each side, up to {FARTHEST}; fog hides its end",
    "N", whole(0, FARTHEST), default=DEFAULT_REACH,
)  # fmt: skip
OBJECTS = Option(
    "--objects",
    f"how many landblocks buildings, objects and scenery reach on each side, up to --radius and {FARTHEST}",
    "N", whole(0, FARTHEST), default=DEFAULT_REACH,
)  # fmt: skip
DISTANCES = {"radius": RADIUS, "objects": OBJECTS}  # what the View panel's sliders set as well
WINDOW_OPTIONS = tuple(
    Option(s.option_name, f"{s.help}; {s.usual}, or as settings.toml says", s.metavar, s.kind)
    for s in SETTINGS
    if not s.option
)
EYE = Option("--eye", "the eye itself, in metres in the block of LOC", "X,Y,Z", triple)
RESIDENT = Option("--resident", "traverse every resident cell, not only the stab list")
WHY = Option(
    "--why",
    "say why this cell is seen or not, opening by opening; of a landcell, why the outdoors are. A low word "
    "is one of the root's block",
    "CELL",
    object_id,
)
USE = Option("--use", "use this door first and let it open (may be repeated)", "ID", object_id, many=True)
ENTITY_STATE = Option(
    "--state",
    "an object's PhysicsState word, before the body is put down; of a door also what it does "
    "(closed, opening, open, closing, held) and for how long (may be repeated)",
    "ID=0x…[,PHASE,SECONDS]",
    entity_state,
    many=True,
)
COMPARE = Option("--compare", "list as well what only --resident reaches")
MODE = Option(
    "--mode",
    f"drawing modes, see docs/modes.md: {', '.join(m.usage for m in MODES)}",
    "NAME[,NAME]",
    parse_modes,
)
CELL_MODE = Option(
    "--mode", f"list what `render` draws with these modes: {', '.join(m.usage for m in CELL_MODES)}",
    "NAME[,NAME]", parse_cell_modes,
)  # fmt: skip

COMMANDS = (
    Command(
        "walk",
        "opens the window and walks through the world; the command when none is named, and where the first "
        "argument is a location",
        "walk",
        (
            Option("where", "where to start", "LOC", words=True),
            AT,
            ANYWHERE,
            VIEW,
            ROOT,
            MODE,
            Option(
                "--size",
                f"window size in pixels, {EACH}; 1280x720, or as the window was when it was last left",
                "WxH",
                size,
            ),
            Option(
                "--report",
                "write one frame report a tick into this file, as JSON lines",
                "F.jsonl",
                out_file,
                writes=True,
            ),
            RECORD,
            TIME,
            DAY_GROUP,
            *WINDOW_OPTIONS,
            Option("--or-tour", "draw the tour instead where there is no display"),
        ),
    ),
    Command(
        "tour",
        "a scripted walk drawn off screen: numbered pictures and a transcript",
        "tour",
        (
            Option(
                "--out",
                "the folder to write",
                "DIR",
                out_folder,
                default="tour",
                writes=True,
                makes=files_of,
            ),
            Option("--size", f"picture size in pixels, {EACH}", "WxH", size, default=(960, 540)),
            replace(RECORD, kind=str),  # its folder may be the one that is made; opened before the walk
            TIME,
            DAY_GROUP,
            RADIUS,
            OBJECTS,
        ),
    ),
    Command(
        "render",
        "draws one frame off screen",
        "render",
        (
            MUST_AT,
            ANYWHERE,
            EXACT,
            Option("--out", "the picture to write", "F.png", out_file, required=True, writes=True),
            SIZE,
            VIEW,
            LOOK,
            EYE,
            FOV,
            ROOT,
            RESIDENT,
            MODE,
            Option(
                "--lock-root",
                "draw what is seen from here, from the eye of --at: that one is detached",
                "LOC",
                words=True,
            ),
            Option(
                "--lock-look",
                "how one looks from --lock-root, as --look: pitch -90 to 90",
                "YAW,PITCH",
                look,
                needs="--lock-root",
            ),
            Option(
                "--lock-eye", "the eye of --lock-root itself, as --eye", "X,Y,Z", triple, needs="--lock-root"
            ),
            USE,
            ENTITY_STATE,
            TIME,
            CLOUDS,
            EFFECTS,
            DAY_GROUP,
            RADIUS,
            OBJECTS,
            Option("--overlay", "draw the panels too"),
            JSON,
        ),
    ),
    Command(
        "pvs",
        "the cells that are visible, in draw order: the portals that led there, regions and their area",
        "pvs",
        (
            MUST_AT,
            ANYWHERE,
            EXACT,
            LOOK,
            EYE,
            VIEW,
            FOV,
            SIZE,
            ROOT,
            RESIDENT,
            COMPARE,
            WHY,
            CELL_MODE,
            OBJECTS,
            JSON,
        ),
    ),
    Command(
        "cell",
        "where a body put there would be: its cell, portals, stab list and candidates, and why each is one",
        "cell",
        (MUST_AT, ANYWHERE, JSON),
    ),
    Command(
        "probe",
        "sweeps a grid across the doorway that a door stands in, or across an object itself, from both "
        "sides: what stops each sweep, or that it passes",
        "probe",
        (
            Option("entity", "the door or object, in hexadecimal", "ENTITY", object_id, required=True),
            Option("--at", "a place near it, where no scene or spawn list has it", "LOC", words=True),
            USE,
            ENTITY_STATE,
            Option("--spacing", "metres between two sweeps, 0.02 to 5", "M", number(0.02, 5), default=0.2),
            Option(
                "--sphere",
                "radius of the small sphere in metres, 0.02 to 2",
                "M",
                number(0.02, 2),
                default=0.1,
            ),
            JSON,
        ),
    ),
    Command(
        "sim",
        "runs a scripted movement, one JSON line a tick; with --expect compares it with a recording",
        "sim",
        (
            Option("script", "the script", "SCRIPT.json", reads=()),
            ANYWHERE,
            JSON,
            Option("--trace", "add every sweep's account and what a static look-up would say"),
            Option("--expect", "a recorded run to compare with", "F.jsonl", reads=()),
            RECORD,
            Option(
                "--cases",
                "run every case of a folder instead: dumps, sim.json, expected.jsonl",
                "DIR",
                reads=(".json", ".jsonl"),
                deep=True,
            ),
            *(replace(option, needs="--cases") for option in (STREAM, *LONG_WORK)),
        ),
    ),
    Command(
        "replay",
        "runs each record of a capture again and prints what came of it beside what was recorded",
        "replay",
        (
            Option(
                "capture", "the captures, one or more", "CAPTURE.jsonl", required=True, many=True, reads=()
            ),
            Option("--compare", "a record is ok where it agrees with its result", choices=("capture",)),
            Option(
                "--max-off",
                "so many records, from 0 on, may be off (captures known to hold bugs)",
                "N",
                whole(0),
                default=0,
            ),
            *LONG_WORK,
            STREAM,
            JSON,
        ),
    ),
    Command(
        "audit",
        "looks over the cell graph for what breaks membership or visibility; exits 1 where it finds any",
        "audit",
        (
            Option("--landblock", "only this landblock, 0xA9B4 or any id in it", "ID", landblock),
            *LONG_WORK,
            STREAM,
            JSON,
        ),
    ),
    Command(
        "dat ls",
        "lists what is in the dat files: id, type, size",
        "dat",
        (TYPE, JSON_LINES),
    ),
    Command(
        "dat show",
        "prints one object with its decoded fields, or every one with --all",
        "dat",
        (
            Option("id", "the object, in hexadecimal", "ID", object_id),
            Option("--all", "every object that can be decoded; with --json one line each"),
            TYPE,
            JSON,
        ),
    ),
    Command(
        "dat diff",
        "compares two installations, or two dat files, object by object and field by field; exits 1 where "
        "they differ",
        "dat_diff",
        (
            Option("a", "a folder of dat files, or one of them", "A", required=True, reads=(".dat",)),
            Option("b", "what it is compared with", "B", required=True, reads=(".dat",)),
            TYPE,
            Option(
                "--entries",
                "tell as well where only the directory entry differs: flags, version, size, date, iteration",
            ),
            PROGRESS,
            JSON_LINES,
        ),
        takes_world=False,
    ),
    Command(
        "dat grep",
        "lists which objects name an id, and in which field: who uses a model, texture, cell or animation",
        "dat",
        (
            Option("id", "the ids, in hexadecimal", "ID", object_id, required=True, many=True),
            TYPE,
            JSON_LINES,
        ),
    ),
    Command(
        "dat extract",
        "writes one object as a file: its bytes, an image as PNG, a model or cell as glTF",
        "dat",
        (
            Option("id", "the object, in hexadecimal", "ID", object_id, required=True),
            Option(
                "--out",
                "the file; .bin, .dat, .png, .glb or .gltf says in which form",
                "F",
                out_file,
                required=True,
                writes=True,
            ),
            TYPE,
        ),
    ),
    Command(
        "dat check",
        "decodes every object and follows every reference; exits 1 where something is wrong",
        "dat",
        (*LONG_WORK, STREAM, JSON),
    ),
    Command(
        "bench",
        "measures what things cost, as ratios to a reference loop timed in the same run",
        "bench",
        (Option("--only", "measure this figure (may be repeated)", "NAME", many=True), JSON),
    ),
    Command(
        "verify",
        "runs the acceptance scenarios, one line each with its figures",
        "verify",
        (Option("--only", "run this scenario (may be repeated)", "NAME", many=True), PROGRESS, JSON),
    ),
)


def options_of(command: Command) -> tuple[Option, ...]:
    """All options that a command takes, the world's and the common ones too."""
    return command.options + (WORLD_OPTIONS if command.takes_world else ()) + COMMON_OPTIONS


def command_table() -> str:
    """The commands as a Markdown table, for the README."""
    rows = ["| command | does |", "| --- | --- |"]
    rows += [f"| `holtwalk {command.name}` | {command.summary} |" for command in COMMANDS]
    return "\n".join(rows) + "\n"


def command_reference() -> str:
    """Every command with its options in Markdown, for docs/commands.md."""
    lines = [
        "# Commands\n",
        "Made from the option table in `viewer/tables/options.py` by `scripts/write_docs.py`.\n",
        "Every command takes the world and common options. A location is written as the game prints it,",
        "`0xA9B40170 [155.0 15.2 94.0] 1 0 0 0` (the quaternion w x y z may be left out), or as map",
        "coordinates, `42.1N 33.6E`. A cell's id alone, `0xA9B40170`, is its middle on its floor; a",
        "landblock's, `0xA9B4` or `0xA9B40000`, the middle of its land, of a dungeon's its first room.",
        "Where the body can't be put exactly there, one line on standard error says how far it was moved and",
        "why, and `asked`, `moved_by` (metres) and `reason` of the JSON forms do. A place in another",
        "landblock than its cell's, or more than 5 m off, is refused without `--anywhere`. Exit codes: 0",
        "success, 1 what was checked failed, 2 bad usage or bad input, 130 interrupted, 141 nobody reads the",
        "output any more.\n",
        "## World and common options\n",
        *_option_rows(WORLD_OPTIONS + COMMON_OPTIONS),
    ]
    for command in COMMANDS:
        usage = command.usage.replace("|", "\\|")
        lines += [
            f"\n## {command.name}\n",
            f"`{usage}`\n",
            f"{command.summary[0].upper()}{command.summary[1:]}.",
        ]
        if command.options:
            lines += ["", *_option_rows(command.options)]
    return "\n".join(lines) + "\n"


def _option_rows(options: tuple[Option, ...]) -> list[str]:
    rows = ["| option | meaning |", "| --- | --- |"]
    for option in options:
        name = option.metavar if option.is_argument else f"{option.name} {option.metavar}".rstrip()
        detail = f"; {' or '.join(option.choices)}" if option.choices else ""
        default = "x".join(map(str, option.default)) if isinstance(option.default, tuple) else option.default
        detail += f"; default {default}" if default not in (None, False) else ""
        rows.append(f"| `{name}` | {option.help}{detail} |")
    return rows
