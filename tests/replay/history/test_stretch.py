"""A stretch of a walk that is handed on: script, expected ticks and capture come to what was."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.inputs import KeysTick
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.begin import begin_document, begin_of, go_to_begin, read_begin
from engine.replay.capture import read_capture
from engine.replay.history.stretch import write_capture, write_script
from engine.replay.replay import replay
from engine.replay.sim import run_steps, start_script
from engine.replay.sim_script import parse_script, read_script
from engine.replay.told import placed_document, steps_of
from engine.world.cells import PlacedObject
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError, Node
from engine.world.sources.open_source import SourceArguments, open_source
from tests.places import DEMO
from tests.replay.history.door_walks import AHEAD, DOOR_ID, walked, walking


def demo() -> World:
    return World(open_source(demo=DEMO))


@pytest.mark.parametrize("seed", range(3))
def test_a_script_from_the_middle_of_anything_comes_to_the_same_to_the_bit(tmp_path, seed):
    _, history = walked(seed)
    write_script(history, 60, 160, tmp_path)
    script = read_script(tmp_path / "sim.json")
    assert script.ticks == 100
    expected = [json.loads(line) for line in (tmp_path / "expected.jsonl").read_text().splitlines()]
    expected[0].pop("holtwalk")
    reports = run_steps(start_script(demo(), script), script)
    again = [json.loads(json.dumps(report.to_json())) for report in reports]
    for got, want in zip(again, expected, strict=True):
        assert got == want


def test_a_capture_of_the_stretch_replays_as_recorded_and_the_walk_is_where_it_was(tmp_path):
    sim, history, watch = walking()
    for tick in range(120):
        if tick == 50:
            sim.use(DOOR_ID)
        sim.input_tick(AHEAD)
    before, words = sim.report().to_json(), watch.now and watch.now.words
    history.show(100)
    shown = sim.report().to_json()
    again = write_capture(history, 10, 100, tmp_path / "capture.jsonl")
    assert again.first_other is None
    assert sim.report().to_json() == shown
    assert history.last == 119
    history.show(119)
    assert sim.report().to_json() == before
    assert (watch.now and watch.now.words) == words
    records = read_capture(tmp_path / "capture.jsonl")
    assert [record.tick for record in records] == list(range(11, 101))
    assert all(not done.differences() for done in replay(demo(), records))


def test_a_stretch_that_comes_to_something_else_says_so(tmp_path):
    sim, history, _ = walking()
    for _ in range(40):
        sim.input_tick(AHEAD)
    moment = history.moments[30]
    history.moments[30] = replace(moment, told=(KeysTick(MovementInput(forward=-1)),))
    again = write_capture(history, 10, 39, tmp_path / "capture.jsonl")
    assert again.first_other is not None
    assert "otherwise from tick 29 on" in again.words


def test_a_beginning_is_read_as_it_was_written():
    sim, history = walked()
    begin = begin_of(history.at(150).saved, sim)
    document = json.loads(json.dumps(begin_document(begin)))
    again = read_begin(Node(document, "begin"))
    assert begin_document(again) == begin_document(begin)
    assert document["doors"]


def test_a_list_in_a_beginning_that_is_too_short_or_too_long_is_told_with_its_place():
    """Whatever list of it has a member less or more: it is read all the same, or refused with its place."""
    sim, history = walked()
    lamp = placed_document(
        PlacedObject(7, 0x02000001, 0xA9B40022, Frame((1.0, 2.0, 3.0)), is_entity=True, hours=(17.5, 6.75))
    )
    document = json.loads(json.dumps(begin_document(begin_of(history.at(150).saved, sim))))
    document["spawned"] = [lamp]
    document["body"]["met"] = [["0x7A9B4015", 1.5, False]]
    read_begin(Node(document, "begin"))
    refused = 0
    for holder, key in list(lists_of(document)):
        kept = holder[key]
        for changed in (kept[:-1], [*kept, *kept[-1:]], [*kept, None]):
            holder[key] = changed
            try:
                read_begin(Node(document, "begin"))
            except JsonError as error:
                assert str(error).startswith("begin: ")
                refused += 1
        holder[key] = kept
    assert refused > 20


def test_what_a_beginning_tells_of_and_the_world_has_not_is_said_and_a_cell_that_is_not_there_refused():
    sim, history = walked()
    begin = begin_of(history.at(150).saved, sim)
    (_, door), *_ = begin.doors
    again = Simulation(World(open_source(demo=DEMO)))
    go_to_begin(again, begin)
    assert again.world.problems.lines == []
    go_to_begin(
        again, replace(begin, states=((0x7A9B4999, 0x1000C),), removed=(0x7A9B4998,), doors=((5, door),))
    )
    (line,) = again.world.problems.lines
    assert line.endswith("tells of 0x00000005, 0x7A9B4998, 0x7A9B4999, which this world has not")
    with pytest.raises(SimulationError, match="there is no cell 0xA9B40999 around"):
        go_to_begin(again, replace(begin, body=replace(begin.body, cell=0xA9B40999)))
    document = begin_document(begin)
    document["body"]["orientation"] = [5.0, 0.0, 0.0, 0.0]
    with pytest.raises(JsonError, match="body: orientation: the orientation's length is"):
        read_begin(Node(document, "begin"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda body: body.update(friction=2.5), "body: friction: 2.5 is not between 0 and 1"),
        (lambda body: body.update(friction=-0.1), "body: friction: -0.1 is not between 0 and 1"),
        (
            lambda body: body.update(contact={"plane": [0, 0, 0, 1], "cell": 1, "water": False}),
            "contact: plane: the normal's length is 0",
        ),
    ],
)
def test_a_body_that_no_tick_could_leave_is_refused(change, says):
    sim, history = walked()
    document = json.loads(json.dumps(begin_document(begin_of(history.at(150).saved, sim))))
    change(document["body"])
    with pytest.raises(JsonError, match=says):
        read_begin(Node(document, "begin"))


def lists_of(value):
    """Every list in a document, by what holds it and the key it has there."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(member, list):
            yield value, key
        if isinstance(member, dict | list):
            yield from lists_of(member)


