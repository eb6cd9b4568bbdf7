"""Membership 12.14, 7.6 and ME10-ME13, OT1-OT5: membership is carried by the sweep."""

import pytest

from engine.dat.values import Sphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import ADJUSTED, COLLIDED, OK, SLID
from engine.physics.transition import insertion
from engine.physics.transition.driver import validate_transition
from engine.physics.transition.run import find_valid_position
from engine.physics.transition.trace import SweepTrace
from engine.world.frame import Frame, Position
from engine.world.physics_state import PLAYER_STATE
from tests.physics.houses import FRAME, LAND, A, B, house, two_rooms
from tests.physics.rooms import exit_portal, portal, quad, room
from tests.physics.scenes import (
    FLAT,
    block_cells,
    building,
    cells,
    flat_floor,
    stand,
    terrain,
    transition,
    wall,
)
from tests.physics.scripted_rules import OnlyRules
from tests.physics.stage import push


def test_ME1_from_room_to_room():
    world = two_rooms()
    body = stand(world, (99.0, 100.0, 0.005), A)
    seen = []
    for _ in range(6):
        (result,) = push(world, body, (0.25, 0.0, 0.0))
        seen.append((result.cell_id, result.cells))
    assert [cell for cell, _ in seen] == [A, A, A, A, B, B]
    assert seen[2][1] == (A, B)
    assert seen[4][1] == (B, A)
    assert seen[5][1] == (B,)
    assert body.position.frame.origin == pytest.approx((100.5, 100.0, 0.005), abs=1e-4)


@pytest.mark.parametrize(("x", "cell"), [(100.0001, A), (100.0003, B)])
def test_ME2_the_tie_band_of_a_portal_plane(x, cell):
    world = two_rooms()
    body = stand(world, (99.8, 100.0, 0.005), A)
    push(world, body, (x - body.position.frame.origin[0], 0.0, 0.0))
    assert body.cell.id == cell


def test_ME3_from_the_street_into_a_house():
    world = house()
    body = stand(world, (99.0, 100.0, 0.005), LAND)
    seen = []
    for _ in range(5):
        (result,) = push(world, body, (0.25, 0.0, 0.0))
        seen.append((result.cell_id, result.cells))
    assert [cell for cell, _ in seen] == [LAND, LAND, LAND, A, A]
    assert seen[1][1] == (LAND,)
    assert seen[2][1] == (LAND, A)


def test_ME4_and_out_again():
    world = house()
    body = stand(world, (101.0, 100.0, 0.005), A)
    seen = []
    for _ in range(6):
        (result,) = push(world, body, (-0.25, 0.0, 0.0))
        seen.append((result.cell_id, set(result.cells)))
    assert [cell for cell, _ in seen] == [A, A, A, A, LAND, LAND]
    assert seen[1][1] == {A}
    assert seen[2][1] == {A, LAND}
    assert seen[5][1] == {LAND}
    assert body.contact.cell_id == LAND


def test_ME6_a_blocked_push_keeps_the_cell():
    world = two_rooms(wall(0.3, 0.0, 3.0, sign=-1, polygon_id=9, y=5))
    body = stand(world, (99.5, 100.0, 0.005), A)
    kept = 0
    for _ in range(10):
        before = body.position.frame.origin
        (result,) = push(world, body, (0.1, 0.0, 0.0))
        assert result.cell_id == A
        kept += body.position.frame.origin == before
    assert kept == 7
    assert body.position.frame.origin[0] <= 100.3 - 0.48 + 0.0002


def test_after_a_blocked_sub_step_the_cells_are_those_of_the_place_it_went_back_to():
    """Tried, the spheres reached into the next room; where the body is, they do not."""
    world = two_rooms(wall(0.2, 0.0, 3.0, sign=-1, polygon_id=9, y=5))
    body = stand(world, (99.5, 100.0, 0.005), A)
    (result,) = push(world, body, (0.4, 0.0, 0.0))
    assert {hit.cell_id for hit in result.hits} == {B}
    assert body.position.frame.origin[0] == pytest.approx(99.5, abs=1e-4)
    assert body.cell_ids == (A,)
    free = stand(world, (99.5, 100.0, 0.005), A)
    push(world, free, (0.2, 0.0, 0.0))
    assert free.cell_ids == (A, B)


