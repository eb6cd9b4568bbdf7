"""Nothing in the window raises to the user: what fails, panel, action, box, event or file, is one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.viewer.window.bare_window import BareWindow, Broken, bare_app
from viewer.overlay import panel_table as panels
from viewer.overlay.dock.layout_file import LayoutFile, SavedLayout
from viewer.overlay.still_panels import begin_panels
from viewer.tables.keys import ACTIONS
from viewer.tables.settings import SETTINGS
from viewer.window import app as app_module
from viewer.window.app import App
from viewer.window.deeds import Deeds

pytestmark = pytest.mark.gl
FRAME = 1 / 60


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    monkeypatch = pytest.MonkeyPatch()
    with bare_app(tmp_path_factory.mktemp("config"), monkeypatch) as made:
        made._frame(FRAME)
        yield made
    monkeypatch.undo()


@pytest.fixture
def said(app: App, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is shown to the user."""
    lines: list[str] = []
    monkeypatch.setattr(app.message, "say", lines.append)
    monkeypatch.setattr(app._guard, "_show", lines.append)
    monkeypatch.setattr(app.deeds._parts.message, "say", lines.append)
    return lines


def fail(*_: object, **__: object) -> Any:
    raise RuntimeError("broken\non purpose")


def half_drawn(*_: object) -> None:
    """Fails with a table, a group and colours begun."""
    imgui.begin_group()
    imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(1, 0, 0, 1))
    imgui.begin_table("half", 2)
    imgui.table_next_column()
    fail()


def test_a_slow_frame_is_told_as_slow_as_it_was(app: App) -> None:
    """The walk is let pass a quarter of a second of it at most."""
    app._frame(0.9)
    assert app.walk.questions.times.report().whole[-1] == pytest.approx(900.0)


@pytest.mark.parametrize("title", [panel.title for panel in panels.PANELS])
def test_a_panel_that_fails_half_way_is_one_line_and_all_others_are_drawn(
    app: App, said: list[str], monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    table = tuple(replace(p, draw=half_drawn) if p.title == title else p for p in panels.PANELS)
    monkeypatch.setattr(panels, "PANELS", table)
    monkeypatch.setattr(app_module, "PANELS", table)
    drawn: list[str] = []
    texts = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (drawn.append(text), texts(text)))
    app.layout.show(title)
    for _ in range(3):
        app._frame(FRAME)
    assert f"{panels.FAILED}broken on purpose" in drawn
    assert {f"panel {panel.title}" for panel in table} <= app.walk.widgets.keys()
    assert said == []


