"""Recording, replaying, running folders of cases and auditing, as commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.files.format_version import CAPTURE, KEY, TICKS, stamp
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.recorder import CaptureRecorder
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.files.closed_folders import close
from tests.places import DEMO, SHARED
from tests.viewer.programs import Program
from viewer.main import main
from viewer.window.walking.walk import Walk

DOOR = 0x7A9B4015
COTTAGE = str(SHARED / "examples" / "cottage")
WEDGE = str(SHARED / "examples" / "cellar-lip__wedge-records.jsonl")
THRESHOLD = str(SHARED / "examples" / "doorway-threshold-capture.jsonl")
VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"


@pytest.fixture(autouse=True)
def no_dats_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)


@pytest.fixture
def script(tmp_path: Path) -> str:
    """A walk from the demo cottage's vestibule at its closed door, which then is used, and out."""
    path = tmp_path / "script.json"
    steps = [
        {"ticks": 12, "walk": [0.0, 0.1, 0]},
        {"ticks": 5, "walk": [0.0, -0.1, 0]},
        {"use": "0x7A9B4015"},
        {"ticks": 40, "walk": [0.0, 0.1, 0]},
        {"jump": 0.4},
        {"ticks": 30, "walk": [0.05, 0.1, 0]},
    ]
    path.write_text(json.dumps({"start": VESTIBULE, "steps": steps}))
    return str(path)


def test_a_recorded_script_replays_as_recorded(program: Program, tmp_path: Path, script: str) -> None:
    capture = str(tmp_path / "walk.jsonl")
    lines = [
        json.loads(line) for line in program.run("sim", script, "--json", "--record", capture).splitlines()
    ]
    document = program.json("replay", capture, "--compare", "capture")
    assert document["ok"] is True
    assert len(document["results"]) == len(lines) == 87
    for result, line in zip(document["results"], lines, strict=True):
        figures = result["figures"]
        assert {"tick", "cell", "position", "on_ground", "collided", "normal", "advance", "requested",
                "accepted", "recorded", "hits"} == set(figures)  # fmt: skip
        assert figures["hits"] == line["hits"]
        assert {key: figures[key] for key in ("cell", "position", "on_ground", "collided", "normal")} == {
            key: line[key] for key in ("cell", "position", "on_ground", "collided", "normal")
        }
        recorded = dict(figures["recorded"])
        assert recorded == {key: figures[key] for key in recorded}
    assert {line["cell"] for line in lines} == {"0xA9B40170", "0xA9B40031"}
    told = program.run("replay", capture, "--compare", "capture")
    assert "87 of 87 records agree" in told
    assert re.search(r", went [0-9.]+ m of the [0-9.]+ m asked for; ", told)


def test_a_walk_with_a_door_made_ethereal_replays_as_recorded(program: Program, tmp_path: Path) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.teleport(simulation.world.locate("0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"))
    walk = Walk(simulation)
    capture = tmp_path / "walk.jsonl"
    ahead, back = MovementInput(forward=1), MovementInput(forward=-1, turn=1)
    with CaptureRecorder(simulation, capture):
        for keys, seconds, ethereal in ((ahead, 1.5, False), (back, 0.5, True), (ahead, 2.0, True)):
            walk.set_ethereal(DOOR, ethereal=ethereal)
            for _ in range(round(seconds / TICK)):
                walk.advance(TICK * 1.001, keys)
    report = walk.report()
    assert report.sweep is not None and report.sweep.lookup is not None
    assert report.sweep.lookup.ticks > 100
    document = program.json("replay", str(capture), "--compare", "capture")
    assert document["ok"] is True
    for result in document["results"]:
        recorded = result["figures"]["recorded"]
        assert {key: result["figures"][key] for key in recorded} == recorded


