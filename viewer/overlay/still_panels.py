"""Panels in a picture that stands alone: where the picture lies among them, and drawing them around it."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.interrupts import held_back
from viewer.overlay.actions import OverlayActions
from viewer.overlay.dock.layout import PanelLayout, Size
from viewer.overlay.dock.layout_file import SavedLayout
from viewer.overlay.host import OverlayHost
from viewer.overlay.menu import draw_menu
from viewer.overlay.panel_table import PANELS, draw_panels
from viewer.overlay.rect import Rect
from viewer.overlay.style import dress, load_font
from viewer.report.picture_report import PictureReport
from viewer.tables.keys import default_keys

FRAMES = 4  # until windows and tables have found their places; the last one is to be seen


def picture_in(size: Size) -> Rect:
    """Where the picture lies in the first layout of a window of a size. Nothing is drawn for this.

    Raises MissingResourceError.
    """
    before = imgui.get_current_context()
    context = imgui.create_context()
    imgui.set_current_context(context)
    try:
        io = imgui.get_io()
        io.set_ini_filename(None)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        load_font()
        dress(1.0)
        layout = PanelLayout()
        rect = Rect(0, 0, *size)
        for _ in range(FRAMES):
            io.display_size = imgui.ImVec2(*size)
            with held_back():
                imgui.new_frame()
                rect = rehearse(layout, size)
                imgui.render()
        return rect
    finally:
        imgui.destroy_context(context)
        if before is not None:
            imgui.set_current_context(before)


def rehearse(layout: PanelLayout, size: Size) -> Rect:
    """A frame with empty panels: after some the picture's rectangle, which is returned, is the final one."""
    draw_menu(layout, PANELS, default_keys(), run=_nothing)
    rect = layout.begin(size, PANELS)
    for panel in PANELS:
        if layout.is_open(panel.title):
            shown, _ = imgui.begin(panel.title, p_open=True, flags=layout.place(panel))
            layout.look(panel.title, shown=shown)
            imgui.end()
    return rect


def begin_panels(
    saved: SavedLayout, scale: float, size: Size, pixel_ratio: float = 1.0
) -> tuple[OverlayHost, PanelLayout]:
    """The panels of a window as they were saved, each in its place before anything is drawn.

    RuntimeError where ImGui's own checks find that its part makes no sense: what began is left behind.
    """
    overlay, layout = OverlayHost(saved.rest, scale), PanelLayout(saved)
    for _ in range(FRAMES):
        with overlay.frame(size, 0.0, pixel_ratio):
            rehearse(layout, size)
    return overlay, layout


def draw_still(overlay: OverlayHost, report: PictureReport, actions: OverlayActions, size: Size) -> None:
    """Draw the panels' first layout into the bound framebuffer, around the picture that is there."""
    layout = PanelLayout()
    for title in actions.questions.shown_panels():
        layout.show(title)

    def content() -> None:
        draw_menu(layout, PANELS, default_keys(), run=_nothing)
        draw_panels(report, actions, size, layout)

    for _ in range(FRAMES):
        with overlay.frame(size, 1.0 / 60.0):
            content()
    overlay.paint()


def _nothing(name: str) -> None:
    """Menus in a picture can't be opened."""
