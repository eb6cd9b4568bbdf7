"""What lies over the panels: cross-hair, banner, a line of hints, the teleport box."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from viewer.overlay.box_focus import BoxFocus
from viewer.overlay.panel_kit import AMBER, GREY, LINES, beside, scaled
from viewer.overlay.recovery import in_window
from viewer.overlay.rect import Rect
from viewer.tables.key_names import MODIFIERS, Key

_PLAIN = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_docking
)


class TeleportBox:
    """The box that takes a location; it keeps the text that is being typed and the last complaint."""

    def __init__(self) -> None:
        self.text = ""
        self.complaint = ""
        self.is_open = False
        self.focus = BoxFocus()

    def open(self, text: str) -> None:
        """Show the box with a text to change."""
        self.text, self.complaint, self.is_open = text, "", True
        self.focus.want()

    def draw(self, size: tuple[int, int], go: Callable[[str], str]) -> None:
        """Draw it; ``go`` takes the text and returns a complaint, empty when it went there."""
        if not self.is_open:
            return
        imgui.set_next_window_pos(
            imgui.ImVec2(size[0] / 2, size[1] * 0.35), imgui.Cond_.appearing, imgui.ImVec2(0.5, 0.5)
        )
        imgui.set_next_window_size(imgui.ImVec2(max(1.0, min(scaled(520.0), size[0] - 40.0)), 0.0))
        flags = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings
        in_window(self, "Teleport", flags, partial(self._content, go))

    def _content(self, go: Callable[[str], str]) -> None:
        imgui.push_style_color(imgui.Col_.text, GREY)
        imgui.text_wrapped(
            "0xA9B40170 [155.0 15.2 94.0] 1 0 0 0, or 42.1N 33.6E outdoors, or a cell alone: 0xA9B40170, or "
            "0170 in the landblock that you are in"
        )
        imgui.pop_style_color()
        self.focus.ask()
        imgui.set_next_item_width(-1)
        entered, self.text = imgui.input_text(
            "##location", self.text, imgui.InputTextFlags_.enter_returns_true
        )
        self.focus.look()
        if entered:
            self.focus.want()
            self.complaint = go(self.text)
            self.is_open = bool(self.complaint)
        if self.complaint:
            imgui.push_style_color(imgui.Col_.text, AMBER)
            imgui.text_wrapped(self.complaint)
            imgui.pop_style_color()


class ModalBox:
    """A box with a question: until it is answered, clicks are for it alone, and any other key takes it away.

    ``area`` is where it was drawn last, None before that.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.area: Rect | None = None

    def holds(self, x: float, y: float) -> bool:
        """Whether a place of the window is on the box."""
        area = self.area
        if area is None:
            return False
        return 0.0 <= x - area.left < area.width and 0.0 <= y - area.top < area.height

    def _measured(self, content: Callable[[], None]) -> None:
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        self.area = Rect(round(at.x), round(at.y), round(size.x), round(size.y))
        content()

    def _gives_way(self, key: Key) -> bool:
        """Close for a key that is no answer; whether it is left to do what it does elsewhere."""
        if key.symbol in MODIFIERS:
            return False
        self.is_open = False
        return True


class LeaveBox(ModalBox):
    """The box that asks before the window closes: one key too many loses nothing."""

    def open(self) -> None:
        """Ask."""
        self.is_open, self.area = True, None

    def press(self, key: Key, leave: Callable[[], None]) -> bool:
        """Answer by a key that went down, or give way to it; whether it was for the box.

        ``leave`` is what to do when the answer is yes.
        """
        if "ENTER" in key.typed:
            leave()
        elif "ESCAPE" in key.typed:
            self.is_open = False
        else:
            return not self._gives_way(key)
        return True

    def draw(self, size: tuple[int, int], leave: Callable[[], None]) -> None:
        """Draw it; as ``press``, by the mouse."""
        if not self.is_open:
            return
        imgui.set_next_window_pos(
            imgui.ImVec2(size[0] / 2, size[1] / 2), imgui.Cond_.always, imgui.ImVec2(0.5, 0.5)
        )
        flags = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings
        flags |= imgui.WindowFlags_.always_auto_resize
        in_window(self, "Leave Holtwalk?", flags, partial(self._measured, partial(self._content, leave)))

    def _content(self, leave: Callable[[], None]) -> None:
        if imgui.button("Leave (Enter)"):
            leave()
        imgui.same_line()
        if imgui.button("Stay (Escape)"):
            self.is_open = False


