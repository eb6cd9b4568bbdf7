"""The walk without a window: ticks, camera, flight, picking, teleport and the report."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.physics.enums import TICK, TS_SLIDING
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.transition.hit import Hit
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from tests.viewer.walks import BEFORE_THE_DOOR, DOOR, FORWARD, SIZE, VESTIBULE
from viewer.commands.groundwork.problem_log import FEW, ProblemLog
from viewer.picture.eye_line import eye_line, sweep_eye
from viewer.places import put
from viewer.report.picture_report import plain
from viewer.window.walking.picking import REACH, pick_door, ray_to_box
from viewer.window.walking.walk import STANDING, Walk


def test_time_is_cut_into_ticks_and_the_rest_is_kept(walk: Walk) -> None:
    assert walk.advance(2.5 * TICK, STANDING) == 2
    assert math.isclose(walk.pace.share, 0.5)
    assert walk.advance(0.5 * TICK + 1e-9, STANDING) == 1
    assert walk.simulation.tick == 2


def test_a_paused_walk_ticks_only_when_told(walk: Walk) -> None:
    walk.toggle_pause()
    assert walk.advance(1.0, FORWARD) == 0
    walk.step()
    assert walk.simulation.tick == 0
    walk.toggle_pause()
    walk.step()
    assert walk.simulation.tick == 0


def test_a_step_while_paused_takes_what_is_held(walk: Walk) -> None:
    walk.toggle_pause()
    places = []
    for controls in (STANDING, FORWARD, FORWARD, MovementInput(jump=1.0)):
        assert walk.step(controls)
        places.append(walk.simulation.position.frame.origin)
    assert places[1][1] < places[0][1]
    assert places[2][1] < places[1][1]
    assert places[3][2] > places[2][2]
    walk.toggle_flight()
    assert walk.step(FORWARD)
    walk.toggle_pause()
    assert not walk.step(FORWARD)


def test_the_picture_stands_between_the_last_two_ticks(walk: Walk) -> None:
    walk.advance(2.0 * TICK + 1e-9, FORWARD)
    before, after = walk.simulation.previous_position, walk.simulation.position
    walk.advance(0.25 * TICK, FORWARD)
    eye = walk.look_out(SIZE, 0.0).view.eye
    drawn = eye[1] + 0.18  # the eye is 0.18 m ahead, and ahead is south
    wanted = 0.75 * before.frame.origin[1] + 0.25 * after.frame.origin[1]
    assert abs(drawn - wanted) < 1e-6


def test_turning_the_look_turns_the_body(walk: Walk) -> None:
    walk.turn(-90.0, 20.0)
    walk.advance(1.5 * TICK, STANDING)
    picture = walk.look_out(SIZE, 0.0)
    assert math.isclose(walk.simulation.position.frame.heading(), 90.0, abs_tol=1e-6)
    assert picture.view.forward[0] > 0.9
    assert picture.view.forward[2] > 0.3


def test_the_turn_keys_turn_the_look(walk: Walk) -> None:
    walk.advance(3.5 * TICK, MovementInput(turn=1))
    walk.look_out(SIZE, 0.0)
    assert walk.camera.target_yaw > 180.0
    heading = walk.simulation.position.frame.heading()
    assert math.isclose(walk.camera.target_yaw % 360.0, heading, abs_tol=1e-6)


def test_the_closed_door_is_under_the_cross_hair_and_opens(walk: Walk) -> None:
    assert walk.use_seen() == f"used 0x{DOOR:08X}: it is opening"
    assert walk.use_seen() == f"0x{DOOR:08X} is still moving"
    walk.turn(180.0, 0.0)
    walk.look_out(SIZE, 0.0)
    assert walk.use_seen() == "nothing to use here"


def test_who_opens_the_door_that_he_pushes_against_is_told_how_to_get_free(walk: Walk) -> None:
    walk.advance(90.5 * TICK, FORWARD)
    walk.look_out(SIZE, 0.0)
    before = walk.simulation.position.frame.origin
    used = walk.use_seen()
    held = "a step aside or back frees you from what you pushed against"
    assert used == f"used 0x{DOOR:08X}: it is opening; {held}"
    walk.advance(10.5 * TICK, FORWARD)
    assert walk.simulation.position.frame.origin == before
    walk.advance(3.5 * TICK, MovementInput(forward=-1))
    walk.advance(30.5 * TICK, FORWARD)
    assert walk.simulation.body.cell is not None
    assert walk.simulation.body.cell.id & 0xFFFF >= 0x100


def test_a_locked_door_says_so(walk: Walk) -> None:
    walk.simulation.doors[DOOR].locked = True
    assert walk.use_seen() == f"0x{DOOR:08X} is locked"
    assert not walk.simulation.doors[DOOR].is_open
    assert [door.phase for door in walk.report().doors if door.entity == DOOR] == ["closed, locked"]


def test_a_door_behind_a_wall_is_not_picked(walk: Walk) -> None:
    """From the main room's corner the vestibule's wall hides the door, from its middle nothing does."""
    for eye, picked in (((151.6, 14.3, 95.5), False), ((155.4, 13.4, 95.5), True)):
        offset = (155.4 - eye[0], 15.9 - eye[1], 95.2 - eye[2])
        length = math.hypot(*offset)
        assert length < REACH
        direction = (offset[0] / length, offset[1] / length, offset[2] / length)
        assert (pick_door(walk.simulation, 0xA9B40171, eye, direction) is not None) is picked


def test_a_door_out_of_reach_is_not_picked(walk: Walk) -> None:
    cell = walk.simulation.position.cell_id
    assert pick_door(walk.simulation, cell, (155.4, 24.0, 95.5), (0.0, -1.0, 0.0)) is None


@pytest.mark.parametrize(
    ("start", "direction", "distance"),
    [
        ((-2.0, 0.5, 0.5), (1.0, 0.0, 0.0), 2.0),
        ((0.5, 0.5, 0.5), (0.0, 0.0, 1.0), 0.0),
        ((-2.0, 2.0, 0.5), (1.0, 0.0, 0.0), None),
        ((2.0, 0.5, 0.5), (1.0, 0.0, 0.0), None),
    ],
)
def test_a_ray_meets_a_box_from_outside_or_starts_in_it(
    start: tuple[float, float, float], direction: tuple[float, float, float], distance: float | None
) -> None:
    assert ray_to_box(start, direction, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)) == distance


def test_the_body_is_told_with_the_games_coordinates_of_it_but_in_a_dungeon(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (BEFORE_THE_DOOR, VESTIBULE):
        put(walk.simulation, place)
        told = walk.report().body
        assert parse_location(told.coordinates).cell_id >> 16 == walk.simulation.position.cell_id >> 16
        assert told.coordinates == "42.1N 33.9E"
    block = walk.simulation.world.blocks[block_of(walk.simulation.position.cell_id)]
    monkeypatch.setattr(block, "is_dungeon", True)
    assert walk.report().body.coordinates == ""


def test_the_tick_box_sets_the_state_at_once(walk: Walk) -> None:
    walk.set_ethereal(DOOR, ethereal=True)
    assert walk.report().doors[0].state == 0x1000C
    walk.set_ethereal(DOOR, ethereal=False)
    assert walk.report().doors[0].state == 0x10008


def test_the_tick_box_says_why_a_body_that_pushes_stays_stuck(walk: Walk) -> None:
    assert walk.set_ethereal(DOOR, ethereal=True) == walk.notice == f"0x{DOOR:08X} is passable now"
    walk.set_ethereal(DOOR, ethereal=False)
    for _ in range(60):
        walk.advance(TICK, MovementInput(forward=1))
    assert walk.simulation.body.transient_state & TS_SLIDING
    frees = "; a step aside or back frees you from what you pushed against"
    assert walk.set_ethereal(DOOR, ethereal=True) == walk.notice == f"0x{DOOR:08X} is passable now{frees}"
    assert walk.set_ethereal(1, ethereal=True) == ""


def test_who_pushes_against_something_else_is_not_told_that_the_door_held_him(walk: Walk) -> None:
    for _ in range(60):
        walk.advance(TICK, MovementInput(forward=1))
    assert walk.watch.now is not None and walk.simulation.body.transient_state & TS_SLIDING
    hit = walk.watch.now.hit
    assert hit is not None and hit.owner == DOOR
    table = Hit(
        hit.kind,
        0x70000001,
        hit.cell_id,
        gfxobj=hit.gfxobj,
        poly=hit.poly,
        normal=hit.normal,
        response=hit.response,
    )
    walk.watch.now = replace(walk.watch.now, hit=table, hits=(table,))
    assert walk.set_ethereal(DOOR, ethereal=True) == f"0x{DOOR:08X} is passable now"


def test_a_door_that_turns_solid_before_who_pushes_is_told_without_a_way_out(walk: Walk) -> None:
    for _ in range(60):
        walk.advance(TICK, MovementInput(forward=1))
    walk.set_ethereal(DOOR, ethereal=True)
    assert walk.simulation.body.transient_state & TS_SLIDING
    assert walk.set_ethereal(DOOR, ethereal=False) == walk.notice == f"0x{DOOR:08X} is solid now"


def test_the_doors_report_says_what_it_does_in_every_phase(walk: Walk) -> None:
    def said() -> tuple[str, str, set[str], set[bool]]:
        (door,) = [door for door in walk.report().doors if door.entity == DOOR]
        family = [shape for shape in door.shapes if shape.does != "not asked"]
        assert len(family) == 3
        return door.does, str(door.held_by), {s.does for s in family}, {s.collides for s in family}

    nobody = "0x00000000"
    assert said() == ("closed", nobody, {"collides"}, {True})
    walk.use(DOOR)
    assert said() == ("opening, open in 1.5 s, closes in 30.0 s", nobody, {"passable"}, {False})
    walk.simulation.wait(2.0)
    assert said() == ("open, closes in 28.0 s", nobody, {"passable"}, {False})
    walk.teleport("0xA9B40170 [155.4 15.9 94] 1 0 0 0")
    walk.use(DOOR)
    walk.simulation.wait(2.0)
    held = "held by 0x50000001 in it, tries to close in 0.5 s"
    assert said() == (held, "0x50000001", {"passable"}, {False})
    walk.teleport(VESTIBULE)
    walk.simulation.wait(2.0)
    assert said() == ("closed", nobody, {"collides"}, {True})


def test_a_failed_teleport_says_why_and_keeps_the_place(walk: Walk) -> None:
    before = walk.location()
    assert "banana" in walk.teleport("banana")
    assert "0xA9B40FFF" in walk.teleport("0xA9B40FFF [1 2 3]")
    assert walk.location() == before
    assert walk.teleport(VESTIBULE) == ""
    assert walk.report().body.cell == 0xA9B40170


def test_flying_leaves_body_root_and_visible_list_behind(walk: Walk) -> None:
    walk.teleport(VESTIBULE)
    seen = walk.look_out(SIZE, 0.0)
    walk.toggle_flight()
    walk.turn(0.0, 40.0)
    walk.advance(2.0, FORWARD)
    drawn = walk.look_out(SIZE, 0.0)
    assert math.dist(drawn.view.eye, seen.view.eye) > 5.0
    assert walk.simulation.position.frame.origin[1] == pytest.approx(15.2)
    assert drawn.root == seen.root
    assert drawn.flood is not None
    assert seen.flood is not None
    assert drawn.flood.order == seen.flood.order
    assert walk.report().view is not None
    assert walk.report().view.flying
    (figure,) = [x for x in walk.objects().objects if x.object_id == walk.simulation.body.id]
    assert figure.alpha == 1.0  # first person, but the eye is no longer in the head
    walk.toggle_flight()
    assert walk.look_out(SIZE, 0.0).view.eye == pytest.approx(seen.view.eye)


def test_the_third_persons_eye_stays_out_of_walls(walk: Walk) -> None:
    simulation = walk.simulation
    put(simulation, "0xA9B40170 [155.4 15.2 94.0]")
    walk.camera.toggle()
    walk.camera.target_yaw = 0.0
    walk.camera.settle()
    cell = simulation.body.cell
    assert cell is not None
    line = eye_line(
        simulation.world, walk.openings, simulation.body, drawn=simulation.drawn(), camera=walk.camera
    )
    free = walk.camera.desired_eye(line.pivot)
    west = sweep_eye(
        simulation.world, cell, cell.id, pivot=line.pivot, eye=(140.0, line.pivot[1], line.pivot[2])
    )
    assert math.dist(line.eye, line.pivot) <= math.dist(free, line.pivot) + 1e-6
    assert line.pivot[0] - 3.0 < west[0] < line.pivot[0]


def speed(walk: Walk) -> float:
    return math.hypot(*walk.report().body.feet_velocity)


def test_the_report_tells_how_fast_the_feet_move(walk: Walk) -> None:
    put(walk.simulation, "0xA9B40171 [155.4 13.4 94.0] 0 0 0 1")
    assert speed(walk) == 0.0
    walk.advance(1.5 * TICK, STANDING)
    assert speed(walk) == 0.0
    walk.advance(TICK, FORWARD)
    assert speed(walk) == pytest.approx(4.0 * 2.375, abs=1e-3)
    assert walk.report().body.velocity == (0.0, 0.0, 0.0)  # running is no velocity of the body's own
    walk.advance(TICK, MovementInput(forward=1))
    assert speed(walk) == pytest.approx(3.12, abs=1e-3)
    document = plain(walk.report())
    assert isinstance(document, dict)
    assert document["body"]["feet_velocity"][1] == pytest.approx(-3.12, abs=1e-3)
    walk.advance(90 * TICK, FORWARD)
    assert speed(walk) == 0.0  # the wall holds them
    walk.simulation.hover(walk.simulation.position)
    assert speed(walk) == 0.0


def test_the_report_file_has_one_line_a_tick(tmp_path: Path) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, BEFORE_THE_DOOR)
    path = tmp_path / "reports.jsonl"
    walk = Walk(simulation, report_file=path)
    walk.look_out(SIZE, 0.0)
    walk.advance(5.5 * TICK, FORWARD)
    walk.close()
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["tick"] for line in lines] == [0, 1, 2, 3, 4]
    assert [line.get("holtwalk") for line in lines] == [
        {"format": "frame-reports", "version": 1},
        *[None] * 4,
    ]
    assert lines[-1]["body"]["cell"] == "0xA9B40031"
    assert {"body", "cell", "sweep", "view", "doors", "timings", "counts", "widgets"} <= set(lines[-1])
    trace = simulation.report().trace
    assert trace is not None
    assert lines[-1]["sweep"]["steps"] == [line for step in trace.steps for line in step.lines()]


def test_while_time_stands_still_the_report_file_has_a_line_of_each_change(tmp_path: Path) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, BEFORE_THE_DOOR)
    path = tmp_path / "reports.jsonl"
    walk = Walk(simulation, report_file=path)

    told: list[str] = []

    def frames(count: int) -> list[dict[str, Any]]:
        before = len(told)
        for _ in range(count):
            walk.advance(TICK, STANDING)
            walk.look_out(SIZE, TICK)
            walk.end_frame()
        told.extend(path.read_text().splitlines()[len(told) :])
        return [json.loads(line) for line in told[before:]]

    assert [line["paused"] for line in frames(3)] == [False] * 3
    walk.toggle_pause()
    (stopped,) = frames(3)
    assert (stopped["tick"], stopped["paused"], stopped["frame"]) == (2, True, 4)
    walk.switch_mode("portals")
    (changed,) = frames(3)
    assert (changed["tick"], changed["modes"]) == (2, ["portals"])
    walk.pointer = (3, 4)
    (pointed,) = frames(3)
    assert pointed["pointer"] == [3, 4]
    assert walk.step(FORWARD)
    step, its_picture = frames(3)
    assert step["tick"] == its_picture["tick"] == 3
    assert step["view"]["eye"] == pointed["view"]["eye"] != its_picture["view"]["eye"]
    assert not walk.travel.back().startswith("there is")
    walk.end_frame()  # the tick is told of once it has its own picture
    (back,) = frames(3)
    assert (back["timeline"]["shown"], back["view"]["eye"]) == (2, pointed["view"]["eye"])
    walk.toggle_pause()
    assert [line["paused"] for line in frames(2)] == [False] * 2
    walk.close()


def test_every_report_is_plain_json(walk: Walk) -> None:
    for place in (VESTIBULE, "0x01070101 [47 60 -6]"):
        assert walk.teleport(place) == ""
        walk.look_out(SIZE, 0.0)
        document = json.loads(json.dumps(plain(walk.report())))
        assert document["view"]["root"] == document["body"]["cell"]
        assert block_of(int(document["body"]["cell"], 16)) == block_of(walk.simulation.position.cell_id)


def test_new_problems_are_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    world = World(demo_source(DEMO))
    world.problems.report("said at the start")
    log = ProblemLog(world)
    world.problems.report("one")
    log.say_new()
    world.problems.report("one")
    log.say_new()
    world.problems.report("two")
    log.say_new()
    assert capsys.readouterr().err == "holtwalk: one\nholtwalk: two\n"


def surface(number: int) -> str:
    return f"dats: surface 0x{0x08000000 + number:08X}: can't be read"


@pytest.mark.parametrize("verbose", [False, True])
def test_of_problems_that_differ_by_numbers_the_first_are_said_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str], *, verbose: bool
) -> None:
    world = World(demo_source(DEMO))
    log, unsaid = ProblemLog(world, verbose=verbose), list[str]()
    log.unsaid = unsaid.append
    with log.until_end():
        for last in (4, 50, 70, 101, 102):
            for number in range(len(world.problems.lines), last):
                world.problems.report(surface(number))
            log.say_new()  # as in the picture that they came with
            log.say_new()  # and in the next one, with which nothing came
        world.problems.report("something else, 1")
        log.say_new()
    said = capsys.readouterr().err.replace("holtwalk: ", "").splitlines()
    all_lines = [surface(number) for number in range(102)]
    if verbose:
        assert (said, unsaid) == ([*all_lines, "something else, 1"], [])
        return
    like = f"more like this, which --verbose shows: {surface(FEW - 1)}"
    assert said == [*all_lines[:FEW], *(f"{n} {like}" for n in (1, 46, 51)), "something else, 1", f"1 {like}"]
    assert unsaid == all_lines[FEW:]
