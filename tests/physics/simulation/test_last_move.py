"""Why the body is in its cell: the last sweep that moved it, with every cell's say, kept while it stands."""

from __future__ import annotations

import json

from engine.physics.simulation.last_move import LastMoveWatch
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.world.frame import Frame, Position
from tests.physics.houses import A, B, two_rooms
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import cells, flat_floor, stand, wall
from tests.physics.stage import block_of_cells, empty_world, put_block
from tests.physics.traces import traced


def watched(start, cell=ROOM, members=None):
    world = empty_world()
    walled = [flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1, polygon_id=17)]
    put_block(world, block_of_cells(*(members or [room(polygons=walled)])))
    simulation = Simulation(world)
    simulation.trace = True
    comparison = StaticComparison(simulation)
    watch = LastMoveWatch(comparison)
    simulation.on_tick.append(watch.tick)
    simulation.spawn(Position(cell, Frame(start)))
    return simulation, watch


def through_the_door():
    """A walk from the first of two rooms into the second."""
    world = two_rooms()
    simulation, watch = watched((99.5, 100.0, 0.005), A, [world.get_visible(A), world.get_visible(B)])
    while simulation.report().cell == A:
        simulation.walk_tick((0.1, 0.0, 0.0))
    return simulation, watch


def test_nothing_has_moved_at_first():
    simulation, watch = watched((0.0, 0.0, 0.005))
    simulation.walk_tick()
    assert watch.now is None


def test_a_move_into_another_cell_names_both_and_what_each_candidate_is():
    simulation, watch = through_the_door()
    move = watch.now
    assert (move.before, move.cell, move.tick, move.since) == (A, B, simulation.tick, 0)
    (pick, *_) = move.steps[-1].picks
    assert {(c.cell_id, c.holds, c.picked) for c in pick.candidates} == {(A, False, False), (B, True, True)}
    assert pick.asked == [(B, "ok")]
    assert move.title.endswith(f"came from 0x{A:08X} to 0x{B:08X}")
    text = "\n".join(move.words)
    assert f"0x{B:08X} (portal of 0x{A:08X}, holds the centre)" in text
    assert f"; 0x{B:08X} answers ok" in text
    assert "a static look-up" in move.words[-1]


def test_it_stays_while_standing_and_the_time_is_told():
    simulation, watch = through_the_door()
    steps = watch.now.steps
    for _ in range(60):
        simulation.walk_tick()
    assert watch.now.steps is steps
    assert (watch.now.since, watch.now.refused) == (60, 0)
    assert watch.now.title.endswith("; 2.0 s ago (60 ticks)")


def test_refused_sweeps_do_not_replace_it():
    simulation, watch = watched((1.35, 0.0, 0.005))
    for _ in range(8):
        simulation.walk_tick((0.1, 0.0, 0.0))
    assert simulation.report().ok is False
    assert watch.now.steps[-1].advanced
    assert watch.now.refused > 3 and watch.now.since >= watch.now.refused
    assert "refused)" in watch.now.title


def test_who_is_put_elsewhere_has_not_moved_there():
    simulation, watch = through_the_door()
    simulation.teleport(Position(A, Frame((98.0, 100.0, 0.005))))
    simulation.walk_tick()
    assert watch.now is None


def test_a_neighbour_that_blocks_says_so_and_ends_the_asking():
    world = two_rooms()
    low, high = (100.0, 95.0, 0.0), (105.0, 105.0, 3.0)
    portals = world.get_visible(B).portals
    behind = room(B, [wall(100.3, 0.0, 3.0, sign=-1, polygon_id=9, y=200.0)], low, high, portals=portals)
    graph = cells(world.get_visible(A), behind)
    result, trace = traced(graph, stand(graph, (99.7, 100.0, 0.005), A), (0.2, 0.0, 0.0))
    asked = trace.steps[0].picks[0].asked
    assert asked[-1] == (B, "collided") and [cell for cell, _ in asked] == [B]
    assert (result.hits[0].owner, result.hits[0].poly) == (B, 9)


def test_it_is_json():
    _, watch = through_the_door()
    document = json.loads(json.dumps(watch.now.to_json()))
    assert document["cell"] == f"0x{B:08X}" and document["static_lookup"]["disagrees"] in (True, False)
    pick = json.loads(json.dumps(watch.now.steps[-1].picks[0].to_json()))
    assert pick["asked"] == [{"cell": f"0x{B:08X}", "answer": "ok"}]
    assert [c["holds_centre"] for c in pick["candidates"]] == [False, True]
