"""Who has the keyboard and the mouse while boxes and menus are open, in the program on no window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from imgui_bundle import imgui

from engine.physics.simulation.movement import MovementInput
from tests.viewer.window.boxes.by_hand import (
    BOXES,
    ENTER,
    ESCAPE,
    F1,
    frames,
    open_box,
    open_menu,
    press,
    type_,
)
from viewer.overlay.command_palette import Entry

if TYPE_CHECKING:
    from viewer.window.app import App

pytestmark = pytest.mark.gl


@pytest.mark.parametrize("name", BOXES)
def test_a_box_that_fails_in_its_middle_is_one_line_and_is_closed_by_escape(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(app._guard, "_show", said.append)

    def half_drawn(*_: object) -> None:
        imgui.begin_group()
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(1, 0, 0, 1))
        imgui.begin_table("half", 2)
        raise RuntimeError("broken")

    box = getattr(app.boxes, name)
    monkeypatch.setattr(type(box), "_content", half_drawn)
    monkeypatch.setattr(app.message, "say", said.append)
    ends: list[str] = []
    real = imgui.end
    monkeypatch.setattr(imgui, "end", lambda: (ends.append(imgui.internal.get_current_window().name), real()))
    open_box(app, name)
    frames(app)
    assert set(said) == {"a box failed: broken"}
    assert imgui.internal.find_window_by_name("##Tooltip_00") is None  # no message of ImGui's own
    assert {"panel View", "menu Look"} <= app.walk.widgets.keys()  # all else is drawn
    assert "##hint" in ends or name == "card"  # which stands in its stead
    press(app, ESCAPE)
    assert not box.is_open
    said.clear()
    frames(app)
    assert said == []


def test_a_box_that_fails_takes_no_other_with_it(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(app.boxes.key_help, "_content", broken)
    open_box(app, "key_help")
    open_box(app, "card")
    open_box(app, "dumps")
    frames(app)
    assert {"dumps yes", "card away"} <= app.walk.widgets.keys()


def test_what_the_palette_can_do_may_fail_and_one_types_on(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def offers(text: str) -> list[Entry]:
        if text.endswith("-"):
            raise RuntimeError("broken")
        return [Entry(text, "", lambda: None)]

    monkeypatch.setattr(app.deeds, "entries", offers)
    press(app, ord("p"), ctrl=True)
    frames(app)
    type_(app, "a-")
    frames(app, 10)
    assert app.boxes.palette.text == "a-"
    type_(app, "b")
    frames(app, 10)
    assert "do a-b" in app.walk.widgets
    press(app, ENTER)
    frames(app)
    assert not app.boxes.palette.is_open


def test_keys_that_follow_enter_at_once_are_for_what_is_there_then(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On slow frames they went into the box that Enter closes, and Ctrl+P was lost."""
    done: list[str] = []
    monkeypatch.setattr(app.deeds, "entries", lambda text: [Entry(text, "", lambda: done.append(text))])
    press(app, ord("p"), ctrl=True)
    for text in ("ab", "cd"):
        type_(app, text)
        press(app, ENTER)
        press(app, ord("p"), ctrl=True)
    frames(app, 40)
    assert done == ["ab", "cd"]
    assert app.boxes.palette.is_open and app.boxes.palette.text == ""


@pytest.mark.parametrize("held", [0, 4])
def test_enter_that_finds_nothing_is_let_go_and_one_types_on(app: App, held: int) -> None:
    """On slow frames ImGui had it held down while the box waited for the keyboard: another Enter each."""
    press(app, ord("p"), ctrl=True)
    frames(app, 5)
    type_(app, "zqz")
    window: Any = app.window
    none = SimpleNamespace(shift=False, ctrl=False, alt=False)
    window.key_event_func(ENTER, "press", none)
    for _ in range(held):
        app._frame(0.25)
    window.key_event_func(ENTER, "release", none)
    press(app, ord("p"), ctrl=True)
    for _ in range(20):
        app._frame(0.25)
    assert app.boxes.palette.is_open and not app.boxes.waits
    type_(app, "w")
    for _ in range(5):
        app._frame(0.25)
    assert app.boxes.palette.text == "zqzw"
    press(app, ESCAPE)
    assert not app.boxes.ask


