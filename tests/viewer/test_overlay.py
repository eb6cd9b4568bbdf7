"""The panels show the report, and what is clicked in them calls the walk's actions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from viewer.report.frame_report import (
    BodyReport,
    CellFacts,
    CellId,
    DoorReport,
    FrameReport,
    HitReport,
    ShapeReport,
    SweepReport,
    ViewReport,
    VisibleRow,
    plain,
)
from viewer.tables.key_names import Key
from viewer.tables.options import COMMANDS, DISTANCES, FARTHEST

ROOM, HALL, DOOR = CellId(0xA9B40170), CellId(0xA9B40171), CellId(0x7A9B4015)
SIZE = (1000, 760)


def report(state: int = 0x10008) -> FrameReport:
    door = DoorReport(
        DOOR, CellId(0x020019FF), ROOM, (1.0, 2.0, 3.0), 1.5, state, ("ReportCollisions",), "closed", None,
        (
            ShapeReport("BSP", 0, CellId(0x010044B5), True, "collides"),
            ShapeReport("SPHERE", -1, CellId(0), False, "other family"),
        ),
        (ROOM, HALL), "closed, opens in 2.5 s",
    )  # fmt: skip
    body = BodyReport(
        ROOM, "0xA9B40170 [1.0 2.0 3.0] 1 0 0 0", (1.0, 2.0, 3.0), 0.0, (0.0, 1.0, 0.0), (0.0, 3.12, 0.0),
        True, (0.0, 0.0, 1.0, -3.0), ROOM, (ROOM,),
    )  # fmt: skip
    hit = HitReport("entity", DOOR, ROOM, CellId(0x010044B5), 4, (0.0, -1.0, 0.0), "slid")
    sweep = SweepReport(True, True, (0.0, -1.0, 0.0), False, (hit,), ((HALL, "portal 0", False, False),), ())
    view = ViewReport(
        "first", (1.0, 2.0, 4.5), 0.0, 0.0, ROOM, ROOM, ROOM, (), True,
        (VisibleRow(0, ROOM, 0.0, 1.0, 1, ()), VisibleRow(1, HALL, 2.5, 0.25, 2, ((ROOM, 0),))),
    )  # fmt: skip
    facts = CellFacts(ROOM, False, True, 0x0D000001, ((0, HALL, 1, 1),), (ROOM, HALL))
    return FrameReport(7, 0.25, False, body, facts, sweep, view, (door,), {"tick": 1.0}, {"cells": 2})


class Recorder:
    def __init__(self) -> None:
        self.calls: list[tuple[str, int, bool | int]] = []

    def use(self, entity: int) -> None:
        self.calls.append(("use", entity, True))

    def set_ethereal(self, entity: int, ethereal: bool) -> object:
        self.calls.append(("ethereal", entity, ethereal))

    def toggle_mode(self, name: str) -> None:
        self.calls.append((name, 0, True))

    def modes_off(self) -> None:
        self.calls.append(("modes off", 0, True))

    def set_distance(self, name: str, landblocks: int) -> None:
        self.calls.append((name, 0, landblocks))


def test_the_report_is_json_with_ids_in_hexadecimal() -> None:
    document = json.loads(json.dumps(plain(report(0x1000C))))
    assert document["body"]["cell"] == "0xA9B40170"
    assert document["doors"][0]["state"] == "0x1000C"
    assert document["doors"][0]["ethereal"] is True
    assert document["view"]["cells"][1]["via"] == [["0xA9B40170", 0]]


class Panels:
    """The real overlay on an off-screen framebuffer."""

    def __init__(self) -> None:
        from viewer.overlay.host import OverlayHost
        from viewer.overlay.layout import PanelLayout
        from viewer.renderer.gl.context import create_headless

        self.ctx = create_headless()
        self.target = self.ctx.simple_framebuffer(SIZE)
        self.host = OverlayHost()
        self.actions = Recorder()
        self.places: dict[str, tuple[float, float]] = {}
        self.size = SIZE
        self.layout = PanelLayout()

    def frame(self, shown: FrameReport) -> None:
        from viewer.overlay.panels import draw_panels

        self.target.use()
        self.target.clear(0.0, 0.0, 0.0)
        self.host.draw(
            self.size,
            1 / 60,
            lambda: self.places.update(draw_panels(shown, self.actions, self.size, self.layout)),
        )

    def windows(self) -> dict[str, tuple[float, float, float, float]]:
        """Where the panels stand."""
        return dict(self.layout._seen)

    def drag(self, start: tuple[float, float], end: tuple[float, float], shown: FrameReport) -> None:
        self.host.mouse_move(*start)
        self.frame(shown)
        self.host.mouse_button(1, True)
        self.frame(shown)
        self.host.mouse_move(*end)
        self.frame(shown)
        self.host.mouse_button(1, False)
        self.frame(shown)

    def click(self, name: str, shown: FrameReport) -> None:
        for _ in range(3):
            self.frame(shown)
        self.host.mouse_move(*self.places[name])
        self.frame(shown)
        for down in (True, False):
            self.host.mouse_button(1, down)
            self.frame(shown)


@pytest.fixture
def panels() -> Iterator[Panels]:
    made = Panels()
    yield made
    made.host.close()
    made.ctx.release()


@pytest.mark.gl
def test_the_panels_are_drawn(panels: Panels) -> None:
    for _ in range(3):
        panels.frame(report())
    pixels = panels.target.read(components=3)
    assert max(pixels) > 200


@pytest.mark.gl
def test_the_tick_box_sets_and_clears_ethereal(panels: Panels) -> None:
    panels.click(f"ethereal {DOOR}", report(0x10008))
    panels.click(f"ethereal {DOOR}", report(0x1000C))
    assert panels.actions.calls == [("ethereal", DOOR, True), ("ethereal", DOOR, False)]


@pytest.mark.gl
def test_the_use_button_uses_the_door(panels: Panels) -> None:
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
        panels.host.key(Key("TAB"), down)
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

    def press(key: str, ctrl: bool) -> None:
        for down in (True, False):
            panels.host.modifiers(False, ctrl and down, False)
            panels.host.key(Key(key), down)
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
def test_panels_follow_the_windows_size_until_one_is_moved(panels: Panels) -> None:
    from viewer.overlay.layout import first_place

    shown = replace(report(), distances={"radius": 5})
    panels.frame(shown)
    panels.frame(shown)
    door, slider = panels.places[f"use {DOOR}"], panels.places["radius"]
    panels.size = (1300, 760)
    panels.frame(shown)
    panels.frame(shown)
    assert panels.places["radius"] == (slider[0] + 300, slider[1])
    assert panels.places[f"use {DOOR}"] == door

    left, top, width, _ = first_place(panels.size, 1, 0.42, 1.0)
    title = (left + width / 2, top + 8)
    panels.drag(title, (title[0] - 120, title[1] + 30), shown)
    moved = panels.places["radius"]
    assert moved == (slider[0] + 180, slider[1] + 30)
    panels.size = SIZE  # too narrow for it: it stands as near as it can
    panels.frame(shown)
    panels.frame(shown)
    nearest = (moved[0] - (left - 120 + width - SIZE[0]), slider[1] + 8)
    assert panels.places["radius"] == pytest.approx(nearest, abs=1.0)
    panels.size = (1300, 800)
    panels.frame(shown)
    panels.frame(shown)
    assert panels.places["radius"] == moved


@pytest.mark.gl
@pytest.mark.parametrize("moves", [False, True])
def test_no_size_of_the_window_loses_a_panel(panels: Panels, moves: bool) -> None:
    from viewer.overlay.layout import first_place

    shown = replace(report(), distances={"radius": 5})
    for _ in range(3):
        panels.frame(shown)
    if moves:
        left, top, width, _ = first_place(SIZE, 1, 0.42, 1.0)
        panels.drag((left + width / 2, top + 8), (left + width / 2 - 100, top - 50), shown)
    places = dict(panels.places)
    saved = panels.layout.text(panels.host.layout())
    assert ("[Window][View]" in saved) is moves
    for size in ((1, 1), (120, 60), (320, 200), (1, 900), SIZE):
        panels.size = size
        for _ in range(3):
            panels.frame(shown)
        for x, y, width, height in panels.windows().values():
            if min(size) > 40:  # else there is no room for the least that ImGui makes
                assert 0 <= x <= size[0] - width
                assert 0 <= y <= size[1] - height
    assert panels.places == places
    assert panels.layout.text(panels.host.layout()) == saved


FAR_OUT = """[Window][View]
Pos=1500,200
Size=380,500
Collapsed=0