def test_pushed_back_8cm_a_the_reset_restores_cell_and_position():
    world = two_rooms()
    t = transition(world, (99.9, 100.0, 0.005), (0.18, 0.0, 0.0), A, contact_cell_id=A)
    t.sphere_path.check_cell = world.get_visible(B)
    t.sphere_path.adjust_check_pos(B)
    assert validate_transition(t, COLLIDED) == OK
    assert t.sphere_path.curr_cell.id == A
    assert t.sphere_path.check_cell.id == A
    assert t.sphere_path.check_pos.frame.origin == (99.9, 100.0, 0.005)


def test_pushed_back_8cm_b_the_trace_lists_the_candidate():
    behind = 0.08 + 0.48
    world = two_rooms(wall(behind, 0.0, 3.0, sign=-1, polygon_id=9, y=5))
    body = stand(world, (99.9, 100.0, 0.005), A)
    trace = SweepTrace()
    (result,) = push(world, body, (0.2, 0.0, 0.0), trace=trace)
    assert result.cell_id == A
    assert body.position.frame.origin == pytest.approx((99.9, 100.0, 0.005), abs=1e-5)
    candidates = {c.cell_id for step in trace.steps for pick in step.picks for c in pick.candidates}
    assert B in candidates
    assert not trace.steps[0].advanced
    assert [h.owner for h in result.hits] == [B]


SMALL = (Sphere((0.0, 0.0, 0.2), 0.2),)


def test_ME10_in_a_vestibule_the_neighbours_wall_blocks():
    vestibule, main = 0xA9B40157, 0xA9B40164
    v = room(vestibule, [], (-1, -2, -1), (0.75, 2, 3), portals=[portal(0, main, 0.75, 1)], stab=(main,))
    walls = [wall(0.8, -1.0, 3.0, sign=-1, polygon_id=4, y=2)]
    m = room(
        main, walls, (0.75, -2, -1), (5, 2, 3), portals=[portal(0, vestibule, 0.75, 0)], stab=(vestibule,)
    )
    world = cells(v, m)
    body = stand(world, (0.1, 0.0, 0.0), vestibule, state=PLAYER_STATE & ~0x400)
    body.spheres = SMALL
    body.transient_state = 0
    hits = []
    for _ in range(15):
        (result,) = push(world, body, (0.04, 0.0, 0.0))
        hits += result.hits
    assert body.position.frame.origin[0] <= 0.604
    assert body.position.frame.origin[0] > 0.5
    assert {h.owner for h in hits} == {main}
    assert body.cell.id == vestibule


def test_ME11_a_long_tick_through_thin_cells_passes_each_of_them():
    ids = [A + i for i in range(5)]
    edges = [-3.0, 0.0, 0.3, 0.6, 0.9, 4.0]
    rooms = []
    for i, cell_id in enumerate(ids):
        portals = []
        if i > 0:
            portals.append(portal(0, ids[i - 1], edges[i], 0))
        if i < 4:
            portals.append(portal(len(portals), ids[i + 1], edges[i + 1], 1))
        floor = flat_floor(edges[i], edges[i + 1], 0.0, y=5)
        low, high = (edges[i], -5, -0.1), (edges[i + 1], 5, 4)
        rooms.append(room(cell_id, [floor], low, high, portals=portals, stab=tuple(ids)))
    world = cells(*rooms)
    body = stand(world, (-0.5, 0.0, 0.005), A)
    trace = SweepTrace()
    (result,) = push(world, body, (2.0, 0.0, 0.0), trace=trace)
    assert result.cell_id == ids[4]
    assert body.position.frame.origin == pytest.approx((1.5, 0.0, 0.005), abs=1e-4)
    path = [step.end_cell_id for step in trace.steps]
    assert path == sorted(path)
    assert len(set(path)) >= 3
    assert all(step.advanced for step in trace.steps)
    candidates = {c.cell_id for step in trace.steps for pick in step.picks for c in pick.candidates}
    assert candidates == set(ids)