def test_a_recording_that_is_wrong_is_off_unless_so_many_may_be(
    program: Program, tmp_path: Path, script: str
) -> None:
    capture = tmp_path / "walk.jsonl"
    program.run("sim", script, "--record", str(capture))
    lines = capture.read_text().splitlines()
    document = json.loads(lines[5])
    document["result"]["position"]["y"] += 0.02
    lines[5] = json.dumps(document)
    capture.write_text("\n".join(lines))
    program.run("replay", str(capture))
    found = program.json("replay", str(capture), "--compare", "capture", code=1)
    (off,) = [result for result in found["results"] if not result["ok"]]
    assert (found["ok"], off["name"], off["figures"]["tick"]) == (False, "record 5", 5)
    assert "20.0 mm off" in off["detail"]
    allowed = program.json("replay", str(capture), "--compare", "capture", "--max-off", "1")
    assert allowed["ok"] is True


def test_a_record_in_a_cell_that_is_not_there_could_not_be_run(
    program: Program, tmp_path: Path, script: str
) -> None:
    capture = tmp_path / "walk.jsonl"
    program.run("sim", script, "--record", str(capture))
    capture.write_text(capture.read_text().splitlines()[0].replace("2847146352", str(0x12340100)))
    document = program.json("replay", str(capture), code=1)
    assert document["results"][0]["figures"]["cell"] is None
    assert "0x12340100" in document["results"][0]["detail"]


@pytest.mark.shared
def test_real_captures(program: Program) -> None:
    wedge = program.json("replay", WEDGE, "--dumps", COTTAGE)["results"]
    figures = [result["figures"] for result in wedge]
    assert len(figures) == 29
    assert sum(f["advance"] > 0.25 * f["requested"] for f in figures) >= 18
    assert figures[9]["position"][2] >= 93.95
    assert all(f["recorded"]["advance"] <= 0.25 * f["requested"] for f in figures)
    threshold = program.json("replay", THRESHOLD, "--dumps", COTTAGE)["results"]
    cells = [result["figures"]["cell"] for result in threshold]
    assert [a for a, b in zip(cells, ["", *cells], strict=False) if a != b] == ["0xA9B40170", "0xA9B40031"]
    compare = ("replay", THRESHOLD, "--dumps", COTTAGE, "--compare", "capture")
    program.run(*compare, code=1)
    told = program.run(*compare, "--max-off", "23").splitlines()
    assert any(line.startswith("34 of 57 records agree") for line in told)
    off = [line for line in told[:57] if line.startswith("OFF")]
    again = told[57:62]  # the first ones once more, beneath all lines
    for line, short in zip(off, again, strict=False):
        assert short.startswith(line[: line.index(",")] + ", line ")
        assert short.split("line ")[1].split(", ")[1] in line  # what is off
    assert told[62] == f"OFF as well: {len(off) - 5} more, above"


