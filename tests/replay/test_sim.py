"""Sim scripts: what they may say, and what running them gives."""

import json
import tracemalloc

import pytest

from engine.physics.simulation.arrival import SimulationError
from engine.replay.sim import compare, read_recording, run_steps, start_script
from engine.replay.sim_script import (
    JumpStep,
    LaunchStep,
    MoveStep,
    SetStateStep,
    TeleportStep,
    UseStep,
    parse_script,
    read_script,
)
from engine.world.sources.json_node import JsonError
from tests.physics.rooms import ROOM
from tests.replay.door_stage import DOOR, START, stage


def script(*steps, **more):
    return parse_script({"start": START, "steps": list(steps), **more})


def test_every_kind_of_step():
    steps = script(
        {"ticks": 2, "move": [0, 0.1, 0]},
        {"ticks": 3, "walk": [0, 0.1, 0]},
        {"moves": [[0, 0.1, 0], [0.5, 0, 0]]},
        {"walks": [[0, 0.1, 0]]},
        {"jump": 0.5},
        {"launch": [2.0, 0, 5.0]},
        {"use": "0x7A9B4015"},
        {"set_state": ["0x7A9B4015", "0x1000C"]},
        {"wait": 0.5},
        {"teleport": START},
    ).steps
    assert [type(s) for s in steps] == [
        MoveStep, MoveStep, MoveStep, MoveStep, JumpStep, LaunchStep, UseStep, SetStateStep, MoveStep,
        TeleportStep,
    ]  # fmt: skip
    assert [s.ticks for s in steps if isinstance(s, MoveStep)] == [2, 3, 2, 1, 15]
    assert [s.walk for s in steps if isinstance(s, MoveStep)] == [False, True, False, True, True]
    assert steps[7] == SetStateStep(DOOR, 0x1000C)


def test_the_mover_is_the_player_unless_it_says_otherwise():
    assert len(script().mover.spheres) == 2
    assert (script().mover.step_up, script().mover.run_skill, script().mover.jump_skill) == (0.6, 200, 300)
    mover = script(mover={"spheres": [[0, 0, 0.5, 0.25]], "step_up": 0.5, "burden": 1.5}).mover
    assert (len(mover.spheres), mover.step_up, mover.step_down, mover.burden) == (1, 0.5, 1.5, 1.5)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "expected an object"),
        ({"start": START}, "'steps' is missing"),
        ({"start": "nowhere", "steps": []}, "start"),
        ({"start": 5, "steps": []}, "walk.json: start: expected a string"),
        ({"start": START, "steps": [{"fly": 1}]}, "steps[0]: a step is one of"),
        ({"start": START, "steps": [{"ticks": -1, "move": [0, 0, 0]}]}, "steps[0]: ticks"),
        ({"start": START, "steps": [{"ticks": 2, "move": [0, 0]}]}, "expected 3 numbers"),
        ({"start": START, "steps": [{"jump": 2}]}, "between 0 and 1"),
        ({"start": START, "steps": [{"wait": -1}]}, "can't wait"),
        ({"start": START, "steps": [{"use": "door"}]}, "'door' is not a number"),
        ({"start": START, "steps": [{"set_state": ["0x1"]}]}, "expected [entity, state]"),
        ({"start": START, "steps": [{"ticks": 10**9, "move": [0, 0, 0]}]}, "ticks"),
        ({"start": START, "steps": [], "mover": {"spheres": []}}, "one or two spheres"),
        ({"start": START, "steps": [], "mover": {"spheres": [[0, 0, 0, -1]]}}, "must be positive"),
        ({"start": START, "steps": [], "mover": {"step_up": -1}}, "must not be negative"),
        ({"start": START, "steps": [], "speed": 1}, "'speed' means nothing here"),
    ],
)
def test_a_bad_script_is_one_clear_line(document, words):
    with pytest.raises(JsonError) as error:
        parse_script(document, "walk.json")
    assert str(error.value).startswith("walk.json")
    assert str(error.value).count("walk.json") == 1
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_script_that_is_no_json(tmp_path):
    (tmp_path / "s.json").write_text("{")
    with pytest.raises(JsonError, match=r"s\.json: line 1"):
        read_script(tmp_path / "s.json")


def lines(*steps):
    asked = script(*steps)
    return list(run_steps(start_script(stage(), asked), asked))


def test_ticks_count_from_zero_and_only_ticks_emit_lines():
    reports = lines({"jump": 0.0}, {"ticks": 3, "move": [0.1, 0, 0]}, {"wait": 0.1})
    assert [r.tick for r in reports] == list(range(6))
    assert reports[2].position == pytest.approx((0.3, 0.0, 0.005), abs=1e-4)
    json.dumps([r.to_json() for r in reports])


