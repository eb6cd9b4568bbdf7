"""Commands with much to do: the same whatever the processes, progress, JSON lines, a state, an interrupt."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dat.container.installation import DatFiles
from engine.dat.errors import CHANGED, DatError
from engine.dat.object_types import DatKind
from engine.replay.audit import auditing
from engine.world.sources.open_source import SourceError
from scripts import make_world
from scripts.demo_world import ids
from tests.dat_writing import write_dat
from tests.needed import posix
from tests.places import ROOT
from viewer.main import main
from viewer.report.progress import Progress, duration

CASES = ROOT.parent / "shared" / "cases"


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A made world in which a structure that all dungeons need, and some cells, are damaged."""
    sound, folder = tmp_path_factory.mktemp("sound"), tmp_path_factory.mktemp("damaged")
    make_world.main([str(sound), "--size", "4x6", "--dungeons", "3", "--cells", "10-40"])
    with DatFiles.open(sound) as files:
        for file, kind in ((files.portal, DatKind.PORTAL), (files.cell, DatKind.CELL)):
            records = {entry.id: file.read_entry(entry) for entry in file.entries()}
            for object_id in list(records):
                if object_id == ids.ARCH or object_id & 0xFFFF == 0x103:
                    records[object_id] = records[object_id][:-3]
            write_dat(folder / Path(file.name).name, records, kind)
    return str(folder)


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


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