def test_letters_go_into_the_search_of_the_key_help_and_run_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(app.controls, "_do", lambda name: (done.append(name), app.deeds.do(name)))
    press(app, F1)
    type_(app, "lock")  # before the next frame
    frames(app)
    type_(app, "bxz")
    frames(app, 30)  # ImGui takes a key a frame
    assert app.boxes.key_help.text == "lockbxz"
    assert done == ["help"]
    press(app, F1)
    frames(app)
    assert not app.boxes.key_help.is_open


@pytest.mark.parametrize("name", ["palette", "teleport", "key_help", "dumps", "card"])
def test_escape_closes_the_box_and_asks_nothing(app: App, name: str) -> None:
    open_box(app, name)
    frames(app)
    press(app, ESCAPE)
    frames(app)
    assert not getattr(app.boxes, name).is_open
    assert not app.boxes.leave.is_open
    press(app, ESCAPE)
    assert app.boxes.leave.is_open


@pytest.mark.parametrize("closes", [ESCAPE, ENTER])
def test_a_key_right_after_a_box_is_closed_is_the_walks(
    app: App, monkeypatch: pytest.MonkeyPatch, closes: int
) -> None:
    done: list[str] = []
    monkeypatch.setattr(app.deeds, "entries", lambda _: [Entry("something", "", lambda: None)])
    press(app, ord("p"), ctrl=True)
    frames(app, 8)
    assert app.overlay.wants_keyboard
    press(app, closes)
    if closes == ENTER:
        frames(app, 1)  # in which the palette does it
    assert not app.boxes.palette.is_open
    monkeypatch.setattr(app.controls, "_do", done.append)
    press(app, ord("u"))
    frames(app, 1)
    press(app, ord("v"))
    frames(app, 1)
    press(app, ord("k"))
    assert done == ["lock", "person", "day"]


