"""Work that takes long is announced: its line is drawn before, and time stands still until it is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.viewer.window.bare_window import bare_app
from viewer.window.announced import Announced
from viewer.window.app import App
from viewer.window.sharing import bug_report
from viewer.window.sharing.bug_folder import read_bug
from viewer.window.walking.pace import Pace

FRAME = 1 / 20  # more than a tick


def test_work_begins_after_a_whole_frame_that_has_shown_its_line() -> None:
    done: list[str] = []
    pace = Pace()
    announced = Announced(done.append, pace)
    announced.begin("writing", lambda: done.append("written"))  # by a key, before or within a frame
    announced.begin("something else", lambda: done.append("else"))
    announced.begin_frame()
    assert (done, pace.held, pace.share) == (["writing"], True, 1.0)
    announced.begin_frame()
    assert (done, pace.held) == (["writing", "written"], False)
    announced.begin_frame()
    assert len(done) == 2


def test_time_goes_on_where_the_work_fails() -> None:
    pace = Pace()
    announced = Announced(lambda _: None, pace)
    announced.begin("writing", lambda: 1 // 0)
    announced.begin_frame()
    with pytest.raises(ZeroDivisionError):
        announced.begin_frame()
    assert not pace.held


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path)
    with bare_app(tmp_path / "config", monkeypatch) as made:
        yield made


@pytest.mark.gl
def test_a_bug_folder_is_written_once_the_window_says_so_and_holds_the_end_of_the_tick_it_shows(
    app: App, tmp_path: Path
) -> None:
    for _ in range(3):
        app._frame(FRAME)
    walk = app.walk
    tick, clouds = walk.simulation.tick, walk.clock.clouds
    assert walk.pace.share < 1.0
    app.deeds.do("bug")
    app._frame(FRAME)
    assert app.message.shown.startswith("writing a bug folder")
    assert not list(tmp_path.glob("*/bug.json"))
    assert (walk.pace.share, walk.simulation.tick, walk.clock.clouds) == (1.0, tick, clouds)
    app._frame(FRAME)
    (folder,) = [path.parent for path in tmp_path.glob("*/bug.json")]
    assert app.message.shown.startswith(f"saved {folder}")
    facts = read_bug(folder).facts
    assert (facts.tick, facts.clouds) == (tick, clouds)
    assert f"--effects {(tick + 1) / 30!r} " in facts.command
    app._frame(FRAME)
    assert walk.simulation.tick > tick
