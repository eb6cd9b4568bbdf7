"""Screens under X11 of servers that don't say where they are."""

from __future__ import annotations

from ctypes import byref, c_int
from typing import Any

RANDR = b"RANDR"


def find_screens_anyway(display: Any) -> None:
    """Have pyglet ask a display for its screens only in ways that its server knows, and take what there is.

    pyglet asks every server by RandR, whereupon Xlib writes a line of its own, and then takes the screens
    that it finds otherwise for ones that RandR told of.
    """
    connection = getattr(display, "_display", None)
    if connection is None:
        return
    from pyglet.display import xlib as screens
    from pyglet.libs.x11 import xlib

    if not hasattr(screens.XlibScreen, "is_primary"):
        screens.XlibScreen.is_primary = True  # RandR names no monitor where none is on
    numbers = c_int(), c_int(), c_int()
    if not xlib.XQueryExtension(connection, RANDR, *map(byref, numbers)):
        screens._have_xrandr = False  # noqa: SLF001 - pyglet has no other way to be told
