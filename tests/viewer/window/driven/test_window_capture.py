"""Where does another client differ? A capture plays in the window, as it is and as it grows."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.replay.recorder import CaptureRecorder
from tests.places import ROOT
from tests.replay.door_walks import AHEAD, DOOR_ID, walking
from tests.viewer.window.driven.windows import LIMIT
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


class Played:
    """A running `holtwalk replay --window`, and its reports."""

    def __init__(self, display: Display, folder: Path, capture: Path, *words: str) -> None:
        self.reports = folder / "reports.jsonl"
        environment = {**display.environment, "XDG_CONFIG_HOME": str(folder / "config")}
        command = ["replay", str(capture), "--window", "--demo", "--report", str(self.reports), *words]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "viewer", *command], cwd=ROOT, env=environment,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def last(self) -> dict[str, Any]:
        text = self.reports.read_text() if self.reports.exists() else ""
        whole = text.split("\n")[:-1]
        return json.loads(whole[-1]) if whole else {"timeline": {"last": -2, "shown": -2, "marks": []}}

    def until(self, what: str, timeline: dict[str, int]) -> dict[str, Any]:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            assert self.process.poll() is None, self.process.communicate()[1]
            report = self.last()
            if timeline.items() <= report["timeline"].items():
                return report
            time.sleep(0.2)
        raise AssertionError(f"not seen: {what}; last {self.last()['timeline']}")


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
    played = Played(screen, tmp_path, capture, "--follow", "--size", size)
    try:
        played.until("what was written", {"last": 49, "shown": 49})
        with capture.open("a") as file:
            file.write("".join(lines[50:]))
        report = played.until("what came since", {"last": 149, "shown": 149})
        marks = [mark for mark in report["timeline"]["marks"] if mark[0] == "differs"]
        assert marks == [["differs", WRONG[0], WRONG[-1]]]
        screen.press("ctrl+j")
        there = played.until("the first difference", {"shown": WRONG[0]})
        assert "500.0 mm off" in there["recorded"]
        screen.press("y")
        before = played.until("the tick before", {"shown": WRONG[0] - 1})
        assert "as recorded" in before["recorded"]
    finally:
        played.process.kill()
        played.process.communicate()
