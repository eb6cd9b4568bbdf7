"""Commands with much to do: progress, an interrupt, and what a single piece can't end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.needed import posix
from tests.places import ROOT
from tests.viewer.commands.groundwork.long_commands import lines, run
from viewer.main import main
from viewer.report.progress import Progress, duration

CASES = ROOT.parent / "shared" / "cases"


@pytest.mark.shared
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("kept", [True, False])
def test_progress_within_a_single_capture_or_case(
    *,
    jobs: str,
    kept: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("viewer.report.progress.IN_LINES", 0.0)
    monkeypatch.setattr("engine.replay.jobs.process_pool.TELL_EVERY", 0.0)
    examples = CASES.parent / "examples"
    capture = str(examples / "doorway-threshold-capture.jsonl")
    words = ["replay", capture, "--dumps", str(examples / "cottage"), "--jobs", jobs, "--progress"]
    main([*words, *(("--state", str(tmp_path / "state")) if kept else ())])
    told = capsys.readouterr().err
    assert told.startswith("holtwalk: replay: 0.0%\n")
    assert len(set(told.splitlines())) > 5, told


@pytest.mark.shared
def test_progress_within_a_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.report.progress.IN_LINES", 0.0)
    case = next(path for path in sorted(CASES.iterdir()) if (path / "sim.json").exists())
    (tmp_path / case.name).symlink_to(case)
    main(["sim", "--cases", str(tmp_path), "--jobs", "1", "--progress"])
    assert len(set(capsys.readouterr().err.splitlines())) > 5


def test_progress_is_said_where_it_is_asked_for_from_the_first_moment(
    damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["audit", "--dats", damaged, "--json", "--progress", "--jobs", "1"])
    out, err = capsys.readouterr()
    assert json.loads(out)["ok"] is False
    assert err.splitlines()[0] == "holtwalk: audit: 0.0%"


def test_progress_tells_the_time_that_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    progress = Progress("audit", asked=True, clock=lambda: now[0])
    progress.total = 50.0
    progress(0.0, "")
    now[0] = 101.0  # processes have begun
    progress(0.001, "a")
    now[0] = 101.1
    progress(0.5, "a")  # too short to go by
    now[0] = 101.5
    progress(0.1, "a")  # too little
    progress(1.001, "b")
    now[0] = 103.4
    progress(5.0, "c")  # the next line comes two seconds after the last one
    now[0] = 111.0
    progress(25.001, "d")
    assert capsys.readouterr().err.splitlines() == [
        "holtwalk: audit: 0.0%",
        "holtwalk: audit: 2.0%, 24 s left, at b",
        "holtwalk: audit: 50.0%, 10 s left, at d",
    ]


def test_what_an_earlier_run_did_took_this_one_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    progress = Progress("audit", asked=True, clock=lambda: now[0])
    progress.total = 50.0
    now[0] = 100.5
    progress(20.0, "a")
    now[0] = 101.0
    progress(20.001, "b")
    now[0] = 101.5
    progress(21.001, "b")
    assert capsys.readouterr().err.splitlines() == [
        "holtwalk: audit: 0.0%",
        "holtwalk: audit: 42.0%, 14 s left, at b",
    ]


def test_a_time_is_said_as_one_says_it() -> None:
    assert [duration(s) for s in (4.2, 99.0, 100.0, 3600.0, 12_000.0)] == [
        "4 s", "99 s", "2 min", "60 min", "3 h 20 min",
    ]  # fmt: skip


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[2]) == group:
            found.append(int(folder.name))
    return found


@posix("signals")
@pytest.mark.parametrize("after", [0.0, 0.1, 0.4, 1.0])
def test_an_interrupt_ends_an_audit_and_its_processes_without_a_word(damaged: str, after: float) -> None:
    command = [sys.executable, "-m", "viewer", "audit", "--dats", damaged, "--jobs", "2"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        while len(members(program.pid)) < 3 and program.poll() is None:  # itself, a tracker and a helper
            time.sleep(0.01)
        time.sleep(after)
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGINT)
        err = program.communicate(timeout=30)[1]
    assert program.returncode in (130, -signal.SIGINT, 1)
    assert "Traceback" not in err and "Error" not in err, err
    end = time.monotonic() + 10.0
    while members(program.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert members(program.pid) == []


@pytest.mark.shared
@posix("links that lead to themselves")
def test_a_case_whose_file_leads_nowhere_does_not_end_those_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        shutil.copytree(ROOT / "tests" / "captures" / "threshold", tmp_path / name)
    for broken in ("expected.jsonl", "sim.json"):
        (tmp_path / "a" / broken).unlink()
        (tmp_path / "a" / broken).symlink_to(broken)
        results = lines(run(capsys, "sim", "--cases", str(tmp_path), "--jsonl", "--jobs", "1", code=1))[:-1]
        assert [result["name"] for result in results] == ["a", "b"]
        assert not results[0]["ok"]
        assert "levels of symbolic links" in results[0]["detail"]
