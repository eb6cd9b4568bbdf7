"""What the palette offers for what is typed, and that nothing but what is chosen is done."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest

from tests.viewer.window.bare_window import bare_app
from viewer.overlay.command_palette import found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from viewer.window.app import App

pytestmark = pytest.mark.gl
THERE = "0xA9B40031 [155.4 21.0 94.0] 0 0 0 -1"


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    with bare_app(tmp_path_factory.mktemp("config"), monkeypatch) as made:
        made._frame(1 / 60)
        yield made


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
    assert any(entry.startswith("Go: my cellar, ") for entry in offered(app, "cellar"))
    assert offered(app, "bookmark my cellar")[0] == "Bookmark this place: my cellar"


def test_start_goes_to_where_the_walk_began(app: App) -> None:
    began = app.walk.location()
    assert app.deeds.go(THERE) == ""
    assert offered(app, "start")[0].startswith("Start: go to where it began")
    choose(app, "start")
    assert app.walk.location() == began


def test_door_lists_the_doors_with_their_distance_and_side_and_the_first_is_looked_at(app: App) -> None:
    rows = offered(app, "door")
    doors = app.walk.report().doors
    assert len(doors) > 1
    told = [row for row in rows if row.startswith("Door 0x")]
    assert rows[: len(told)] == told
    assert len(told) == 3 * len(doors)
    for door in doors:
        mine = [row for row in told if str(door.entity) in row]
        assert [row.rpartition(": ")[2] for row in mine] == ["look at it", "go to it", "use it"]
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
