"""What keys and clicks do to a question that is open, and beside it, in the program on no window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from imgui_bundle import imgui

from tests.viewer.window.boxes.by_hand import (
    ENTER,
    ESCAPE,
    LEFT_CTRL,
    frames,
    open_box,
    press,
    type_,
)
from viewer.overlay.command_palette import Entry

if TYPE_CHECKING:
    from viewer.window.app import App

pytestmark = pytest.mark.gl
QUESTIONS = ("leave", "dumps")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_command_takes_a_question_away_and_enter_after_it_is_the_commands(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    answered: list[str] = []
    monkeypatch.setattr(app.boxes, "_leave", lambda: answered.append("leave"))
    monkeypatch.setattr(app.deeds, "entries", lambda text: [Entry(text, "", lambda: answered.append(text))])
    open_box(app, name)
    if name == "dumps":
        app.boxes.dumps.open(lambda: answered.append("with"), lambda: answered.append("without"))
    frames(app)
    press(app, LEFT_CTRL)  # alone it is no command
    assert getattr(app.boxes, name).is_open
    press(app, ord("p"), ctrl=True)
    assert not getattr(app.boxes, name).is_open and app.boxes.palette.is_open
    type_(app, "yes")
    frames(app, 10)
    press(app, ENTER)
    frames(app)
    assert answered == ["yes"]


@pytest.mark.parametrize("key", ["w", "y", "n"])
def test_any_letter_takes_the_question_whether_to_leave_away(app: App, key: str) -> None:
    open_box(app, "leave")
    frames(app)
    press(app, ord(key), key)
    assert not app.boxes.leave.is_open and not app.window.is_closing
    press(app, ENTER)
    assert not app.window.is_closing


@pytest.mark.parametrize(("key", "text"), [(ord("w"), "w"), (ESCAPE, "")])
def test_a_question_what_a_bug_folder_may_hold_that_is_left_says_so_and_how_to_get_it_again(
    app: App, key: int, text: str
) -> None:
    answered: list[str] = []
    app.message.say("")
    app.boxes.dumps.open(
        lambda: answered.append("with"), lambda: answered.append("without"), app.deeds.tell_of_no_bug
    )
    frames(app)
    press(app, key, text)
    frames(app)
    assert answered == [] and not app.boxes.dumps.is_open
    assert app.message.shown == "no bug folder was written, as nothing was answered; Ctrl+B asks again"
    app.message.say("")
    app.boxes.dumps.open(
        lambda: answered.append("with"), lambda: answered.append("without"), app.deeds.tell_of_no_bug
    )
    frames(app)
    press(app, ord("n"), "n")
    frames(app)
    assert answered == ["without"] and app.message.shown == ""


def test_escape_lets_go_of_what_is_asked_before_it_asks_whether_to_leave(app: App) -> None:
    app.walk.questions.ask_why(0xA9B40170)
    app.walk.select(0xA9B40170)
    frames(app)
    press(app, ESCAPE)
    assert not app.boxes.leave.is_open and not app.walk.report().is_anything_on
    press(app, ESCAPE)
    assert app.boxes.leave.is_open


def test_what_takes_no_click_beside_a_question_looks_so(app: App) -> None:
    x, y = app.walk.widgets["menu Look"]
    window: Any = app.window
    window.mouse_position_event_func(x, y, 0, 0)
    frames(app)
    assert app.overlay.wants_mouse
    open_box(app, "leave")
    frames(app)
    assert imgui.get_io().mouse_pos.x < 0.0
    press(app, ESCAPE)
    frames(app)
    assert app.overlay.wants_mouse and imgui.get_io().mouse_pos.x == x


@pytest.mark.parametrize("at", [(662, 600), (800, 300), (-1, 560), (400, 599)])
def test_a_click_on_the_outermost_pixel_beside_a_panel_is_none_on_the_picture(
    app: App, at: tuple[int, int]
) -> None:
    window: Any = app.window
    window.mouse_position_event_func(*at, 0, 0)
    frames(app)
    window.mouse_press_event_func(*at, 1)
    window.mouse_release_event_func(*at, 1)
    frames(app)
    assert not app.controls.mouse_caught


def test_an_answer_brings_its_panel_though_all_panels_are_hidden(app: App) -> None:
    app.panels_shown = False
    frames(app)
    assert "panel Why" not in app.walk.widgets
    app.walk.questions.ask_why(app.walk.simulation.position.cell_id)
    frames(app, 6)
    assert app.panels_shown and "why box" in app.walk.widgets
    app.walk.questions.ask_why(0)


def test_a_command_with_ctrl_is_no_answer_to_what_a_bug_folder_may_hold(app: App) -> None:
    answered: list[str] = []
    for key in "yn":
        app.boxes.dumps.open(lambda: answered.append("with"), lambda: answered.append("without"))
        press(app, ord(key), ctrl=True)
        assert answered == [] and not app.boxes.dumps.is_open
    app.walk.pace.paused = False


@pytest.mark.parametrize("name", QUESTIONS)
def test_clicks_beside_a_question_come_to_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    done: list[str] = []
    monkeypatch.setattr(app.controls, "_do", done.append)
    x, y = app.walk.widgets["menu Look"]
    open_box(app, name)
    frames(app)
    window: Any = app.window
    for at, alt in (((x, y), False), ((20, 300), False), ((400, 150), True)):
        monkeypatch.setattr(window, "modifiers", SimpleNamespace(shift=False, ctrl=False, alt=alt))
        window.mouse_position_event_func(*at, 0, 0)
        frames(app)
        window.mouse_press_event_func(*at, 1)
        frames(app)
        window.mouse_release_event_func(*at, 1)
        frames(app)
    assert done == []
    assert not app.overlay.has_menu and not app.controls.mouse_caught
    box = getattr(app.boxes, name)
    assert box.is_open and box.area is not None
    stay = (box.area.left + box.area.width - 12, box.area.top + 10)  # the cross
    window.mouse_position_event_func(*stay, 0, 0)
    frames(app)
    window.mouse_press_event_func(*stay, 1)
    frames(app)
    window.mouse_release_event_func(*stay, 1)
    frames(app)
    assert not box.is_open
