"""The panels, one function each over the frame report, listed in one table.

A panel shows what the report says and calls an action for what the user does; it keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from imgui_bundle import imgui

from viewer.overlay.layout import PanelLayout
from viewer.report.frame_report import CellId, DoorReport, FrameReport, VisibleRow
from viewer.tables.modes import BY_NAME, MODES
from viewer.tables.options import DISTANCES, FARTHEST

SLIDER_WIDTH = 110
GREEN = imgui.ImVec4(0.55, 0.85, 0.55, 1.0)
AMBER = imgui.ImVec4(0.95, 0.75, 0.35, 1.0)
GREY = imgui.ImVec4(0.65, 0.65, 0.68, 1.0)


class OverlayActions(Protocol):
    """What panels can do to the walk."""

    def use(self, entity: int) -> object:
        """Use a door, as a click on it does."""

    def set_ethereal(self, entity: int, ethereal: bool) -> object:
        """Set or clear the Ethereal bit of a door at once."""

    def toggle_mode(self, name: str) -> None:
        """Switch a drawing mode on or off."""

    def modes_off(self) -> None:
        """Switch every drawing mode off, those with a value as well."""

    def set_distance(self, name: str, landblocks: int) -> None:
        """Set one of the distances that the report names."""


class Widgets:
    """Where named widgets were drawn (window pixels), so that a script can click them."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[float, float]] = {}

    def mark(self, name: str) -> None:
        """Remember the middle of the widget drawn last."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self.places[name] = ((low.x + high.x) / 2, (low.y + high.y) / 2)


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: its title, its content, and where it first stands.

    Columns are 0 (left) and 1 (right); ``top`` and ``bottom`` are shares of the window's height.
    """

    title: str
    column: int
    top: float
    bottom: float
    draw: Callable[[FrameReport, OverlayActions, Widgets], None]


def draw_panels(
    report: FrameReport, actions: OverlayActions, size: tuple[int, int], layout: PanelLayout
) -> dict[str, tuple[float, float]]:
    """Draw every panel; the places of their named widgets."""
    widgets = Widgets()
    layout.begin(size)
    for panel in PANELS:
        where = panel.title, panel.column, panel.top, panel.bottom
        shown, _ = imgui.begin(panel.title, None, layout.place(*where))
        layout.look(panel.title)
        if shown:
            panel.draw(report, actions, widgets)
        imgui.end()
    return widgets.places


def chain(row: VisibleRow, root: CellId) -> str:
    """A portal chain in words: ``root 0 > 0171 2`` is portal 0 of the root, then portal 2 of cell 0171."""
    if row.building is not None and not row.via:
        return f"building {row.building}"
    steps = [f"{'root' if cell == root else f'{cell & 0xFFFF:04X}'} {portal}" for cell, portal in row.via]
    return " > ".join(steps) if steps else "root"


