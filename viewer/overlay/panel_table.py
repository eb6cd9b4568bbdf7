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
    report: PictureReport,
    actions: OverlayActions,
    size: tuple[int, int],
    layout: PanelLayout,
    *,
    tells_widgets: bool = True,
) -> dict[str, tuple[float, float]]:
    """Draw every panel that is open.

    Returns the places of their named widgets, and of their tabs as ``panel …``; none where nobody is told.
    """
    widgets = Widgets(is_told=tells_widgets)
    layout.begin(size, PANELS)
    for panel in PANELS:
        if not layout.is_open(panel.title):
            continue
        flags = layout.place(panel) | _sideways(panel.title)
        crossed = True if layout.has_room_for_cross(panel.title) else None
        shown, kept = imgui.begin(panel.title, p_open=crossed, flags=flags)
        widgets.mark(f"panel {panel.title}")
        layout.look(panel.title, shown=shown)
        if shown:
            _draw(panel, report, actions, widgets)
        imgui.end()
        if kept is False:
            layout.close(panel.title)
    return widgets.places


def _sideways(title: str) -> int:
    """The flag for a bar that pushes a panel sideways, where its content has been too wide for two frames.

    In the first frame with a bar at its side the words still end where that is now.
    """
    window = imgui.internal.find_window_by_name(title)
    too_wide = window is not None and window.scroll_max.x > 0.0
    return int(imgui.WindowFlags_.horizontal_scrollbar) if too_wide else 0


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
    Panel(
        title="Cell",
        place="left top",
        draw=draw_cell,
        tells="where am I? the cell, its portals and its stab list",
    ),
    Panel(
        title="Membership",
        place="left top",
        draw=draw_membership,
        tells="why am I in this cell? what the last sweep looked at",
        also="candidates containment look-up",
    ),
    Panel(
        title="Visible",
        place="left bottom",
        draw=_visible,
        tells="which cells are seen, and through what",
        also="list order",
    ),
    Panel(
        title="Why",
        place="left bottom",
        draw=draw_why,
        tells="why can't I see that cell, or why can I?",
        also="hidden invisible not visible missing this",
    ),
    Panel(
        title="Map",
        place="left bottom",
        draw=draw_map,
        tells="where is what? cells, doors, and the whole world",
        also="plan",
    ),
    Panel(
        title="Collision",
        place="right top",
        draw=draw_collision,
        tells="what blocked me?",
        also="hit stopped held stuck me sweep",
    ),
    Panel(
        title="Inspect",
        place="right top",
        draw=draw_inspect,
        tells="what was picked, down to its polygon",
        also="what is this",
    ),
    Panel(
        title="View",
        place="right bottom",
        draw=draw_view,
        tells="drawing modes, and how far one sees",
        also="distances radius",
    ),
    Panel(
        title="Doors",
        place="right bottom",
        draw=draw_doors,
        tells="what each door does; use, lock, ethereal, pose",
        also="state open close place",
    ),
    Panel(
        title="Timeline",
        place="bottom",
        draw=draw_timeline,
        tells="when did it happen? back to any tick",
        also="history rewind marks",
    ),
    Panel(
        title="Audit",
        place="bottom",
        draw=draw_audit,
        tells="what is wrong with this world? the findings",
        also="errors faults",
    ),
    Panel(
        title="Probe",
        place="bottom",
        draw=draw_probe,
        tells="what a door's probe found",
        also="does this door block whole doorway",
    ),
    Panel(
        title="Log",
        place="bottom",
        draw=draw_log,
        tells="everything that was said",
        also="messages errors stderr",
    ),
    Panel(
        title="Timing",
        place="bottom",
        draw=draw_timing,
        tells="frames a second, and what takes their time",
        also="fps slow speed",
    ),
    Panel(
        title="Settings",
        place="bottom",
        draw=draw_settings,
        tells="field of view, mouse, text size and more",
        also="options",
    ),
)
