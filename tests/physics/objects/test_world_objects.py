"""What becomes an object and what a door when a landblock comes (objects 8, 9, sources 4, 5)."""

import tracemalloc

import pytest

from engine.dat.errors import DatError
from engine.physics.objects.world_objects import WorldObjects
from engine.world.source import DoorFacts
from tests.physics.models import DOOR_TABLE, add_door_motion, cylinder_model, door_model, placed, slab_model
from tests.physics.rooms import ROOM, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

HOUSE_DOOR = 0x020019FF
GATE = 0x02000777


def objects_with(*models):
    world = empty_world()
    put_block(world, block_of_cells(room()))
    for m in models:
        add_model(world, m)
    return WorldObjects(world, lambda target: False)


def test_statics_and_entities_go_through_one_builder():
    objects = objects_with(slab_model())
    objects.add(placed(0x02000012, object_id=1))
    objects.add(placed(0x02000012, object_id=2, entity=False))
    one, two = objects.registry.get(1), objects.registry.get(2)
    assert [s.kind for s in one.shapes] == [s.kind for s in two.shapes]
    assert (one.state, two.state) == (0x10008, 0x10001)
    assert len(objects.registry.rows_in(ROOM)) == 2


@pytest.mark.parametrize("named", [0, DOOR_TABLE])
def test_the_house_door_falls_back_on_its_own_table(named):
    objects = objects_with(door_model(motion_table=0))
    add_door_motion(objects.world)
    objects.add(placed(HOUSE_DOOR, motion_table=named))
    assert objects.doors[0x7A9B4015].motion.opening.length == pytest.approx(1.5)


def test_the_table_that_a_house_door_is_given_wins_over_its_own():
    objects = objects_with(door_model(motion_table=0))
    add_door_motion(objects.world)
    add_door_motion(objects.world, frames=15, table_id=0x09000032)
    objects.add(placed(HOUSE_DOOR, motion_table=0x09000032))
    assert objects.doors[0x7A9B4015].motion.opening.length == pytest.approx(0.5)


def test_nothing_but_a_house_door_falls_back_on_the_house_doors_table():
    objects = objects_with(slab_model()._replace(motion_table=0))
    add_door_motion(objects.world)
    objects.add(placed(0x02000012))
    assert objects.doors == {}


def test_any_entity_whose_table_knows_on_and_off_is_a_door():
    gate = slab_model()._replace(model_id=GATE, motion_table=0x09000031)
    objects = objects_with(gate)
    add_door_motion(objects.world, frames=30, table_id=0x09000031)
    objects.add(placed(GATE))
    assert objects.doors[0x7A9B4015].motion.opening.length == pytest.approx(1.0)


def test_the_placed_table_wins_over_the_setups():
    gate = slab_model()._replace(model_id=GATE, motion_table=0x09000031)
    objects = objects_with(gate)
    add_door_motion(objects.world, frames=15, table_id=0x09000032)
    objects.add(placed(GATE, motion_table=0x09000032))
    assert objects.doors[0x7A9B4015].motion.opening.length == pytest.approx(0.5)


def test_neither_statics_nor_tables_without_on_and_off_make_doors():
    objects = objects_with(door_model(), slab_model()._replace(model_id=GATE, motion_table=0x09000031))
    add_door_motion(objects.world)
    objects.add(placed(HOUSE_DOOR, entity=False))
    table = objects.world.source.tables[DOOR_TABLE]
    objects.world.source.tables[0x09000031] = table._replace(cycles=(), links=())
    objects.add(placed(GATE, object_id=8))
    assert objects.doors == {}
    assert len(objects.registry.objects) == 2


def test_what_a_spawn_list_says_wins_over_the_table():
    objects = objects_with(slab_model()._replace(model_id=GATE, motion_table=0x09000031))
    add_door_motion(objects.world, table_id=0x09000031)
    objects.add(placed(GATE, object_id=1)._replace(weenie_type=20))
    objects.add(placed(GATE, object_id=2)._replace(weenie_type=19))
    assert list(objects.doors) == [2]
    facts = DoorFacts(locked=True, reset_interval=7.0)
    objects.world.source.tables.clear()
    objects.add(placed(GATE, object_id=3)._replace(weenie_type=19, door=facts))
    assert (objects.doors[3].locked, objects.doors[3].reset_interval) == (True, 7.0)
    assert objects.doors[3].motion.opening.length == 0.0


