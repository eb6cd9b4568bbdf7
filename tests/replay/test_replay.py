"""Replays: what a client recorded goes through our sweep, and our own walks come out the same to the bit."""

import json
import random

import pytest

from engine.physics.simulation.inputs import MoveTick
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.replay.capture import read_capture
from engine.replay.recorder import CaptureRecorder
from engine.replay.replay import ReplayWorld, replay
from engine.replay.sim import run_steps, start_script
from engine.replay.sim_script import parse_script
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source, open_source
from engine.world.sources.places_file import read_places
from tests.places import DEMO, ROOT
from tests.replay.capture_lines import line
from tests.replay.door_stage import DOOR, START, stage
from tests.world import dump_folders

PLACES = read_places(DEMO)
EXAMPLES = ROOT.parent / "shared" / "examples"
COTTAGE_DOOR = 0x7A9B4015


def demo():
    return World(demo_source(DEMO))


def capture_of(tmp_path, *lines):
    path = tmp_path / "capture.jsonl"
    path.write_text("\n".join(lines))
    return read_capture(path)


def assert_identical(path, world, ticks):
    """Every record of a capture replays to the very same numbers; the records are returned."""
    records = read_capture(path)
    assert len(records) == ticks
    for replayed in replay(world, records):
        assert replayed.outcome == replayed.record.result, replayed
        assert replayed.differences() == []
        assert replayed.note == ""
    return records


# -- our own captures


def test_a_recorded_script_replays_bit_identically(tmp_path):
    push = {"ticks": 8, "move": [0.013, 0.21, 0]}
    script = parse_script(
        {
            "start": START,
            "steps": [
                push,
                {"ticks": 4, "walk": [0.02, 0.11, 0]},
                {"set_state": [hex(DOOR), "0x1000C"]},
                push,
                {"jump": 0.7},
                {"ticks": 20, "walk": [0, 0.1, 0]},
                {"set_state": [hex(DOOR), "0x10008"]},
                {"launch": [1.0, -3.0, 4.0]},
                {"wait": 2.0},
                {"ticks": 3, "move": [0, 0, 0]},
                {"teleport": "0xA9B40100 [5 5 0.2]"},
                {"ticks": 40, "walk": [-0.05, -0.1, 0]},
            ],
        }
    )
    simulation = start_script(stage(), script)
    path = tmp_path / "sim.jsonl"
    with CaptureRecorder(simulation, path):
        ticks = len(list(run_steps(simulation, script)))
    records = assert_identical(path, stage(), ticks)
    assert {tuple(r.entities.items()) for r in records} == {(), ((DOOR, 0x1000C),)}
    assert any(not r.on_ground for r in records)
    assert any(r.result.normal for r in records)


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_by_keys_through_doors_replays_bit_identically(tmp_path, seed):
    rng = random.Random(seed)
    simulation = Simulation(demo())
    simulation.teleport(simulation.world.locate(PLACES["street before the cottage"]))
    simulation.face(180.0)
    path = tmp_path / "walk.jsonl"
    cells = set()
    with CaptureRecorder(simulation, path):
        simulation.use(COTTAGE_DOOR)
        for _ in range(60):
            cells.add(simulation.input_tick(MovementInput(1)).cell)
        for _ in range(34):
            keys = MovementInput(
                forward=rng.choice((1, 1, 1, 0, -1)),
                side=rng.choice((0, 0, 1, -1)),
                turn=rng.choice((0, 0, 1, -1)),
                run=rng.random() < 0.3,
                jump=rng.choice((None, None, None, 0.6)),
            )
            if rng.random() < 0.2:
                simulation.use(COTTAGE_DOOR)
            if rng.random() < 0.2:
                simulation.face(180.0)
            for _ in range(10):
                cells.add(simulation.input_tick(keys).cell)
                keys = MovementInput(keys.forward, keys.side, keys.turn, keys.run)
    records = assert_identical(path, demo(), 400)
    assert any(COTTAGE_DOOR in r.entities for r in records)
    assert any(not is_outdoor(cell) for cell in cells)


def test_a_walk_across_a_landblocks_border_replays_bit_identically(tmp_path):
    simulation = Simulation(demo(), MoverSettings(state=0x400408))
    simulation.teleport(simulation.world.locate("0xA9B40000 [150 190.9 94]"))
    path = tmp_path / "walk.jsonl"
    with CaptureRecorder(simulation, path):
        blocks = {simulation.walk_tick((0.01, 0.1, 0.0)).cell >> 16 for _ in range(30)}
        blocks |= {simulation.walk_tick((0.01, -0.1, 0.0)).cell >> 16 for _ in range(30)}
    assert len(blocks) == 2
    assert_identical(path, demo(), 60)


