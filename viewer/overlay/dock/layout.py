"""Where the panels stand: docked around the picture, until the user moves one; never lost at any size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from imgui_bundle import imgui

from viewer.overlay.dock import dock_nodes
from viewer.overlay.dock.dock_nodes import Shares
from viewer.overlay.dock.layout_file import Place, SavedLayout, front_lines, layout_text
from viewer.overlay.rect import Rect

Size = tuple[int, int]
LARGE = (4000.0, 4000.0)  # what is divided at first: in a small space all shares would be rounded
LEAST_LINES = 2  # of a panel of which something is seen
FRAMES_TO_SETTLE = 2  # until a new dock space has its tabs, one of which can be brought to the front
FRAMES_AFTER_MOUSE = 3  # until ImGui has docked what was let go
_DOCK_ID = re.compile(r"\[Window\]\[([^\]\n]+)\]\n(?:(?!\[).*\n)*?DockId=0x([0-9A-F]{8})")
_USUAL_TABLES = re.compile(r"^\[Table\]\[[^\]]*\]\n(?:RefScale=.*\n)?\n", re.MULTILINE)
"""Tables that were shown at some size of the window, and that nobody has sorted or pulled at."""
_DOCKED_PLACES = re.compile(r"^(?:Pos|Size|LastUsed)=.*\n", re.MULTILINE)


class Placed(Protocol):
    """A panel as far as the layout knows it: its title and where it is first docked."""

    @property
    def title(self) -> str:
        """Its title, which is its name."""

    @property
    def place(self) -> str:
        """One of ``dock_nodes.ROWS``, or ``bottom``."""


def pulled_in(place: Place, size: Size) -> Place:
    """The nearest place of the same size, or the largest, that lies within a window of a size."""
    left, top, width, height = place
    width, height = min(width, size[0]), min(height, size[1])
    return max(0.0, min(left, size[0] - width)), max(0.0, min(top, size[1] - height)), width, height


def tabs_width(titles: Sequence[str]) -> float:
    """How wide the tabs of docked panels are where each name stands whole, with a cross."""
    style = imgui.get_style()
    padding = 2.0 * style.frame_padding.x
    around = padding + 2.0 * style.item_inner_spacing.x + imgui.get_font_size() + 1.0
    return float(padding + sum(imgui.calc_text_size(title).x + around for title in titles))


class PanelLayout:
    """Keeps the panels in the window and the picture free; ``changed`` once the user moved or closed one.

    ``is_asked_for`` tells that one is to be shown, which those who hide them all look at and take back.

    Docked panels keep their shares of the window as it changes its size. One that the user pulled out stays
    where it was put; where the window is too small for that it stands as near as it can, and goes back as
    the window grows.
    """

    def __init__(self, saved: SavedLayout | None = None) -> None:
        saved = saved or SavedLayout()
        self._moved = dict(saved.places)
        self._collapsed = set(saved.collapsed)
        self._docked = set(saved.docked)
        self._closed = set(saved.closed)
        self._unfolded: set[str] = set()  # those whose content is seen: in front of their tabs, not folded
        self._shares = dock_nodes.shares_in(saved.rest)
        self._dock_ids = {title: int(number, 16) for title, number in _DOCK_ID.findall(saved.rest)}
        self._dock_is_first = not saved.docked and not saved.closed
        self._builds = self._shares is None
        self._narrow = False
        self._bottom = dock_nodes.BOTTOMS[0]
        self._front = set(saved.front)
        self._settling = 0
        self._showing: list[str] = []  # what was brought to the front and may not be seen there yet
        self._shown_now = ""
        self._panels: Sequence[Placed] = ()
        self._size: Size = (0, 0)
        self._space = (0.0, 0.0)
        self._seen: dict[str, Place] = {}
        self._to_place: set[str] = set()
        self._to_show = [] if self._builds else sorted(saved.front)
        self._by_mouse = 0
        self._frame = -1
        self._picture = Rect(0, 0, 1, 1)
        self.changed = False
        self.is_asked_for = False

    # -- once a frame

    def begin(self, size: Size, panels: Sequence[Placed]) -> Rect:
        """Lay the dock space out in a window of a size; the picture's rectangle, at least a pixel.

        A second call in a frame changes nothing.
        """
        frame = imgui.get_frame_count()
        if frame == self._frame:
            return self._picture
        self._frame, self._panels = frame, panels
        self._front = self._front_now()
        self._settling = max(0, self._settling - 1)
        self._showing = self._showing[-1:] if self._shown_now else []  # seen there a frame later
        self._shown_now = self._next_to_show()
        if imgui.is_mouse_down(0) or imgui.is_mouse_released(0):
            self._by_mouse = FRAMES_AFTER_MOUSE
        elif self._by_mouse:
            self._by_mouse -= 1
        if size != self._size:
            self._to_place.update(self._seen.keys() - self._docked)
        self._size = size
        viewport = imgui.get_main_viewport()
        space = (viewport.work_size.x, viewport.work_size.y)
        narrow, bottom = dock_nodes.is_narrow(space[0]), dock_nodes.bottom_share(space[1])
        if self._dock_is_first and (narrow, bottom) != (self._narrow, self._bottom):
            self._rebuild()
        self._narrow, self._bottom = narrow, bottom
        if self._builds or self._shares is None:
            self._build(space)
        elif space != self._space:
            self._shares.apply(space)
        elif self._by_mouse:
            self._look_at_shares(space)
        self._space = space
        dock_nodes.submit()
        middle = dock_nodes.central()
        if middle is None:  # a file that says otherwise
            self.reset()
            self._build(space)
            dock_nodes.submit()
            middle = dock_nodes.central() or Rect(0, 0, *size)
        left = max(0, min(middle.left, size[0] - 1))
        top = max(0, min(middle.top, size[1] - 1))
        width, height = min(middle.width, size[0] - left), min(middle.height, size[1] - top)
        self._picture = Rect(left, top, max(1, width), max(1, height))
        return self._picture

    def hide(self) -> None:
        """A frame without panels begins: the dock space is only kept."""
        self._frame = imgui.get_frame_count()
        dock_nodes.submit(keep_only=True)

    def _rebuild(self) -> None:
        """Let the first layout be divided anew, as the room for it now asks, with the same tabs in front."""
        self._docked.clear()
        self._dock_ids.clear()
        self._builds = True

    def _build(self, space: tuple[float, float]) -> None:
        self._builds, self._settling = False, FRAMES_TO_SETTLE
        elsewhere = self._moved.keys() | self._dock_ids.keys()
        in_dock = [p for p in self._panels if p.title not in elsewhere]
        self._docked.update(p.title for p in in_dock)
        self._shares = dock_nodes.build(
            LARGE, [(p.title, p.place) for p in in_dock], narrow=self._narrow, bottom=self._bottom
        )
        self._shares.apply(space)
        first = self._first_in_front()
        wanted = {p.place: p.title for p in in_dock if p.title in self._front}
        shown = self._in_front(first) | self._in_front(wanted)
        self._to_show = [*shown.values(), *self._to_show]

    def _first_in_front(self) -> dict[str, str]:
        """Of each place the panel that is in front in the first layout, where nobody chose another."""
        elsewhere = self._moved.keys() | (set() if self._dock_is_first else self._dock_ids.keys())
        return {p.place: p.title for p in reversed(self._panels) if p.title not in elsewhere}

    def _front_now(self) -> set[str]:
        """Which tabs are in front: of the first layout, those that are not so anyhow.

        What has no room to be seen stays in front of what it was in front of.
        """
        if not self._seen:
            return self._front
        is_changing = self._settling or self._showing or any(map(self._can_show, self._to_show))
        seen = () if is_changing else self._unfolded
        where = {p.title: p.place for p in self._panels} if self._dock_is_first else self._dock_ids
        there = self._docked - self._closed
        known = (title for title in (*self._front, *seen, *self._showing, *self._to_show) if title in there)
        front = set({where.get(title): title for title in known}.values())
        return front - set(self._first_in_front().values()) if self._dock_is_first else front

    def _in_front(self, by_place: dict[str, str]) -> dict[str, str]:
        """Of panels by place those that come to the front: where there is one column, one of both."""
        return {dock_nodes.place_in(place, narrow=self._narrow): t for place, t in sorted(by_place.items())}

    def _next_to_show(self) -> str:
        """The panel that is brought to the front in this frame: ImGui takes one in a frame."""
        if self._settling:
            return ""
        title = next(filter(self._can_show, self._to_show), "")
        if title:
            self._to_show.remove(title)
            self._showing.append(title)
        return title

    def _can_show(self, title: str) -> bool:
        return self.is_open(title) and (title in self._seen or title not in self._docked)

    def _look_at_shares(self, space: tuple[float, float]) -> None:
        """Whether the user has pulled at a border between panels, or docked one."""
        nodes = dock_nodes.sizes_of(
            number for number in self._dock_ids.values() if dock_nodes.is_in_dock_space(number)
        )
        if self._shares is not None and self._shares.differ(space, nodes):
            self._shares = Shares(space, nodes)
            self._dock_changes()

    def _dock_changes(self) -> None:
        self._dock_is_first = False
        self.changed = True

    # -- panels

    def is_open(self, title: str) -> bool:
        """Whether a panel is not closed."""
        return title not in self._closed

    def has_room_for_cross(self, title: str) -> bool:
        """Whether a panel's tab may have a cross: the names of all tabs beside it stand whole with theirs."""
        place, node = self._seen.get(title), self._dock_ids.get(title)
        if place is None or title not in self._docked:
            return True
        beside = [t for t, n in self._dock_ids.items() if n == node and t in self._docked - self._closed]
        return tabs_width(beside) <= place[2]

    def toggle(self, title: str) -> None:
        """Bring a panel to the front of its tabs, open or not; close it where it is seen already."""
        if title in self._unfolded:
            self.close(title)
        else:
            self.show(title)

    def close(self, title: str) -> None:
        """Close a panel."""
        self._closed.add(title)
        self._seen.pop(title, None)
        self._unfolded.discard(title)
        self._dock_changes()

    def show(self, title: str) -> None:
        """Open a panel and bring it to the front of its tabs."""
        if title in self._closed:
            self._closed.discard(title)
            self._dock_changes()
        self._to_show.append(title)
        self.is_asked_for = True

    def reset(self) -> None:
        """Let every panel stand where it first stood, open."""
        self._to_place.clear()
        self._to_show.clear()
        self._front = set()
        for kept in (self._moved, self._collapsed, self._docked, self._closed, self._dock_ids):
            kept.clear()
        self._builds = self._dock_is_first = self.changed = True

    def place(self, panel: Placed) -> int:
        """Place the window that is begun next; the flags to begin it with."""
        title = panel.title
        new = title not in self._seen
        if new and title not in self._docked and title not in self._moved:
            self._find_room(panel)
        if title == self._shown_now:
            imgui.set_next_window_focus()
            imgui.set_next_window_collapsed(False)
        if title in self._docked and title not in self._to_place:
            return int(imgui.WindowFlags_.no_focus_on_appearing)  # else the last one hides what was in front
        if new or title in self._to_place:
            left, upper, width, height = pulled_in(self._moved.get(title, self._middle()), self._size)
            imgui.set_next_window_pos(imgui.ImVec2(left, upper))
            imgui.set_next_window_size(imgui.ImVec2(width, height))
            if new:
                imgui.set_next_window_collapsed(title in self._collapsed)
        return int(imgui.WindowFlags_.no_saved_settings)

    def _find_room(self, panel: Placed) -> None:
        """Dock a panel that the saved layout does not know beside one that is first docked there, too."""
        for other in sorted(self._panels, key=lambda p: p.place != panel.place):
            node = self._dock_ids.get(other.title, 0)
            if node and dock_nodes.is_in_dock_space(node):
                imgui.set_next_window_dock_id(node)
                self._docked.add(panel.title)
                return

    def _middle(self) -> Place:
        left, top, width, height = self._picture
        return left + 0.1 * width, top + 0.1 * height, 0.8 * width, 0.8 * height

    def look(self, title: str, *, shown: bool) -> None:
        """See where the window that was just begun stands, and whether the user moved it there.

        ``shown`` is what beginning it said: whether its content is to be seen.
        """
        at, extent = imgui.get_window_pos(), imgui.get_window_size()
        least = LEAST_LINES * imgui.get_frame_height()
        has_room = min(extent.x, extent.y) > least  # else ImGui mixes tabs up
        (self._unfolded.add if shown and has_room else self._unfolded.discard)(title)
        before = self._seen.get(title)
        folded = imgui.is_window_collapsed()
        height = before[3] if folded and before is not None else extent.y
        now = (at.x, at.y, extent.x, height)
        self._seen[title] = now
        placed = title in self._to_place
        self._to_place.discard(title)
        if imgui.is_window_docked():
            self._look_at_docked(title, now)
            return
        (self._collapsed.add if folded else self._collapsed.discard)(title)
        was_docked = title in self._docked
        self._docked.discard(title)
        if before is not None and now != before and self._by_mouse and not placed:
            self._moved[title] = now
            self.changed = True
            self._dock_is_first = self._dock_is_first and not was_docked

    def _look_at_docked(self, title: str, now: Place) -> None:
        node = imgui.get_window_dock_id()
        if title not in self._docked or self._dock_ids.get(title, node) != node:
            self._docked.add(title)
            self._moved.pop(title, None)
            if self._by_mouse:
                self._dock_changes()
        self._dock_ids[title] = node
        if not dock_nodes.is_in_dock_space(node) and pulled_in(now, self._size)[:2] != now[:2]:
            self._to_place.add(title)

    def text(self, imgui_text: str) -> str:
        """The layout file that brings this back, around what ImGui keeps itself; empty for the first one."""
        if self._shares is not None:
            imgui_text = dock_nodes.with_shares(imgui_text, self._shares)
        text = _USUAL_TABLES.sub("", _DOCKED_PLACES.sub("", imgui_text))
        docked = () if self._dock_is_first else self._docked
        return layout_text(
            text, docked=docked, places=self._moved, collapsed=self._collapsed, closed=self._closed
        )

    def front_text(self) -> str:
        """What a layout file says of the tabs in front; empty where they are those of the first layout."""
        return front_lines(self._front_now())
