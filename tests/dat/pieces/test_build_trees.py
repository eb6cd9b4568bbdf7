"""Tree builders against brute force over all polygons (dat-format 5.3, 5.5, sources 3)."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.pieces.bsp_record import BspNode, PortalRef, TreeKind, read_bsp, write_bsp
from engine.dat.pieces.build_trees import (
    build_cell_tree,
    build_drawing_tree,
    build_physics_tree,
    one_leaf_tree,
    plane_of,
)
from engine.dat.pieces.geometry import Polygon
from engine.dat.pieces.point_rows import PointRows, bounds
from engine.dat.primitives import Reader, Writer
from engine.dat.values import Plane
from engine.world.polygon import Polygon as RuntimePolygon
from tests.world.world_records import box_faces

EPS = 0.0002
QUIET = settings(derandomize=True, max_examples=60, deadline=None)

coordinate = st.integers(-40, 40).map(lambda n: n / 10)
point = st.tuples(coordinate, coordinate, coordinate)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def soup(faces):
    """Polygon records and positions from lists of corners."""
    positions, polygons = {}, []
    for key, corners in enumerate(faces):
        ids = []
        for corner in corners:
            ids.append(len(positions))
            positions[ids[-1]] = corner
        polygons.append(
            Polygon(key=key, stippling=4, sides_type=0, pos_surface=-1, neg_surface=-1, vertex_ids=tuple(ids))
        )
    return polygons, positions


def distance_to_polygon(p, corners):
    """Distance of a point to a convex polygon, by its plane and its edges."""
    n, d = plane_of(corners)
    height = dot(n, p) + d
    foot = tuple(p[i] - n[i] * height for i in range(3))
    inside = True
    best = math.inf
    for a, b in zip(corners[-1:] + corners[:-1], corners, strict=True):
        edge = tuple(b[i] - a[i] for i in range(3))
        to = tuple(foot[i] - a[i] for i in range(3))
        inward = (
            n[1] * edge[2] - n[2] * edge[1],
            n[2] * edge[0] - n[0] * edge[2],
            n[0] * edge[1] - n[1] * edge[0],
        )
        inside = inside and dot(to, inward) >= 0
        t = min(1.0, max(0.0, dot(tuple(p[i] - a[i] for i in range(3)), edge) / dot(edge, edge)))
        best = min(best, math.dist(p, tuple(a[i] + t * edge[i] for i in range(3))))
    return abs(height) if inside else best


def visited(node, center, radius, out):
    """Keys in the leaves that the common sphere traversal reaches (collision 4.2)."""
    if math.dist(node.sphere.center, center) >= node.sphere.radius + radius:
        return out
    if node.tag == "LEAF":
        out.update(node.polys)
        return out
    distance = dot(node.plane.normal, center) + node.plane.d
    reach = radius - EPS
    if distance > -reach:
        visited(node.pos_child, center, radius, out)
    if distance < reach:
        visited(node.neg_child, center, radius, out)
    return out


@st.composite
def convex_soup(draw):
    """Some boxes, facing in or out, crossing each other as they like, and triangles among them."""
    faces = []
    for _ in range(draw(st.integers(1, 3))):
        low = draw(point)
        size = draw(st.tuples(*[st.integers(3, 30).map(lambda n: n / 10)] * 3))
        high = tuple(low[i] + size[i] for i in range(3))
        faces += box_faces(low, high, inward=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 4))):
        triangle = [draw(point), draw(point), draw(point)]
        if plane_of(triangle).normal != (0.0, 0.0, 0.0):
            faces.append(triangle)
    return faces


@QUIET
@given(convex_soup(), st.lists(st.tuples(point, st.integers(2, 15)), min_size=4, max_size=8))
def test_a_sphere_that_hits_a_polygon_finds_it_in_the_built_tree(faces, spheres):
    polygons, positions = soup(faces)
    root = build_physics_tree(polygons, positions, solid=False)
    for center, tenths in spheres:
        center = (center[0] + 0.0137, center[1] - 0.0071, center[2] + 0.0093)
        radius = tenths / 10
        reached = visited(root, center, radius, set())
        hit = {k for k, face in enumerate(faces) if distance_to_polygon(center, face) < radius - 0.0006}
        assert hit <= reached


@QUIET
@given(convex_soup())
def test_every_polygon_is_in_a_leaf_and_every_node_bounds_what_lies_below(faces):
    polygons, positions = soup(faces)
    for root in (build_physics_tree(polygons, positions, solid=True), one_leaf_tree(polygons, positions)):
        leaves = [node for node in root.walk() if node.tag == "LEAF"]
        assert {key for leaf in leaves for key in leaf.polys} == set(range(len(faces)))
        for node in root.walk():
            below = {key for leaf in node.walk() if leaf.tag == "LEAF" for key in leaf.polys}
            for key in below:
                for corner in faces[key]:
                    assert math.dist(corner, node.sphere.center) <= node.sphere.radius + 1e-9


def test_physics_tree_has_only_split_nodes_and_leaves_numbered_from_one():
    polygons, positions = soup(box_faces((-1, -1, 0), (1, 1, 2), inward=False))
    root = build_physics_tree(polygons, positions, solid=True)
    tags = [node.tag for node in root.walk()]
    assert set(tags) == {"BPnN", "LEAF"}
    full = [node for node in root.walk() if node.tag == "LEAF" and node.polys]
    empty = [node for node in root.walk() if node.tag == "LEAF" and not node.polys]
    assert sorted(leaf.leaf_index for leaf in full) == list(range(1, len(full) + 1))
    assert all(leaf.solid == 1 for leaf in full)
    assert all(leaf.leaf_index == 0 and leaf.solid == 0 and leaf.sphere.radius == 0 for leaf in empty)
    # a convex solid: one solid leaf behind all six faces
    assert len(full) == 1
    assert set(full[0].polys) == set(range(6))


def test_a_room_seen_from_inside_lies_in_the_open_leaf():
    polygons, positions = soup(box_faces((-2, -2, 0), (2, 2, 3), inward=True))
    node = build_physics_tree(polygons, positions, solid=False)
    while node.tag != "LEAF":
        node = (
            node.pos_child if dot(node.plane.normal, (0.3, 0.2, 1.0)) + node.plane.d >= 0 else node.neg_child
        )
    assert node.leaf_index == 0
    assert node.polys == ()


def test_spent_pieces_go_to_the_back_side():
    polygons, positions = soup([[(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]])
    root = build_physics_tree(polygons, positions, solid=True)
    assert root.tag == "BPnN"
    assert root.pos_child.polys == ()
    assert root.neg_child.polys == (0,)


def test_a_warped_polygon_is_spent_by_its_own_plane():
    faces = box_faces((0, 0, 0), (4, 4, 3), inward=True)
    faces[0] = [(0, 0, 0), (4, 0, 0.02), (4, 4, 0), (0, 4, 0.02)]
    polygons, positions = soup(faces)
    root = build_physics_tree(polygons, positions, solid=False)
    reached = visited(root, (2.0, 2.0, 0.3), 0.48, set())
    assert 0 in reached
    assert len(list(root.walk())) < 40


def test_what_is_left_at_the_deepest_level_shares_a_leaf_and_is_still_found():
    ring = [(3 * math.cos(n / 10), 3 * math.sin(n / 10)) for n in range(62)]
    faces = []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        faces.append([(ax, ay, 0.0), (bx, by, 0.0), (bx, by, 1.0), (ax, ay, 1.0)])
    polygons, positions = soup(faces)
    root = build_physics_tree(polygons, positions, solid=True, deepest=20)
    leaves = [node for node in root.walk() if node.tag == "LEAF"]
    assert {key for leaf in leaves for key in leaf.polys} == set(range(62))
    assert depth_of(root) == 21
    for angle in (0.35, 2.05, 5.55):
        reached = visited(root, (3 * math.cos(angle), 3 * math.sin(angle), 0.5), 0.05, set())
        assert int(angle * 10) in reached


def depth_of(node):
    return 1 + max((depth_of(child) for child in (node.pos_child, node.neg_child) if child), default=0)


def test_one_leaf_tree_keeps_file_order():
    polygons, positions = soup(box_faces((0, 0, 0), (1, 1, 1), inward=True))
    root = one_leaf_tree(list(reversed(polygons)), positions)
    assert (root.tag, root.solid, root.polys) == ("LEAF", 0, (5, 4, 3, 2, 1, 0))


def test_polygons_without_area_are_left_out_of_a_split_tree():
    polygons, positions = soup([[(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 0, 0), (1, 0, 0), (0, 1, 0)]])
    root = build_physics_tree(polygons, positions, solid=False)
    assert {key for node in root.walk() if node.tag == "LEAF" for key in node.polys} == {1}


# -- cell trees --------------------------------------------------------------------------------------


def chain(root):
    out = []
    while root is not None:
        out.append(root)
        root = root.pos_child
    return out


@QUIET
@given(
    st.lists(st.floats(0, 6.28), min_size=3, max_size=7, unique=True), st.lists(point, min_size=5, max_size=5)
)
def test_a_point_is_in_the_chain_exactly_when_it_is_in_all_half_spaces_of_the_prism(angles, points):
    angles = sorted(angles)
    ring = [(3 * math.cos(a), 3 * math.sin(a)) for a in angles]
    if any(b - a < 0.2 for a, b in pairwise(angles)):
        return
    floor = [(x, y, 0.0) for x, y in ring]
    ceiling = [(x, y, 2.5) for x, y in reversed(ring)]
    walls = []
    for number, ((ax, ay), (bx, by)) in enumerate(zip(ring, ring[1:] + ring[:1], strict=True)):
        wall = [(ax, ay, 0.0), (ax, ay, 2.5), (bx, by, 2.5), (bx, by, 0.0)]
        walls.append(wall if number % 2 else wall[::-1])  # an opening may face out
    polygons, positions = soup([floor, ceiling, *walls])
    built = build_cell_tree(polygons, positions)
    assert built.concave == ()
    nodes = chain(built.root)
    assert [node.tag for node in nodes] == ["BPnn"] * (len(nodes) - 1) + ["BPFL"]
    assert len(nodes) == len(ring) + 2
    for p in points:
        in_chain = all(dot(node.plane.normal, p) + node.plane.d >= 0 for node in nodes)
        in_plan = all(
            (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) >= 0
            for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)
        )
        assert in_chain == (in_plan and 0.0 <= p[2] <= 2.5)


def test_coplanar_walls_share_one_plane_of_the_chain():
    faces = box_faces((0, 0, 0), (4, 4, 3), inward=True)
    faces[2] = [(0, 0, 0), (0, 0, 3), (1, 0, 3), (1, 0, 0)]
    faces.append([(1, 0, 0), (1, 0, 3), (4, 0, 3), (4, 0, 0)])
    assert len(build_cell_tree(*soup(faces)).planes) == 6


def test_a_wall_with_vertices_behind_it_is_reported_and_is_no_plane_of_the_chain():
    faces = [*box_faces((0, 0, 0), (4, 4, 3), inward=True)]
    faces.append([(1, 0, 0), (1, 2, 0), (1, 2, 3), (1, 0, 3)])  # a wall jutting into the room
    built = build_cell_tree(*soup(faces))
    assert built.concave == (6,)
    assert len(built.planes) == 6


def test_a_vertex_up_to_one_centimetre_behind_is_not_reported():
    faces = box_faces((0, 0, 0), (4, 4, 3), inward=True)
    faces[0] = [(0, 0, 0.008), (4, 0, 0.008), (4, 4, 0.008), (0, 4, 0.008)]
    built = build_cell_tree(*soup(faces))
    assert built.concave == ()


def test_without_a_plane_there_is_no_tree():
    assert build_cell_tree([], {}).root is None


# -- drawing trees -----------------------------------------------------------------------------------


def test_drawing_tree_lists_every_polygon_once_and_ports_name_the_openings():
    faces = box_faces((0, 0, 0), (4, 4, 3), inward=False)
    faces += [[(1, 0, 0), (2, 0, 0), (2, 0, 2), (1, 0, 2)], [(1, 4, 0), (1, 4, 2), (2, 4, 2), (2, 4, 0)]]
    polygons, positions = soup(faces)
    root = build_drawing_tree(polygons, positions, openings=[(6, 0), (7, 1)])
    ports = [node for node in root.walk() if node.tag == "PORT"]
    assert [node.portals for node in ports] == [(PortalRef(6, 0),), (PortalRef(7, 1),)]
    assert ports[0].plane.normal == pytest.approx((0, -1, 0))
    assert sorted(key for node in root.walk() for key in node.polys or ()) == list(range(6))
    assert {node.tag for node in root.walk()} == {"PORT", "LEAF", "BPIn", "BPOL"}
    everything = [corner for face in faces for corner in face]
    assert all(math.dist(p, root.sphere.center) <= root.sphere.radius + 1e-9 for p in everything)


def test_drawing_tree_without_polygons_is_an_empty_leaf_list():
    root = build_drawing_tree([], {})
    assert (root.tag, root.polys) == ("BPOL", ())


@pytest.mark.parametrize("kind", list(TreeKind))
def test_built_trees_can_be_written_and_read_back(kind):
    faces = box_faces((0, 0, 0), (4, 4, 3), inward=True)
    polygons, positions = soup([[tuple(float(v) for v in p) for p in face] for face in faces])
    root: BspNode | None = {
        TreeKind.CELL: lambda: build_cell_tree(polygons, positions).root,
        TreeKind.PHYSICS: lambda: build_physics_tree(polygons, positions, solid=False),
        TreeKind.DRAWING: lambda: build_drawing_tree(polygons, positions, [(5, 0)]),
    }[kind]()
    assert root is not None
    writer = Writer()
    write_bsp(writer, root, kind)
    again = read_bsp(Reader(bytes(writer.out), "", 0), kind)
    assert [n.tag for n in again.walk()] == [n.tag for n in root.walk()]
    assert [n.polys for n in again.walk()] == [n.polys for n in root.walk()]


def test_plane_agrees_with_the_runtime_polygon():
    corners = [(0.0, 0.0, 0.0), (2.0, 0.1, 0.0), (2.5, 2.0, 0.3), (0.0, 2.0, 0.2)]
    plane = plane_of(corners)
    runtime = RuntimePolygon(0, corners)
    assert plane.normal == pytest.approx(runtime.normal)
    assert plane.d == pytest.approx(runtime.d)


def test_bounds_hold_all_points():
    points = [(0.0, 0.0, 0.0), (4.0, 2.0, 1.0), (1.0, 5.0, -1.0)]
    sphere = bounds(points)
    assert all(math.dist(p, sphere.center) <= sphere.radius + 1e-12 for p in points)


def test_of_many_points_the_first_few_hundred_have_the_bounds_that_they_have_alone():
    dice = np.random.default_rng(4)
    points = [tuple(map(float, p)) for p in dice.normal(scale=30.0, size=(300, 3))]
    rows = PointRows(points)
    for count in (0, 1, 2, 63, 64, 65, 200, 300):
        found, alone = rows.bounds_of_first(count), bounds(points[:count])
        assert found.center == alone.center
        assert found.radius == pytest.approx(alone.radius, rel=1e-14)
        assert count > 64 or found == alone


def test_a_plane_is_held_against_many_points_to_the_last_bit():
    dice = np.random.default_rng(5)
    points = [tuple(map(float, p)) for p in dice.normal(scale=90.0, size=(500, 3))]
    rows = PointRows(points)
    for normal in dice.normal(size=(20, 3)):
        plane = Plane(tuple(map(float, normal)), float(normal[0]))
        distances = [
            plane.normal[0] * x + plane.normal[1] * y + plane.normal[2] * z + plane.d for x, y, z in points
        ]
        assert rows.distances(plane) == (min(distances), max(distances))
