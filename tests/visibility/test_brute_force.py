"""The traversal against rays: random grids of convex rooms with random doors, and straddling eyes."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.world.frame import Frame
from tests.visibility.mazes import Maze, random_quat, random_view
from tests.visibility.view_scenes import EXIT, P, cid, flood, graph, snapshot

RAYS = 26


def edge_distance(regions, x, y):
    """Distance to the nearest border line of any polygon of a region."""
    return min((abs(ex * y - ey * x + c) for r in regions for ex, ey, c in r.edges), default=math.inf)


def rays():
    """Points of the screen off its middle lines, with their cells found by marching."""
    return [((2 * i + 1) / RAYS - 1, (2 * j + 1) / RAYS - 1) for i in range(RAYS) for j in range(RAYS)]


def seen_at(maze, at, eye, grid, *, x, y):
    """Short numbers of the cells along the ray through a point of the screen; whether it gets out."""
    right, up, forward = grid
    ray = [right[k] * x * 1.2 + up[k] * y * 0.8 + forward[k] for k in range(3)]
    seen, outdoors = maze.march(at, eye, ray)
    return {maze.number[c] for c in seen}, outdoors


def shown(regions, x, y):
    """Whether a region shows a point: None within rounding of one of its borders."""
    if min((abs(ex * y - ey * x + c) for r in regions for ex, ey, c in r.edges), default=1.0) < 1e-4:
        return None
    return any(r.contains_point(x, y) for r in regions)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_the_regions_are_what_rays_see(seed):
    maze = Maze(seed)
    rng = random.Random(seed + 1)
    at = rng.choice(list(maze.number))
    eye, grid, view = random_view(maze, at, rng)
    pview = flood(maze.graph(), root=maze.number[at], view=view)
    assert pview.counters.caps == []
    for x, y in rays():
        seen, outdoors = seen_at(maze, at, eye, grid, x=x, y=y)
        for n in maze.number.values():
            regions = pview.cells[cid(n)].views if cid(n) in pview.cells else []
            assert shown(regions, x, y) in (None, n in seen), f"cell {n} at {x, y}"
        assert shown(pview.outside, x, y) in (None, outdoors)


@pytest.mark.parametrize("millimetres", [-4.0, -2.5, -1.5, -0.3, -0.1, 0.1, 0.3, 1.5, 2.5, 4.0])
def test_an_eye_within_millimetres_of_a_door_sees_what_rays_see(millimetres):
    for seed in range(25):
        maze = Maze(seed)
        rng = random.Random(seed)
        inner = [
            (at, axis, rectangle)
            for (at, axis), rectangles in maze.doors.items()
            for rectangle in rectangles
            if rectangle[3]
        ]
        at, axis, (plane, us, vs, _) = rng.choice(inner)
        u, v = [k for k in range(3) if k != axis]
        eye = [0.0, 0.0, 0.0]
        eye[axis] = plane + millimetres / 1000.0
        eye[u], eye[v] = (us[0] + us[1]) / 2, (vs[0] + vs[1]) / 2
        if millimetres > 0.0:
            at = tuple(at[k] + (k == axis) for k in range(3))
        eye, grid, view = random_view(maze, at, rng, tuple(eye))
        pview = flood(maze.graph(), root=maze.number[at], view=view)
        for x, y in rays():
            for n in seen_at(maze, at, eye, grid, x=x, y=y)[0]:
                assert cid(n) in pview.cells, f"seed {seed}: cell {n} seen at {x, y}"
                assert shown(pview.cells[cid(n)].views, x, y) in (None, True)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_insertion_order_of_the_cells_does_not_matter(seed):
    maze = Maze(seed)
    rng = random.Random(seed)
    at = rng.choice(list(maze.number))
    _, _, view = random_view(maze, at, rng)
    state = maze.rng.getstate()
    first = snapshot(flood(maze.graph(), root=maze.number[at], view=view))
    maze.rng.setstate(state)
    assert snapshot(flood(maze.graph(shuffle=rng), root=maze.number[at], view=view)) == first


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.booleans())
def test_a_flood_of_any_graph_ends_within_its_caps(seed, reciprocals):
    """Neighbours at random, wrong reciprocals, portals to the cell itself: it still ends."""
    rng = random.Random(seed)
    cells = {}
    for n in range(8):
        portals = []
        for _ in range(rng.randrange(6)):
            center = [rng.uniform(-4, 4) for _ in range(3)]
            turn = Frame(tuple(center), random_quat(rng))
            size = rng.uniform(0.2, 6.0)
            corners = [(-size, -size, 0.0), (size, -size, 0.0), (size, size, 0.0), (-size, size, 0.0)]
            k = rng.randrange(-1, 6) if reciprocals else -1
            portals.append(
                P([turn.to_global(c) for c in corners], rng.randrange(2), rng.choice([*range(9), EXIT]), k)
            )
        cells[n] = portals
    pview = flood(graph(cells), root=0, rules=FloodRules(working_set=WorkingSet.RESIDENT))
    assert pview.counters.pops <= 8000
    assert pview.counters.appends <= 4096
    assert sorted(pview.draw_order()) == sorted(pview.order)
    assert len(set(pview.order)) == len(pview.order)