def test_what_was_put_down_or_taken_away_by_hand_replays_bit_identically(tmp_path):
    """Before a door of the world's own, in its place with another put down before it, and without either."""
    simulation = start_script(stage(), parse_script({"start": START, "steps": []}))
    own = simulation.objects.placed[DOOR]
    x, y, z = own.frame.origin
    other = own._replace(object_id=0x7F000001, frame=own.frame.with_origin((x + 0.1, y - 0.3, z)))
    path = tmp_path / "by_hand.jsonl"
    ends = []
    with CaptureRecorder(simulation, path):
        for deed in (lambda: None, lambda: simulation.add(other), lambda: simulation.remove(DOOR),
                     lambda: simulation.remove(other.object_id), lambda: simulation.add(own)):  # fmt: skip
            deed()
            simulation.teleport(parse_location(START).position)
            for _ in range(40):
                simulation.tell(MoveTick((0.0, 0.21, 0.0)))
            ends.append(simulation.position.frame.origin[1])
    assert ends[1] == ends[2] < ends[0] == ends[4] < ends[3]
    records = assert_identical(path, stage(), 200)
    held = [([p.object_id for p in r.by_hand.placed], list(r.by_hand.gone)) for r in records[::40]]
    assert held == [([], []), ([0x7F000001], []), ([0x7F000001], [DOOR]), ([], [DOOR]), ([], [])]
    backwards = list(replay(stage(), records[::-40]))
    assert all(replayed.differences() == [] for replayed in backwards)


def test_a_recorder_that_is_closed_listens_no_more(tmp_path):
    simulation = start_script(stage(), parse_script({"start": START, "steps": []}))
    recorder = CaptureRecorder(simulation, tmp_path / "a.jsonl")
    simulation.move_tick((0.1, 0.0, 0.0))
    recorder.close()
    recorder.close()
    simulation.move_tick((0.1, 0.0, 0.0))
    assert len(read_capture(tmp_path / "a.jsonl")) == 1
    assert simulation.on_tick == simulation.on_request == []


# -- records of others


def test_a_record_of_no_length_moves_nothing(tmp_path):
    here = {"x": 0, "y": 0, "z": 0.5}
    records = capture_of(
        tmp_path, line(input__currentPos=here, input__targetPos=here, input__cellId=0xA9B40100)
    )
    (replayed,) = replay(stage(), records)
    assert replayed.outcome.position == (0.0, 0.0, 0.5)
    assert (replayed.outcome.on_ground, replayed.advance) == (True, 0.0)


def test_a_body_that_a_record_leaves_at_rest_is_in_the_cells_where_it_stands(tmp_path):
    script = parse_script({"start": START, "steps": [{"ticks": 1, "move": [0, 0, 0]}]})
    simulation = start_script(stage(), script)
    path = tmp_path / "sim.jsonl"
    with CaptureRecorder(simulation, path):
        simulation.input_tick(MovementInput())
    (record,) = read_capture(path)
    again = ReplayWorld(stage())
    again.run(record, record.cell)
    assert record.current == record.target
    assert again.body.cell_ids == simulation.body.cell_ids != ()


def test_a_cell_that_is_not_there_is_said(tmp_path):
    (replayed,) = replay(stage(), capture_of(tmp_path, line(input__cellId=0x12340101)))
    assert replayed.outcome is None
    assert "0x12340101" in replayed.note


def test_a_record_goes_on_in_the_cell_we_came_to_and_not_in_a_wrong_one(tmp_path):
    """The first walks out of A; the second says A still, though it begins beyond the portal."""
    at = [{"x": x, "y": 17.0, "z": 94.0} for x in (150.0, 150.4, 150.8)]
    wrong = 0xA9B40172
    first, second, apart = capture_of(
        tmp_path,
        line(input__currentPos=at[0], input__targetPos=at[1], input__cellId=0xA9B40031),
        line(input__currentPos=at[1], input__targetPos=at[2], input__cellId=wrong),
        line(input__currentPos=at[0], input__targetPos=at[1], input__cellId=wrong),
    )
    one, two = replay(demo(), [first, second])
    assert one.outcome.cell == two.outcome.cell == 0xA9B40031
    assert "goes on in 0xA9B40031" in two.note
    assert [r.note for r in replay(demo(), [apart])] == [""]


