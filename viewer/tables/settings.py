"""The one table of what the window lets people set: options, `settings.toml`, panel and docs come from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from engine.named_tuple import NamedTuple
from viewer.tables.markdown import cell_code
from viewer.tables.option_values import number, whole

DEFAULT_REACH = 5  # landblocks: the game's own landscape is eleven by eleven (surfaces 5.7)
FARTHEST = 26  # nothing is drawn beyond the far plane, 5000 m
FIELDS_OF_VIEW = (5, 170)  # degrees
UI_SCALES = (0.5, 4.0)
SAMPLES, USUAL_SAMPLES = (1, 16), 4
MOUSE_SPEEDS = (0.05, 20.0)
MOST_FRAMES = 1000  # a second

Value = bool | int | float | str | None


def yes_or_no(text: str) -> bool:
    """``yes`` or ``no``, or as TOML has them."""
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError
    return text.lower() in ("yes", "true")


def on_or_off(text: str) -> bool:
    """``on`` or ``off``, or as TOML has them."""
    if text.lower() not in ("on", "off", "true", "false"):
        raise ValueError
    return text.lower() in ("on", "true")


class Setting(NamedTuple):
    """Something one can set: its key in the file, what it is, how its text is read, its usual value.

    ``default`` is None where ``otherwise`` says what counts then. ``option`` is the option that goes before
    the file; ``limits`` are those of the panel's slider, None where a panel of its own sets it; ``zero`` is
    what 0 means there, where it is no number.
    """

    name: str
    help: str
    metavar: str
    kind: Callable[[str], Value]
    default: Value = None
    otherwise: str = ""
    option: str = ""
    limits: tuple[float, float] | None = None
    zero: str = ""

    def read(self, value: object) -> Value:
        """A value as a settings file has it. ValueError for one that does not fit."""
        if isinstance(value, bool) != self.is_switch:
            raise ValueError
        if isinstance(value, str) != (self.kind is str):
            raise ValueError
        return self.kind(str(value))

    @property
    def is_switch(self) -> bool:
        """Whether it is either on or off."""
        return self.kind in (yes_or_no, on_or_off)

    @property
    def option_name(self) -> str:
        """The option's name."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def usual(self) -> str:
        """What counts where nothing is set, in words."""
        return self.otherwise or written(self.default)

    @property
    def usual_word(self) -> str:
        """The same as the option takes it: ``yes`` where the file says ``true``."""
        if not isinstance(self.default, bool):
            return self.usual
        return self.metavar.split("|")[0 if self.default else 1]


SETTINGS = (
    Setting(
        name="fov",
        help="vertical field of view in degrees, {} to {}".format(*FIELDS_OF_VIEW),
        metavar="DEG",
        kind=number(*FIELDS_OF_VIEW),
        default=None,
        otherwise="the game's",
        limits=FIELDS_OF_VIEW,
    ),
    Setting(
        name="mouse_speed",
        help="how fast the mouse turns the look, {} to {}".format(*MOUSE_SPEEDS),
        metavar="X",
        kind=number(*MOUSE_SPEEDS),
        default=1.0,
        limits=(0.1, 4.0),
    ),
    Setting(
        name="mouse_inverted",
        help="pushing the mouse away looks down",
        metavar="yes|no",
        kind=yes_or_no,
        default=False,
    ),
    Setting(
        name="smooth_motion",
        help="draw figures between two frames of their animations; the game shows whole ones",
        metavar="yes|no",
        kind=yes_or_no,
        default=False,
    ),
    Setting(name="weather", help="rain on rainy days", metavar="on|off", kind=on_or_off, default=True),
    Setting(
        name="vsync",
        help="wait for the monitor before the next frame",
        metavar="yes|no",
        kind=yes_or_no,
        default=True,
    ),
    Setting(
        name="max_fps",
        help=f"at most so many frames a second, up to {MOST_FRAMES}; 0 for as many as there can be",
        metavar="N",
        kind=whole(0, MOST_FRAMES),
        default=0,
        limits=(0, 240),
        zero="no limit",
    ),
    Setting(
        name="samples",
        help="samples a pixel, {} to {}, for smooth edges; 1 draws them as they are".format(*SAMPLES),
        metavar="N",
        kind=whole(*SAMPLES),
        default=USUAL_SAMPLES,
        limits=SAMPLES,
    ),
    Setting(
        name="ui_scale",
        help="size of menu, panels and their text, {} to {}".format(*UI_SCALES),
        metavar="X",
        kind=number(*UI_SCALES),
        default=None,
        otherwise="the monitor's",
        limits=(0.75, 3.0),
    ),
    Setting(
        name="radius",
        help=f"how many landblocks the ground reaches on each side, up to {FARTHEST}; fog hides its end",
        metavar="N",
        kind=whole(0, FARTHEST),
        default=DEFAULT_REACH,
    ),
    Setting(
        name="objects",
        help="how many landblocks buildings, objects and scenery reach on each side, up to --radius and "
        f"{FARTHEST}",
        metavar="N",
        kind=whole(0, FARTHEST),
        default=DEFAULT_REACH,
    ),
    Setting(
        name="start",
        help="where to start, as the game prints a location",
        metavar="LOC",
        kind=str,
        default=None,
        otherwise="the world's own",
        option="--at",
    ),
    Setting(
        name="dats",
        help="the folder with client_portal.dat and client_cell_1.dat",
        metavar="DIR",
        kind=str,
        default=None,
        otherwise="the demo",
        option="--dats",
    ),
    Setting(
        name="first_steps",
        help="show the card of the first start",
        metavar="yes|no",
        kind=yes_or_no,
        default=True,
    ),
    Setting(
        name="bug_dumps",
        help="put dumps of the cells around into a bug folder; they hold the geometry of your dats",
        metavar="yes|no",
        kind=yes_or_no,
        default=None,
        otherwise="asked the first time; no in the demo world, which needs none",
    ),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


_UNFIT: Final = re.compile(r"[\"\\\x00-\x1f\x7f\ud800-\udfff]")


def written(value: Value) -> str:
    """A value as TOML has it, but for halves of pairs, as in names that are no UTF-8: it has none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_UNFIT.sub(_escaped, value)}"'
    return f"{value:g}" if isinstance(value, float) else str(value)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in '"\\':
        return f"\\{sign}"
    is_half = "\ud800" <= sign <= "\udfff"
    return "\N{REPLACEMENT CHARACTER}" if is_half else f"\\u{ord(sign):04X}"


def settings_reference() -> str:
    """The settings in Markdown, for docs/settings.md."""
    lines = [
        "# Settings\n",
        "Made from the table in `viewer/tables/settings.py` by `scripts/write_docs.py`. The window reads",
        "`settings.toml` in the platform's configuration folder (on Linux `~/.config/holtwalk/`); one that",
        "sets nothing is written on the first start. An option goes before the file. What is changed in the",
        "panels *Settings* and *View* is written into it. A value that does not fit is told in one line, and",
        "the rest of the file holds. Where there is no home folder, as in a container, nothing is kept,",
        "which is told once; `HOME` or `XDG_CONFIG_HOME` names one.\n",
        "| in `settings.toml` | option of `walk` | where nothing is set | what |",
        "| --- | --- | --- | --- |",
    ]
    for s in SETTINGS:
        option = cell_code(f"{s.option_name} {s.metavar}")
        lines.append(f"| `{s.name}` | {option} | {s.usual} | {s.help} |")
    return "\n".join(lines) + "\n"