@pytest.mark.parametrize("action", [action.name for action in ACTIONS if not action.held])
def test_an_action_whose_parts_fail_is_one_line(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    parts: Any = SimpleNamespace(
        walk=Broken(), controls=Broken(), message=SimpleNamespace(say=said.append), pictures=Broken(),
        layout=Broken(), boxes=Broken(), movie=Broken(), canvas=Broken(), window=Broken(), keys=Broken(),
        clipboard=Broken(), overlay=Broken(),
    )  # fmt: skip
    Deeds(parts, fail).do(action)
    assert said == [f"{action} failed: broken on purpose"]
    assert capsys.readouterr().err == f"holtwalk: {action} failed: broken on purpose\n"


@pytest.mark.parametrize(
    ("where", "name", "what"),
    [
        ("clipboard", "serve", "the clipboard"),
        ("controls", "begin_frame", "the controls"),
        ("controls", "end_frame", "the controls"),
        ("walk", "advance", "the tick"),
        ("walk", "report", "the panels"),
        ("walk", "look_out", "the picture"),
        ("walk", "end_frame", "the report"),
        ("boxes", "draw", "a box"),
        ("movie", "take", "saving the film"),
        ("deeds.dats", "look", "the folder"),
        ("pictures", "take_picture", "saving the picture"),
        ("pictures", "take_window", "saving the picture"),
        ("layout", "begin", "the menu"),
    ],
)
def test_a_part_of_a_frame_that_fails_is_one_line_and_the_frame_ends(
    app: App, said: list[str], monkeypatch: pytest.MonkeyPatch, *, where: str, name: str, what: str
) -> None:
    thing: Any = app
    for part in where.split("."):
        thing = getattr(thing, part)
    with monkeypatch.context() as patch:
        patch.setattr(thing, name, fail, raising=True) if not hasattr(type(thing), "__slots__") else (
            patch.setattr(type(thing), name, fail)
        )
        app._frame(FRAME)
    assert f"{what} failed: broken on purpose" in said
    said.clear()
    app._frame(FRAME)
    assert said == []


@pytest.mark.parametrize("setting", [setting.name for setting in SETTINGS])
def test_a_setting_that_can_not_be_used_is_one_line(
    app: App, said: list[str], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    app.walk.settings._unsaved[setting] = app.walk.settings[setting]
    with monkeypatch.context() as patch:
        patch.setattr(app.overlay, "rescale", fail)
        app._frame(FRAME)
    assert said == ["a setting failed: broken on purpose"]


def events(window: BareWindow) -> dict[str, tuple[Callable[..., None], tuple[object, ...]]]:
    """Every handler that was given to the window library, and an event for it."""
    library = window._window.handlers
    keys = SimpleNamespace(shift=False, ctrl=False, alt=False)
    given: Any = window
    return {
        "a key": (given.key_event_func, (ord("w"), "press", keys)),
        "typing": (given.unicode_char_entered_func, ("w",)),
        "the mouse": (given.mouse_position_event_func, (10, 10, 1, 1)),
        "a drag": (given.mouse_drag_event_func, (10, 10, 1, 1)),
        "a press": (given.mouse_press_event_func, (10, 10, 1)),
        "a release": (given.mouse_release_event_func, (10, 10, 1)),
        "the wheel": (given.mouse_scroll_event_func, (0.0, 1.0)),
        "what was dropped": (given.files_dropped_event_func, (10, 10, ["/nowhere"])),
        "losing the focus": (library["on_deactivate"], ()),
        "getting the focus": (library["on_activate"], ()),
        "another size": (library["on_resize"], (800, 600)),
    }


def test_an_event_that_fails_is_one_line(app: App, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    window = app.window
    app.controls.mouse_caught = False
    for name in ("keyboard", "overlay", "walk", "_key_reader"):
        monkeypatch.setattr(app.controls, name, Broken())
    monkeypatch.setattr(app.deeds, "drop", fail)
    for name, (handler, event) in events(window).items():
        said.clear()
        app.controls.mouse_caught = name in ("another size",)
        handler(*event)
        assert len(said) == 1 and said[0].endswith("failed: broken on purpose"), (name, said)
    monkeypatch.undo()
    app.controls.mouse_caught = False


def test_an_event_that_the_library_itself_fails_at_is_one_line(app: App, said: list[str]) -> None:
    app.window._window.next_event = fail
    app.window._window.dispatch_events()
    assert said == ["an event failed: broken on purpose"]


def test_the_library_hands_its_events_to_guarded_handlers_alone() -> None:
    """Whoever gives the window library another handler gives this list one, too."""
    source = (Path(app_module.__file__).parent / "controls.py").read_text(encoding="utf-8")
    source += Path(app_module.__file__).read_text(encoding="utf-8")
    given = re.findall(r"_func = .*|\bon_\w+=around.*", source)
    assert len(given) == 11
    assert all("around(" in line for line in given)


def test_a_layout_that_only_imgui_finds_wrong_is_one_line_and_none(
    app: App, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "layout.ini"
    path.write_text("[Window][Body]\nPos=60,60\nSize=300,200\n")
    app.layout_file = LayoutFile(path)

    def asserting(saved: SavedLayout, *place: Any) -> Any:
        begin_panels(saved, *place)  # which is left behind
        if saved != SavedLayout():
            raise RuntimeError("IM_ASSERT( node->IsLeafNode() )")
        return begin_panels(saved, *place)

    monkeypatch.setattr(app_module, "begin_panels", asserting)
    overlay, layout = app._begin_panels()
    assert capsys.readouterr().err == (
        f"holtwalk: {path}: its docked panels make no sense; the panels stand where they first stood\n"
    )
    app.layout_file.keep(layout.text(overlay.layout()))
    assert path.read_text().startswith("[Window][Body]")
    overlay.close()
