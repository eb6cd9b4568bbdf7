"""However many files a world is read from, to see that they are what they were takes little of the work."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from engine.replay import cases
from tests.needed import posix
from tests.places import ROOT
from viewer.commands.groundwork import kept_results
from viewer.commands.groundwork.kept_results import MOST_REST, REST, KeptResults
from viewer.main import main

if TYPE_CHECKING:
    from engine.replay.jobs.work_state import WorkState

LOOK, PIECE, PIECES = 0.4, 0.1, 3000  # seconds of both


class Scene:
    """A clock that a look at the files and a piece of work move on, and what is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.looks, self.changed = 0.0, 0, ""
        self.kept: list[str] = []
        self.told: list[str] = []
        monkeypatch.setattr(kept_results, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(kept_results, "changed_since", self._look)
        state = SimpleNamespace(keep=lambda key, _: self.kept.append(key))
        self.results = KeptResults(cast("WorkState", state), Namespace(), self.told.append)

    def _look(self, _: Any) -> str:
        self.looks += 1
        self.now += LOOK
        return self.changed

    def work(self, pieces: int, then: Callable[[int], object] = lambda _: None) -> None:
        for piece in range(pieces):
            self.now += PIECE
            self.results.add(str(piece), {})
            then(piece)


def test_looking_at_the_files_takes_a_small_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was done for each result: 300 landblocks with 30,000 spawn files took six minutes for half a one."""
    scene = Scene(monkeypatch)
    waiting: list[int] = []
    scene.work(PIECES, lambda piece: waiting.append(piece + 1 - len(scene.kept)))
    assert waiting[0] == 0  # the first is kept at once
    assert LOOK * scene.looks < PIECE * PIECES / (REST - 2)
    assert max(waiting) * PIECE < LOOK * (REST + 1)
    scene.results.keep()
    assert scene.kept == [str(piece) for piece in range(PIECES)]
    looks = scene.looks
    scene.results.keep()
    assert scene.looks == looks  # nothing waits


def test_a_look_that_the_program_was_stopped_in_puts_the_next_one_off_by_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten minutes of Ctrl+Z put it off by three hours."""
    scene = Scene(monkeypatch)
    monkeypatch.setattr(
        kept_results, "changed_since", lambda _: setattr(scene, "now", scene.now + 600.0) or ""
    )
    scene.work(1)
    began = scene.now
    while len(scene.kept) < 2:
        scene.work(1)
    assert scene.now - began - 600.0 == pytest.approx(MOST_REST, abs=2 * PIECE)


def test_nothing_that_waits_is_kept_once_a_file_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(monkeypatch)
    scene.work(2)
    scene.changed = "a file"
    scene.work(PIECES)
    scene.results.keep()
    assert (scene.kept, scene.told) == (["0"], ["a file"])
    assert scene.looks == 2


def test_an_interrupt_amid_a_look_at_the_files_loses_nothing_that_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 71 results that were told, one was kept."""
    scene = Scene(monkeypatch)
    scene.work(3)

    def interrupted(_: Any) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(kept_results, "changed_since", interrupted)
        scene.results.keep()
    scene.results.keep()
    assert scene.kept == ["0", "1", "2"]


@posix("signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_second_signal_amid_the_last_look_waits(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As of one who presses Ctrl+C twice: all that waited was lost."""
    scene, came = Scene(monkeypatch), []

    def asked_again(_: Any) -> str:
        signal.raise_signal(signal.Signals[name])
        assert not came
        return ""

    def hear(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    usual = signal.signal(signal.Signals[name], hear)
    try:
        scene.work(3)
        monkeypatch.setattr(kept_results, "changed_since", asked_again)
        with pytest.raises(KeyboardInterrupt):
            scene.results.keep_all()
    finally:
        signal.signal(signal.Signals[name], usual)
    assert (scene.kept, came) == (["0", "1", "2"], [signal.Signals[name]])


REQUESTED = """
import signal, sys
from engine.files.ended_in_order import REQUESTS
from viewer.commands.groundwork import kept_results
from viewer.main import main
deaf = sys.argv.pop(1) == "deaf"
signal.signal(signal.SIGINT, signal.SIG_IGN if deaf else signal.default_int_handler)
for number in REQUESTS:
    signal.signal(number, signal.SIG_DFL)
kept_results.REST = 1e9
sys.exit(main())
"""


@posix("signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
@pytest.mark.parametrize("interrupts", ["heard", "deaf"])  # as what a script leaves in the background
def test_what_waits_is_kept_where_another_program_ends_this_one(
    tmp_path: Path, jobs: str, name: str, interrupts: str
) -> None:
    """Of 38 results that were told, one was kept."""
    folder, state = tmp_path / "cases", tmp_path / "state"
    for number in range(40):
        shutil.copytree(ROOT / "tests" / "captures" / "threshold", folder / f"{number:02}")
    words = ["sim", "--demo", "--jsonl", "--cases", str(folder), "--jobs", jobs, "--state", str(state)]
    with subprocess.Popen(
        [sys.executable, "-c", REQUESTED, interrupts, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        told = [program.stdout.readline() for _ in range(4)]
        program.send_signal(signal.Signals[name])
        out, err = program.communicate(timeout=60)
    told += out.splitlines()
    assert (program.returncode, err) == (-signal.Signals[name], b"")
    kept = [json.loads(line)["key"] for line in state.read_bytes().splitlines()[1:]]
    assert kept[: len(told)] == [json.loads(line)["name"] for line in told]
    assert 4 <= len(kept) < 40


@posix("signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_signal_as_the_last_result_is_told_keeps_all_of_them(tmp_path: Path, name: str) -> None:
    """It came as what puts things in order began, and ended that: two of four were kept."""
    for run in range(3):
        state = tmp_path / f"{run}"
        words = ["audit", "--demo", "--jsonl", "--jobs", "1", "--state", str(state)]
        with subprocess.Popen(
            [sys.executable, "-c", REQUESTED, "heard", *words], cwd=ROOT, stdout=subprocess.PIPE
        ) as program:
            assert program.stdout is not None
            told = [json.loads(program.stdout.readline())["name"] for _ in range(4)]
            program.send_signal(signal.Signals[name])
            program.communicate(timeout=60)
        assert program.returncode in (130, -signal.SIGHUP, 1)
        assert [json.loads(line)["key"] for line in state.read_bytes().splitlines()[1:]] == told


@pytest.mark.parametrize("done", [3, 2])
def test_what_waits_is_kept_at_the_end_and_where_the_work_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / "cases" / name).mkdir(parents=True)
        (tmp_path / "cases" / name / "sim.json").write_text("{}")
        (tmp_path / "cases" / name / "expected.jsonl").write_text("")
    calls: list[Any] = []
    usual = cases.case_document

    def document(result: Any) -> Any:
        if len(calls) == done:
            raise KeyboardInterrupt
        calls.append(result)
        return usual(result)

    monkeypatch.setattr(cases, "case_document", document)
    monkeypatch.setattr(kept_results, "REST", 1e9)
    state = tmp_path / "state"
    words = ["sim", "--demo", "--cases", str(tmp_path / "cases"), "--jobs", "1", "--state", str(state)]
    assert main(words) == (1 if done == 3 else 130)
    assert len(state.read_bytes().splitlines()) == 1 + done