[Window][Cells]
Pos=1450,100
Size=380,400
Collapsed=1

"""


@pytest.mark.gl
def test_panels_of_a_larger_window_are_pulled_in_and_go_back(panels: Panels) -> None:
    from viewer.overlay.layout import PanelLayout
    from viewer.overlay.layout_file import parse_layout

    panels.layout = PanelLayout(parse_layout(FAR_OUT))
    panels.size = (1280, 720)
    for _ in range(3):
        panels.frame(report())
    windows = panels.windows()
    assert windows["View"] == (900, 200, 380, 500)
    assert windows["Cells"][:3] == (900, 100, 380)
    assert not panels.layout.changed
    assert panels.layout.text(panels.host.layout()) == FAR_OUT
    panels.size = (1920, 1080)
    for _ in range(3):
        panels.frame(report())
    assert panels.windows()["View"] == (1500, 200, 380, 500)
    assert panels.layout.text(panels.host.layout()) == FAR_OUT


@pytest.mark.gl
def test_the_panels_can_be_put_back_where_they_first_stood(panels: Panels) -> None:
    from viewer.overlay.layout import PanelLayout
    from viewer.overlay.layout_file import parse_layout

    for _ in range(3):
        panels.frame(report())
    first = panels.windows()
    panels.layout = PanelLayout(parse_layout(FAR_OUT))
    for _ in range(3):
        panels.frame(report())
    assert panels.windows() != first
    panels.layout.reset()
    for _ in range(3):
        panels.frame(report())
    assert panels.windows() == first
    assert panels.layout.text(panels.host.layout()) == ""


@pytest.mark.gl
def test_a_docked_panel_stays_docked_until_the_panels_are_put_back(panels: Panels) -> None:
    from viewer.overlay.host import OverlayHost
    from viewer.overlay.layout import PanelLayout
    from viewer.overlay.layout_file import parse_layout

    docked = (
        "[Window][Cells]\nPos=60,60\nSize=400,400\nCollapsed=0\nDockId=0x00000001,0\n\n"
        "[Window][Doors]\nPos=60,60\nSize=400,400\nCollapsed=0\nDockId=0x00000001,1\n\n"
        "[Docking][Data]\nDockNode  ID=0x00000001 Pos=60,60 Size=400,400 Selected=0x00000000\n\n"
    )
    saved = parse_layout(docked)
    assert saved.docked == {"Cells", "Doors"}
    panels.host.close()
    panels.host = OverlayHost(saved.rest)
    panels.layout = PanelLayout(saved)
    for _ in range(4):
        panels.frame(report())
    windows = panels.windows()
    assert windows["Cells"] == windows["Doors"]
    assert windows["Cells"][:2] == (60, 60 + windows["Cells"][1] - 60)
    text = panels.layout.text(panels.host.layout())
    assert parse_layout(text).docked == {"Cells", "Doors"}
    panels.layout.reset()
    for _ in range(3):
        panels.frame(report())
    assert panels.windows()["Cells"] != panels.windows()["Doors"]
    assert parse_layout(panels.layout.text(panels.host.layout())).docked == frozenset()


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
