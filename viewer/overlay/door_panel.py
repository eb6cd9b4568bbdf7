"""Doors: what each does, what comes next, and its state to be changed."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, Widgets, table
from viewer.report.frame_report import DoorReport, FrameReport


def draw_doors(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Every door near by: what it does, its state word, its shapes and the cells that they are in."""
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")
    for door in report.doors:
        imgui.push_id(f"{door.entity}")
        _door(door, actions, widgets)
        imgui.pop_id()


def _door(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    imgui.separator_text(f"{door.entity}  {door.distance:.1f} m")
    changed, ethereal = imgui.checkbox("ethereal", door.ethereal)
    widgets.mark(f"ethereal {door.entity}")
    if changed:
        actions.set_ethereal(door.entity, ethereal)
    imgui.same_line()
    if imgui.button("use"):
        actions.use(door.entity)
    widgets.mark(f"use {door.entity}")
    imgui.text_colored(AMBER if door.ethereal else GREEN, door.does)
    imgui.text(f"state 0x{door.state:X}")
    imgui.text_wrapped(" | ".join(door.flags))
    rows = [
        (
            shape.kind,
            str(shape.part) if shape.part >= 0 else "",
            f"{shape.gfxobj}" if shape.gfxobj else "",
            shape.does,
        )
        for shape in door.shapes
    ]
    table("shapes", ("shape", "part", "gfxobj", ""), rows)
    imgui.text_wrapped("each in " + " ".join(f"{cell & 0xFFFF:04X}" for cell in door.cells))