def error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def test_an_audit_goes_on_from_its_state(
    damaged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, state = ("audit", "--dats", damaged, "--json", "--jobs", "1"), tmp_path / "state"
    whole = run(capsys, *words, "--state", str(state), code=1)
    kept = state.read_bytes().splitlines(keepends=True)
    state.write_bytes(b"".join(kept[:9]) + kept[9][:20])
    assert run(capsys, *words, "--state", str(state), code=1) == whole
    after = state.read_bytes()
    assert [line["key"] for line in lines(after.decode())[1:]] == [
        json.loads(line)["key"] for line in kept[1:]
    ]
    words = ("audit", "--demo", "--state", str(state))
    assert "belongs to other work, its world differs" in error(capsys, *words)
    assert state.read_bytes() == after


CAPTURES = ROOT / "tests" / "captures"


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "--demo", "--jobs", "1"),
        ("dat", "check", "--demo", "--jobs", "1"),
        ("sim", "--cases", str(CAPTURES / "threshold"), "--demo", "--jobs", "1"),
        ("replay", str(CAPTURES / "threshold" / "capture.jsonl"), "--demo", "--jobs", "1"),
    ],
    ids=lambda words: words[0],
)
def test_what_a_command_keeps_is_taken_up_and_a_result_of_another_shape_is_done_again(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    words = (*words, "--json", "--state", str(state))
    code = main(list(words))
    whole, kept = capsys.readouterr().out, state.read_bytes()
    assert run(capsys, *words, code=code) == whole
    assert state.read_bytes() == kept
    head, first, *rest = lines(kept.decode())
    for result in (
        {},
        dict.fromkeys(first["result"], 5),
        {**first["result"], next(iter(first["result"])): None},
    ):
        total = zlib.crc32(json.dumps([first["key"], result]).encode())
        other = [head, {"key": first["key"], "result": result, "sum": total}, *rest]
        state.write_text("".join(json.dumps(line) + "\n" for line in other))
        assert run(capsys, *words, code=code) == whole


def test_a_state_may_lie_in_the_worlds_folder_and_other_files_there_may_change(
    damaged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "world"
    shutil.copytree(damaged, folder)
    words = ("audit", "--dats", str(folder), "--json", "--jobs", "1", "--state", str(folder / "a.state"))
    whole = run(capsys, *words, code=1)
    (folder / "notes.txt").write_text("of a game that writes into its folder")
    assert run(capsys, *words, code=1) == whole
    check = ("dat", "check", "--dats", str(folder), "--json", "--state", str(folder / "b.state"))
    found = run(capsys, *check, code=1)
    portal = folder / "client_portal.dat"
    before, held = portal.stat(), portal.read_bytes()
    os.utime(portal, ns=(before.st_atime_ns, before.st_mtime_ns + 10**9))  # a copy, say
    assert run(capsys, *check, code=1) == found
    portal.write_bytes(held[:-1] + bytes([held[-1] ^ 1]))
    os.utime(portal, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "b.state: belongs to other work, its files differ" in error(capsys, *check)


@pytest.mark.parametrize("name", ["state.json", "state.DAT"])
def test_a_state_is_not_put_where_the_world_would_read_it(
    damaged: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second run would take it for a file of the world."""
    before = sorted(os.listdir(damaged))
    (tmp_path / "link").symlink_to(damaged)
    for folder in (damaged, str(tmp_path / "link")):
        line = error(capsys, "audit", "--dats", damaged, "--state", str(Path(folder) / name))
        assert "in the folder of the world" in line
    assert sorted(os.listdir(damaged)) == before


def test_a_state_does_not_become_a_cases_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases" / "a").mkdir(parents=True)
    (tmp_path / "cases" / "a" / "sim.json").write_text("{}")
    state = tmp_path / "cases" / "a" / "expected.jsonl"
    line = error(capsys, "sim", "--cases", str(tmp_path / "cases"), "--state", str(state))
    assert "in the folder of --cases, where .jsonl files are read" in line
    assert not state.exists()


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
    now[0] = 101.0
    progress(1.0, "a")
    now[0] = 102.5
    progress(5.0, "b")
    progress(6.0, "c")
    now[0] = 110.0
    progress(25.0, "d")
    assert capsys.readouterr().err.splitlines() == [
        "holtwalk: audit: 0.0%",
        "holtwalk: audit: 10.0%, at b",
        "holtwalk: audit: 50.0%, 12 s left, at d",
    ]
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


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        DatError("a.dat", None, None, "can't be read: Input/output error"),
        DatError("a.dat", None, None, CHANGED),
        DatError("a.jsonl", None, None, "there is no such file"),  # that the state has a digest of
    ],
)
def test_what_failed_by_the_machines_fault_is_done_again_from_a_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    told = getattr(error, "reason", "no memory is left for it")

    def greedy(*_: object) -> None:
        raise error

    words = ["audit", "--demo", "--landblock", "0xA9B4", "--jobs", "1", "--state", str(tmp_path / "state")]
    with monkeypatch.context() as patch:
        patch.setattr("engine.replay.audit.auditing.stab_findings", greedy)
        assert main(words) == 1
        assert told in capsys.readouterr().out
    main(words)
    assert told not in capsys.readouterr().out


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


@pytest.mark.parametrize("is_put_back", [False, True])
def test_what_was_read_while_a_file_was_written_is_not_kept(
    damaged: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    is_put_back: bool,
) -> None:
    """A world that was copied over itself meanwhile had no findings any more in the blocks that came then."""
    folder = tmp_path / "world"
    shutil.copytree(damaged, folder)
    cell, state = folder / "client_cell_1.dat", tmp_path / "state"
    words = ("audit", "--dats", str(folder), "--json", "--jobs", "1", "--state", str(state))
    whole = run(capsys, *words[:-2], code=1)
    before, data, calls = cell.stat(), cell.read_bytes(), iter(range(100))

    def written(*given: object) -> object:
        if next(calls) == 2:
            cell.write_bytes(data)
            if is_put_back:
                os.utime(cell, ns=(before.st_atime_ns, before.st_mtime_ns))
        return usual(*given)

    usual = auditing.audit_block
    with monkeypatch.context() as patch:
        patch.setattr("engine.replay.audit.auditing.audit_block", written)
        patch.setattr("viewer.commands.groundwork.kept_results.REST", 0.0)
        main([*words])
    said = capsys.readouterr().err
    assert f"{state}: nothing more is kept in it, as {cell} is not what it was when this began" in said
    assert said.count("nothing more is kept") == 1
    assert len(state.read_bytes().splitlines()) == 1 + 2
    assert run(capsys, *words, code=1) == whole


def _set_anew(link: Path, to: Path) -> None:
    link.with_name("new").symlink_to(to)
    link.with_name("new").replace(link)


@pytest.mark.parametrize("what", ["a link", "a new file"])
def test_what_was_read_while_other_files_had_the_same_names_is_not_kept(
    damaged: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    what: str,
) -> None:
    """Only what a link led to at first was looked at again: results of another world were kept."""
    folder, other, link = tmp_path / "world", tmp_path / "other", tmp_path / "current"
    shutil.copytree(damaged, folder)
    shutil.copytree(damaged, other)
    link.symlink_to(folder)
    state, calls = tmp_path / "state", iter(range(100))
    words = ("audit", "--dats", str(link), "--json", "--jobs", "1", "--state", str(state))
    whole = run(capsys, *words[:-2], code=1)

    def changed(*given: object) -> object:
        if next(calls) == 2:
            if what == "a link":
                _set_anew(link, other)
            else:
                (folder / "0x00010100.json").write_bytes(b"{}")
        return usual(*given)

    usual = auditing.audit_block
    with monkeypatch.context() as patch:
        patch.setattr("engine.replay.audit.auditing.audit_block", changed)
        patch.setattr("viewer.commands.groundwork.kept_results.REST", 0.0)
        main([*words])
    name = "client_cell_1.dat" if what == "a link" else "0x00010100.json"
    said = capsys.readouterr().err
    assert f"{state}: nothing more is kept in it, as {link / name} is not what it was when this began" in said
    assert len(state.read_bytes().splitlines()) == 1 + 2
    _set_anew(link, folder)
    (folder / "0x00010100.json").unlink(missing_ok=True)
    assert run(capsys, *words, code=1) == whole