def far_outside(*, seen_outside):
    inside = room(
        A,
        [],
        (0, -2, -0.1),
        (5, 2, 3),
        portals=[exit_portal(0, 0.0, 0)],
        frame=FRAME,
        seen_outside=seen_outside,
    )
    block = terrain()
    block.env_cells[A] = inside
    return block_cells(block), inside


def test_ME12_no_cell_holds_the_centre_and_the_outside_is_seen():
    world, inside = far_outside(seen_outside=True)
    t = transition(world, (120.0, 100.0, 0.005), cell_id=A)
    assert insertion.check_other_cells(t, inside) == OK
    assert t.sphere_path.check_cell.id == 0xA9B4002D
    assert t.sphere_path.check_pos.cell_id == 0xA9B4002D


def test_ME12_else_it_is_blocked():
    world, inside = far_outside(seen_outside=False)
    t = transition(world, (120.0, 100.0, 0.005), cell_id=A)
    assert insertion.check_other_cells(t, inside) == COLLIDED


def test_in_a_crack_between_cells_the_current_one_is_kept():
    world, inside = far_outside(seen_outside=True)
    t = transition(world, (99.9, 102.3, 1.0), cell_id=A)
    assert insertion.leave_known_cells(t, inside) == OK
    assert t.sphere_path.check_cell is inside


def test_a_cell_of_the_stab_list_is_found_when_no_portal_leads_there():
    a = room(A, [], (0, -2, -0.1), (5, 2, 3), portals=[exit_portal(0, 0.0, 0)], frame=FRAME, stab=(B,))
    b = room(B, [], (8, -2, -0.1), (12, 2, 3), portals=[exit_portal(0, 8.0, 0)], frame=FRAME)
    t = transition(cells(a, b), (110.0, 100.0, 0.0), cell_id=A)
    assert insertion.leave_known_cells(t, a) == OK
    assert t.sphere_path.check_cell is b


def test_a_step_down_probe_out_of_all_cells_is_no_way_out():
    world, inside = far_outside(seen_outside=True)
    t = transition(world, (120.0, 100.0, 0.005), cell_id=A)
    t.sphere_path.step_down = True
    assert insertion.check_other_cells(t, inside) == COLLIDED


def test_ME13_inside_a_vestibule_the_landcell_below_is_not_picked():
    v, m = 0xA9B40164, 0xA9B40157
    frame = Frame((150.0, 10.0, 0.0))
    vestibule = room(
        v, [], (0, -2, -0.1), (1.5, 2, 3), portals=[exit_portal(0, 0.0, 0), portal(1, m, 1.5, 1)],
        frame=frame,
        stab=(m,), seen_outside=True,
    )  # fmt: skip
    far_wall = wall(1.52, 0.0, 3.0, sign=-1, polygon_id=3, y=2)
    main = room(
        m, [far_wall], (1.5, -2, -0.1), (6, 2, 3), portals=[portal(0, v, 1.5, 0)], frame=frame, stab=(v,)
    )
    block = terrain()
    building(block.land_cells[0x30], vestibule, at=frame.origin)
    block.env_cells = {v: vestibule, m: main}
    world = block_cells(block)
    body = stand(world, (150.5, 10.0, 0.005), v)
    for _ in range(10):
        (result,) = push(world, body, (0.1, 0.0, 0.0))
        assert result.cell_id == v
    assert body.position.frame.origin[0] <= 150.0 + 1.52 - 0.48 + 0.0002


# -- check_other_cells