@pytest.mark.shared
def test_the_cellar_lip_is_climbed_where_a_client_got_stuck():
    records = read_capture(EXAMPLES / "cellar-lip__wedge-records.jsonl")
    runs = list(replay(World(open_source(dumps=EXAMPLES / "cottage")), records))
    assert len(runs) == 29
    assert all(run.outcome is not None for run in runs)
    assert sum(run.advance > 0.25 * run.record.requested for run in runs) >= 18
    assert runs[9].outcome.position[2] >= 93.95


@pytest.mark.shared
def test_the_threshold_is_crossed_once():
    records = read_capture(EXAMPLES / "doorway-threshold-capture.jsonl")
    runs = list(replay(World(open_source(dumps=EXAMPLES / "cottage")), records))
    cells = [run.outcome.cell for run in runs]
    assert cells == [0xA9B40170] * 10 + [0xA9B40031] * 47
    wrong = [number for number, run in enumerate(runs) if run.differences()]
    assert wrong == list(range(10, 33))
    assert all(run.advance == pytest.approx(run.record.requested, abs=1e-5) for run in runs)


def door_replays(tmp_path, north):
    """The two moves against a closed door, its slab's north face at some y (metres)."""
    dump_folders.write(
        tmp_path,
        dump_folders.model(0x01000F40, (131.585, 16.858, 94.1), (133.515, north, 96.6)),
        scene={
            "terrain": {"height": 94.0},
            "objects": [
                {"gfxobj": "0x01000F40", "at": "0xA9B40029 [0 0 0]", "entity": DOOR, "state": "0x10008"}
            ],
        },
    )
    records = read_capture(EXAMPLES / "door-bug__live-capture.jsonl")
    return list(replay(World(open_source(dumps=tmp_path)), records))


@pytest.mark.shared
def test_the_closed_door_blocks_from_inside_off_centre(tmp_path):
    inside, _ = door_replays(tmp_path, 17.119)
    assert inside.outcome.normal is not None
    assert inside.outcome.position[1] <= 17.0
    assert "no cell 0xA9B40150" in inside.note


@pytest.mark.shared
def test_the_closed_door_blocks_from_outside(tmp_path):
    """The recorded target lies 1.3 mm short of a face at 17.119: what is met there is 2 mm further out."""
    _, outside = door_replays(tmp_path, 17.119)
    assert outside.outcome.position[1] - 0.48 >= 17.119
    _, outside = door_replays(tmp_path, 17.121)
    assert outside.outcome.normal == pytest.approx((0.0, 1.0, 0.0))
    assert outside.outcome.position[1] >= 17.95


# -- what is compared


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ok": False}, "accepted, recorded as refused"),
        ({"ok": None}, ""),
        ({"collisionNormal": {"x": 0.02, "y": -1.0, "z": 0.0}}, "collided against normal 0.000 -1.000 0.000"),
        ({"collisionNormal": {"x": 0.0, "y": 0.0, "z": 0.0}}, "collided against normal 0.000 -1.000 0.000"),
        ({"collisionNormal": {"x": 0.01, "y": -2.0, "z": 0.0}}, ""),
        ({"collisionNormalValid": False}, "collided, recorded as free"),
        ({"isOnGround": False}, "on the ground, recorded otherwise"),
        ({"position": {"x": 0.4}}, "mm off: by "),
        ({"cellId": 0xA9B40101}, "instead of 0xA9B40101"),
    ],
)
def test_each_thing_that_was_recorded_of_a_result_is_compared(tmp_path, change, says):
    push = {"start": START, "steps": [{"ticks": 12, "move": [0, 0.21, 0]}]}
    simulation = start_script(stage(), parse_script(push))
    path = tmp_path / "sim.jsonl"
    with CaptureRecorder(simulation, path):
        assert len(list(run_steps(simulation, parse_script(push)))) == 12
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    document = next(each for each in lines if each["result"]["collisionNormalValid"])
    assert (document["result"]["ok"], document["result"]["isOnGround"]) == (True, True)
    document["result"] |= change
    if change == {"ok": None}:
        del document["result"]["ok"]
    elif "position" in change:
        document["result"]["position"] = {**lines[0]["result"]["position"], "x": 100.0}
    (replayed,) = replay(stage(), capture_of(tmp_path, json.dumps(document)))
    differences = replayed.differences()
    assert [says in difference for difference in differences] == ([True] if says else [])
