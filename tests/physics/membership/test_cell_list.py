"""Membership 12.2, 7: which landcells and cells the spheres touch."""

import pytest

from engine.collision.moving_sphere import MovingSphere
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import (
    add_all_outside_cells,
    build_cell_list,
    pick_current_cell,
    prune,
)
from engine.world.frame import Frame
from tests.physics.houses import A, B, room_pair
from tests.physics.rooms import exit_portal, room
from tests.physics.scenes import add_cells, block_cells, building, cells, terrain

C = 0xA9B40102
FIRST = 0xA9B40001


def array_of(cell_id, *centers, r=0.48):
    array = CellArray()
    add_all_outside_cells(cells(), cell_id, [MovingSphere(x, y, 0.0, r) for x, y in centers], array)
    return array


@pytest.mark.parametrize(
    ("name", "cell_id", "center", "ids"),
    [
        ("OC1", FIRST, (12, 12), [FIRST]),
        ("OC2", FIRST, (23.6, 12), [FIRST, 0xA9B40009]),
        ("OC3", FIRST, (23.5, 12), [FIRST]),
        ("OC4", FIRST, (23.6, 23.6), [FIRST, 0xA9B40009, 0xA9B4000A, 0xA9B40002]),
        ("OC5", FIRST, (0.3, 0.3), [FIRST, 0xA8B40039, 0xA8B30040, 0xA9B30008]),
        ("OC6", 0xA9B40031, (150, -0.2), [0xA9B30038, 0xA9B40031]),
        ("OC7", 0xA9B40040, (191.8, 191.8), [0xA9B40040, 0xAAB40008, 0xAAB50001, 0xA9B50039]),
        ("OC8", FIRST, (24.0, 12), [0xA9B40009, FIRST]),
        ("OC9", 0x00000001, (0.2, 0.2), [0x00000001]),
        ("OC10", FIRST, (0.3, 23.7), [FIRST, 0xA8B40039, 0xA8B4003A, 0xA9B40002]),
    ],
)
def test_landcells_in_order(name, cell_id, center, ids):
    assert array_of(cell_id, center).ids == ids


def test_OC11_two_spheres():
    assert array_of(FIRST, (12, 12), (23.8, 12)).ids == [FIRST, 0xA9B40009]


def test_landcells_are_added_once_for_an_array():
    array = array_of(FIRST, (12, 12))
    add_all_outside_cells(cells(), FIRST, [MovingSphere(60, 60, 0, 0.48)], array)
    assert array.ids == [FIRST]


def pick(world, cell_id, x, *, prune=False, r=0.48, y=100.0, z=0.5):
    array = CellArray(explains=True)
    array.do_not_load_cells = prune
    found = build_cell_list(world, cell_id, [MovingSphere(x, y, z, r)], array, want_current=True)
    return array, found


def test_of_two_cells_that_hold_the_centre_the_first_of_the_array_wins():
    world = cells(*room_pair())
    for seed in (A, B):
        array, found = pick(world, seed, 100.0001)
        assert array.ids == [seed, A + B - seed]
        assert found.id == seed


def test_a_neighbour_is_added_by_its_volume_and_says_so():
    world = cells(*room_pair())
    array, found = pick(world, A, 99.6)
    assert list(zip(array.ids, array.why, array.added_by, strict=True)) == [(A, "seed", A), (B, "portal", A)]
    assert found.id == A
    assert pick(world, A, 99.5)[0].ids == [A]


@pytest.mark.parametrize(("x", "touched"), [(99.53, True), (99.51, False), (102.0, True)])
def test_an_unloaded_neighbour_is_added_by_the_portals_plane(x, touched):
    a, _ = room_pair()
    array, found = pick(cells(a), A, x)
    assert array.ids == ([A, B] if touched else [A])
    assert found is (a if x < 100 else None)


def test_the_list_knows_who_came_and_went_and_believes_no_other_graph():
    """Portals remember their neighbours for one version of one graph (membership 2.4)."""
    a, b = room_pair()
    both, alone = cells(a, b), cells(a)
    both.version = alone.version = 7
    for _ in range(2):
        assert pick(both, A, 99.6)[0].cells == [a, b]
        assert pick(alone, A, 99.6)[0].cells == [a, None]
    assert pick(both, A, 99.6)[0].cells == [a, b]
    _, other = room_pair()
    both.blocks[a.id & 0xFFFF0000].env_cells[B] = other
    both.version += 1
    assert pick(both, A, 99.6)[0].cells == [a, other]


def house_at(x):
    return room(
        A, [], (0, -2, -0.1), (5, 2, 3), portals=[exit_portal(0, 0.0, 0)], frame=Frame((x, 100.0, 0.0))
    )


def test_ME7_an_interior_cell_wins_over_a_landcell():
    inside = house_at(100.0)
    block = terrain()
    building(block.land_cells[0x24], inside)
    block.env_cells[A] = inside
    array, found = pick(block_cells(block), 0xA9B40025, 101.0)
    assert array.ids == [0xA9B40025, A]
    assert array.why[1] == "building portal"
    assert found is inside
    assert array.hits_interior_cell


def test_a_building_portal_without_a_way_back_lets_nobody_in():
    inside = house_at(100.0)
    block = terrain()
    building(block.land_cells[0x24], inside, portal_index=-1)
    block.env_cells[A] = inside
    assert pick(block_cells(block), 0xA9B40025, 101.0)[0].ids == [0xA9B40025]


