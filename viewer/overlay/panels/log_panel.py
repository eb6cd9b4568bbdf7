"""Log: what was said, newest last, to be searched and copied."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREY, Widgets, button, rest, tip
from viewer.report.picture_report import PictureReport


def draw_log(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A filter, a button that copies, and the lines; the view stays at the end where it is there."""
    log = report.asked.log
    shown = log.shown
    if button("copy", "log copy", widgets, action="copy_log", small=True):
        imgui.set_clipboard_text("\n".join(line.text for line in shown))
    tip("all lines that are shown")
    imgui.same_line()
    imgui.set_next_item_width(-1.0)
    changed, text = imgui.input_text_with_hint("##log", "filter: surface, door", log.wanted)
    widgets.mark("log filter")
    if changed:
        actions.questions.filter_log(text)
    if not shown:
        imgui.text_colored(GREY, "nothing was said yet")
        return
    if imgui.begin_child("lines", rest(2.0)):
        imgui.push_text_wrap_pos(0.0)
        for line in shown[-200:]:
            imgui.text_colored(GREY, f"{line.seconds:8.1f}")
            tip("when it was said: seconds since the start")
            imgui.same_line()
            if line.is_error:
                imgui.text_colored(AMBER, line.text)
            else:
                imgui.text(line.text)
        imgui.pop_text_wrap_pos()
        if imgui.get_scroll_y() >= imgui.get_scroll_max_y() - 1.0:
            imgui.set_scroll_here_y(1.0)
    imgui.end_child()
