"""A bug folder is whole or not there, and a second one does not write over the first."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
import signal
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from engine import VERSION
from engine.files import dated
from engine.physics.enums import TICK
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.cases import CaseResult, run_case
from engine.replay.follow import CaptureTail
from engine.replay.history.stretch import Again, write_script
from engine.replay.history.surroundings import Dumped
from engine.world.loading.world import World
from engine.world.sources.json_node import Node
from engine.world.sources.open_source import SourceArguments
from tests.places import DEMO, ROOT
from tests.viewer.goings import walking
from tests.viewer.window.bugs.bug_walks import DOOR, SIZE, changed_bug, folder_of, write
from viewer.commands import open as open_command
from viewer.main import main
from viewer.tables.arguments import parse
from viewer.user_error import UserError
from viewer.window.sharing import bug_folder, bug_report
from viewer.window.sharing.bug_facts import BugDumps, parse_facts
from viewer.window.sharing.bug_folder import open_bug, read_bug
from viewer.window.sharing.bug_readme import readme
from viewer.window.walking.capture_player import CapturePlayer
from viewer.window.walking.walk import Walk

THRESHOLD = ROOT / "tests" / "captures" / "threshold" / "capture.jsonl"


def test_two_bugs_of_one_second_are_two_folders(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime.now()
    monkeypatch.setattr(dated, "datetime", SimpleNamespace(now=lambda: moment))
    assert write(walk).startswith("saved ")
    assert write(walk).startswith("saved ")
    assert len([folder for folder in tmp_path.iterdir() if (folder / "bug.json").is_file()]) == 2


def test_bugs_that_two_windows_write_at_once_are_two_folders(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was done later was refused: the name that it had chosen was the other's by then."""
    moment = datetime.now()
    monkeypatch.setattr(dated, "datetime", SimpleNamespace(now=lambda: moment))
    usual, others = write_script, list[str]()

    def meanwhile(*words: Any) -> None:
        if not others:
            others.append("")  # before: it comes by here, too
            others[0] = write(walk)
        usual(*words)

    monkeypatch.setattr(bug_report, "write_script", meanwhile)
    said = write(walk)
    assert said.startswith("saved ") and others[0].startswith("saved ") and said != others[0]
    assert len([folder for folder in tmp_path.iterdir() if (folder / "bug.json").is_file()]) == 2


def test_where_no_folder_can_be_made_no_other_name_is_tried_for_ever(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path / "file")
    assert write(walk) == f"{tmp_path / 'file'}: not written: File exists"


def test_no_request_to_end_is_raised_while_the_picture_of_a_bug_is_drawn(walk: Walk) -> None:
    """OpenGL's library took it for granted that nothing is, went on with nothing, and ended the process."""
    usual = signal.getsignal(signal.SIGTERM)
    heard: list[object] = []

    def picture() -> Image.Image:
        heard.append(signal.getsignal(signal.SIGTERM))
        return Image.new("RGBA", SIZE)

    bug_report.write_bug(walk, picture, size=SIZE, driver="a driver")
    assert heard == [usual]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError("no picture")])
def test_a_bug_folder_that_is_broken_off_was_never_there(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    pictures = tmp_path / "pictures"
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: pictures)

    def broken_off(*_: object) -> None:
        seen.extend(path.name for path in pictures.iterdir() if not path.name.startswith("."))
        raise error

    seen: list[str] = []
    monkeypatch.setattr(bug_report, "write_capture", broken_off)
    with pytest.raises(type(error) if isinstance(error, Exception) else KeyboardInterrupt):
        write(walk)
    assert (seen, list(pictures.iterdir())) == ([], [])


