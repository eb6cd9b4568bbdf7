"""Ticks, placements and residency of the simulation (promises 4, sweep 3.23, 3.19)."""

import json
import math

import pytest

from engine.dat.values import Sphere
from engine.physics.enums import TICK
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import state_flags
from engine.world.frame import Frame, Position
from engine.world.polygon import Polygon
from tests.physics.models import cylinder_model, model, part, placed
from tests.physics.rooms import ROOM, box_polygons, flat_block, floor, portal, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

LAND = 0xA9B40001


def in_room(at=(0.0, 0.0, 0.005), polygons=None, **settings):
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=polygons)))
    sim = Simulation(world, MoverSettings(**settings))
    sim.spawn(Position(ROOM, Frame(at)))
    return sim


def outdoors(at=(12.0, 12.0, 0.0), blocks=(0xA9B40000,)):
    world = empty_world()
    for block in blocks:
        put_block(world, flat_block(block))
    sim = Simulation(world)
    sim.spawn(Position(LAND, Frame(at)))
    return sim


def run(sim, ticks, keys):
    return [sim.input_tick(keys) for _ in range(ticks)]


def test_spawn_settles_on_the_floor():
    sim = in_room((0.0, 0.0, 0.3))
    report = sim.report()
    assert report.tick == -1
    assert report.time == 0.0
    assert report.position == pytest.approx((0, 0, 0.005), abs=1e-4)
    assert report.on_ground
    assert report.cells == (ROOM,)
    assert report.normal is None
    assert report.hits == ()


@pytest.mark.parametrize(
    ("cell", "at", "reason"),
    [
        (0xA9B40199, (0.0, 0.0, 0.0), "there is no cell 0xA9B40199"),
        (0x12340001, (0.0, 0.0, 0.0), "there is no cell 0x12340001"),
        (0xA9B40000, (0.0, 0.0, 0.0), "there is no cell 0xA9B40000"),
        (ROOM, (500.0, 0.0, 0.0), "in no cell"),
    ],
)
def test_a_place_that_is_not_there_is_one_line_and_the_body_stays(cell, at, reason):
    sim = in_room((1.0, 2.0, 0.005))
    before = sim.position
    with pytest.raises(SimulationError, match=reason) as error:
        sim.teleport(Position(cell, Frame(at)))
    assert "\n" not in str(error.value)
    assert sim.position is before
    assert sim.body.cell is not None
    assert sim.body.on_ground


def test_a_place_without_room_is_refused():
    sim = in_room((0.0, 0.0, 0.005), polygons=[floor(-20, 20, 0.0), floor(-20, 20, 50.0, polygon_id=1)])
    solid = add_model(sim.world, model(0x02000099, parts=[part(box_polygons((-9, -9, 0), (9, 9, 4)))]))
    for child in solid.parts:
        child.physics_root.solid = True
    sim.objects.add(placed(0x02000099, at=(10.0, 10.0, 0.0)))
    with pytest.raises(SimulationError, match="no room"):
        sim.teleport(Position(ROOM, Frame((10.0, 10.0, 1.0))))
    assert sim.position.frame.origin == pytest.approx((0, 0, 0.005), abs=1e-4)
    report = sim.hover(Position(ROOM, Frame((10.0, 10.0, 1.0))))
    assert (report.cell, report.position) == (ROOM, (10.0, 10.0, 1.0))
    assert not report.on_ground
    with pytest.raises(SimulationError, match="in no cell"):
        sim.hover(Position(ROOM, Frame((500.0, 0.0, 0.0))))


def test_teleport_stops_the_body_and_counts_no_tick():
    sim = in_room()
    sim.launch((3.0, 0.0, 3.0))
    sim.walk_tick()
    report = sim.teleport(Position(ROOM, Frame((5.0, 5.0, 0.005))))
    assert report.tick == 0
    assert report.velocity == (0.0, 0.0, 0.0)
    assert sim.previous_position is sim.position


def test_ticking_before_spawning_is_refused():
    sim = Simulation(empty_world())
    with pytest.raises(SimulationError, match="spawn"):
        sim.move_tick((0.1, 0.0, 0.0))


def test_a_zero_move_moves_nothing_and_keeps_contact():
    sim = in_room()
    report = sim.move_tick((0.0, 0.0, 0.0))
    assert (report.ok, report.collided, report.on_ground, report.hits) == (True, False, True, ())
    assert report.tick == 0
    assert report.contact_plane is not None


def test_move_knows_no_gravity():
    sim = in_room()
    report = sim.move_tick((0.1, 0.0, 0.0))
    assert report.position == pytest.approx((0.1, 0, 0.005), abs=1e-4)
    assert report.velocity == (0.0, 0.0, 0.0)


