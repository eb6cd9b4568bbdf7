"""A capture that is played without a window: what is wrong with it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from engine.replay.follow import CaptureTail
from engine.replay.history.marks import DIFFERS
from tests.places import ROOT
from viewer.window.walking.capture_player import COMPLAINTS_SAID, CapturePlayer
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    import pytest


def test_what_is_wrong_with_a_capture_is_shown_and_the_first_lines_are_said(
    walk: Walk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_text("no record\n" * (COMPLAINTS_SAID + 5))
    player = CapturePlayer(walk, CaptureTail(str(path)))
    walk.play_capture(player)
    player.pump()
    assert f"{path}: line {COMPLAINTS_SAID + 5}" in walk.notice
    said = capsys.readouterr().err.splitlines()
    assert len(said) == COMPLAINTS_SAID
    assert "are shown in the window alone" in said[-1]
    path.write_text("\n")
    player.pump()
    assert "cut or replaced" in walk.notice
    path.unlink()
    player.pump()
    assert "No such file" in walk.notice


def test_a_record_is_called_by_the_windows_tick_and_its_own_numbers_stand_beside_it(
    walk: Walk, tmp_path: Path
) -> None:
    recorded = sorted((ROOT / "tests" / "captures" / "threshold").glob("*.jsonl"))[0]
    lines = recorded.read_text().splitlines()
    path = tmp_path / "capture.jsonl"
    path.write_text("\n".join(["", *lines[3:6], ""]))
    player = CapturePlayer(walk, CaptureTail(str(path)))
    walk.play_capture(player)
    player.pump()
    last = walk.history.shown
    told = walk.report()
    assert told.recorded.startswith(f"tick {last} of capture.jsonl: ")
    assert told.recorded_as == {"line": 4, "recorded tick": json.loads(lines[5])["tick"]}
    assert walk.travel.show(last - 1).startswith(f"tick {last - 1}, ")
    assert walk.report().recorded_as["line"] == 3


def test_after_the_last_difference_the_next_is_the_first_and_the_line_says_so(
    walk: Walk, tmp_path: Path
) -> None:
    lines = (ROOT / "tests" / "captures" / "threshold" / "capture.jsonl").read_text().splitlines()[:6]
    for number in (1, 4):
        record = json.loads(lines[number])
        record["result"]["ok"] = False
        lines[number] = json.dumps(record)
    path = tmp_path / "capture.jsonl"
    path.write_text("\n".join([*lines, ""]))
    player = CapturePlayer(walk, CaptureTail(str(path)))
    walk.play_capture(player)
    player.pump()
    end = walk.history.last
    assert walk.travel.to_mark(1, DIFFERS).endswith("none came after, so this is the first")
    assert walk.history.shown == end - 4
    assert "the first" not in walk.travel.to_mark(1, DIFFERS)
    assert walk.history.shown == end - 1
    walk.travel.to_mark(-1, DIFFERS)
    assert walk.travel.to_mark(-1, DIFFERS) == f"there is no mark {DIFFERS} before this tick"
    assert walk.history.shown == end - 4