@pytest.mark.parametrize("name", ["palette", "teleport", "key_help"])
def test_a_box_that_takes_the_keyboard_lets_no_alt_click_pick_behind_it(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    done: list[str] = []
    open_box(app, name)
    frames(app, 8)
    monkeypatch.setattr(app.controls, "_do", done.append)
    window: Any = app.window
    monkeypatch.setattr(window, "modifiers", SimpleNamespace(shift=False, ctrl=False, alt=True))
    left, top, _, height = app.walk.picture
    at = left + 3, top + height // 2
    window.mouse_position_event_func(*at, 0, 0)
    frames(app)
    monkeypatch.setattr(type(app.overlay), "wants_mouse", False)  # beside the box
    window.mouse_press_event_func(*at, 1)
    window.mouse_release_event_func(*at, 1)
    assert done == []


def test_escape_closes_the_box_on_top_alone(app: App) -> None:
    open_box(app, "key_help")
    open_box(app, "palette")
    frames(app)
    press(app, ESCAPE)
    frames(app)
    assert (app.boxes.palette.is_open, app.boxes.key_help.is_open) == (False, True)


def test_escape_with_a_menu_open_closes_the_menu_alone(app: App) -> None:
    open_menu(app)
    press(app, ESCAPE)
    frames(app)
    assert not app.overlay.has_menu
    assert not app.boxes.leave.is_open


@pytest.mark.parametrize("caught", [False, True])
@pytest.mark.parametrize("keys", [((ord("p"), True), (ESCAPE, False)), ((F1, False), (F1, False))])
def test_the_mouse_is_after_a_box_as_it_was_before(
    app: App, keys: tuple[tuple[int, bool], ...], *, caught: bool
) -> None:
    app.controls.catch_mouse(caught=caught)
    for symbol, ctrl in keys:
        press(app, symbol, ctrl=ctrl)
        frames(app)
    assert not app.boxes.has_mouse
    assert app.controls.mouse_caught is caught


@pytest.mark.parametrize("caught", [False, True])
def test_going_somewhere_by_the_palette_leaves_the_mouse_as_it_was(app: App, *, caught: bool) -> None:
    app.controls.catch_mouse(caught=caught)
    press(app, ord("p"), ctrl=True)
    press(app, ord("0"), "0xA9B40031 [155.4 21.0 94.0] 0 0 0 -1")
    press(app, ENTER)
    frames(app, 8)
    assert app.walk.location().startswith("0xA9B40031 [155.39")
    assert app.controls.mouse_caught is caught


def test_an_action_of_the_palette_finds_the_mouse_as_it_was(app: App) -> None:
    app.controls.catch_mouse(caught=True)
    press(app, ord("p"), ctrl=True)
    frames(app)
    next(e for e in app.deeds.entries("") if e.key == "Tab").run()
    assert not app.controls.mouse_caught


@pytest.mark.parametrize("waits", [0, 1, 3])
def test_enter_right_after_a_paste_goes_where_the_paste_says(app: App, *, waits: int) -> None:
    app.clipboard.put("0xA9B40031 [155.4 23.0 94.0] 0 0 0 -1")
    press(app, ord("p"), ctrl=True)
    frames(app, waits)
    press(app, ord("v"), ctrl=True)
    press(app, ENTER)
    frames(app, 8)
    assert app.walk.location().startswith("0xA9B40031 [155.39"), app.message.shown
    assert "23.0" in app.walk.location()


def test_the_banner_tells_how_far_back_one_is_in_seconds_and_ticks(app: App) -> None:
    for _ in range(50):
        app.walk.advance(1 / 30, MovementInput())
    app.walk.travel.show(app.walk.history.last - 44)
    assert app.words.banner().startswith("1.47 s (44 ticks) BACK   P goes on from here")
    app.walk.travel.show(app.walk.history.last - 1)
    assert app.words.banner().startswith("0.03 s (1 tick) BACK")
    app.walk.toggle_pause()


def test_caption_and_menu_bar_say_what_the_mouse_does_and_which_key_changes_it(app: App) -> None:
    app.controls.catch_mouse(caught=True)
    assert app.words.hint().startswith("mouse looks around (Tab frees it)    F1")
    assert app.words.state()[0].endswith("mouse looks around (Tab frees it)")
    app.controls.toggle_mouse()
    assert app.words.hint().startswith("mouse is free (Tab looks around)    F1")
    assert "mouse" not in "".join(app.words.state())


def test_in_flight_the_caption_tells_the_way_back_to_the_body(app: App) -> None:
    assert "back to the body" not in app.words.hint()
    app.walk.toggle_flight()
    assert app.words.hint().endswith("F\N{NO-BREAK SPACE}back to the body")
    app.walk.toggle_flight()


def test_the_words_in_the_picture_have_the_scale_of_the_panels(app: App) -> None:
    assert app.walk.text_scale == app._ui_scale()
    before = app.walk.settings["ui_scale"]
    app.walk.set_setting("ui_scale", 1.5)
    frames(app)
    assert app.walk.text_scale == 1.5
    app.walk.settings.set("ui_scale", before)
    app.walk.text_scale = app._ui_scale()
    app.overlay.rescale(app._ui_scale())


@pytest.mark.parametrize("button", [1, 2, 3])
def test_a_button_that_catches_the_mouse_is_up_for_the_panels_when_it_is_free_again(
    app: App, button: int
) -> None:
    window: Any = app.window
    left, top, width, height = app.walk.picture
    at = (int(left + width / 2), int(top + height / 2))
    window.mouse_position_event_func(*at, 0, 0)
    frames(app)
    window.mouse_press_event_func(*at, button)
    frames(app)
    assert app.controls.mouse_caught
    window.mouse_release_event_func(*at, button)
    app.controls.toggle_mouse()
    frames(app)
    assert not any(imgui.is_mouse_down(number) for number in range(3))
    x, y = app.walk.widgets["menu Look"]
    window.mouse_position_event_func(x, y, 0, 0)
    frames(app)
    assert app.overlay.wants_mouse  # it hovers


def test_a_button_held_over_a_panel_is_up_when_the_mouse_is_caught(app: App) -> None:
    """The pointer leaves to nowhere: what was being dragged must not follow it."""
    window: Any = app.window
    x, y = app.walk.widgets["menu Look"]
    window.mouse_position_event_func(x, y, 0, 0)
    frames(app)
    window.mouse_press_event_func(x, y, 2)
    frames(app)
    assert imgui.is_mouse_down(1)
    app.controls.catch_mouse(caught=True)
    frames(app)
    assert not imgui.is_mouse_down(1)
    window.mouse_release_event_func(x, y, 2)