def test_a_walk_is_bound_to_the_ground_and_a_jump_leaves_it():
    reports = lines({"ticks": 3, "walk": [0.1, 0, 0]}, {"jump": 1.0}, {"ticks": 4, "walk": [0.1, 0, 0]})
    assert [r.on_ground for r in reports] == [True] * 3 + [False] * 4
    assert reports[-1].position[0] == pytest.approx(0.3, abs=1e-4)
    assert reports[-1].position[2] > 1.0


def test_a_launch_flies_and_lands():
    reports = lines({"launch": [2.0, 0.0, 5.0]}, {"wait": 3.0})
    assert not reports[0].on_ground
    assert reports[-1].on_ground
    assert reports[-1].position[0] > 1.5


def test_a_door_set_ethereal_lets_the_next_tick_through():
    push = {"ticks": 6, "move": [0, 0.25, 0]}
    closed = lines(push, push)
    assert closed[-1].position[1] < 1.6
    opened = lines(push, {"set_state": [hex(DOOR), "0x1000C"]}, {"moves": [[0.02, 0.25, 0]]}, push, push)
    assert opened[-1].position[1] > 3.0


def test_use_opens_a_door():
    reports = lines({"use": hex(DOOR)}, {"ticks": 12, "move": [0, 0.25, 0]})
    assert reports[-1].position[1] > 2.5


def test_a_teleport_acts_before_the_next_tick():
    reports = lines({"teleport": "0xA9B40100 [5 5 0.2]"}, {"ticks": 1, "move": [0.1, 0, 0]})
    assert [r.position for r in reports] == [pytest.approx((5.1, 5.0, 0.005), abs=1e-4)]


@pytest.mark.parametrize(
    "step", [{"use": "0x1"}, {"set_state": ["0x1", 4]}, {"teleport": "0xA9B40177 [5 5 0.2]"}]
)
def test_what_is_not_there_is_one_clear_line(step):
    with pytest.raises(SimulationError) as error:
        lines(step)
    assert "\n" not in str(error.value)


def recording(tmp_path, *rows):
    path = tmp_path / "expected.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows) + "\n\n")
    return path


def row(tick, x, **more):
    return {"tick": tick, "cell": "0xA9B40100", "position": [x, 0, 0.005], **more}


def test_a_tick_agrees_when_the_cell_is_equal_and_the_place_within_a_centimetre(tmp_path):
    rows = [row(0, 0.1), row(1, 0.209), row(2, 0.311), row(3, 0.4, cell="0xA9B40101"), row(4, 9, loose=True)]
    recorded = read_recording(recording(tmp_path, *rows))
    deviations = list(compare(lines({"ticks": 5, "move": [0.1, 0, 0]}), recorded))
    assert [d.agrees for d in deviations] == [True, True, False, False]
    assert "11.0 mm off" in deviations[2].describe()
    assert "0xA9B40100 instead of 0xA9B40101" in deviations[3].describe()


def test_another_landblock_is_infinitely_far(tmp_path):
    recorded = read_recording(recording(tmp_path, row(0, 0.1, cell="0xA9B50100")))
    (deviation,) = compare(lines({"ticks": 1, "move": [0.1, 0, 0]}), recorded)
    assert not deviation.agrees
    assert deviation.distance == float("inf")


@pytest.mark.parametrize(
    "bad",
    [
        "{", "[]", '{"tick": 0}', '{"tick": 0.5, "cell": "0x1", "position": [0, 0, 0]}',
        '{"tick": -2, "cell": "0x1", "position": [0, 0, 0]}',  # it would be compared with nothing
    ],
)  # fmt: skip
def test_a_bad_recording_is_one_clear_line(tmp_path, bad):
    with pytest.raises(JsonError, match=r"expected\.jsonl: line 2"):
        read_recording(recording(tmp_path, row(0, 0.1), bad))


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (row(0, 0.2), "line 2: tick 0 is given twice"),
        ('{"tick": 1, "cell": "0x1", "position": [0, 0, 0], "cell": "0x2"}', 'line 2: "cell" is given twice'),
    ],
)
def test_a_recording_that_says_a_thing_twice_is_refused(tmp_path, second, words):
    with pytest.raises(JsonError, match=words):
        read_recording(recording(tmp_path, row(0, 0.1), second))


def test_the_room_is_where_the_script_starts():
    assert lines({"ticks": 1, "move": [0, 0, 0]})[0].cell == ROOM


def test_ticks_are_summed_while_a_script_is_read_and_kept_as_counts():
    bomb = {"start": START, "steps": [{"ticks": 1_000_000, "walk": [0, 0, 0]}] * 2_000}
    tracemalloc.start()
    with pytest.raises(JsonError, match=r"steps\[1\]: with this step there are 2000000 ticks, more"):
        parse_script(bomb)
    for count in (200_000_000, 10**30, -1, 1.5, True):
        with pytest.raises(JsonError, match=r"steps\[0\]: ticks: expected a "):
            parse_script({"start": START, "steps": [{"keys": {}, "ticks": count}]})
    waits = parse_script({"start": START, "steps": [{"wait": 33_000}]})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert waits.ticks == 990_000
    assert most < 4 << 20
