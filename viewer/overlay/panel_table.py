"""The panels, listed in one table, and how they are drawn.

A panel shows what the report says and calls an action for what the user does; it keeps nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.dock.layout import PanelLayout
from viewer.overlay.panel_kit import Panel, Widgets
from viewer.overlay.panels.audit_panel import draw_audit
from viewer.overlay.panels.body_panels import draw_cell, draw_collision
from viewer.overlay.panels.door_panel import draw_doors
from viewer.overlay.panels.inspect_panel import draw_inspect
from viewer.overlay.panels.log_panel import draw_log
from viewer.overlay.panels.map_panel import draw_map
from viewer.overlay.panels.membership_panel import draw_membership
from viewer.overlay.panels.probe_panel import draw_probe
from viewer.overlay.panels.settings_panel import draw_settings
from viewer.overlay.panels.timeline_panel import draw_timeline
from viewer.overlay.panels.timing_panel import draw_timing
from viewer.overlay.panels.view_panels import draw_view
from viewer.overlay.panels.visible_list import draw_list
from viewer.overlay.panels.why_panel import draw_why
from viewer.overlay.recovery import recovered
from viewer.report.picture_report import PictureReport

FAILED: Final = "this panel failed: "


def draw_panels(
    report: PictureReport, actions: OverlayActions, size: tuple[int, int], layout: PanelLayout
) -> dict[str, tuple[float, float]]:
    """Draw every panel that is open; the places of their named widgets, and of their tabs as ``panel …``."""
    widgets = Widgets()
    layout.begin(size, PANELS)
    for panel in PANELS:
        if not layout.is_open(panel.title):
            continue
        flags = layout.place(panel) | imgui.WindowFlags_.horizontal_scrollbar
        crossed = True if layout.has_room_for_cross(panel.title) else None
        shown, kept = imgui.begin(panel.title, p_open=crossed, flags=flags)
        widgets.mark(f"panel {panel.title}")
        layout.look(panel.title, shown=shown)
        if shown:
            _draw(panel, report, actions, widgets)
        imgui.end()
        if kept is False:
            layout.close(panel.title)
    for title in actions.questions.shown_panels():
        layout.show(title)
    return widgets.places


def _draw(panel: Panel, report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Draw a panel's content; where that fails, one line in its place."""
    imgui.push_text_wrap_pos(_right_edge())
    try:
        recovered(partial(panel.draw, report, actions, widgets))
    except Exception as error:
        imgui.text_wrapped(f"{FAILED}{' '.join(str(error).split()) or type(error).__name__}")
    imgui.pop_text_wrap_pos()


def _right_edge() -> float:
    """Where a panel's words are to end: at what is seen of it, however far it can be pushed sideways."""
    style = imgui.get_style()
    bar = style.scrollbar_size if imgui.get_scroll_max_y() > 0.0 else 0.0
    return float(max(40.0, imgui.get_window_width() - style.window_padding.x - bar))


def _visible(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    draw_list(report, actions, widgets.mark)


PANELS = (
    Panel("Cell", "left top", draw_cell),
    Panel("Membership", "left top", draw_membership),
    Panel("Visible", "left bottom", _visible),
    Panel("Why", "left bottom", draw_why),
    Panel("Map", "left bottom", draw_map),
    Panel("Collision", "right top", draw_collision),
    Panel("Inspect", "right top", draw_inspect),
    Panel("View", "right bottom", draw_view),
    Panel("Doors", "right bottom", draw_doors),
    Panel("Timeline", "bottom", draw_timeline),
    Panel("Audit", "bottom", draw_audit),
    Panel("Probe", "bottom", draw_probe),
    Panel("Log", "bottom", draw_log),
    Panel("Timing", "bottom", draw_timing),
    Panel("Settings", "bottom", draw_settings),
)
