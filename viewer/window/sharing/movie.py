"""The last seconds as a GIF, or as an MP4 where imageio is there: kept ticks, drawn again one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.files.dated import write_dated
from engine.physics.enums import TICKS_PER_SECOND
from viewer.window.sharing.film_forms import gif_of, mp4_of

if TYPE_CHECKING:
    from PIL import Image

    from engine.physics.simulation.inputs import Input
    from viewer.window.walking.time_travel import TimeTravel

SECONDS: Final = 5
EVERY: Final = 2  # ticks
RATE: Final = TICKS_PER_SECOND / EVERY  # pictures a second
MOST_PIXELS: Final = 2560 * 1600  # a picture; all of a film are held until its end


class Movie:
    """Shows the last seconds up to the tick shown, one picture a frame of the window, and writes them.

    ``say`` tells how far it is and where the file went. Time stands still meanwhile; afterwards it is where
    it was, with what had been done there, and goes on if it did, unless somebody has gone to another tick.
    ``keep`` gives what puts back what ends when a tick is shown, ``goes`` tells that there is such a thing.
    ``is_under_way`` says, also of one that an interrupt broke off, that nothing is told yet of its end.
    """

    def __init__(
        self,
        travel: TimeTravel,
        say: Callable[[str], None],
        keep: Callable[[], Callable[[], None]] = lambda: lambda: None,
        goes: Callable[[], bool] = lambda: False,
    ) -> None:
        self._travel = travel
        self._say = say
        self._keep = keep
        self._goes = goes
        self._put_back = keep()
        self._ticks: list[int] = []
        self._images: list[Image.Image] = []
        self._folder = Path()
        self._left = travel.history.staged()
        self._at_stake = ""
        self._told: tuple[Input, ...] = ()
        self._is_undone = self._is_smaller = False
        self._went_on = self._was_playing = self.is_under_way = False

    def begin(self, folder: Path) -> None:
        """Begin with the first tick of the stretch; the file comes into a folder. One at a time."""
        if self._ticks:
            return
        history = self._travel.history
        last = history.shown
        first = max(history.first, last - SECONDS * TICKS_PER_SECOND)
        self._ticks = list(range(first, last + 1, EVERY))
        self._images, self._folder = [], folder
        self._went_on, self._was_playing = not self._travel.pace.paused, self._travel.playing
        self._travel.playing = False
        self._put_back = self._keep()
        self._left = history.staged()
        self._at_stake = self._travel.dropped_by(first)
        self._is_undone = self._is_smaller = False
        self._show(first)
        self._travel.filming = self.is_under_way = True

    def take(self, image: Callable[[], Image.Image]) -> None:
        """Take the picture of the tick shown, and go on to the next, or write the file.

        Where another tick is shown meanwhile there is no film. A picture of another size, as when panels
        come or go, is made to fit the first.
        """
        if not self._ticks:
            return
        try:
            self._take(image)
        except Exception:
            self.is_under_way = False  # it is told as what failed; of an interrupt nobody tells
            raise
        self.is_under_way = bool(self._ticks)

    def _take(self, image: Callable[[], Image.Image]) -> None:
        now, *ticks = self._ticks
        self._ticks, self._travel.filming = [], False  # one that fails ends the film
        if self._travel.history.shown != now:
            self._images = []
            dropped = f"; {self._at_stake}" if self._at_stake else ""
            self._say(f"there is no film: another tick was shown before it was done{dropped}")
            return
        self._is_undone = self._is_undone or self._travel.history.pending != self._told or self._goes()
        try:
            picture = image().convert("RGB")
            self._images.append(_fitting(picture, self._images[:1]))
            self._is_smaller = self._is_smaller or math.prod(picture.size) > MOST_PIXELS
        except Exception:
            self._go_back()
            raise
        if ticks:
            self._say(f"a film of {SECONDS} s: {len(ticks)} pictures to go")
            self._show(ticks[0])
            self._ticks, self._travel.filming = ticks, True
            return
        self._go_back()
        undone = "; what was done while it was taken is undone" if self._is_undone else ""
        self._say(f"{self._write()}{undone}")

    def _show(self, tick: int) -> None:
        self._travel.show(tick)
        self._told = self._travel.history.pending

    def _go_back(self) -> None:
        """Let time be as it was when the film began."""
        self._travel.put_back(self._left)
        if self._went_on:
            self._travel.pace.toggle_pause()
        self._travel.playing = self._was_playing
        self._put_back()

    def _write(self) -> str:
        images, self._images = self._images, []
        smaller = "; made smaller, {}x{}".format(*images[0].size) if self._is_smaller else ""
        video = mp4_of(images, RATE)
        data, ending = (gif_of(images, RATE), ".gif") if video.data is None else (video.data, ".mp4")
        try:
            path = write_dated(self._folder, data, ending=ending)
        except OSError as error:
            return f"{error.filename}: {error.strerror or error}"
        instead = f"; no MP4: {video.lack}" if video.lack else ""
        return f"saved {path}{smaller}{instead}"


def _fitting(image: Image.Image, first: Sequence[Image.Image]) -> Image.Image:
    """A picture in the size of the first, with all that it shows; the first one small enough for a film."""
    from PIL import ImageOps

    size = first[0].size if first else film_size(*image.size)
    return image if image.size == size else ImageOps.pad(image, size)


def film_size(width: int, height: int) -> tuple[int, int]:
    """The size of a film of pictures of some size, in pixels: theirs, or what is left of it in its shape."""
    shrunk = min(1.0, math.sqrt(MOST_PIXELS / (width * height)))
    return max(1, int(width * shrunk)), max(1, int(height * shrunk))
