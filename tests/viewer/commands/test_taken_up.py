"""A state of earlier work is taken up only where all that its results came from is as it was."""

from __future__ import annotations

import errno
import json
import os
import shutil
from argparse import Namespace
from pathlib import Path

import pytest

from engine.replay.audit.finding import Tally
from engine.replay.jobs.result_shape import has_shape
from tests.needed import posix
from tests.places import DEMO, ROOT
from viewer.commands.groundwork.worlds import world_stamp
from viewer.commands.replay import REPLAYED
from viewer.main import main
from viewer.tables.arguments import parse
from viewer.user_error import UserError

THRESHOLD = ROOT / "tests" / "captures" / "threshold"


def audit(tmp_path: Path, *words: str) -> Namespace:
    return parse(["audit", *words, "--state", str(tmp_path / "state")])[1]


def test_spawn_lists_in_folders_below_count_however_the_folder_is_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    listed = tmp_path / "spawns" / "sub" / "a.sql"
    listed.parent.mkdir(parents=True)
    listed.write_text("-- nothing")
    spelled = ("spawns", "./spawns/", str(tmp_path / "spawns"))
    before = [world_stamp(audit(tmp_path, "--demo", "--spawns", name)) for name in spelled]
    listed.write_text("-- something")
    after = [world_stamp(audit(tmp_path, "--demo", "--spawns", name)) for name in spelled]
    assert all(stamps == [stamps[0]] * len(spelled) for stamps in (before, after))
    assert before[0] != after[0]


def test_it_counts_what_a_file_or_folder_is_read_as(tmp_path: Path) -> None:
    """The demo's folder as dats has no ``scene.json``, and a folder of dats can hold dumps, too."""
    (tmp_path / "link").symlink_to(DEMO)
    ways = (["--demo"], ["--dats", str(tmp_path / "link"), "--no-doors"], ["--dumps", str(DEMO)])
    stamps = [json.dumps(world_stamp(audit(tmp_path, *way))) for way in ways]
    assert len(set(stamps)) == len(ways)


def test_the_name_of_a_link_counts(tmp_path: Path) -> None:
    """A dump that was renamed, and so is the cell's no more, was taken for the same world."""
    stored, dumps = tmp_path / "stored", tmp_path / "dumps"
    for folder in (stored, dumps):
        folder.mkdir()
    (stored / "a").write_text("{}")
    named = dumps / "0xA9B40170.json"
    named.symlink_to(stored / "a")
    before = world_stamp(audit(tmp_path, "--dumps", str(dumps)))
    named.rename(dumps / "0xA9B40171.json")
    after = world_stamp(audit(tmp_path, "--dumps", str(dumps)))
    assert before != after


