"""The card of the first minute: the keys that matter, and what was found of the world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from imgui_bundle import imgui

from viewer.overlay.panel_kit import GREEN
from viewer.overlay.recovery import in_window
from viewer.overlay.rect import Rect
from viewer.tables.key_names import Key

FLAGS = (
    imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav | imgui.WindowFlags_.always_auto_resize
)  # fmt: skip


LEAST, MOST = 20.0, 30.0  # of its width, in heights of a letter


class FirstCard:
    """A card over the picture that stays until it is put away; all keys work meanwhile but Enter and Escape.

    ``rows`` are keys and what they do; ``tell`` gives the lines about the world when it is opened.
    """

    def __init__(
        self, rows: Sequence[tuple[str, str]] = (), tell: Callable[[], Sequence[str]] = tuple
    ) -> None:
        self.rows = rows
        self.told: Sequence[str] = ()
        self.is_open = False
        self._tell = tell

    def open(self) -> None:
        """Show it."""
        self.told, self.is_open = self._tell(), True

    def press(self, key: Key) -> bool:
        """Put it away by a key that went down; whether it was one of those."""
        if not {"ENTER", "ESCAPE"} & set(key.typed):
            return False
        self.is_open = False
        return True

    def draw(self, picture: Rect, size: tuple[int, int], mark: Callable[[str], None]) -> None:
        """Draw it over the upper part of the picture; over the window where that is too narrow for it."""
        if not self.is_open:
            return
        em = imgui.get_font_size()
        room = picture if picture.width >= LEAST * em else Rect(0, picture.top, *size)
        at = imgui.ImVec2(room.left + room.width / 2, room.top + 12.0)
        imgui.set_next_window_pos(at, imgui.Cond_.always, imgui.ImVec2(0.5, 0.0))
        wide = max(60.0, min(MOST * em, room.width - 24.0))
        high = max(60.0, size[1] - room.top - 24.0)
        imgui.set_next_window_size_constraints(imgui.ImVec2(0.0, 0.0), imgui.ImVec2(float(size[0]), high))
        imgui.set_next_window_bg_alpha(0.92)
        in_window(self, "First steps", FLAGS, partial(self._content, wide, mark))

    def _content(self, wide: float, mark: Callable[[str], None]) -> None:
        imgui.push_text_wrap_pos(wide)
        column = max((imgui.calc_text_size(key).x for key, _ in self.rows), default=0.0) + 20.0
        for key, text in self.rows:
            imgui.text_colored(GREEN, key)
            imgui.same_line(column)
            imgui.text_wrapped(text)
        imgui.separator()
        for line in self.told:
            imgui.text_wrapped(line)
        imgui.pop_text_wrap_pos()
        if imgui.button("Put it away (Enter)"):
            self.is_open = False
        mark("card away")
        imgui.dummy(imgui.ImVec2(wide - imgui.get_style().window_padding.x, 0.0))
