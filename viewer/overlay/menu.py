"""The menu bar over panels and picture: which panels are open, and actions with their keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from imgui_bundle import imgui

from viewer.overlay.command_palette import Entry
from viewer.overlay.dock.layout import PanelLayout, Placed
from viewer.overlay.panel_kit import Widgets, shortened, tip
from viewer.tables.keys import ACTIONS
from viewer.tables.modes import key_name

MENUS: Final = ("Look", "Answer", "Time", "Window", "Help")
"""The groups of actions that have a menu of their own."""
AFTER_BOOKMARKS: Final = "Answer"  # they stand before it
BELOW: Final = 5.0  # heights of the menu bar that a long menu leaves free
AROUND: Final = 9.0  # heights of a letter that key and borders of an entry take


def draw_menu(
    layout: PanelLayout,
    panels: Sequence[Placed],
    keys: Mapping[str, str],
    *,
    run: Callable[[str], object],
    words: Sequence[str] = (),
    bookmarks: Callable[[], Sequence[Entry]] = tuple,
) -> dict[str, tuple[float, float]]:
    """Draw it; ``run`` does an action by its name, the first of ``words`` that has room stands at the right.

    ``bookmarks`` are the entries of that menu, asked for while it is open; no menu for none.
    Returns the places of its entries, as ``menu …``.
    """
    widgets = Widgets()
    if not imgui.begin_main_menu_bar():
        return widgets.places
    is_open = imgui.begin_menu("Panels")
    widgets.mark("menu Panels")
    if is_open:
        for panel in panels:
            clicked, _ = imgui.menu_item(panel.title, "", layout.is_open(panel.title))
            widgets.mark(f"menu {panel.title}")
            if clicked:
                layout.toggle(panel.title)
        imgui.separator()
        _entry(widgets, "reset_panels", keys, run)
        _entry(widgets, "panels", keys, run)
        imgui.end_menu()
    for group in MENUS:
        if group == AFTER_BOOKMARKS and bookmarks is not tuple:
            _bookmarks(widgets, bookmarks)
        is_open = imgui.begin_menu(group)
        widgets.mark(f"menu {group}")
        if is_open:
            for action in ACTIONS:
                if action.group == group and not action.held:
                    _entry(widgets, action.name, keys, run)
            imgui.end_menu()
    room = imgui.get_content_region_avail().x - 8.0
    if text := next((text for text in words if imgui.calc_text_size(text).x < room), ""):
        imgui.text_disabled(text)
    imgui.end_main_menu_bar()
    return widgets.places


def _bookmarks(widgets: Widgets, entries: Callable[[], Sequence[Entry]]) -> None:
    """Those that have room; the palette finds all of them."""
    is_open = imgui.begin_menu("Bookmarks")
    widgets.mark("menu Bookmarks")
    if not is_open:
        return
    offered, size = entries(), imgui.get_io().display_size
    room = max(
        1, int((size.y - BELOW * imgui.get_frame_height()) / imgui.get_text_line_height_with_spacing())
    )
    for entry in offered[:room]:
        text = shortened(entry.text, size.x - AROUND * imgui.get_font_size())
        clicked, _ = imgui.menu_item(text, "", p_selected=False)
        widgets.mark(f"menu {entry.title}")
        if text != entry.text:
            tip(entry.text)
        if clicked:
            entry.run()
    if len(offered) > room:
        imgui.text_disabled(f"and {len(offered) - room} more: type bookmarks into the palette")
    imgui.end_menu()


def _entry(widgets: Widgets, name: str, keys: Mapping[str, str], run: Callable[[str], object]) -> None:
    action = next(action for action in ACTIONS if action.name == name)
    key = keys.get(name, "")
    text = shortened(action.help, imgui.get_io().display_size.x - AROUND * imgui.get_font_size())
    clicked, _ = imgui.menu_item(text, key_name(key) if key else "", p_selected=False)
    widgets.mark(f"menu {name}")
    if text != action.help:
        tip(action.help)
    if clicked:
        run(name)