@pytest.mark.shared
def test_a_folder_of_cases_is_counted(program: Program, tmp_path: Path) -> None:
    names = ("box-wall-straight", "cellar-lip-up", "door-toggle-push")
    for name in names:
        (tmp_path / name).symlink_to(SHARED / "cases" / name)
    document = program.json("sim", "--cases", str(tmp_path))
    assert [result["name"] for result in document["results"]] == list(names)
    for result in (*document["results"], document):
        figures = result["figures"]
        assert figures["ticks"] > 20
        assert figures["same_cell"] == figures["within_2_mm"] == figures["within_1_cm"] == 1.0
        assert figures["first_divergence"] is None
    text = program.run("sim", "--cases", str(tmp_path))
    assert "3 of 3 cases agree in every tick" in text
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sim.json").write_text("{")
    (broken / "expected.jsonl").write_text("")
    found = program.json("sim", "--cases", str(tmp_path), code=1)
    assert [result["name"] for result in found["results"] if not result["ok"]] == ["broken"]
    assert "sim.json" in found["results"][1]["detail"] + found["results"][0]["detail"]


def test_trace_says_what_a_static_look_up_would(program: Program, script: str) -> None:
    lines = [json.loads(line) for line in program.run("sim", script, "--json", "--trace").splitlines()]
    assert all(set(line["static_lookup"]) == {"cell", "disagrees", "disagreements"} for line in lines)
    step = lines[0]["trace"][0]
    assert {"picks", "hits", "tested", "responses", "result", "carried"} <= set(step)
    assert {"cell", "why", "added_by", "in_stab_list", "pruned", "picked", "holds_centre"} <= set(
        step["picks"][0]["candidates"][0]
    )
    text = program.run("sim", script, "--trace")
    assert "a static look-up disagrees with the sweep in" in text
    assert "picked 0xA9B40170 of 0xA9B40170 (seed, holds the centre)" in text


def test_an_audit_of_the_demo_finds_the_doorway_that_overlaps_and_nothing_else(program: Program) -> None:
    document = program.json("audit", "--landblock", "0xA9B4", code=1)
    assert document["ok"] is False
    found = {r["name"]: r["figures"]["count"] for r in document["results"] if not r["ok"]}
    assert found == {"portals-do-not-meet": 1, "overlapping-cells": 1, "look-up-flips": 2}
    told = program.run("audit", "--landblock", "A9B40170", code=1)
    assert "4 findings in 122 cells of 1 landblocks" in told
    document = program.json("audit", "--landblock", "0x0107")
    assert document["ok"] is True
    assert {(r["ok"], r["figures"]["count"]) for r in document["results"]} == {(True, 0)}


@pytest.mark.shared
def test_an_audit_with_findings_exits_with_1(program: Program) -> None:
    document = program.json("audit", "--dumps", COTTAGE, code=1)
    counts = {r["name"]: r["figures"]["count"] for r in document["results"] if not r["ok"]}
    assert counts["missing-neighbour"] == 1
    text = program.run("audit", "--dumps", COTTAGE, code=1)
    assert "0xA9B40172 portal 1 leads to 0xA9B4016F" in text
    assert "and 3 more" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("replay", "no.jsonl"), "no.jsonl: there is no such file"),
        (("replay",), "CAPTURE.jsonl"),
        (("replay", "no.jsonl", "--compare", "banana"), "banana"),
        (("replay", "no.jsonl", "--max-off", "-1"), "--max-off"),
        (("sim",), "name a script"),
        (("sim", "--cases", "no-folder"), "no-folder: there is no such folder"),
        (("sim", "--cases", "."), "holds sim.json and expected.jsonl"),
        (("sim", "a.json", "--cases", "."), "--cases"),
        (("audit", "--landblock", "0x1234"), "there is no landblock 0x1234"),
        (("audit", "--landblock", "xyz"), "'xyz'"),
        (("audit", "--dumps", "no-folder"), "no-folder"),
    ],
)
def test_bad_input_is_one_line_that_names_it(program: Program, words: tuple[str, ...], says: str) -> None:
    assert says in program.complaint(*words)


def test_a_capture_that_cannot_be_written_is_said(program: Program, script: str, tmp_path: Path) -> None:
    assert "nowhere" in program.complaint("sim", script, "--record", str(tmp_path / "nowhere" / "a.jsonl"))


def test_what_is_written_says_its_form_in_the_first_record_only(
    program: Program, tmp_path: Path, script: str
) -> None:
    capture, ticks = tmp_path / "walk.jsonl", tmp_path / "expected.jsonl"
    ticks.write_text(program.run("sim", script, "--json", "--record", str(capture)))
    for path, form in ((capture, CAPTURE), (ticks, TICKS)):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert [line.get(KEY) for line in lines] == [stamp(form)[KEY], *[None] * 86]
        assert [line["tick"] for line in lines] == list(range(87))
    assert "87 of 87 recorded ticks agree" in program.run("sim", script, "--expect", str(ticks))


@pytest.mark.parametrize(("tick", "aside", "code"), [(-1, 0.0, 0), (-1, 0.5, 1), (-7, 0.0, 2)])
def test_what_is_recorded_of_the_placement_is_compared_as_in_a_case(
    program: Program, tmp_path: Path, script: str, *, tick: int, aside: float, code: int
) -> None:
    """It was passed over: nothing was off, though the body had been put down elsewhere."""
    lines = [json.loads(line) for line in program.run("sim", script, "--json").splitlines()]
    x, y, z = World(demo_source(DEMO)).locate(VESTIBULE).frame.origin
    place = {"cell": lines[0]["cell"], "position": [x + aside, y, z]}
    placed = {"tick": tick, **place, "ok": True, "on_ground": True}
    ticks = tmp_path / "expected.jsonl"
    ticks.write_text("".join(json.dumps(line) + "\n" for line in (placed, *lines)))
    assert main(["sim", script, "--demo", "--expect", str(ticks)]) == code