def test_ticks_by_the_same_keys_are_one_step():
    sim, history, _ = walking()
    for _ in range(30):
        sim.face(180.0)
        sim.input_tick(AHEAD)
    sim.input_tick(MovementInput(turn=1))
    told = [one for moment in history.stretch(0, 30) for one in moment.told]
    assert steps_of(told) == [
        {"face": 180.0},
        {"keys": {"forward": 1, "run": True}, "ticks": 30},
        {"keys": {"turn": 1}, "ticks": 1},
    ]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"keys": {"forward": 2}}, "must be -1, 0 or 1"),
        ({"keys": {"jump": 2.0}}, "an extent lies between 0 and 1"),
        ({"keys": {"fly": 1}}, "fly"),
        ({"face": "north"}, "number"),
        ({"put": {"cell": "0x1", "origin": [1, 2], "orientation": [1, 0, 0, 0]}}, "expected 3 numbers"),
        ({"stage_door": {"entity": "0x1", "state": "0x1", "phase": "ajar", "since": 0}}, "expected one of"),
    ],
)
def test_a_step_that_makes_no_sense_is_one_line(step, reason):
    document = {"start": "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1", "steps": [step]}
    with pytest.raises(JsonError) as error:
        parse_script(document, "sim.json")
    assert "\n" not in str(error.value)
    assert reason in str(error.value)


def test_a_folder_that_is_a_case_itself_is_run(tmp_path):
    from engine.replay.cases import case_folders, run_case

    _, history = walked(1, 60)
    folder = tmp_path / "bug"
    folder.mkdir()
    write_script(history, 10, 50, folder)
    assert case_folders(folder) == [folder]
    result = run_case(folder, world_of=SourceArguments(demo=DEMO))
    assert result.passed, result.describe()
    assert result.compared == 40
    (folder / "dumps").touch()
    assert f"{folder / 'dumps'}: " in run_case(folder, world_of=SourceArguments(demo=DEMO)).error
    (folder / "dumps").unlink()
    shutil.copytree(folder, tmp_path / "cases" / "bug")
    assert case_folders(tmp_path / "cases") == [tmp_path / "cases" / "bug"]
    shutil.copy(folder / "sim.json", tmp_path / "cases")  # what lies beside them hid all of them
    assert case_folders(tmp_path / "cases") == [tmp_path / "cases", tmp_path / "cases" / "bug"]
