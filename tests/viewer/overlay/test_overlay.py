"""The panels show the report, and what is clicked in them calls the walk's actions."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

from tests.viewer.overlay.panels import DOOR, HALL, SIZE, Asked, Panels, report
from viewer.report.asked import AskedReport
from viewer.report.map_report import MapReport
from viewer.report.picture_report import (
    BlockedReport,
    plain,
)
from viewer.report.timeline_report import TimelineReport
from viewer.tables.key_names import Key
from viewer.tables.modes import MODES
from viewer.tables.options import COMMANDS
from viewer.tables.settings import FARTHEST
from viewer.tables.shared_options import DISTANCES


def test_the_report_is_json_with_ids_in_hexadecimal() -> None:
    document = json.loads(json.dumps(plain(report(0x1000C))))
    assert document["body"]["cell"] == "0xA9B40170"
    assert document["doors"][0]["state"] == "0x1000C"
    assert document["doors"][0]["ethereal"] is True
    assert document["view"]["cells"][1]["via"] == [["0xA9B40170", 0]]


@pytest.mark.gl
def test_the_panels_are_drawn(panels: Panels) -> None:
    for _ in range(3):
        panels.frame(report())
    pixels = panels.target.read(components=3)
    assert max(pixels) > 200


@pytest.mark.gl
def test_the_tick_box_sets_and_clears_ethereal(panels: Panels) -> None:
    panels.frames(report())
    panels.layout.show("Doors")
    panels.frames(report())
    panels.click(f"ethereal {DOOR}", report(0x10008))
    panels.click(f"ethereal {DOOR}", report(0x1000C))
    assert panels.actions.calls == [("ethereal", DOOR, True), ("ethereal", DOOR, False)]


@pytest.mark.gl
def test_the_use_button_uses_the_door(panels: Panels) -> None:
    panels.frames(report())
    panels.layout.show("Doors")
    panels.frames(report())
    panels.click(f"use {DOOR}", report())
    assert panels.actions.calls == [("use", DOOR, True)]


@pytest.mark.gl
def test_a_tick_in_the_view_panel_switches_a_drawing_mode(panels: Panels) -> None:
    panels.click("mode portals", report())
    assert panels.actions.calls == [("portals", 0, True)]


@pytest.mark.gl
def test_a_button_of_the_view_panel_switches_all_modes_off_where_any_is_on(panels: Panels) -> None:
    panels.click("modes off", report())
    assert panels.actions.calls == []
    panels.click("modes off", replace(report(), modes=("solo=A9B40171",)))
    assert panels.actions.calls == [("modes off", 0, True)]
    panels.click("modes off", replace(report(), asked=AskedReport(stands=True)))  # or where a question stands
    assert panels.actions.calls == [("modes off", 0, True)] * 2


@pytest.mark.gl
@pytest.mark.parametrize("name", ["radius", "objects"])
def test_the_sliders_of_the_view_panel_set_the_distances(panels: Panels, name: str) -> None:
    shown = replace(report(), distances={"radius": 5, "objects": 3})
    panels.click(name, shown)
    called = set(panels.actions.calls)
    assert called == {(name, 0, FARTHEST // 2)}  # a click in a slider's middle


@pytest.mark.gl
def test_tab_starts_no_typing_in_a_slider(panels: Panels) -> None:
    shown = replace(report(), distances={"radius": 5, "objects": 3})
    for _ in range(3):
        panels.frame(shown)
    for down in (True, False):
        panels.host.key(Key("TAB"), down=down)
        panels.frame(shown)
    panels.frame(shown)
    assert not panels.host.wants_keyboard


@pytest.mark.gl
@pytest.mark.parametrize("enter", ["ENTER", "NUMPAD_ENTER"])
def test_text_boxes_paste_from_the_windows_clipboard(panels: Panels, enter: str) -> None:
    from viewer.overlay.boxes import TeleportBox

    copied: list[str] = []
    panels.host.use_clipboard(lambda: "42.1N 33.6E", copied.append)
    box, went = TeleportBox(), []

    def go(text: str) -> str:
        went.append(text)
        return ""

    def press(key: str, *, ctrl: bool) -> None:
        for down in (True, False):
            panels.host.modifiers(shift=False, ctrl=ctrl and down, alt=False)
            panels.host.key(Key(key), down=down)
            for _ in range(2):
                panels.host.draw(SIZE, 1 / 60, lambda: box.draw(SIZE, go))

    box.open("here")
    panels.target.use()
    for _ in range(3):
        panels.host.draw(SIZE, 1 / 60, lambda: box.draw(SIZE, go))
    for letter in "ACV":
        press(letter, ctrl=True)
    press(enter, ctrl=False)
    assert (copied, went) == (["here"], ["42.1N 33.6E"])


@pytest.mark.gl
def test_a_panel_that_fails_is_one_line_and_the_others_go_on(
    panels: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    from imgui_bundle import imgui

    from viewer.overlay import panel_table as module

    fails = [True]

    def failing(*args: object) -> None:
        imgui.push_id("a")
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(1.0, 0.0, 0.0, 1.0))
        imgui.begin_table("t", 3)
        imgui.table_next_column()
        imgui.begin_child("c")
        if fails[0]:
            raise RuntimeError("no such thing")
        imgui.end_child()
        imgui.end_table()
        imgui.pop_style_color()
        imgui.pop_id()

    said: list[str] = []
    real = imgui.text_wrapped
    monkeypatch.setattr(module.imgui, "text_wrapped", lambda text: (said.append(text), real(text)))  # type: ignore[attr-defined]
    others = tuple(panel for panel in module.PANELS if panel.title != "Collision")
    monkeypatch.setattr(module, "PANELS", (module.Panel("Collision", "right top", failing, ""), *others))  # type: ignore[attr-defined]
    panels.frames(report())
    assert "this panel failed: no such thing" in said
    panels.layout.show("Doors")
    panels.frames(report())
    panels.click(f"ethereal {DOOR}", report())
    assert panels.actions.calls == [("ethereal", DOOR, True)]
    fails[0] = False
    said.clear()
    panels.frames(report())
    assert not any("failed" in line for line in said)


@pytest.mark.gl
def test_a_blank_in_the_picture_is_over_half_a_figure_wide(panels: Panels) -> None:
    from viewer.renderer.debug.text import Atlas

    for size in (10, 15, 22, 30):
        atlas = Atlas(panels.ctx, size)
        assert atlas.width(" ") > 0.5 * atlas.width("0")
        atlas.release()


def test_the_report_names_each_distance_that_a_slider_sets() -> None:
    options = {option.name for command in COMMANDS if command.name == "walk" for option in command.options}
    assert {f"--{name}" for name in DISTANCES} <= options


@pytest.mark.gl
def test_what_the_panels_cost_is_asked_with_all_of_them_open_and_none_behind_another(ctx: object) -> None:
    from tests.viewer.demo_places import standing
    from viewer.overlay.panel_table import PANELS
    from viewer.verify.panel_cost import panel_times, side_by_side

    layout = side_by_side()
    room = standing("0xA9B40171 [155.4 12.6 94] 1 0 0 0")
    assert len(panel_times(room, 3, layout)) == 3
    shown = dict(layout._seen)
    assert set(shown) == {panel.title for panel in PANELS}
    for (x, y, width, height), (left, top, wide, high) in itertools.combinations(shown.values(), 2):
        assert x + width <= left or left + wide <= x or y + height <= top or top + high <= y


@pytest.mark.gl
@pytest.mark.parametrize("name", [mode.name for mode in MODES if mode.value])
def test_a_mode_with_a_value_goes_on_and_back_in_the_view_panel(panels: Panels, name: str) -> None:
    """In a window high enough for the whole list."""
    panels.size = (1000, 2400)
    panels.frames(report())
    panels.click(f"mode {name} >", report())
    panels.click(f"mode {name} <", report())
    assert panels.actions.calls == [("do", f"draw-{name}", True), ("do", f"draw-{name}-back", True)]


@pytest.mark.gl
@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_a_door_can_be_placed_and_the_scene_saved_without_scrolling(
    panels: Panels, size: tuple[int, int]
) -> None:
    panels.size = size
    panels.frames(report())
    panels.layout.show("Doors")
    panels.frames(report())
    panels.click("place a door", report())
    panels.click("save scene", report())
    assert panels.actions.calls == [("place_door",), ("save_scene",)]


@pytest.mark.gl
def test_a_selected_cell_is_asked_about_from_the_map(panels: Panels) -> None:
    shown = report()
    shown = replace(shown, listing=replace(shown.listing, selected=HALL))
    panels.frames(shown)
    panels.layout.show("Map")
    panels.frames(shown)
    panels.click("map why", shown)
    assert ("ask_why", HALL) in panels.actions.calls


class OneCell(Asked):
    """Asked about a map with a single cell, wherever one points."""

    def cell_on_map(self, _: tuple[float, float]) -> int:
        return HALL


@pytest.mark.gl
def test_the_maps_right_click_asks_why_and_the_left_one_selects(panels: Panels) -> None:
    plan = MapReport(
        middle=(0.0, 0.0), scale=9.0, follows=True, heights=(0.0, 4.0), body=(0.0, 0.0), eye=(0.0, 0.0),
        heading=0.0, cells=(), buildings=(), marks=(), texture=0, share=0.0, trouble="",
    )  # fmt: skip
    shown = report()
    shown = replace(shown, asked=replace(shown.asked, map=plan))
    panels.frames(shown)
    panels.layout.show("Map")
    panels.frames(shown)
    panels.actions.questions = OneCell(panels.actions.calls)
    for button, asked in ((2, ("ask_why", HALL)), (1, ("select", HALL, True))):
        panels.host.mouse_move(*panels.places["map"])
        panels.frames(shown)
        panels.actions.calls.clear()
        for down in (True, False):
            panels.host.mouse_button(button, down=down)
            panels.frames(shown)
        told = [call for call in panels.actions.calls if call[0] in ("ask_why", "select")]
        assert told == [asked]


@pytest.mark.gl
def test_no_button_of_the_timeline_moves_as_another_says_something_else(panels: Panels) -> None:
    panels.frames(report())
    before = {name: at for name, at in panels.places.items() if name.startswith("timeline ")}
    playing = TimelineReport(first=0, last=9, shown=5, playing=True)
    panels.frames(replace(report(), paused=True, timeline=playing))
    for name in ("timeline tick on", "timeline last", "timeline faster"):
        assert panels.places[name] == before[name]


@pytest.mark.gl
def test_what_holds_the_body_is_told_first_and_once(panels: Panels, monkeypatch: pytest.MonkeyPatch) -> None:
    from imgui_bundle import imgui

    sweep = report().sweep
    assert sweep is not None
    blocked = BlockedReport(
        words="held by a door",
        what="stopped",
        thing="a door",
        hit=sweep.hits[0],
        normal=None,
        seconds=1.0,
        stale=0.0,
        pushing=True,
    )
    said: list[str] = []
    write = imgui.text_colored
    panels.frames(report())
    monkeypatch.setattr(imgui, "text_colored", lambda color, text: (said.append(text), write(color, text)))
    panels.frame(replace(report(), sweep=replace(sweep, blocked=blocked)))
    at = said.index("held by a door")
    assert said[at + 1] == "last sweep accepted, as far as it came"
    assert not [text for text in said if text.startswith("entity ")]
