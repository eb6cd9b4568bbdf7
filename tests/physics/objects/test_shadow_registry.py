"""The registry: rows by cell and shape, states, moves, removal, coming and going blocks (objects 8.3-8.4)."""

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.world.frame import Frame, Position
from tests.needed import interpreted_only
from tests.physics.houses import FRAME, A, B, room_pair
from tests.physics.models import cylinder_model, door_model, model, part, sphere_model
from tests.physics.rooms import box_polygons, flat_block
from tests.physics.stage import empty_world, put_block

DOOR = 0x7A9B4015


def two_rooms(world):
    block = flat_block()
    block.env_cells = {cell.id: cell for cell in room_pair()}
    return put_block(world, block)


def door_at(at, cell_id=A, entity_id=DOOR, state=0x10008):
    turn = (0.7071067811865476, 0.0, 0.0, 0.7071067811865476)
    return PhysicsObject(entity_id, door_model(), Position(cell_id, Frame(at, turn)), state=state)


def staged():
    world = empty_world()
    two_rooms(world)
    registry = ShadowRegistry(world)
    registry.register(door_at((100.1, 100.0, 0.0)))
    return world, registry


def test_all_shapes_stand_in_the_union_of_cells():
    world, registry = staged()
    assert registry.cells_of(DOOR) == (A, B)
    rows = registry.rows(DOOR)
    assert len(rows) == 2 * 4
    assert {row.entity_id for row in rows} == {DOOR}
    assert len(registry.rows_in(A)) == len(registry.rows_in(B)) == 4
    assert [row.shape for row in registry.rows_in(A)] == list(registry.shapes_of(DOOR))
    assert len(world.get_visible(A).shadow_objects) == 1


def test_DO1_a_state_reaches_every_row_of_every_cell():
    world, registry = staged()
    for state in (0x1000C, 0x10008):
        registry.update_physics_state(DOOR, state)
        assert [row.state for row in registry.rows(DOOR)] == [state] * 8
        for cell_id in (A, B):
            assert [s.state for s in world.get_visible(cell_id).shadow_objects] == [state]


def test_update_position_moves_every_row():
    world, registry = staged()
    registry.update_position(DOOR, Position(B, Frame((103.0, 100.0, 0.0))))
    assert registry.cells_of(DOOR) == (B,)
    assert world.get_visible(A).shadow_objects == []
    assert [row.pose.frame.origin for row in registry.rows(DOOR)][1] == pytest.approx((102.99, 100.12, 1.28))
    assert registry.rows(DOOR)[1].shape.frame.origin == pytest.approx((-0.01, 0.12, 1.28))


def test_deregister_forgets_everything():
    world, registry = staged()
    registry.deregister(DOOR)
    assert registry.cells_of(DOOR) == ()
    assert registry.shapes_of(DOOR) == ()
    assert registry.rows(DOOR) == []
    assert world.get_visible(A).shadow_objects == world.get_visible(B).shadow_objects == []
    registry.deregister(DOOR)


@interpreted_only("counts calls")
def test_of_many_that_are_deregistered_each_cell_is_gone_through_once():
    """One by one, thousands in a cell cost their square."""

    class Counted(list):
        walks = 0

        def __iter__(self):
            Counted.walks += 1
            return super().__iter__()

    world, registry = staged()
    for number in range(1, 9):
        registry.register(border_rock(number))
    cells = {cell_id for number in range(1, 9) for cell_id in registry.cells_of(number)}
    for cell_id in cells:
        cell = world.get_visible(cell_id)
        if cell is not None:
            cell.shadow_objects = Counted(cell.shadow_objects)
    registry.deregister(2, 3, 99, *range(5, 8))
    assert 1 <= Counted.walks <= len(cells)
    left = {s.entity_id for c in cells if (cell := world.get_visible(c)) for s in cell.shadow_objects}
    assert left - {DOOR} == {1, 4, 8}
    assert set(registry.objects) - {DOOR} == {1, 4, 8}


def test_registering_a_known_entity_replaces_it():
    world, registry = staged()
    registry.register(
        PhysicsObject(DOOR, cylinder_model(0.3, 1.0), Position(B, FRAME.with_origin((103, 100, 0))), state=8)
    )
    assert registry.cells_of(DOOR) == (B,)
    assert len(registry.rows(DOOR)) == 1
    assert world.get_visible(A).shadow_objects == []
    assert [s.object for s in world.get_visible(B).shadow_objects] == [registry.get(DOOR)]


def test_a_single_shape_is_the_one_element_form():
    _, registry = staged()
    registry.register(
        PhysicsObject(7, sphere_model(0.5, 0.5), Position(A, Frame((100.2, 100.0, 0.0))), state=8)
    )
    assert registry.cells_of(7) == (A, B)
    assert len(registry.rows(7)) == 2


def test_shadow_lists_keep_the_order_of_arrival():
    world, registry = staged()
    registry.register(
        PhysicsObject(7, sphere_model(0.5, 0.5), Position(A, Frame((100.2, 100.0, 0.0))), state=8)
    )
    registry.update_position(DOOR, Position(A, Frame((100.0, 101.0, 0.0))))
    assert [s.entity_id for s in world.get_visible(A).shadow_objects] == [DOOR, 7]


def border_rock(entity_id=0x40000001):
    rock = model(0x02000020, parts=[part(box_polygons((-1, -1, 0), (1, 1, 1)))])
    return PhysicsObject(entity_id, rock, Position(0xA9B40001, Frame((0.5, 12.0, 0.0))), state=0x10001)


