"""Settings: every setting of the table, to be changed; what is changed is kept in settings.toml."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import Widgets, beside, button, scaled, slider, slider_width, tick_box, tip
from viewer.report.picture_report import PictureReport
from viewer.tables.settings import FARTHEST, SETTINGS, Setting, Value

COLUMN_WIDTH = 200.0  # pixels that a column of settings wants at scale 1


def draw_settings(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Every setting of the table, in as many columns as there is room for."""
    columns = max(1, min(3, int(imgui.get_content_region_avail().x / scaled(COLUMN_WIDTH))))
    if not imgui.begin_table("settings", columns):
        return
    for setting in SETTINGS:
        if setting.name not in report.settings:
            continue
        imgui.table_next_column()
        _draw_setting(setting, report, actions, widgets)
    imgui.end_table()


def _draw_setting(setting: Setting, report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    value: Value = report.settings[setting.name]
    label = setting.name.replace("_", " ")
    if setting.name in report.distances:
        _distance(setting.name, report.distances[setting.name], actions)
    elif setting.is_switch:
        _switch(setting, value, label, actions, widgets=widgets)
    elif setting.limits is not None:
        _number(setting, value, label, actions)
    else:
        imgui.push_text_wrap_pos(0.0)  # of the column
        imgui.text(f"{label}: {setting.usual if value is None else value}")
        imgui.pop_text_wrap_pos()
    tip(f"{setting.help}\n{setting.option_name} {setting.metavar}")
    widgets.mark(f"setting {setting.name}")
    if setting.name == "dats" and _button_beside("choose", "choose dats", widgets, action="choose_dats"):
        actions.do("choose_dats")
    elif setting.name == "start" and _button_beside("here", "start here", widgets, action="start_here"):
        actions.do("start_here")
    if value is not None and setting.default is None and not setting.is_switch:
        if _button_beside("x", f"usual {setting.name}", widgets, action="setting"):
            actions.set_setting(setting.name, None)
        tip(f"set it no longer: {setting.usual}")


def _button_beside(text: str, name: str, widgets: Widgets, *, action: str) -> bool:
    """A button behind the item drawn last where there is room, else below it; whether it was pressed."""
    beside(imgui.calc_text_size(text).x + 2.0 * imgui.get_style().frame_padding.x)
    return button(f"{text}##{name}", name, widgets, action=action, small=True)


def _distance(name: str, landblocks: int, actions: OverlayActions) -> None:
    imgui.set_next_item_width(slider_width(name))
    clamp = imgui.SliderFlags_.always_clamp
    changed, wanted = imgui.slider_int(name, landblocks, 0, FARTHEST, "%d", clamp)
    if changed:
        actions.set_distance(name, wanted)


def _switch(setting: Setting, value: Value, label: str, actions: OverlayActions, *, widgets: Widgets) -> None:
    """A box for yes and no; three for what is asked as long as nobody has answered."""
    if setting.default is not None:
        name = f"setting {setting.name}"
        if tick_box(label, name, widgets, action="setting", on=bool(value)):
            actions.set_setting(setting.name, not value)
        return
    imgui.text(label)
    for text, choice in (("ask", None), ("yes", True), ("no", False)):
        imgui.same_line()
        if imgui.radio_button(f"{text}##{setting.name}", value is choice):
            actions.set_setting(setting.name, choice)


def _number(setting: Setting, value: Value, label: str, actions: OverlayActions) -> None:
    assert setting.limits is not None
    low, high = setting.limits
    imgui.set_next_item_width(slider_width(label))
    clamp = imgui.SliderFlags_.always_clamp
    if isinstance(setting.default, int) and isinstance(value, int):
        form = setting.zero if not value and setting.zero else "%d"
        changed, whole = imgui.slider_int(label, value, round(low), round(high), form, clamp)
        if changed:
            actions.set_setting(setting.name, whole)
        return
    shown = float(value) if isinstance(value, (int, float)) else low
    form = "%.2f" if value is not None else setting.usual
    moved = slider(label, shown, setting.limits, form)
    if moved is not None:
        actions.set_setting(setting.name, round(moved, 2))
