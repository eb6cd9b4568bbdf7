"""Where the panels stand: in the window's size, docked, kept, put back."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

from engine.replay.audit.finding import Finding
from tests.viewer.overlay.panels import DOOR, HALL, SIZE, Panels, report
from viewer.overlay.panel_kit import place_at, place_beside
from viewer.report.asked import AuditReport
from viewer.report.probe_table import ProbeRow, ProbeShown, ProbeTable
from viewer.report.timeline_report import TimelineReport


@pytest.mark.gl
def test_panels_follow_the_windows_size_and_one_that_is_pulled_out_stays(panels: Panels) -> None:
    shown = replace(report(), distances={"radius": 5})
    panels.frames(shown)
    box, slider = panels.places["visible filter"], panels.places["radius"]
    panels.size = (1300, 760)
    panels.frames(shown)
    assert panels.places["radius"][0] == pytest.approx(slider[0] + 0.78 * 300, abs=2.0)
    assert panels.places["radius"][1] == slider[1]
    assert panels.places["visible filter"][1] == box[1]

    panels.drag(panels.places["panel View"], (650.0, 300.0), shown)
    panels.frames(shown)
    left, top, width, height = panels.windows()["View"]
    assert 300 < left < 700 and top < 300
    assert panels.layout.changed
    panels.size = (int(left + width) - 60, 400)  # too small for it: it stands as near as it can
    panels.frames(shown)
    assert panels.windows()["View"][0] == pytest.approx(left - 60, abs=1.0)
    panels.size = (1300, 800)
    panels.frames(shown)
    assert panels.windows()["View"] == (left, top, width, height)


@pytest.mark.gl
@pytest.mark.parametrize("moves", [False, True])
def test_no_size_of_the_window_loses_a_panel(panels: Panels, *, moves: bool) -> None:
    shown = replace(report(), distances={"radius": 5})
    panels.frames(shown)
    if moves:
        edge = panels.picture[0] - 1.0  # of the left column: it is made wider
        panels.drag((edge, 200.0), (edge + 70.0, 200.0), shown)
        panels.drag(panels.places["panel View"], (650.0, 300.0), shown)
        panels.frames(shown)
    places, picture = dict(panels.places), panels.picture
    assert picture[0] == pytest.approx(0.22 * SIZE[0] + (70 if moves else 0), abs=3.0)
    saved = panels.layout.text(panels.host.layout())
    assert bool(saved) is moves
    assert ("[Window][View]" in saved) is moves
    for size in ((1, 1), (120, 60), (320, 200), (1, 900), (3000, 20), SIZE):
        panels.size = size
        panels.frames(shown)
        left, top, width, height = panels.picture
        assert 0 <= left < left + width <= size[0]
        assert 0 <= top < top + height <= size[1]
        for x, y, width, height in panels.windows().values():
            if min(size) > 199:  # else there is no room for the least that ImGui makes
                assert 0 <= x <= size[0] - width
                assert 0 <= y <= size[1] - height
    assert panels.places == places
    assert panels.picture == picture
    assert panels.layout.text(panels.host.layout()) == saved


@pytest.mark.gl
@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (1920, 1080)])
def test_the_first_layout_leaves_the_picture_over_half_of_the_width(
    panels: Panels, size: tuple[int, int]
) -> None:
    panels.size = size
    panels.frames(report())
    left, top, width, height = panels.picture
    assert width >= 0.55 * size[0]
    assert height >= 0.75 * size[1]
    for title, (x, y, w, h) in panels.windows().items():
        assert x + w <= left or x >= left + width or y >= top + height, title
        assert w >= 0.2 * size[0] and h > 100, title


@pytest.mark.gl
def test_what_the_user_docks_and_closes_comes_back_in_a_window_of_another_size(panels: Panels) -> None:
    shown = report()
    panels.size = (1280, 720)
    panels.frames(shown)
    edge = panels.picture[0] - 1.0
    panels.drag((edge, 200.0), (edge + 128.0, 200.0), shown)
    panels.layout.close("Timing")
    panels.layout.show("Collision")
    panels.frames(shown)
    picture = panels.picture
    panels.size = (333, 222)  # is not what is kept
    panels.frames(shown)
    text = panels.layout.text(panels.host.layout())
    panels.restart(text, (640, 360))
    panels.frames(shown)
    for had, has in zip(picture, panels.picture, strict=True):
        assert has == pytest.approx(had / 2, abs=12.0)
    assert "Timing" not in panels.windows()
    assert not panels.layout.changed
    assert panels.layout.text(panels.host.layout()) == text
    panels.layout.show("Timing")
    panels.frames(shown)
    assert panels.windows()["Timing"] == panels.windows()["Settings"]
    panels.layout.reset()
    panels.frames(shown)
    assert panels.layout.text(panels.host.layout()) == ""
    assert panels.picture[0] == pytest.approx(0.22 * 640, abs=3.0)


@pytest.mark.gl
def test_a_panel_that_a_kept_layout_does_not_know_is_docked_beside_its_like(
    panels: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.overlay import panel_table as module

    panels.frames(report())
    edge = panels.picture[0] - 1.0
    panels.drag((edge, 200.0), (edge + 50.0, 200.0), report())
    text = panels.layout.text(panels.host.layout())
    new = module.Panel("Brand new", "right top", lambda report, actions, widgets: None, "")  # type: ignore[attr-defined]
    monkeypatch.setattr(module, "PANELS", (*module.PANELS, new))
    panels.restart(text, SIZE)
    panels.frames(report())
    assert panels.windows()["Brand new"] == panels.windows()["Collision"]


FAR_OUT = """[Window][View]
Pos=1500,200
Size=380,500
Collapsed=0

