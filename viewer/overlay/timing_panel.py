"""Timing: how long each part of a frame took."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import Widgets, table
from viewer.report.frame_report import FrameReport


def draw_timing(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    """What the parts of a frame cost, and what lies behind it."""
    imgui.text(f"tick {report.tick}, {report.time:.2f} s{', paused' if report.paused else ''}")
    table("parts", ("part", "ms"), [(name, f"{ms:.2f}") for name, ms in report.timings.items()])
    imgui.text_wrapped(", ".join(f"{name} {count}" for name, count in report.counts.items()))
