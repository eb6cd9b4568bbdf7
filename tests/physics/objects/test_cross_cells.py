"""Which cells an object's shadow falls into (objects 8.2, membership 7.2-7.4 for parts)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.values import CylSphere, Sphere
from engine.physics.objects.cross_cells import (
    CROSSING_PLANE,
    MOST_CELLS,
    NEGATIVE,
    POSITIVE,
    calc_cross_cells,
    intersect_box,
)
from engine.physics.objects.shadow_object import PhysicsObject, placed_object
from engine.physics.objects.shadow_shape import ShapeType
from engine.world.cells import BldPortal, Building
from engine.world.frame import Frame, Position
from engine.world.polygon import Polygon
from tests.physics.models import cylinder_model, model, part, placed, slab_model, sphere_model
from tests.physics.rooms import box_polygons, exit_portal, flat_block, portal, room
from tests.physics.stage import block_of_cells, empty_world, put_block

A, B, C = 0xA9B40100, 0xA9B40101, 0xA9B40102
BASE = Frame((100.0, 100.0, 0.0))


def cells_of(world, target):
    return calc_cross_cells(world, target).ids


def box_model(low, high, model_id=0x02000020):
    return model(model_id, parts=[part(box_polygons(low, high))])


def entity(m, cell_id, at, quat=(1.0, 0.0, 0.0, 0.0), *, state=0x10008, scale=1.0):
    return PhysicsObject(0x7A9B4015, m, Position(cell_id, Frame(at, quat)), state=state, scale=scale)


def three_rooms():
    """A (x -5..0), B (0..5), C (5..10), in a row, A with an exit at its west end."""
    a = room(
        A, [], (-5, -5, -0.1), (0, 5, 4), portals=[portal(0, B, 0.0, 1), exit_portal(1, -5.0, 0)],
        frame=BASE, stab=[B],
        seen_outside=True,
    )  # fmt: skip
    b = room(
        B,
        [],
        (0, -5, -0.1),
        (5, 5, 4),
        portals=[portal(0, A, 0.0, 0), portal(1, C, 5.0, 1)],
        frame=BASE,
        stab=[A, C],
    )
    c = room(
        C, [], (5, -5, -0.1), (10, 5, 4), portals=[portal(0, B, 5.0, 0, other_portal=1)], frame=BASE, stab=[B]
    )
    block = flat_block()
    block.env_cells = {A: a, B: b, C: c}
    world = empty_world()
    put_block(world, block)
    return world


def test_an_object_inside_one_cell_stays_there():
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.5, -0.5, 0), (0.5, 0.5, 1)), B, (102.5, 100.0, 0.0))) == [B]


def test_an_object_in_a_doorway_is_in_both_cells():
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), A, (100.0, 100.0, 0.0))) == [
        A,
        B,
    ]


def test_every_part_counts_and_not_the_first_alone():
    post = part(box_polygons((-0.1, -0.1, 0), (0.1, 0.1, 1)))
    leaf = part(box_polygons((0.1, -0.1, 0), (2.0, 0.1, 1)))
    world = three_rooms()
    for parts in ([post, leaf], [leaf, post], [post, post, leaf], [post, leaf, post]):
        gate = model(0x02000021, parts=parts)
        assert cells_of(world, entity(gate, A, (99.0, 100.0, 0.0))) == [A, B]


def test_the_list_grows_through_several_cells():
    world = three_rooms()
    long_box = box_model((-1.0, -0.5, 0), (7.0, 0.5, 1))
    assert cells_of(world, entity(long_box, A, (99.0, 100.0, 0.0))) == [A, B, C]


def test_an_exit_portal_lets_a_shadow_outside():
    world = three_rooms()
    door = box_model((-0.1, -0.9, 0), (0.1, 0.9, 2))
    assert cells_of(world, entity(door, A, (95.0, 100.0, 0.0))) == [A, 0xA9B4001D]


def test_a_box_beyond_a_portal_beside_the_opening_touches_its_plane():
    """Only the plane and the neighbour's volume count, not the outline of the opening (membership 7.3)."""
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.2, 0, 3.5), (0.2, 1, 3.9)), A, (100.0, 100.0, 0.0))) == [A, B]


def test_an_unloaded_neighbour_is_listed_without_its_cell():
    world = three_rooms()
    del world.blocks[0xA9B40000].env_cells[B]
    array = calc_cross_cells(world, entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), A, (100, 100, 0)))
    assert (array.ids, array.cells[1]) == ([A, B], None)


def test_a_box_without_bounds_ends_within_reach():
    """A damaged corner, 1e38 m off: the rectangle of landcells ended nowhere."""
    world = empty_world()
    put_block(world, flat_block())
    wide = box_model((-1.0, -1.0, 0.0), (1e38, 1.0, 2.0))
    cells = cells_of(world, entity(wide, 0xA9B40001, (12.0, 12.0, 0.0)))
    assert len(cells) == MOST_CELLS + 1
    assert cells[:2] == [0xA9B40001, 0xA9B40009]


def test_an_object_whose_own_cell_is_not_loaded_waits_there():
    world = empty_world()
    array = calc_cross_cells(world, entity(slab_model(), A, (100.0, 100.0, 0.0)))
    assert (array.ids, array.cells) == ([A], [None])


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


def test_a_box_wholly_inside_stays_out_of_the_landcell():
    """The side test of the parts form: a box on the interior side of the exit leaves nothing outside."""
    world = three_rooms()
    inside = entity(box_model((0.0, -0.5, 0), (0.3, 0.5, 1)), A, (95.001, 100.0, 0.0))
    assert cells_of(world, inside) == [A]


