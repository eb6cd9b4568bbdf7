"""What the palette offers for what is typed, and that nothing but what is chosen is done."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest

from tests.places import ROOT
from tests.viewer.window.bare_window import bare_app
from viewer.overlay.command_palette import found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from viewer.window.app import App

pytestmark = pytest.mark.gl
DOOR_DEEDS = (
    "look at it", "go to it", "use it", "probe its whole doorway", "make it ethereal", "lock it",
)  # fmt: skip
THERE = "0xA9B40031 [155.4 21.0 94.0] 0 0 0 -1"


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    with bare_app(tmp_path_factory.mktemp("config"), monkeypatch) as made:
        made._frame(1 / 60)
        yield made


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One for all that choose nothing."""
    monkeypatch = pytest.MonkeyPatch()
    with bare_app(tmp_path_factory.mktemp("config"), monkeypatch) as made:
        made._frame(1 / 60)
        yield made
    monkeypatch.undo()


def offered(app: App, text: str) -> list[str]:
    return [entry.text for entry in found(app.deeds.entries(text), text)]


def choose(app: App, text: str, *, row: int = 0) -> None:
    found(app.deeds.entries(text), text)[row].run()


def test_a_place_is_kept_under_a_name_only_where_the_word_bookmark_comes_first(app: App) -> None:
    for text in ("zzzz", "portals on", "cellar", "0xA9B40031 [155.0", "0xA9B40031 [155.0 19 94", "42.1"):
        assert not any("ookmark" in entry for entry in offered(app, text)), text
    choose(app, "bookmark")
    assert app.deeds.bookmarks.places == {}
    assert app.message.shown == "write bookmark and then a name"
    assert offered(app, "bookmark my cellar") == ["Bookmark this place: my cellar"]
    choose(app, "bookmark my cellar")
    assert app.deeds.bookmarks.places == {"my cellar": app.walk.location()}
    assert {row.partition(",")[0] for row in offered(app, "bookmarks")} >= {
        "Bookmark this place: write bookmark and then a name", "Go: my cellar", "Forget bookmark: my cellar",
    }  # fmt: skip
    assert any(entry.startswith("Go: my cellar, ") for entry in offered(app, "cellar"))
    assert offered(app, "bookmark my cellar")[0] == "Bookmark this place: my cellar"


def test_a_menu_has_the_bookmarks_and_begins_one_whose_name_is_typed_behind_the_word(app: App) -> None:
    began = app.walk.location()
    first, start = app.deeds.bookmark_entries()
    assert start.text == f"where it began, {began}"
    first.run()
    for _ in range(4):
        app._frame(1 / 60)
    for letter in "cellar":
        app.overlay.text(letter)
        app._frame(1 / 60)
    assert app.boxes.palette.text == "bookmark cellar"
    app.boxes.close_top()
    app._frame(1 / 60)
    choose(app, "bookmark cellar")
    assert app.deeds.go(THERE) == ""
    assert [entry.text for entry in app.deeds.bookmark_entries()[2:]] == [f"cellar, {began}"]
    app.deeds.bookmark_entries()[2].run()
    assert app.walk.location() == began


def test_start_goes_to_where_the_walk_began(app: App) -> None:
    began = app.walk.location()
    assert app.deeds.go(THERE) == ""
    assert offered(app, "start")[0].startswith("Start: go to where it began")
    choose(app, "start")
    assert app.walk.location() == began


def test_door_lists_the_doors_with_their_distance_and_side_and_the_first_is_looked_at(still: App) -> None:
    rows = offered(still, "door")
    doors = still.walk.report().doors
    assert len(doors) > 1
    told = [row for row in rows if row.startswith("Door 0x")]
    assert rows[: len(told)] == told
    assert len(told) == len(DOOR_DEEDS) * len(doors)
    for door in doors:
        mine = [row for row in told if str(door.entity) in row]
        assert [row.rpartition(": ")[2] for row in mine] == list(DOOR_DEEDS)
        assert all(f", {door.where}, " in row for row in mine)
    assert all(re.search(r", [0-9.]+ m (ahead|right|behind|left), ", row) for row in told)


