"""Probe: whether a door blocks across its whole doorway, as a table of what stopped each sweep."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

from imgui_bundle import imgui

from engine.replay.probe.probe_answer import LEGEND
from engine.replay.probe.probe_answer import PART_MARKS as MARKS
from engine.world.debug_shapes import GOLDEN
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, Widgets, beside, button, scaled, tell_at_pointer, tip
from viewer.report.picture_report import PictureReport, nearest_first
from viewer.report.probe_table import ProbeTable
from viewer.report.timeline_report import tick_name

LABEL, STEP = 52.0, 11.0  # pixels at scale 1 of a row's label, and of a mark
LEAST = 0.6  # of a line of text: so high is a row of marks at least
TITLE = 150.0  # that a table's title has at least
_LABEL = imgui.IM_COL32(166, 166, 173, 255)


class _Colors(dict[str, int]):
    """The colour of a mark: green what passed, magenta another thing, a part's own hue."""

    def __missing__(self, mark: str) -> int:
        number = MARKS.find(mark)
        r, g, b = colorsys.hsv_to_rgb(max(0, number) * GOLDEN % 1.0, 0.75, 1.0)
        self[mark] = imgui.IM_COL32(int(255 * r), int(255 * g), int(255 * b), 255)
        return self[mark]


_colors = _Colors({
    ".": imgui.IM_COL32(76, 255, 102, 255), "#": imgui.IM_COL32(255, 89, 242, 255),
    "o": imgui.IM_COL32(242, 242, 242, 255),
})  # fmt: skip


def draw_probe(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A button for each door near by; of an answer first the verdict and its tables, which a low panel shows.

    The tables are as one sees the doorway from either side.
    """
    asked = report.asked
    if asked.probe_complaint:
        imgui.text_colored(AMBER, asked.probe_complaint)
    if asked.probe is None:
        _doors(report, actions, widgets)
        return
    if button("probe again", "probe again", widgets, action="probe_again", small=True):
        actions.questions.probe(asked.probe.answer.entity)
    beside(imgui.calc_text_size("let go").x + scaled(10.0))
    if button("let go", "probe let go", widgets, action="probe_nothing", small=True):
        actions.questions.probe(0)
    key = actions.key_of("modes_off")
    tip(f"take its pins out of the picture{f'; so does {key}' if key else ''}")
    beside(imgui.calc_text_size(asked.probe.verdict).x)
    imgui.push_style_color(imgui.Col_.text, GREEN if asked.probe.blocks else AMBER)
    imgui.text_wrapped(asked.probe.verdict)
    imgui.pop_style_color()
    if asked.probe_not_drawn:
        imgui.text_colored(GREY, asked.probe_not_drawn)
    if asked.probe_is_past:
        imgui.text_colored(
            AMBER, f"as of {tick_name(asked.probe_tick)}: it stands another way now, probe again"
        )
    _tables(asked.probe.tables, widgets)
    for number, words in enumerate(LEGEND.split(", ")):
        if number:
            beside(imgui.calc_text_size(words).x)
        imgui.text_colored(GREY, words)  # each in one line: "." is a mark, and no end
    for line in asked.probe.stoppers:
        imgui.text_wrapped(line)
    _doors(report, actions, widgets)


def _doors(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A button for each door near by: what holds the body, then the nearest first."""
    for number, door in enumerate(nearest_first(report.doors, report.holders)):
        text = f"probe {door.entity}, {door.where}"
        if number:
            beside(imgui.calc_text_size(text).x + scaled(10.0))
        name = f"probe {door.entity}"
        if button(f"{text}###{door.entity}", name, widgets, action="probe", small=True):
            actions.questions.probe(door.entity)
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")


def _tables(tables: Sequence[ProbeTable], widgets: Widgets) -> None:
    """The tables, beside each other as far as there is room; their rows closer where the panel is low.

    Those of whole doorways come first.
    """
    tables = sorted(tables, key=lambda table: -len(table.rows))
    title, most = imgui.get_text_line_height_with_spacing(), imgui.get_text_line_height()
    rows = max((len(table.rows) for table in tables), default=1)
    line = max(LEAST * most, min(most, (imgui.get_content_region_avail().y - title) / max(1, rows)))
    gap = 3.0 * imgui.get_style().item_spacing.x
    wide = [max(_extent(table, line)[0], scaled(TITLE)) for table in tables]
    in_a_row = max(
        1, min(len(tables), int((imgui.get_content_region_avail().x + gap) / (max(wide, default=1.0) + gap)))
    )
    if not tables or not imgui.begin_table("tables", in_a_row):
        return
    for table in tables:
        imgui.table_next_column()
        _table(table, line)
        widgets.mark(f"probe {table.title}")
    imgui.end_table()


def _extent(table: ProbeTable, line: float) -> tuple[float, float]:
    """How wide and high a table's marks are, in pixels."""
    pins = len(table.rows[0].pins) if table.rows else 0
    return scaled(LABEL) + scaled(STEP) * pins, line * len(table.rows)


def _table(table: ProbeTable, line: float) -> None:
    """A mark for each sweep, drawn at its place in rows so high: letters are not all as wide."""
    imgui.push_text_wrap_pos(0.0)  # of the column
    imgui.text(table.title)
    imgui.pop_text_wrap_pos()
    label, step = scaled(LABEL), scaled(STEP)
    at = imgui.get_cursor_screen_pos()
    if not table.rows:
        return
    imgui.dummy(imgui.ImVec2(*_extent(table, line)))
    if not imgui.is_item_visible():
        return
    draw, font = imgui.get_window_draw_list(), imgui.get_font()
    letter = imgui.get_font_size() * line / imgui.get_text_line_height()
    y = at.y
    for row in table.rows:
        draw.add_text(font, letter, imgui.ImVec2(at.x, y), _LABEL, f"{row.up:.2f} m")
        x = at.x + label
        for mark, _ in row.pins:
            if mark != " ":
                draw.add_text(font, letter, imgui.ImVec2(x, y), _colors[mark], mark)
            x += step
        y += line
    if imgui.is_item_hovered():
        mouse = imgui.get_mouse_pos()
        _tell(table, int((mouse.y - at.y) // line), int((mouse.x - at.x - label) // step))


def _tell(table: ProbeTable, row: int, column: int) -> None:
    """What the sweep under the pointer met."""
    if not (0 <= row < len(table.rows) and 0 <= column < len(table.rows[row].pins)):
        return
    pin = table.rows[row].pins[column][1]
    if pin is not None:
        what = "" if pin.hit is None else f": {pin.hit.name}"
        tell_at_pointer(f"{pin.outcome.value}{what}\n{pin.right:+.2f} m right, {pin.up:.2f} m up")
