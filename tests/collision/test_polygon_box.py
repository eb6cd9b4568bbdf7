"""The box that what touches a polygon comes into (collision 4.4): clear of it, nothing more is asked."""

import random

import pytest

from engine.collision.bsp_queries import PolyHit, sphere_intersects_poly, sphere_intersects_solid
from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import hits_sphere
from engine.world.polygon import Polygon
from tests.physics.rooms import tree_of

STILL = (0.0, 0.0, 0.0)


def wall(dice):
    """A wall of a room, square to the axes, as most are."""
    a, b = dice.uniform(-2.0, 0.0), dice.uniform(0.1, 2.0)
    return [(a, -1.0, 0.0), (b, -1.0, 0.0), (b, -1.0, 2.5), (a, -1.0, 2.5)]


def slant(dice):
    return [tuple(dice.uniform(-1.0, 1.0) for _ in range(3)) for _ in range(3)]


def bent(dice):
    """Corners up to half a metre off their plane."""
    return [(x, y, dice.uniform(-0.5, 0.5)) for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))]


def steep_edge(dice):
    """One edge leads off the plane and hardly along it."""
    short = dice.uniform(0.005, 0.1)
    return [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.3), (1.0 - short, 1.0, -0.3), (-1.0, 1.0, 0.0)]


@pytest.mark.parametrize("shape", [wall, slant, bent, steep_edge])
def test_no_sphere_that_touches_a_polygon_is_clear_of_its_box(shape):
    dice = random.Random(11)
    touched = 0
    for _ in range(2000):
        polygon = Polygon(0, shape(dice))
        x, y, z = (dice.uniform(-2.5, 2.5) for _ in range(3))
        s = MovingSphere(x, y, z, dice.uniform(0.1, 0.6))
        if hits_sphere(polygon, s):
            touched += 1
            box = polygon.measured()
            for at, low, high in ((s.x, box.ax, box.bx), (s.y, box.ay, box.by), (s.z, box.az, box.bz)):
                assert low <= at + s.r
                assert at - s.r <= high
            root = tree_of([polygon])
            root.radius = 99.0
            assert sphere_intersects_solid(root, s, centre_check=False)
            out = PolyHit()
            sphere_intersects_poly(root, s, STILL, out)
            assert out.poly is polygon
    assert touched > 20


def test_beyond_a_steep_edge_a_sphere_touches_a_metre_from_all_corners():
    """Why a box is wider than corners are off their plane."""
    corners = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.3), (0.995, 1.0, -0.3), (-1.0, 1.0, 0.0)]
    polygon = Polygon(0, corners)
    s = MovingSphere(-0.951, 2.8455, -0.0976, 0.3)
    assert hits_sphere(polygon, s)
    off = max(abs(polygon.distance(p)) for p in corners)
    assert s.y - s.r - max(p[1] for p in corners) > off + 1.0
    assert polygon.measured().by > s.y - s.r


def test_a_box_is_measured_when_it_is_first_asked_and_kept():
    polygon = Polygon(0, wall(random.Random(1)))
    assert polygon.box is None
    sphere_intersects_poly(tree_of([polygon]), MovingSphere(0.0, -1.0, 1.0, 0.4), STILL, PolyHit())
    box = polygon.box
    assert box is not None
    sphere_intersects_solid(tree_of([polygon]), MovingSphere(0.0, -1.0, 1.0, 0.4), centre_check=False)
    assert polygon.box is box


def test_one_is_clear_of_a_wall_beside_a_doorway_though_its_plane_is_near():
    polygon = Polygon(0, [(1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (2.0, -1.0, 2.5), (1.0, -1.0, 2.5)])
    assert polygon.measured().ax > 0.4 + 0.48
