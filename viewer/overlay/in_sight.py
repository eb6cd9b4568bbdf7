"""Parts of panels that are drawn as far as they are in sight, and have the room that all of them takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from imgui_bundle import imgui


def draw_in_sight(name: str, content: Hashable, lines: Iterable[object]) -> None:
    """Draw a part of a panel, of whole lines; what of it lies out of sight is room that is left free.

    ``lines`` draws it, and yields where a line begins. How high all of it is is known from when it was drawn
    last, as long as ``content`` is equal: all that this follows from, but for the panel's width and the
    size of text.
    """
    kept, key, room = imgui.get_state_storage(), imgui.get_id(name), imgui.get_content_region_avail().x
    seal = hash((content, room, imgui.get_font_size())) & 0x7FFFFFFF
    # All is drawn in a panel that can be pushed sideways, as it can only as long as something is so wide; and
    # while something is dragged or typed into: ImGui lets go of what is left out.
    may_end = kept.get_int(key) == seal and not imgui.get_scroll_max_x() and not imgui.is_any_item_active()
    top = imgui.get_cursor_pos_y()
    bottom = top + kept.get_float(key ^ 1)
    if may_end and _ends(bottom, room):
        return
    for _ in lines:
        if may_end and _ends(bottom, room):
            return
    kept.set_int(key, seal)
    kept.set_float(key ^ 1, imgui.get_cursor_pos_y() - top)


def _ends(bottom: float, room: float) -> bool:
    """Whether all from here to the bottom is out of sight, and is left free."""
    high = bottom - imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y
    if high <= 0.0 or imgui.is_rect_visible(imgui.ImVec2(room, high)):
        return False
    imgui.dummy(imgui.ImVec2(0.0, high))
    return True