class DumpsBox(ModalBox):
    """The box that asks whether a bug folder may hold the dats' geometry, before the first one is written."""

    def __init__(self) -> None:
        super().__init__()
        self._waits = False
        self._left: Callable[[], None] = _nothing
        self._with: Callable[[], None] = _nothing
        self._without: Callable[[], None] = _nothing

    def open(
        self,
        with_dumps: Callable[[], None],
        without: Callable[[], None],
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask; one of the first two is done by the answer, ``left`` where the box is closed without one."""
        self.is_open, self.area, self._with, self._without = True, None, with_dumps, without
        self._left, self._waits = left, True

    def _settle(self) -> None:
        """Where it was closed without an answer, however that came, say so."""
        if self._waits and not self.is_open:
            self._waits = False
            self._left()

    def press(self, key: Key, *, ctrl: bool) -> bool:
        """Answer by a key that went down, or give way to it; whether it was for the box."""
        if "ENTER" in key.typed or ("Y" in key.typed and not ctrl):
            self._do(self._with)
        elif "N" in key.typed and not ctrl:
            self._do(self._without)
        elif "ESCAPE" in key.typed:
            self.is_open = False
        elif self._gives_way(key):
            self._settle()
            return False
        self._settle()
        return True

    def draw(self, size: tuple[int, int], mark: Callable[[str], None]) -> None:
        """Draw it; as ``press``, by the mouse."""
        self._settle()
        if not self.is_open:
            return
        middle = imgui.ImVec2(size[0] / 2, size[1] / 2)
        imgui.set_next_window_pos(middle, imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
        imgui.set_next_window_size(imgui.ImVec2(max(1.0, min(scaled(560.0), size[0] - 40.0)), 0.0))
        flags = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings
        content = partial(self._measured, partial(self._content, mark))
        in_window(self, "Geometry in the bug folder?", flags, content)

    def _content(self, mark: Callable[[str], None]) -> None:
        imgui.text_wrapped(
            "With dumps of the cells around, whoever gets the folder opens it without your dats. They "
            "hold the geometry of those cells and of what stands in them, as your dats have it; no "
            "textures."
        )
        imgui.push_style_color(imgui.Col_.text, GREY)
        imgui.text_wrapped("Asked once; the panel Settings changes the answer.")
        imgui.pop_style_color()
        if imgui.button("With dumps (Enter)"):
            self._do(self._with)
        mark("dumps yes")
        beside(imgui.calc_text_size("Without (N)").x)
        if imgui.button("Without (N)"):
            self._do(self._without)
        mark("dumps no")
        beside(imgui.calc_text_size("Write nothing (Escape)").x)
        if imgui.button("Write nothing (Escape)"):
            self.is_open = False

    def _do(self, answer: Callable[[], None]) -> None:
        self.is_open = self._waits = False
        answer()


def _nothing() -> None:
    """Nobody asked."""


def draw_lines(picture: Rect, banner: str, hint: str) -> None:
    """A line of hints at the picture's bottom and a banner above it (empty for none), both in the middle."""
    bottom = picture.top + picture.height - 6.0
    for name, text in zip(LINES, (hint, banner), strict=True):
        if not text:
            continue
        at = imgui.ImVec2(picture.left + picture.width / 2, bottom)
        padding = imgui.get_style().window_padding
        wide = max(40.0, picture.width - 12.0 - 2.0 * padding.x)
        words = imgui.calc_text_size(text, wrap_width=wide)
        size = imgui.ImVec2(words.x + 2.0 * padding.x, words.y + 2.0 * padding.y)
        imgui.set_next_window_pos(at, imgui.Cond_.always, imgui.ImVec2(0.5, 1.0))
        imgui.set_next_window_size(size)  # of this text: by itself a window has that of the last frame's
        imgui.set_next_window_bg_alpha(0.8)
        imgui.push_style_var(imgui.StyleVar_.window_min_size, imgui.ImVec2(1.0, 1.0))
        imgui.begin(name, None, _PLAIN)
        imgui.push_text_wrap_pos(padding.x + wide)
        imgui.text(text)
        imgui.pop_text_wrap_pos()
        bottom -= size.y + 4.0
        imgui.end()
        imgui.pop_style_var()


def draw_cross_hair(left: float, top: float, size: tuple[float, float]) -> None:
    """A small cross in the middle of a picture, whose upper left corner is there."""
    x, y = left + size[0] / 2, top + size[1] / 2
    lines = imgui.get_foreground_draw_list()
    for colour, width in ((imgui.IM_COL32(0, 0, 0, 160), 3.0), (imgui.IM_COL32(255, 255, 255, 220), 1.0)):
        lines.add_line(imgui.ImVec2(x - 7, y), imgui.ImVec2(x + 7, y), colour, width)
        lines.add_line(imgui.ImVec2(x, y - 7), imgui.ImVec2(x, y + 7), colour, width)
