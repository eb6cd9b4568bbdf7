"""What a standing mover touches without moving into it: near misses (collision 4.6, row 7)."""

from __future__ import annotations

import pytest

from engine.physics.body.body import HUMAN_SPHERES
from engine.physics.enums import OK
from engine.physics.transition.bsp_collisions import find_bsp_collisions
from engine.world.frame import Frame, Position
from tests.physics.rooms import tree_of
from tests.physics.scenes import cells, transition, wall

PLACE = Position(0, Frame((0.0, 0.0, 0.0)))
LOW, HIGH = wall(0.4, 0.0, 0.7, sign=-1), wall(0.4, 1.2, 3.0, sign=-1, polygon_id=2)


def near_miss(*polygons, move=(-0.05, 0.0, 0.0), spheres=None):
    """What is noted of walls in whose way nothing is: 40 cm off, the sphere is 48 cm wide and leaves."""
    t = transition(cells(), displacement=move, **({} if spheres is None else {"spheres": spheres}))
    t.sphere_path.cache_localspace_sphere(PLACE, 1.0)
    assert find_bsp_collisions(t, tree_of(list(polygons)), 1.0) is OK
    return t.sphere_path.near_miss


@pytest.mark.parametrize(
    ("polygons", "poly", "step_up"),
    [([LOW], 1, True), ([HIGH], 2, False), ([LOW, HIGH], 2, False)],
    ids=["foot", "head", "both"],
)
def test_the_foots_near_miss_is_stepped_onto_and_the_heads_slid_along(polygons, poly, step_up):
    missed = near_miss(*polygons)
    assert (missed.hit.poly, missed.step_up) == (poly, step_up)
    assert missed.normal == (1.0, 0.0, 0.0)  # turned about: it points into the wall


def test_a_mover_of_one_sphere_notes_no_near_miss():
    assert near_miss(LOW, spheres=HUMAN_SPHERES[:1]) is None