def test_a_door_is_looked_at_gone_to_and_used_from_the_palette(app: App) -> None:
    for door in app.walk.report().doors:
        for words in ("look at it", "go to it"):
            choose(app, f"{door.entity} {words}")
            assert app.message.shown == ""
            app.walk.advance(1 / 30, app.controls.movement())
            now = next(d for d in app.walk.report().doors if d.entity == door.entity)
            assert abs(now.bearing) < 2.0, words
        assert now.distance < 3.0
        assert math.isfinite(now.distance)
    door = app.walk.report().doors[0]
    choose(app, f"{door.entity} use it")
    assert app.message.shown.startswith(f"used {door.entity}")


ANSWERS = {
    "What blocked me": "Panel: Collision",
    "Why am I in this cell": "Panel: Membership",
    "Why can't I see that cell": "Panel: Why",
    "What is this": "Answer: what is this",
    "Does this door block across its whole doorway": "World: does this door block",
    "When did it happen": "Panel: Timeline",
    "How do I hand this to somebody": "Window: write a bug folder",
    "Where does another client differ": "Time: to where a recorded client differs",
    "What is wrong with this world": "Answer: what is wrong with this world",
}


def test_each_question_leads_to_its_answer_in_its_own_words(still: App) -> None:
    page = (ROOT / "docs/questions.md").read_text("utf-8")
    asked = [line.removeprefix("## ").rstrip("?") for line in page.splitlines() if line.startswith("## ")]
    assert asked == list(ANSWERS)
    for question, answer in ANSWERS.items():
        for typed in (question, f"{question.lower()}?"):
            assert offered(still, typed)[0].startswith(answer), typed


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("blocked", "Time: back to where something blocked"),
        ("coll", "Panel: Collision"),
        ("doorway", "World: does this door block"),
        ("why am i in this cell", "Panel: Membership"),
        ("why can't i see", "Panel: Why"),
        ("hand this to somebody", "Window: write a bug folder"),
        ("bug", "Window: write a bug folder"),
        ("probe", "World: does this door block"),
        ("audit", "Panel: Audit"),
        ("field of view", "Setting: vertical field of view"),
    ],
)
def test_the_words_of_a_user_find_what_is_meant_first(still: App, typed: str, first: str) -> None:
    assert offered(still, typed)[0].startswith(first)


def test_a_doors_tick_boxes_are_found_and_done(app: App) -> None:
    door = app.walk.report().doors[0]
    assert all(row.startswith("Door 0x") for row in offered(app, "ethereal")[:1])
    choose(app, f"{door.entity} ethereal")
    choose(app, f"{door.entity} lock it")
    now = next(d for d in app.walk.report().doors if d.entity == door.entity)
    assert now.ethereal and now.is_locked
    choose(app, f"{door.entity} not ethereal")
    choose(app, f"{door.entity} unlock")
    now = next(d for d in app.walk.report().doors if d.entity == door.entity)
    assert not (now.ethereal or now.is_locked)


def test_everything_in_the_table_is_done_by_its_name_whether_it_has_a_key_or_not(still: App) -> None:
    from viewer.tables.keys import ACTIONS

    held = {action.name for action in ACTIONS if action.held}
    assert {action.name for action in ACTIONS} - held <= set(still.deeds._by_name)


def test_the_door_that_is_ahead_is_probed_and_what_can_t_be_gone_to_is_said(app: App) -> None:
    choose(app, "does this door block across its whole doorway")
    app._frame(1 / 60)
    assert app.walk.questions.report().probe is not None
    choose(app, "blocked")
    assert app.message.shown == "nothing stood in the way before this tick"
    choose(app, "another client differ")
    assert app.message.shown.startswith("no capture is played")


def test_a_setting_is_switched_from_the_palette(app: App) -> None:
    before = app.walk.settings["weather"]
    choose(app, "rain on rainy days")
    assert app.walk.settings["weather"] is not before


def test_a_panel_that_is_chosen_is_seen_though_all_were_hidden(app: App) -> None:
    app.deeds.do("panels")
    app._frame(1 / 60)
    assert not app.panels_shown
    choose(app, "why can't i see")
    for _ in range(6):
        app._frame(1 / 60)
    assert app.panels_shown
    assert "why box" in app.walk.widgets
    app.deeds.do("panels")
    app._frame(1 / 60)
    assert not app.panels_shown
