"""Whole ticks against objects: SC15-SC21 and OB1-OB8 of sweep 12.11, collision 12.12, and objects 8.5-8.6."""

import math

import pytest

from engine.physics.enums import OK, HitKind
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.sweep import make_sweep, make_transition
from engine.physics.transition.obj_collisions import ethereal_check_for_collisions, find_object_collisions
from engine.world.frame import Frame, Position
from tests.physics.models import cylinder_model, door_model, slab_model, sphere_model
from tests.physics.rooms import ROOM
from tests.physics.stage import airborne_body, grounded_body, push, staged_room

DOOR = 0x7A9B4015
QUARTER = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))


def thing(m, at=(0.0, 2.0, 0.0), state=0x8, quat=(1.0, 0.0, 0.0, 0.0), *, scale=1.0, **more):
    return PhysicsObject(DOOR, m, Position(ROOM, Frame(at, quat)), state=state, scale=scale, **more)


def xyz(body):
    return body.position.frame.origin


def walk(target, start, move, ticks, *, airborne=False):
    world, _ = staged_room(target)
    body = airborne_body(world, start) if airborne else grounded_body(world, start)
    results = push(world, body, move, ticks)
    return body, results


@pytest.mark.parametrize("x", [0.0, 0.5], ids=["SC15", "SC16"])
def test_SC15_SC16_a_closed_door_blocks(x):
    body, results = walk(thing(slab_model(), state=0x10008), (x, 1.2, 0.005), (0.0, 0.1, 0.0), 6)
    assert xyz(body) == pytest.approx((x, 1.5, 0.005), abs=1e-4)
    blocked = [r for r in results if r.normal]
    assert blocked[0].normal == pytest.approx((0, -1, 0), abs=1e-4)
    assert [(h.kind, h.owner) for h in blocked[0].hits] == [(HitKind.ENTITY, DOOR)]
    assert blocked[0].hits[0].gfxobj == 0x010044B5


def test_SC17_from_the_far_side():
    body, results = walk(thing(slab_model(), state=0x10008), (0.0, 2.8, 0.005), (0.0, -0.1, 0.0), 6)
    assert xyz(body)[1] == pytest.approx(2.6, abs=1e-4)
    assert next(r.normal for r in results if r.normal) == pytest.approx((0, 1, 0), abs=1e-4)


def test_SC18_diagonal_slides_along():
    world, _ = staged_room(thing(slab_model(), state=0x10008))
    body = grounded_body(world, (0.0, 1.4, 0.005))
    for expected in [(0.1, 1.5), (0.2, 1.5), (0.3, 1.5), (0.4, 1.5)]:
        push(world, body, (0.1, 0.1, 0.0))
        assert xyz(body)[:2] == pytest.approx(expected, abs=1e-4)


def test_SC19_an_open_door_lets_through_and_is_touched():
    world, _ = staged_room(thing(slab_model(), state=0x1000C))
    body = grounded_body(world, (0.0, 1.2, 0.005))
    touched_from = None
    for _ in range(10):
        (result,) = push(world, body, (0.0, 0.1, 0.0))
        assert result.normal is None
        assert result.hits == ()
        if result.touched and touched_from is None:
            touched_from = xyz(body)[1]
            assert result.touched == (DOOR,)
    assert xyz(body)[1] == pytest.approx(2.2, abs=1e-4)
    assert touched_from == pytest.approx(1.6, abs=1e-4)


def test_SC20_turned_by_a_quarter():
    slab = thing(slab_model(), (2.0, 0.0, 0.0), 0x10008, QUARTER)
    body, results = walk(slab, (1.2, 0.0, 0.005), (0.1, 0.0, 0.0), 6)
    assert xyz(body)[0] == pytest.approx(1.4, abs=1e-4)
    assert next(r.normal for r in results if r.normal) == pytest.approx((-1, 0, 0), abs=1e-4)


