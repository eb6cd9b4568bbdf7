"""Where does another client differ? A capture plays in the window, as it is and as it grows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from engine.replay.recorder import CaptureRecorder
from tests.replay.history.door_walks import AHEAD, DOOR_ID, walking
from tests.viewer.window.driven.windows import Report, Window, keep_for_docs, saved_picture
from tests.viewer.window.driven.xvfb import xvfb

if TYPE_CHECKING:
    from tests.viewer.window.driven.xvfb import Display

WRONG = range(100, 104)


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """A capture of a walk through a door, with four records in which the client went elsewhere."""
    sim, _, _ = walking()
    with CaptureRecorder(sim, tmp_path / "made.jsonl"):
        for tick in range(150):
            if tick == 40:
                sim.use(DOOR_ID)
            sim.input_tick(AHEAD)
    records: list[Any] = [json.loads(line) for line in (tmp_path / "made.jsonl").read_text().splitlines()]
    for number in WRONG:
        records[number]["result"]["position"]["x"] += 0.5
    return [json.dumps(record) + "\n" for record in records]


def shows(window: Window, what: str, **timeline: int) -> Report:
    return window.wait_for(what, lambda report: timeline.items() <= report["timeline"].items())


@pytest.fixture(params=["1280x720", "800x600"])
def display(request: pytest.FixtureRequest) -> Iterator[tuple[Display, str]]:
    with xvfb("1320x800x24") as made:
        yield made, request.param


@pytest.mark.window
@pytest.mark.slow
def test_Q8_where_does_another_client_differ(
    display: tuple[Display, str], tmp_path: Path, lines: list[str]
) -> None:
    screen, size = display
    capture = tmp_path / "capture.jsonl"
    capture.write_text("".join(lines[:50]))
    words = ("replay", str(capture), "--window", "--demo", "--follow", "--size", size)
    with Window(screen, tmp_path, words=words) as played:
        shows(played, "what was written", last=49, shown=49)
        with capture.open("a") as file:
            file.write("".join(lines[50:]))
        report = shows(played, "what came since", last=149, shown=149)
        marks = [mark for mark in report["timeline"]["marks"] if mark[0] == "differs"]
        assert marks == [["differs", WRONG[0], WRONG[-1]]]
        screen.press("ctrl+j")
        there = shows(played, "the first difference", shown=WRONG[0])
        assert "500.0 mm off" in there["recorded"]
        keep_for_docs(played, "question-differs")
        apart = saved_picture(played)
        screen.press("y")
        before = shows(played, "the tick before", shown=WRONG[0] - 1)
        assert "as recorded" in before["recorded"]
        changed = np.abs(apart - saved_picture(played)).max(axis=-1) > 60  # the recorded body beside ours
        assert np.count_nonzero(changed) > 1000
