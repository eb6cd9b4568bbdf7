"""How a test of the window waits: every report is looked at once, and nothing waits for a time."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.viewer.window.driven.windows import Reports

# What may sleep: between two looks at what is reported, and where pictures are kept for the docs.
WAITING = {"wait_for", "wait_until", "keep_for_docs"}


@pytest.fixture
def running() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def write(path: Path, *ticks: int, end: str = "\n") -> None:
    with path.open("a") as file:
        file.write("\n".join(json.dumps({"tick": tick}) for tick in ticks) + end)


def test_what_came_together_with_what_was_waited_for_is_not_lost(
    tmp_path: Path, running: subprocess.Popen[str]
) -> None:
    """A slow frame reports up to eight ticks at once."""
    path = tmp_path / "reports.jsonl"
    reports = Reports(path, lambda: running)
    write(path, *range(8))
    assert reports.wait_for("a tick", lambda r: r["tick"] == 2) == {"tick": 2}
    assert reports.wait_for("the next", lambda r: True) == {"tick": 3}
    assert reports.new() == [{"tick": tick} for tick in range(4, 8)]
    assert reports.last == {"tick": 7}
    assert reports.new() == []


def test_a_report_that_is_being_written_is_read_when_it_is_whole(
    tmp_path: Path, running: subprocess.Popen[str]
) -> None:
    path = tmp_path / "reports.jsonl"
    reports = Reports(path, lambda: running)
    assert reports.new() == []
    write(path, 1, 2, end="")
    assert reports.new() == [{"tick": 1}]
    write(path, end="\n")
    assert reports.new() == [{"tick": 2}]


def test_a_window_that_has_gone_is_waited_for_no_longer(
    tmp_path: Path, running: subprocess.Popen[str]
) -> None:
    running.kill()
    running.wait()
    with pytest.raises(AssertionError, match="the window is gone"):
        Reports(tmp_path / "reports.jsonl", lambda: running).wait_for("a tick", lambda r: True)


def sleeps(path: Path) -> Iterator[str]:
    """Where a file sleeps, outside of the functions that look again and again."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        if function.name not in WAITING:
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and node.attr == "sleep":
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_test_of_the_window_waits_for_a_time() -> None:
    files = [path for path in (ROOT / "tests").rglob("*.py") if "driven.windows import" in path.read_text()]
    assert len(files) > 5
    files.append(Path(sys.modules[Reports.__module__].__file__ or ""))
    assert [place for path in files for place in sleeps(path)] == []
