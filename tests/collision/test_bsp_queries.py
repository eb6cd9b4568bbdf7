"""Collision 4.3: questions to a physics tree, against brute force over its polygons."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision.bsp_queries import (
    PolyHit,
    SolidHit,
    WalkableProbe,
    find_walkable,
    hits_walkable,
    point_intersects_solid,
    sphere_intersects_poly,
    sphere_intersects_solid,
    sphere_intersects_solid_poly,
)
from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import check_small_walkable, hits_sphere, pos_hits_sphere
from engine.world.bsp import BspNode, leaf_node
from engine.world.polygon import Polygon, bounding_sphere
from tests.physics.rooms import fork

UP = (0.0, 0.0, 1.0)


def tree(polygons, depth=0, *, solid=False):
    """A tree that splits at middle planes, a polygon that straddles going to both sides."""
    center, radius = bounding_sphere([v for p in polygons for v in p.vertices])
    if len(polygons) <= 2 or depth > 6:
        return leaf_node(list(polygons), center=center, radius=radius, solid=solid)
    axis = depth % 3
    middle = sum(v[axis] for p in polygons for v in p.vertices) / sum(len(p.vertices) for p in polygons)
    front = [p for p in polygons if max(v[axis] for v in p.vertices) >= middle]
    back = [p for p in polygons if min(v[axis] for v in p.vertices) <= middle]
    normal = tuple(1.0 if i == axis else 0.0 for i in range(3))
    return BspNode(
        normal, -middle, tree(front, depth + 1, solid=solid), tree(back, depth + 1, solid=solid),
        center=center, radius=radius, polygons=[], is_leaf=False, solid=False, index=0,
    )  # fmt: skip


coordinate = st.integers(-12, 12).map(lambda n: n / 4.0)
point = st.tuples(coordinate, coordinate, coordinate)
polygon = st.tuples(point, point, point)
soup = st.lists(polygon, min_size=1, max_size=12)
ball = st.builds(lambda p, r: MovingSphere(*[c + 0.037 for c in p], r), point, st.floats(0.2, 1.2))  # type: ignore[call-arg]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(soup, ball, point)
def test_a_tree_answers_as_its_polygons_do_one_by_one(corners, s, move):
    polygons = [Polygon(i, c) for i, c in enumerate(corners)]
    root = tree(polygons)
    touched = [p for p in polygons if hits_sphere(p, s)]
    hit = [p for p in touched if pos_hits_sphere(p, s, move)[0]]
    out = PolyHit()
    assert sphere_intersects_poly(root, s, move, out) is bool(hit)
    assert (out.poly is not None) is bool(touched)
    assert sphere_intersects_solid(root, s, centre_check=False) is bool(touched)
    walkable = [p for p in touched if p.normal[2] > 0.5 and check_small_walkable(p, s, UP)]
    assert hits_walkable(root, s, UP, 0.5) is bool(walkable)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(soup, ball)
def test_find_walkable_in_one_leaf_takes_polygons_in_file_order(corners, s):
    polygons = [Polygon(i, c) for i, c in enumerate(corners)]
    probe = WalkableProbe(s.copy(), (0.0, 0.0, -1.0), UP, 0.5)
    find_walkable(leaf_node(polygons, *bounding_sphere([v for c in corners for v in c])), probe)
    if probe.polygon is None:
        assert (probe.sphere.center, probe.walk_interp) == (s.center, 1.0)
    else:
        assert probe.sphere.z > s.z
        assert probe.walk_interp < 1.0
        assert abs(abs(probe.polygon.distance(probe.sphere.center)) - s.r) < 1e-6


FLOOR = Polygon(7, [(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)])


def halves(*, solid_below):
    center, radius = bounding_sphere(FLOOR.vertices)
    above = leaf_node([], center=center, radius=radius)
    below = leaf_node([FLOOR], center=center, radius=radius, solid=solid_below)
    return fork((0.0, 0.0, 1.0), above, below)


def test_a_solid_leaf_counts_only_on_the_centres_own_side():
    assert sphere_intersects_solid(
        halves(solid_below=True), MovingSphere(0, 0, -0.1, 0.05), centre_check=True
    )
    assert not sphere_intersects_solid(
        halves(solid_below=True), MovingSphere(0, 0, -0.1, 0.05), centre_check=False
    )
    far = MovingSphere(6.2, 0.0, 0.1, 0.5)
    assert not sphere_intersects_solid(halves(solid_below=True), far, centre_check=True)


def test_placing_reports_the_polygon_or_the_solid():
    out = SolidHit()
    sphere_intersects_solid_poly(
        halves(solid_below=True), MovingSphere(0, 0, -0.1, 0.5), 0.5, out, centre_check=True
    )
    assert out.poly is FLOOR
    assert out.centre_solid
    deep = SolidHit()
    assert sphere_intersects_solid_poly(
        halves(solid_below=True), MovingSphere(0, 0, -2.0, 0.5), 0.5, deep, centre_check=True
    )
    assert deep.poly is None
    assert deep.centre_solid


def test_a_polygon_on_the_near_side_of_a_straddled_plane_stands_but_is_not_the_answer():
    out = SolidHit()
    assert not sphere_intersects_solid_poly(
        halves(solid_below=False), MovingSphere(0, 0, -0.1, 0.5), 0.5, out, centre_check=True
    )
    assert out.poly is FLOOR
    assert not sphere_intersects_solid_poly(
        halves(solid_below=False), MovingSphere(0, 0, 0.1, 0.05), 0.5, out, centre_check=True
    )
    assert out.poly is FLOOR  # found before: the far side is not looked at
    assert sphere_intersects_solid_poly(
        halves(solid_below=False), MovingSphere(0, 0, 0.1, 0.5), 0.5, SolidHit(), centre_check=True
    )


def test_a_point_is_in_the_solid_where_its_leaf_has_polygons():
    assert point_intersects_solid(halves(solid_below=False), (0, 0, -1))
    assert not point_intersects_solid(halves(solid_below=False), (0, 0, 1))
    assert not point_intersects_solid(halves(solid_below=False), (0, 0, 0))
