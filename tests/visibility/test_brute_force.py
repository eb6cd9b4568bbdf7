"""The traversal against rays: random grids of convex rooms with random doors, and straddling eyes."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.visibility.flood_rules import FloodRules
from engine.visibility.view import View
from engine.world.frame import Frame
from tests.visibility.view_scenes import EXIT, P, cid, flood, graph, snapshot

SIDE = 4.0
RAYS = 26


class Maze:
    """Boxes of a grid with rectangular doors in their shared walls; walls between have no thickness."""

    def __init__(self, seed: int, size=(3, 3, 2)) -> None:
        rng = random.Random(seed)
        self.rng = rng
        self.size = size
        self.doors: dict[tuple, list] = {}
        number = {}
        for x in range(size[0]):
            for y in range(size[1]):
                for z in range(size[2]):
                    number[x, y, z] = len(number)
        self.number = number
        for at in number:
            for axis in range(3):
                to = tuple(at[k] + (k == axis) for k in range(3))
                for _ in range(rng.choice((0, 1, 1, 2))):
                    self.doors.setdefault((at, axis), []).append(self._rectangle(at, axis, to in number))
        self.spin = Frame((7.0, -3.0, 11.0), random_quat(rng))

    def _rectangle(self, at, axis, inner):
        u, v = [k for k in range(3) if k != axis]
        lo_u, lo_v = self.rng.uniform(0.1, 2.0), self.rng.uniform(0.1, 2.0)
        hi_u, hi_v = self.rng.uniform(lo_u + 0.3, 3.9), self.rng.uniform(lo_v + 0.3, 3.9)
        if self.rng.random() < 0.2:
            lo_u, lo_v, hi_u, hi_v = 0.0, 0.0, SIDE, SIDE  # a wall that is all door
        base = [c * SIDE for c in at]
        plane = base[axis] + SIDE
        return plane, (base[u] + lo_u, base[u] + hi_u), (base[v] + lo_v, base[v] + hi_v), inner

    def graph(self, shuffle=None):
        cells = {n: [] for n in self.number.values()}
        for (at, axis), rectangles in self.doors.items():
            to = tuple(at[k] + (k == axis) for k in range(3))
            for rectangle in rectangles:
                world = self.corners(axis, rectangle)
                here = cells[self.number[at]]
                if to in self.number:
                    there = cells[self.number[to]]
                    flip = self.rng.random() < 0.5
                    points = world[::-1] if flip else world
                    # ``world`` looks along +axis, away from the near cell.
                    here.append(P(points, 0 if flip else 1, self.number[to], len(there)))
                    there.append(P(points, 1 if flip else 0, self.number[at], len(here) - 1))
                else:
                    here.append(P(world, 1, EXIT))
        keys = list(cells)
        if shuffle is not None:
            shuffle.shuffle(keys)
        rng = random.Random(1)
        frames = {n: Frame((rng.uniform(-9, 9), 1.0, 2.0), random_quat(rng)) for n in sorted(cells)}
        return graph({k: cells[k] for k in keys}, frames)

    def corners(self, axis, rectangle):
        plane, us, vs, _ = rectangle
        order = [(us[0], vs[0]), (us[1], vs[0]), (us[1], vs[1]), (us[0], vs[1])]
        u, v = [k for k in range(3) if k != axis]
        if axis == 1:
            order.reverse()  # so that the normal is +axis
        out = []
        for pu, pv in order:
            p = [0.0, 0.0, 0.0]
            p[axis], p[u], p[v] = plane, pu, pv
            out.append(self.spin.to_global(tuple(p)))
        return out

    def march(self, at, eye, ray):
        """Cells that a ray from ``eye`` (grid space) passes, and whether it ends outdoors."""
        seen = [at]
        t0 = 0.0
        while True:
            t, axis = min(
                (((at[k] + (ray[k] > 0)) * SIDE - eye[k]) / ray[k], k)
                for k in range(3)
                if abs(ray[k]) > 1e-12
                for k in range(3)
                if abs(ray[k]) > 1e-12
            )
            step = 1 if ray[axis] > 0 else -1
            assert t >= t0 - 1e-9
            t0 = t
            p = [eye[k] + t * ray[k] for k in range(3)]
            owner = at if step > 0 else tuple(at[k] - (k == axis) for k in range(3))
            u, v = [k for k in range(3) if k != axis]
            open_here = any(
                us[0] <= p[u] <= us[1] and vs[0] <= p[v] <= vs[1]
                for _, us, vs, _ in self.doors.get((owner, axis), ())
            )
            if not open_here:
                return seen, False
            at = tuple(at[k] + step * (k == axis) for k in range(3))
            if at not in self.number:
                return seen, True
            seen.append(at)


def random_quat(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    n = math.sqrt(sum(c * c for c in q))
    return tuple(c / n for c in q)


def random_view(maze, at, rng, eye=None):
    eye = eye or tuple((c + rng.uniform(0.02, 0.98)) * SIDE for c in at)
    turn = Frame((0.0, 0.0, 0.0), random_quat(rng))
    grid = [turn.to_global_vec(v) for v in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))]
    right, up, forward = (maze.spin.to_global_vec(v) for v in grid)
    view = View(
        maze.spin.to_global(eye), right=right, up=up, forward=forward,
        tan_x=1.2, tan_y=0.8, width=960.0, height=640.0,
    )  # fmt: skip
    return eye, grid, view


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
    pview = flood(graph(cells), root=0, rules=FloodRules(working_set="resident"))
    assert pview.counters.pops <= 8000
    assert pview.counters.appends <= 4096
    assert sorted(pview.draw_order()) == sorted(pview.order)
    assert len(set(pview.order)) == len(pview.order)
