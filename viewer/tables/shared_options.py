"""Options that more than one command takes, and those of every command."""

from __future__ import annotations

from engine.dat.object_types import TYPES
from viewer.tables.modes import CELL_MODES, MODES, parse_cell_modes, parse_modes
from viewer.tables.option import Command, Option
from viewer.tables.option_values import (
    PICTURE_SIDES,
    SIDES,
    animation_frame,
    cell_number,
    entity_state,
    kept_file,
    look,
    number,
    object_id,
    out_file,
    picture_size,
    triple,
    whole,
)
from viewer.tables.settings import (
    DEFAULT_REACH,
    FARTHEST,
    FIELDS_OF_VIEW,
    SAMPLES,
    SETTINGS,
    USUAL_SAMPLES,
    on_or_off,
)

INSIDE = '"0xA9B40170 [155.0 15.2 94.0]"'  # the demo: the main room of a cottage
EACH = f"each side {SIDES[0]} to {SIDES[1]}"
OF_PICTURE = f"picture size in pixels, each side {PICTURE_SIDES[0]} to {PICTURE_SIDES[1]}"


OWN_DATS = Option(
    "--dats", "a folder with your own client_portal.dat and client_cell_1.dat", "DIR", reads=(".dat",)
)
WORLD_OPTIONS = (
    OWN_DATS,
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
    Option(
        "--no-doors",
        "without the doors that a built-in list has for Holtburg; --scene and --spawns replace that list",
    ),
)
COMMON_OPTIONS = (
    Option(
        "--verbose",
        "say more on stderr, let libraries speak there, too, and show the traceback of an internal error",
    ),
)

AT = Option("--at", "the location, as the game prints it", "LOC", words=True)
MUST_AT = Option("--at", "the location, as the game prints it", "LOC", words=True, required=True)
ANYWHERE = Option(
    "--anywhere", "go there even if the place lies in another landblock than its cell's, or more than 5 m off"
)
EXACT = Option("--exact", "put the body exactly at --at, whether it has room or not, and don't let it settle")
JSON = Option("--json", "print JSON on stdout and nothing else there")
JSON_LINES = Option("--json", "print JSON lines on stdout and nothing else there")
STREAM = Option(
    "--jsonl",
    "print a JSON line a result as soon as it is there, and a last one for the whole (docs/json.md)",
)
JOBS = Option(
    "--jobs",
    "how many processes, at least 1, share the work; one a core by default, eight a core at most",
    "N",
    whole(1),
)
STATE = Option(
    "--state", "keep in this file what is done, and take it up from there: it may be stopped at any time",
    "FILE", kept_file, reads=(), writes=True,
)  # fmt: skip
PROGRESS = Option(
    "--progress", "say on stderr how far it is and how long it will take, also where that is no terminal"
)
LONG_WORK = (JOBS, STATE, PROGRESS)
TYPE = Option("--type", "only objects of this type: EnvCell, GfxObj, Setup …", "TYPE", suggests=TYPES)
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
SIZE = Option("--size", OF_PICTURE, "WxH", picture_size, default=(1280, 720))
TIME = Option("--time", "hour of the day, 0 to 24", "H", number(0, 24), default=12.0)
CLOUDS = Option(
    "--clouds", "seconds that the clouds have drifted for, from 0 on", "S", number(0), default=0.0
)
EFFECTS = Option(
    "--effects",
    "seconds that fires, smoke and what moves by itself have gone on for; by default from the start", "S",
    number(0),
)  # fmt: skip
WEATHER = Option("--weather", "rain on rainy days", "on|off", on_or_off, default=True)
POSE = Option(
    "--pose",
    "the animation that the player's figure is in, in hexadecimal, and its frame from 0 on; it stands "
    "otherwise",
    "ANIMATION:FRAME", animation_frame,
)  # fmt: skip
SAMPLES_A_PIXEL = Option(
    "--samples", "samples a pixel, {} to {}, for smooth edges; 1 draws them as they are".format(*SAMPLES),
    "N", whole(*SAMPLES), default=USUAL_SAMPLES,
)  # fmt: skip
DAY_GROUP = Option(
    "--day-group",
    "the kind of day, by its number in the region, from 0 on; else the date chooses",
    "N",
    whole(0),
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
    Option(s.option_name, f"{s.help}; {s.usual_word}, or as settings.toml says", s.metavar, s.kind)
    for s in SETTINGS
    if not s.option
)
EYE = Option("--eye", "the eye itself, in metres in the block of LOC", "X,Y,Z", triple)
RESIDENT = Option("--resident", "traverse every resident cell, not only the stab list")
WHY = Option(
    "--why",
    "say why this cell is seen or not, portal by portal; of a landcell, why the outdoors are. 0172 "
    "alone is a cell of the root's landblock",
    "CELL",
    cell_number,
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
    suggests=tuple(m.name if not m.value else f"{m.name}=" for m in MODES),
)
CELL_MODE = Option(
    "--mode", f"list what `render` draws with these modes: {', '.join(m.usage for m in CELL_MODES)}",
    "NAME[,NAME]", parse_cell_modes,
    suggests=tuple(m.name if not m.value else f"{m.name}=" for m in CELL_MODES),
)  # fmt: skip


def options_of(command: Command) -> tuple[Option, ...]:
    """All options that a command takes, the world's and the common ones too."""
    return command.options + (WORLD_OPTIONS if command.takes_world else ()) + COMMON_OPTIONS