def test_a_full_disk_leaves_no_bug_folder_in_part(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(bug_report, "write_text", full)
    said = write(walk)
    assert said.endswith("not written: No space left on device")
    assert "report.json" in said
    assert not list(tmp_path.iterdir())


def test_records_of_a_capture_are_in_no_bug_folder_and_what_is_walked_after_them_is_and_runs(
    walk: Walk, tmp_path: Path
) -> None:
    walk.play_capture(CapturePlayer(walk, CaptureTail(str(THRESHOLD))))
    walk.advance(0.0, MovementInput())
    assert walk.history.last > 10
    assert write(walk) == bug_report.OF_A_CAPTURE
    assert list(tmp_path.iterdir()) == []
    walk.toggle_pause()
    for _ in range(3):
        walk.advance(TICK, MovementInput(side=1))
    folder = folder_of(write(walk))
    facts = read_bug(folder).facts
    assert (facts.first, facts.last) == (walk.history.last - 2, walk.history.last)
    assert run_case(folder, world_of=SourceArguments(demo=DEMO)).passed
    assert facts.told_again in (folder / "README.txt").read_text()


def test_a_bug_that_comes_out_otherwise_says_so_in_the_window_and_to_whoever_unpacks_it(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, case = Again(3), CaseResult("case", error="no such cell")
    monkeypatch.setattr(bug_report, "write_capture", lambda *_: again)
    monkeypatch.setattr(bug_report, "_write_dumps", lambda *_: (Dumped(1, 1, 1), case))
    said = write(walk, with_dumps=True)
    assert said.endswith(f" shows it; {again.words}; in its dumps it comes out otherwise: no such cell")
    told = (folder_of(said).with_name(folder_of(said).name.split(" with")[0]) / "README.txt").read_text()
    assert f"When it was written: {again.words}; in its dumps, case: no such cell.\n" in told


def test_dumps_that_lack_what_the_files_give_no_longer_say_so_in_the_window_and_in_the_folder(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, case = ("0x01000001", "0x01000002", "0x01000003", "0x01000004"), CaseResult("case", compared=1)
    monkeypatch.setattr(bug_report, "_write_dumps", lambda *_: (Dumped(1, 1, 1, lost), case))
    said = write(walk, with_dumps=True)
    line = (
        "its dumps lack 0x01000001, 0x01000002, 0x01000003 and 1 more, which the world's files give no longer"
    )
    assert said.endswith(f" shows it; {line}")
    assert line in (folder_of(said.replace(" with dumps", "")) / "README.txt").read_text()


QUICK_DOOR = {
    "setup": "0x020019FF", "entity": "0x7A9B4015", "state": "0x10008", "motion_table": "0x09000202",
    "at": "0xA9B40170 [155.4 16.1 94] 0 0 0 1",
    "door": {"default_open": False, "locked": False, "reset_interval": 2.0},
}  # fmt: skip


def test_a_bug_brings_its_doors_to_the_dats_that_are_named(walk: Walk, tmp_path: Path) -> None:
    """As they came, with what a spawn list knows of them: dats hold none, and who opens it has others."""
    scene = tmp_path / "doors.json"
    scene.write_text(json.dumps({"objects": [QUICK_DOOR]}))
    simulation = Simulation(World(SourceArguments(dats=DEMO, scene=scene).open()))
    simulation.teleport(simulation.world.locate("0xA9B40171 [155.4 15.2 94] 1 0 0 0"))
    walk = Walk(simulation)
    walk.simulation.use(DOOR)
    for _ in range(60):
        walk.advance(TICK, MovementInput())
    while simulation.doors[DOOR].phase is not DoorPhase.CLOSED:
        walk.advance(TICK, MovementInput())
    for _ in range(200):  # its use is before the stretch, which runs into the leaf
        walk.advance(TICK, MovementInput(forward=1))
    assert "held by door 0x7A9B4015" in walk.blocked
    folder = Path(write(walk).split("; ")[0].removeprefix("saved "))
    theirs = SourceArguments(dats=DEMO)
    assert run_case(folder, world_of=theirs).passed
    assert not run_case(folder, world_of=SourceArguments(dats=DEMO, scene=tmp_path / "none.json")).passed

    (door,) = json.loads((folder / "scene.json").read_text())["objects"]
    assert (door["state"], door["door"]["reset_interval"]) == ("0x10008", 2.0)
    saved = walk.questions.doors.save_scene(tmp_path).split("; ")[0].removeprefix("saved ")
    assert json.loads(Path(saved).read_text())["objects"][0]["door"]["reset_interval"] == 2.0
    bug = read_bug(folder)
    words = open_command.world_words(parse(["open", str(folder), "--dats", "theirs"])[1], bug)
    assert words == ["--dats", "theirs", "--scene", str(folder / "scene.json")]
    own = parse(["open", str(folder), "--dats", "theirs", "--spawns", "own.sql"])[1]
    assert open_command.world_words(own, bug) == ["--dats", "theirs", "--spawns", "own.sql"]


def test_an_opened_bug_has_the_doors_that_it_was_written_with_whatever_the_files_hold_now(
    walk: Walk, tmp_path: Path
) -> None:
    walk.world_words = ["--demo", "--scene", "mine.json", "--spawns", str(tmp_path)]
    folder = Path(write(walk).split("; ")[0].removeprefix("saved "))
    args = parse(["open", str(folder)])[1]
    here = ["--demo", "--spawns", str(tmp_path), "--scene", str(folder / "scene.json")]
    assert open_command.world_words(args, read_bug(folder)) == here
    facts = (folder / "bug.json").read_text().replace(f'"{tmp_path}"', '"gone.sql"')
    (folder / "bug.json").write_text(facts)
    without = ["--demo", "--scene", str(folder / "scene.json")]
    assert open_command.world_words(args, read_bug(folder)) == without


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"objects": [\n  {"setup": }\n]}', "line 2 column 13"),
        ('{"objects": [\n  {"setup": "0x020019FF"}\n]}', "objects[0]: 'at' is missing"),
        (None, ""),
        ("gone", "is not there; doors and objects stand as this world has them now"),
    ],
)
def test_a_damaged_scene_of_a_bug_folder_is_told_though_its_world_needs_none(
    walk: Walk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    text: str | None,
    says: str,
) -> None:
    walk.world_words = ["--demo"]
    folder = folder_of(write(walk))
    if text == "gone":
        (folder / "scene.json").unlink()
    elif text is not None:
        (folder / "scene.json").write_text(text)
    monkeypatch.setattr("viewer.commands.walk.run", lambda *_: 0)
    assert open_command.run(parse(["open", str(folder)])[1]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "scene.json" in line]
    assert len(told) == (text is not None)
    assert all(line.startswith(f"holtwalk: {folder / 'scene.json'}: ") and says in line for line in told)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tick": 900}, "tick: 900 is not of the stretch from 0 to 4"),
        ({"size": [0, 720]}, "size: expected a width and a height in pixels"),
        ({"versions": {"holtwalk": 1}}, "versions: holtwalk: expected a string, not 1"),
        ({"dumps": {"cells": 1, "models": 2}}, "dumps: 'size' is missing"),
        ({"told_again": ["so"]}, 'told_again: expected a string, not ["so"]'),
    ],
)
def test_what_makes_no_sense_in_a_bug_folder_is_one_line(
    walk: Walk, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    _, facts, folder = changed_bug(walk, tmp_path)
    assert parse_facts(Node(facts, "")).to_json() == facts  # it tells the whole file
    (folder / "bug.json").write_text(json.dumps(facts | change))
    with pytest.raises(UserError, match=re.escape(f"{folder / 'bug.json'}: {says}")):
        read_bug(folder)


def test_a_long_script_of_a_bug_is_told_of_while_it_runs(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, folder = changed_bug(walk, tmp_path)
    open_bug(walking(), read_bug(folder))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(bug_folder, "QUIET", 0.0)
    open_bug(walking(), read_bug(folder))
    assert capsys.readouterr().err.startswith(f"holtwalk: {folder.name}: ")


def test_a_bug_of_another_version_and_one_shown_from_its_dumps_say_so(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, facts, folder = changed_bug(walk, tmp_path)
    facts |= {"versions": {"holtwalk": "0.0.9"}, "world": {"name": "theirs", "words": ["--dats", "gone"]}}
    dumps = {"cells": 12, "models": 4, "size": 300_000, "told_again": ""}
    (folder / "bug.json").write_text(json.dumps(facts | {"dumps": dumps}))
    (folder / "dumps").mkdir()
    monkeypatch.setattr("viewer.commands.walk.run", lambda *_: 0)
    assert open_command.run(parse(["open", str(folder)])[1]) == 0
    told = capsys.readouterr().err
    assert f"{folder}: written by Holtwalk 0.0.9; this is {VERSION}\n" in told
    assert "its world is not here; shown from its dumps (12 cells and 4 models, 0.3 MB), without" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--demo", "--record", "VICTIM"], "world: words[1]: '--record' is no option that opens a world"),
        (["--demo", "--report=VICTIM"], "is no option that opens a world"),
        (["--dats", "--report=VICTIM"], "--dats has no DIR"),
        (["--scene"], "--scene has no FILE"),
        (["--or-tour"], "'--or-tour' is no option that opens a world"),
        (["--spawns", "a\0b"], "world: words[1]: 'a\\x00b' can be no file's name"),
        (["--dats", "\ud800"], "can be no file's name"),
    ],
)
def test_a_bug_folder_of_a_stranger_writes_over_nothing_by_its_world(
    walk: Walk, tmp_path: Path, words: list[str], says: str
) -> None:
    victim, facts, folder = changed_bug(walk, tmp_path)
    facts["world"]["words"] = [word.replace("VICTIM", str(victim)) for word in words]
    (folder / "bug.json").write_text(json.dumps(facts))
    with pytest.raises(UserError, match=re.escape(says)):
        open_command.run(parse(["open", str(folder)])[1])
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("place", ["modes", "start"])
def test_a_bug_folder_of_a_stranger_gives_no_options(walk: Walk, tmp_path: Path, place: str) -> None:
    victim, facts, folder = changed_bug(walk, tmp_path)
    option = f"--report={victim}"
    if place == "modes":
        (folder / "bug.json").write_text(json.dumps(facts | {"modes": [option]}))
    else:
        script = json.loads((folder / "sim.json").read_text())
        (folder / "sim.json").write_text(json.dumps(script | {"start": option}))
    with pytest.raises(UserError):
        open_command.run(parse(["open", str(folder)])[1])
    assert victim.read_text() == "mine"


def test_a_report_is_not_written_over_the_world_that_only_the_bug_folder_names(
    walk: Walk, tmp_path: Path
) -> None:
    victim, facts, folder = changed_bug(walk, tmp_path)
    facts["world"]["words"] = ["--demo", "--spawns", str(victim)]
    (folder / "bug.json").write_text(json.dumps(facts))
    with pytest.raises(UserError, match="which is read; nothing was written"):
        open_command.run(parse(["open", str(folder), "--report", str(victim)])[1])
    assert victim.read_text() == "mine"


def test_every_command_that_the_readme_tells_runs_as_it_stands_there(
    walk: Walk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(write(walk).split("; ")[0].removeprefix("saved "))
    monkeypatch.chdir(folder)
    text = (folder / "README.txt").read_text()
    lines = [line.strip() for line in text.splitlines() if line.startswith("    holtwalk ")]
    shown, case, capture = [shlex.split(line)[1:] for line in lines]
    assert open_command.world_words(parse(shown)[1], read_bug(Path(shown[1])))[0] == "--demo"
    for words in (case, capture):
        assert main(words) == 0, words
        assert "5 ticks" in (said := capsys.readouterr().out) or "5 of 5" in said, said
    assert read_bug(folder).facts.asked in text and f"Holtwalk {VERSION}." in text


def test_the_readme_names_the_dumps_where_there_are_some_and_asks_for_dats_where_there_are_none(
    walk: Walk,
) -> None:
    folder = Path(write(walk).split("; ")[0].removeprefix("saved "))
    facts = read_bug(folder).facts
    alone = readme(facts, everywhere=False)
    assert "replay capture.jsonl --compare capture --dats YOUR_DATS --scene scene.json\n" in alone
    assert "client_portal.dat" in alone
    dumped = readme(replace(facts, dumps=BugDumps(Dumped(1, 1, 1), "")), everywhere=False)
    assert "replay capture.jsonl --compare capture --dumps dumps\n" in dumped
    assert "holtwalk open . --dumps dumps\n" in dumped and "holtwalk sim --cases .\n" in dumped
    assert "dats" not in dumped
    for text in (alone, dumped):
        for line in text.splitlines():
            if line.startswith("    holtwalk "):
                parse(shlex.split(line)[1:])


def test_the_demo_alone_is_everywhere(tmp_path: Path, walk: Walk) -> None:
    assert bug_report.is_everywhere(walk.simulation.world)
    for name in ("client_cell_1.dat", "client_portal.dat"):
        shutil.copy(DEMO / name, tmp_path)
    assert not bug_report.is_everywhere(World(SourceArguments(dats=tmp_path).open()))
