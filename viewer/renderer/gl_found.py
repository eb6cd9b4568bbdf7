"""What OpenGL there is where 3.3 is missing, so that one is told more than that it is."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

import glcontext

from engine.named_tuple import NamedTuple

NEEDED = (3, 3)
_LESS = (
    320,
    310,
    300,
    210,
    200,
    110,
)  # tried best first: a lower one may get more than it asks for
_OVERRIDE = "MESA_GL_VERSION_OVERRIDE"
_GL_VERSION, _GL_RENDERER = 0x1F02, 0x1F01


class FoundGl(NamedTuple):
    """A driver's own words: its OpenGL version, such as ``2.1 Mesa 22.3.6``, and what draws."""

    version: str
    renderer: str

    @property
    def enough(self) -> bool:
        """Whether it is OpenGL 3.3 or later."""
        numbers = self.version.split(" ")[0].split(".")
        return tuple(int(n) for n in numbers[:2] if n.isdecimal()) >= NEEDED

    @property
    def complaint(self) -> str:
        """In one line, what was found, what is needed and what can be done."""
        found = f"the OpenGL driver offers version {self.version} ({self.renderer}), and 3.3 is needed"
        if _OVERRIDE in os.environ:
            return f"{found}: unset {_OVERRIDE}, which is {os.environ[_OVERRIDE]}"
        if sys.platform != "linux":
            return f"{found}: update the graphics driver"
        return (
            f"{found}: update the graphics driver, or draw in software, LIBGL_ALWAYS_SOFTWARE=1 with Mesa "
            "(Debian/Ubuntu: libgl1-mesa-dri; Fedora: mesa-dri-drivers)"
        )


def found_without_window() -> FoundGl | None:
    """What OpenGL there is without a window (on Linux through EGL); None where none can be had."""
    if sys.platform != "linux":
        return found_with_display()
    return _found(glcontext.get_backend_by_name("egl"))


def found_with_display() -> FoundGl | None:
    """What OpenGL there is on the display; None where none can be had."""
    try:
        return _found(glcontext.default_backend())
    except ImportError:
        return None


def _found(create: Callable[..., Any]) -> FoundGl | None:
    for version in _LESS:
        try:
            context = create(mode="standalone", glversion=version)
        except Exception:
            continue
        try:
            with context:
                kind = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)(ctypes.c_char_p, ctypes.c_uint)
                text = kind(context.load("glGetString"))
                words = [(text(name) or b"").decode(errors="replace") for name in (_GL_VERSION, _GL_RENDERER)]
        finally:
            context.release()
        if words[0]:
            return FoundGl(version=words[0], renderer=words[1])
    return None
