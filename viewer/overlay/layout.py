"""Where the panels stand: in two columns that follow the window's size, until the user moves one."""

from __future__ import annotations

from imgui_bundle import imgui

MARGIN = 8
COLUMN_WIDTH = 400
LEAST_HEIGHT = 40.0

Size = tuple[int, int]
Place = tuple[float, float, float, float]  # left, top, width, height


def first_place(size: Size, column: int, top: float, bottom: float) -> Place:
    """Where a panel first stands in a window of a size, in window pixels.

    Columns are 0 (left) and 1 (right); ``top`` and ``bottom`` are shares of the window's height.
    """
    width = min(COLUMN_WIDTH, 0.45 * size[0])
    left = MARGIN if column == 0 else size[0] - MARGIN - width
    height = max(LEAST_HEIGHT, (bottom - top) * size[1] - 2 * MARGIN)
    return left, top * size[1] + MARGIN, width, height


class PanelLayout:
    """Remembers which panels stand where they first stood; those follow the window, the others stay.

    Only what the user moved is kept in the layout file: the rest is laid out by the next window's size.
    """

    def __init__(self) -> None:
        self._size: Size = (0, 0)
        self._resized = False
        self._untouched: set[str] = set()

    def begin(self, size: Size) -> None:
        """A frame in a window of a size begins."""
        self._resized = size != self._size
        self._size = size

    def place(self, title: str, column: int, top: float, bottom: float) -> int:
        """Place the window that is begun next; the flags to begin it with."""
        left, upper, width, height = first_place(self._size, column, top, bottom)
        untouched = title in self._untouched
        when = imgui.Cond_.always if untouched and self._resized else imgui.Cond_.first_use_ever
        imgui.set_next_window_pos(imgui.ImVec2(left, upper), when)
        imgui.set_next_window_size(imgui.ImVec2(width, height), when)
        return int(imgui.WindowFlags_.no_saved_settings) if untouched else 0

    def look(self, title: str, column: int, top: float, bottom: float) -> None:
        """See whether the window that was just begun stands where it first stood."""
        at, extent = imgui.get_window_pos(), imgui.get_window_size()
        left, upper, width, height = first_place(self._size, column, top, bottom)
        off = [at.x - left, at.y - upper, extent.x - width]
        if not imgui.is_window_collapsed():
            off.append(extent.y - height)
        if max(map(abs, off)) <= 1.0:  # whole pixels
            self._untouched.add(title)
        else:
            self._untouched.discard(title)
