"""Objects that are made ahead of their landblock, and what stood where when a simulation was kept."""

from __future__ import annotations

import math

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.world_objects import WorldObjects
from engine.world.frame import Frame, Position
from tests.physics.models import cylinder_model, placed
from tests.physics.rooms import ROOM, flat_block, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

POST = 0x02000010
LAMP, CRATE, BARREL = 0x70000001, 0x70000002, 0x70000003


def thing(number, at=(0.0, 2.0, 0.0), *, entity=True):
    return placed(POST, at=at, object_id=number, entity=entity)


def world_of_posts():
    world = empty_world()
    add_model(world, cylinder_model(0.3, 1.0))
    return world


@pytest.fixture
def objects():
    world = world_of_posts()
    put_block(world, block_of_cells(room()))
    return WorldObjects(world, lambda target: False)


def where(objects):
    return {n: target.position.frame.origin for n, target in objects.registry.objects.items()}


def exactly(position):
    return position.cell_id, position.frame.origin, position.frame.quat


def block_with(*things):
    block = block_of_cells(room())
    block.statics = [t for t in things if not t.is_entity]
    block.entities = [t for t in things if t.is_entity]
    return block


def test_objects_are_made_ahead_one_at_a_time_when_there_is_no_time():
    block = block_with(thing(1, entity=False), thing(2, entity=False), thing(LAMP))
    objects = WorldObjects(world_of_posts(), lambda target: False)
    assert [objects.stage(block, 0.0) for _ in range(4)] == [False, False, False, True]


def test_objects_are_made_ahead_all_at_once_when_there_is():
    block = block_with(thing(1, entity=False), thing(2, entity=False), thing(LAMP))
    objects = WorldObjects(world_of_posts(), lambda target: False)
    assert objects.stage(block, math.inf)


def test_a_landblock_that_was_never_made_ahead_may_be_forgotten():
    objects = WorldObjects(world_of_posts(), lambda target: False)
    objects.forget(block_with(thing(1, entity=False)))
    assert objects.registry.objects == {}


def test_what_came_after_is_gone_when_the_world_is_put_back(objects):
    objects.add(thing(LAMP))
    kept = objects.saved()
    objects.add(thing(CRATE, (3.0, 2.0, 0.0)))
    objects.restore(kept)
    assert set(where(objects)) == set(objects.placed) == {LAMP}


