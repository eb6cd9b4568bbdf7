"""Saving pictures of the window, with or without the panels."""

from __future__ import annotations

from collections.abc import Callable

from engine.files.dated import write_dated
from viewer.picture.picture_file import picture_bytes
from viewer.renderer.gl.canvas import Canvas
from viewer.user_folders import pictures_folder


class Pictures:
    """What is asked for until the next frame is drawn; ``say`` tells where a picture went."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._wants_picture = self._wants_window = False

    def ask_for_picture(self) -> None:
        """Save the next picture, without the panels."""
        self._wants_picture = True

    def ask_for_window(self) -> None:
        """Save the next picture with the panels around it."""
        self._wants_window = True

    def take_picture(self, canvas: Canvas) -> None:
        """Save what is on the canvas of the picture, where that was asked for."""
        if self._wants_picture:
            self._wants_picture = False
            self._save(canvas)

    def take_window(self, canvas: Callable[[], Canvas]) -> None:
        """Save what a function draws onto a canvas of the whole window, where that was asked for."""
        if self._wants_window:
            self._wants_window = False
            both = canvas()
            try:
                self._save(both)
            finally:
                both.release()

    def _save(self, canvas: Canvas) -> None:
        """Save what a canvas of our own holds: of the window nobody knows what other windows hide."""
        image = canvas.image()
        try:
            path = write_dated(pictures_folder(), picture_bytes(image, ".png"), ending=".png")
        except OSError as error:
            self._say(f"{error.filename}: {error.strerror}")
        else:
            self._say(f"saved {path}")