[Window][Cell]
Pos=1450,100
Size=380,400
Collapsed=1

"""


@pytest.mark.gl
def test_panels_of_a_larger_window_are_pulled_in_and_go_back(panels: Panels) -> None:
    from viewer.overlay.dock.layout import PanelLayout
    from viewer.overlay.dock.layout_file import parse_layout

    panels.layout = PanelLayout(parse_layout(FAR_OUT))
    panels.size = (1280, 720)
    for _ in range(3):
        panels.frame(report())
    windows = panels.windows()
    assert windows["View"] == (900, 200, 380, 500)
    assert windows["Cell"][:3] == (900, 100, 380)
    assert not panels.layout.changed
    assert panels.layout.text(panels.host.layout()) == FAR_OUT
    panels.size = (1920, 1080)
    for _ in range(3):
        panels.frame(report())
    assert panels.windows()["View"] == (1500, 200, 380, 500)
    assert panels.layout.text(panels.host.layout()) == FAR_OUT


@pytest.mark.gl
def test_the_panels_can_be_put_back_where_they_first_stood(panels: Panels) -> None:
    from viewer.overlay.dock.layout import PanelLayout
    from viewer.overlay.dock.layout_file import parse_layout

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
    from viewer.overlay.dock.layout import PanelLayout
    from viewer.overlay.dock.layout_file import parse_layout
    from viewer.overlay.host import OverlayHost

    docked = (
        "[Window][Cell]\nPos=60,60\nSize=400,400\nCollapsed=0\nDockId=0x00000001,0\n\n"
        "[Window][Doors]\nPos=60,60\nSize=400,400\nCollapsed=0\nDockId=0x00000001,1\n\n"
        "[Docking][Data]\nDockNode  ID=0x00000001 Pos=60,60 Size=400,400 Selected=0x00000000\n\n"
    )
    saved = parse_layout(docked)
    assert saved.docked == {"Cell", "Doors"}
    panels.host.close()
    panels.host = OverlayHost(saved.rest)
    panels.layout = PanelLayout(saved)
    for _ in range(4):
        panels.frame(report())
    windows = panels.windows()
    assert windows["Cell"] == windows["Doors"]
    assert windows["Cell"][:2] == (60, 60 + windows["Cell"][1] - 60)
    text = panels.layout.text(panels.host.layout())
    assert parse_layout(text).docked >= {"Cell", "Doors"}
    assert text.count("DockId=0x00000001,") == 2
    panels.layout.reset()
    for _ in range(3):
        panels.frame(report())
    assert panels.windows()["Cell"] != panels.windows()["Doors"]
    assert parse_layout(panels.layout.text(panels.host.layout())).docked == frozenset()


@pytest.mark.gl
def test_nothing_lies_over_the_picture_while_the_panels_are_hidden(panels: Panels) -> None:
    panels.frames(report())
    for _ in range(3):
        panels.target.use()
        panels.target.clear(0.2, 0.4, 0.6)
        panels.host.draw(panels.size, 1 / 60, panels.layout.hide)
    pixels = panels.target.read(components=3)
    assert pixels == bytes((51, 102, 153)) * (SIZE[0] * SIZE[1])


@pytest.mark.gl
def test_the_menu_brings_a_panel_to_the_front_and_closes_the_one_that_is_there(panels: Panels) -> None:
    from viewer.overlay.menu import draw_menu
    from viewer.overlay.panel_table import PANELS, draw_panels
    from viewer.tables.keys import default_keys

    places: dict[str, tuple[float, float]] = {}

    def content() -> None:
        places.clear()
        places.update(draw_menu(panels.layout, PANELS, default_keys(), run=lambda _: None))
        places.update(draw_panels(report(), panels.actions, panels.size, panels.layout))

    def frames() -> None:
        for _ in range(6):
            panels.host.draw(panels.size, 1 / 60, content)

    def click(name: str) -> None:
        panels.host.mouse_move(*places[name])
        for down in (True, False):
            frames()
            panels.host.mouse_button(1, down=down)
        frames()

    panels.target.use()
    frames()
    assert "why box" not in places
    click("menu Panels")
    click("menu Why")
    assert panels.layout.is_open("Why")
    assert "why box" in places
    click("menu Panels")
    click("menu Why")
    assert not panels.layout.is_open("Why")
    click("menu Panels")
    click("menu Why")
    assert "why box" in places


def test_a_tooltip_lies_wholly_beside_what_one_wants_to_see_on_the_first_side_with_room() -> None:
    window, size = (800.0, 600.0), (200.0, 50.0)
    bar = (100.0, 400.0, 780.0, 590.0)
    assert place_beside(bar, size, window, (790.0, 500.0), sides="above below right left") == (600.0, 344.0)
    assert place_beside(bar, size, window, (150.0, 500.0), sides="below above") == (150.0, 344.0)
    column = (500.0, 30.0, 790.0, 590.0)
    assert place_beside(column, size, window, (510.0, 580.0), sides="right left") == (294.0, 550.0)
    assert place_beside((0.0, 0.0, 800.0, 600.0), size, window, (1.0, 1.0), sides="above left") is None
    left = (0.0, 300.0, 400.0, 590.0)  # a list far from its right edge is left upwards
    assert place_beside(left, size, window, (10.0, 310.0), sides="right above") == (10.0, 244.0)


def test_a_tooltip_leaves_the_line_that_says_what_was_just_done_uncovered() -> None:
    window, size = (800.0, 600.0), (200.0, 50.0)
    bar, line = (100.0, 400.0, 780.0, 590.0), (250.0, 370.0, 500.0, 396.0)
    sides = "above below right left"
    assert place_beside(bar, size, window, (300.0, 410.0), sides=sides, kept=(line,)) == (300.0, 314.0)
    assert place_beside(bar, size, window, (550.0, 410.0), sides=sides, kept=(line,)) == (550.0, 344.0)
    assert place_at(size, window, (300.0, 100.0), (line,)) == (316.0, 110.0)
    assert place_at(size, window, (300.0, 350.0), (line,)) == (316.0, 290.0)
    assert place_at(size, window, (790.0, 590.0), (line,)) == (600.0, 530.0)
    assert place_at(window, window, (0.0, 0.0), (line,)) is None


@pytest.mark.gl
def test_tooltips_leave_the_strip_the_list_and_the_lines_uncovered_that_they_explain(
    panels: Panels,
) -> None:
    marks = (("cell", 3, 3), ("hit", 20, 24))
    timeline = TimelineReport(first=0, last=100, shown=100, marks=marks, bytes=1, most_bytes=2)
    findings = tuple([Finding("portals-do-not-meet", f"0xA9B4010{k} portal 0: it fails") for k in range(6)])
    audit = AuditReport(
        share=1.0, done=1, blocks=1, counts={"portals-do-not-meet": len(findings)}, findings=findings
    )
    shown = report()
    shown = replace(shown, timeline=timeline, asked=replace(shown.asked, audit=audit))
    hovered = {
        "Timeline": ("timeline first", "timeline bar", "timeline kind hit"),
        "Audit": ("finding 0", "audit all"),
        "Doors": (f"ethereal {DOOR}", f"state {DOOR}", f"pose {DOOR}", "place a door", "save scene"),
        "Cell": (f"why {HALL}",),
    }
    panels.line = "saved /home/somebody/Pictures/holtwalk-bug-20260314-150926"
    for panel, names in hovered.items():
        panels.frames(shown)
        panels.layout.show(panel)
        panels.frames(shown)
        left, top, width, height = panels.windows()[panel]
        for name in names:
            panels.host.mouse_move(*panels.places[name])
            for _ in range(24):
                panels.frame(shown)
            tip = imgui.internal.find_window_by_name("##Tooltip_00")
            assert tip is not None and tip.active, name
            right, bottom = tip.pos.x + tip.size.x, tip.pos.y + tip.size.y
            assert tip.pos.x >= 0.0 and right <= panels.size[0] and tip.pos.y >= 0.0, name
            apart = right <= left or tip.pos.x >= left + width or bottom <= top or tip.pos.y >= top + height
            assert apart, name
            line = imgui.internal.find_window_by_name("##hint")
            assert line is not None and line.active
            above = bottom <= line.pos.y or tip.pos.y >= line.pos.y + line.size.y
            assert above or right <= line.pos.x or tip.pos.x >= line.pos.x + line.size.x, name
            panels.host.mouse_move(panels.size[0] / 2, panels.size[1] / 2)
            for _ in range(3):
                panels.frame(shown)


@pytest.mark.gl
@pytest.mark.parametrize(("size", "titles"), [(SIZE, ("Why", "Doors", "Log")), ((500, 400), ("Why", "Log"))])
def test_the_tabs_in_front_are_so_again_at_the_next_start(
    panels: Panels, size: tuple[int, int], titles: tuple[str, ...]
) -> None:
    panels.size = size
    panels.frames(report())
    assert panels.layout.front_text() == ""  # as at first there is nothing to keep
    for title in titles:
        panels.layout.show(title)
    panels.frames(report())
    panels.restart(panels.layout.text(panels.host.layout()) + panels.layout.front_text(), size)
    panels.frames(report())
    assert {title for title in titles if title in panels.layout._unfolded} == {*titles}


@pytest.mark.gl
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("small", [(16, 16), (64, 64), (200, 150), (500, 400)])
def test_a_window_that_is_too_small_for_the_tabs_in_front_keeps_them(
    panels: Panels, small: tuple[int, int], *, is_first: bool
) -> None:
    """A mere start in a small window left the file without them; one made small and large again, too."""
    panels.frames(report())
    if not is_first:
        panels.layout.close("Doors")
    for title in ("Log", "Map", "Membership"):
        panels.layout.show(title)
    panels.frames(report())
    before = panels.layout.front_text()
    assert "[Window][Log]" in before and "[Window][Map]" in before
    panels.size = small
    panels.frames(report())
    assert panels.layout.front_text() == before
    panels.size = SIZE
    panels.frames(report())
    assert panels.layout.front_text() == before
    assert {"Log", "Map"} <= panels.layout._unfolded
    for size in (small, SIZE):
        panels.restart(panels.layout.text(panels.host.layout()) + panels.layout.front_text(), size)
        panels.frame(report())
        assert panels.layout.front_text() == before  # left at once
        panels.frames(report())
        assert panels.layout.front_text() == before
    assert {"Log", "Map"} <= panels.layout._unfolded


@pytest.mark.gl
def test_a_line_that_comes_while_a_doors_pose_is_dragged_does_not_push_it_away(panels: Panels) -> None:
    shown = report()
    panels.frames(shown)
    panels.layout.show("Doors")
    panels.frames(shown)
    before = panels.places[f"pose {DOOR}"]
    (door,) = shown.doors
    panels.frames(replace(shown, doors=(replace(door, disagrees=True, held_by=DOOR),)))
    assert panels.places[f"pose {DOOR}"] == before


@pytest.mark.gl
@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
def test_a_probes_tables_of_both_sides_begin_above_the_fold(panels: Panels, size: tuple[int, int]) -> None:
    answer: Any = SimpleNamespace(entity=DOOR)
    kinds = (("sphere front", 13), ("mover front", 1), ("sphere back", 13), ("mover back", 1))
    rows = tuple([ProbeRow(0.2 * k, (("1", None),) * 10) for k in range(13)])
    probe = ProbeShown(
        answer=answer,
        blocks=True,
        verdict=f"door {DOOR} blocks across its doorway, from both sides",
        tables=tuple([ProbeTable(title, rows[:count]) for title, count in kinds]),
        stoppers=("a", "b"),
        brief={},
    )
    shown = report()
    shown = replace(shown, asked=replace(shown.asked, probe=probe))
    panels.size = size
    panels.frames(shown)
    panels.layout.show("Probe")
    panels.frames(shown)
    panels.places.clear()
    panels.frame(shown)
    assert {"probe sphere front", "probe sphere back"} <= panels.places.keys()  # what is in sight is there
