"""The forms of our files and their versions: the stamp that says them, its one check (promises 10)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from engine.files.shown import in_json, shown
from engine.named_tuple import NamedTuple

KEY: Final = "holtwalk"
STAMP_FORM: Final = '{"format": …, "version": …}'
_STAMP_LINE: Final = re.compile(rf'^# ?\{{"{KEY}".*$', re.MULTILINE)


class FormatError(ValueError):
    """A file of another form, or of a newer version than is known: one line without the file's name."""


class Format(NamedTuple):
    """A form of files, by the name that stamps say; ``version`` is the one written, and the newest read."""

    name: str
    version: int
    holds: str


CAPTURE = Format("capture", 1, "the ticks of a walk as a client records them")
TICKS = Format("ticks", 1, "the lines of `sim --json`, with which `--expect` and recorded cases compare")
SIM_SCRIPT = Format("sim-script", 1, "a scripted movement")
SCENE = Format("scene", 1, "doors and objects, and the land around dumps")
PLACES = Format("places", 1, "places of the demo world by their names")
DUMP = Format("dump", 1, "a cell, gfxobj or setup")
FRAME_REPORTS = Format(
    "frame-reports", 1, "the reports of `walk --report`: of ticks, and of changes between them"
)
WORK_STATE = Format("work-state", 1, "what is done of long work, kept with `--state`")
BUG = Format("bug", 1, "what a bug folder tells: the tick, the look, the world, versions")

SETTINGS = Format("settings", 1, "what is set, in the window or by hand: `settings.toml`")
KEYS = Format("keys", 1, "actions with keys of one's own: `keys.toml`")
BOOKMARKS = Format("bookmarks", 1, "places with names: `bookmarks.toml`")
WINDOW = Format("window", 1, "where the window was, and how large: `window.toml`")
LAYOUT = Format("layout", 1, "where the panels were put: `layout.ini`")

USER_FILES: Final = (SETTINGS, KEYS, BOOKMARKS, WINDOW, LAYOUT)
"""The files that are kept for the user, and may be edited: their stamp is a remark."""

FORMATS: Final = (BUG, CAPTURE, TICKS, SIM_SCRIPT, SCENE, PLACES, DUMP, FRAME_REPORTS, WORK_STATE)


def stamp(form: Format) -> dict[str, object]:
    """The member that a document of the form begins with: ``{**stamp(CAPTURE), …}``."""
    return {KEY: {"format": form.name, "version": form.version}}


def stamp_line(form: Format) -> str:
    """The remark that a file of the user's begins with."""
    return f"# {json.dumps(stamp(form))}"


def with_stamp_line(text: str, form: Format) -> str:
    """The text stamped with the version that is written: where a stamp stood, else at its head."""
    new, count = _STAMP_LINE.subn(lambda _: stamp_line(form), text, count=1)
    return new if count else f"{stamp_line(form)}\n{text}"


def without_stamp_line(text: str) -> str:
    """The file with an empty line for its stamp: all others keep their numbers."""
    return _STAMP_LINE.sub("", text, count=1)


def check_stamp_line(text: str, form: Format) -> int:
    """As ``check_stamp`` for a file of the user's, who may have put lines before the stamp."""
    line = _STAMP_LINE.search(text)
    if line is None:
        return 0
    try:
        found = json.loads(line[0].removeprefix("#"))
    except (ValueError, RecursionError):
        raise FormatError(f"'{shown(line[0], 80)}' is no stamp: {STAMP_FORM}") from None
    return check_stamp(found, form)


class FirstStamped:
    """Stamps the first of a file's records: its lines stay what they were, for readers that know no stamp."""

    def __init__(self, form: Format) -> None:
        self._stamp = stamp(form)

    def __call__(self, record: Mapping[str, object]) -> dict[str, object]:
        """The record as it is to be written."""
        stamped = {**self._stamp, **record}
        self._stamp = {}
        return stamped


def check_stamp(document: object, form: Format) -> int:
    """The version of a document, 0 where it carries none; FormatError where newer or of another form."""
    if not isinstance(document, dict) or KEY not in document:
        return 0
    found = document[KEY]
    name, version = (found.get("format"), found.get("version")) if isinstance(found, dict) else (None, None)
    if not isinstance(name, str) or type(version) is not int or version < 0:
        raise FormatError(f"'{KEY}' is {in_json(found)}, not {STAMP_FORM}")
    if name != form.name:
        raise FormatError(f"is of the form '{shown(name)}', not '{form.name}'")
    if version > form.version:
        raise FormatError(
            f"is of version {shown(version)} of the form '{name}'; this program reads it up to {form.version}"
        )
    return version
