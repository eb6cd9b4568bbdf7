"""How the panels look: the font that ships with the program, colours, and one scale for all of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from imgui_bundle import imgui

from viewer.renderer.gl.resources import MissingResourceError, data_folder

FONTS: Final = ("Roboto-Regular.ttf", "Inconsolata-Medium.ttf")  # the second for signs that the first lacks
TEXT_SIZE: Final = 15.0  # pixels of a line of text at scale 1
SCALES: Final = (0.5, 4.0)


def load_font() -> None:
    """Give ImGui's current context its font. Raises MissingResourceError."""
    for number, name in enumerate(FONTS):
        path = data_folder("assets") / "fonts" / name
        if not os.path.isfile(path):
            raise MissingResourceError(f"the font {path} is missing")
        config = imgui.ImFontConfig()
        config.merge_mode = number > 0
        with _utf8_name(path) as given:
            imgui.get_io().fonts.add_font_from_file_ttf(given, TEXT_SIZE, config)


@contextmanager
def _utf8_name(path: Path) -> Iterator[str]:
    """A name of a file that ImGui finds it by, which takes names for UTF-8 whatever the locale says."""
    name = str(path)
    if os.fsencode(path) == name.encode(errors="surrogatepass"):
        yield name
    else:
        with path.open("rb") as file:
            open_file = f"/dev/fd/{file.fileno()}"
            if not os.path.exists(open_file):
                raise MissingResourceError(f"the font {path} can't be loaded: its name is no UTF-8")
            yield open_file


def dress(scale: float) -> None:
    """Set the current context's style for a scale (1: as on a monitor of 96 dots to the inch)."""
    style = imgui.Style()
    imgui.style_colors_dark(style)
    style.font_size_base = TEXT_SIZE
    style.window_padding = imgui.ImVec2(6, 5)
    style.frame_padding = imgui.ImVec2(5, 2)
    style.item_spacing = imgui.ImVec2(6, 3)
    style.cell_padding = imgui.ImVec2(4, 1)
    style.scrollbar_size = 11.0
    style.tab_min_width_shrink = 22.0  # a narrow column's tabs are cut short; none is pushed out of it
    style.window_menu_button_position = imgui.Dir.none
    style.docking_node_has_close_button = False  # every tab has one
    style.display_safe_area_padding = imgui.ImVec2(0, 0)  # the menu bar would lie on the picture's upper edge
    for colour, rgba in _COLOURS:
        style.set_color_(colour, imgui.ImVec4(*rgba))
    style.scale_all_sizes(scale)
    style.font_scale_main = scale
    imgui.get_current_context().style = style


_COLOURS = (
    (imgui.Col_.text, (0.93, 0.94, 0.95, 1.0)),
    (imgui.Col_.text_disabled, (0.62, 0.64, 0.68, 1.0)),
    (imgui.Col_.window_bg, (0.07, 0.08, 0.10, 1.0)),
    (imgui.Col_.popup_bg, (0.09, 0.10, 0.13, 1.0)),
    (imgui.Col_.frame_bg, (0.27, 0.31, 0.38, 1.0)),  # an empty tick box shows
)