def test_a_named_door_needs_no_motion_table():
    objects = objects_with(slab_model()._replace(model_id=GATE))
    objects.add(placed(GATE)._replace(weenie_type=19, door=DoorFacts()))
    assert list(objects.doors) == [0x7A9B4015]
    assert objects.world.problems.lines == []


def test_a_damaged_table_is_one_line_and_the_door_has_no_clips():
    objects = objects_with(door_model())

    def broken(table_id):
        raise DatError("portal.dat", table_id, 12, "too short")

    objects.world.source.motion_table = broken
    objects.add(placed(HOUSE_DOOR))
    assert objects.doors[0x7A9B4015].motion.opening.length == 0.0
    assert len(objects.world.problems.lines) == 1


def test_adding_again_replaces_and_removing_forgets():
    objects = objects_with(door_model(), cylinder_model(0.3, 1.0))
    objects.add(placed(HOUSE_DOOR))
    objects.add(placed(0x02000010))
    assert objects.doors == {}
    assert len(objects.registry.rows_in(ROOM)) == 1
    objects.remove(0x7A9B4015)
    assert objects.registry.objects == {}
    assert objects.placed == {}


def test_an_object_without_its_model_keeps_its_place_and_collides_with_nothing():
    objects = objects_with()
    objects.world.loader.models._models[0x02009999] = None
    assert not objects.add(placed(0x02009999))
    assert list(objects.placed) == [0x7A9B4015]
    assert objects.registry.objects == objects.doors == {}


def test_doors_of_one_kind_share_their_clips_and_shapes_and_take_15_kB_each():
    objects = objects_with(door_model())
    add_door_motion(objects.world)
    many = [placed(HOUSE_DOOR, object_id=number) for number in range(1, 402)]
    objects.add(many[0])
    tracemalloc.start()
    for door in many[1:]:
        objects.add(door)
    each = tracemalloc.get_traced_memory()[0] / 400
    tracemalloc.stop()
    assert each < 15_000.0
    first, last = objects.doors[1], objects.doors[401]
    assert first.motion is last.motion
    assert first.target.shapes is last.target.shapes
    larger = many[0]._replace(object_id=900, scale=2.0)
    objects.add(larger)
    assert objects.doors[900].target.shapes[0].radius == 2.0 * first.target.shapes[0].radius
    # A table that was read anew, as after damage was mended, makes clips of its own.
    add_door_motion(objects.world, frames=15)
    objects.add(many[0]._replace(object_id=901))
    assert objects.doors[901].motion.opening.length == pytest.approx(0.5)
    assert objects.doors[401].motion.opening.length == pytest.approx(1.5)


@pytest.mark.parametrize("staged", [False, True])
def test_things_that_are_in_far_too_many_cells_together_are_drawn_and_not_met(monkeypatch, staged):
    """Some kilobytes of large things in a dungeon of many rooms, or of vast ones in a scene, took minutes."""
    monkeypatch.setattr("engine.physics.objects.world_objects.MOST_TOGETHER", 1)
    world = empty_world()
    add_model(world, slab_model())
    objects = WorldObjects(world, lambda target: False)
    block = block_of_cells(room())
    block.statics = [placed(0x02000012, object_id=number, entity=False) for number in (1, 2, 3, 4)]
    block.entities = [placed(0x02000012, object_id=number) for number in (5, 6, 7)]
    if staged:
        objects.prepare(block)
    world.attach_block(block)
    assert [n for n in range(1, 8) if objects.registry.get(n) is not None] == [1, 2, 5, 6]
    assert set(objects.placed) == set(range(1, 8))
    (line,) = world.problems.lines
    assert "is in over 1 cells, each counted by itself; nothing meets 3 objects more" in line


@pytest.mark.parametrize("staged", [False, True])
def test_things_of_far_too_many_parts_for_as_many_openings_are_drawn_and_not_met(monkeypatch, staged):
    """Parts by openings by rooms: some kilobytes took an hour."""
    monkeypatch.setattr("engine.physics.objects.world_objects.MOST_TRIED", 1)
    world = empty_world()
    add_model(world, slab_model())
    objects = WorldObjects(world, lambda target: False)
    block = block_of_cells(room())
    block.statics = [placed(0x02000012, object_id=number, entity=False) for number in (1, 2, 3)]
    block.entities = [placed(0x02000012, object_id=5)]
    if staged:
        objects.prepare(block)
    world.attach_block(block)
    assert [n for n in (1, 2, 3, 5) if objects.registry.get(n) is not None] == [1, 2]
    assert set(objects.placed) == {1, 2, 3, 5}
    (line,) = world.problems.lines
    assert "has far too many parts for as many openings; nothing meets 2 objects more" in line
