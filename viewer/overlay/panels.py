"""The panels, one function each over the frame report, listed in one table.

A panel shows what the report says and calls an action for what the user does; it keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from viewer.overlay.layout import PanelLayout
from viewer.overlay.visible_list import ListActions, draw_list
from viewer.report.frame_report import DoorReport, FrameReport
from viewer.tables.modes import BY_NAME, MODES
from viewer.tables.options import DISTANCES
from viewer.tables.settings import FARTHEST, SETTINGS, Value

SLIDER_WIDTH = 110
FAILED: Final = "this panel failed: "
GREEN = imgui.ImVec4(0.55, 0.85, 0.55, 1.0)
AMBER = imgui.ImVec4(0.95, 0.75, 0.35, 1.0)
GREY = imgui.ImVec4(0.65, 0.65, 0.68, 1.0)


class OverlayActions(ListActions, Protocol):
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

    def set_setting(self, name: str, value: Value) -> None:
        """Change a setting."""


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
    """A panel: its title, where it is first docked (a place of ``dock.ROWS``, or ``bottom``), its content."""

    title: str
    place: str
    draw: Callable[[FrameReport, OverlayActions, Widgets], None]


def draw_panels(
    report: FrameReport, actions: OverlayActions, size: tuple[int, int], layout: PanelLayout
) -> dict[str, tuple[float, float]]:
    """Draw every panel that is open; the places of their named widgets, and of their tabs as ``panel …``."""
    widgets = Widgets()
    layout.begin(size, PANELS)
    for panel in PANELS:
        if not layout.is_open(panel.title):
            continue
        flags = layout.place(panel) | imgui.WindowFlags_.horizontal_scrollbar
        shown, kept = imgui.begin(panel.title, True, flags)
        widgets.mark(f"panel {panel.title}")
        layout.look(panel.title)
        if shown:
            _draw(panel, report, actions, widgets)
        imgui.end()
        if not kept:
            layout.close(panel.title)
    return widgets.places


def _draw(panel: Panel, report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Draw a panel's content; where that fails, one line in its place."""
    state = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(state)
    imgui.push_text_wrap_pos(0.0)
    try:
        panel.draw(report, actions, widgets)
        imgui.pop_text_wrap_pos()
    except Exception as error:
        io = imgui.get_io()
        asserts, io.config_error_recovery_enable_assert = io.config_error_recovery_enable_assert, False
        logs, io.config_error_recovery_enable_debug_log = io.config_error_recovery_enable_debug_log, False
        imgui.internal.error_recovery_try_to_recover_state(state)
        io.config_error_recovery_enable_assert, io.config_error_recovery_enable_debug_log = asserts, logs
        imgui.text_wrapped(f"{FAILED}{error or type(error).__name__}")


def _cells(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    facts, view = report.cell, report.view
    imgui.text_colored(GREEN, str(facts.cell))
    imgui.same_line()
    where = "outdoors" if facts.outdoor else f"environment {hex_id(facts.environment)}"
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


def _visible(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    draw_list(report, actions, widgets.mark)


def _doors(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
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
    move = sweep.last_move
    if move is not None:
        imgui.separator_text("why in this cell")
        imgui.text_wrapped(move.title)
    candidates = sweep.candidates if move is None else move.candidates
    rows = [
        (f"{cell & 0xFFFF:04X}", why, "" if in_stab else "a prune would drop it",
         "picked" if picked else "")
        for cell, why, in_stab, picked in candidates
    ]  # fmt: skip
    _table("candidates", ("cell", "added by", "stab list", ""), rows)
    if sweep.lookup is not None:
        look = sweep.lookup
        says = f"{look.cell & 0xFFFF:04X}" if look.cell else "no cell"
        imgui.text_colored(
            AMBER if look.disagrees else GREY,
            f"a static look-up says {says}; wrong in {look.disagreements} of {look.ticks} ticks",
        )
    for step in sweep.steps if move is None else move.steps:
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
        else:
            _beside(imgui.get_frame_height() + imgui.calc_text_size(mode.name).x)
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
            _beside(SLIDER_WIDTH + imgui.calc_text_size(name).x)
        imgui.set_next_item_width(SLIDER_WIDTH)
        changed, wanted = imgui.slider_int(
            name, landblocks, 0, FARTHEST, "%d", imgui.SliderFlags_.always_clamp
        )
        imgui.set_item_tooltip(f"{DISTANCES[name].help}\n{DISTANCES[name].name} {DISTANCES[name].metavar}")
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        widgets.places[name] = (low.x + SLIDER_WIDTH / 2, (low.y + high.y) / 2)
        if changed:
            actions.set_distance(name, wanted)


def _settings(report: FrameReport, actions: OverlayActions, widgets: Widgets) -> None:
    for setting in SETTINGS:
        if setting.name not in report.settings:
            continue
        value = report.settings[setting.name]
        label = setting.name.replace("_", " ")
        if isinstance(value, bool):
            changed, wanted = imgui.checkbox(label, value)
            if changed:
                actions.set_setting(setting.name, wanted)
        elif setting.limits is not None:
            imgui.set_next_item_width(SLIDER_WIDTH)
            low, high = setting.limits
            shown = float(value) if isinstance(value, (int, float)) else low
            form = "%.2f" if value is not None else setting.usual
            changed, moved = imgui.slider_float(
                label, shown, low, high, form, imgui.SliderFlags_.always_clamp
            )
            if changed:
                actions.set_setting(setting.name, round(moved, 2))
            if value is not None and setting.default is None:
                if imgui.small_button(f"{setting.usual}##{setting.name}"):
                    actions.set_setting(setting.name, None)
        else:
            imgui.text_wrapped(f"{label}: {setting.usual if value is None else value}")
        imgui.set_item_tooltip(f"{setting.help}\n{setting.option_name} {setting.metavar}")
        widgets.mark(f"setting {setting.name}")


def _beside(width: float) -> None:
    """Put the next item beside the last one where so many pixels are left, else on a new line."""
    spacing = 2.0 * imgui.get_style().item_spacing.x
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + spacing + width < right:
        imgui.same_line()


def _table(name: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table as wide as its texts; where the panel is narrower it can be pushed sideways."""
    if not rows:
        return
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_h | imgui.TableFlags_.sizing_fixed_fit
    style = imgui.get_style()
    widest = (max(column, key=len) for column in zip(titles, *rows, strict=True))
    wide = sum(imgui.calc_text_size(text).x + 2.0 * style.cell_padding.x + 2.0 for text in widest)
    height = 0.0
    if wide > imgui.get_content_region_avail().x:
        flags |= imgui.TableFlags_.scroll_x
        line = imgui.get_text_line_height() + 2.0 * style.cell_padding.y
        height = line * (len(rows) + 1) + style.scrollbar_size + 4.0
    if imgui.begin_table(name, len(titles), flags, imgui.ImVec2(0.0, height)):
        imgui.push_text_wrap_pos(-1.0)
        for title in titles:
            imgui.table_setup_column(title)
        imgui.table_headers_row()
        for row in rows:
            imgui.table_next_row()
            for text in row:
                imgui.table_next_column()
                imgui.text(text)
        imgui.pop_text_wrap_pos()
        imgui.end_table()


def _length(v: tuple[float, float, float]) -> float:
    return float((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) ** 0.5)


PANELS = (
    Panel("Cells", "left top", _cells),
    Panel("Visible", "left middle", _visible),
    Panel("Doors", "left bottom", _doors),
    Panel("Sweep", "right top", _sweep),
    Panel("View", "right bottom", _view),
    Panel("Timing", "right bottom", _timing),
    Panel("Settings", "left top", _settings),
)
