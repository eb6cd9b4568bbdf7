"""What panels are made of: their named widgets, colours, tooltips."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.report.picture_report import PictureReport

SLIDER_WIDTH = 110.0  # pixels at scale 1
TIP_WIDTH = 32.0  # of a tooltip's lines, in heights of a letter
TIP_GAP = 6.0  # pixels between a tooltip and what it lies beside
POINTER = (16.0, 10.0)  # pixels from the pointer to a tooltip
LINES = ("##hint", "##banner")  # the lines over the picture, as windows are called
DOTS = "…"
GREEN = imgui.ImVec4(0.55, 0.85, 0.55, 1.0)
AMBER = imgui.ImVec4(0.95, 0.75, 0.35, 1.0)
GREY = imgui.ImVec4(0.65, 0.65, 0.68, 1.0)

Bounds = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of the window, pixels."""


class Widgets:
    """Where named widgets were drawn (window pixels), so that a script can click them.

    ``actions`` are those of the table that do as much as a widget. Nothing is kept where nobody
    ``is_told``: there are hundreds.
    """

    def __init__(self, *, is_told: bool = True) -> None:
        self.places: dict[str, tuple[float, float]] = {}
        self.actions: dict[str, str] = {}
        self._is_told = is_told

    def mark(self, name: str, action: str = "") -> None:
        """Remember the middle of the widget drawn last, where any of it is to be seen."""
        if not self._is_told:
            return
        if action:
            self.actions[name] = action
        if not imgui.is_item_visible():
            return
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self.places[name] = ((low.x + high.x) / 2, (low.y + high.y) / 2)


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: its title, where it is first docked (a place of ``dock.ROWS``, or ``bottom``), its content.

    ``tells`` is what it answers, in the words of whoever asks; ``also`` are others that find it.
    """

    title: str
    place: str
    draw: Callable[[PictureReport, OverlayActions, Widgets], None]
    tells: str
    also: str = ""


def scaled(pixels: float) -> float:
    """A length that is given for text at scale 1, at the scale that is set."""
    return float(pixels * imgui.get_style().font_scale_main)


def slider_width(name: str) -> float:
    """How wide a slider is, so that its name has room behind it."""
    behind = imgui.calc_text_size(name).x + 2.0 * imgui.get_style().item_inner_spacing.x
    return min(scaled(SLIDER_WIDTH), max(scaled(40.0), imgui.get_content_region_avail().x - behind))


class Row:
    """Items side by side, as far as there is room from where the next one would come now."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
        self._end = right - 2.0 * imgui.get_style().item_spacing.x

    def beside(self, width: float) -> bool:
        """Put the next item beside the last one where so many pixels are left, else below; whether it is."""
        has_room = bool(imgui.get_item_rect_max().x + width < self._end)
        if has_room:
            imgui.same_line()
        return has_room


def beside(width: float) -> None:
    """Put the next item beside the last one where so many pixels are left, else on a new line."""
    Row().beside(width)


def slider(name: str, value: float, limits: tuple[float, float], form: str) -> float | None:
    """A slider of a number with a fraction; what it was moved to, None where it was left.

    After Ctrl+click a number is typed into it, and "nan", which lies between no limits, is none.
    """
    changed, moved = imgui.slider_float(name, value, *limits, form, imgui.SliderFlags_.always_clamp)
    return moved if changed and math.isfinite(moved) else None


def text_width(text: str) -> float:
    """How wide a text is in a line, pixels."""
    return float(imgui.calc_text_size(text).x)


def tip(text: str) -> None:
    """A tooltip of the item drawn last, as wide as is read well, and never wider than the window."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        tell_at_pointer(text)


def tip_beside(text: str, around: Bounds, sides: str = "above below right left") -> None:
    """As ``tip``, but beside a part of the window that one wants to see meanwhile, where there is room."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        tell_beside(text, around, sides)


