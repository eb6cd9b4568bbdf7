"""Where no known cell holds the foot's centre: who stays, who goes on, and where (sweep 3.12, 3.19)."""

from __future__ import annotations

import pytest

from engine.physics.enums import COLLIDED, OK
from engine.physics.transition.insertion import (
    containing_cell,
    find_visible_child_cell,
    keeps_portalless_cell,
    leave_known_cells,
)
from engine.world.frame import Frame, Position
from tests.physics.rooms import portal, room
from tests.physics.scenes import block_cells, cells, origin, terrain, transition

A, B, C = 0xA9B40100, 0xA9B40101, 0xA9B40102
NORTH, EAST = 0xA9B50100, 0xAAB40100
BOX = ((-1.0, -1.0, -1.0), (1.0, 1.0, 3.0))


def box(cell_id, *, low=BOX[0], high=BOX[1], doors=True, **more):
    """A room of its own walls, with an opening that leads nowhere near, or with none."""
    ways = [portal(0, 0xA9B40199, 90.0, 1)] if doors else []
    return room(cell_id, [], low, high, portals=ways, **more)


def tried(world, cell_id, at):
    return transition(world, (at[0], at[1], at[2] - 0.475), cell_id=cell_id)


# --- a cell without portals


def test_a_cell_without_portals_keeps_what_its_own_volume_holds():
    assert keeps_portalless_cell(box(A, doors=False), A, (0.9, 0.0, 0.0))
    assert not keeps_portalless_cell(box(A, doors=False), A, (1.1, 0.0, 0.0))