def others(answers, current_answers=()):
    """Three cells beside the current one whose collisions are scripted; (transition, asked)."""
    ids = [A + i for i in range(len(answers) + 1)]
    rooms = [room(A, [], portals=[portal(i, ids[i + 1], 0.0, 1) for i in range(len(answers))])]
    rooms += [room(i, []) for i in ids[1:]]
    world = cells(*rooms)
    t = transition(world, (0.0, 0.0, 0.0), cell_id=A, grounded=False)
    asked = []

    def find_collisions(t, cell):
        asked.append(cell.id - A)
        ts, write = answers[cell.id - A - 1]
        if write is not None:
            write(t)
        return ts

    t.rules = OnlyRules(collide=find_collisions)
    return t, world.get_visible(A), asked


def test_OT1_alone_nobody_is_asked():
    t, cell, asked = others([])
    cell.portals.append(exit_portal(0, 90.0, 1))
    cell.portal_planes = ((1.0, 0.0, 0.0, -90.0),)
    assert insertion.check_other_cells(t, cell) == OK
    assert asked == []
    assert t.sphere_path.check_cell is cell


def test_OT2_each_other_cell_is_asked_once():
    t, cell, asked = others([(OK, None)] * 3)
    assert insertion.check_other_cells(t, cell) == OK
    assert asked == [1, 2, 3]


def test_OT3_a_collision_ends_it_and_what_was_written_stays():
    def write(t):
        t.collision_info.set_collision_normal((1.0, 0.0, 0.0))

    t, cell, asked = others([(OK, write), (COLLIDED, None), (OK, None)])
    assert insertion.check_other_cells(t, cell) == COLLIDED
    assert asked == [1, 2]
    assert t.collision_info.collision_normal == (1.0, 0.0, 0.0)


def test_OT3_the_environment_is_noted_when_not_in_contact():
    ceiling = quad(3, (-9, -9, 1.0), (-9, 9, 1.0), (9, 9, 1.0), (9, -9, 1.0))
    world = cells(
        room(A, [], portals=[portal(0, B, 0.0, 1)]), room(B, [ceiling], portals=[portal(0, A, 0.0, 0)])
    )
    t = transition(world, (0.0, 0.0, -1.0), (0.0, 0.0, 0.3), A, grounded=False, contact=None)
    assert insertion.check_other_cells(t, world.get_visible(A)) == COLLIDED
    assert t.collision_info.collided_with_environment


@pytest.mark.parametrize("result", [SLID, ADJUSTED])
def test_OT4_a_slide_clears_the_contact(result):
    t, cell, asked = others([(OK, None), (result, None), (OK, None)])
    t.collision_info.contact = Contact.on(FLAT, 0, is_water=True)
    assert insertion.check_other_cells(t, cell) == result
    assert asked == [1, 2]
    assert (t.collision_info.contact is not None) is (result == ADJUSTED)


def test_OT5_a_cell_without_a_physics_tree_is_passed_over():
    world = cells(room(A, [], portals=[portal(0, B, 0.0, 1)]), room(B, [], portals=[portal(0, A, 0.0, 0)]))
    t = transition(world, cell_id=A)
    assert world.get_visible(B).structure.physics_root is None
    assert insertion.check_other_cells(t, world.get_visible(A)) == OK
    assert t.cell_array.ids == [A, B]


def test_the_tried_position_takes_the_block_of_the_landcell_picked():
    world = block_cells(terrain(), terrain(block_id=0xA9B30000))
    t = transition(world, (150.0, 0.5, 0.005), (0.0, -1.0, 0.0), 0xA9B40031)
    assert insertion.check_other_cells(t, world.get_visible(0xA9B40031)) == OK
    path = t.sphere_path
    assert path.check_pos.cell_id == 0xA9B30038
    for sphere, local in zip(path.global_sphere, path.local_sphere, strict=True):
        assert sphere.center == pytest.approx(path.check_pos.frame.to_global(local.center))


def test_without_a_current_cell_a_sweep_is_refused():
    world = two_rooms()
    t = transition(world, (99.0, 100.0, 0.0), cell_id=A)
    t.init_path(None, Position(A, FRAME), Position(A, FRAME))
    assert not find_valid_position(t)
