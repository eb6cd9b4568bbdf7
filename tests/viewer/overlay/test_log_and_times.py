"""The log hears all that goes to stderr; the frame graph keeps the last seconds by part."""

from __future__ import annotations

import sys

import pytest

from viewer.report.frame_times import FRAMES, FrameTimes
from viewer.report.log_lines import MOST, Log
from viewer.terminal import heard, say


def test_what_goes_to_stderr_is_in_the_log_too_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    with heard(log.hear):
        say("a surface is missing")
        sys.stderr.write("half a ")
        sys.stderr.write("line\nand the rest")
    assert capsys.readouterr().err == "holtwalk: a surface is missing\nhalf a line\nand the rest"
    assert [line.text for line in log.report().lines] == ["a surface is missing", "half a line"]
    assert all(line.is_error for line in log.report().lines)


def test_the_log_is_bounded_and_shows_the_lines_that_hold_what_is_wanted() -> None:
    log = Log()
    for number in range(MOST + 5):
        log.add(f"door {number}")
    assert len(log.report().lines) == MOST
    assert log.report().lines[0].text == "door 5"
    log.want("DOOR 17 ")
    assert {line.text for line in log.report().shown} >= {"door 17", "door 170"}
    assert all("17" in line.text for line in log.report().shown)
    assert log.report().to_json()["lines"][-1] == f"door {MOST + 4}"


def test_the_times_of_the_last_frames_are_kept_by_part() -> None:
    times = FrameTimes()
    assert times.report().fps == 0.0
    for _ in range(10):
        times.note(0.02, {"draw": 12.0})
    times.note(0.02, {"draw": 8.0, "ticks": 1.5})
    report = times.report()
    assert report.fps == pytest.approx(50.0)
    assert len(report.whole) == 11
    assert list(report.parts["draw"][-2:]) == [12.0, 8.0]
    assert list(report.parts["ticks"][-2:]) == [0.0, 1.5]
    for _ in range(2 * FRAMES):
        times.note(0.01, {"draw": 1.0})
    assert len(times.report().whole) == FRAMES
    assert times.report().fps == pytest.approx(100.0)
