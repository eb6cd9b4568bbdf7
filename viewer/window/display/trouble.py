"""Why no window could be opened, and what can be done instead."""

from __future__ import annotations

import os
import sys
from typing import Final

from viewer.how_started import runs_here
from viewer.renderer.gl.context import NoGl, create_headless
from viewer.renderer.gl_found import found_with_display

PYGLET: Final = "PYGLET_"
"""How the variables begin that pyglet reads as it is loaded, and fails at without naming them."""


def window_trouble(error: Exception) -> str:
    """In one line why a window failed with ``error``, and where one is sent, which is tried first."""
    return f"{_reason(error)}; {_instead()}"


def _reason(error: Exception) -> str:
    display = os.environ.get("DISPLAY")
    if sys.platform == "linux":
        if not display:
            return "there is no display (DISPLAY is not set)"
        if type(error).__name__ == "NoSuchDisplayException":
            return (
                f"the display '{display}' that DISPLAY names can't be reached: start it, name another, "
                "or use xvfb-run, which makes one"
            )
    found = found_with_display()
    if found is not None and not found.enough:
        return found.complaint
    if isinstance(error, UnicodeEncodeError):
        return f"{error.object}: its name is no UTF-8, and the window's library takes no other"
    reason = " ".join(str(error).split()) or type(error).__name__
    names = ", ".join(sorted(name for name, value in os.environ.items() if name.startswith(PYGLET) and value))
    return f"{reason}; the window's library obeys {names}, try without" if names else reason


def _instead() -> str:
    """What works without a window; where nothing can be drawn at all one isn't sent to draw."""
    try:
        create_headless().release()
    except NoGl:
        return "nor can anything be drawn without a window here"
    drawn, checked = runs_here("holtwalk render"), runs_here("holtwalk verify")
    return f"`{drawn}` draws without one, `{checked}` checks without one"
