"""The steepest slope that is a floor is one, and the floor known last carries only who touches it."""

import math

import pytest

from engine.dat.values import Plane
from engine.physics.body.outcome import Contact, Outcome
from engine.physics.enums import COLLIDED, FLOOR_Z, OI_CONTACT, OI_ON_WALKABLE, OK
from engine.physics.transition.driver import validate_transition
from engine.physics.transition.validate_walkable import validate_walkable
from tests.physics.scenes import block_cells, cells, stand, terrain, transition, triangle

CELL = 0xA9B40001
STEEPER = math.nextafter(FLOOR_Z, 0.0)


def slope(nz):
    """A plane through the origin whose normal has that z."""
    return Plane((0.0, -math.sqrt(1.0 - nz * nz), nz), 0.0)


@pytest.mark.parametrize(("nz", "carries"), [(FLOOR_Z, True), (STEEPER, False)])
def test_who_walks_finds_ground_on_the_steepest_floor(nz, carries):
    polygon = triangle(0, (0, 0, 0), (24, 0, 0), (24, 24, 0))
    polygon.normal, polygon.d = slope(nz)
    t = transition(cells(), (12.0, 0.0, -0.3), cell_id=CELL, contact=None)
    foot = t.sphere_path.global_sphere[0]
    validate_walkable(t, foot.center, foot.r, polygon, is_water=False, depth=0.0, cell_id=CELL)
    assert (t.collision_info.contact is not None) == carries


@pytest.mark.parametrize(("nz", "walkable"), [(FLOOR_Z, True), (STEEPER, False)])
def test_a_sub_step_that_ends_on_the_steepest_floor_may_be_walked_on(nz, walkable):
    t = transition(cells(), (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), contact=slope(nz), grounded=False)
    assert validate_transition(t, OK) is OK
    assert t.object_info.state & OI_CONTACT
    assert bool(t.object_info.state & OI_ON_WALKABLE) == walkable


@pytest.mark.parametrize(("nz", "walkable"), [(FLOOR_Z, True), (STEEPER, False)])
def test_a_body_that_was_committed_to_the_steepest_floor_stands_on_it(nz, walkable):
    block = terrain()
    land_cell = block.land_cells[0]
    body = stand(block_cells(block), (12.0, 12.0, 0.0), CELL)
    body.set_position_internal(
        Outcome(position=body.position, cell=land_cell, contact=Contact.on(slope(nz), CELL))
    )
    assert body.on_walkable == walkable


@pytest.mark.parametrize(("above", "held"), [(0.0, True), (0.9, True), (1.0, False), (30.0, False)])
def test_a_floor_that_lies_overhead_does_not_carry_who_is_stopped_by_a_wall(above, held):
    """The floor known last counts as long as the foot's sphere touches it, from whichever side."""
    t = transition(cells(), contact=Plane((0.0, 0.0, 1.0), -above), grounded=False)
    t.collision_info.contact = None
    assert validate_transition(t, COLLIDED) is OK
    assert (t.collision_info.contact is not None) == held
