"""What a commit does about collisions: BO of sweep 12.9, FS of sweep 12.15, the rules of sweep 3.20."""

import pytest

from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Outcome
from engine.physics.enums import (
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_STATIONARY,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
)
from engine.world.physics_state import INELASTIC
from engine.world.polygon import Polygon
from tests.physics.rooms import box_polygons, floor
from tests.physics.stage import airborne_body, grounded_body, push, staged_room


def after(v, normal, state=0, *, grounded=False, was_grounded=False, fsf=0):
    body = PhysicsBody(1)
    body.state |= state
    body.velocity = v
    if grounded:
        body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    met = Outcome(position=body.position, cell=None, collision_normal=normal, frames_stationary_fall=fsf)
    body.handle_all_collisions(met, was_on_walkable=was_grounded)
    return body


def test_BO1_a_fall_bounces_by_a_twentieth():
    assert after((3.0, 0.0, -5.0), (0.0, 0.0, 1.0)).velocity == pytest.approx((3, 0, 0.25))


def test_BO2_a_wall_throws_back():
    assert after((3.0, 1.0, 0.0), (-1.0, 0.0, 0.0)).velocity == pytest.approx((-0.15, 1, 0))


def test_no_bounce_when_receding_or_on_the_ground_before_and_after():
    assert after((-3.0, 0.0, 0.0), (-1.0, 0.0, 0.0)).velocity == (-3.0, 0.0, 0.0)
    on_ground = after((3.0, 0.0, 0.0), (-1.0, 0.0, 0.0), grounded=True, was_grounded=True)
    assert on_ground.velocity == (3.0, 0.0, 0.0)
    landing = after((0.0, 0.0, -5.0), (0.0, 0.0, 1.0), grounded=True)
    assert landing.velocity == pytest.approx((0, 0, 0.25))


def test_an_inelastic_body_stops():
    assert after((3.0, 0.0, -5.0), (0.0, 0.0, 1.0), INELASTIC).velocity == (0.0, 0.0, 0.0)


def test_landing_collides_with_the_environment_once():
    body = after((0.0, 0.0, -5.0), None, grounded=True)
    assert body.colliding_with_environment
    body.handle_all_collisions(Outcome(position=body.position, cell=None), was_on_walkable=True)
    assert not body.colliding_with_environment


def shaft():
    """Walls so near on all sides that a falling body in it is stuck, its foot 1 m above any floor."""
    walls = [
        *box_polygons((0.3, -5.0, -5.0), (1.0, 5.0, 5.0)),
        *box_polygons((-1.0, -5.0, -5.0), (-0.3, 5.0, 5.0), 10),
        Polygon(30, [(-1, -1, 1), (-1, 1, 1), (1, 1, 1), (1, -1, 1)]),
    ]
    return walls


def test_FS1_stuck_in_the_air_counts_to_three_and_gets_a_floor():
    """No last-known plane: every blocked sub-step counts; velocity dies at 2, a plane appears at 3."""
    world, _ = staged_room(polygons=shaft())
    body = airborne_body(world, (0.0, 0.0, 0.0))
    body.velocity = (0.0, 0.0, -5.0)
    bits = []
    results = []
    for _ in range(3):
        results += push(world, body, (0.0, 0.0, -0.1))
        bits.append(body.transient_state & TS_STATIONARY)
        if len(results) == 2:
            assert body.velocity == (0.0, 0.0, 0.0)
    assert bits == [TS_STATIONARY_FALL, TS_STATIONARY_FALL | TS_STATIONARY_STOP, 0]
    assert [r.contact is None for r in results] == [True, True, False]
    assert results[2].contact.normal == (0.0, 0.0, 1.0)
    assert results[2].contact.d == pytest.approx(0.48 - 0.475)
    assert results[2].normal == (0.0, 0.0, 1.0)
    assert body.colliding_with_environment
    assert body.velocity == (0.0, 0.0, 0.0)


def test_FS2_a_grounded_body_at_a_wall_never_counts():
    wall = Polygon(1, [(2, -20, 0), (2, -20, 5), (2, 20, 5), (2, 20, 0)])
    world, _ = staged_room(polygons=[floor(-20, 20, 0.0), wall])
    body = grounded_body(world, (1.4, 0.0, 0.005))
    for result in push(world, body, (0.2, 0.0, 0.0), 5):
        assert result.position.frame.origin[0] == pytest.approx(1.4, abs=1e-4)
        assert body.transient_state & TS_STATIONARY == 0
    assert body.on_ground
