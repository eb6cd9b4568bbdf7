"""Timing: frames a second, a graph of what the parts of the last frames cost, and what lies behind it."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import GREEN, Widgets, scaled
from viewer.report.frame_times import TimesReport
from viewer.report.picture_report import PictureReport
from viewer.report.timeline_report import tick_name

LEAST_GRAPH = 60.0  # pixels of height that a graph needs at scale 1
WIDEST = "9999.99 ms"
BESIDE = 330.0  # pixels of width from which the table stands beside it at scale 1


def draw_timing(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The figures of this frame, and the graph of the last ones."""
    times = report.asked.times
    paused = ", paused" if report.paused else ""
    imgui.text_colored(GREEN, f"{times.fps:.0f} fps")
    imgui.same_line()
    gpu = "" if times.gpu is None else f", GPU {times.gpu:.2f} ms"
    imgui.text(f"{tick_name(report.tick)}, {report.time:.2f} s{paused}{gpu}")
    room = imgui.get_content_region_avail()
    wide = room.x > scaled(BESIDE)
    if len(times.whole):
        _graph(times, imgui.ImVec2(0.6 * room.x if wide else -1.0, max(scaled(LEAST_GRAPH), room.y - 4.0)))
        widgets.mark("frame graph")
        if wide:
            imgui.same_line()
    imgui.begin_group()
    _parts(report, times)
    imgui.text_wrapped(", ".join(f"{name} {count}" for name, count in report.counts.items()))
    imgui.end_group()


def _parts(report: PictureReport, times: TimesReport) -> None:
    """What each part of this frame took, in its colour of the graph."""
    if not imgui.begin_table("parts", 2, imgui.TableFlags_.sizing_fixed_fit):
        return
    imgui.table_setup_column("part")
    widest = imgui.calc_text_size(WIDEST).x  # so that a frame that takes long is told in full at once
    imgui.table_setup_column("takes", imgui.TableColumnFlags_.width_fixed, widest)
    drawn = [name for name in times.parts if name != "gpu"]
    for name, ms in report.timings.items():
        imgui.table_next_row()
        imgui.table_next_column()
        if name in drawn:
            imgui.text_colored(implot.get_colormap_color(drawn.index(name)), name)
        else:
            imgui.text(name)
        imgui.table_next_column()
        imgui.text(f"{ms:.2f} ms")
    imgui.end_table()


def _graph(times: TimesReport, size: imgui.ImVec2) -> None:
    """The parts one on top of the other, and the whole frame as a line."""
    flags = (
        implot.Flags_.no_legend
        | implot.Flags_.no_mouse_text
        | implot.Flags_.no_menus
        | implot.Flags_.no_box_select
    )
    if not implot.begin_plot("##frames", size, flags):
        return
    count = len(times.whole)
    most = float(np.percentile(times.whole, 98)) if count else 1.0
    axis = implot.AxisFlags_.no_tick_labels | implot.AxisFlags_.no_grid_lines
    implot.setup_axes("", "ms", axis, implot.AxisFlags_.no_label)
    implot.setup_axis_format(implot.ImAxis_.y1, "%g ms")
    implot.setup_axes_limits(0.0, max(1.0, count - 1.0), 0.0, max(2.0, 1.25 * most), implot.Cond_.always)
    xs = np.arange(count, dtype=np.float32)
    below = np.zeros(count, np.float32)
    for name, values in times.parts.items():
        if name == "gpu":
            continue
        above = below + values
        implot.plot_shaded(name, xs, below, above)  # in the colours of the map, in order
        below = above
    if "gpu" in times.parts:
        implot.plot_line("gpu", xs, times.parts["gpu"])
    implot.plot_line("frame", xs, np.ascontiguousarray(times.whole))
    implot.end_plot()
