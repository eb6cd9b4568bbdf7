"""The runtime polygon: vertices, plane and the edge terms that every collision test needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.world.box import Box


@mypyc_attr(acyclic=True)
class Edge:
    """What tests need of an edge ``p -> v``: its beginning, ``e = v - p``, and ``m = N x e``.

    ``m`` points into the polygon; ``ee`` and ``mm`` are the squared lengths of e and m.
    """

    __slots__ = ("ee", "ex", "ey", "ez", "mm", "mx", "my", "mz", "px", "py", "pz")

    def __init__(self, p: Vec3, v: Vec3, normal: Vec3) -> None:
        nx, ny, nz = normal
        px, py, pz = p
        x, y, z = v
        ex, ey, ez = x - px, y - py, z - pz
        mx = ny * ez - nz * ey
        my = nz * ex - nx * ez
        mz = nx * ey - ny * ex
        self.px, self.py, self.pz = px, py, pz
        self.ex, self.ey, self.ez = ex, ey, ez
        self.mx, self.my, self.mz = mx, my, mz
        self.ee = ex * ex + ey * ey + ez * ez
        self.mm = mx * mx + my * my + mz * mz


@mypyc_attr(acyclic=True)
class Polygon:
    """A convex polygon, counter-clockwise seen from its positive side (collision 4.4).

    Space and units are those of the vertices (cell- or part-local metres). What touches it comes into its
    ``box``, which is None until it was ``measured``.
    """

    __slots__ = ("_edges", "box", "d", "id", "normal", "sides_type", "vertices")

    def __init__(
        self,
        polygon_id: int,
        vertices: Sequence[Vec3],
        sides_type: int = 0,
    ) -> None:
        self.id = polygon_id
        self.vertices: tuple[Vec3, ...] = tuple(vertices)
        self.sides_type = sides_type
        self.normal, self.d = make_plane(self.vertices)
        self._edges: list[Edge] | None = None
        self.box: Box | None = None

    @property
    def edges(self) -> list[Edge]:
        """The edges, the one that ends at the first vertex first; made when they are first asked for."""
        edges = self._edges
        if edges is None:
            n = len(self.vertices)
            edges = [Edge(self.vertices[i - 1], self.vertices[i], self.normal) for i in range(n)]
            self._edges = edges
        return edges

    def distance(self, p: Vec3) -> float:
        """Signed distance of a point to the polygon's plane, metres."""
        n = self.normal
        return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + self.d

    def reach_beyond(self) -> float:
        """How far from its corners' box a sphere that touches the polygon can be at most, besides its radius.

        Spheres touch what lies between the corners in the polygon's plane, and corners may lie off it. Along
        an edge that leads off the plane more than along it, a sphere touches beyond the corner as well.
        """
        off = max([abs(self.distance(p)) for p in self.vertices], default=0.0)
        shortest = min([e.mm for e in self.edges if e.mm > 0.0], default=math.inf)
        return off + 6.0 * off * off / math.sqrt(shortest)

    def measured(self) -> Box:
        """The box that every sphere that touches the polygon comes into; kept."""
        box, beyond = Box(), self.reach_beyond()
        for p in self.vertices:
            box.take(p, beyond)
        self.box = box
        return box

    def __repr__(self) -> str:
        return f"Polygon({self.id}, {self.vertices})"


def make_plane(vertices: Sequence[Vec3]) -> tuple[Vec3, float]:
    """The plane of an ordered polygon: unit normal of the summed fan, d from the mean vertex.

    A degenerate polygon gets the zero normal and d 0: no test can hit it.
    """
    n = len(vertices)
    if n < 3:
        return (0.0, 0.0, 0.0), 0.0
    x0, y0, z0 = vertices[0]
    nx = ny = nz = 0.0
    ax, ay, az = vertices[1]
    ax -= x0
    ay -= y0
    az -= z0
    for i in range(2, n):
        bx, by, bz = vertices[i]
        bx -= x0
        by -= y0
        bz -= z0
        nx += ay * bz - az * by
        ny += az * bx - ax * bz
        nz += ax * by - ay * bx
        ax = bx
        ay = by
        az = bz
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-12:
        return (0.0, 0.0, 0.0), 0.0
    nx /= length
    ny /= length
    nz /= length
    total = 0.0
    for x, y, z in vertices:
        total += nx * x + ny * y + nz * z
    return (nx, ny, nz), -total / n


def bounding_sphere(points: Sequence[Vec3]) -> tuple[Vec3, float]:
    """A sphere around points: the middle of their box and the farthest distance from it."""
    if not points:
        return (0.0, 0.0, 0.0), 0.0
    xs = [p[0] for p in points]
    ys = [p[1] for p in points]
    zs = [p[2] for p in points]
    c = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, (min(zs) + max(zs)) / 2)
    return c, max([math.dist(c, p) for p in points])