def test_the_settings_make_the_mover():
    small = (Sphere((0.0, 0.0, 0.3), 0.3),)
    sim = in_room((0.0, 0.0, 0.1), spheres=small, step_up=0.2, step_down=0.4)
    assert sim.report().position[2] == pytest.approx(0.0, abs=1e-4)
    assert (sim.body.step_up_height, sim.body.step_down_height) == (0.2, 0.4)
    assert sim.body.state == 0x400408


def test_ME5_standing_on_a_threshold_runs_no_transition_and_keeps_the_cell():
    other = ROOM + 1
    a = room(ROOM, [floor(-5, 0, 0.0)], (-5, -20, -0.1), (0, 20, 4), portals=[portal(0, other, 0.0, 1)])
    b = room(other, [floor(0, 5, 0.0)], (0, -20, -0.1), (5, 20, 4), portals=[portal(0, ROOM, 0.0, 0)])
    world = empty_world()
    put_block(world, block_of_cells(a, b))
    for spawn_in in (a, b):
        sim = Simulation(world)
        sim.spawn(Position(spawn_in.id, Frame((0.0, 0.0, 0.005))))
        before = sim.position
        commits: list[object] = []
        sim.body.on_commit.append(lambda *committed, into=commits: into.append(committed))
        reports = [sim.walk_tick() for _ in range(50)]
        assert commits == []
        assert {r.cell for r in reports} == {spawn_in.id}
        assert {r.cells for r in reports} == {(spawn_in.id, a.id + b.id - spawn_in.id)}
        assert sim.position.frame.origin == before.frame.origin


def test_a_walk_below_eps_runs_no_transition():
    sim = in_room()
    sim.trace = True
    report = sim.walk_tick((0.0001, 0.0, 0.0))
    assert report.trace is None
    assert report.ok
    assert report.on_ground
    assert sim.walk_tick((0.01, 0.0, 0.0)).trace is not None


def test_feet_do_not_move_a_body_in_the_air():
    sim = in_room()
    sim.launch((0.0, 0.0, 5.0))
    report = sim.walk_tick((0.1, 0.0, 0.0))
    assert report.position[0] == 0.0
    assert report.position[2] > 0.1
    assert not report.on_ground


def test_a_launch_flies_and_comes_down():
    sim = in_room()
    sim.launch((2.0, 0.0, 5.0))
    reports = sim.wait(2.0)
    assert len(reports) == 60
    assert max(r.position[2] for r in reports) == pytest.approx(0.005 + 25 / 19.6, abs=0.1)
    assert reports[-1].on_ground
    assert reports[-1].velocity == (0.0, 0.0, 0.0)
    assert reports[-1].position[0] > 1.5


@pytest.mark.parametrize("velocity", [(0, 0, 0), (0, 0, -3), (0.1, 0, 0), (0, 0, 0.2), (0.01, 0, -1)])
def test_a_launch_that_leads_nowhere_leaves_a_body_standing(velocity):
    sim = in_room()
    sim.launch(velocity)
    reports = [sim.walk_tick((0.05, 0.0, 0.0)) for _ in range(30)]
    assert all(r.on_ground for r in reports)
    assert sim.position.frame.origin[0] == pytest.approx(1.5, abs=0.02)
    assert reports[-1].velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "velocity", [(2, 0, 0), (0, 0, 0.3), (0, 0, 0.4), (0.3, 0, -2), (0.3, 0, 0.1), (0, 0, 9)]
)
def test_a_launched_body_walks_again_when_it_has_landed(velocity):
    sim = in_room()
    sim.launch(velocity)
    sim.wait(3.0)
    x = sim.position.frame.origin[0]
    report = sim.walk_tick((0.05, 0.0, 0.0))
    assert report.on_ground
    assert report.position[0] == pytest.approx(x + 0.05, abs=1e-4)


def test_a_standing_jump_of_half_extent():
    sim = in_room()
    assert sim.jump(0.5)
    assert sim.body.velocity == pytest.approx((0, 0, 6.425146), abs=1e-6)
    assert not sim.jump(0.5)
    reports = sim.wait(3.0)
    assert max(r.position[2] for r in reports) == pytest.approx(2.1, abs=0.15)
    assert reports[-1].position == pytest.approx((0, 0, 0.005), abs=1e-3)
    assert not sim.jump(0.0)


def test_ticks_count_from_zero_and_time_follows():
    sim = in_room()
    assert [sim.walk_tick().tick for _ in range(3)] == [0, 1, 2]
    assert sim.time == pytest.approx(0.1)
    assert len(sim.wait(0.05)) == 2


