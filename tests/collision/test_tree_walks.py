"""Collision 4.3: walks take short cuts, and a tree is walked as it stands, whatever its bounds leave out."""

import random

import pytest

from engine.collision.bsp_queries import (
    PolyHit,
    WalkableProbe,
    find_walkable,
    hits_walkable,
    sphere_intersects_poly,
    sphere_intersects_solid,
)
from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import (
    adjust_sphere_to_plane,
    check_small_walkable,
    hits_sphere,
    pos_hits_sphere,
    walkable_hits_sphere,
)
from engine.world.bsp import BspNode, leaf_node
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS

UP = (0.0, 0.0, 1.0)
AXES = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8)]
CENTERS = [(0.0, 0.0, 0.0), (0.5, 0.0, 0.5)]


def polygon(dice, polygon_id):
    """A square, mostly level, somewhere near."""
    x, y, z = (dice.uniform(-1.5, 1.5) for _ in range(3))
    side = dice.uniform(0.3, 2.0)
    if dice.random() < 0.6:
        corners = [(x, y, z), (x + side, y, z), (x + side, y + side, z + 0.1), (x, y + side, z + 0.1)]
    else:
        corners = [(x, y, z), (x + side, y, z), (x + side, y, z + side), (x, y, z + side)]
    return Polygon(polygon_id, corners)


def tree(dice, depth=0):
    """Planes and bounds as they come: those of the node above, or such that leave out what is held."""
    bounds = {"center": dice.choice(CENTERS), "radius": dice.choice([0.7, 1.2, 1.9, 1.9, 3.0, 3.0, 3.0])}
    if depth == 4 or dice.random() < 0.15:
        found = [polygon(dice, dice.randrange(1000)) for _ in range(dice.choice([0, 1, 3]))]
        return leaf_node(found, bounds["center"], bounds["radius"], solid=dice.random() < 0.3)
    below = [tree(dice, depth + 1) if dice.random() < 0.9 else None for _ in range(2)]
    return BspNode(
        dice.choice(AXES), dice.uniform(-0.8, 0.8), *below,
        **bounds, polygons=[], is_leaf=False, solid=False, index=0,
    )  # fmt: skip


def misses(node, s):
    (cx, cy, cz), reach = node.center, node.radius + s.r
    return (s.x - cx) ** 2 + (s.y - cy) ** 2 + (s.z - cz) ** 2 >= reach * reach


def sides(node, s):
    """The children that a sphere is led to, in their order, and for each whether its centre is there."""
    nx, ny, nz = node.normal
    dist = nx * s.x + ny * s.y + nz * s.z + node.d
    if dist >= s.r - EPS:
        return [(node.pos, True)]
    if dist <= EPS - s.r:
        return [(node.neg, True)]
    return [(node.pos, dist >= 0.0), (node.neg, dist < 0.0)]


def plain_poly(node, s, move, out):
    if node is None or misses(node, s):
        return False
    for p in node.polygons:
        hit, touched = pos_hits_sphere(p, s, move)
        if touched:
            out.poly = p
        if hit:
            return True
    return not node.is_leaf and any(plain_poly(child, s, move, out) for child, _ in sides(node, s))


def plain_solid(node, s, *, centre_check):
    if node is None or (node.is_leaf and not node.polygons):
        return False
    if node.is_leaf and centre_check and node.solid:
        return True
    if misses(node, s):
        return False
    if node.is_leaf:
        return any(hits_sphere(p, s) for p in node.polygons)
    return any(plain_solid(child, s, centre_check=centre_check and here) for child, here in sides(node, s))


def plain_carried(node, s, allowance):
    if node is None or misses(node, s):
        return False
    if node.is_leaf:
        carrying = [p for p in node.polygons if walkable_hits_sphere(p, s, UP, allowance)]
        return any(check_small_walkable(p, s, UP) for p in carrying)
    return any(plain_carried(child, s, allowance) for child, _ in sides(node, s))


def plain_walkable(node, probe):
    s = probe.sphere
    if node is None or misses(node, s):
        return
    for p in node.polygons:
        if walkable_hits_sphere(p, s, probe.up, probe.allowance):
            interp = adjust_sphere_to_plane(p, s, probe.move, probe.walk_interp)
            if interp is not None:
                probe.walk_interp, probe.polygon = interp, p
    if not node.is_leaf:
        for child, _ in sides(node, s):
            plain_walkable(child, probe)


def ball(dice):
    x, y, z = (dice.uniform(-1.5, 1.5) for _ in range(3))
    return MovingSphere(x, y, z, dice.uniform(0.1, 0.8))


@pytest.mark.parametrize("seed", range(8))
def test_walks_answer_as_plain_ones_do(seed):
    dice = random.Random(seed)
    counts = [0, 0, 0, 0]
    for _ in range(60):
        root = tree(dice)
        for _ in range(8):
            s, move = ball(dice), (dice.uniform(-1.0, 1.0), dice.uniform(-1.0, 1.0), -0.5)
            plain, out = PolyHit(), PolyHit()
            hit = plain_poly(root, s, move, plain)
            assert sphere_intersects_poly(root, s, move, out) is hit
            assert out.poly is plain.poly
            counts[0] += hit
            for centre in (False, True):
                solid = plain_solid(root, s, centre_check=centre)
                assert sphere_intersects_solid(root, s, centre_check=centre) is solid
                counts[1] += solid
            carried = plain_carried(root, s, 0.5)
            assert hits_walkable(root, s, UP, 0.5) is carried
            counts[2] += carried
            one, other = (WalkableProbe(s.copy(), (0.0, 0.0, -1.0), UP, 0.5) for _ in range(2))
            plain_walkable(root, one)
            find_walkable(root, other)
            assert other.polygon is one.polygon
            assert other.sphere.center == one.sphere.center
            assert other.walk_interp == one.walk_interp
            counts[3] += one.polygon is not None
    assert min(counts) > 10


def level(polygon_id, z):
    return Polygon(polygon_id, [(-1.0, -1.0, z), (1.0, -1.0, z), (1.0, 1.0, z), (-1.0, 1.0, z)])


@pytest.mark.parametrize("radius", [0.4, 0.6])
def test_a_sphere_that_was_moved_is_held_against_the_bounds_once_more(radius):
    """What lies behind the plane has the bounds of the node above, which the sphere has left by then."""
    front, back = (leaf_node([level(i, z)], (0.0, 0.0, 0.0), radius) for i, z in ((1, 0.45), (2, 0.9)))
    root = BspNode(
        (1.0, 0.0, 0.0), 0.0, front, back,
        center=(0.0, 0.0, 0.0), radius=radius, polygons=[], is_leaf=False, solid=False, index=0,
    )  # fmt: skip
    probe = WalkableProbe(MovingSphere(0.0, 0.0, 0.0, 0.5), (0.0, 0.0, -3.0), UP, 0.5)
    find_walkable(root, probe)
    assert probe.polygon is not None
    assert probe.polygon.id == (1 if radius < 0.45 else 2)
