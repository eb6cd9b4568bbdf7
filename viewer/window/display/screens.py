"""Screens under X11 of servers that don't say where they are, or how fine in a number that pyglet takes."""

from __future__ import annotations

import re
from ctypes import byref, c_int
from typing import Any

RANDR = b"RANDR"
FINENESS = re.compile(rb"^\s*Xft\.dpi\s*:\s*(\d+(?:\.\d*)?)\s*$", re.MULTILINE)
USUAL = 96  # dots an inch


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
    screens.XlibScreen.get_dpi = _dots_an_inch
    numbers = c_int(), c_int(), c_int()
    if not xlib.XQueryExtension(connection, RANDR, *map(byref, numbers)):
        screens._have_xrandr = False  # noqa: SLF001 - pyglet has no other way to be told


def _dots_an_inch(screen: Any) -> int:
    """How fine the X resources say that letters are to be; pyglet ends at a fraction, which others take."""
    from pyglet.libs.x11 import xlib

    resources: Any = xlib.XResourceManagerString(screen.display._display)  # noqa: SLF001 - nor any other way to it
    return dots_an_inch(getattr(resources, "value", resources) or b"")


def dots_an_inch(resources: bytes) -> int:
    """Dots an inch by the text of X resources, the usual number where it has none that can be."""
    found = FINENESS.findall(resources)
    number = round(float(found[-1])) if found else USUAL
    return number if 0 < number < 10_000 else USUAL
