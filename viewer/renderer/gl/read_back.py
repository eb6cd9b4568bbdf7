"""Memory that Python has made, to read back into what was drawn, and room for what OpenGL makes.

moderngl would make it in compiled code, and go on with nothing where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import moderngl
    from numpy.typing import NDArray

ROOM: Final = 32 << 20
"""Bytes that are there before moderngl or the driver makes something of many small parts."""


def read_bytes(fbo: moderngl.Framebuffer, components: int) -> NDArray[np.uint8]:
    """Colours, shape (height, width, components), the bottom row first. Raises MemoryError."""
    width, height = fbo.size
    pixels = np.empty((height, width, components), np.uint8)
    fbo.read_into(pixels, components=components, alignment=1)
    return pixels


def read_floats(fbo: moderngl.Framebuffer, components: int) -> NDArray[np.float32]:
    """The same of a framebuffer of floats."""
    width, height = fbo.size
    pixels = np.empty((height, width, components), np.float32)
    fbo.read_into(pixels, components=components, alignment=1, dtype="f4")
    return pixels


def ensure_room() -> None:
    """Raise MemoryError here, where Python hears of it, if a limit leaves next to none (POSIX)."""
    np.empty(ROOM, np.uint8)
