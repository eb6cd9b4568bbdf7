"""Words over the picture: names of shapes, numbers of regions, the caption (views 8.2 no. 5, 9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.visibility.picture_view import VisibleCell
from engine.world.debug_shapes import WHITE, DebugShapes, Rgba
from viewer.renderer.debug.text import TextBatch
from viewer.renderer.gl.programs import Programs
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.scene.matrices import EyeSpace

if TYPE_CHECKING:
    import moderngl

ALARM: Rgba = (1.0, 0.3, 0.3, 1.0)
_EDGE = 8  # pixels of the caption from the picture's edges
_MOST = 200  # labels that are tried, nearest first


class Labels:
    """Lays out the words of a frame, what is nearer first; what would lie on another moves a line or two."""

    def __init__(self, ctx: moderngl.Context, programs: Programs) -> None:
        self._text = TextBatch(ctx, programs)
        self._size = (1, 1)

    def begin(self, size: tuple[int, int], scale: float = 1.0) -> None:
        """Start a frame in a picture of that size, with words of a scale."""
        self._size = size
        self._text.begin(size, scale)

    def caption(self, text: str, at: float, alarm: str = "") -> None:
        """Lines at the upper edge, at a share of the width, the last in red.

        They come first, so that nothing lies on them. In the middle no panel does.
        """
        lines = [(line, WHITE) for line in text.splitlines()] + ([(alarm, ALARM)] if alarm else [])
        for k, (line, color) in enumerate(lines):
            left = _EDGE + at * (self._size[0] - 2 * _EDGE - self._text.width(line))
            self._text.put(left, _EDGE + k * self._text.line_height, line, color=color, middle=False)

    def of_shapes(self, shapes: Iterable[DebugShapes], eye: EyeSpace) -> None:
        """The labels of shapes, where their points are on the screen."""
        found: list[tuple[float, float, float, str, Rgba]] = []
        for shape in shapes:
            for point, text, color in shape.labels:
                x, y, _, w = eye.clip(shape.cell_id, point)
                if w > eye.near:
                    sx, sy = x / w, y / w
                    if abs(sx) < 1.0 and abs(sy) < 1.0:
                        found.append((w, sx, sy, text, color))
        for _, sx, sy, text, color in sorted(found, key=lambda row: row[0])[:_MOST]:
            self._put(sx, sy, text, color=color)

    def of_regions(self, cells: Sequence[VisibleCell]) -> None:
        """The order number of each cell in the upper left corner of each of its regions.

        Not in the middle: regions that lie in one another would have theirs in one place.
        """
        for row in cells:
            r, g, b = cell_color(row.cell)
            for view in row.regions:
                color = (0.4 + 0.6 * r, 0.4 + 0.6 * g, 0.4 + 0.6 * b, 1.0)
                x, y = min(view.points, key=_from_upper_left)
                self._put(x, y, str(row.order), color=color, middle=False)

    def draw(self) -> None:
        """Draw them; the caller has set the state of overlays."""
        self._text.draw()

    def _put(self, x: float, y: float, text: str, *, color: Rgba, middle: bool = True) -> None:
        width, height = self._size
        sx, sy = (x + 1.0) / 2.0 * width, (1.0 - y) / 2.0 * height
        for lines in (0, 1, -1, 2, -2):
            if self._text.put(sx, sy + lines * self._text.line_height, text, color=color, middle=middle):
                return


def _from_upper_left(point: tuple[float, float]) -> float:
    return point[0] - point[1]
