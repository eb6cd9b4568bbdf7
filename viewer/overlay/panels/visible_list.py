"""The visible list as a table: sorted by any column, filtered, a cell lit up or selected by its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, rest, scaled, short, tip
from viewer.report.picture_report import CellId, PictureReport, ViewReport, VisibleRow

MOST = 6  # changed cells that are named: one line of a narrow panel
LEAST = 55.0  # pixels at scale 1 that the last column has at least, for the list to be in its usual order
TITLES = ("#", "cell", "m", "area", "through")
IN_ORDER, NARROW = (0, 1, 2, 3, 4), (0, 1, 4, 2, 3)  # of the columns; a narrow panel has room for three
WIDEST = ("999 +", "0000 ", "999.99", "100.0 %")  # what comes and goes in them moves no column


def chain(row: VisibleRow, root: CellId) -> str:
    """A portal chain in words: ``root 0 > 0171 2`` is portal 0 of the root, then portal 2 of cell 0171."""
    if row.building is not None and not row.via:
        return f"building {row.building}"
    steps = [f"{'root' if cell == root else f'{cell & 0xFFFF:04X}'} {portal}" for cell, portal in row.via]
    return " > ".join(steps) if steps else "root"


def texts(row: VisibleRow, root: CellId) -> tuple[str, ...]:
    """A row as it is shown."""
    share = f"{100 * row.area:.1f} %"
    return (str(row.order), f"{row.cell & 0xFFFF:04X}", f"{row.distance:.2f}", share, chain(row, root))


def shown_rows(view: ViewReport, wanted: str) -> list[tuple[VisibleRow, tuple[str, ...]]]:
    """The rows in whose texts all words of a filter stand, with those texts."""
    words = wanted.lower().replace("0x", "").split()
    root = view.root
    if not words:
        return [(row, texts(row, root)) for row in view.cells]
    out = []
    for row in view.cells:
        shown = texts(row, root)
        line = f"{row.cell:08x} {' '.join(shown)}".lower()
        if all(word in line for word in words):
            out.append((row, shown))
    return out


def key_of(column: int) -> Callable[[tuple[VisibleRow, tuple[str, ...]]], tuple[float, str]]:
    """What a column is sorted by."""
    return (
        lambda r: (r[0].order, ""),
        lambda r: (r[0].cell, ""),
        lambda r: (r[0].distance, ""),
        lambda r: (r[0].area, ""),
        lambda r: (len(r[0].via), r[1][4]),
    )[column]


def changed_cells(sign: str, cells: Sequence[CellId]) -> str:
    """The cells that came or went of late in one line; it is there without any, so that no row moves."""
    shown = cells if len(cells) <= MOST else cells[: MOST - 1]
    names = [short(cell) for cell in shown] or ["none"]
    more = [f"and {len(cells) - len(shown)} more"] if len(shown) < len(cells) else []
    return " ".join([sign, *names, *more])


def draw_list(report: PictureReport, actions: OverlayActions, mark: Callable[[str], None]) -> None:
    """Draw filter, what came and went, and the table; ``mark`` remembers where a named widget is."""
    view, listing = report.view, report.listing
    if view is None:
        return
    imgui.set_next_item_width(-1.0)
    changed, wanted = imgui.input_text_with_hint("##filter", "filter: 0171, building", listing.filter)
    mark("visible filter")
    if changed:
        actions.filter_list(wanted)
    imgui.text_colored(GREEN if listing.came else GREY, changed_cells("+", listing.came))
    tip("cells that came into the list of late")
    imgui.text_colored(AMBER if listing.went else GREY, changed_cells("−", listing.went))
    tip("cells that left the list of late")
    # So that a narrow panel has room for all columns but the last.
    padding = imgui.ImVec2(scaled(2.0), imgui.get_style().cell_padding.y)
    imgui.push_style_var(imgui.StyleVar_.cell_padding, padding)
    _table(report, actions, mark, shown_rows(view, wanted))
    imgui.pop_style_var()


def _table(
    report: PictureReport, actions: OverlayActions, mark: Callable[[str], None],
    rows: list[tuple[VisibleRow, tuple[str, ...]]],
) -> None:  # fmt: skip
    flags = (
        imgui.TableFlags_.sortable | imgui.TableFlags_.scroll_x | imgui.TableFlags_.scroll_y
        | imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_v | imgui.TableFlags_.sizing_fixed_fit
    )  # fmt: skip
    farthest = max((shown[-1] for _, shown in rows), key=len, default="")
    widest_texts = (*WIDEST, max(farthest, TITLES[-1], key=len))
    widths = [imgui.calc_text_size(widest).x + scaled(2.0) for widest in widest_texts]
    around = 2.0 * imgui.get_style().cell_padding.x + 1.0
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    last = min(widths[-1], scaled(LEAST))
    order = IN_ORDER if sum(widths[:-1]) + last + len(TITLES) * around <= room else NARROW
    name = "visible" if order is IN_ORDER else "visible in little room"
    if not imgui.begin_table(name, len(TITLES), flags, rest(5.0)):
        return
    imgui.push_text_wrap_pos(-1.0)
    imgui.table_setup_scroll_freeze(0, 1)
    for column in order:
        imgui.table_setup_column(TITLES[column], imgui.TableColumnFlags_.width_fixed, widths[column])
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for column in order:
        imgui.table_next_column()
        imgui.table_header(TITLES[column])
        mark(f"visible by {TITLES[column]}")
    sort = imgui.table_get_sort_specs()
    if sort is not None and sort.specs_count:
        by = sort.get_specs(0)
        rows.sort(
            key=key_of(order[by.column_index]), reverse=by.sort_direction == imgui.SortDirection.descending
        )
    clipper = imgui.ListClipper()
    clipper.begin(len(rows))
    while clipper.step():
        for row, shown in rows[clipper.display_start : clipper.display_end]:
            _row(row, shown, report, actions, order=order, mark=mark)
    imgui.pop_text_wrap_pos()
    imgui.end_table()


def _row(
    row: VisibleRow,
    shown: Sequence[str],
    report: PictureReport,
    actions: OverlayActions,
    *,
    order: Sequence[int],
    mark: Callable[[str], None],
) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    span = imgui.SelectableFlags_.span_all_columns
    is_selected = row.cell == report.listing.selected
    pressed, _ = imgui.selectable(f"##{row.order}", is_selected, span)
    mark(f"visible {row.cell}")
    if pressed:
        actions.select(row.cell)
    if imgui.is_item_hovered():
        tip(f"{row.cell} through {shown[-1]}\nclick: select; double-click: why it is seen")
        actions.light_up(row.cell)
        if imgui.is_mouse_double_clicked(0):
            actions.questions.ask_why(row.cell)
    imgui.same_line(0.0, 0.0)
    if row.cell in report.listing.came:
        imgui.text_colored(GREEN, f"{shown[0]} +")
    else:
        imgui.text(shown[0])
    for column in order[1:]:
        imgui.table_next_column()
        imgui.text(shown[column])
