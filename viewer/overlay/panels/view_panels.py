"""View: drawing modes and distances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.in_sight import draw_in_sight
from viewer.overlay.panel_kit import (
    AMBER,
    Row,
    Widgets,
    beside,
    button,
    heading,
    slider_width,
    text_width,
    tick_box,
    tip,
)
from viewer.report.picture_report import PictureReport
from viewer.tables.keys import ACTION_BY_NAME
from viewer.tables.modes import BY_NAME, MODES, DrawMode
from viewer.tables.settings import FARTHEST
from viewer.tables.shared_options import DISTANCES

GROUPS: Final = {group: tuple(modes) for group, modes in groupby(MODES, lambda mode: mode.group)}


def draw_view(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Distances and drawing modes, each with its help, and a way out of all of them."""
    _distances(report, actions, widgets)
    _modes_on(report, actions, widgets)
    for group, modes in GROUPS.items():
        heading(group)
        keys = tuple([actions.key_of(f"draw-{mode.name}") for mode in modes])
        lines = _lines(zip(modes, keys, strict=True), report, actions, widgets)
        draw_in_sight(group, (keys, report.modes), lines)


def _lines(
    modes: Iterable[tuple[DrawMode, str]], report: PictureReport, actions: OverlayActions, widgets: Widgets
) -> Iterator[None]:
    """The modes of a group, each with its key, as many in a line as there is room for."""
    row, square = Row(), imgui.get_frame_height()
    right = imgui.get_window_pos().x + imgui.get_window_width() - imgui.get_style().scrollbar_size - 6.0
    for number, (mode, key) in enumerate(modes):
        action, sign = f"draw-{mode.name}", quoted(key)
        if number:
            wide = square + text_width(f"{mode.name} {sign}") + 12.0
            if not row.beside(wide + 2.0 * square if mode.value else wide):
                yield
        if mode.value:
            _valued(mode, key, report, actions, widgets=widgets)
        else:
            if tick_box(mode.name, f"mode {mode.name}", widgets, action=action, on=mode.name in report.modes):
                actions.toggle_mode(mode.name)
            _tell(mode, key)
        if sign and imgui.get_item_rect_max().x + 4.0 + text_width(sign) < right:
            imgui.same_line(0.0, 4.0)
            imgui.text_disabled(sign)


def quoted(key: str) -> str:
    """A key behind a mode's name: in quotes where it is a sign, which reads as a part of the name else."""
    return key if len(key) != 1 or key.isalnum() else f"'{key}'"


def _tell(mode: DrawMode, key: str) -> None:
    """What the mode drawn last does, where the pointer is on it."""
    if imgui.is_item_hovered():
        tip(f"{mode.help}\n--mode {mode.usage}{f', key {key}' if key else ''}")


def _valued(
    mode: DrawMode, key: str, report: PictureReport, actions: OverlayActions, *, widgets: Widgets
) -> None:
    """A mode that has a value: the one before, the next, and what it is."""
    is_on = next((on for on in report.modes if on.partition("=")[0] == mode.name), "")
    for sign, action in (("<", f"draw-{mode.name}-back"), (">", f"draw-{mode.name}")):
        if button(f"{sign}##{mode.name}", f"mode {mode.name} {sign}", widgets, action=action, small=True):
            actions.do(action)
        imgui.same_line(0.0, 3.0)
    imgui.text_colored(AMBER, is_on) if is_on else imgui.text(mode.name)
    _tell(mode, key)
    widgets.mark(f"mode {mode.name}")


def _modes_on(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """What is on, which a tick box alone does not tell of modes with a value, and the way out of it."""
    imgui.begin_disabled(not report.is_anything_on)
    if button("all modes off", "modes off", widgets, action="modes_off"):
        actions.modes_off()
    tip(ACTION_BY_NAME["modes_off"].help)
    imgui.end_disabled()
    valued = [mode for mode in report.modes if BY_NAME[mode.partition("=")[0]].value]
    if valued:
        words = ", ".join(valued)
        beside(imgui.calc_text_size(words).x)
        imgui.text_colored(AMBER, words)


def _distances(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    for number, (name, landblocks) in enumerate(report.distances.items()):
        width = slider_width(name)
        if number == 0:
            heading("landblocks in sight")
        else:
            beside(width + imgui.calc_text_size(name).x)
        imgui.set_next_item_width(width)
        changed, wanted = imgui.slider_int(
            name, landblocks, 0, FARTHEST, "%d", imgui.SliderFlags_.always_clamp
        )
        tip(f"{DISTANCES[name].help}\n{DISTANCES[name].name} {DISTANCES[name].metavar}")
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        widgets.places[name] = (low.x + width / 2, (low.y + high.y) / 2)
        if changed:
            actions.set_distance(name, wanted)