def test_SC21_twice_the_size():
    slab = thing(slab_model(), state=0x10008, scale=2.0)
    body, _ = walk(slab, (1.5, 1.2, 0.005), (0.0, 0.1, 0.0), 6)
    assert xyz(body) == pytest.approx((1.5, 1.5, 0.005), abs=1e-4)


def test_OB1_a_post_blocks_head_on():
    body, results = walk(thing(cylinder_model(0.2, 2.2)), (0.0, 0.6, 0.005), (0.0, 0.1, 0.0), 10)
    assert xyz(body)[1] == pytest.approx(1.3, abs=1e-4)
    assert next(r.normal for r in results if r.normal) == pytest.approx((0, -1, 0), abs=1e-4)


def test_OB2_slides_round_a_post():
    body, results = walk(thing(cylinder_model(0.2, 2.2)), (0.3, 1.0, 0.005), (0.0, 0.1, 0.0), 14)
    assert results[3].position.frame.origin[:2] == pytest.approx((0.33621, 1.31552), abs=1e-4)
    assert results[3].normal == pytest.approx((0.3939, -0.9191, 0), abs=1e-4)
    assert xyz(body)[:2] == pytest.approx((0.68585, 1.90319), abs=1e-4)


def test_OB3_steps_onto_a_low_cylinder():
    body, results = walk(thing(cylinder_model(1.0, 0.256)), (0.0, 0.4, 0.005), (0.0, 0.1, 0.0), 6)
    assert results[1].position.frame.origin == pytest.approx((0, 0.6, 0.261), abs=1e-4)
    assert body.contact.is_water
    assert body.contact.cell_id == ROOM


@pytest.mark.parametrize(("height", "y", "z"), [(0.59, 1.4, 0.595), (0.61, 0.5, 0.005)])
def test_OB4_the_step_up_height_is_a_limit(height, y, z):
    body, _ = walk(thing(cylinder_model(1.0, height)), (0.0, 0.4, 0.005), (0.0, 0.1, 0.0), 10)
    assert xyz(body)[1:] == pytest.approx((y, z), abs=1e-4)


def test_OB5_lands_on_a_cylinder():
    body, results = walk(
        thing(cylinder_model(1.0, 1.0)), (0.0, 2.0, 1.6), (0.0, 0.0, -0.25), 3, airborne=True
    )
    heights = [r.position.frame.origin[2] for r in results]
    assert heights == pytest.approx([1.35, 1.1, 1.005], abs=1e-4)
    assert body.on_ground


def test_OB6_lands_on_a_sphere_and_drifts_off():
    body, results = walk(thing(sphere_model(0.5, 0.5)), (0.1, 2.0, 1.4), (0.0, 0.0, -0.25), 4, airborne=True)
    assert results[0].position.frame.origin[2] == pytest.approx(1.15, abs=1e-4)
    assert results[1].position.frame.origin[2] == pytest.approx(0.99988, abs=1e-4)
    assert results[1].contact.normal[0] > 0.05
    assert xyz(body)[0] > 0.1


def test_OB7_slides_round_a_sphere():
    _, results = walk(thing(sphere_model(0.5, 0.5)), (0.2, 0.9, 0.005), (0.0, 0.1, 0.0), 2)
    assert results[1].position.frame.origin[:2] == pytest.approx((0.21923, 1.00385), abs=1e-4)
    assert results[1].normal == pytest.approx((0.1961, -0.9804, -0.0196), abs=1e-4)


def test_OB8_an_ethereal_post_is_walked_through():
    world, _ = staged_room(thing(cylinder_model(0.2, 2.2), state=0xC))
    body = grounded_body(world, (0.0, 1.2, 0.005))
    first = None
    for _ in range(15):
        (result,) = push(world, body, (0.0, 0.1, 0.0))
        assert result.normal is None
        first = xyz(body)[1] if first is None and result.touched else first
    assert xyz(body)[1] == pytest.approx(2.7, abs=1e-4)
    assert first == pytest.approx(1.4, abs=1e-4)


