"""The forms of our files and their versions: the stamp that says them, its one check (promises 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.files.shown import in_json, shown

KEY: Final = "holtwalk"
STAMP_FORM: Final = '{"format": …, "version": …}'


class FormatError(ValueError):
    """A file of another form, or of a newer version than is known: one line without the file's name."""


@dataclass(frozen=True, slots=True)
class Format:
    """A form of files, by the name that stamps say; ``version`` is the one written, and the newest read."""

    name: str
    version: int
    holds: str


CAPTURE = Format("capture", 1, "the ticks of a walk as a client records them")
TICKS = Format("ticks", 1, "the lines of `sim --json`, with which `--expect` and recorded cases compare")
SIM_SCRIPT = Format("sim-script", 1, "a scripted movement")
SCENE = Format("scene", 1, "doors and objects, and the land around dumps")
DUMP = Format("dump", 1, "a cell, gfxobj or setup")
FRAME_REPORTS = Format(
    "frame-reports", 1, "the reports of `walk --report`: of ticks, and of changes between them"
)
WORK_STATE = Format("work-state", 1, "what is done of long work, kept with `--state`")
BUG = Format("bug", 1, "what a bug folder tells: the tick, the look, the world, versions")

FORMATS: Final = (BUG, CAPTURE, TICKS, SIM_SCRIPT, SCENE, DUMP, FRAME_REPORTS, WORK_STATE)


def stamp(form: Format) -> dict[str, object]:
    """The member that a document of the form begins with: ``{**stamp(CAPTURE), …}``."""
    return {KEY: {"format": form.name, "version": form.version}}


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
