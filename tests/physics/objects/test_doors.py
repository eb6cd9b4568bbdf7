"""The life of a door in simulation time (objects 9, DO2)."""

import math

import pytest

from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from tests.physics.models import GATE_PARTS, add_door_motion, gate_model, placed
from tests.physics.objects.door_scenes import CLIP, CLOSED, DOOR, OPEN, door, staged, state, walk_through
from tests.physics.rooms import ROOM, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block


def at_gate(x):
    """A room with a door of two leaves in the plane y = 2 and a body before it, to its left or right."""
    world = empty_world()
    add_door_motion(world, parts=GATE_PARTS)
    add_model(world, gate_model())
    block = block_of_cells(room())
    block.entities.append(placed(0x02001A00, state=CLOSED))
    put_block(world, block)
    sim = Simulation(world)
    sim.spawn(Position(ROOM, Frame((x, 0.9, 0.005))))
    return sim


def test_a_closed_door_blocks_and_an_open_one_does_not():
    sim = staged()
    assert walk_through(sim, 30) < 1.7
    sim = staged()
    assert sim.use(DOOR)
    assert walk_through(sim, 30) == pytest.approx(3.0, abs=1e-3)


@pytest.mark.parametrize(("x", "part"), [(-1.1, 1), (-0.7, 1), (0.7, 2), (1.1, 2)])
@pytest.mark.parametrize("slant", [-0.02, 0.0, 0.02])
def test_either_leaf_blocks_at_its_outer_half_and_is_named(x, part, slant):
    """Part 0 is the lintel over their heads: what holds the body is a leaf, and no other part."""
    sim = at_gate(x)
    reports = [sim.move_tick((slant if i < 5 else 0.0, 0.1, 0.0)) for i in range(20)]
    hits = [hit for r in reports for hit in r.hits]
    assert {(hit.owner, hit.part, hit.gfxobj) for hit in hits} == {(DOOR, part, 0x010044C1)}
    assert {hit.normal for hit in hits} == {(0.0, -1.0, 0.0)}
    y = sim.position.frame.origin[1]
    assert 2.0 - 0.1 - 0.48 - 0.1 <= y <= 2.0 - 0.1 - 0.48 + 0.0002
    assert sim.use(DOOR)
    sim.move_tick((0.0, -0.1, 0.0))  # who pushed into it is held until the push goes another way
    assert walk_through(sim, 30) > 3.0


def test_where_the_leaves_meet_both_are_in_the_way():
    sim = at_gate(0.0)
    parts = {hit.part for _ in range(20) for hit in sim.move_tick((0.0, 0.1, 0.0)).hits}
    assert parts <= {1, 2}
    assert parts
    assert sim.position.frame.origin[1] <= 2.0 - 0.1 - 0.48 + 0.0002


def test_it_is_passable_from_the_instant_of_opening():
    sim = staged()
    sim.use(DOOR)
    assert state(sim) == OPEN
    assert door(sim).phase is DoorPhase.OPENING


def test_uses_during_a_clip_are_ignored():
    sim = staged()
    assert sim.use(DOOR)
    sim.wait(CLIP - 0.1)
    assert not sim.use(DOOR)
    assert state(sim) == OPEN
    sim.wait(0.1)
    assert door(sim).phase is DoorPhase.OPEN
    assert sim.use(DOOR)
    assert door(sim).phase is DoorPhase.CLOSING
    assert not sim.use(DOOR)


def test_a_second_use_closes_and_it_is_solid_at_the_end_of_the_clip():
    sim = staged()
    sim.use(DOOR)
    sim.wait(2.0)
    sim.use(DOOR)
    sim.wait(CLIP - 1 / 30)
    assert state(sim) == OPEN
    sim.wait(1 / 30)
    assert state(sim) == CLOSED
    assert door(sim).phase is DoorPhase.CLOSED


def test_it_closes_by_itself_30_s_after_the_use():
    sim = staged()
    sim.use(DOOR)
    assert door(sim).countdown(sim.time) == pytest.approx(30.0)
    sim.wait(30.0 - 1 / 30)
    assert door(sim).phase is DoorPhase.OPEN
    sim.wait(1 / 30)
    assert door(sim).phase is DoorPhase.CLOSING
    assert state(sim) == OPEN
    sim.wait(CLIP)
    assert state(sim) == CLOSED
    assert door(sim).countdown(sim.time) is None
    assert walk_through(sim, 30) < 1.7
    sim.teleport(Position(ROOM, Frame((0.0, 4.0, 0.005))))
    assert walk_through(sim, 30, -0.1) > 2.4