def _cells(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    facts, view = report.cell, report.view
    imgui.text_colored(GREEN, str(facts.cell))
    imgui.same_line()
    where = "outdoors" if facts.outdoor else f"environment 0x{facts.environment:08X}"
    seen = "" if facts.outdoor else ", seen outside" if facts.seen_outside else ", not seen outside"
    imgui.text(where + seen)
    imgui.text(report.body.location)
    if not facts.outdoor:
        portals = ", ".join(
            f"{index}:{'out' if other == 0xFFFF else f'{other & 0xFFFF:04X}'}"
            for index, other, _, _ in facts.portals
        )
        imgui.text_wrapped(f"portals {portals or 'none'}")
        stab = " ".join(f"{cell & 0xFFFF:04X}" for cell in facts.stab_list)
        imgui.text_wrapped(f"stab list {stab or 'empty'}")
    if view is None:
        return
    carried = "".join(f" > {cell & 0xFFFF:04X}:{portal}" for cell, portal in view.carried)
    if view.drawn_cell != view.body_cell:
        imgui.text(f"body {view.body_cell}, drawn in {view.drawn_cell}")
    imgui.text(f"root {view.root}{f', carried{carried}' if carried else ''}")
    imgui.text(f"outside {'seen' if view.outside_visible else 'not seen'}, {len(view.cells)} cells visible")
    rows = [
        (str(row.order), f"{row.cell & 0xFFFF:04X}", f"{row.distance:.2f}", f"{100 * row.area:.1f} %",
         chain(row, view.root))
        for row in view.cells
    ]  # fmt: skip
    _table("visible", ("#", "cell", "m", "area", "through"), rows)


def _doors(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")
    for door in report.doors:
        imgui.push_id(f"{door.entity}")
        _door(door, actions, widgets)
        imgui.pop_id()


def _door(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    imgui.separator_text(f"{door.entity}  {door.distance:.1f} m")
    imgui.push_text_wrap_pos()
    imgui.text_colored(AMBER if door.ethereal else GREEN, door.does)
    imgui.pop_text_wrap_pos()
    imgui.text(f"state 0x{door.state:X}")
    imgui.text_wrapped(" | ".join(door.flags))
    changed, ethereal = imgui.checkbox("ethereal", door.ethereal)
    widgets.mark(f"ethereal {door.entity}")
    if changed:
        actions.set_ethereal(door.entity, ethereal)
    imgui.same_line()
    if imgui.button("use"):
        actions.use(door.entity)
    widgets.mark(f"use {door.entity}")
    rows = [
        (
            shape.kind,
            str(shape.part) if shape.part >= 0 else "",
            f"{shape.gfxobj}" if shape.gfxobj else "",
            shape.does,
        )
        for shape in door.shapes
    ]
    _table("shapes", ("shape", "part", "gfxobj", ""), rows)
    imgui.text_wrapped("each in " + " ".join(f"{cell & 0xFFFF:04X}" for cell in door.cells))


def _sweep(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    body, sweep = report.body, report.sweep
    imgui.text(f"{'on ground' if body.on_ground else 'in the air'}, {_length(body.feet_velocity):.2f} m/s")
    if body.contact_plane is not None:
        x, y, z, d = body.contact_plane
        imgui.text(f"contact {x:.3f} {y:.3f} {z:.3f} {d:.3f} in {body.contact_cell}")
    imgui.text_wrapped("touches " + " ".join(f"{cell & 0xFFFF:04X}" for cell in body.cells))
    if sweep is None:
        imgui.text_colored(GREY, "no sweep yet: nothing moved")
        return
    verdict = "accepted" if sweep.ok else "refused: position and cell are kept"
    imgui.text_colored(GREEN if sweep.ok else AMBER, f"last sweep {verdict}")
    if sweep.blocked is not None:
        imgui.push_text_wrap_pos()
        imgui.text_colored(AMBER if sweep.blocked.pushing else GREY, sweep.blocked.words)
        imgui.pop_text_wrap_pos()
    for hit in sweep.hits:
        model = f" {hit.gfxobj} polygon {hit.polygon}" if hit.gfxobj else f" polygon {hit.polygon}"
        part = f" part {hit.part}" if hit.part >= 0 else ""
        imgui.text_colored(AMBER, f"{hit.kind} {hit.owner}{part}{model if hit.polygon >= 0 else ''}")
        x, y, z = hit.normal
        imgui.text(f"  {hit.response}, normal {x:.2f} {y:.2f} {z:.2f}")
    rows = [
        (f"{cell & 0xFFFF:04X}", why, "" if in_stab else "a prune would drop it",
         "picked" if picked else "")
        for cell, why, in_stab, picked in sweep.candidates
    ]  # fmt: skip
    _table("candidates", ("cell", "added by", "stab list", ""), rows)
    if sweep.lookup is not None:
        look = sweep.lookup
        says = f"{look.cell & 0xFFFF:04X}" if look.cell else "no cell"
        imgui.text_colored(
            AMBER if look.disagrees else GREY,
            f"a static look-up says {says}; wrong in {look.disagreements} of {look.ticks} ticks",
        )
    for step in sweep.steps:
        imgui.text_wrapped(step)


def _timing(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    imgui.text(f"tick {report.tick}, {report.time:.2f} s{', paused' if report.paused else ''}")
    _table("parts", ("part", "ms"), [(name, f"{ms:.2f}") for name, ms in report.timings.items()])
    imgui.text_wrapped(", ".join(f"{name} {count}" for name, count in report.counts.items()))


def _view(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    _distances(report, actions, widgets)
    _modes_on(report, actions, widgets)
    group = ""
    for mode in MODES:
        if mode.value:
            continue
        if mode.group != group:
            group = mode.group
            imgui.separator_text(group)
        elif imgui.get_item_rect_max().x + 150 < imgui.get_window_pos().x + imgui.get_window_size().x:
            imgui.same_line()
        changed, _ = imgui.checkbox(mode.name, mode.name in report.modes)
        imgui.set_item_tooltip(f"{mode.help}\n--mode {mode.name}")
        widgets.mark(f"mode {mode.name}")
        if changed:
            actions.toggle_mode(mode.name)


def _modes_on(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    """What is on, which a tick box alone does not tell of modes with a value, and the way out of it."""
    imgui.begin_disabled(not report.modes)
    if imgui.button("all modes off"):
        actions.modes_off()
    widgets.mark("modes off")
    imgui.end_disabled()
    valued = [mode for mode in report.modes if BY_NAME[mode.partition("=")[0]].value]
    if valued:
        imgui.same_line()
        imgui.text_colored(AMBER, ", ".join(valued))


def _distances(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    for number, (name, landblocks) in enumerate(report.distances.items()):
        if number == 0:
            imgui.separator_text("landblocks in sight")
        else:
            imgui.same_line()
        imgui.set_next_item_width(SLIDER_WIDTH)
        changed, wanted = imgui.slider_int(
            name, landblocks, 0, FARTHEST, "%d", imgui.SliderFlags_.always_clamp
        )
        imgui.set_item_tooltip(f"{DISTANCES[name].help}\n{DISTANCES[name].name} {DISTANCES[name].metavar}")
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        widgets.places[name] = (low.x + SLIDER_WIDTH / 2, (low.y + high.y) / 2)
        if changed:
            actions.set_distance(name, wanted)


def _table(name: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_h | imgui.TableFlags_.sizing_fixed_fit
    if imgui.begin_table(name, len(titles), flags):
        for title in titles:
            imgui.table_setup_column(title)
        imgui.table_headers_row()
        for row in rows:
            imgui.table_next_row()
            for text in row:
                imgui.table_next_column()
                imgui.text(text)
        imgui.end_table()


def _length(v: tuple[float, float, float]) -> float:
    return float((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) ** 0.5)


PANELS = (
    Panel("Cells", 0, 0.0, 0.48, _cells),
    Panel("Doors", 0, 0.48, 1.0, _doors),
    Panel("Sweep", 1, 0.0, 0.26, _sweep),
    Panel("Timing", 1, 0.26, 0.42, _timing),
    Panel("View", 1, 0.42, 1.0, _view),
)
