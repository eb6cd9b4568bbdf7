"""Collision 12.5: points, spheres and boxes against a cell's chain of planes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision.cell_tree import (
    CROSSING,
    INSIDE,
    OUTSIDE,
    box_intersects_cell,
    point_inside_cell_bsp,
    some_sphere_reaches_cell,
    sphere_intersects_cell,
)
from engine.collision.moving_sphere import MovingSphere
from engine.world.bsp import CellTree, InwardPlane

BOX = (
    (1.0, 0.0, 0.0, 0.0), (-1.0, 0.0, 0.0, 10.0), (0.0, 1.0, 0.0, 0.0),
    (0.0, -1.0, 0.0, 10.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, -1.0, 3.0),
)  # fmt: skip
PLANES = tuple(InwardPlane(*plane) for plane in BOX)


@pytest.mark.parametrize(("x", "inside"), [(-0.0001, True), (-0.0003, False)])
def test_CB1_points_a_little_outside_are_inside(x, inside):
    assert point_inside_cell_bsp(PLANES, x, 5, 1) is inside


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("CB2", 5.0, INSIDE),
        ("CB3", 0.3, CROSSING),
        ("CB3b", -0.3, CROSSING),
        ("CB3c", 0.48, CROSSING),
        ("CB4", -0.4899, CROSSING),
        ("CB4b", -0.491, OUTSIDE),
        ("CB5", 0.491, INSIDE),
    ],
)
def test_sphere(name, x, expected):
    assert sphere_intersects_cell(PLANES, x, 5, 1.5, r=0.48) == expected
    reached = some_sphere_reaches_cell(PLANES, [MovingSphere(x, 5, 1.5, 0.48)], 0.0, 0.0)
    assert reached is (expected != OUTSIDE)


def test_a_missing_tree_contains_nothing():
    assert not point_inside_cell_bsp(None, 0, 0, 0)
    assert sphere_intersects_cell(None, 0, 0, 0, r=1.0) == OUTSIDE
    assert not some_sphere_reaches_cell(None, [MovingSphere(0, 0, 0, 1.0)], 0.0, 0.0)
    assert not box_intersects_cell(None, ((0, 0, 0), (1, 1, 1)))


def test_a_box_is_out_when_one_plane_has_all_of_it_behind():
    tree = CellTree(list(BOX))
    assert box_intersects_cell(tree, ((-1, 1, 1), (0.5, 2, 2)))
    assert box_intersects_cell(tree, ((-1, 1, 1), (-0.0001, 2, 2)))
    assert not box_intersects_cell(tree, ((-1, 1, 1), (-0.001, 2, 2)))


coordinate = st.floats(-3.0, 13.0, width=32)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate), st.floats(0.0625, 1.5))
def test_a_sphere_is_inside_exactly_when_the_slack_box_holds_it(center, r):
    rad = r + 0.01
    depth = min(n[0] * center[0] + n[1] * center[1] + n[2] * center[2] + n[3] for n in BOX)
    expected = OUTSIDE if depth <= -rad else INSIDE if depth >= rad else CROSSING
    assert sphere_intersects_cell(PLANES, *center, r=r) == expected


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(coordinate, coordinate, coordinate, st.floats(0.0625, 1.5)), max_size=2),
    st.sampled_from([0.0, 192.0]),
    st.sampled_from([0.0, -192.0]),
)
def test_a_cell_is_reached_where_some_sphere_is_not_outside(spheres, ox, oy):
    """``ox, oy`` is the cell's block seen from the spheres'."""
    moving = [MovingSphere(x + ox, y + oy, z, r) for x, y, z, r in spheres]
    expected = [sphere_intersects_cell(PLANES, s.x - ox, s.y - oy, s.z, r=s.r) != OUTSIDE for s in moving]
    assert some_sphere_reaches_cell(PLANES, moving, ox, oy) is any(expected)
