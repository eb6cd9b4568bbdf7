"""A capture that is played without a window: what is wrong with it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.replay.follow import CaptureTail
from engine.replay.history.marks import DIFFERS
from tests.places import ROOT
from viewer.window.sharing.movie import Movie
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


def test_ticks_of_ones_own_are_no_records_and_what_comes_then_goes_on_after_them(
    walk: Walk, tmp_path: Path
) -> None:
    lines = (
        (ROOT / "tests" / "captures" / "threshold" / "capture.jsonl").read_text().splitlines(keepends=True)
    )
    path = tmp_path / "capture.jsonl"
    path.write_text("".join(lines[:4]))
    player = CapturePlayer(walk, CaptureTail(str(path)))
    walk.play_capture(player)
    player.pump()
    end = walk.history.last
    walk.toggle_pause()
    walk.advance(2.5 * TICK, MovementInput(forward=1))
    told = walk.report()
    assert told.recorded == f"tick {end + 2}: no record of capture.jsonl   (0 of 4 differ)"
    assert (told.recorded_as, player.shapes(walk.simulation.position.cell_id)) == ({}, [])
    walk.travel.show(end)
    assert (walk.report().recorded_as["line"], walk.notice) == (4, "")
    walk.travel.show(end + 2)
    walk.toggle_pause()
    walk.toggle_pause()
    with path.open("a") as file:
        file.writelines(lines[4:6])
    assert player.pump() == 2
    assert walk.notice == "your own ticks end here: capture.jsonl goes on, at line 5"
    assert walk.report().recorded_as["line"] == 6
    walk.travel.show(-1)
    assert walk.report().recorded.startswith("the start: no record of capture.jsonl")


def test_what_comes_waits_until_a_film_is_done(walk: Walk, tmp_path: Path) -> None:
    recorded = ROOT / "tests" / "captures" / "threshold" / "capture.jsonl"
    player = CapturePlayer(walk, CaptureTail(str(recorded)))
    walk.play_capture(player)
    player.pump()
    last, said = walk.history.last, list[str]()
    movie = Movie(walk.travel, said.append)
    movie.begin(tmp_path)
    while not said or said[-1].endswith("to go"):
        assert player.pump() == 0
        movie.take(lambda: Image.new("RGB", (20, 20)))
    assert said[-1].startswith("saved ")
    assert (walk.history.shown, player.pump() > 0) == (last, True)


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