def test_a_fault_of_the_disk_is_no_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the state would belong to the world that could not be read, and be refused when it can."""

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "open", broken)
    with pytest.raises(UserError, match=r"client_cell_1\.dat: can't be read: Input/output error"):
        world_stamp(audit(tmp_path, "--demo"))


def test_a_case_counts_with_its_world_its_scene_and_its_dumps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "cases" / "a"
    shutil.copytree(THRESHOLD, case)
    scene = tmp_path / "scene.json"
    scene.write_text('{"objects": []}')
    words = ["sim", "--cases", str(case.parent), "--demo", "--jobs", "1", "--state", str(tmp_path / "state")]
    assert main(words) == 0
    capsys.readouterr()

    def refused(*more: str) -> str:
        assert main([*words, *more]) == 2
        return capsys.readouterr().err

    assert "its world differs" in refused("--scene", str(scene))
    shutil.copy(scene, case / "scene.json")
    assert "its cases differs" in refused()
    (case / "scene.json").unlink()
    (case / "dumps").mkdir()
    (case / "dumps" / "0x01000001.gfxobj.json").write_text("{}")
    assert "its cases differs" in refused()
    shutil.rmtree(case / "dumps")
    assert main(words) == 0


@posix("pipes")
def test_what_comes_through_a_pipe_is_refused_where_it_would_be_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    capture, pipe = str(THRESHOLD / "capture.jsonl"), str(tmp_path / "pipe")
    once = "and this work reads it more than once; name a file"
    for words, why in (
        (
            ["replay", pipe, "--state", str(tmp_path / "state")],
            "with --state only files and folders are read",
        ),
        (["replay", capture, str(THRESHOLD / "expected.jsonl"), "--scene", pipe], once),
        (["sim", "--cases", str(THRESHOLD), "--scene", pipe], once),
        (["audit", "--spawns", pipe], once),
    ):
        assert main([*words, "--demo"]) == 2
        assert why in capsys.readouterr().err


def test_results_that_lack_what_is_told_of_them_are_none() -> None:
    record = {"name": "record 0", "ok": False, "figures": {}, "detail": "off"}
    for lost in (None, *record):
        kept = {key: value for key, value in record.items() if key != lost}
        document = {"records": [[kept, "OFF record 0"]], "problems": []}
        assert has_shape(document, REPLAYED) == (lost is None)
    whole = Tally()
    whole.merge(Tally(counts={"overlap": 2}))  # without an example
    assert whole.found == 2


def test_a_capture_of_the_same_words_in_another_folder_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was given the result that the capture of those words had where the state was begun."""
    script = tmp_path / "sim.json"
    start = "0xA9B40170 [155.4 15.2 94.005] 1 0 0 0"
    script.write_text(json.dumps({"start": start, "steps": [{"wait": 0.1}]}))
    for name, shift in (("one", 0.0), ("two", 3.0)):
        (tmp_path / name).mkdir()
        capture = tmp_path / name / "a.jsonl"
        assert main(["sim", str(script), "--demo", "--record", str(capture)]) == 0
        lines = [json.loads(line) for line in capture.read_text().splitlines()]
        for line in lines:
            line["result"]["position"]["x"] += shift
        capture.write_text("".join(json.dumps(line) + "\n" for line in lines))
    state = ["--demo", "--compare", "capture", "--jobs", "1", "--state", str(tmp_path / "state")]
    monkeypatch.chdir(tmp_path / "one")
    assert main(["replay", "a.jsonl", "../two/a.jsonl", *state]) == 1
    monkeypatch.chdir(tmp_path / "two")
    capsys.readouterr()
    assert main(["replay", "../one/a.jsonl", "a.jsonl", *state]) == 2
    assert "belongs to other work, its naming of captures differs" in capsys.readouterr().err


def test_cases_by_links_that_lead_elsewhere_are_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One was given what another of its name had come to, and the other was not run."""
    line = {"tick": 0, "cell": "0xA9B40170", "position": [155.4, 15.2, 94.005]}
    for name, shift in (("sound", 0.0), ("off", 3.0)):
        case = tmp_path / name
        case.mkdir()
        script = {"start": "0xA9B40170 [155.4 15.2 94.005] 1 0 0 0", "steps": [{"wait": 0.03}]}
        (case / "sim.json").write_text(json.dumps(script))
        (case / "expected.jsonl").write_text(json.dumps({**line, "position": [155.4 + shift, 15.2, 94.005]}))
    cases = tmp_path / "cases"
    cases.mkdir()
    (cases / "a").symlink_to(tmp_path / "off")
    (cases / "b").symlink_to(tmp_path / "sound")
    words = ["sim", "--cases", str(cases), "--demo", "--jobs", "1", "--state", str(tmp_path / "state")]
    assert main(words) == 1
    assert "1 of 2 cases agree" in capsys.readouterr().out
    (cases / "b").rename(cases / "c")
    (cases / "a").rename(cases / "b")
    assert main(words) == 2
    assert "belongs to other work, its naming of cases differs" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["engine", "viewer"])
def test_what_another_program_found_is_not_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    """After an upgrade half of the results were the older program's; the words of one are the viewer's."""
    words = ["sim", "--cases", str(THRESHOLD), "--demo", "--jobs", "1", "--state", str(tmp_path / "state")]
    assert main(words) == 0
    assert main(words) == 0
    folder = tmp_path / package
    folder.mkdir()
    monkeypatch.setattr(f"{package}.__file__", str(folder / "__init__.py"))
    capsys.readouterr()
    assert main(words) == 2
    assert "belongs to other work, its program differs" in capsys.readouterr().err


def test_a_capture_alone_says_the_same_with_a_state_as_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line of it named the file, which is done of several captures."""
    scripts = sorted(THRESHOLD.rglob("sim.json"))
    capture, state = tmp_path / "capture.jsonl", tmp_path / "state"
    assert main(["sim", str(scripts[0]), "--demo", "--record", str(capture)]) == 0
    for form in ((), ("--json",), ("--jsonl",)):
        said = []
        for kept in ((), ("--state", str(state)), ("--state", str(state))):
            capsys.readouterr()
            main(["replay", str(capture), "--demo", *form, *kept])
            said.append(capsys.readouterr().out)
        assert len(said[0]) > 20
        assert said == [said[0]] * 3
