"""The command palette and the key help: found by words, done by Enter or a click, at any window size."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.viewer.overlay.panels import Panels, report
from tests.viewer.window.driven.windows import Report, Window, north
from viewer.overlay.command_palette import Entry, KeyHelp, Palette, found, matching
from viewer.report.wanted_words import LONGEST, wanted_words
from viewer.tables.key_names import Key
from viewer.tables.keys import ACTIONS, default_keys, key_rows


def entries(done: list[str]) -> list[Entry]:
    texts = ("Draw: portals", "Time: pause", "Panel: View")
    return [Entry(text, "", lambda text=text: done.append(text)) for text in texts]  # type: ignore[misc]


def test_all_words_of_what_is_typed_must_stand_in_an_entry() -> None:
    some = entries([])
    assert [e.text for e in found(some, "")] == [e.text for e in some]
    assert [e.text for e in found(some, "port DRAW")] == ["Draw: portals"]
    assert [e.text for e in found(some, "pa")] == ["Panel: View", "Time: pause"]
    assert found(some, "banana") == []


@pytest.mark.parametrize("typed", ["a " * 99_000, "port draw " * 30, " ".join(map(str, range(60_000)))])
def test_a_page_that_was_pasted_is_looked_for_once(typed: str) -> None:
    """Thousands of bookmarks, each asked for thousands of words, took minutes."""
    assert len(wanted_words(typed)) <= 2
    assert len(wanted_words(typed[:LONGEST])) <= LONGEST / 2
    assert [e.text for e in found(entries([]), typed)] == (["Draw: portals"] if "draw" in typed else [])


def made(text: str, title: str = "", also: str = "", *, mode: bool = False) -> Entry:
    return Entry(text=text, key="", run=print, title=title, also=also, mode=mode)


def test_titles_come_before_descriptions_and_modes_after_what_is_found_as_well() -> None:
    some = [
        made("Draw: collides: what blocks", "Draw: collides", mode=True),
        made("Draw: shadows: what collides", "Draw: shadows", mode=True),
        made("Look: walls that recollect", "Look: walls that recollect"),
        made("Log: where a collision was", "Log", "blocked"),
        made("Panel: Collision: what blocked me?", "Panel: Collision"),
    ]
    assert [e.text.split(":")[1] for e in found(some, "coll")] == [
        " Collision", " collides", " where a collision was", " shadows", " walls that recollect",
    ]  # fmt: skip
    assert [e.text for e in found(some, "blocked")] == [some[4].text, some[3].text]
    assert [e.mode for e in found(some, "")] == [False, False, False, True, True]


@pytest.mark.parametrize(
    "typed", ["why can't I", "WHY CANT I?", "why can\N{RIGHT SINGLE QUOTATION MARK}t i!"]
)
def test_a_question_is_found_however_its_marks_are_typed(typed: str) -> None:
    some = [made("Panel: Why: why can't I see that cell?")]
    assert found(some, typed) == some


@pytest.mark.gl
@pytest.mark.parametrize("size", [(1000, 760), (320, 200), (40, 30)])
def test_enter_does_what_is_chosen_and_escape_nothing(panels: Panels, size: tuple[int, int]) -> None:
    done: list[str] = []
    palette = Palette()

    def frames() -> None:
        for _ in range(3):
            panels.host.draw(size, 1 / 60, lambda: palette.draw(size, lambda text: entries(done)))

    def press(name: str) -> None:
        for down in (True, False):
            panels.host.key(Key(name), down=down)
            frames()

    panels.target.use()
    panels.host.key(Key("ESCAPE"), down=True)  # in the same frame, a slow one, as what opens it
    palette.open()
    frames()
    panels.host.key(Key("ESCAPE"), down=False)
    frames()
    assert palette.is_open
    panels.host.text("pa")
    frames()
    press("DOWN")
    press("ENTER")
    assert (done, palette.is_open) == (["Time: pause"], False)
    palette.open()
    frames()
    panels.host.text("port")
    frames()
    press("ESCAPE")
    assert (done, palette.is_open) == (["Time: pause"], False)


@pytest.mark.gl
def test_what_can_be_done_is_asked_once_a_text_and_not_every_frame(panels: Panels) -> None:
    asked: list[str] = []
    palette = Palette()

    def given(text: str) -> list[Entry]:
        asked.append(text)
        return entries([])

    def frames() -> None:
        for _ in range(4):
            panels.host.draw((400, 300), 1 / 60, lambda: palette.draw((400, 300), given))

    panels.target.use()
    palette.open()
    frames()
    assert asked == [""]
    panels.host.text("pa")
    frames()
    assert asked[-1] == "pa"
    assert len(asked) == len(set(asked))
    asked.clear()
    palette.open()
    frames()
    assert asked


@pytest.mark.gl
@pytest.mark.parametrize("typed", ["", "few", "Number 3 "])
def test_a_list_that_has_room_shows_no_bar_from_its_first_frame_on_and_all_keys_whole(
    panels: Panels, typed: str
) -> None:
    from imgui_bundle import imgui

    size = (1000, 760)
    palette = Palette()
    many = [Entry(f"Number {n} of the long list, in words", "Ctrl+Page Down", print) for n in range(150)]
    few = [Entry(f"few {n} " + "and many words " * 12, "Ctrl+Page Down", print) for n in range(4)]
    texts: list[float] = []
    panels.target.use()
    palette.open()

    def draw() -> None:
        palette.draw(size, lambda text: [*many, *few])

    for _ in range(5):
        panels.host.draw(size, 1 / 60, draw)
    panels.host.text(typed)
    disabled = imgui.text_disabled
    with pytest.MonkeyPatch.context() as patch:

        def key(text: str) -> None:
            texts.append(imgui.get_content_region_avail().x - imgui.calc_text_size(text).x)
            disabled(text)

        patch.setattr(imgui, "text_disabled", key)
        panels.host.draw(size, 1 / 60, draw)
    assert palette.text == typed
    rows = [w for w in imgui.get_current_context().windows if "What to do/" in w.name and w.active]
    assert any(w.scrollbar_y for w in rows) == (typed != "few")
    assert len(texts) >= 4
    assert min(texts) >= 0.0


def test_every_key_is_in_the_help_and_found_by_its_words() -> None:
    rows = key_rows(default_keys())
    assert len(rows) == len(ACTIONS)
    assert matching(rows, "") == rows
    assert [row[1] for row in matching(rows, "whole screen")] == ["F11"]
    assert all("door" in " ".join(row).lower() for row in matching(rows, "door"))
    headings = [group for group, _ in itertools.groupby(row[0] for row in rows)]
    assert len(headings) == len(set(headings))


@pytest.mark.gl
@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (200, 100)])
def test_the_key_help_wraps_and_stays_in_the_window(panels: Panels, size: tuple[int, int]) -> None:
    from imgui_bundle import imgui

    help_ = KeyHelp()
    help_.is_open = True
    panels.target.use()
    for _ in range(4):
        panels.host.draw(size, 1 / 60, lambda: help_.draw(size, key_rows(default_keys())))
    found_ = imgui.internal.find_window_by_name("Keys")
    assert found_.pos.x >= 0 and found_.pos.x + found_.size.x <= size[0]
    assert found_.pos.y >= 0 and found_.pos.y + found_.size.y <= size[1]
    assert found_.content_size.x <= found_.size.x  # nothing is cut off
    panels.frame(report())


def offered(report: Report) -> list[str]:
    """What the palette has for the typed words, but to keep the place under them, which it always offers."""
    rows = [name for name in report["widgets"] if name.startswith("do ")]
    return [name for name in rows if not name.startswith("do Bookmark this place")]


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("window", [("--size", "640x470")], indirect=True)
def test_the_palette_switches_modes_and_goes_to_places_that_are_typed(window: Window, tmp_path: Path) -> None:
    display = window.display
    start = window.wait_open("panel View")
    display.press("ctrl+p")
    window.wait_for("the palette", lambda r: any(name.startswith("do ") for name in r["widgets"]))
    display.xdotool("type", "all-portals")
    window.wait_for("found", lambda r: len(offered(r)) == 1)
    display.press("Return")
    window.wait_for("the mode", lambda r: r["modes"] == ["all-portals"])
    display.press("ctrl+p")
    window.wait_for("the palette", lambda r: any(name.startswith("do ") for name in r["widgets"]))
    display.xdotool("type", "0xA9B40031 [155.4 21.0 94.0] 0 0 0 1")
    window.wait_for("found", lambda r: len(offered(r)) == 1)
    display.press("Return")
    window.wait_for("there", lambda r: abs(north(r) - 21.0) < 0.05)
    assert north(start) < 20.0


def test_actions_of_one_kind_stand_together_under_one_word() -> None:
    groups = [group for group, _ in itertools.groupby(ACTIONS, key=lambda action: action.group)]
    assert len(groups) == len(set(groups))
    for kind in ("inspect", "why", "audit", "finding", "map_", "probe", "door_"):
        places = [k for k, action in enumerate(ACTIONS) if action.name.startswith(kind)]
        assert places == list(range(places[0], places[0] + len(places))), kind
        assert len({ACTIONS[k].group for k in places}) == 1, kind
    by_name = {action.name: action.group for action in ACTIONS}
    assert {by_name[n] for n in ("inspect", "why", "audit", "finding_next", "map_here", "map_up")} == {
        "Answer"
    }
