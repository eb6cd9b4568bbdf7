"""Sweep 12.15: blocked or motionless sub-steps in a row."""

import pytest

from engine.physics.enums import (
    COLLIDED,
    OI_CONTACT,
    OK,
    TS_STATIONARY,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
)
from engine.physics.simulation.sweep import sweep
from engine.physics.transition.driver import validate_transition
from engine.world.frame import Position
from tests.physics.rooms import ROOM, quad, room
from tests.physics.scenes import cells, transition
from tests.physics.stage import airborne_body

CEILING = quad(3, (-9, -9, 2.0), (-9, 9, 2.0), (9, 9, 2.0), (9, -9, 2.0))


def test_FS1_the_third_blocked_sub_step_puts_a_floor_under_the_mover():
    t = transition(cells(room()), (0.0, 0.0, 3.0), cell_id=ROOM, contact=None, grounded=False)
    info = t.collision_info
    for expected in (1, 2, 3):
        info.contact = None
        assert validate_transition(t, COLLIDED) == OK
        assert info.frames_stationary_fall == expected
        assert (info.contact is not None) is (expected == 3)
    assert info.contact.normal == (0.0, 0.0, 1.0)
    assert info.contact.d == pytest.approx(0.48 - 3.475)
    assert info.contact.cell_id == ROOM
    assert info.collision_normal == (0.0, 0.0, 1.0)
    assert info.collided_with_environment
    assert t.object_info.state & OI_CONTACT


def test_FS1_velocity_ends_at_two_and_the_bits_are_cleared_at_three():
    world = cells(room(polygons=[CEILING]))
    body = airborne_body(world, (0.0, 0.0, 0.1))
    bits, speeds = [], []
    for _ in range(3):
        body.velocity = (0.0, 0.0, 5.0)
        x, y, z = body.position.frame.origin
        target = body.position.frame.with_origin((x, y, z + 0.4))
        assert sweep(world, body, Position(ROOM, target)).ok
        bits.append(body.transient_state & TS_STATIONARY)
        speeds.append(body.velocity[2])
    assert bits == [TS_STATIONARY_FALL, TS_STATIONARY_FALL | TS_STATIONARY_STOP, 0]
    assert speeds[0] == pytest.approx(-0.25)
    assert speeds[1:] == [0.0, 0.0]
    assert body.on_ground


def test_FS2_a_wall_does_not_count_for_who_stands_on_the_ground():
    t = transition(cells(room()), (0.0, 0.0, 0.005), cell_id=ROOM, contact_cell_id=ROOM)
    t.collision_info.contact = None
    assert validate_transition(t, COLLIDED) == OK
    assert t.collision_info.frames_stationary_fall == 0
    assert t.collision_info.contact is not None


def test_an_unmoved_accepted_sub_step_counts_too():
    t = transition(cells(room()), (0.0, 0.0, 3.0), cell_id=ROOM, contact=None, grounded=False)
    validate_transition(t, OK)
    assert t.collision_info.frames_stationary_fall == 1
