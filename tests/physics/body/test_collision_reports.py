"""Sweep 3.20: what a commit remembers of collisions, and the bounce."""

from collections.abc import Iterator

import pytest

from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Outcome
from engine.physics.enums import ADJUSTED, COLLIDED, OK, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.transition.collision_info import CollisionInfo
from engine.world.cells import ShadowObject
from engine.world.frame import NOWHERE
from engine.world.physics_state import INELASTIC, MISSILE, PLAYER_STATE, STATIC


def met(*targets, normal=None):
    return Outcome(position=NOWHERE, cell=None, objects=targets, collision_normal=normal)


def test_an_entity_is_reported_once_and_forgotten_after_a_second():
    body, door = PhysicsBody(1), ShadowObject(7, 0x8)
    assert body.handle_all_collisions(met(door), was_on_walkable=False)
    assert not body.handle_all_collisions(met(door), was_on_walkable=False)
    body.clock = 0.9
    assert not body.handle_all_collisions(met(), was_on_walkable=False)
    assert 7 in body.touching.known
    body.clock = 1.1
    body.handle_all_collisions(met(), was_on_walkable=False)
    assert body.touching.known == {}
    assert body.handle_all_collisions(met(door), was_on_walkable=False)


def test_an_ethereal_one_is_forgotten_at_once():
    body, door = PhysicsBody(1), ShadowObject(7, 0xC)
    body.handle_all_collisions(met(door), was_on_walkable=False)
    body.clock = 1.0 / 30.0
    body.handle_all_collisions(met(), was_on_walkable=False)
    assert body.touching.known == {}


def test_a_teleport_forgets_them_all():
    body = PhysicsBody(1)
    body.handle_all_collisions(met(ShadowObject(7, 0x8), ShadowObject(8, 0x8)), was_on_walkable=False)
    assert list(body.touching.known) == [7, 8]
    body.touching.forget()
    assert body.touching.known == {}


def test_a_static_target_is_environment_and_ends_a_missiles_flight():
    body = PhysicsBody(1, state=PLAYER_STATE | MISSILE)
    assert body.handle_all_collisions(met(ShadowObject(7, STATIC)), was_on_walkable=False)
    assert body.touching.known == {}
    assert not body.state & MISSILE


def test_landing_is_an_environment_collision_until_the_next_free_commit():
    body = PhysicsBody(1)
    body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    assert body.handle_all_collisions(met(), was_on_walkable=False)
    assert body.colliding_with_environment
    body.handle_all_collisions(met(), was_on_walkable=True)
    assert not body.colliding_with_environment


@pytest.mark.parametrize(
    ("velocity", "normal", "after"),
    [
        ((3, 0, -5), (0, 0, 1), (3, 0, 0.25)),
        ((3, 1, 0), (-1, 0, 0), (-0.15, 1, 0)),
        ((1, 0, 0), (1, 0, 0), (1, 0, 0)),
    ],
)
def test_BO1_BO2_a_blow_is_thrown_back_a_little(velocity, normal, after):
    body = PhysicsBody(1)
    body.velocity = velocity
    body.handle_all_collisions(met(normal=normal), was_on_walkable=False)
    assert body.velocity == pytest.approx(after)


def test_an_inelastic_body_stops():
    body = PhysicsBody(1, state=PLAYER_STATE | INELASTIC)
    body.velocity = (3.0, 0.0, 0.0)
    body.handle_all_collisions(met(normal=(0, 0, 1)), was_on_walkable=False)
    assert body.velocity == (0.0, 0.0, 0.0)


def test_on_the_ground_before_and_after_there_is_no_bounce():
    body = PhysicsBody(1)
    body.velocity = (3.0, 0.0, 0.0)
    body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    body.handle_all_collisions(met(normal=(-1, 0, 0)), was_on_walkable=True)
    assert body.velocity == (3.0, 0.0, 0.0)


def test_objects_are_listed_once():
    info, a, b = CollisionInfo(), ShadowObject(7, 0x8), ShadowObject(8, 0xC)
    info.add_object(a, ADJUSTED)
    info.add_object(b, OK)
    info.add_object(a, COLLIDED)
    assert info.collide_objects == [a, b]
    assert info.touched == [b]
    info.init()
    assert (info.collide_objects, info.touched) == ([], [])
    info.add_object(b, OK)
    assert info.touched == [b]


class Unsearched(list[ShadowObject]):
    def __iter__(self) -> Iterator[ShadowObject]:
        raise AssertionError


def test_a_crowd_that_is_met_again_and_again_is_not_searched_for_each() -> None:
    info, a, b = CollisionInfo(), ShadowObject(7, 0xC), ShadowObject(8, 0xC)
    info.collide_objects = Unsearched()
    for target in (a, b, a, b):
        info.add_object(target, OK)
    assert len(info.collide_objects) == 2
