"""Commands that go over many things: one that breaks is a failed result with its name, the rest goes on."""

import json
import shutil

import pytest

from engine.dat.check import everything as dat_check
from engine.dat.check import listing
from engine.dat.container.installation import DatFiles
from engine.replay import replay as replay_module
from engine.replay.audit import auditing as audit_run
from engine.replay.audit import finding as kind
from engine.replay.audit.auditing import audit_block
from engine.replay.cases import case_folders, run_case
from engine.replay.scenarios.scenario import Outcome, Scenario, run_scenario
from tests.places import DEMO
from tests.replay.audit.audit_world import ROOM_A, ROOM_B, house, with_plane
from tests.replay.capture_lines import line
from tests.world.world_records import BLOCK
from viewer.main import main


def fails(*_args, **_kwargs):
    raise ZeroDivisionError("float division\nby zero")


@pytest.mark.parametrize("number", [0.0, 5e-324, 1e-200])
def test_a_plane_of_no_direction_ends_no_audit(number):
    """Before it ended the whole run, with every other landblock's findings."""
    tally = audit_block(house(stab_a=(0x101, 0x1FE), rooms=[ROOM_A, with_plane(ROOM_B, number)]), BLOCK)
    assert kind.UNKNOWN_STAB in tally.counts
    assert kind.UNFINISHED not in tally.counts, tally.examples
    assert any("0x0D000002" in text for text in tally.examples[kind.DAMAGED]), tally.examples


@pytest.mark.parametrize("question", ["CellShape", "gap_findings", "stab_findings", "flip_findings"])
def test_a_question_that_fails_is_a_finding_beside_the_others(monkeypatch, question):
    monkeypatch.setattr(audit_run, question, fails)
    tally = audit_block(house(at_b=(64.0, 60.0, 94.02)), BLOCK)
    assert tally.counts[kind.UNFINISHED] == (2 if question == "CellShape" else 1)
    (text, *_) = tally.examples[kind.UNFINISHED]
    assert text.startswith(f"0x{BLOCK >> 16:04X}")
    assert text.endswith(": float division by zero")
    assert "internal error: ZeroDivisionError in test_broken_members.py, line " in text
    assert question == "CellShape" or kind.NOT_MEETING in tally.counts


def test_a_landblock_that_cannot_be_loaded_is_a_finding(monkeypatch):
    world = house()
    monkeypatch.setattr(world.loader, "load", fails)
    tally = audit_block(world, BLOCK)
    why, *unseen = tally.examples[kind.UNFINISHED]
    assert "0xA9B40000, loading: internal error" in why
    assert unseen == [f"0xA9B40{cell:03X}: the cell could not be loaded" for cell in (0x100, 0x101)]
    assert (tally.blocks, tally.cells, tally.found) == (1, 0, 3)


def test_a_scenario_that_breaks_has_failed():
    result = run_scenario(Scenario("broken", "a rule", fails), None)
    assert result.ok is False
    assert "ZeroDivisionError" in result.detail
    assert run_scenario(Scenario("sound", "a rule", lambda _stage: Outcome(ok=True)), None).ok is True


def test_a_case_that_breaks_or_lacks_a_file_has_failed(tmp_path, monkeypatch):
    for name, files in (("a", ("sim.json",)), ("b", ("expected.jsonl",)), ("c", ())):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text('{"start": "0xA9B40100 [0 0 0]", "steps": []}')
    folders = case_folders(tmp_path)
    assert [folder.name for folder in folders] == ["a", "b"]
    for folder, lacks in zip(folders, ("expected.jsonl", "sim.json"), strict=True):
        result = run_case(folder)
        assert not result.passed
        assert f"{lacks}: there is no such file" in result.error
    monkeypatch.setattr("engine.replay.cases.read_script", fails)
    assert "internal error: ZeroDivisionError" in run_case(folders[0]).error


def test_a_record_that_breaks_has_failed_and_the_next_one_is_run(tmp_path, monkeypatch, capsys):
    real, calls = replay_module.stand, []

    def stand(*args):
        calls.append(args)
        return fails() if len(calls) == 1 else real(*args)

    monkeypatch.setattr(replay_module, "stand", stand)
    place = {"x": 155.4, "y": 15.2, "z": 94.0}
    good = line(input__currentPos=place, input__targetPos=place)
    path = tmp_path / "capture.jsonl"
    path.write_text("\n".join((good, good, '{"tick": 3', good)))
    assert main(["replay", str(path), "--demo", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    results = document["results"]
    assert [result["ok"] for result in results] == [False, True, False, True]
    assert "internal error: ZeroDivisionError" in results[0]["detail"]
    assert "capture.jsonl: line 3: column 11: not JSON" in results[2]["detail"]
    assert results[2]["figures"].keys() == results[3]["figures"].keys()
    assert main(["replay", str(path), "--demo", "--max-off", "2"]) == 0
    assert "OFF record 2: " in capsys.readouterr().out


def test_an_object_that_breaks_the_check_is_a_finding(tmp_path, monkeypatch):
    for file in DEMO.glob("*.dat"):
        shutil.copy(file, tmp_path)
    real = dat_check.decode  # type: ignore[attr-defined]

    def decode(name, data, file, object_id):
        return fails() if object_id == 0xA9B4FFFF else real(name, data, file, object_id)

    monkeypatch.setattr(dat_check, "decode", decode)
    with DatFiles.open(tmp_path) as files:
        report = dat_check.check(files)
    (found,) = report.findings
    assert (found.kind, found.object_id) == ("damaged", 0xA9B4FFFF)
    assert "internal error: ZeroDivisionError" in found.detail
    assert sum(report.objects.values()) > 400


def test_an_object_that_breaks_is_passed_over_where_all_are_shown(monkeypatch, capsys):
    real = listing.decode  # type: ignore[attr-defined]

    def decode(name, data, file, object_id):
        return fails() if object_id == 0xA9B4FFFF else real(name, data, file, object_id)

    monkeypatch.setattr(listing, "decode", decode)
    assert main(["dat", "show", "--all", "--type", "LandBlock", "--json", "--demo"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) > 20
    (said,) = err.splitlines()
    assert "object 0xA9B4FFFF: internal error: ZeroDivisionError" in said
