"""The font that ships with the program has every sign that is shown, at every scale."""

from __future__ import annotations

import ast
import runpy
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.needed import only_where
from tests.places import ROOT
from tests.viewer.overlay.panels import Panels, report
from viewer.overlay import style
from viewer.overlay.style import FONTS
from viewer.renderer.gl.resources import data_folder
from viewer.tables.keys import ACTIONS
from viewer.tables.modes import MODES, key_name
from viewer.tables.settings import SETTINGS


def shown_texts() -> set[str]:
    """Every text that the window's code has, and the tables whose words it shows."""
    texts = {text for a in ACTIONS for text in (a.help, a.group, key_name(a.key))}
    texts |= {m.help for m in MODES} | {s.help + s.usual for s in SETTINGS}
    for folder in ("viewer/overlay", "viewer/window", "viewer/report", "viewer/tables", "engine/physics"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.add(node.value)
    return texts


@pytest.mark.gl
def test_every_sign_that_is_used_is_in_the_font(panels: Panels) -> None:
    from imgui_bundle import imgui

    panels.frames(report())
    font = imgui.get_io().fonts.fonts[0]
    used = set("".join(shown_texts()))
    missing = sorted(sign for sign in used if sign.isprintable() and not font.is_glyph_in_font(ord(sign)))
    assert missing == []
    assert not font.is_glyph_in_font(0x4E2D)  # a sign that is not there would be told


@only_where(so=sys.platform == "linux", why="elsewhere names are UTF-8")
def test_a_font_is_found_where_its_name_is_no_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ImGui takes names for UTF-8: from such a folder no window opened, nor under another kind of locale."""
    from imgui_bundle import imgui

    odd = tmp_path / "m\udcfcll"
    shutil.copytree(data_folder("assets") / "fonts", odd / "fonts")
    monkeypatch.setattr(style, "data_folder", lambda _: odd)
    before = imgui.get_current_context()
    made = imgui.create_context()
    imgui.set_current_context(made)
    try:
        style.load_font()
        assert imgui.get_io().fonts.fonts[0].is_glyph_in_font(ord("a"))
    finally:
        if before is not None:
            imgui.set_current_context(before)
        imgui.destroy_context(made)


@pytest.mark.gl
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0])
def test_text_and_all_else_grow_with_the_scale(panels: Panels, scale: float) -> None:
    from imgui_bundle import imgui

    panels.host.rescale(scale)
    panels.frames(report())
    assert imgui.get_style().font_scale_main == scale
    tab = panels.places["panel View"]
    assert tab[1] == pytest.approx(panels.windows()["View"][1] + 10.0 * scale, abs=6.0 * scale)


@pytest.mark.gl
@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((1280, 720), 2.0), ((800, 600), 1.0)])
def test_the_names_of_all_tabs_stand_whole(panels: Panels, size: tuple[int, int], scale: float) -> None:
    from imgui_bundle import imgui

    from viewer.overlay.panel_table import PANELS

    panels.size = size
    panels.host.rescale(scale)
    for _ in range(2):
        panels.frames(report())
    cut = []
    for panel in PANELS:
        window = imgui.internal.find_window_by_name(panel.title)
        bar = window.dock_node.tab_bar
        tab = next(t for t in bar.tabs if t.id_ == window.tab_id)
        name = imgui.calc_text_size(panel.title).x + 2.0 * imgui.get_style().frame_padding.x
        cross = imgui.get_font_size() if window.has_close_button and bar.visible_tab_id == tab.id_ else 0.0
        if tab.width < name + cross:
            cut.append(panel.title)
    assert cut == []


@pytest.mark.gl
def test_sliders_grow_with_the_scale_and_leave_room_for_their_names(panels: Panels) -> None:
    from imgui_bundle import imgui

    widths = {}
    shown = replace(report(), distances={"radius": 5, "objects": 3})
    for scale in (1.0, 2.0):
        panels.size = (1280, 720)
        panels.host.rescale(scale)
        for _ in range(2):
            panels.frames(shown)
        left, _, width, _ = panels.windows()["View"]
        padding = imgui.get_style().window_padding.x
        widths[scale] = 2.0 * (panels.places["objects"][0] - left - padding)
        assert padding + widths[scale] + imgui.calc_text_size("objects").x < width - padding
    assert widths[2.0] > 1.15 * widths[1.0]  # the column is not wider for it


def test_the_font_lies_beside_its_licence_and_is_packed() -> None:
    fonts = ROOT / "assets" / "fonts"
    assert "Apache License" in (fonts / "Roboto-LICENSE.txt").read_text()
    assert "SIL Open Font License" in (fonts / "Inconsolata-LICENSE.txt").read_text()
    for name in FONTS:
        assert (fonts / name).stat().st_size > 100_000
    build = runpy.run_path(str(ROOT / "setup.py"))["found"](ROOT)
    assert "assets/fonts" in build["package_dir"].values()
