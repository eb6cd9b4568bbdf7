"""Whether a limit leaves the memory that drawing takes: drivers don't ask, they end the whole process."""

from __future__ import annotations

from typing import Final

from viewer.memory_limits import MB, limits
from viewer.user_error import UserError

SPACE: Final = 720 * MB
"""Address space that Mesa's software driver takes for a context and the program's own pictures."""
DATA: Final = 256 * MB
"""The same of memory that is written to."""
A_WINDOW: Final = 480 * MB
"""Address space that a window takes besides, with a film of 1280x720: drivers crash where there is none."""
A_PIXEL: Final = 72
"""Bytes that a pixel of a picture takes on its way to its file."""


def lacking(pixels: int = 0, *, window: bool = False) -> str:
    """One line saying which limit is too low to draw so many pixels, or a window; empty where none is.

    It knows what the limits of this process leave (POSIX), not what the machine has.
    """
    for limit in limits():
        needed = (DATA if limit.is_of_data else SPACE + A_WINDOW * window) + pixels * A_PIXEL
        if limit.left < needed:
            return (
                f"no memory to draw with: a limit (ulimit {limit.option}) leaves {limit.left // MB} MB, "
                f"and drawing takes about {needed // MB} MB"
            )
    return ""


def refuse_window(pixels: int = 0) -> None:
    """Raise UserError where a limit leaves no memory for a window of so many pixels."""
    if complaint := lacking(pixels, window=True):
        raise UserError(f"no window can be opened here: {complaint}")
