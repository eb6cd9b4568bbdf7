"""Probe: whether a door blocks across its whole doorway, as a table of what stopped each sweep."""

from __future__ import annotations

import colorsys
from typing import Final

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from engine.replay.probe.answer import BACK, FRONT, LEGEND, MOVER, SPHERE, Pin, ProbeAnswer
from engine.world.debug_shapes import GOLDEN
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, Widgets, beside
from viewer.report.frame_report import FrameReport

_COLORS: Final = {
    ".": imgui.ImVec4(0.3, 1.0, 0.4, 1.0), "#": imgui.ImVec4(1.0, 0.35, 0.95, 1.0),
    "o": imgui.ImVec4(0.95, 0.95, 0.95, 1.0), " ": GREY,
}  # fmt: skip


def draw_probe(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A button for each door near by, the verdict, and from either side a table as it is seen from there."""
    asked = report.asked
    for number, door in enumerate(report.doors):
        if number:
            beside(120.0)
        if imgui.small_button(f"probe {door.entity}"):
            actions.questions.probe(door.entity)
        widgets.mark(f"probe {door.entity}")
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")
    if asked.probe_complaint:
        imgui.text_colored(AMBER, asked.probe_complaint)
    answer = asked.probe
    if answer is None:
        return
    imgui.text_colored(GREEN if answer.blocks else AMBER, answer.verdict)
    if answer.state != asked.probe_state:
        imgui.text_colored(AMBER, "its state has changed since: probe again")
    imgui.text_colored(GREY, LEGEND)
    _tables(answer)
    for line in answer.stoppers:
        imgui.text_wrapped(line.strip())
    if imgui.small_button("let go"):
        actions.questions.probe(0)
    widgets.mark("probe let go")


def _tables(answer: ProbeAnswer) -> None:
    plane = answer.plane
    for side in (FRONT, BACK):
        cell = plane.front if side == FRONT else plane.back
        for probe in (SPHERE, MOVER):
            pins = [pin for pin in answer.pins if pin.side == side and pin.probe == probe]
            if pins:
                imgui.separator_text(f"{probe} from the {side} ({hex_id(cell)})")
                _grid(f"{side} {probe}", pins, answer.entity)


def _grid(name: str, pins: list[Pin], entity: int) -> None:
    columns = sorted({pin.right for pin in pins}, reverse=pins[0].side == BACK)
    by_place = {(pin.right, pin.up): pin for pin in pins}
    flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.no_host_extend_x
    if not imgui.begin_table(name, len(columns) + 1, flags):
        return
    for up in sorted({pin.up for pin in pins}, reverse=True):
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_colored(GREY, f"{up:.2f}")
        for right in columns:
            imgui.table_next_column()
            pin = by_place.get((right, up))
            if pin is not None:
                _mark(pin, entity)
    imgui.end_table()


def _mark(pin: Pin, entity: int) -> None:
    mark = pin.mark(entity)
    color = _COLORS.get(mark)
    if color is None:
        number = 0 if pin.hit is None else pin.hit.part
        color = imgui.ImVec4(*colorsys.hsv_to_rgb(number * GOLDEN % 1.0, 0.75, 1.0), 1.0)
    imgui.text_colored(color, mark if mark != " " else "·")
    if imgui.is_item_hovered():
        what = "" if pin.hit is None else f": {pin.hit.name}"
        imgui.set_item_tooltip(f"{pin.outcome}{what}\n{pin.right:+.2f} m right, {pin.up:.2f} m up")
