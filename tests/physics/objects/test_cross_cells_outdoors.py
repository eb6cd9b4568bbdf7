"""Shadows outdoors: landcells, over landblock borders, and into buildings (objects 8.2, membership 7.4)."""

import pytest

from engine.physics.objects.cross_cells import MOST_CELLS
from engine.world.cells import BldPortal, Building
from engine.world.frame import Frame, Position
from tests.physics.objects.shadow_scenes import BASE, A, B, box_model, cells_of, entity, three_rooms
from tests.physics.rooms import exit_portal, flat_block, portal, room
from tests.physics.stage import empty_world, put_block


def test_a_box_without_bounds_ends_within_reach():
    """A damaged corner, 1e38 m off: the rectangle of landcells ended nowhere."""
    world = empty_world()
    put_block(world, flat_block())
    wide = box_model((-1.0, -1.0, 0.0), (1e38, 1.0, 2.0))
    cells = cells_of(world, entity(wide, 0xA9B40001, (12.0, 12.0, 0.0)))
    assert len(cells) == MOST_CELLS + 1
    assert cells[:2] == [0xA9B40001, 0xA9B40009]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((12.0, 12.0, 0.0), [0xA9B40001]),
        ((24.5, 12.0, 0.0), [0xA9B40001, 0xA9B40009]),
        ((24.5, 24.5, 0.0), [0xA9B40001, 0xA9B40002, 0xA9B40009, 0xA9B4000A]),
        ((0.5, 12.0, 0.0), [0xA8B40039, 0xA9B40001]),
        ((0.5, 0.5, 0.0), [0xA8B30040, 0xA8B40039, 0xA9B30008, 0xA9B40001]),
    ],
)
def test_outdoors_the_parts_cover_a_rectangle_of_landcells(at, expected):
    """Across landblocks too, with the neighbour loaded or not."""
    world = empty_world()
    put_block(world, flat_block())
    cell = 0xA9B40001 + 8 * int(at[0] // 24) + int(at[1] // 24)
    target = entity(box_model((-1, -1, 0), (1, 1, 1)), cell, at)
    assert sorted(cells_of(world, target)) == expected
    assert cells_of(world, target)[0] == cell


def test_the_map_has_an_edge():
    world = empty_world()
    put_block(world, flat_block(0x00000000))
    assert cells_of(world, entity(box_model((-1, -1, 0), (1, 1, 1)), 0x00000001, (0.5, 0.5, 0.0))) == [1]


def house(portal_id=1):
    """The three rooms as a building on the landcell under A's exit."""
    world = three_rooms()
    cell = world.get_visible(0xA9B4001D)
    cell.building = Building(
        0,
        0x01000A20,
        Position(cell.id, BASE),
        shell_frame=BASE,
        shell_root=None,
        portals=[BldPortal(0, 0, None, other_cell_id=A, other_portal_id=portal_id, stab_list=())],
    )
    return world


def test_from_outdoors_a_shadow_enters_a_building():
    world = house()
    door = entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), 0xA9B4001D, (95.0, 100.0, 0.0))
    assert cells_of(world, door) == [0xA9B4001D, A]


def test_a_building_portal_without_its_other_side_leads_nowhere():
    world = house(portal_id=-1)
    door = entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), 0xA9B4001D, (95.0, 100.0, 0.0))
    assert cells_of(world, door) == [0xA9B4001D]


def test_from_outdoors_a_shadow_goes_on_through_the_building():
    world = house()
    beam = entity(box_model((-0.5, -0.5, 0), (7.0, 0.5, 1)), 0xA9B4001D, (95.0, 100.0, 0.0))
    assert cells_of(world, beam) == [0xA9B4001D, 0xA9B40025, A, B]


@pytest.mark.parametrize("owner", ["the room's", "the neighbour's"])
def test_over_a_landblock_border_a_shadow_enters_a_building(owner):
    """A door in a doorway that lies in the border, counted in either landblock's frame."""
    border, yard, street = Frame((192.0, 100.0, 0.0)), 0xA9B4003D, 0xAAB40005
    inner = room(
        B, [], (-5, -5, -0.1), (-1, 5, 4), portals=[portal(0, A, -1.0, 1, other_portal=1)], frame=border,
        stab=[A],
    )  # fmt: skip
    outer = room(
        A, [], (-1, -5, -0.1), (0, 5, 4), portals=[exit_portal(0, 0.0, 1), portal(1, B, -1.0, 0)],
        frame=border, stab=[B], seen_outside=True,
    )  # fmt: skip
    west, east = flat_block(), flat_block(0xAAB40000)
    west.env_cells = {A: outer, B: inner}
    west.land_cells[(yard & 0xFF) - 1].building = Building(
        0, 0x01000A20, Position(yard, border), shell_frame=border, shell_root=None,
        portals=[BldPortal(0, 0, None, other_cell_id=A, other_portal_id=0, stab_list=())],
    )  # fmt: skip
    world = empty_world()
    put_block(world, west)
    put_block(world, east)
    own, x = (A, 192.0) if owner == "the room's" else (street, 0.0)
    leaf = entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), own, (x, 100.0, 0.0))
    assert set(cells_of(world, leaf)) == {A, yard, street}
    beam = entity(box_model((-1.5, -0.1, 0), (0.1, 0.1, 1)), own, (x, 100.0, 0.0))
    assert set(cells_of(world, beam)) == {A, B, yard, street}


@pytest.mark.parametrize("side", [1, 0], ids=["room to the west", "room to the east"])
def test_what_is_counted_outdoors_and_lies_in_a_room_is_met_there(side):
    """A box deep in the room, beyond the exit's plane by more than its radius, on the exit's inner side."""
    at, sign = Frame((100.0, 100.0, 0.0)), -1.0 if side == 1 else 1.0
    x0, x1 = sorted((0.0, 5.0 * sign))
    inside = room(
        A, [], (x0, -5, -0.1), (x1, 5, 4), portals=[exit_portal(0, 0.0, side)], frame=at, seen_outside=True
    )
    block = flat_block()
    block.env_cells = {A: inside}
    yard = 0xA9B40025
    block.land_cells[(yard & 0xFF) - 1].building = Building(
        0, 0x01000A20, Position(yard, at), shell_frame=at, shell_root=None,
        portals=[BldPortal(0, 0, None, other_cell_id=A, other_portal_id=0, stab_list=())],
    )  # fmt: skip
    world = empty_world()
    put_block(world, block)
    box = box_model((-0.1, -0.1, 0), (0.1, 0.1, 1))
    assert A in cells_of(world, entity(box, yard, (100.0 + 3.0 * sign, 100.0, 0.0)))
    assert A not in cells_of(world, entity(box, yard, (100.0 - 3.0 * sign, 100.0, 0.0)))
