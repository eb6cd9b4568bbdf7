"""The recorded cases: every tick in the recorded cell, in the recorded state and within 2 mm."""

import json

import pytest

from engine.physics.simulation.saved import save
from engine.replay.begin import begin_document, begin_of
from engine.replay.cases import case_document, case_folders, document_totals, run_case
from engine.replay.sim import parse_recorded, start_script
from engine.replay.sim_script import parse_script
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SourceArguments, open_source
from tests.places import DEMO, SHARED
from viewer.main import main

CASES = SHARED / "cases"
FOLDERS = case_folders(CASES) if CASES.is_dir() else []


@pytest.mark.shared
def test_there_are_cases():
    assert len(FOLDERS) >= 71


@pytest.mark.shared
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(folder):
    result = run_case(folder)
    assert result.passed, result.describe()


@pytest.mark.shared
def test_split_trees_come_to_the_same():
    for name in ("b-main-walk-2", "cellar-lip-up", "door-closed-30deg", "stairs-up"):
        result = run_case(CASES / name, split_trees=True)
        assert result.passed, result.describe()


@pytest.mark.shared
def test_a_tampered_recording_is_found(tmp_path):
    source = CASES / "box-wall-straight"
    folder = tmp_path / source.name
    folder.mkdir()
    (folder / "dumps").symlink_to(source / "dumps")
    (folder / "sim.json").write_text((source / "sim.json").read_text())
    rows = [json.loads(line) for line in (source / "expected.jsonl").read_text().splitlines()]
    rows[11]["position"][0] += 0.005
    (folder / "expected.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = run_case(folder)
    assert not result.passed
    assert (result.near, result.close) == (result.compared, result.compared - 1)
    assert "tick 10; 5.0 mm off" in result.describe()
    figures = result.figures()
    assert (figures["first_divergence"], figures["within_1_cm"], figures["same_cell"]) == (10, 1.0, 1.0)
    assert figures["within_2_mm"] == pytest.approx(1.0 - 1.0 / result.compared)
    whole, line = document_totals([case_document(result)] * 2)
    assert whole["ticks"] == 2 * result.compared
    assert whole["first_divergence"] == 10 and line.endswith(f"; first: {result.detail}")


def test_a_case_that_cant_be_run_says_why(tmp_path):
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "sim.json").write_text("{")
    (folder / "expected.jsonl").write_text("")
    (result,) = [run_case(found) for found in case_folders(tmp_path)]
    assert not result.passed
    assert result.describe().startswith("broken: ")
    assert "line 1" in result.detail
    assert result.figures()["same_cell"] == 0.0


@pytest.mark.parametrize(
    ("recorded", "why"),
    [
        ((0.1, [-1]), "no tick is recorded that could be compared: the script has 3"),
        ((0.1, [-1, 0, 1, 2, 3]), "1 of 4 recorded ticks were not run: the script has 3"),
        ((0, []), ""),
        ((0, [-1]), ""),
    ],
)
def test_a_case_agrees_by_the_rule_that_one_scripts_recording_agrees_by(tmp_path, capsys, recorded, why):
    """A recording of the placement alone agreed, and one of no tick with a script of none did not."""
    seconds, lines = recorded
    start = "0xA9B40170 [155.4 15.2 94.005] 1 0 0 0"
    script = {"start": start, "steps": [{"wait": seconds}] if seconds else []}
    (tmp_path / "sim.json").write_text(json.dumps(script))
    line = {"cell": "0xA9B40170", "position": [155.4, 15.2, 94.005]}
    text = "".join(json.dumps({"tick": tick, **line}) + "\n" for tick in lines)
    (tmp_path / "expected.jsonl").write_text(text)
    result = run_case(tmp_path, world_of=SourceArguments(dats=DEMO))
    assert (result.passed, result.detail) == (not why, why)
    words = [str(tmp_path / "sim.json"), "--expect", str(tmp_path / "expected.jsonl"), "--demo"]
    assert main(["sim", *words]) == (1 if why else 0)
    assert why in capsys.readouterr().out


START = "0xA9B40170 [155.4 15.2 94.005] 1 0 0 0"
LINE = {"cell": "0xA9B40170", "position": [155.4, 15.2, 94.005]}


def begun_after(ticks):
    """What a script of so many ticks later has of the body that stands there."""
    simulation = start_script(World(open_source(dats=DEMO)), parse_script({"start": START, "steps": []}))
    for _ in range(ticks):
        simulation.move_tick((0.0, 0.0, 0.0))
    return begin_document(begin_of(save(simulation), simulation))


@pytest.mark.parametrize("before", [0, 2, 40])
@pytest.mark.parametrize(("ticks", "lacking"), [([0, 1, 2], 0), ([0, 1], 1), ([2], 2)])
def test_a_recording_that_is_cut_behind_a_line_is_told(tmp_path, capsys, *, ticks, lacking, before):
    """What is left of it agreed, and nothing told of the rest; where a script begins later, all was told."""
    script = {"start": START, "steps": [{"wait": 0.1}]}
    if before:
        script["begin"] = begun_after(before)
    (tmp_path / "sim.json").write_text(json.dumps(script))
    recorded = tmp_path / "expected.jsonl"
    lines = [{"tick": -1, **LINE}, *({"tick": before + tick, **LINE} for tick in ticks)]
    recorded.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = [f"not recorded, and not compared: {lacking} of 3 ticks"] if lacking else []
    result = run_case(tmp_path, world_of=SourceArguments(dats=DEMO))
    assert (result.passed, list(result.told)) == (True, told)
    for more in ([], ["--json"]):
        assert main(["sim", str(tmp_path / "sim.json"), "--expect", str(recorded), "--demo", *more]) == 0
        said = capsys.readouterr().err.splitlines()
        assert said == [f"holtwalk: {recorded}: {line}" for line in told]


@pytest.mark.parametrize("name", ["ok", "on_ground"])
@pytest.mark.parametrize("value", [1, 0, "false"])
def test_what_is_neither_true_nor_false_is_refused(name, value):
    """It was passed over, and the tick counted as agreeing."""
    line = {"tick": 0, "cell": "0xA9B40170", "position": [1, 2, 3]}
    with pytest.raises(JsonError, match=f"here: {name}: expected true or false, not "):
        parse_recorded(json.dumps({**line, name: value}), "here")
    unsaid = parse_recorded(json.dumps({**line, name: None}), "here")
    assert unsaid == parse_recorded(json.dumps(line), "here")
