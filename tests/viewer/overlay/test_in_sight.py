"""What lies out of sight in a panel is not drawn, which nobody sees by what is in sight, nor by its room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from imgui_bundle import imgui

from engine.visibility.why.why_answer import WhyAnswer
from tests.viewer.overlay.panels import DOOR, HALL, ROOM, Panels, report
from viewer.overlay import in_sight
from viewer.overlay.in_sight import draw_in_sight
from viewer.report.picture_report import (
    PLACED_BY_HAND,
    CellId,
    DoorReport,
    PictureReport,
    ShapeReport,
)
from viewer.verify.panel_cost import SIZE, side_by_side

pytestmark = pytest.mark.gl
CELLS = tuple(CellId(ROOM + k) for k in range(60))
NEAR, FAR = CellId(DOOR), CellId(DOOR + 2)
OTHERWISE: dict[str, object] = {
    "entity": CellId(PLACED_BY_HAND),
    "state": 0x1000C,
    "flags": tuple(f"Flag{k}" for k in range(12)),
    "phase": "opening, locked",
    "shapes": (ShapeReport(kind="SPHERE", part=-1, gfxobj=CellId(0), collides=False, does="rests"),),
    "cells": CELLS,
    "does": "closed, and it is to be opened in so many seconds that this line is no longer one",
    "held_by": HALL,
    "is_locked": True,
    "disagrees": True,
}
"""What can be told of a door otherwise, but for what is no more than a figure."""
FIGURES = ("setup", "cell", "position", "distance", "bearing", "countdown", "since", "clip")
SAME_ROOM = ("entity", "state", "is_locked")  # of a door that is told of otherwise
SCROLLED = ("Cell", "Why", "View", "Doors", "Membership")
WIDE = "a line as wide as a panel "


def three_doors(**of_the_last: object) -> PictureReport:
    """A report with more than a small panel has room for; what is otherwise with the last of its doors."""
    shown = report()
    door = replace(shown.doors[0], clip=2.0, phase="closed")
    doors = (door, replace(door, entity=CellId(DOOR + 1), distance=2.0))
    last = replace(door, **{"entity": FAR, "distance": 3.0, **of_the_last})  # type: ignore[arg-type]
    return replace(shown, doors=(*doors, last), cell=replace(shown.cell, stab_list=CELLS))


def room_of(title: str) -> tuple[float, float]:
    """How far a panel can be scrolled, and how far it is."""
    window = imgui.internal.find_window_by_name(title)
    return window.scroll_max.y, window.scroll.y


@pytest.fixture
def low(panels: Panels) -> Panels:
    """The panels side by side, each too low for what it tells."""
    panels.layout, panels.size = side_by_side(), SIZE
    panels.target = panels.ctx.simple_framebuffer(SIZE)
    panels.frames(three_doors())
    return panels


class WholeClipper:
    """A clipper of ImGui's that leaves nothing out."""

    def begin(self, count: int, _: float = -1.0) -> None:
        self.display_start, self.display_end, self._steps = 0, count, 1

    def include_item_by_index(self, _: int) -> None:
        """It is."""

    def step(self) -> bool:
        self._steps -= 1
        return self._steps == 0


def seen(low: Panels, shown: PictureReport, down: float) -> tuple[bytes, list[object], dict[str, object]]:
    """The picture with each panel scrolled so far, the panels' room, and where widgets are."""
    for _ in range(2):
        for panel in SCROLLED:
            imgui.internal.set_scroll_y(imgui.internal.find_window_by_name(panel), down)
        low.places.clear()
        low.frame(shown)
    return low.target.read(components=3), [room_of(panel) for panel in SCROLLED], dict(low.places)


