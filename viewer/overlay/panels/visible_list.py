"""The visible list as a table: sorted by any column, filtered, a cell lit up or selected by its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from engine.named_tuple import NamedTuple
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, rest, scaled, short, tip
from viewer.report.picture_report import CellId, PictureReport, ViewReport, VisibleRow
from viewer.report.wanted_words import wanted_words

MOST = 6  # changed cells that are named: one line of a narrow panel
TITLES = ("#", "cell", "m", "area", "through")
THROUGH = 4


class Columns(NamedTuple):
    """A way to lay the list out: its columns in ``order``, their ``titles``, their ``widest`` texts.

    It is taken where the way through has ``least`` pixels at scale 1 beside them; ``brief`` numbers have
    three digits and no units. What comes and goes in a column moves none.
    """

    name: str
    order: tuple[int, ...]
    titles: tuple[str, ...]
    widest: tuple[str, ...]
    least: float
    brief: bool = False


WAYS = (
    Columns(
        name="visible",
        order=(0, 1, 2, 3, THROUGH),
        titles=TITLES,
        widest=("999 +", "0000 ", "999.99", "100.0 %"),
        least=55.0,
    ),
    Columns(
        name="visible in brief",
        order=(1, 2, 3, THROUGH),
        titles=("cell", "m", "%", "through"),
        widest=("0000+", "99.9", "99.9"),
        least=40.0,
        brief=True,
    ),
    Columns(
        name="visible in little room",
        order=(0, 1, THROUGH, 2, 3),
        titles=("#", "cell", "through", "m", "area"),
        widest=("999 +", "0000 ", "", "999.99", "100.0 %"),
        least=0.0,
    ),
)
"""From the roomiest on: in the last one what has no room is scrolled to."""


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


def in_brief(row: VisibleRow, shown: Sequence[str]) -> tuple[str, ...]:
    """The same in little room: metres and percent of the picture by three digits, units in the titles."""
    return (*shown[:2], _three_digits(row.distance), _three_digits(100.0 * row.area), *shown[THROUGH:])


def _three_digits(value: float) -> str:
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def shown_rows(view: ViewReport, wanted: str) -> list[tuple[VisibleRow, tuple[str, ...]]]:
    """The rows in whose texts all words of a filter stand, with those texts."""
    words = wanted_words(wanted.lower().replace("0x", ""))
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
        lambda r: (len(r[0].via), r[1][THROUGH]),
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
        | imgui.TableFlags_.sort_tristate  # by nothing: in the order of drawing; no size adds to what is kept
        | imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_v | imgui.TableFlags_.sizing_fixed_fit
    )  # fmt: skip
    farthest = max((shown[-1] for _, shown in rows), key=len, default="")
    way, widths = _fitting(max(farthest, TITLES[-1], key=len))
    if not imgui.begin_table(way.name, len(way.order), flags, rest(5.0)):
        return
    imgui.push_text_wrap_pos(-1.0)
    imgui.table_setup_scroll_freeze(0, 1)
    for title, width in zip(way.titles, widths, strict=True):
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_fixed, width)
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for column, title in zip(way.order, way.titles, strict=True):
        imgui.table_next_column()
        imgui.table_header(title)
        mark(f"visible by {TITLES[column]}")
    sort = imgui.table_get_sort_specs()
    if sort is not None and sort.specs_count:
        by = sort.get_specs(0)
        rows.sort(
            key=key_of(way.order[by.column_index]),
            reverse=by.sort_direction == imgui.SortDirection.descending,
        )
    clipper = imgui.ListClipper()
    clipper.begin(len(rows))
    while clipper.step():
        for row, shown in rows[clipper.display_start : clipper.display_end]:
            _row(row, shown, report, actions, way=way, mark=mark)
    imgui.pop_text_wrap_pos()
    imgui.end_table()


def _row(
    row: VisibleRow,
    shown: Sequence[str],
    report: PictureReport,
    actions: OverlayActions,
    *,
    way: Columns,
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
        numbers = f"no. {shown[0]}, {shown[2]} m away, {shown[3]} of the picture"
        tip(f"{row.cell} through {shown[-1]}\n{numbers}\nclick: select; double-click: why it is seen")
        actions.light_up(row.cell)
        if imgui.is_mouse_double_clicked(0):
            actions.questions.ask_why(row.cell)
    imgui.same_line(0.0, 0.0)
    told = in_brief(row, shown) if way.brief else shown
    first, *others = way.order
    if row.cell in report.listing.came:
        imgui.text_colored(GREEN, f"{told[first]}{'+' if way.brief else ' +'}")
    else:
        imgui.text(told[first])
    for column in others:
        imgui.table_next_column()
        imgui.text(told[column])


def _fitting(through: str) -> tuple[Columns, list[float]]:
    """The first way that has room beside a way through that is written so; the widths of its columns."""
    around = 2.0 * imgui.get_style().cell_padding.x + 1.0
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    last = imgui.calc_text_size(through).x + scaled(2.0)
    for way in WAYS:
        at = way.order.index(THROUGH)
        widths = [imgui.calc_text_size(text).x + scaled(2.0) for text in way.widest]
        widths[at : at + (at < len(widths))] = [last]
        taken = sum(widths) - last + min(last, scaled(way.least))
        if taken + len(widths) * around <= room:
            break
    return way, widths
