"""A command that says nothing for long says that it is still at work, and where."""

from __future__ import annotations

import os
import shutil
import threading
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest

import viewer.main
from engine.world.source import WorldSource
from engine.world.sources.open_source import open_source
from tests.files.handed_on import hand_on
from tests.needed import posix
from tests.places import DEMO
from viewer.report.still_there import still_there
from viewer.terminal import harmless_output, last_heard, say
from viewer.user_error import UserError

SHORT = 0.02


def until(happened: Callable[[], bool]) -> None:
    """Wait for something, at most five seconds."""
    end = time.monotonic() + 5.0
    while not happened() and time.monotonic() < end:
        time.sleep(SHORT / 4)


@pytest.mark.parametrize(("memory", "much"), [(10 << 20, ""), (3 << 29, ", with 1.5 GB of memory")])
def test_long_silence_is_broken_with_the_place_of_the_work(
    memory: int, much: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("viewer.report.still_there.memory_in_use", lambda: memory)
    work = FunctionType(until.__code__, {**globals(), "__name__": "engine.odd"})
    with harmless_output():
        with still_there("render", SHORT):
            work(lambda: last_heard() > 0.0)
        said = last_heard()
        time.sleep(3 * SHORT)
        assert last_heard() == said  # the work has ended
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"holtwalk: render: still at work after 0 s, in until of engine.odd{much}"


def test_who_speaks_is_not_spoken_for(capsys: pytest.CaptureFixture[str]) -> None:
    with harmless_output(), still_there("audit", 50 * SHORT):
        for _ in range(10):
            say("a finding")
            time.sleep(SHORT)
    assert capsys.readouterr().err == "holtwalk: a finding\n" * 10


@pytest.mark.parametrize(
    ("words", "watched"),
    [(["doctor"], True), (["walk"], False), (["open", "bug"], False), (["replay", "c", "--window"], False)],
)
def test_a_window_may_be_silent(words: list[str], watched: object, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def run(_: Namespace) -> int:
        seen.extend(thread.name for thread in threading.enumerate())
        return 0

    monkeypatch.setattr(viewer.main, "import_module", lambda name: SimpleNamespace(run=run))
    assert viewer.main.main(words) == 0
    assert ("still there" in seen) is watched


def test_a_display_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of a connection that hangs was waited for without a word."""

    said = ""

    def is_told() -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return "holtwalk: opening a window on :205: still at work" in said

    def hang(*_: object, **__: object) -> None:
        until(is_told)
        raise UserError("it has hung up")

    monkeypatch.setattr("viewer.window.display.open_window.open_window", hang)
    monkeypatch.setattr("viewer.commands.walk.still_there", partial(still_there, silence=SHORT))
    monkeypatch.setenv("DISPLAY", ":205")
    assert viewer.main.main(["walk", "--demo"]) == 2
    assert is_told()


def test_the_tour_that_a_walk_turns_into_is_watched_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first picture of a great world took a minute without a word, where there is no display."""
    seen: list[str] = []

    def run(*_: object) -> int:
        seen.extend(thread.name for thread in threading.enumerate())
        return 0

    def refuse(*_: object, **__: object) -> None:
        raise UserError("no window can be opened here: there is no display")

    monkeypatch.setattr("viewer.commands.tour.run", run)
    monkeypatch.setattr("viewer.window.display.open_window.open_window", refuse)
    assert viewer.main.main(["walk", "--demo", "--or-tour"]) == 0
    assert "still there" in seen


@posix("pipes")
@pytest.mark.parametrize("is_demo", [True, False])
def test_the_tour_that_a_walk_turns_into_reads_no_pipe_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, is_demo: bool
) -> None:
    """A scene that came through one was empty by then: "not JSON"."""
    into, out = os.pipe()
    os.write(out, b'{"objects": [{"setup": "0x020019FF", "at": "0xA9B40031 [152 21 94]"}]}')
    os.close(out)
    toured: list[tuple[int, str | None]] = []

    def run(args: Namespace, source: WorldSource | None) -> int:
        toured.append((0 if source is None else len(source.scene().objects), args.scene))
        return 0

    def refuse(*_: object, **__: object) -> None:
        raise UserError("no window can be opened here: there is no display")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("viewer.commands.tour.run", run)
    monkeypatch.setattr("viewer.window.display.open_window.open_window", refuse)
    shutil.copytree(DEMO, tmp_path / "dats")
    world = ["--demo"] if is_demo else ["--dats", "dats"]
    pipe = f"/dev/fd/{hand_on(into)}"
    assert viewer.main.main(["walk", *world, "--or-tour", "--scene", pipe, "--report", "r.jsonl"]) == 0
    os.close(into)
    assert "--report: r.jsonl is not written" in capsys.readouterr().err
    brought = len(open_source(demo=DEMO).scene().objects) + 1
    assert toured == [(brought, pipe) if is_demo else (0, None)]


def test_where_no_more_threads_may_start_the_work_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    with harmless_output(), still_there("sim"):
        say("done")
    assert capsys.readouterr().err == "holtwalk: done\n"