@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_what_is_in_sight_and_how_far_a_panel_is_scrolled_are_as_if_all_of_it_were_drawn(
    low: Panels, monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    low.host.rescale(scale)
    low.frames(three_doors())
    for down in (0.0, *(30.0 + 37.0 * k for k in range(5)), 1e4, 0.0):
        found = seen(low, three_doors(), down)
        with monkeypatch.context() as patch:
            patch.setattr(in_sight, "_ends", lambda *_: False)
            patch.setattr(imgui, "ListClipper", WholeClipper)
            assert seen(low, three_doors(), down) == found


def test_a_cell_that_is_asked_about_is_scrolled_to_from_out_of_sight(low: Panels) -> None:
    shown, last = three_doors(), CELLS[-1]
    assert f"why {last}" not in low.places
    answer = WhyAnswer(
        cell=last, visible=False, root=ROOM, loaded=True, in_stab_list=True, reason="no way", chains=()
    )
    low.frames(replace(shown, asked=replace(shown.asked, why=answer)))
    left, top, width, height = low.windows()["Why"]
    x, y = low.places[f"why {last}"]
    assert left < x < left + width and top < y < top + height


@pytest.mark.parametrize(("name", "value"), OTHERWISE.items())
def test_a_door_out_of_sight_that_is_told_of_otherwise_has_the_room_for_that_at_once(
    low: Panels, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    low.host.rescale(1.05)  # that a door which disagrees looks closed is one line so, and opening are two
    low.frames(three_doors(disagrees=name == "phase"))
    before = room_of("Doors")
    changed = three_doors(**{"disagrees": name == "phase", name: value})
    low.frames(changed)
    found = room_of("Doors")
    assert (found == before) == (name in SAME_ROOM)
    monkeypatch.setattr(in_sight, "_ends", lambda *_: False)
    low.frames(changed)
    assert room_of("Doors") == found


def test_all_that_can_be_told_of_a_door_was_told_otherwise() -> None:
    assert {field.name for field in fields(DoorReport)} == {*OTHERWISE, *FIGURES}


def test_modes_whose_keys_are_bound_anew_have_room_for_their_names_at_once(
    low: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = room_of("View")
    monkeypatch.setattr(low.actions, "key_of", lambda action: f"Ctrl+Shift+Alt+{action}")
    low.frames(three_doors())
    found = room_of("View")
    assert found != before
    monkeypatch.setattr(in_sight, "_ends", lambda *_: False)
    low.frames(three_doors())
    assert room_of("View") == found


def test_text_of_another_size_has_another_room_at_once(low: Panels, monkeypatch: pytest.MonkeyPatch) -> None:
    imgui.get_style().font_scale_main = 1.2  # and nothing else: the panels are as wide inside
    low.frames(three_doors())
    found = [room_of(title) for title in ("View", "Doors", "Cell", "Why")]
    monkeypatch.setattr(in_sight, "_ends", lambda *_: False)
    low.frames(three_doors())
    assert [room_of(title) for title in ("View", "Doors", "Cell", "Why")] == found


def test_what_is_dragged_is_drawn_though_the_panel_is_scrolled_from_it(low: Panels) -> None:
    shown = three_doors()
    window = imgui.internal.find_window_by_name("Doors")
    low.host.mouse_move(*low.places[f"pose {NEAR}"])
    low.frame(shown)
    low.host.mouse_button(1, down=True)
    low.frame(shown)
    imgui.internal.set_scroll_y(window, window.scroll_max.y)
    low.frame(shown)
    low.actions.calls.clear()
    low.host.mouse_move(low.places[f"pose {NEAR}"][0] + 30.0, low.places[f"pose {NEAR}"][1])
    low.frame(shown)
    assert [call for call in low.actions.calls if call[:2] == ("pose_door", NEAR)]


def drawn_of(panels: Panels, scroll: float, *, wide: bool) -> list[int]:
    """The lines of a hundred that are drawn in a window that is scrolled so far."""
    drawn: list[int] = []

    def lines() -> Iterator[None]:
        for number in range(100):
            drawn.append(number)
            imgui.text(WIDE * 9 if wide and number == 0 else f"{number}")
            yield  # after the last one, too

    def content() -> None:
        imgui.set_next_window_size(imgui.ImVec2(300, 200))
        imgui.begin("parts", flags=imgui.WindowFlags_.horizontal_scrollbar)
        imgui.set_scroll_y(scroll)
        drawn.clear()
        draw_in_sight("lines", wide, lines())
        imgui.dummy(imgui.ImVec2(10.0, 1000.0))
        imgui.end()

    for _ in range(4):
        panels.host.draw((1000, 760), 1 / 60, content)
    return drawn


def test_lines_below_the_edge_are_not_drawn_and_none_is_where_the_part_lies_above_it(panels: Panels) -> None:
    assert 5 < len(drawn_of(panels, 0.0, wide=False)) < 20
    room = room_of("parts")[0]
    at_its_end = [(room - 1000.0 + k, 90, 100) for k in range(-30, 30)]
    for scroll, least, most in ((900.0, 50, 99), *at_its_end, (5000.0, 0, 0), (0.0, 5, 20)):
        assert least <= len(drawn_of(panels, scroll, wide=False)) <= most
        assert room_of("parts")[0] == room


def test_a_panel_that_can_be_pushed_sideways_is_drawn_whole(panels: Panels) -> None:
    assert drawn_of(panels, 0.0, wide=True) == list(range(100))
    assert drawn_of(panels, 600.0, wide=True) == list(range(100))