def test_walking_and_running_by_keys():
    sim = in_room()
    run(sim, 30, MovementInput(forward=1))
    assert sim.position.frame.origin[1] == pytest.approx(3.12, abs=1e-3)
    sim = in_room((0.0, -10.0, 0.005))
    run(sim, 30, MovementInput(forward=1, run=True))
    assert sim.position.frame.origin[1] == pytest.approx(-10 + 9.5, abs=1e-3)
    run(sim, 30, MovementInput(side=1))
    assert sim.position.frame.origin[0] == pytest.approx(1.56, abs=1e-3)
    run(sim, 30, MovementInput(forward=-1))
    assert sim.position.frame.origin[1] == pytest.approx(-0.5 - 2.028, abs=1e-3)


def test_turning_by_keys_and_at_once():
    sim = in_room()
    run(sim, 30, MovementInput(turn=1))
    assert sim.report().heading == pytest.approx(math.degrees(1.5), abs=1e-3)
    sim.face(90.0)
    run(sim, 30, MovementInput(forward=1))
    assert sim.position.frame.origin[0] == pytest.approx(3.12, abs=1e-3)
    assert sim.report().heading == pytest.approx(90.0, abs=1e-3)


def test_turning_while_walking_goes_round():
    sim = in_room((0.0, 0.0, 0.005))
    run(sim, 126, MovementInput(forward=1, turn=1))
    x, y, _ = sim.position.frame.origin
    assert math.hypot(x, y) < 0.2


def test_turning_against_a_wall_still_turns():
    wall = Polygon(1, [(-20, 1, 0), (20, 1, 0), (20, 1, 5), (-20, 1, 5)])
    sim = in_room((0.0, 0.4, 0.005), polygons=[floor(-20, 20, 0.0), wall])
    run(sim, 3, MovementInput(forward=1))
    assert sim.position.frame.origin[1] < 0.55
    before = sim.report().heading
    run(sim, 3, MovementInput(turn=-1, forward=1))
    assert (before - sim.report().heading) % 360 == pytest.approx(math.degrees(0.15), abs=1e-3)


def test_a_running_jump_keeps_the_run():
    sim = in_room((0.0, -15.0, 0.005))
    run(sim, 2, MovementInput(forward=1, run=True))
    sim.input_tick(MovementInput(forward=1, run=True, jump=0.5))
    assert sim.body.velocity[1] == pytest.approx(9.5, abs=1e-3)
    y = sim.position.frame.origin[1]
    run(sim, 10, MovementInput(forward=-1))
    assert sim.position.frame.origin[1] == pytest.approx(y + 9.5 / 3, abs=1e-2)


def test_the_drawn_point_lies_between_the_ticks():
    sim = outdoors((191.9, 12.0, 0.0), (0xA9B40000, 0xAAB40000))
    sim.face(90.0)
    sim.input_tick(MovementInput(forward=1))
    sim.input_tick(MovementInput(forward=1))
    assert sim.position.cell_id == 0xAAB40001
    step = 3.12 * TICK
    end = sim.position.frame.origin[0]
    assert sim.drawn(1.0).feet[0] == pytest.approx(end)
    assert sim.drawn(0.0).feet[0] == pytest.approx(end - step, abs=1e-3)
    assert sim.drawn(0.5).feet[0] == pytest.approx(end - step / 2, abs=1e-3)
    sim.walk_tick()
    assert sim.drawn(0.0).feet == sim.drawn(1.0).feet == sim.position.frame.origin


def test_the_tick_line_has_the_fields_of_the_design():
    sim = in_room()
    line = json.loads(json.dumps(sim.move_tick((0.1, 0.0, 0.0)).to_json()))
    assert list(line) == [
        "tick", "cell", "position", "ok", "on_ground", "collided", "normal", "hits", "contact_plane",
        "cells", "changed", "touched",
        "requested", "moved", "sliding_normal", "refused_by",
    ]  # fmt: skip
    assert line["cell"] == "0xA9B40100"
    assert line["contact_plane"] == pytest.approx([0, 0, 1, 0])
    assert line["cells"] == ["0xA9B40100"]


def test_a_hit_is_named_in_the_line():
    sim = in_room()
    add_model(sim.world, cylinder_model(0.3, 2.0))
    sim.objects.add(placed(0x02000010, at=(0.0, 1.0, 0.0)))
    lines = [sim.move_tick((0.0, 0.1, 0.0)).to_json() for _ in range(4)]
    hit = next(line for line in lines if line["collided"])["hits"][0]
    assert (hit["kind"], hit["entity"], hit["gfxobj"], hit["poly"]) == ("entity", "0x7A9B4015", None, None)


def test_state_flags_are_named():
    assert state_flags(0x1000C) == ("Ethereal", "ReportCollisions", "HasPhysicsBSP")
    assert state_flags(0) == ()
