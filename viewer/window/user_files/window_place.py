"""Where the window was and how large, kept in `window.toml` beside the other settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from engine.files.format_version import WINDOW
from viewer.settings_files import NewerFileError, SettingsError, parse_settings, read_settings, write_whole
from viewer.tables.option_values import SIDES

FARTHEST = 32_767  # pixels, as window systems count them


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """Upper left corner and size in pixels of the desktop."""

    left: int
    top: int
    width: int
    height: int

    @property
    def fits(self) -> bool:
        """Whether it is one that a window can have."""
        sides = SIDES[0] <= self.width <= SIDES[1] and SIDES[0] <= self.height <= SIDES[1]
        return sides and max(abs(self.left), abs(self.top)) <= FARTHEST

    def on_screen(self, screen: WindowPlace) -> WindowPlace:
        """The same, moved and made smaller so that all of it lies on a screen."""
        w, h = min(self.width, screen.width), min(self.height, screen.height)
        left = max(screen.left, min(self.left, screen.left + screen.width - w))
        return WindowPlace(left, max(screen.top, min(self.top, screen.top + screen.height - h)), w, h)

    def shared_with(self, other: WindowPlace) -> int:
        """How many pixels of another lie in this."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        high = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return max(0, wide) * max(0, high)

    def within(self, other: WindowPlace) -> WindowPlace:
        """The part of this that lies in another; all of it where none does."""
        if not self.shared_with(other):
            return self
        left, top = max(self.left, other.left), max(self.top, other.top)
        right = min(self.left + self.width, other.left + other.width)
        bottom = min(self.top + self.height, other.top + other.height)
        return WindowPlace(left, top, right - left, bottom - top)


class PlaceFile:
    """The file at a path, None to keep none; ``complaint`` is one line where it can't be used."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.saved: WindowPlace | None = None
        self.complaint = ""
        self._given: tuple[int, int] | None = None
        self._meant = (0, 0)
        try:
            text = read_settings(path, WINDOW) if path is not None else None
            if text is not None:
                self.saved = _parse(text)
        except SettingsError as error:
            self.complaint = f"{error}; the window opens as at first"
        except ValueError:
            self.complaint = f"{path}: is no place of a window; the window opens as at first"

    def opened(self, size: tuple[int, int], *, given: tuple[int, int]) -> None:
        """A window opened: of a size, or of the one that its screen had room for.

        As long as it is so small nobody chose it: the size that was meant is kept, for a larger screen.
        """
        self._meant, self._given = size, given

    def keep(self, place: WindowPlace) -> str:
        """Write it where it says something new; a complaint, empty where all is well."""
        if (place.width, place.height) == self._given:
            place = replace(place, width=self._meant[0], height=self._meant[1])
        if self._path is None or self.complaint or place == self.saved or not place.fits:
            return ""
        text = "".join(f"{name} = {getattr(place, name)}\n" for name in ("left", "top", "width", "height"))
        try:
            write_whole(self._path, WINDOW, text)
        except NewerFileError as error:
            return f"{error}; not written"
        except OSError as error:
            return f"{self._path}: not written: {error.strerror}"
        return ""


def _parse(text: str) -> WindowPlace:
    found = parse_settings(text)
    numbers = {name: found.get(name) for name in ("left", "top", "width", "height")}
    whole = {name: n for name, n in numbers.items() if isinstance(n, int) and not isinstance(n, bool)}
    if whole != numbers:
        raise ValueError
    place = WindowPlace(**whole)
    if not place.fits:
        raise ValueError
    return place
