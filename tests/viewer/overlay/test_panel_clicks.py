"""What clicks do and where they may be made, and what a table does in a narrow panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from imgui_bundle import imgui

from engine.replay.history.marks import DIFFERS
from tests.viewer.demo_places import standing
from tests.viewer.overlay.panels import HALL, ROOM, Panels, report
from viewer.report.picked import PickAnswer
from viewer.report.picture_report import (
    CandidateReport,
    CellId,
    LastMoveReport,
    PickReport,
    PictureReport,
    StepReport,
)
from viewer.report.timeline_report import TimelineReport
from viewer.tables.key_names import Key
from viewer.window.walking.walk import Walk

pytestmark = pytest.mark.gl

HIDDEN = 0xA9B40172
MARKS = (("cell", 3, 3), ("hit", 20, 24), ("refused", 25, 40))


def in_front(panels: Panels, panel: str, shown: PictureReport) -> None:
    panels.frames(shown)
    panels.layout.show(panel)
    panels.frames(shown)
    panels.actions.calls.clear()


def click(panels: Panels, at: tuple[float, float], shown: PictureReport, button: int) -> None:
    panels.host.mouse_move(*at)
    panels.frame(shown)
    for down in (True, False):
        panels.host.mouse_button(button, down=down)
        panels.frames(shown)


def with_marks() -> PictureReport:
    timeline = TimelineReport(first=0, last=100, shown=100, marks=MARKS, bytes=1, most_bytes=2)
    return replace(report(), timeline=timeline)


@pytest.mark.parametrize(("button", "menu", "by"), [("mark back", "before", -1), ("mark on", "next", 1)])
def test_a_right_click_on_a_mark_button_lists_the_kinds_and_goes_to_one(
    panels: Panels, button: str, menu: str, by: int
) -> None:
    shown = with_marks()
    in_front(panels, "Timeline", shown)
    click(panels, panels.places[f"timeline {button}"], shown, 2)
    assert {name for name in panels.places if name.startswith(f"timeline {menu} ")} == {
        f"timeline {menu} {kind}" for kind, _, _ in MARKS
    }
    panels.actions.calls.clear()
    click(panels, panels.places[f"timeline {menu} hit"], shown, 1)
    assert ("to_mark", by, "hit") in panels.actions.calls


def test_a_click_on_a_kind_of_marks_goes_to_the_one_before_and_a_right_one_to_the_next(
    panels: Panels,
) -> None:
    shown = with_marks()
    in_front(panels, "Timeline", shown)
    for button, by in ((1, -1), (2, 1)):
        panels.actions.calls.clear()
        click(panels, panels.places["timeline kind refused"], shown, button)
        assert ("to_mark", by, "refused") in panels.actions.calls


def test_what_a_button_of_the_timeline_came_to_is_said(panels: Panels) -> None:
    shown = with_marks()
    in_front(panels, "Timeline", shown)
    for button in ("mark back", "blocked back", "mark on"):
        panels.actions.calls.clear()
        click(panels, panels.places[f"timeline {button}"], shown, 1)
        assert [call[0] for call in panels.actions.calls if call[0] in ("to_mark", "to_blocked", "tell")][
            1:
        ] == ["tell"]


def test_where_a_capture_differs_the_timeline_has_a_button_to_the_next_difference(panels: Panels) -> None:
    shown = with_marks()
    in_front(panels, "Timeline", shown)
    assert "timeline difference" not in panels.places
    timeline = replace(shown.timeline, marks=(*MARKS, (DIFFERS, 50, 50)))
    shown = replace(shown, timeline=timeline)
    panels.frames(shown)
    click(panels, panels.places["timeline difference"], shown, 1)
    assert ("to_mark", 1, DIFFERS) in panels.actions.calls


def test_every_answer_about_a_pixel_is_copied_the_skys_too(panels: Panels) -> None:
    clipboard: list[str] = []
    panels.host.use_clipboard(lambda: "", clipboard.append)
    sky = PickAnswer(pixel=(3, 4), root=ROOM, facet=None, place=None, solid=None, note="the sky")
    shown = report()
    shown = replace(shown, asked=replace(shown.asked, pick=sky))
    in_front(panels, "Inspect", shown)
    click(panels, panels.places["inspect copy"], shown, 1)
    click(panels, panels.places["inspect headline"], shown, 2)
    assert clipboard == ["the pixel 3,4 shows the sky"] * 2


def moved() -> PictureReport:
    """A sweep whose table is wider than a panel: a candidate that was picked and would be pruned."""
    candidate = CandidateReport(
        cell=HALL, added_by=ROOM, why="portal", holds=True, loaded=True, picked=True, pruned=True
    )
    pick = PickReport(
        probe="sub-step",
        center=(1.0, 2.0, 3.0),
        seed=ROOM,
        picked=HALL,
        candidates=(candidate,),
        asked=((HALL, "collided"),),
    )
    step = StepReport(
        index=0, cell=ROOM, end_cell=HALL, advanced=True, result="ok", insertion="ok", picks=(pick,), notes=()
    )
    move = LastMoveReport(
        title="last moved in tick 41", tick=41, cell=ROOM, before=ROOM, candidates=(), steps=(),
        lookup="", since=60, refused=0, sub_steps=(step,),
    )  # fmt: skip
    shown = report()
    assert shown.sweep is not None
    return replace(shown, sweep=replace(shown.sweep, last_move=move))


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((1280, 720), 1.0), ((1280, 720), 1.5)])
def test_what_came_of_a_candidate_is_seen_without_pushing_the_table_sideways(
    panels: Panels, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], scale: float
) -> None:
    panels.size = size
    panels.host.rescale(scale)
    in_front(panels, "Membership", moved())
    drawn: dict[str, tuple[float, float]] = {}  # where each text ends, and where its panel does

    def noted(real: Callable[[str], None], said: str) -> None:
        real(said)
        window = imgui.get_window_pos().x + imgui.get_window_size().x
        drawn[said] = (imgui.get_item_rect_max().x, window)

    for name in ("text", "text_wrapped"):
        monkeypatch.setattr(imgui, name, partial(noted, getattr(imgui, name)))
    panels.frame(moved())
    told = [said for said in drawn if "a prune would drop it" in said]
    assert len(told) == 1
    assert drawn[told[0]][0] <= drawn[told[0]][1]


def test_a_row_that_a_narrow_panel_has_no_room_for_is_written_out(
    panels: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    panels.size = (800, 600)
    in_front(panels, "Doors", report())
    said: list[str] = []
    real = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (said.append(text), real(text)))
    panels.frame(report())
    assert "BSP: part 0, collides, model 0x010044B5" in said
    assert "SPHERE: not asked" in said


def test_a_setting_whose_zero_is_no_number_says_what_it_means(
    panels: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms: dict[str, str] = {}
    real = imgui.slider_int

    def slider(*args: object) -> object:
        forms[str(args[0])] = str(args[4])
        return real(*args)  # type: ignore[arg-type]

    for frames, form in ((0, "no limit"), (60, "%d")):
        shown = replace(report(), settings={"max_fps": frames})
        in_front(panels, "Settings", shown)
        with monkeypatch.context() as patch:
            patch.setattr(imgui, "slider_int", slider)
            panels.frame(shown)
        assert forms["max fps"] == form


@pytest.mark.parametrize(("typed", "wanted"), [("nan", None), ("90", 90.0)])
def test_what_is_typed_into_a_slider_and_is_no_number_changes_nothing(
    panels: Panels, typed: str, wanted: float | None
) -> None:
    shown = replace(report(), settings={"fov": 60.0})
    in_front(panels, "Settings", shown)
    panels.host.modifiers(shift=False, ctrl=True, alt=False)
    click(panels, panels.places["setting fov"], shown, 1)
    panels.host.modifiers(shift=False, ctrl=False, alt=False)
    panels.host.text(typed)
    for down in (True, False):
        panels.host.key(Key("ENTER"), down=down)
        panels.frames(shown)
    assert [value for name, _, value in panels.actions.calls if name == "fov"] == ([wanted] if wanted else [])


def test_the_cells_to_ask_about_stay_where_they_are_however_long_the_answer_is(panels: Panels) -> None:
    walk = Walk(standing("0xA9B40171 [155.4 12.6 94] 1 0 0 0"))
    walk.look_out((640, 480), 0.0)
    before = walk.report()
    in_front(panels, "Why", before)
    left, top, width, height = panels.windows()["Why"]

    def of_why() -> dict[str, tuple[float, float]]:
        return {
            name: (x, y)
            for name, (x, y) in panels.places.items()
            if name.startswith("why 0x") and left <= x < left + width and top <= y < top + height
        }

    places = of_why()
    assert len(places) > 4
    assert max(y for _, y in places.values()) > top + 0.5 * height  # with no answer the panel is the list's
    panels.click(f"why {CellId(HIDDEN)}", before)
    assert ("ask_why", HIDDEN) in panels.actions.calls
    walk.questions.ask_why(HIDDEN)
    walk.look_out((640, 480), 0.0)
    answered = walk.report()
    assert answered.asked.why is not None
    panels.places.clear()
    panels.frames(answered)
    still = of_why()
    assert len(still) > 4 and f"why {CellId(HIDDEN)}" in still
    assert still == {name: at for name, at in places.items() if name in still}
    assert panels.places["why no more"][1] > max(y for _, y in still.values())


@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_the_list_of_cells_to_ask_about_ends_with_a_whole_row_and_shows_what_was_asked(
    panels: Panels, scale: float
) -> None:
    walk = Walk(standing("0xA9B40171 [155.4 12.6 94] 1 0 0 0"))
    walk.look_out((640, 480), 0.0)
    panels.host.rescale(scale)
    panels.size = (800, 600)
    free = walk.report()
    in_front(panels, "Why", free)

    def rows() -> tuple[float, list[float]]:
        (cells,) = [w for w in imgui.get_current_context().windows if w.name.startswith("Why/cells")]
        low, high = cells.pos.y, cells.pos.y + cells.size.y
        left, right = cells.pos.x, cells.pos.x + cells.size.x
        found = [at for name, at in panels.places.items() if name.startswith("why 0x")]
        inside = [y for x, y in found if low <= y <= high and left <= x < right]
        return high, inside

    half = 0.5 * (imgui.get_font_size() + 2.0 * imgui.get_style().frame_padding.y)
    whole, inside = rows()
    assert max(inside) + half <= whole + 1.0
    last = max(free.view.cells if free.view else (), key=lambda row: row.cell).cell
    walk.questions.ask_why(last)
    walk.look_out((640, 480), 0.0)
    panels.places.clear()
    panels.frames(walk.report())
    less, inside = rows()
    assert less < whole
    assert max(inside) + half <= less + 1.0
    assert panels.places[f"why {last}"][1] in inside
