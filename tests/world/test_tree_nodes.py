"""Which node of a tree a ray meets first, and what each node holds."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest

from engine.world.debug_shapes import DebugShapes
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from engine.world.tree_nodes import (
    NamedTree,
    TreeNode,
    containment_nodes,
    first_met,
    physics_nodes,
    pointed_shapes,
    ray_to_face,
)
from tests.places import DEMO

CELL = 0xA9B40171
SQUARE = ((-1.0, 2.0, -1.0), (1.0, 2.0, -1.0), (1.0, 2.0, 1.0), (-1.0, 2.0, 1.0))
ORIGIN, NORTH = (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@cache
def world() -> World:
    made = World(open_source(demo=DEMO))
    made.load_block(CELL)
    return made


def test_a_ray_meets_a_face_from_either_side_and_only_ahead():
    assert ray_to_face(ORIGIN, NORTH, SQUARE) == pytest.approx(2.0)
    assert ray_to_face(ORIGIN, NORTH, SQUARE[::-1]) == pytest.approx(2.0)
    assert ray_to_face((0.0, 3.0, 0.0), NORTH, SQUARE) is None
    assert ray_to_face(ORIGIN, (1.0, 0.0, 0.0), SQUARE) is None
    assert ray_to_face((5.0, 0.0, 0.0), NORTH, SQUARE) is None
    assert ray_to_face(ORIGIN, NORTH, SQUARE[:2]) is None


def test_a_ray_within_the_corners_angles_meets_the_face_others_miss():
    rng = random.Random(8)
    for _ in range(500):
        x, z = rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)
        if max(abs(abs(x) - 1.0), abs(abs(z) - 1.0)) < 1e-6:
            continue
        t = ray_to_face(ORIGIN, (x, 2.0, z), SQUARE)
        assert (t is not None) == (abs(x) < 1.0 and abs(z) < 1.0)


def test_of_two_nodes_the_nearer_is_met():
    near = TreeNode("leaf 1", (SQUARE,))
    far = TreeNode("leaf 2", (tuple((x, y + 3.0, z) for x, y, z in SQUARE),))
    tree = NamedTree(CELL, (far, near))
    found = first_met([tree], ORIGIN, NORTH, CELL)
    assert found is not None
    assert (found.node.name, found.at) == ("leaf 1", (0.0, 2.0, 0.0))
    # The eye may be in a neighbouring block's frame.
    east = first_met([tree], (-192.0, 0.0, 0.0), NORTH, 0xAAB40100)
    assert east is not None
    assert east.at == pytest.approx((0.0, 2.0, 0.0))
    assert first_met([tree], ORIGIN, (0.0, -1.0, 0.0), CELL) is None


def test_from_inside_a_cell_every_ray_meets_a_plane_of_its_containment():
    cell = world().env_cell(CELL)
    assert cell is not None
    nodes = NamedTree(CELL, containment_nodes(cell))
    assert cell.structure.cell_tree is not None
    assert len(nodes.nodes) == len(cell.structure.cell_tree.planes)
    corners = [v for node in nodes.nodes for face in node.faces for v in face]
    middle = tuple(sum(v[i] for v in corners) / len(corners) for i in range(3))
    for k in range(60):
        a, b = 0.7 * k, math.sin(1.3 * k)
        direction = (math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b))
        assert first_met([nodes], middle, direction, CELL) is not None


def test_the_leaves_hold_every_polygon_that_collides():
    cell = world().env_cell(CELL)
    assert cell is not None
    assert cell.structure.physics_root is not None
    nodes = physics_nodes(cell.structure.physics_root, cell.frame)
    placed = {
        tuple(cell.frame.to_global(v) for v in p.vertices) for p in cell.structure.physics_polygons.values()
    }
    assert {face for node in nodes for face in node.faces} == placed


def test_the_node_that_is_pointed_at_is_outlined_and_named():
    tree = NamedTree(CELL, (TreeNode("leaf 7", (SQUARE,)),))
    found = first_met([tree], ORIGIN, NORTH, CELL)
    assert found is not None
    shapes = DebugShapes(CELL)
    pointed_shapes(shapes, found)
    assert {p for a, b, _ in shapes.lines for p in (a, b)} == set(SQUARE)
    assert len(shapes.triangles) == 2
    assert [(at, text) for at, text, _ in shapes.labels] == [((0.0, 2.0, 0.0), "0171 leaf 7")]
