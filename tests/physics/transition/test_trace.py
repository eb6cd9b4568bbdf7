"""A sweep says why: hits, candidates, responses, advance and reset."""

import json

import pytest

from engine.physics.enums import HitKind, Response
from engine.physics.transition.trace import SweepTrace
from tests.physics.houses import A, B, house, two_rooms
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import block_cells, cells, flat_floor, stand, terrain, wall
from tests.physics.stage import airborne_body, push
from tests.physics.traces import traced


def test_without_a_trace_a_sweep_comes_to_the_same():
    ends = []
    for trace in (None, SweepTrace()):
        world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1)]))
        body = stand(world, (1.4, 0.0, 0.005), ROOM)
        for move in ((0.2, 0.2, 0.0), (0.2, 0.1, 0.0), (-0.3, 0.0, 0.0)):
            (result,) = push(world, body, move, trace=trace)
            assert (result.trace is None) is (trace is None)
        ends.append(body.position.frame.origin)
    assert ends[0] == ends[1]


def test_candidates_say_why_they_are_there_and_what_a_prune_would_drop():
    world = two_rooms()
    world.get_visible(A).stab_list = ()
    _, trace = traced(world, stand(world, (99.7, 100.0, 0.005), A), (0.1, 0.0, 0.0))
    pick = trace.steps[0].picks[0]
    assert [(c.cell_id, c.why, c.added_by, c.in_stab_list, c.picked) for c in pick.candidates] == [
        (A, "seed", A, True, True),
        (B, "portal", A, False, False),
    ]
    assert trace.steps[0].advanced


def test_a_hit_names_cell_polygon_and_response():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1, polygon_id=17)]))
    body = stand(world, (1.4, 0.0, 0.005), ROOM)
    result, trace = traced(world, body, (0.2, 0.2, 0.0))
    (hit,) = result.hits
    assert hit.to_json() == {
        "kind": "cell",
        "cell": "0xA9B40100",
        "gfxobj": None,
        "part": None,
        "poly": 17,
        "normal": [-1.0, 0.0, 0.0],
        "response": "slid",
    }
    assert trace.steps[0].insertion == "ok"
    assert any("step up" in r for r in trace.steps[0].responses)


def test_a_blocked_sub_step_is_reset():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1)]))
    body = stand(world, (1.4, 0.0, 0.005), ROOM)
    result, trace = traced(world, body, (0.2, 0.0, 0.0))
    assert [(s.insertion, s.advanced) for s in trace.steps] == [("collided", False)]
    assert result.hits[0].response == Response.COLLIDED
    _, refused = traced(world, body, (0.2, 0.0, 0.0))
    assert refused.to_json()[0]["result"] == "refused"


def test_a_step_climbed_is_a_hit_that_was_stepped_up():
    floor = [
        flat_floor(-20, 0, 0.0),
        wall(0.0, 0.0, 0.3, sign=-1, polygon_id=1),
        flat_floor(0, 20, 0.3, polygon_id=2),
    ]
    world = cells(room(polygons=floor))
    result, _ = traced(world, stand(world, (-0.49, 0.0, 0.005), ROOM), (0.05, 0.0, 0.0))
    assert [(h.poly, h.response) for h in result.hits] == [(1, Response.STEPPED_UP)]


def test_an_edge_is_a_hit_too():
    world = cells(room(polygons=[flat_floor(-20, 0, 5.0)]))
    body = stand(world, (0.15, 0.0, 5.005), ROOM)
    result, _ = traced(world, body, (0.2, 0.1, 0.0))
    assert [(h.kind, h.response) for h in result.hits] == [(HitKind.CELL, Response.EDGE)]


def test_a_trace_is_json():
    world = block_cells(terrain())
    _, trace = traced(world, stand(world, (23.9, 12.0, 0.005), 0xA9B40001), (0.6, 0.0, 0.0))
    steps = json.loads(json.dumps(trace.to_json()))
    assert [s["step"] for s in steps] == [0, 1]
    assert {s["result"] for s in steps} == {"advance"}
    assert steps[0]["picks"][0]["picked"] == "0xA9B40009"
    assert steps[-1]["end"][0] == pytest.approx(24.5)


def test_a_prune_drops_nothing_from_a_landcell():
    world = house()
    body = stand(world, (99.7, 100.0, 0.005), 0xA9B40025)
    _, trace = traced(world, body, (0.05, 0.0, 0.0))
    candidates = trace.steps[0].picks[0].candidates
    assert {c.cell_id for c in candidates} == {0xA9B40025, A}
    assert not any(c.pruned for c in candidates)
    _, trace = traced(world, stand(world, (99.5, 100.0, 0.005), A), (0.05, 0.0, 0.0))
    candidates = trace.steps[0].picks[0].candidates
    assert {c.cell_id: c.pruned for c in candidates}[0xA9B40025]


def test_the_ground_rested_on_and_the_state_carried_on_are_told():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0, polygon_id=7), wall(2.0, 0.0, 5.0, sign=-1)]))
    _, trace = traced(world, stand(world, (1.4, 0.0, 0.005), ROOM), (0.2, 0.2, 0.0))
    (step,) = trace.steps
    assert (Response.GROUND, 7) in {(hit.response, hit.poly) for hit in step.tested}
    carried = step.carried
    assert carried.contact_plane == ((0.0, 0.0, 1.0), 0.0)
    assert (carried.contact_cell_id, carried.on_walkable, carried.stationary) == (ROOM, True, 0)
    assert carried.sliding_normal == carried.collision_normal == (-1.0, 0.0, 0.0)
    world = cells(room(polygons=[]))
    _, trace = traced(world, airborne_body(world, (0.0, 0.0, 9.0)), (0.1, 0.0, 0.0))
    assert trace.steps[0].carried.contact_plane is None


def test_a_sub_step_reads_as_lines():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0, polygon_id=7), wall(2.0, 0.0, 5.0, sign=-1)]))
    _, trace = traced(world, stand(world, (1.4, 0.0, 0.005), ROOM), (0.2, 0.2, 0.0))
    lines = trace.steps[0].lines()
    assert lines[0].startswith("step 0: [1.4000 0.0000 0.0050] in 0xA9B40100 by [0.2000 0.2000 0.0000]")
    assert any("picked none of 0xA9B40100 (seed)" in line or "picked 0xA9B40100" in line for line in lines)
    assert any("slid: cell 0xA9B40100 polygon 1" in line for line in lines)
    assert "advance to" in lines[-1] and "sliding normal [-1.0000" in lines[-1]


def test_a_sweep_that_runs_out_of_motion_ends_there():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1)]))
    result, trace = traced(world, stand(world, (1.4, 0.0, 0.005), ROOM), (1.0, 0.0, 0.0))
    assert result.ok
    assert [step.result for step in trace.steps][-1] == "ended"
    assert trace.steps[-1].end == result.position.frame.origin