# --- the rules of FindObjCollisions


def probe(target, at, *, airborne=False):
    """FindObjCollisions for a body pressed by 5 cm from ``at`` towards +y; (result, transition)."""
    world, _ = staged_room(target)
    body = airborne_body(world, at) if airborne else grounded_body(world, at)
    goal = Position(ROOM, Frame((at[0], at[1] + 0.05, at[2])))
    t = make_sweep(world, body, goal)
    t.sphere_path.set_check_pos(goal, body.cell)
    return find_object_collisions(target, target.state, t), t


def test_ethereal_and_ignoring_is_not_even_touched():
    _, t = probe(thing(slab_model(), state=0x1001C), (0.0, 1.9, 0.005))
    assert t.collision_info.collide_objects == []


def test_a_static_sets_the_environment_flag_only_in_the_air():
    static = thing(cylinder_model(0.2, 2.2), state=0x1)
    _, t = probe(static, (0.0, 1.31, 0.005))
    assert not t.collision_info.collided_with_environment
    _, t = probe(static, (0.0, 1.31, 0.5), airborne=True)
    assert t.collision_info.collided_with_environment
    assert t.collision_info.collide_objects == []


def test_an_entity_is_listed_as_collided():
    result, t = probe(thing(cylinder_model(0.2, 2.2)), (0.0, 1.31, 0.005))
    assert result is not OK
    assert [o.entity_id for o in t.collision_info.collide_objects] == [DOOR]
    assert not t.sphere_path.obstruction_ethereal


def test_one_family_collides_though_all_are_registered():
    """The door's sill sphere is registered, but only its parts stop anybody (objects 8.5)."""
    world, registry = staged_room(thing(door_model(), state=0x10008))
    assert len(registry.rows(DOOR)) == 4
    body = grounded_body(world, (3.0, 0.5, 0.005))
    results = push(world, body, (0.0, 0.1, 0.0), 5)
    assert all(r.normal is None for r in results)
    body = grounded_body(world, (0.0, 1.4, 0.005))
    results = push(world, body, (0.0, 0.1, 0.0), 5)
    assert {h.gfxobj for r in results for h in r.hits} <= {0x010044B5, 0x010044B6}
    assert any(r.normal for r in results)


def test_an_ethereal_mover_passes_entities_but_no_statics():
    for state, passes in ((0x8, True), (0x1, False)):
        world, _ = staged_room(thing(cylinder_model(0.2, 2.2), state=state))
        body = grounded_body(world, (0.0, 1.2, 0.005))
        body.state |= 0x4
        push(world, body, (0.0, 0.1, 0.0), 8)
        assert (xyz(body)[1] > 1.9) == passes


def test_players_pass_through_each_other_unless_both_fight():
    player = thing(cylinder_model(0.3, 1.8), weenie=0x100)
    result, _ = probe(player, (0.0, 1.9, 0.005))
    assert result is OK
    for flags, kind in ((0x900, "is_pk"), (0x1100, "is_pk_lite")):
        for fights in (True, False):
            world, _ = staged_room(thing(cylinder_model(0.3, 1.8), weenie=flags))
            body = grounded_body(world, (0.0, 1.0, 0.005))
            setattr(body, kind, fights)
            push(world, body, (0.0, 0.1, 0.0), 8)
            assert (xyz(body)[1] < 1.4) == fights
    solid = thing(cylinder_model(0.3, 1.8), weenie=0x180)
    assert probe(solid, (0.0, 1.9, 0.005))[0] is not OK


def test_a_missile_target_is_ignored():
    assert probe(thing(cylinder_model(0.3, 1.8), state=0x48), (0.0, 1.9, 0.005))[0] is OK