def test_a_cell_with_portals_or_of_the_land_keeps_nobody():
    assert not keeps_portalless_cell(box(A), A, (0.0, 0.0, 0.0))
    assert not keeps_portalless_cell(terrain().land_cells[0], A, (1.0, 1.0, 0.0))
    assert not keeps_portalless_cell(None, A, (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("y", "kept"), [(192.5, True), (191.5, True), (193.5, False), (-191.5, False), (0.5, False)]
)
def test_a_cell_of_the_next_landblock_keeps_a_place_told_from_here(y, kept):
    """Its middle lies 192 m to the north, or to the east, of this landblock's corner."""
    assert keeps_portalless_cell(box(NORTH, doors=False), A, (0.5, y, 0.0)) is kept
    assert keeps_portalless_cell(box(EAST, doors=False), A, (y, 0.5, 0.0)) is kept


# --- the cell of a stab list that holds a point


def test_of_the_cells_that_can_be_seen_itself_comes_first_and_the_others_in_their_order():
    one, two, three = (
        box(A, stab=(0xA9B40150, B, C)),
        box(B, high=(5.0, 1.0, 3.0)),
        box(C, high=(9.0, 1.0, 3.0)),
    )
    t = transition(cells(one, two, three), cell_id=A)
    for x, found in ((0.0, one), (2.0, two), (7.0, three), (11.0, None)):
        assert find_visible_child_cell(t, one, (x, 0.0, 0.0)) is found


# --- nobody holds the centre


def test_out_of_doors_one_walks_on_into_land_that_is_not_loaded():
    world = block_cells(terrain())
    t = tried(world, 0xA9B40008, (5.0, 193.0, 0.475))
    assert leave_known_cells(t, world.get_visible(0xA9B40008)) is OK
    path = t.sphere_path
    assert (path.check_pos.cell_id, path.check_cell) == (0xA9B50001, None)
    assert origin(t) == pytest.approx((5.0, 1.0, 0.0))
    assert path.global_sphere[0].center == pytest.approx((5.0, 1.0, 0.475))


def test_off_the_map_nobody_walks():
    world = block_cells(terrain(block_id=0x00000000))
    t = tried(world, 0x00000001, (5.0, -1.0, 0.475))
    assert leave_known_cells(t, world.get_visible(0x00000001)) is COLLIDED
    assert origin(t) == pytest.approx((5.0, -1.0, 0.0))


@pytest.mark.parametrize(("x", "stays"), [(1.47, True), (1.49, False)])
def test_who_still_touches_its_cell_stays_in_it(x, stays):
    """The foot sphere has a radius of 0.48 m and the wall is at 1 m."""
    world = cells(box(A))
    t = tried(world, A, (x, 0.0, 0.0))
    assert leave_known_cells(t, world.get_visible(A)) is (OK if stays else COLLIDED)
    assert t.sphere_path.check_pos.cell_id == A


@pytest.mark.parametrize(("there", "at"), [(NORTH, (1.4, 192.0, 0.0)), (EAST, (193.4, 0.0, 0.0))])
def test_who_touches_a_cell_of_the_next_landblock_stays_in_it(there, at):
    cell = box(there)
    t = tried(cells(cell), A, at)
    assert leave_known_cells(t, cell) is OK
    assert t.sphere_path.check_cell is cell
    assert t.sphere_path.check_pos.cell_id == there
    assert origin(t) == pytest.approx((1.4, 0.0, -0.475))
    assert leave_known_cells(tried(cells(cell), A, (1.4, 0.0, 0.0)), cell) is COLLIDED


def test_who_is_put_down_needs_its_centre_in_the_cell_and_is_looked_for_in_no_other():
    """It has come from nowhere: that a cell of the stab list holds it is no way to have got there."""
    one, two = box(A, stab=(B,)), box(B, low=(1.0, -1.0, -1.0), high=(9.0, 1.0, 3.0))
    for x, walked, placed in ((5.0, OK, COLLIDED), (1.3, OK, COLLIDED), (0.5, OK, OK)):
        t = tried(cells(one, two), A, (x, 0.0, 0.0))
        assert leave_known_cells(t, one) is walked
        t = tried(cells(one, two), A, (x, 0.0, 0.0))
        t.sphere_path.init_path(one, None, Position(A, Frame((x, 0.0, -0.475))))
        assert leave_known_cells(t, one) is placed


def test_out_of_a_cell_that_sees_the_outside_one_comes_to_the_land_below():
    block = terrain()
    block.env_cells = {A: box(A, seen_outside=True), B: box(B)}
    world = block_cells(block)
    for current, ts in ((A, OK), (B, COLLIDED)):
        t = tried(world, current, (5.0, 5.0, 0.475))
        assert leave_known_cells(t, world.get_visible(current)) is ts
        assert t.sphere_path.check_pos.cell_id == (0xA9B40001 if ts is OK else current)


def test_where_the_land_below_is_not_loaded_one_is_held():
    t = tried(cells(box(A, seen_outside=True)), A, (5.0, 5.0, 0.475))
    assert leave_known_cells(t, t.sphere_path.check_cell) is COLLIDED


def test_any_cell_that_was_looked_at_may_see_the_outside():
    """One of them is not loaded."""
    block = terrain()
    block.env_cells = {A: box(A), B: box(B, seen_outside=True)}
    world = block_cells(block)
    t = tried(world, A, (5.0, 5.0, 0.475))
    t.cell_array.cells[:] = [None, world.get_visible(B)]
    assert leave_known_cells(t, world.get_visible(A)) is OK


# --- the array of the last place asked about


def nudged(x, y, z):
    return lambda path: path.add_offset_to_check_pos(x, y, z)


def put_elsewhere(path):
    """A hair's breadth off, by a place of its own."""
    path.set_check_pos(Position(A, Frame((1e-9, 0.0, 0.0))), path.check_cell)


def put_back(path):
    path.save_check_pos()
    path.add_offset_to_check_pos(0.0, 0.0, -1.0)
    path.restore_check_pos()


@pytest.mark.parametrize(
    "move",
    [
        nudged(1e-9, 0.0, 0.0), nudged(0.0, 1e-9, 0.0), nudged(0.0, 0.0, 1e-9), put_elsewhere, put_back,
        lambda path: path.adjust_check_pos(A + (1 << 24)),
    ],
    ids=["x", "y", "z", "put elsewhere", "put back", "into another block's frame"],
)  # fmt: skip
def test_the_cells_are_looked_for_again_when_the_spheres_have_moved_at_all(move):
    """An array that is filled anew has lost the mark that was put on it."""
    t = tried(cells(box(A)), A, (0.0, 0.0, 0.0))
    path = t.sphere_path
    containing_cell(t)
    t.cell_array.cut_off = True
    assert containing_cell(t) is t.world.get_visible(A)
    path.adjust_check_pos(A)  # which moves nothing
    assert containing_cell(t) is t.world.get_visible(A)
    assert t.cell_array.cut_off
    before, moves = [s.center for s in path.global_sphere], path.moves
    move(path)
    assert [s.center for s in path.global_sphere] != before or move is put_back
    assert path.moves > moves
    containing_cell(t)
    assert not t.cell_array.cut_off