def test_a_script_of_no_tick_is_recorded_replayed_and_agrees_with_itself(
    program: Program, tmp_path: Path
) -> None:
    script, capture, ticks = (tmp_path / name for name in ("sim.json", "walk.jsonl", "expected.jsonl"))
    script.write_text(json.dumps({"start": VESTIBULE, "steps": [{"use": hex(DOOR)}]}))
    ticks.write_text(program.run("sim", str(script), "--json", "--record", str(capture)))
    assert "0 of 0 recorded ticks agree" in program.run("sim", str(script), "--expect", str(ticks))
    assert json.loads(capture.read_text()) == stamp(CAPTURE)
    assert program.json("replay", str(capture), "--compare", "capture") == {"ok": True, "results": []}
    assert program.complaint("replay", str(capture), "--window") == (
        f"holtwalk: {capture}: holds no records: there is nothing to play\n"
    )
    capture.write_text("")  # of another program, which may have been cut off
    assert program.complaint("replay", str(capture)) == f"holtwalk: {capture}: holds no records\n"


@pytest.mark.parametrize(
    ("run", "recorded", "says"),
    [
        (2, 0, "no tick is recorded that could be compared: the script has 2"),
        (2, 4, "2 of 4 recorded ticks were not run: the script has 2"),
        (0, 4, "4 of 4 recorded ticks were not run: the script has 0"),
    ],
)
def test_a_run_that_is_shorter_or_longer_than_its_recording_is_no_agreement(
    program: Program,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    run: int,
    recorded: int,
    says: str,
) -> None:
    def script(ticks: int) -> str:
        path = tmp_path / f"{ticks}.json"
        steps = [{"ticks": ticks, "walk": [0, 0, 0]}] if ticks else []
        path.write_text(json.dumps({"start": VESTIBULE, "steps": steps}))
        return str(path)

    expected = tmp_path / "expected.jsonl"
    expected.write_text(program.run("sim", script(recorded), "--json"))
    words = ("sim", script(run), "--expect", str(expected))
    assert program.run(*words, code=1).splitlines()[-1] == says
    assert main([*words, "--json"]) == 1
    assert capsys.readouterr().err == f"holtwalk: {expected}: {says}\n"


def test_a_newer_file_is_one_line_and_code_2(program: Program, tmp_path: Path, script: str) -> None:
    newer = tmp_path / "newer.jsonl"
    for form, words in ((CAPTURE, ["replay"]), (TICKS, ["sim", script, "--expect"])):
        newer.write_text(json.dumps({KEY: {"format": form.name, "version": 7}, "tick": 0}) + "\n")
        assert program.complaint(*words, str(newer)) == (
            f"holtwalk: {newer}: line 1: is of version 7 of the form '{form.name}'; "
            f"this program reads it up to {form.version}\n"
        )


def test_captures_that_may_not_be_read_are_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close(tmp_path, monkeypatch)
    assert main(["replay", "--demo", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]) == 2
    assert capsys.readouterr().err == f"holtwalk: {tmp_path / 'a.jsonl'}: can't be read (Permission denied)\n"


def test_records_before_a_line_that_ends_the_reading_count_beside_other_captures(
    program: Program, tmp_path: Path, script: str
) -> None:
    """They counted alone, and not with another capture or a state."""
    sound, ended = tmp_path / "sound.jsonl", tmp_path / "ended.jsonl"
    program.run("sim", script, "--demo", "--record", str(sound))
    lines = sound.read_text().splitlines(keepends=True)
    newer = json.dumps({KEY: {"format": CAPTURE.name, "version": 7}, **json.loads(lines[2])})
    ended.write_text("".join(lines[1:4]) + newer + "\n")
    results = program.json("replay", str(sound), str(ended), "--demo", "--jobs", "1", code=1)["results"]
    assert [result["ok"] for result in results if result["capture"] == str(ended)] == [True] * 3 + [False]