def test_a_stale_reset_does_nothing():
    """Closed and opened again by hand: only the last use's 30 s count."""
    sim = staged()
    sim.use(DOOR)
    sim.wait(10.0)
    sim.use(DOOR)
    sim.wait(5.0)
    sim.use(DOOR)
    sim.wait(20.0)
    assert door(sim).phase is DoorPhase.OPEN
    sim.wait(10.0)
    assert door(sim).phase is DoorPhase.CLOSING


def test_a_reset_leaves_a_closed_door_closed():
    sim = staged()
    sim.use(DOOR)
    sim.wait(10.0)
    sim.use(DOOR)
    sim.wait(31.0)
    assert door(sim).phase is DoorPhase.CLOSED
    assert door(sim).countdown(sim.time) is None


def test_somebody_in_the_doorway_holds_it_open():
    sim = staged()
    sim.use(DOOR)
    walk_through(sim, 20)
    sim.wait(30.0 + CLIP - 20 / 30)
    assert door(sim).phase is DoorPhase.HELD
    assert state(sim) == OPEN
    sim.wait(1.0)
    assert door(sim).phase is DoorPhase.HELD
    walk_through(sim, 10)
    sim.wait(1.0)
    assert state(sim) == CLOSED
    assert door(sim).phase is DoorPhase.CLOSED


@pytest.mark.parametrize("due", [None, 1e8 + 0.25])
def test_a_door_that_was_held_for_years_tries_no_more_often_than_a_thousand_times(due):
    """A script may say that it was, and when its reset is due: each second of that was gone through."""
    sim = staged()
    tried = []
    door(sim).occupied = lambda target: tried.append(target.state) or 7
    sim.use(DOOR)
    sim.wait(30.0 + CLIP)
    began = door(sim).phase_start
    door(sim).reset_at = due
    door(sim).advance(began + 2e8)
    assert door(sim).phase is DoorPhase.HELD
    assert 0.0 <= began + 2e8 - door(sim).phase_start < 1.0 + 1e-6
    assert 1000 <= len(tried) < 2100
    assert door(sim).reset_at is None


def test_a_held_door_is_tried_again_every_second():
    sim = staged()
    tried = []
    door(sim).occupied = lambda target: bool(tried.append(target.state)) or True
    sim.use(DOOR)
    sim.wait(30.0 + CLIP)
    assert len(tried) == 1
    sim.wait(3.0)
    assert tried == [CLOSED] * 4


def test_a_held_door_opens_on_use():
    sim = staged()
    door(sim).occupied = lambda target: True
    sim.use(DOOR)
    sim.wait(2.0)
    sim.use(DOOR)
    sim.wait(2.0)
    assert door(sim).phase is DoorPhase.HELD
    assert sim.use(DOOR)
    sim.wait(CLIP)
    assert door(sim).phase is DoorPhase.OPEN


def test_set_state_acts_at_once_and_is_held_by_nobody():
    sim = staged(at=(0.0, 0.0, 0.005))
    sim.set_state(DOOR, OPEN)
    assert state(sim) == OPEN
    assert door(sim).phase is DoorPhase.OPEN
    walk_through(sim, 20)
    sim.set_state(DOOR, CLOSED)
    assert state(sim) == CLOSED
    assert door(sim).phase is DoorPhase.CLOSED
    sim.wait(40.0)
    assert state(sim) == CLOSED


def test_set_state_ends_a_clip_and_its_timer():
    sim = staged()
    sim.use(DOOR)
    sim.wait(0.5)
    sim.set_state(DOOR, CLOSED)
    assert state(sim) == CLOSED
    sim.wait(40.0)
    assert state(sim) == CLOSED
    assert sim.use(DOOR)


def test_DO2_a_door_spawned_open():
    sim = staged(state=OPEN)
    assert door(sim).phase is DoorPhase.OPEN
    assert door(sim).pose(0.0)[0].quat == pytest.approx(door(sim).motion.open_pose[0].quat)
    assert walk_through(sim, 30) == pytest.approx(3.0, abs=1e-3)
    sim.wait(60.0)
    assert state(sim) == OPEN