def test_ME8_the_prune_keeps_the_seed_and_its_stab_list():
    a, b = room_pair()
    b.portals.append(exit_portal(1, 0.0, 0))
    b.portal_planes += (b.portal_planes[0],)
    world = block_cells(terrain())
    add_cells(world, a, b)
    assert pick(world, A, 99.9)[0].ids == [A, B, 0xA9B40025]
    assert pick(world, A, 99.9, prune=True)[0].ids == [A, B]


def test_removing_an_entry_puts_the_last_one_in_its_place():
    array = CellArray(explains=True)
    for cell_id in (1, 2, 3, 4):
        array.add_cell(cell_id, None, str(cell_id))
    array.remove_cell(1)
    assert (array.ids, array.why) == ([1, 4, 3], ["1", "4", "3"])
    array.remove_cell(2)
    assert array.ids == [1, 4]


def test_an_array_that_explains_nothing_holds_the_same_cells():
    def filled(*, explains):
        array = CellArray(explains=explains)
        for cell_id in (1, 2, 3, 4):
            array.add_cell(cell_id, None, "seed")
        array.remove_cell(0)
        return array

    plain, explained = filled(explains=False), filled(explains=True)
    assert plain.ids == explained.ids == [4, 2, 3]
    assert (plain.why, plain.added_by) == ([], [])
    assert (explained.why, explained.added_by) == (["seed"] * 3, [4, 2, 3])
    explained.reset()
    assert (explained.why, explained.added_by) == ([], [])


def test_ME9_on_an_exact_line_the_last_landcell_that_holds_the_centre_wins():
    array, found = pick(block_cells(terrain()), FIRST, 24.0, y=12.0)
    assert array.ids == [0xA9B40009, FIRST]
    assert found.id == FIRST


def test_an_interior_cell_is_met_from_the_next_landblock():
    """A building's cell across a border is tested in its own block's frame."""
    inside = room(
        0xA9B40100,
        [],
        (0, -2, -0.1),
        (5, 2, 3),
        portals=[exit_portal(0, 0.0, 0)],
        frame=Frame((188.0, 100.0, 0.0)),
    )
    block = terrain()
    building(block.land_cells[0x3C], inside)
    block.env_cells[inside.id] = inside
    world = block_cells(block, terrain(block_id=0xAAB40000))
    array, found = pick(world, 0xAAB40005, 0.3)
    assert inside.id in array.ids
    assert found is inside


def test_a_cell_without_portals_is_never_picked():
    world = cells(room(A, []))
    array, found = pick(world, A, 0.0, y=0.0)
    assert array.ids == [A]
    assert found is None


def test_a_cell_that_is_not_loaded_seeds_an_array_that_leads_nowhere():
    array, found = pick(cells(), A, 0.0)
    assert (array.ids, array.cells, found) == ([A], [None], None)


@pytest.mark.parametrize(("x", "touched"), [(100.48015, True), (100.4803, False)])
def test_an_exit_counts_as_touched_a_hairs_breadth_off(x, touched):
    """As near as a cell's own planes tell: or a sphere at rest against the opening would see no outdoors."""
    world = block_cells(terrain())
    add_cells(world, house_at(100.0))
    assert (0xA9B40025 in pick(world, A, x)[0].ids) is touched


def test_the_head_alone_reaches_outdoors_and_into_the_next_room():
    a, b = room_pair()
    world = block_cells(terrain())
    add_cells(world, a, b)
    spheres = [MovingSphere(99.0, 100.0, 0.5, 0.48), MovingSphere(99.7, 100.0, 1.4, 0.48)]
    array = CellArray()
    build_cell_list(world, A, spheres, array, want_current=False)
    assert array.ids == [A, B]
    add_cells(world, house_at(100.0))
    array = CellArray()
    spheres = [MovingSphere(101.0, 100.0, 0.5, 0.48), MovingSphere(100.3, 100.0, 1.4, 0.48)]
    build_cell_list(world, A, spheres, array, want_current=False)
    assert array.ids[0] == A
    assert array.added_outside


def test_a_sphere_beyond_the_map_ends_the_list():
    assert array_of(0x00000001, (-1.0, 5.0), (12.0, 12.0)).ids == []
    assert array_of(0x00000001, (12.0, 12.0), (-1.0, 5.0)).ids == [0x00000001]


def test_a_prune_looks_at_what_took_a_dropped_entrys_place():
    a, _ = room_pair()
    array = CellArray()
    for cell_id in (A, 1, 2, 3, B, 4):
        array.add_cell(cell_id, None, "")
    prune(array, a)
    assert set(array.ids) == {A, B}


@pytest.mark.parametrize(("cell_id", "x", "inside"), [(A, 101.0, True), (0xA9B40025, 99.0, False)])
def test_whether_the_spheres_are_indoors_is_said_whoever_asks(cell_id, x, inside):
    """From a seed, from a building's opening, and by the pick alone: a shell's solid counts outdoors only."""
    block = terrain()
    made = house_at(100.0)
    building(block.land_cells[0x24], made)
    block.env_cells[A] = made
    world = block_cells(block)
    for want in (True, False):
        array = CellArray()
        build_cell_list(world, cell_id, [MovingSphere(x, 100.0, 0.5, 0.48)], array, want_current=want)
        assert array.hits_interior_cell is inside
    array = CellArray()
    build_cell_list(world, 0xA9B40025, [MovingSphere(99.7, 100.0, 0.5, 0.48)], array, want_current=False)
    assert array.hits_interior_cell, "the building's opening is reached"
    array = CellArray()
    array.add_cell(A, made, "")
    assert pick_current_cell(A, MovingSphere(101.0, 100.0, 0.5, 0.48), array) is made
    assert array.hits_interior_cell, "picked"
