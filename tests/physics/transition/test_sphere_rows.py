"""What an object's sphere answers to each kind of question, whichever sphere is in it (collision 5.2)."""

from __future__ import annotations

import pytest

from engine.physics.enums import COLLIDED, OK, PLACEMENT
from engine.physics.transition.sphere_object import intersects_sphere, stand_on
from tests.physics.scenes import cells, transition

FOOT, HEAD, NEITHER = (3.3, -1.8, 0.3), (3.3, -1.8, 1.6), (3.3, -1.8, 4.0)  # centres of a ball of 30 cm
WHERE = (3.0, -2.0, 0.0)


def asked(center, *, grounded=True, **path):
    t = transition(cells(), WHERE, contact=None, grounded=grounded)
    for name, value in path.items():
        setattr(t.sphere_path, name, value)
    return t, intersects_sphere(t, center, 0.3)


@pytest.mark.parametrize(("center", "ts"), [(FOOT, COLLIDED), (HEAD, COLLIDED), (NEITHER, OK)])
@pytest.mark.parametrize(
    "question",
    [{"insert_type": PLACEMENT}, {"obstruction_ethereal": True}, {"check_walkable": True}],
    ids=["is there room", "is an ethereal left", "does it carry the foot"],
)
def test_a_sphere_in_it_is_no_room_and_a_support(question, center, ts):
    assert asked(center, **question)[1] == ts


@pytest.mark.parametrize("question", [{"step_down": True}, {"collide": True}, {}])
@pytest.mark.parametrize("grounded", [True, False])
def test_one_that_reaches_no_sphere_says_nothing(question, grounded):
    t, ts = asked(NEITHER, grounded=grounded, **question)
    assert ts == OK
    assert t.hits == []
    assert t.collision_info.contact is None


def test_a_mover_of_one_sphere_has_no_head_to_hit():
    t = transition(cells(), WHERE, contact=None, spheres=transition(cells()).mover.movement_spheres[:1])
    t.sphere_path.check_walkable = True
    assert intersects_sphere(t, HEAD, 0.3) == OK


def test_what_one_stands_on_is_the_plane_through_the_point_and_counts_as_water():
    """As water it lifts nobody back onto it."""
    t = transition(cells(), WHERE, contact=None)
    normal, point = (0.36, -0.48, 0.8), (3.1, -1.7, 0.6)
    stand_on(t, normal, point, 0.25)
    contact = t.collision_info.contact
    assert contact.normal == normal
    assert sum(n * p for n, p in zip(normal, point, strict=True)) + contact.d == pytest.approx(0.0)
    assert contact.is_water
    assert t.ground.poly == -1
    assert t.sphere_path.walk_interp == 0.25