def test_a_door_open_by_default_opens_itself_again():
    sim = staged(state=OPEN)
    sim.use(DOOR)
    sim.wait(CLIP)
    assert state(sim) == CLOSED
    sim.wait(30.0 - CLIP)
    assert state(sim) == OPEN
    assert door(sim).phase is DoorPhase.OPENING


def test_doors_without_clips_turn_at_once():
    sim = staged()
    sim.objects.remove(DOOR)
    sim.world.source.tables.clear()
    assert sim.objects.add(placed(0x020019FF))
    assert sim.use(DOOR)
    assert door(sim).phase is DoorPhase.OPEN
    assert sim.use(DOOR)
    assert door(sim).phase is DoorPhase.CLOSED
    assert state(sim) == CLOSED


def test_drawn_poses_are_a_function_of_time():
    sim = staged()
    closed = door(sim).pose(sim.time)
    assert closed[0].origin == pytest.approx((-0.01, 0.12, 1.28))
    sim.use(DOOR)
    start = sim.time

    def angle(t):
        w, _, _, z = door(sim).pose(t)[0].quat
        return 2 * math.atan2(z, w)

    assert angle(start) == pytest.approx(0.0, abs=1e-6)
    assert angle(start + 22.5 / 30) == pytest.approx(1.5 * 22 / 44, abs=1e-6)
    assert angle(start + CLIP) == pytest.approx(1.5, abs=1e-6)
    sim.wait(2.0)
    sim.use(DOOR)
    assert angle(sim.time) == pytest.approx(1.5, abs=1e-6)
    assert angle(sim.time + CLIP - 1 / 60) == pytest.approx(0.0, abs=1e-6)


def test_the_swing_moves_no_collision_and_no_cell():
    sim = staged()
    before = [row.pose.frame.origin for row in sim.registry.rows(DOOR)]
    cells = sim.registry.cells_of(DOOR)
    sim.use(DOOR)
    sim.wait(1.0)
    assert [row.pose.frame.origin for row in sim.registry.rows(DOOR)] == before
    assert sim.registry.cells_of(DOOR) == cells


def test_the_closed_cycle_gives_the_collision_pose():
    """Objects 9: the closed cycle's first frame wins over the placement frame."""
    sim = staged()
    table = sim.world.source.animations[0x03000002]
    moved = table.frames[0].frames[0]._replace(origin=(3.0, 0.0, 1.28))
    frames = (type(table.frames[0])((moved, *table.frames[0].frames[1:]), ()),)
    sim.world.source.animations[0x03000002] = type(table)(table.id, 0, 3, None, frames)
    sim.objects.add(placed(0x020019FF))
    assert walk_through(sim, 30) == pytest.approx(3.0, abs=1e-3)


def test_only_doors_can_be_used():
    sim = staged()
    with pytest.raises(SimulationError, match="not a door"):
        sim.use(7)
    with pytest.raises(SimulationError, match="no entity 0x00000063"):
        sim.use(0x63)
    with pytest.raises(SimulationError, match="no entity 0x00000063"):
        sim.set_state(0x63, CLOSED)
    sim.set_state(7, 0xC)
    assert {row.state for row in sim.registry.rows(7)} == {0xC}


def test_the_report_tells_of_the_door():
    sim = staged()
    sim.use(DOOR)
    (report,) = sim.report().doors
    assert (report.entity, report.state, report.phase) == (DOOR, OPEN, "opening")
    assert report.flags == ("Ethereal", "ReportCollisions", "HasPhysicsBSP")
    assert report.countdown == pytest.approx(30.0)
    assert len(report.shapes) == 4
    assert report.cells == (ROOM,)


def test_a_door_that_stands_as_before_has_the_same_report_and_any_change_another():
    sim = staged()

    def reported():
        return next(d for d in sim.report().doors if d.entity == DOOR)

    first = reported()
    sim.walk_tick()
    assert reported() is first
    sim.use(DOOR)
    opening = reported()
    assert (opening.phase, opening.state, opening.countdown) == ("opening", OPEN, 30.0)
    sim.walk_tick()
    assert reported().countdown < opening.countdown
    sim.set_state(DOOR, CLOSED)
    assert reported() == first
    sim.set_state(DOOR, CLOSED | 0x20)
    assert reported().flags != first.flags
    sim.registry.update_position(DOOR, Position(ROOM, Frame((0.0, 2.5, 0.0))))
    assert reported().position.frame.origin == (0.0, 2.5, 0.0)
