"""Where the panels stand: in two columns that follow the window's size, until the user moves one."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.overlay.layout_file import Place, SavedLayout, layout_text

MARGIN = 8
COLUMN_WIDTH = 400
LEAST_HEIGHT = 40.0

Size = tuple[int, int]


def first_place(size: Size, column: int, top: float, bottom: float) -> Place:
    """Where a panel first stands in a window of a size, in window pixels.

    Columns are 0 (left) and 1 (right); ``top`` and ``bottom`` are shares of the window's height.
    """
    width = min(COLUMN_WIDTH, 0.45 * size[0])
    left = MARGIN if column == 0 else size[0] - MARGIN - width
    height = max(LEAST_HEIGHT, (bottom - top) * size[1] - 2 * MARGIN)
    return left, top * size[1] + MARGIN, width, height


def pulled_in(place: Place, size: Size) -> Place:
    """The nearest place of the same size, or the largest, that lies within a window of a size."""
    left, top, width, height = place
    width, height = min(width, size[0]), min(height, size[1])
    return max(0.0, min(left, size[0] - width)), max(0.0, min(top, size[1] - height)), width, height


class PanelLayout:
    """Keeps the panels in the window, whatever its size; ``changed`` once the user moved one.

    What the user moved stays there; where the window is too small for that it stands as near as it can, and
    goes back as the window grows. The others stand in their columns.
    """

    def __init__(self, saved: SavedLayout | None = None) -> None:
        saved = saved or SavedLayout()
        self._moved = dict(saved.places)
        self._collapsed = set(saved.collapsed)
        self._docked = set(saved.docked)
        self._size: Size = (0, 0)
        self._seen: dict[str, Place] = {}
        self._to_place: set[str] = set()
        self.changed = False

    def begin(self, size: Size) -> None:
        """A frame in a window of a size begins."""
        if size != self._size:
            self._to_place.update(self._seen.keys() - self._docked)
        self._size = size

    def reset(self) -> None:
        """Let every panel stand where it first stood."""
        self._to_place.update(self._seen)
        for kept in (self._moved, self._collapsed, self._docked):
            kept.clear()
        self.changed = True

    def place(self, title: str, column: int, top: float, bottom: float) -> int:
        """Place the window that is begun next; the flags to begin it with."""
        if title in self._docked and title not in self._to_place:
            return 0
        if title not in self._seen or title in self._to_place:
            wanted = self._moved.get(title, first_place(self._size, column, top, bottom))
            left, upper, width, height = pulled_in(wanted, self._size)
            imgui.set_next_window_pos(imgui.ImVec2(left, upper))
            imgui.set_next_window_size(imgui.ImVec2(width, height))
            if title not in self._seen or title not in self._moved:
                imgui.set_next_window_collapsed(title in self._collapsed)
        return int(imgui.WindowFlags_.no_saved_settings)

    def look(self, title: str) -> None:
        """See where the window that was just begun stands, and whether the user moved it there."""
        at, extent = imgui.get_window_pos(), imgui.get_window_size()
        before = self._seen.get(title)
        folded = imgui.is_window_collapsed()
        height = before[3] if folded and before is not None else extent.y
        now = self._seen[title] = at.x, at.y, extent.x, height
        (self._collapsed.add if folded else self._collapsed.discard)(title)
        placed = title in self._to_place
        self._to_place.discard(title)
        if imgui.is_window_docked():
            self._docked.add(title)
            if pulled_in(now, self._size)[:2] != now[:2]:
                self._to_place.add(title)
            return
        self._docked.discard(title)
        by_mouse = imgui.is_mouse_down(0) or imgui.is_mouse_released(0)
        if before is not None and now != before and by_mouse and not placed:
            self._moved[title] = now
            self.changed = True

    def text(self, imgui_text: str) -> str:
        """The layout file that brings this back, around what ImGui keeps itself."""
        return layout_text(imgui_text, self._docked, self._moved, self._collapsed)
