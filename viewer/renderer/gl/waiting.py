"""Waiting for what was asked of the driver, off screen: an interrupt is heard, other threads have their turn.

A call that reads or replaces what is still being drawn waits inside the driver, and Python's lock with it:
for minutes, where software GL draws a large picture.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import moderngl
    from numpy.typing import NDArray

_DONE, _FLUSH, _TIMED_OUT = 0x9117, 1, 0x911B
MOMENT: Final = 50_000_000  # nanoseconds: Python hears of an interrupt after each
FEWEST, FIRST, MOST = 60, 600, 12_000
"""Corners that are asked for at once, off screen: what fills the driver is waited for within the call."""
USUAL: Final = 1280 * 720  # pixels; of a larger picture as many corners less, of a smaller one more
MOST_OF_ANY: Final = 120_000
QUICK, SLOW = 0.1, 1.0  # seconds for that many, after which there may be twice and must be half as many
LONGEST: Final = 400.0
"""Seconds of processor time that go into a picture, off screen; what is to come of it then isn't drawn.

A town of 8192x8192 takes software GL a minute of it; panes as large as the picture, thousands deep, a day.
"""
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
        self.portion = FIRST
        self._ctx = ctx
        self._asked = 0
        self.begun = time.process_time()

    @property
    def is_late(self) -> bool:
        """Whether as much has gone into this picture as into any."""
        return time.process_time() - self.begun > LONGEST

    @property
    def room(self) -> int:
        """The corners that are asked for at once: whole triangles, and whole lines."""
        _, _, width, height = self._ctx.viewport
        return max(6, min(self.portion * USUAL // max(1, width * height), MOST_OF_ANY) // 6 * 6)

    def make_room(self, corners: int) -> None:
        """Wait until so many corners more may be drawn; fewer at once, where that takes long."""
        if self._asked and self._asked + corners > self.room:
            begun = time.perf_counter()
            self.settle()
            took = time.perf_counter() - begun
            if took > SLOW:
                self.portion = max(self.portion // 2, FEWEST)
            elif took < QUICK:
                self.portion = min(self.portion * 2, MOST)
        self._asked += corners

    def settle(self) -> None:
        """Wait until the driver has done all that it was asked for."""
        self._asked = 0
        fence = self._fence(_DONE, 0)
        try:
            while self._wait(fence, _FLUSH, MOMENT) == _TIMED_OUT:
                pass  # an interrupt ends it here
        finally:
            self._delete(fence)


def wait_off_screen(ctx: moderngl.Context) -> None:
    """Have ``settle`` wait for a context."""
    ctx.extra = Waiting(ctx)


def draw_range(
    vao: moderngl.VertexArray, mode: int, size: int, *, first: int = 0, instances: int = 1
) -> None:
    """Draw a range of vertices; off screen in portions, each once the one before it is drawn.

    Instances are not parted: each is to be drawn as a whole before the next.
    """
    waiting = vao.ctx.extra
    if not isinstance(waiting, Waiting):
        vao.render(mode, size, first=first, instances=instances)
        return
    end = first + size
    while first < end and not waiting.is_late:
        count = min(end - first, waiting.room) if instances == 1 else end - first
        waiting.make_room(count * instances)
        vao.render(mode, count, first=first, instances=instances)
        first += count


def at_once(ctx: moderngl.Context, corners: int, most: int) -> int:
    """How many instances of so many corners are drawn in one call, off screen."""
    waiting = ctx.extra
    return most if not isinstance(waiting, Waiting) else max(1, min(most, waiting.room // max(1, corners)))


def portions(ctx: moderngl.Context, sizes: NDArray[np.int32]) -> Iterator[slice]:
    """The parts of a list of ranges of such sizes that are drawn in one call, each once there is room."""
    waiting = ctx.extra
    if not isinstance(waiting, Waiting):
        yield slice(0, len(sizes))
        return
    ends = np.cumsum(sizes)
    start = done = 0
    while start < len(sizes) and not waiting.is_late:
        end = max(start + 1, int(np.searchsorted(ends, done + waiting.room, side="right")))
        waiting.make_room(int(ends[end - 1]) - done)
        yield slice(start, end)
        start, done = end, int(ends[end - 1])


def settle(ctx: moderngl.Context) -> None:
    """Wait until all is drawn, off screen; in a window it goes on meanwhile."""
    if isinstance(ctx.extra, Waiting):
        ctx.extra.settle()


def begin_picture(ctx: moderngl.Context) -> None:
    """A picture is drawn from now on."""
    if isinstance(ctx.extra, Waiting):
        ctx.extra.begun = time.process_time()


def is_late(ctx: moderngl.Context) -> bool:
    """Whether the rest of the picture isn't drawn, off screen, since it takes too long."""
    return isinstance(ctx.extra, Waiting) and ctx.extra.is_late
