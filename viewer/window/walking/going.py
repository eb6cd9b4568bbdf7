"""Places one has been at, back and forth, and places with names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.files.format_version import BOOKMARKS
from engine.files.shown import shown
from engine.world.location import parse_location
from viewer.settings_files import SettingsError, change_settings, parse_settings, read_settings, remark_of
from viewer.tables.settings import written

if TYPE_CHECKING:
    from pathlib import Path

PLACES_KEPT: Final = 50


class Visited:
    """The places that were left by going elsewhere at once; one can go back, and forth again."""

    def __init__(self) -> None:
        self.behind: list[str] = []
        self.ahead: list[str] = []

    def leave(self, place: str) -> None:
        """A place is left for one that was asked for."""
        self.behind = [*(p for p in self.behind if p != place), place][-PLACES_KEPT:]
        self.ahead = []

    def back(self, here: str) -> str:
        """The place before, which is gone to from another; empty where there is none."""
        if not self.behind:
            return ""
        self.ahead.append(here)
        return self.behind.pop()

    def forth(self, here: str) -> str:
        """The place that one came back from; empty where there is none."""
        if not self.ahead:
            return ""
        self.behind.append(here)
        return self.ahead.pop()


class Bookmarks:
    """Places with names, kept in `bookmarks.toml` of a folder; None to keep none.

    ``complaint`` is one line where the file makes no sense: then nothing is written into it.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / "bookmarks.toml"
        self.places: dict[str, str] = {}
        self.complaint = ""
        try:
            text = read_settings(self._path, BOOKMARKS) if self._path is not None else None
            found = parse_settings(text) if text is not None else {}
        except SettingsError as error:
            self.complaint = str(error)
            return
        except ValueError as error:
            self.complaint = f"{self._path}: {shown(str(error), 120)}; there are no bookmarks"
            return
        for name, place in found.items():
            if isinstance(place, str) and is_place(place):
                self.places[name] = place
            else:
                self.complaint = f"{self._path}: {shown(name)}: '{shown(place, 60)}' is no location"

    def put(self, name: str, place: str) -> str:
        """Give a place a name; a line that says so."""
        self.places[name] = place
        return self._keep(name) or f"{shown(name)} is {place}{self._how_long}"

    def forget(self, name: str) -> str:
        """Forget a name; a line that says so."""
        self.places.pop(name, None)
        return self._keep(name) or f"{shown(name)} is forgotten"

    @property
    def _how_long(self) -> str:
        return "" if self._path is not None else " until the window is closed: no folder keeps it"

    def _keep(self, name: str) -> str:
        """Write what became of one name, and leave the rest of the file as it is."""
        if self._path is None or self.complaint:
            return self.complaint
        place = self.places.get(name)
        new = "" if place is None else f"{written(name)} = {written(place)}"
        return change_settings(self._path, BOOKMARKS, lambda text: _changed(text, name, new), {name: place})


def _changed(text: str, name: str, new: str) -> str:
    """A file of bookmarks with another line for a name, its remark kept, or none where ``new`` is empty.

    What has no line yet gets one at the end. ValueError where the name is on no line of its own.
    """
    stored = next(iter(parse_settings(f"{written(name)} = 0")))
    lines = text.split("\n")
    at = next((n for n, line in enumerate(lines) if _is_of(line, stored)), None)
    if stored in parse_settings("\n".join(line for n, line in enumerate(lines) if n != at)):
        raise ValueError(f"{shown(name)} is on no line of its own")
    if at is not None:
        lines[at : at + 1] = [new + remark_of(lines[at])] if new else []
    elif new:
        lines[len(lines) - (lines[-1] == "") :] = [new]
    rest = "\n".join(lines)
    return rest if rest.endswith("\n") or not rest else f"{rest}\n"


def _is_of(line: str, name: str) -> bool:
    try:
        return name in parse_settings(line)
    except ValueError:
        return False


def is_place(text: str) -> bool:
    """Whether a text is a location as the game prints it."""
    try:
        parse_location(text)
    except ValueError:
        return False
    return True
