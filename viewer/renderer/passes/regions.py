"""Clip regions and portal polygons on the GPU: all of a frame in one upload each (passes 3.3, 9.3)."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence

import moderngl

from engine.named_tuple import NamedTuple
from engine.visibility.view_polygon import ViewPolygon, bounding_box

PixelBox = tuple[int, int, int, int]  # x, y, width, height from the lower left


class Span(NamedTuple):
    """Vertices of a frame's buffer."""

    first: int
    size: int


NOTHING = Span(0, 0)


class TriangleBuffer:
    """A buffer that is filled afresh each frame and written to the GPU at once: positions by default."""

    def __init__(
        self, ctx: moderngl.Context, width: int, layout: str = "", names: Sequence[str] = ("in_position",)
    ) -> None:
        self._ctx = ctx
        self._width = width  # floats a vertex
        self._layout = layout or f"{width}f4"
        self._names = names
        self._data = array("f")
        self._programs: list[moderngl.Program] = []
        self._buffer = ctx.buffer(reserve=1 << 14)
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def clear(self) -> None:
        """Begin a frame."""
        del self._data[:]

    def add_fans(self, polygons: Iterable[Sequence[Sequence[float]]]) -> Span:
        """Convex polygons as triangles; returns where they lie."""
        data = self._data
        first = len(data) // self._width
        for p in polygons:
            for k in range(1, len(p) - 1):
                data.extend((*p[0], *p[k], *p[k + 1]))
        return Span(first, len(data) // self._width - first)

    def upload(self) -> None:
        """Send what was added."""
        size = len(self._data) * 4
        if size > self._buffer.size:
            self._release_arrays()
            self._buffer.release()
            self._buffer = self._ctx.buffer(reserve=2 * size)
        if size:
            self._buffer.orphan()
            self._buffer.write(self._data.tobytes())

    def draw(self, program: moderngl.Program, span: Span) -> None:
        """Draw a span with a program whose attributes are those of the buffer."""
        vao = self._arrays.get(program.glo)
        if vao is None:
            vao = self._ctx.vertex_array(program, [(self._buffer, self._layout, *self._names)])
            self._arrays[program.glo] = vao
        vao.render(moderngl.TRIANGLES, vertices=span.size, first=span.first)

    def _release_arrays(self) -> None:
        for vao in self._arrays.values():
            vao.release()
        self._arrays.clear()


def pixel_box(views: Sequence[ViewPolygon], width: int, height: int, margin: int = 2) -> PixelBox | None:
    """The box around view polygons: x, y, width, height in pixels from the lower left, with a margin.

    None where nothing lies on the screen.
    """
    if not views:
        return None
    around = views[0] if len(views) == 1 else bounding_box(list(views))
    x0 = max(0, math.floor((around.x0 + 1.0) / 2.0 * width) - margin)
    x1 = min(width, math.ceil((around.x1 + 1.0) / 2.0 * width) + margin)
    y0 = max(0, math.floor((around.y0 + 1.0) / 2.0 * height) - margin)
    y1 = min(height, math.ceil((around.y1 + 1.0) / 2.0 * height) + margin)
    return (x0, y0, x1 - x0, y1 - y0) if x1 > x0 and y1 > y0 else None


def box_around(boxes: Iterable[PixelBox | None]) -> PixelBox:
    """The box around boxes; an empty one around none."""
    known = [b for b in boxes if b is not None]
    if not known:
        return (0, 0, 0, 0)
    x0, y0 = min(b[0] for b in known), min(b[1] for b in known)
    x1, y1 = max(b[0] + b[2] for b in known), max(b[1] + b[3] for b in known)
    return (x0, y0, x1 - x0, y1 - y0)
