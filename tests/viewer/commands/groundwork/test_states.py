"""What a command with much to do keeps in its state, takes up from it, and does again."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.dat.errors import CHANGED, DatError
from engine.replay.audit import auditing
from tests.files.full_disks import fill_disk_after
from tests.places import ROOT
from tests.viewer.commands.groundwork.long_commands import error, lines, run
from viewer.main import main

CAPTURES = ROOT / "tests" / "captures"


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


SPAWNS = """INSERT INTO `landblock_instance`
(`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`,
 `angles_W`, `angles_X`, `angles_Y`, `angles_Z`)
VALUES (2057093120, 412, 2847146033, 150, 20, 94, 1, 0, 0, 0);
"""


@pytest.mark.parametrize(
    "words",
    [
        ("dat", "check", "--dats", "world", "--state", "world/a.sql"),
        ("audit", "--dats", "world", "--state", "world/a.sql"),
        ("audit", "--dats", "world", "--spawns", "lists", "--state", "lists/a.json"),
        ("audit", "--dats", "world", "--spawns", "lists", "--state", "lists/a.dat"),
    ],
)
def test_a_state_in_a_folder_of_other_files_is_kept_at_the_first_run(
    *,
    damaged: str,
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It was itself the file that had come meanwhile: "a.sql is not what it was when this began"."""
    shutil.copytree(damaged, tmp_path / "world")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "a.sql").write_text(SPAWNS)
    monkeypatch.chdir(tmp_path)
    main([*words, "--json", "--jobs", "1"])
    assert "nothing more is kept" not in capsys.readouterr().err
    assert len((tmp_path / words[-1]).read_bytes().splitlines()) > 2
    for folder in ("lists", "world"):
        (tmp_path / folder / "out.json").write_text("{}")  # where results go by > out.json
    main([*words, "--json", "--jobs", "1"])
    assert "differ" not in capsys.readouterr().err


def test_a_disk_that_fills_is_told_where_results_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were written into the closed file once more, and it was "Bad file descriptor"."""
    state = tmp_path / "state"
    for rest in (0.0, 1e9):
        state.unlink(missing_ok=True)
        with monkeypatch.context() as patch:
            patch.setattr("viewer.commands.groundwork.kept_results.REST", rest)
            main(["audit", "--demo", "--jobs", "1", "--state", str(state)])
            capsys.readouterr()
            room = len(b"".join(state.read_bytes().splitlines(keepends=True)[:2])) + 10
            state.unlink()
            fill_disk_after(patch, room)
            assert main(["audit", "--demo", "--jobs", "1", "--state", str(state)]) == 2
        assert capsys.readouterr().err == f"holtwalk: {state}: No space left on device\n"


def test_a_state_does_not_become_a_cases_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases" / "a").mkdir(parents=True)
    (tmp_path / "cases" / "a" / "sim.json").write_text("{}")
    state = tmp_path / "cases" / "a" / "expected.jsonl"
    line = error(capsys, "sim", "--cases", str(tmp_path / "cases"), "--state", str(state))
    assert "in the folder of --cases, where .jsonl files are read" in line
    assert not state.exists()


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


def run_with_a_change(
    monkeypatch: pytest.MonkeyPatch, words: Sequence[str], change: Callable[[], object]
) -> None:
    """Run an audit: something is changed before its third landblock, and the files looked at after each."""
    usual, calls = auditing.audit_block, iter(range(100))

    def changed(*given: Any) -> object:
        if next(calls) == 2:
            change()
        return usual(*given)

    with monkeypatch.context() as patch:
        patch.setattr("engine.replay.audit.auditing.audit_block", changed)
        patch.setattr("viewer.commands.groundwork.kept_results.REST", 0.0)
        main([*words])


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
    before, data = cell.stat(), cell.read_bytes()

    def write() -> None:
        cell.write_bytes(data)
        if is_put_back:
            os.utime(cell, ns=(before.st_atime_ns, before.st_mtime_ns))

    run_with_a_change(monkeypatch, words, write)
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
    state = tmp_path / "state"
    words = ("audit", "--dats", str(link), "--json", "--jobs", "1", "--state", str(state))
    whole = run(capsys, *words[:-2], code=1)

    def change() -> None:
        if what == "a link":
            _set_anew(link, other)
        else:
            (folder / "client_highres.dat").write_bytes(b"{}")

    run_with_a_change(monkeypatch, words, change)
    name = "client_cell_1.dat" if what == "a link" else "client_highres.dat"
    said = capsys.readouterr().err
    assert f"{state}: nothing more is kept in it, as {link / name} is not what it was when this began" in said
    assert len(state.read_bytes().splitlines()) == 1 + 2
    _set_anew(link, folder)
    (folder / "client_highres.dat").unlink(missing_ok=True)
    assert run(capsys, *words, code=1) == whole
