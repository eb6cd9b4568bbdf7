"""Sweep 12.6: bent displacements and the number of sub-steps."""

import math

import pytest

from engine.dat.values import Plane, Sphere
from engine.physics.body.outcome import Contact
from engine.physics.enums import OI_IS_VIEWER
from engine.physics.transition.driver import MAX_STEPS, calc_num_steps
from engine.physics.transition.sliding import adjust_offset
from engine.world.frame import Frame, Position
from tests.physics.scenes import FLAT, UP, cells, origin, transition

NOWHERE = cells()
N30 = (0.5, 0.0, math.cos(math.radians(30)))


@pytest.mark.parametrize(
    ("name", "contact", "sliding", "offset", "expected"),
    [
        ("AO1", N30, None, (1, 0, 0), (1, 0, -0.577350)),
        ("AO2", N30, None, (-1, 0, 0), (-0.75, 0, 0.433013)),
        ("AO3", (1, 0, 0.0001), None, (1, 0, 0), (1, 0, 0)),
        ("AO4", UP, (-1, 0, 0), (0.2, 0.2, 0), (0, 0.2, 0)),
        ("AO5", UP, (-1, 0, 0), (-0.2, 0.2, 0), (-0.2, 0.2, 0)),
        ("AO6", UP, (-1, 0, 0), (0.2, 0, 0), (0, 0, 0)),
        ("AO7", None, (-1, 0, 0), (0.2, 0.1, -0.3), (0, 0.1, -0.3)),
    ],
)
def test_adjust_offset(*, name, contact, sliding, offset, expected):
    t = transition(NOWHERE, contact=None if contact is None else Plane(contact, 0.0))
    if sliding is not None:
        t.collision_info.set_sliding_normal(sliding)
    assert adjust_offset(t, offset) == pytest.approx(expected, abs=1e-4)
    assert (t.collision_info.sliding_normal is not None) is (name in ("AO4", "AO6", "AO7"))
    assert origin(t) == (0.0, 0.0, 0.0)


def test_AO8_a_sunk_sphere_is_lifted_onto_the_contact_plane():
    z = 0.47 / N30[2] - 0.475
    t = transition(NOWHERE, (0, 0, z), contact=Plane(N30, 0.0), contact_cell_id=1)
    assert adjust_offset(t, (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert origin(t)[2] - z == pytest.approx(0.011547, abs=1e-6)


def test_an_upright_contact_plane_lifts_nobody():
    t = transition(NOWHERE, (0, 0, 0), contact=Plane((1.0, 0.0, 0.0), 0.0), contact_cell_id=1)
    assert adjust_offset(t, (0.0, 0.1, 0.0)) == (0.0, 0.1, 0.0)
    assert origin(t) == (0.0, 0.0, 0.0)


def test_AO9_a_human_stands_five_millimetres_up():
    t = transition(NOWHERE, contact=FLAT, contact_cell_id=1)
    assert adjust_offset(t, (0.1, 0.0, 0.0)) == (0.1, 0.0, 0.0)
    assert origin(t)[2] == pytest.approx(0.005)


def test_no_lift_onto_water_or_without_a_cell():
    t = transition(NOWHERE, contact=FLAT, contact_cell_id=1)
    t.collision_info.contact = Contact.on(t.collision_info.contact.plane, 0xA9B40021, is_water=True)
    adjust_offset(t, (0.1, 0.0, 0.0))
    assert origin(t)[2] == 0.0


def steps(offset, *, viewer=False, radius=0.48):
    spheres = (Sphere((0.0, 0.0, 0.0), radius),)
    t = transition(NOWHERE, spheres=spheres)
    t.sphere_path.end_pos = Position(0, Frame(offset))
    if viewer:
        t.object_info.state |= OI_IS_VIEWER
    return calc_num_steps(t)


@pytest.mark.parametrize(
    ("name", "offset", "count", "per"),
    [
        ("NS1", (0.3, 0, 0), 1, (0.3, 0, 0)),
        ("NS1", (0.48, 0, 0), 1, (0.48, 0, 0)),
        ("NS1", (0.49, 0, 0), 2, (0.245, 0, 0)),
        ("NS1", (1, 0, 0), 3, (0.333333, 0, 0)),
        ("NS2", (3, 4, 0), 11, (0.272727, 0.363636, 0)),
        ("NS4", (0, 0, 0), 0, (0, 0, 0)),
    ],
)
def test_sub_steps_are_no_longer_than_the_foot_sphere(name, offset, count, per):
    whole, each, n = steps(offset)
    assert (whole, n) == (offset, count)
    assert each == pytest.approx(per, abs=1e-4)


@pytest.mark.parametrize(("length", "count"), [(0.3, 1), (0.48, 2), (1.0, 3)])
def test_NS3_a_viewer_goes_in_steps_of_its_radius(length, count):
    _, each, n = steps((length, 0, 0), viewer=True)
    assert n == count
    assert each == pytest.approx((0.48, 0, 0))


@pytest.mark.parametrize("viewer", [False, True])
@pytest.mark.parametrize(
    ("offset", "radius"), [((0.3, 0, 0), 1e-320), ((1e9, 0, 0), 1e-300), ((1e308, 1e308, 0), 0.5)]
)
def test_a_way_of_more_steps_than_numbers_can_count_is_too_long(offset, radius, viewer):
    assert steps(offset, viewer=viewer, radius=radius)[2] == MAX_STEPS + 1