def test_the_first_object_that_stops_ends_the_search():
    near = thing(cylinder_model(0.2, 2.2))
    world, registry = staged_room(near)
    registry.register(
        PhysicsObject(7, cylinder_model(0.2, 2.2), Position(ROOM, Frame((0.1, 2.0, 0.0))), state=8)
    )
    body = grounded_body(world, (0.0, 1.25, 0.005))
    results = push(world, body, (0.0, 0.1, 0.0), 1)
    assert {h.owner for h in results[0].hits} == {DOOR}


def test_the_mover_never_meets_itself():
    world, registry = staged_room()
    body = grounded_body(world, (0.0, 0.0, 0.005))
    registry.register(
        PhysicsObject(body.id, cylinder_model(0.5, 2.0), Position(ROOM, Frame((0.0, 0.5, 0.0))), state=8)
    )
    push(world, body, (0.0, 0.1, 0.0), 5)
    assert xyz(body)[1] == pytest.approx(0.5, abs=1e-4)


def test_past_an_open_door_the_next_thing_is_solid_again():
    """What is met after an ethereal object, in the same cell and tick, is not taken for ethereal too."""
    post = thing(cylinder_model(0.2, 2.2), (0.0, 2.4, 0.0))
    world, registry = staged_room(thing(slab_model(), state=0x1000C))
    registry.register(PhysicsObject(7, post.model, post.position, state=0x8))
    body = grounded_body(world, (0.0, 1.2, 0.005))
    results = push(world, body, (0.0, 0.1, 0.0), 15)
    assert {h.owner for r in results for h in r.hits} == {7}
    assert xyz(body)[1] < 1.8


def test_after_an_open_door_the_shell_of_a_house_is_not_taken_for_passable():
    """Ethereal is a word about the object under test: nothing of it is left for what is asked next."""
    _, t = probe(thing(slab_model(), state=0x1000C), (0.0, 1.6, 0.005))
    assert [o.entity_id for o in t.collision_info.collide_objects] == [DOOR]
    assert not t.sphere_path.obstruction_ethereal


def test_who_touches_an_open_door_keeps_no_normal_to_slide_by():
    """A touch that lets pass takes away what the step met before, or the next tick would slide along it."""
    door = thing(slab_model(), state=0x1000C)
    _, t = probe(door, (0.0, 1.6, 0.005))
    t.collision_info.set_collision_normal((1.0, 0.0, 0.0))
    assert find_object_collisions(door, door.state, t) is OK
    assert t.collision_info.collision_normal is None
    assert t.hits == []


@pytest.mark.parametrize(("in_cell", "passes"), [(0x1000C, True), (0x10008, False)])
def test_what_collides_is_the_state_of_the_shadow_in_the_cell(in_cell, passes):
    """The object's own word may be ahead of its shadows; the cell's copy decides (objects 8.5)."""
    door = thing(slab_model(), state=0x10008)
    world, registry = staged_room(door)
    registry.update_physics_state(DOOR, in_cell)
    door.state = in_cell ^ 0x4
    body = grounded_body(world, (0.0, 1.2, 0.005))
    push(world, body, (0.0, 0.1, 0.0), 15)
    assert (xyz(body)[1] > 2.5) == passes


# --- ethereal_check_for_collisions


@pytest.mark.parametrize(("y", "in_the_way"), [(2.05, True), (1.7, True), (1.5, False), (2.7, False)])
def test_who_stands_in_a_door(y, in_the_way):
    door = thing(slab_model(), state=0x10008)
    world, _ = staged_room(door)
    body = grounded_body(world, (0.0, y, 0.005))
    t = make_transition(world, body)
    t.init_path(body.cell, None, body.position)
    t.sphere_path.set_check_pos(body.position, body.cell)
    assert ethereal_check_for_collisions(door, [(frozenset({ROOM}), t)]) is in_the_way
    assert not ethereal_check_for_collisions(door, [(frozenset({0xA9B40199}), t)])
