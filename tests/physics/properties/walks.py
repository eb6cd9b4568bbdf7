"""Random walks through random houses, and what is looked at in each of their ticks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.dat.values import Vec3
from engine.physics.enums import FLOOR_Z
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import EnvCell
from engine.world.polygon import Edge, Polygon
from engine.world.tolerance import EPS
from tests.physics.properties.cell_graphs import FIRST
from tests.physics.properties.house_plans import House

FOOT_Z, HEAD_Z, RADIUS = 0.475, 1.35, 0.48


class Wanderer:
    """Somebody who walks through a house: straight legs, most of them at a way out of the present cell."""

    def __init__(self, house: House, seed: int, shortest: float = 0.02, longest: float = 2.0) -> None:
        self.house = house
        self.random = Random(seed)
        self.shortest = shortest
        self.longest = longest
        self.left = 0
        self.leg = 0
        self.move: Vec3 = (0.0, 0.0, 0.0)

    def next_move(self, report: TickReport) -> Vec3:
        """The displacement for the next tick; ``leg`` counts the legs begun."""
        if self.left == 0:
            self._begin(report)
        self.left -= 1
        return self.move

    def _begin(self, report: TickReport) -> None:
        random = self.random
        step = math.exp(random.uniform(math.log(self.shortest), math.log(self.longest)))
        angle = random.uniform(0.0, math.tau)
        length = random.uniform(0.3, 4.0)
        openings = self.house.cells[report.cell - FIRST].openings
        if openings and random.random() < 0.7:
            corners = random.choice(openings).corners
            t = random.uniform(0.1, 0.9)
            x = corners[0][0] + (corners[1][0] - corners[0][0]) * t - report.position[0]
            y = corners[0][1] + (corners[1][1] - corners[0][1]) * t - report.position[1]
            angle = math.atan2(y, x)
            length = math.hypot(x, y) + random.uniform(0.0, 1.5)
        self.move = (step * math.cos(angle), step * math.sin(angle), 0.0)
        self.left = min(max(2, math.ceil(length / step)), 60)
        self.leg += 1


def centre(report: TickReport) -> Vec3:
    """The centre of the foot sphere."""
    x, y, z = report.position
    return (x, y, z + FOOT_Z)


def holds(cell: EnvCell, p: Vec3, slack: float = 1e-5) -> bool:
    """Whether a cell holds a point of the block frame; the slack is for positions in single precision."""
    planes = cell.block_planes
    assert planes is not None
    return all(nx * p[0] + ny * p[1] + nz * p[2] + d >= -EPS - slack for nx, ny, nz, d in planes)


def block_polygons(cell: EnvCell) -> list[Polygon]:
    """A cell's physics polygons in the block frame."""
    table = cell.structure.physics_polygons.values()
    return [Polygon(p.id, [cell.frame.to_global(v) for v in p.vertices]) for p in table]


def beside(e: Edge, p: Vec3) -> float:
    """How far inside an edge a point lies, times the edge's length."""
    return (p[0] - e.px) * e.mx + (p[1] - e.py) * e.my + (p[2] - e.pz) * e.mz


def nearest_point(polygon: Polygon, p: Vec3) -> Vec3:
    """The point of a convex polygon that is nearest to a point."""
    d = polygon.distance(p)
    n = polygon.normal
    foot = (p[0] - n[0] * d, p[1] - n[1] * d, p[2] - n[2] * d)
    outside = [e for e in polygon.edges if beside(e, foot) < 0.0]
    if not outside:
        return foot
    best, shortest = foot, math.inf
    for e in polygon.edges:
        t = ((p[0] - e.px) * e.ex + (p[1] - e.py) * e.ey + (p[2] - e.pz) * e.ez) / e.ee
        t = min(max(t, 0.0), 1.0)
        q = (e.px + e.ex * t, e.py + e.ey * t, e.pz + e.ez * t)
        if math.dist(p, q) < shortest:
            best, shortest = q, math.dist(p, q)
    return best


def penetration(polygons: list[Polygon], p: Vec3, radius: float = RADIUS) -> float:
    """How deep a sphere is below its radius less EPS, over polygons whose front it is on (sweep 12.16)."""
    deepest = 0.0
    for polygon in polygons:
        d = polygon.distance(p)
        if 0.0 <= d < radius - EPS:
            deepest = max(deepest, radius - EPS - math.dist(p, nearest_point(polygon, p)))
    return deepest


def crosses(polygon: Polygon, a: Vec3, b: Vec3) -> bool:
    """Whether the way from a to b goes through a polygon from its front."""
    da, db = polygon.distance(a), polygon.distance(b)
    if da <= 0.0 or db >= 0.0:
        return False
    t = da / (da - db)
    p = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)
    return all(beside(e, p) > 0.0 for e in polygon.edges)


@dataclass(frozen=True)
class Tick:
    """One tick of a walk: what was asked for, in which straight leg, and what it came to."""

    move: Vec3
    leg: int
    before: TickReport
    report: TickReport


def walk(simulation: Simulation, wanderer: Wanderer, ticks: int) -> Iterator[Tick]:
    """So many ticks of somebody's walk."""
    report = simulation.report()
    for _ in range(ticks):
        before = report
        move = wanderer.next_move(before)
        report = simulation.walk_tick(move)
        yield Tick(move, wanderer.leg, before, report)


def meets_two(report: TickReport, walls: list[Polygon]) -> bool:
    """Whether one sub-step of a tick met two polygons (sweep 12.16).

    The sweep stops at the first one that it hits, so what else the spheres touched where they were tried
    is worked out here, over the upright polygons.
    """
    trace = report.trace
    for step in trace.steps if trace is not None else ():
        if len({(h.owner, h.poly) for h in step.hits}) > 1:
            return True
        touched = 0
        x, y, z = (step.start[i] + step.adjusted[i] for i in range(3))
        for wall in walls:
            foot, head = (x, y, z + FOOT_Z), (x, y, z + HEAD_Z)
            near = abs(wall.distance(foot)) < RADIUS + 0.01
            if near and any(math.dist(p, nearest_point(wall, p)) < RADIUS + 0.01 for p in (foot, head)):
                touched += 1
        if touched > 1:
            return True
    return False


def upright_polygons(cells: list[EnvCell]) -> list[Polygon]:
    """The walls of some cells in the block frame."""
    return [p for cell in cells for p in block_polygons(cell) if abs(p.normal[2]) < FLOOR_Z]
