"""Random mazes of boxes with doors, and views in them."""

from __future__ import annotations

import math
import random

from engine.visibility.view import View
from engine.world.frame import Frame
from tests.visibility.view_scenes import EXIT, P, graph

SIDE = 4.0


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