def test_cylinders_go_by_their_low_point_and_radius():
    world = three_rooms()
    target = entity(cylinder_model(0.6, 2.0), A, (99.5, 100.0, 0.0), state=0x8)
    assert cells_of(world, target) == [A, B]
    assert cells_of(world, entity(cylinder_model(0.6, 2.0), A, (97.5, 100.0, 0.0), state=0x8)) == [A]


def test_a_static_cylinder_is_pruned_by_the_stab_list():
    world = three_rooms()
    target = placed_object(placed(0x02000010, A, (95.1, 100.0, 0.0), entity=False), cylinder_model(0.6, 2.0))
    assert cells_of(world, target) == [A]
    dynamic = placed_object(placed(0x02000010, A, (95.1, 100.0, 0.0)), cylinder_model(0.6, 2.0))
    assert cells_of(world, dynamic) == [A, 0xA9B4001D]


def test_spheres_reach_their_cells():
    world = three_rooms()
    assert cells_of(world, entity(sphere_model(0.5, 0.5), A, (99.7, 100.0, 0.0), state=0x8)) == [A, B]


def test_without_shapes_the_sorting_sphere_counts():
    world = three_rooms()
    bare = model(0x02000030, sorting=Sphere((0.0, 0.0, 0.5), 1.0))
    assert cells_of(world, entity(bare, A, (99.5, 100.0, 0.0), state=0x8)) == [A, B]
    assert cells_of(world, entity(model(0x02000031), A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    assert cells_of(world, entity(model(0x02000031), A, (99.95, 100.0, 0.0), state=0x8)) == [A, B]


def test_a_static_without_cylinders_goes_by_the_boxes_of_its_parts():
    world = three_rooms()
    bush = model(0x02000032, parts=[part(box_polygons((-1, -0.2, 0), (1, 0.2, 1)), physics=False)])
    target = placed_object(placed(0x02000032, A, (99.5, 100.0, 0.0), entity=False), bush)
    assert target.family == ()
    assert cells_of(world, target) == [A, B]


def test_a_static_of_spheres_goes_by_the_boxes_of_its_parts_alone():
    world = three_rooms()
    lamp = model(
        0x02000033, parts=[part(box_polygons((-0.1, -0.1, 0), (0.1, 0.1, 1)), physics=False)],
        spheres=[Sphere((0.0, 0.0, 0.5), 0.8)],
    )  # fmt: skip
    target = placed_object(placed(0x02000033, A, (99.5, 100.0, 0.0), entity=False), lamp)
    assert [s.kind for s in target.family] == [ShapeType.SPHERE]
    assert cells_of(world, target) == [A]
    assert cells_of(world, placed_object(placed(0x02000033, A, (99.5, 100.0, 0.0)), lamp)) == [A, B]


def test_of_cylinders_ten_are_asked():
    world = three_rooms()
    ten = [CylSphere((0.0, 0.0, float(i)), 0.1, 1.0) for i in range(10)]
    wide = CylSphere((0.0, 0.0, 0.0), 0.8, 1.0)
    assert cells_of(world, entity(model(0x02000034, cylspheres=ten), A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    many = model(0x02000035, cylspheres=[*ten, wide])
    assert cells_of(world, entity(many, A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    few = model(0x02000036, cylspheres=[*ten[:9], wide])
    assert cells_of(world, entity(few, A, (99.5, 100.0, 0.0), state=0x8)) == [A, B]


def test_scale_counts():
    world = three_rooms()
    small = box_model((-0.3, -0.3, 0), (0.3, 0.3, 1))
    assert cells_of(world, entity(small, A, (99.5, 100.0, 0.0))) == [A]
    assert cells_of(world, entity(small, A, (99.5, 100.0, 0.0), scale=2.0)) == [A, B]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.tuples(*[st.floats(-3, 3)] * 3), st.tuples(*[st.floats(0.01, 2)] * 3), st.floats(-3, 3))
def test_intersect_box_agrees_with_all_corners(low, size, d):
    high = tuple(a + b for a, b in zip(low, size, strict=True))
    slanted = Polygon(0, [(0, 0, d), (2, 0, d - 1.0), (2, 2, d + 1.0)])
    distances = [
        slanted.distance((x, y, z))
        for x in (low[0], high[0])
        for y in (low[1], high[1])
        for z in (low[2], high[2])
    ]
    if min(distances) > 0.0002:
        expected = POSITIVE
    elif max(distances) < -0.0002:
        expected = NEGATIVE
    else:
        expected = CROSSING_PLANE
    if min(abs(x) for x in distances) > 0.001:
        assert intersect_box(slanted, (low, high)) == expected


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.floats(96.0, 109.0), st.floats(-0.7, 0.7))
def test_cells_of_a_box_hold_all_its_corners(x, angle):
    """Brute force: every room that contains a corner of the turned box is in the union."""
    world = three_rooms()
    cell_id = A if x < 100.0 else (B if x < 105.0 else C)
    turn = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
    target = entity(box_model((-0.6, -0.2, 0), (0.6, 0.2, 1)), cell_id, (x, 100.0, 0.0), turn)
    found = cells_of(world, target)
    for cell in world.blocks[0xA9B40000].env_cells.values():
        low, high = {A: (-5, 0), B: (0, 5), C: (5, 10)}[cell.id]
        for px, _, _ in target.part_boxes()[0].corners:
            if low + 0.01 < px - 100.0 < high - 0.01:
                assert cell.id in found


def test_block_of_cells_alone():
    world = empty_world()
    put_block(world, block_of_cells(room()))
    assert cells_of(world, entity(slab_model(), A, (0.0, 2.0, 0.0))) == [A]
