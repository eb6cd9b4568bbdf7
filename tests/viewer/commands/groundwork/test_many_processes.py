"""Commands with much to do say the same whatever the number of processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.world.sources.open_source import SourceError
from tests.places import ROOT
from tests.viewer.commands.groundwork.long_commands import error, lines, run
from viewer.main import main

CASES = ROOT.parent / "shared" / "cases"


def test_an_audit_is_the_same_with_any_number_of_processes(
    damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("audit", "--dats", damaged, "--json", "--jobs")
    one = run(capsys, *words, "1", code=1)
    assert json.loads(one)["results"][0]["figures"]["count"] == 18 + 1
    assert run(capsys, *words, "2", code=1) == one
    assert run(capsys, *words, "5", code=1) == one


def test_an_audits_lines_are_landblocks_and_the_last_one_is_the_document(
    damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run(capsys, "audit", "--dats", damaged, "--json", code=1)
    found = lines(run(capsys, "audit", "--dats", damaged, "--jsonl", "--jobs", "2", code=1))
    assert found[-1] == json.loads(document)
    assert [line["name"] for line in found[:-1]] == [
        f"0x{x:02X}{y:02X}0000" for x in range(3) for y in range(6)
    ]
    assert all({"name", "ok", "figures", "detail"} == set(line) for line in found[:-1])
    assert "exclude each other" in error(capsys, "audit", "--dats", damaged, "--json", "--jsonl")


def test_recorded_cases_are_the_same_with_any_number_of_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in sorted(CASES.iterdir())[:14:3]:
        if path.is_dir():
            (tmp_path / path.name).symlink_to(path)
    words = ("sim", "--cases", str(tmp_path))
    one = run(capsys, *words, "--jobs", "1", "--json")
    assert run(capsys, *words, "--jobs", "2", "--json") == one
    document = json.loads(one)
    streamed = lines(run(capsys, *words, "--jobs", "2", "--jsonl"))
    assert streamed[:-1] == document["results"]
    assert streamed[-1] == {"ok": True, "figures": document["figures"]}
    assert "--jobs means nothing without --cases" in error(capsys, "sim", "s.json", "--jobs", "2")


def test_a_check_of_dats_is_the_same_with_any_number_of_processes(
    damaged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, state = ("dat", "check", "--dats", damaged), tmp_path / "state"
    one = run(capsys, *words, "--json", "--jobs", "1", code=1)
    assert run(capsys, *words, "--json", "--jobs", "3", "--state", str(state), code=1) == one
    assert len(state.read_bytes().splitlines()) > 2
    assert run(capsys, *words, "--json", "--state", str(state), code=1) == one
    document = json.loads(one)
    streamed = lines(run(capsys, *words, "--jsonl", "--jobs", "2", code=1))
    assert streamed[-1] == document
    counts = {result["name"]: result["figures"].get("count", 0) for result in document["results"]}
    assert {name: sum(line["name"] == name for line in streamed[:-1]) for name in counts} == counts
    assert counts["damaged"] >= 18 + 1


@pytest.mark.shared
def test_many_captures_are_the_same_with_any_number_of_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = CASES.parent / "examples"
    captures = [
        str(examples / name)
        for name in ("cellar-lip__wedge-records.jsonl", "doorway-threshold-capture.jsonl")
    ]
    world = ("--dumps", str(examples / "cottage"))
    alone = []
    for path in captures:
        main(["replay", path, *world, "--json"])
        alone += [{**result, "capture": path} for result in json.loads(capsys.readouterr().out)["results"]]
    outs = []
    for jobs in ("1", "2"):
        main(["replay", *captures, *world, "--json", "--jobs", jobs])
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    assert json.loads(outs[0])["results"] == alone


def test_a_world_that_a_helping_process_can_not_open_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(*_: object, **__: object) -> Iterator[Any]:
        raise SourceError("client_portal.dat: can't be opened: Too many open files")
        yield

    monkeypatch.setattr("viewer.commands.groundwork.long_work.done_in_order", work)
    assert main(["audit", "--demo"]) == 2
    told = capsys.readouterr().err
    assert told == "holtwalk: client_portal.dat: can't be opened: Too many open files\n"


def test_no_more_processes_are_started_than_the_cores_can_use(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--jobs 1000`` took all memory before any work was begun."""
    started: list[int] = []

    def done(_task: object, _pieces: object, *, jobs: int, **_: object) -> Iterator[Any]:
        started.append(jobs)
        yield from ()

    monkeypatch.setattr("viewer.commands.groundwork.long_work.done_in_order", done)
    monkeypatch.setattr("viewer.commands.groundwork.long_work.cores", lambda: 2)
    assert main(["verify", "--demo", "--jobs", "1000"]) == 0
    told = capsys.readouterr().err
    assert started == [16]
    assert told.endswith(" processes are more than 8 a core: 16 share the work\n")
    assert main(["verify", "--demo", "--jobs", "16"]) == 0
    assert (started, capsys.readouterr().err) == ([16, 16], "")
