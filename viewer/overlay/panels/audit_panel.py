"""Audit: what is wrong with this world, as a list; a click goes there and frames it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from engine.files.shown import counted
from engine.replay.audit.finding import KINDS, Finding
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import (
    AMBER,
    GREEN,
    GREY,
    Widgets,
    beside,
    button,
    panel_bounds,
    rest,
    scaled,
    tip_beside,
)
from viewer.report.asked import AuditReport
from viewer.report.picture_report import PictureReport

MEASURED: Final = 100  # rows whose texts are all measured in every frame


def draw_audit(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Buttons that begin it, how far it is, the kinds with their counts, and the findings."""
    audit = report.asked.audit
    block = report.body.cell & 0xFFFF0000
    if button(f"audit {hex_id(block)[:6]}", "audit block", widgets, action="audit_block"):
        actions.questions.audit(block)
    tip_beside("look over the landblock that you are in", panel_bounds())
    beside(scaled(90.0))
    if button("audit all", "audit all", widgets, action="audit"):
        actions.questions.audit(None)
    tip_beside("look over every landblock of this world, beside the window", panel_bounds())
    _kinds(audit, actions, widgets)
    if audit.running:
        beside(scaled(40.0))
        if button("stop", "audit stop", widgets, action="audit_stop"):
            actions.questions.stop_audit()
        where = f"{audit.done} of {counted(audit.blocks, 'landblock')}" if audit.blocks else audit.at
        imgui.progress_bar(audit.share, imgui.ImVec2(-1.0, 0.0), f"{100 * audit.share:.0f} %  {where}")
    if audit.trouble:
        imgui.text_colored(AMBER, audit.trouble)
    elif audit.share >= 1.0 and not audit.counts:
        imgui.text_colored(GREEN, f"nothing is wrong in {_looked_over(audit)}")
    elif audit.done and not audit.running:
        ended = "looked over" if audit.share >= 1.0 else f"stopped after {audit.done} of {audit.blocks}:"
        imgui.text_colored(GREY, f"{ended} {_looked_over(audit)}")
    elif not audit.running and not audit.blocks:
        imgui.text_colored(GREY, "nothing looked over yet: press one of the two")
    _findings(audit, actions, widgets)


def _looked_over(audit: AuditReport) -> str:
    return f"{counted(audit.cells, 'cell')} of {counted(audit.done, 'landblock')}"


def _kinds(audit: AuditReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The kinds found with their counts, one of them to be shown alone."""
    if not audit.counts:
        return
    beside(scaled(190.0))
    imgui.set_next_item_width(scaled(190.0))
    found = sum(audit.counts.values())
    everything = f"all of {counted(found, 'finding')}"
    preview = f"{audit.counts.get(audit.kind, 0)} {audit.kind}" if audit.kind else everything
    is_open = imgui.begin_combo("##kind", preview)
    widgets.mark("audit kinds")
    if not is_open:
        return
    for kind, count in [("", found), *sorted(audit.counts.items(), key=lambda item: -item[1])]:
        pressed, _ = imgui.selectable(f"{count} {kind or 'of all kinds'}", kind == audit.kind)
        tip_beside(KINDS.get(kind, "everything that was found"), panel_bounds())
        widgets.mark(f"audit kind {kind}")
        if pressed:
            actions.questions.show_kind(kind)
    imgui.end_combo()


def _findings(audit: AuditReport, actions: OverlayActions, widgets: Widgets) -> None:
    shown = audit.shown
    if not shown:
        return
    panel = panel_bounds()
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    height = _row_height(shown, room)
    size = rest(4.0)
    if size.y > imgui.get_content_region_avail().y:  # the panel is scrolled: its list is not as well
        size.y = max(size.y, len(shown) * (height + imgui.get_style().item_spacing.y))
    if not imgui.begin_child("findings", size):
        imgui.end_child()
        return
    clipper = imgui.ListClipper()
    clipper.begin(len(shown))
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            finding = shown[number]
            at = imgui.get_cursor_screen_pos()
            pressed, _ = imgui.selectable(
                f"##{number}", finding == audit.chosen, size=imgui.ImVec2(0.0, height)
            )
            tip_beside(
                f"{finding.kind}: {KINDS.get(finding.kind, '')}\nclick: go there",
                panel,
            )  # fmt: skip
            widgets.mark(f"finding {number}")
            if pressed:
                actions.questions.go_to_finding(finding)
            imgui.get_window_draw_list().add_text(
                imgui.get_font(), imgui.get_font_size(), at, imgui.get_color_u32(imgui.Col_.text),
                finding.text, wrap_width=room,
            )  # fmt: skip
    imgui.end_child()


def _row_height(shown: Sequence[Finding], room: float) -> float:
    """The height of every row, the longest text's: rows alike can be drawn only as far as they are seen."""
    longest = shown if len(shown) <= MEASURED else [max(shown, key=lambda finding: len(finding.text))]
    return max(imgui.calc_text_size(finding.text, wrap_width=room).y for finding in longest)
