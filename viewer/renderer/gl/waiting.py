"""Waiting for what was asked of the driver, off screen: an interrupt is heard, other threads have their turn.

A call that reads or replaces what is still being drawn waits inside the driver, and Python's lock with it:
for minutes, where software GL draws a large picture.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import moderngl

_DONE, _FLUSH, _TIMED_OUT = 0x9117, 1, 0x911B
MOMENT: Final = 50_000_000  # nanoseconds: Python hears of an interrupt after each
_KIND: Final = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)  # these let go of the lock
_FENCE: Final = _KIND(ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)
_WAIT: Final = _KIND(ctypes.c_uint, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint64)
_DELETE: Final = _KIND(None, ctypes.c_void_p)


class Waiting:
    """How one context is waited for."""

    def __init__(self, ctx: moderngl.Context) -> None:
        load: Any = ctx.mglo._context.load_opengl_function  # noqa: SLF001 - moderngl has no other way to it
        self._fence = _FENCE(load("glFenceSync"))
        self._wait = _WAIT(load("glClientWaitSync"))
        self._delete = _DELETE(load("glDeleteSync"))

    def settle(self) -> None:
        """Wait until the driver has done all that it was asked for."""
        fence = self._fence(_DONE, 0)
        try:
            while self._wait(fence, _FLUSH, MOMENT) == _TIMED_OUT:
                pass  # an interrupt ends it here
        finally:
            self._delete(fence)


def wait_off_screen(ctx: moderngl.Context) -> None:
    """Have ``settle`` wait for a context."""
    ctx.extra = Waiting(ctx)


def settle(ctx: moderngl.Context) -> None:
    """Wait until all is drawn, off screen; in a window it goes on meanwhile."""
    if isinstance(ctx.extra, Waiting):
        ctx.extra.settle()