def test_what_was_taken_away_stands_again_where_it_had_been_moved_to(objects):
    objects.add(thing(LAMP))
    objects.add(thing(CRATE, (3.0, 2.0, 0.0)))
    objects.registry.update_position(CRATE, Position(ROOM, Frame((4.0, 1.0, 0.0))))
    kept = objects.saved()
    assert {n: exactly(p) for n, p in kept.moved.items()} == {
        CRATE: (ROOM, (4.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    }
    objects.remove(CRATE)
    objects.remove(LAMP)
    objects.restore(kept)
    assert where(objects) == {LAMP: (0.0, 2.0, 0.0), CRATE: (4.0, 1.0, 0.0)}


@pytest.mark.parametrize(
    "turned", [Frame((3.0, 2.0, 0.5)), Frame((3.0, 2.0, 0.0), (0.0, 0.0, 0.0, 1.0))], ids=["lifted", "turned"]
)
def test_what_was_only_turned_or_lifted_is_put_back_too(objects, turned):
    objects.add(thing(CRATE, (3.0, 2.0, 0.0)))
    kept = objects.saved()
    objects.registry.update_position(CRATE, Position(ROOM, turned))
    assert CRATE in objects.saved().moved
    objects.restore(kept)
    there = objects.registry.get(CRATE).position
    assert exactly(there) == (ROOM, (3.0, 2.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def test_another_thing_under_the_same_number_makes_way_for_the_one_that_was(objects):
    objects.add(thing(LAMP))
    kept = objects.saved()
    objects.add(thing(LAMP, (3.0, 2.0, 0.0)))
    objects.restore(kept)
    assert where(objects) == {LAMP: (0.0, 2.0, 0.0)}


def test_statics_are_left_alone_when_the_world_is_put_back():
    """They come and go with their landblock, which is loaded or is not."""
    world = world_of_posts()
    block = put_block(world, block_with(thing(1, entity=False), thing(LAMP, (3.0, 2.0, 0.0))))
    objects = WorldObjects(world, lambda target: False)
    kept = objects.saved()
    static = objects.registry.get(1)
    objects.remove(LAMP)
    objects.restore(kept)
    assert objects.registry.get(1) is static
    assert set(where(objects)) == {1, LAMP}
    del world.blocks[block.id]
    for listener in world.on_unload:
        listener(block)
    objects.restore(kept)
    assert set(where(objects)) == {LAMP}


def test_entities_that_were_met_later_stay_as_they_come():
    world = world_of_posts()
    objects = WorldObjects(world, lambda target: False)
    kept = objects.saved()
    put_block(world, block_with(thing(BARREL), thing(CRATE)))
    come(world, 0xAAB40000, placed(POST, 0xAAB40001, (12.0, 12.0, 0.0), object_id=LAMP))
    objects.registry.update_position(BARREL, Position(ROOM, Frame((4.0, 1.0, 0.0))))
    objects.restore(kept)
    assert where(objects) == {BARREL: (0.0, 2.0, 0.0), CRATE: (0.0, 2.0, 0.0), LAMP: (12.0, 12.0, 0.0)}


def test_states_come_back_also_where_no_place_has_changed(objects):
    objects.add(thing(LAMP))
    first = objects.registry.get(LAMP).state
    kept = objects.saved()
    assert kept.states == {}
    objects.registry.update_physics_state(LAMP, first | 0x4)
    assert objects.saved(kept).states == {LAMP: first | 0x4}
    changed = objects.saved(kept)
    objects.restore(kept)
    assert objects.registry.get(LAMP).state == first
    objects.restore(changed)
    assert objects.registry.get(LAMP).state == first | 0x4


def test_those_in_one_cell_are_asked_in_the_order_that_they_were_asked_in(objects):
    for number in (LAMP, CRATE, BARREL):
        objects.add(thing(number))
    kept = objects.saved()
    objects.remove(LAMP)
    objects.add(thing(LAMP))
    assert objects.registry.order() == {ROOM: (CRATE, BARREL, LAMP)}
    objects.restore(kept)
    assert objects.registry.order() == {ROOM: (LAMP, CRATE, BARREL)}


def test_a_kept_state_is_shared_as_far_as_nothing_has_changed(objects):
    for number in (LAMP, CRATE):
        objects.add(thing(number))
    kept = objects.saved()
    assert objects.saved(kept) is kept
    objects.registry.update_physics_state(CRATE, 0x1000C)
    later = objects.saved(kept)
    assert later is not kept and later.placed is kept.placed and later.order is kept.order
    objects.add(thing(BARREL))
    assert set(objects.saved(later).placed) == {LAMP, CRATE, BARREL}


def test_the_states_of_all_things_come_back(objects):
    for number in (LAMP, CRATE):
        objects.add(thing(number))
        assert objects.registry.get(number).state == 0x8
    kept = objects.saved()
    for number in (LAMP, CRATE):
        objects.registry.update_physics_state(number, 0xC)
    objects.restore(kept)
    assert [objects.registry.get(n).state for n in (LAMP, CRATE)] == [0x8, 0x8]


def test_what_nobody_placed_is_not_kept(objects):
    """Something that a test of the physics has put into the registry by hand."""
    objects.registry.register(
        PhysicsObject(5, cylinder_model(0.3, 1.0), Position(ROOM, Frame((1.0, 1.0, 0.0))), state=8)
    )
    assert objects.saved().moved == {}


def test_what_stands_as_it_stood_is_not_made_anew(objects):
    objects.add(thing(LAMP))
    lamp = objects.registry.get(LAMP)
    kept = objects.saved()
    objects.add(thing(CRATE))
    objects.restore(kept)
    assert objects.registry.get(LAMP) is lamp


def test_a_thing_that_was_put_into_another_cell_is_put_back():
    objects = WorldObjects(two_blocks(), lambda target: False)
    objects.add(outdoors(CRATE, (12.0, 12.0, 0.0)))
    kept = objects.saved()
    objects.registry.update_position(CRATE, Position(0xA8B40001, Frame((12.0, 12.0, 0.0))))
    assert CRATE in objects.saved().moved
    objects.restore(kept)
    assert objects.registry.cells_of(CRATE) == (0xA9B40001,)


def outdoors(number, at, *, entity=True):
    return placed(POST, 0xA9B40001, at, object_id=number, entity=entity)


def two_blocks():
    world = world_of_posts()
    for block_id in (0xA9B40000, 0xA8B40000):
        put_block(world, flat_block(block_id))
    return world


def go(world, block):
    del world.blocks[block.id]
    for listener in list(world.on_unload):
        listener(block)


def come(world, block_id, *things):
    block = flat_block(block_id)
    block.statics = [t for t in things if not t.is_entity]
    block.entities = [t for t in things if t.is_entity]
    return put_block(world, block)


def test_all_landblocks_that_are_loaded_already_bring_their_things():
    world = world_of_posts()
    come(world, 0xA9B40000, outdoors(LAMP, (12.0, 12.0, 0.0)))
    come(world, 0xAAB40000, placed(POST, 0xAAB40001, (12.0, 12.0, 0.0), object_id=CRATE))
    assert set(where(WorldObjects(world, lambda target: False))) == {LAMP, CRATE}


def test_who_is_closed_hears_of_no_landblock_any_more():
    world = world_of_posts()
    objects = WorldObjects(world, lambda target: False)
    first = come(world, 0xA9B40000, outdoors(LAMP, (12.0, 12.0, 0.0), entity=False))
    objects.close()
    come(world, 0xAAB40000, placed(POST, 0xAAB40001, (12.0, 12.0, 0.0), object_id=CRATE))
    go(world, first)
    assert set(where(objects)) == {LAMP}


def test_what_was_made_ahead_stands_when_its_landblock_comes():
    world = two_blocks()
    objects = WorldObjects(world, lambda target: False)
    block = flat_block(0xAAB40000)
    block.statics = [placed(POST, 0xAAB40001, (12.0, 12.0, 0.0), object_id=1, entity=False)]
    block.entities = [placed(POST, 0xAAB40001, (15.0, 12.0, 0.0), object_id=LAMP)]
    objects.prepare(block)
    assert where(objects) == {}
    put_block(world, block)
    assert where(objects) == {1: (12.0, 12.0, 0.0), LAMP: (15.0, 12.0, 0.0)}


def test_what_was_made_ahead_of_another_version_of_the_landblock_is_not_taken():
    world = world_of_posts()
    objects = WorldObjects(world, lambda target: False)
    old = flat_block()
    old.statics = [outdoors(1, (12.0, 12.0, 0.0), entity=False)]
    objects.prepare(old)
    come(world, 0xA9B40000, outdoors(1, (18.0, 12.0, 0.0), entity=False))
    assert where(objects) == {1: (18.0, 12.0, 0.0)}


def test_what_was_made_ahead_and_reaches_over_a_border_stands_on_both_sides():
    """It was made where only its own landblock was known; the neighbour is there already."""
    world = world_of_posts()
    west = put_block(world, flat_block(0xA8B40000))
    objects = WorldObjects(world, lambda target: False)
    block = flat_block()
    block.statics = [outdoors(1, (0.1, 12.0, 0.0), entity=False)]
    objects.prepare(block)
    put_block(world, block)
    assert objects.registry.cells_of(1) == (0xA9B40001, 0xA8B40039)
    assert [s.entity_id for s in west.land_cells[0x38].shadow_objects] == [1]


def test_what_waits_for_a_landblock_stands_in_it_when_it_comes():
    world = world_of_posts()
    put_block(world, flat_block())
    objects = WorldObjects(world, lambda target: False)
    objects.add(outdoors(LAMP, (0.1, 12.0, 0.0)))
    west = put_block(world, flat_block(0xA8B40000))
    assert [s.entity_id for s in west.land_cells[0x38].shadow_objects] == [LAMP]


def test_an_entity_that_is_met_again_is_as_one_left_it_and_statics_are_new():
    world = world_of_posts()
    objects = WorldObjects(world, lambda target: False)
    things = (
        outdoors(1, (12.0, 12.0, 0.0), entity=False), outdoors(2, (3.0, 12.0, 0.0), entity=False),
        outdoors(LAMP, (15.0, 12.0, 0.0)),
    )  # fmt: skip
    block = come(world, 0xA9B40000, *things)
    objects.registry.update_physics_state(LAMP, 0x1000C)
    lamp = objects.registry.get(LAMP)
    go(world, block)
    assert set(where(objects)) == set(objects.placed) == {LAMP}
    come(world, 0xA9B40000, *things)
    assert objects.registry.get(LAMP) is lamp
    assert lamp.state == 0x1000C
    assert set(where(objects)) == {1, 2, LAMP}


def test_those_that_wait_for_a_landblock_come_in_the_order_that_they_waited_in():
    world = world_of_posts()
    put_block(world, flat_block())
    objects = WorldObjects(world, lambda target: False)
    for number in (LAMP, CRATE):
        objects.add(outdoors(number, (0.1, 12.0, 0.0)))
    kept = objects.saved()
    objects.remove(LAMP)
    objects.add(outdoors(LAMP, (0.1, 12.0, 0.0)))
    objects.restore(kept)
    west = put_block(world, flat_block(0xA8B40000))
    assert [s.entity_id for s in west.land_cells[0x38].shadow_objects] == [LAMP, CRATE]


def test_what_was_taken_out_stays_out_when_its_landblock_comes_again():
    """As what was met stays: only who puts it down again, or goes back to before, has it back."""
    world = world_of_posts()
    block = put_block(world, block_with(thing(LAMP), thing(CRATE, (3.0, 2.0, 0.0))))
    objects = WorldObjects(world, lambda target: False)
    before = objects.saved()
    objects.remove(LAMP)
    after = objects.saved()

    def come_again():
        for listener in world.on_unload:
            listener(block)
        for listener in world.on_load:
            listener(block)

    come_again()
    assert set(where(objects)) == {CRATE}
    objects.restore(before)
    assert set(where(objects)) == {LAMP, CRATE}
    come_again()
    assert set(where(objects)) == {LAMP, CRATE}
    objects.restore(after)
    assert set(where(objects)) == {CRATE}
    come_again()
    assert set(where(objects)) == {CRATE}
    objects.add(thing(LAMP, (1.0, 2.0, 0.0)))
    come_again()
    assert where(objects)[LAMP] == (1.0, 2.0, 0.0)


@pytest.mark.parametrize("static_first", [False, True])
def test_an_entity_with_the_id_of_a_static_or_of_the_mover_is_left_out_and_told(static_first):
    """Whichever of the two comes first: what the world's own records place stays."""
    world = world_of_posts()
    static, entity = thing(LAMP, (3.0, 2.0, 0.0), entity=False), thing(LAMP)
    if static_first:
        put_block(world, block_with(static, entity, thing(CRATE)))
        objects = WorldObjects(world, lambda target: False, CRATE)
    else:
        block = put_block(world, block_with(entity, thing(CRATE)))
        objects = WorldObjects(world, lambda target: False, CRATE)
        block.entities, block.statics = [], [static]
        for listener in world.on_load:
            listener(block)
    assert where(objects) == {LAMP: (3.0, 2.0, 0.0)}
    words = " ".join(world.problems.lines)
    assert (
        "entity 0x70000001 in cell 0xA9B40100 has the id of what stands in cell 0xA9B40100 by itself" in words
    )
    assert "entity 0x70000002 in cell 0xA9B40100 has the id of the body that goes about; left out" in words


def test_a_static_with_the_id_of_one_of_another_landblock_is_left_out_told_and_takes_nothing_with_it():
    """The last to come was met in place of the first, and as it went nothing stood there any more."""
    world = world_of_posts()
    block = put_block(world, block_with(thing(LAMP, entity=False)))
    objects = WorldObjects(world, lambda target: False)
    far = thing(LAMP, (9.0, 9.0, 0.0), entity=False)
    far = far._replace(cell_id=far.cell_id + 0x10000)
    other = block_with(far)
    other.id = block.id + 0x10000
    for listener in world.on_load:
        listener(other)
    there = where(objects)
    assert list(there) == [LAMP] and there[LAMP] != (9.0, 9.0, 0.0)
    assert other.statics == []  # nor is it drawn, or picked
    told = "static 0x70000001 in cell 0xA9B50100 has the id of what stands in cell 0xA9B40100; left out"
    assert told in " ".join(world.problems.lines)
    for listener in world.on_unload:
        listener(other)
    assert where(objects) == there
