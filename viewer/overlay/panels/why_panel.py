"""Why: why a cell is seen or not, portal by portal, about the frame that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from imgui_bundle import imgui

from engine.visibility.region_shapes import verdict_color
from engine.visibility.why.why_answer import Chain, Gate, WhyAnswer
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import (
    AMBER,
    GREEN,
    GREY,
    Widgets,
    button,
    heading,
    is_another,
    short,
    tip,
    tip_off_panel,
)
from viewer.report.picture_report import CellId, PictureReport

LISTED = 0.45  # of the panel's height, at most, is for the cells to ask about
LEAST_LISTED = 3.0  # lines of them at least
LARGE = 1e6
LABELS_KEPT = 1024  # cells
LOOK_INS = (
    "from a room the traversal goes through the cells of its stab list alone; a look-in is the view from "
    "outdoors through a building's portal, which has a traversal of its own"
)


def draw_why(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A box for a cell and the cells to ask about; below them, where it may be of any length, the answer."""
    asked = report.asked
    imgui.set_next_item_width(-1.0)
    entered, text = imgui.input_text_with_hint(
        "##why", "a cell: 0171", asked.why_text, imgui.InputTextFlags_.enter_returns_true
    )
    widgets.mark("why box")
    if entered or text != asked.why_text:
        actions.questions.type_why(text, entered=entered)
    _list(report, actions, widgets)
    imgui.separator()
    if asked.why_complaint:
        imgui.text_colored(AMBER, asked.why_complaint)
    if asked.why is not None:
        _answer(asked.why, actions, widgets)


def _list(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The cells to ask about: as high as the panel while nothing stands below, and always by whole rows."""
    room, asked = imgui.get_content_region_avail().y, report.asked
    if asked.why is None and not asked.why_complaint:
        most = room - 3.0 * imgui.get_style().item_spacing.y  # the line below it
    else:
        most = room * LISTED
    most = max(most, LEAST_LISTED * imgui.get_frame_height_with_spacing())
    kept, key = imgui.get_state_storage(), imgui.get_id("whole rows")
    high = min(most, kept.get_float(key, most))
    imgui.set_next_window_size_constraints(imgui.ImVec2(0.0, 0.0), imgui.ImVec2(LARGE, high))
    if imgui.begin_child("cells", imgui.ImVec2(0.0, 0.0), imgui.ChildFlags_.auto_resize_y):
        cell = 0 if asked.why is None else asked.why.cell
        ends = _offer(report, actions, widgets, to_show=cell if is_another("asked", cell & 0xFFFF) else 0)
        kept.set_float(key, max((end for end in ends if end <= most), default=most))
    imgui.end_child()


def _answer(answer: WhyAnswer, actions: OverlayActions, widgets: Widgets) -> None:
    imgui.text_colored(GREEN if answer.visible else AMBER, answer.verdict)
    tip(LOOK_INS)
    for note in answer.notes:
        imgui.text_wrapped(note)
        tip(LOOK_INS)
    for chain in answer.chains:
        if chain.gates:
            _chain(chain)
    if button("ask no more", "why no more", widgets, action="why_nothing", small=True):
        actions.questions.ask_why(0)


def _chain(chain: Chain) -> None:
    heading(chain.title)
    for index, gate in enumerate(chain.gates, 1):
        _gate(index, gate, chain)


def _gate(index: int, gate: Gate, chain: Chain) -> None:
    imgui.text(f"{index}. {gate.name}")
    stops = gate is chain.stopped_at
    color = imgui.ImVec4(*verdict_color(gate.verdict), 1.0) if gate.passed or stops else GREY
    imgui.indent()
    imgui.text_colored(color, f"{gate.verdict}{f': {gate.detail}' if gate.detail else ''}")
    imgui.unindent()


def _offer(report: PictureReport, actions: OverlayActions, widgets: Widgets, *, to_show: int) -> list[float]:
    """The cells that are not visible first: those of the stab list, neighbours, and what is near by.

    One ``to_show`` is scrolled to where it is not in view. Returns where each row ends, pixels below the top.
    """
    ends: list[float] = []
    seen = set() if report.view is None else {row.cell for row in report.view.cells}
    stab = report.cell.stab_list
    neighbours = [other for _, other, _, _ in report.cell.portals if other != 0xFFFF and other not in stab]
    hidden = [cell for cell in dict.fromkeys((*stab, *neighbours, *report.listing.near)) if cell not in seen]
    for title, cells in (("not visible", hidden), ("visible", sorted(seen))):
        if cells:
            heading(title)
            ends += cell_buttons(cells, actions, widgets, report, to_show=to_show)
    return ends


@lru_cache(LABELS_KEPT)
def _labels(cell: CellId) -> tuple[str, str]:
    """What a cell's button says, with what tells it from others, and what scripts call it."""
    return f"{short(cell)}##{cell}", f"why {cell}"


def cell_buttons(
    cells: Sequence[CellId],
    actions: OverlayActions,
    widgets: Widgets,
    report: PictureReport,
    *,
    to_show: int = 0,
) -> list[float]:
    """Cells to be asked about by a click, side by side; the one that is asked about is lit.

    Rows out of sight are not drawn, but for the one of a cell ``to_show``. Returns where each row ends,
    pixels below the top of all that is in the window.
    """
    asked = report.asked.why.cell if report.asked.why is not None else 0
    style = imgui.get_style()
    spacing = style.item_spacing.x
    wide = imgui.calc_text_size("0000").x + 2.0 * style.frame_padding.x
    room = imgui.get_content_region_avail().x
    in_a_row = max(1, int((room + spacing) // (wide + spacing)))
    rows = [cells[k : k + in_a_row] for k in range(0, len(cells), in_a_row)]
    top, high = imgui.get_cursor_pos_y(), imgui.get_frame_height_with_spacing()
    clipper = imgui.ListClipper()
    clipper.begin(len(rows), high)
    if to_show in cells:
        clipper.include_item_by_index(cells.index(to_show) // in_a_row)
    while clipper.step():
        for row in rows[clipper.display_start : clipper.display_end]:
            for number, cell in enumerate(row):
                if number:
                    imgui.same_line()
                _cell_button(cell, actions, widgets, wide=wide, is_asked=cell == asked)
                if cell == to_show and not imgui.is_item_visible():
                    imgui.set_scroll_here_y(1.0)
    return [top + k * high + imgui.get_frame_height() for k in range(len(rows))]


def _cell_button(
    cell: CellId, actions: OverlayActions, widgets: Widgets, *, wide: float, is_asked: bool
) -> None:
    if is_asked:
        imgui.push_style_color(imgui.Col_.text, AMBER)
    text, name = _labels(cell)
    if button(text, name, widgets, action="why", wide=wide):
        actions.questions.ask_why(cell)
    if is_asked:
        imgui.pop_style_color()
    if imgui.is_item_hovered():
        actions.light_up(cell)
        tip_off_panel(f"why {cell} is seen, or is not")