def test_an_object_attaches_when_the_block_it_waits_for_loads():
    world, registry = staged()
    registry.register(border_rock())
    assert registry.cells_of(0x40000001) == (0xA9B40001, 0xA8B40039)
    assert len(registry.rows(0x40000001)) == 1
    west = put_block(world, flat_block(0xA8B40000))
    registry.attach_block(west)
    assert len(registry.rows(0x40000001)) == 2
    assert [s.entity_id for s in world.get_visible(0xA8B40039).shadow_objects] == [0x40000001]


def test_an_object_whose_own_cell_comes_later():
    world = empty_world()
    registry = ShadowRegistry(world)
    registry.register(door_at((100.1, 100.0, 0.0)))
    assert registry.cells_of(DOOR) == (A,)
    assert registry.rows(DOOR) == []
    registry.update_physics_state(DOOR, 0x1000C)
    registry.attach_block(two_rooms(world))
    assert registry.cells_of(DOOR) == (A, B)
    assert [row.state for row in registry.rows(DOOR)] == [0x1000C] * 8


def test_a_block_that_goes_takes_its_shadows_and_brings_them_back():
    world, registry = staged()
    registry.register(border_rock())
    put_block(world, west := flat_block(0xA8B40000))
    registry.attach_block(west)
    del world.blocks[0xA8B40000]
    registry.detach_block(west, ())
    assert len(registry.rows(0x40000001)) == 1
    assert west.land_cells[0x38].shadow_objects == []
    put_block(world, again := flat_block(0xA8B40000))
    registry.attach_block(again)
    assert [s.entity_id for s in again.land_cells[0x38].shadow_objects] == [0x40000001]


def test_leaving_objects_are_forgotten_with_their_block():
    world, registry = staged()
    registry.register(border_rock())
    home = world.blocks.pop(0xA9B40000)
    registry.detach_block(home, [0x40000001])
    assert registry.get(0x40000001) is None
    assert registry.get(DOOR) is not None
    assert registry.rows(DOOR) == []
    put_block(world, home)
    registry.attach_block(home)
    assert len(registry.rows(DOOR)) == 8


def test_what_waits_at_a_corner_of_landblocks_waits_for_none_of_them_once_it_is_gone():
    """It overlaps three landblocks that are not loaded; none of them may put it there again."""
    world = empty_world()
    put_block(world, flat_block())
    registry = ShadowRegistry(world)
    rock = model(0x02000020, parts=[part(box_polygons((-1, -1, 0), (1, 1, 1)))])
    at_the_corner = Position(0xA9B40001, Frame((0.5, 0.5, 0.0)))
    registry.register(PhysicsObject(9, rock, at_the_corner, state=0x10001))
    assert set(registry.waiting) == {0xA8B40000, 0xA8B30000, 0xA9B30000}
    registry.deregister(9)
    assert not any(registry.waiting.values())


def test_what_moves_out_of_several_cells_leaves_each_of_them():
    world, registry = staged()
    assert registry.cells_of(DOOR) == (A, B)
    registry.update_position(DOOR, Position(0xA9B40001, Frame((12.0, 12.0, 0.0))))
    assert registry.cells_of(DOOR) == (0xA9B40001,)
    assert world.get_visible(A).shadow_objects == world.get_visible(B).shadow_objects == []


def test_the_order_in_which_things_are_asked_is_told_of_every_cell_and_put_back():
    _, registry = staged()
    for number in (7, 8):
        there = Position(A, Frame((100.2, 100.0, 0.0)))
        registry.register(PhysicsObject(number, sphere_model(0.5, 0.5), there, state=8))
    only_in_b = Position(B, Frame((103.0, 100.0, 0.0)))
    registry.register(PhysicsObject(6, sphere_model(0.5, 0.2), only_in_b, state=8))
    assert registry.order() == {A: (DOOR, 7, 8), B: (DOOR, 7, 8, 6)}
    registry.put_in_order({A: (8, DOOR, 7), B: (8, 7)})
    assert registry.order() == {A: (8, DOOR, 7), B: (8, 7, DOOR, 6)}


def test_every_change_of_what_stands_where_counts_and_so_does_every_state():
    """Who keeps a copy goes by these counts: a change that is not counted would be kept from it."""
    world, registry = staged()
    west = flat_block(0xA8B40000)
    for change in (
        lambda: registry.register(border_rock()),
        lambda: registry.update_position(DOOR, Position(B, Frame((103.0, 100.0, 0.0)))),
        lambda: registry.attach_block(put_block(world, west)),
        lambda: registry.put_in_order({}),
        lambda: registry.detach_block(west, ()),
        lambda: registry.deregister(0x40000001),
    ):
        before = (registry.version, registry.state_version)
        change()
        assert registry.version > before[0]
        assert registry.state_version == before[1]
    before = (registry.version, registry.state_version)
    registry.update_physics_state(DOOR, 0x1000C)
    assert (registry.version, registry.state_version) == (before[0], before[1] + 1)


def test_all_that_wait_for_a_landblock_come_with_it_and_none_that_is_gone():
    world, registry = staged()
    for number in (1, 2, 3):
        registry.register(border_rock(number))
    registry.update_position(3, Position(0xA9B40001, Frame((12.0, 12.0, 0.0))))
    registry.deregister(3)
    west = put_block(world, flat_block(0xA8B40000))
    registry.attach_block(west)
    assert [s.entity_id for s in world.get_visible(0xA8B40039).shadow_objects] == [1, 2]


def test_all_that_leave_with_a_landblock_are_forgotten():
    world, registry = staged()
    for number in (1, 2):
        registry.register(border_rock(number))
    registry.detach_block(world.blocks.pop(0xA9B40000), [1, 2])
    assert set(registry.objects) == {DOOR}
