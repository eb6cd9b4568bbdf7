"""The font that ships with the program has every sign that is shown, at every scale."""

from __future__ import annotations

import ast
import runpy

import pytest

from tests.places import ROOT
from tests.viewer.overlay.panels import Panels, report
from viewer.overlay.style import FONTS
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


@pytest.mark.gl
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0])
def test_text_and_all_else_grow_with_the_scale(panels: Panels, scale: float) -> None:
    from imgui_bundle import imgui

    panels.host.rescale(scale)
    panels.frames(report())
    assert imgui.get_style().font_scale_main == scale
    tab = panels.places["panel View"]
    assert tab[1] == pytest.approx(panels.windows()["View"][1] + 10.0 * scale, abs=6.0 * scale)


def test_the_font_lies_beside_its_licence_and_is_packed() -> None:
    fonts = ROOT / "assets" / "fonts"
    assert "Apache License" in (fonts / "Roboto-LICENSE.txt").read_text()
    assert "SIL Open Font License" in (fonts / "Inconsolata-LICENSE.txt").read_text()
    for name in FONTS:
        assert (fonts / name).stat().st_size > 100_000
    build = runpy.run_path(str(ROOT / "setup.py"))["found"](ROOT)
    assert "assets/fonts" in build["package_dir"].values()