def tip_off_panel(text: str) -> None:
    """As ``tip``, but beside the panel, whose own lines it would cover: those that tell what comes of it."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        panel = imgui.internal.get_current_window().root_window
        at, size = panel.pos, panel.size
        tell_beside(text, (at.x, at.y, at.x + size.x, at.y + size.y))


def tell_beside(text: str, around: Bounds, sides: str = "above below right left") -> None:
    """A tooltip beside a part of the window, now: on that of the ``sides`` with room which is nearest."""
    mouse, window = imgui.get_mouse_pos(), imgui.get_io().display_size
    at = place_beside(
        around, _tip_size(text), (window.x, window.y), (mouse.x, mouse.y), sides=sides, kept=_lines_shown()
    )
    if at is None:
        tell_at_pointer(text)
    else:
        _tell(text, at)


def place_beside(
    around: Bounds,
    size: tuple[float, float],
    window: tuple[float, float],
    pointer: tuple[float, float],
    *,
    sides: str,
    kept: Sequence[Bounds] = (),
) -> tuple[float, float] | None:
    """Where something of a size lies wholly in the window and beside a part of it, near the pointer; or None.

    ``sides`` are words for the sides of that part: the nearest to the pointer is taken, of two as near the
    first. What is ``kept`` is not covered, and what would lie above it lies above that, too.
    """
    left, top, right, bottom = around
    wide, high = size
    x = max(0.0, min(pointer[0], window[0] - wide))
    y = max(0.0, min(pointer[1], window[1] - high))
    above = top - TIP_GAP - high
    for line in sorted(kept, key=lambda line: -line[3]):
        if _overlap((x, above, x + wide, above + high), line):
            above = line[1] - TIP_GAP - high
    places = {
        "above": (x, above), "below": (x, bottom + TIP_GAP),
        "left": (left - TIP_GAP - wide, y), "right": (right + TIP_GAP, y),
    }  # fmt: skip
    free = [places[side] for side in sides.split() if _is_free(places[side], size, window, kept)]
    return min(free, key=lambda at: _far(pointer, at, size), default=None)


def place_at(
    size: tuple[float, float],
    window: tuple[float, float],
    pointer: tuple[float, float],
    kept: Sequence[Bounds],
) -> tuple[float, float] | None:
    """Where something of a size lies at the pointer, in the window and off what is ``kept``; or None."""
    right, left = pointer[0] + POINTER[0], pointer[0] - POINTER[0] - size[0]
    inside = max(0.0, min(right, window[0] - size[0]))
    below, above = pointer[1] + POINTER[1], pointer[1] - POINTER[1] - size[1]
    places = [(x, y) for y in (below, above) for x in (right, inside, left)]
    return next((at for at in places if _is_free(at, size, window, kept)), None)


def _is_free(
    at: tuple[float, float], size: tuple[float, float], window: tuple[float, float], kept: Sequence[Bounds]
) -> bool:
    x, y = at
    box = (x, y, x + size[0], y + size[1])
    is_inside = x >= 0.0 and y >= 0.0 and box[2] <= window[0] and box[3] <= window[1]
    return is_inside and not any(_overlap(box, line) for line in kept)


def _overlap(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _far(pointer: tuple[float, float], at: tuple[float, float], size: tuple[float, float]) -> float:
    """How far a box is from the pointer, pixels."""
    x = max(at[0] - pointer[0], 0.0, pointer[0] - at[0] - size[0])
    y = max(at[1] - pointer[1], 0.0, pointer[1] - at[1] - size[1])
    return float(max(x, y))


def panel_bounds() -> Bounds:
    """Where the panel, or the part of one, is that is being drawn."""
    at, size = imgui.get_window_pos(), imgui.get_window_size()
    return at.x, at.y, at.x + size.x, at.y + size.y


def tell_at_pointer(text: str) -> None:
    """A tooltip at the pointer, now; off the lines over the picture, which say what was just done."""
    mouse, window = imgui.get_mouse_pos(), imgui.get_io().display_size
    _tell(text, place_at(_tip_size(text), (window.x, window.y), (mouse.x, mouse.y), _lines_shown()))


def _tell(text: str, at: tuple[float, float] | None) -> None:
    if at is not None:
        imgui.set_next_window_pos(imgui.ImVec2(*at))
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(_tip_width())
        imgui.text(text)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def _tip_size(text: str) -> tuple[float, float]:
    padding, words = imgui.get_style().window_padding, imgui.calc_text_size(text, wrap_width=_tip_width())
    return words.x + 2.0 * padding.x, words.y + 2.0 * padding.y


def _tip_width() -> float:
    return float(min(TIP_WIDTH * imgui.get_font_size(), 0.8 * imgui.get_io().display_size.x))


def _lines_shown() -> list[Bounds]:
    """Where the lines over the picture are, those that are."""
    found = (imgui.internal.find_window_by_name(name) for name in LINES)
    return [
        (line.pos.x, line.pos.y, line.pos.x + line.size.x, line.pos.y + line.size.y)
        for line in found
        if line is not None and line.was_active
    ]


def copyable(text: str, actions: OverlayActions, *, click: str = "") -> None:
    """Let a right click on the item drawn last copy a text; ``click`` tells what a left one does."""
    tip(f"{click}; right click: copy" if click else "right click: copy")
    if imgui.is_item_hovered() and imgui.is_mouse_clicked(1):
        copy(text, text, actions)


def copy(text: str, called: str, actions: OverlayActions) -> None:
    """Put a text on the clipboard, and say what it is called."""
    imgui.set_clipboard_text(text)
    actions.questions.tell(f"copied: {called}")


def heading(title: str) -> None:
    """A line with a title in it; below it, over as many lines as it needs, where the panel is too narrow."""
    if (len(title) + 6) * imgui.get_font_size() > imgui.get_content_region_avail().x:  # else it has room
        style = imgui.get_style()
        around = 3.0 * style.separator_text_padding.x + 2.0 * style.item_spacing.x
        if imgui.calc_text_size(title).x + around > imgui.get_content_region_avail().x:
            imgui.separator()
            imgui.text_wrapped(title)
            return
    imgui.separator_text(title)


def is_another(name: str, number: int) -> bool:
    """Whether a number is another one than when this panel was drawn last; the panel keeps it."""
    kept, key = imgui.get_state_storage(), imgui.get_id(name)
    before = kept.get_int(key)
    kept.set_int(key, number)
    return before != number


def rest(lines: float) -> imgui.ImVec2:
    """All the room that a panel has left; so many lines at least, so that the panel is scrolled to them."""
    least = lines * imgui.get_text_line_height_with_spacing()
    return imgui.ImVec2(0.0, max(least, imgui.get_content_region_avail().y))


def button(
    text: str, name: str, widgets: Widgets, *, action: str, small: bool = False, wide: float = 0.0
) -> bool:
    """A button; whether it was pressed.

    ``name`` is what scripts call it; ``action`` is the one of the table that does as much by a key or from
    the palette, for what is selected where the button belongs to one thing of several; or ``setting``,
    where the palette has its setting.
    """
    pressed = imgui.small_button(text) if small else imgui.button(text, imgui.ImVec2(wide, 0.0))
    widgets.mark(name, action)
    return bool(pressed)


def tick_box(text: str, name: str, widgets: Widgets, *, action: str, on: bool) -> bool:
    """A box that is ticked or not; whether that was just changed. Else as ``button``."""
    changed, _ = imgui.checkbox(text, on)
    widgets.mark(name, action)
    return bool(changed)


def shortened(text: str, width: float) -> str:
    """As much of a text as so many pixels have room for, with dots for the rest."""
    if imgui.calc_text_size(text).x <= width:
        return text
    least, most = 1, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        fits = imgui.calc_text_size(f"{text[:middle].rstrip()}{DOTS}").x <= width
        least, most = (middle, most) if fits else (least, middle - 1)
    return f"{text[:least].rstrip()}{DOTS}"


def short(cell: int) -> str:
    """A cell's number in its landblock."""
    return f"{cell & 0xFFFF:04X}"


def length(v: tuple[float, float, float]) -> float:
    """How long a vector is."""
    return float((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) ** 0.5)
