"""Plans of houses: cells as prisms with openings between them, drawn at random."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from engine.dat.values import Vec3

PITCH = 5.0
CEILING = 3.0


Point = tuple[float, float]
Corners = list[Vec3]


@dataclass
class Opening:
    """A way out of a cell: which one it leads to, and the corners of the opening."""

    other: int
    corners: Corners


@dataclass
class CellPlan:
    """A convex cell in the block frame: its footprint (counter-clockwise), heights, polygons, openings."""

    footprint: list[Point]
    low: float
    high: float
    polygons: list[Corners] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)


@dataclass
class House:
    """The plans of a house's cells and a place to stand in the first of them (feet, block frame)."""

    cells: list[CellPlan]
    start: Vec3


def upright(p: Point, q: Point, low: float, high: float) -> Corners:
    """A wall over the edge p to q of a counter-clockwise footprint, facing in."""
    return [(*q, low), (*p, low), (*p, high), (*q, high)]


def level(footprint: list[Point], z: float, *, up: bool) -> Corners:
    """A floor (up) or ceiling."""
    return [(x, y, z) for x, y in (footprint if up else reversed(footprint))]


def between(p: Point, q: Point, s: float) -> Point:
    return (p[0] + (q[0] - p[0]) * s, p[1] + (q[1] - p[1]) * s)


def wall_around(plan: CellPlan, p: Point, q: Point, a: Point, *, b: Point, low: float, high: float) -> None:
    """The wall over the edge p to q with a rectangular opening from a to b, low to high."""
    for left, right, bottom, top in (
        (p, a, plan.low, plan.high),
        (b, q, plan.low, plan.high),
        (a, b, plan.low, low),
        (a, b, high, plan.high),
    ):
        if math.dist(left, right) > 1e-6 and top - bottom > 1e-6:
            plan.polygons.append(upright(left, right, bottom, top))


def prism(footprint: list[Point], low: float, high: float, *, top: bool) -> list[Corners]:
    """The outward faces of something standing in a room."""
    faces = []
    for i, p in enumerate(footprint):
        q = footprint[(i + 1) % len(footprint)]
        faces.append(upright(q, p, low, high))
    if top:
        faces.append(level(footprint, high, up=True))
    return faces


class Architect:
    """Draws one random house of up to three by two rooms."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.cells: list[CellPlan] = []
        self.turn = self.random.uniform(0.0, math.tau)
        self.origin = (self.random.uniform(60.0, 120.0), self.random.uniform(60.0, 120.0))
        self.gap = self.random.choice((0.3, 0.6, 1.4))
        self.start = (PITCH / 2 - 1.2, PITCH / 2 - 0.4)

    def place(self, x: float, y: float) -> Point:
        """A point of the drawing board in the block frame."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return (self.origin[0] + c * x - s * y, self.origin[1] + s * x + c * y)

    def house(self) -> House:
        columns, rows = self.random.choice(((2, 1), (3, 1), (2, 2), (3, 2)))
        floors = {
            (i, j): self.random.choice((0.0, 0.0, 0.2, 0.4)) for i in range(columns) for j in range(rows)
        }
        doors = self.doors(columns, rows)
        rooms: dict[tuple[int, int], list[int]] = {}
        sides: dict[tuple[int, int, str], int] = {}
        for spot, z in floors.items():
            rooms[spot] = self.room(spot, z, [d for d in doors if spot in d], sides)
        for a, b in doors:
            self.doorway(a, b, floors[a], floors[b], sides=sides)
        return House(self.cells, (*self.place(*self.start), floors[0, 0] + 0.005))

    def doors(self, columns: int, rows: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """A tree over all rooms, and sometimes one door more."""
        spots = [(i, j) for i in range(columns) for j in range(rows)]
        pairs = [(a, b) for a in spots for b in spots if b in ((a[0] + 1, a[1]), (a[0], a[1] + 1))]
        self.random.shuffle(pairs)
        group = {spot: spot for spot in spots}
        chosen = []
        for a, b in pairs:
            if group[a] != group[b]:
                chosen.append((a, b))
                old = group[b]
                group = {spot: group[a] if g == old else g for spot, g in group.items()}
            elif self.random.random() < 0.5:
                chosen.append((a, b))
        return chosen

    def board_middle(self, spot: tuple[int, int]) -> Point:
        step = PITCH + self.gap
        return (spot[0] * step + PITCH / 2, spot[1] * step + PITCH / 2)

    def room(
        self,
        spot: tuple[int, int],
        z: float,
        doors: list[tuple[tuple[int, int], tuple[int, int]]],
        sides: dict[tuple[int, int, str], int],
    ) -> list[int]:
        """One room of one or two cells; ``sides`` gets the cell behind each of its walls."""
        cx, cy = self.board_middle(spot)
        half = PITCH / 2
        split = self.random.random() < 0.4
        cut = cx + self.random.choice((-1.0, 1.0)) * self.random.uniform(1.0, 1.3)
        spans = [(cx - half, cut), (cut, cx + half)] if split else [(cx - half, cx + half)]
        # Doors to the north and south belong to the wider part, which holds the room's middle.
        first = len(self.cells)
        for index, (x0, x1) in enumerate(spans):
            board = self.outline(x0, x1, cy - half, cy + half, split=split)
            plan = CellPlan([self.place(*p) for p in board], z, z + CEILING)
            plan.polygons.append(level(plan.footprint, plan.low, up=True))
            plan.polygons.append(level(plan.footprint, plan.high, up=False))
            self.cells.append(plan)
            if index == 0:
                sides[(*spot, "west")] = first
            sides[(*spot, "east")] = first + index
            if x1 - x0 == max(b - a for a, b in spans):
                sides[(*spot, "south")] = sides[(*spot, "north")] = first + index
                self.furnish(plan, x0, x1, cy - half, y1=cy + half)
        if split:
            self.join_open(first, first + 1, self.place(cut, cy - half), self.place(cut, cy + half))
        used = {self.side_of(spot, d) for d in doors}
        for index in range(len(spans)):
            self.walls(
                first + index,
                spot,
                used,
                sides,
                open_east=split and index == 0,
                open_west=split and index == 1,
            )
        return list(range(first, len(self.cells)))

    def outline(self, x0: float, x1: float, y0: float, y1: float, *, split: bool) -> list[Point]:
        """The footprint on the drawing board: a rectangle, whole rooms sometimes with cut corners."""
        if split or self.random.random() < 0.5:
            return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        c = self.random.uniform(0.3, 1.0)
        return [(x0 + c, y0), (x1 - c, y0), (x1, y0 + c), (x1, y1 - c), (x1 - c, y1), (x0 + c, y1),
                (x0, y1 - c), (x0, y0 + c)]  # fmt: skip

    def furnish(self, plan: CellPlan, x0: float, x1: float, y0: float, *, y1: float) -> None:
        """A pillar in the room, or two piers that make a niche of the wall between them."""
        kind = self.random.choice(("none", "pillar", "pillar", "niche"))
        if kind == "pillar":
            n = self.random.randint(3, 6)
            turn, r = self.random.uniform(0.0, math.tau), self.random.uniform(0.15, 0.4)
            px = x0 + (x1 - x0) * self.random.uniform(0.45, 0.6) + 0.5
            py = (y0 + y1) / 2 + self.random.uniform(-0.2, 0.9)
            if math.dist((px, py), self.start) < r + 0.6:
                return
            around = [turn + math.tau * i / n for i in range(n)]
            board = [(px + r * math.cos(a), py + r * math.sin(a)) for a in around]
            full = self.random.random() < 0.6
            high = plan.high if full else plan.low + self.random.uniform(0.15, 1.4)
            plan.polygons += prism([self.place(*p) for p in board], plan.low, high, top=not full)
        elif kind == "niche":
            width, depth = self.random.uniform(0.9, 1.5), self.random.uniform(0.2, 0.7)
            middle = (x0 + x1) / 2
            for a, b in ((-width / 2 - 0.3, -width / 2), (width / 2, width / 2 + 0.3)):
                board = [(middle + a, y0 + 0.9), (middle + b, y0 + 0.9), (middle + b, y0 + 0.9 + depth),
                         (middle + a, y0 + 0.9 + depth)]  # fmt: skip
                plan.polygons += prism([self.place(*p) for p in board], plan.low, plan.high, top=False)

    @staticmethod
    def side_of(spot: tuple[int, int], door: tuple[tuple[int, int], tuple[int, int]]) -> str:
        a, b = door
        if a[0] != b[0]:
            return "east" if spot == a else "west"
        return "north" if spot == a else "south"

    def walls(
        self,
        index: int,
        spot: tuple[int, int],
        used: set[str],
        sides: dict[tuple[int, int, str], int],
        *,
        open_east: bool,
        open_west: bool,
    ) -> None:
        """Walls over all edges without an opening; those with one are built with their doorway."""
        plan = self.cells[index]
        c, s = math.cos(self.turn), math.sin(self.turn)
        n = len(plan.footprint)
        for i in range(n):
            p, q = plan.footprint[i], plan.footprint[(i + 1) % n]
            dx, dy = q[0] - p[0], q[1] - p[1]
            length = math.hypot(dx, dy)
            # The outward normal on the drawing board.
            ox, oy = dy / length, -dx / length
            bx, by = round(c * ox + s * oy, 6), round(-s * ox + c * oy, 6)
            side = {(1.0, 0.0): "east", (-1.0, 0.0): "west", (0.0, 1.0): "north", (0.0, -1.0): "south"}.get(
                (bx, by)
            )
            if (side == "east" and open_east) or (side == "west" and open_west):
                continue
            if side in used and sides[(*spot, side)] == index:
                continue
            plan.polygons.append(upright(p, q, plan.low, plan.high))

    def join_open(self, a: int, b: int, p: Point, q: Point) -> None:
        """Two cells of one room: the whole plane between them is open."""
        corners = upright(p, q, self.cells[a].low, self.cells[a].high)
        self.cells[a].openings.append(Opening(b, corners))
        self.cells[b].openings.append(Opening(a, corners))

    def edge(self, index: int, outward: Point) -> tuple[Point, Point]:
        """The edge of a cell's footprint that faces a direction of the block frame."""
        plan = self.cells[index]
        n = len(plan.footprint)
        for i in range(n):
            p, q = plan.footprint[i], plan.footprint[(i + 1) % n]
            length = math.dist(p, q)
            if ((q[1] - p[1]) * outward[0] - (q[0] - p[0]) * outward[1]) / length > 0.999:
                return p, q
        raise AssertionError("no such edge")

    def doorway(
        self,
        a: tuple[int, int],
        b: tuple[int, int],
        floor_a: float,
        floor_b: float,
        *,
        sides: dict[tuple[int, int, str], int],
    ) -> None:
        """A cell in the thickness of the wall between two rooms."""
        east = a[0] != b[0]
        one = sides[(*a, "east" if east else "north")]
        two = sides[(*b, "west" if east else "south")]
        c, s = math.cos(self.turn), math.sin(self.turn)
        out = (c, s) if east else (-s, c)
        along = (-s, c) if east else (c, s)
        p1, q1 = self.edge(one, out)
        p2, q2 = self.edge(two, (-out[0], -out[1]))

        def reach(p: Point) -> float:
            return p[0] * along[0] + p[1] * along[1]

        low = max(min(reach(p1), reach(q1)), min(reach(p2), reach(q2))) + 0.2
        high = min(max(reach(p1), reach(q1)), max(reach(p2), reach(q2))) - 0.2
        width = min(self.random.uniform(1.05, 2.2), high - low)
        middle = self.random.uniform(low + width / 2, high - width / 2)
        floor = self.random.choice((floor_a, floor_b))
        top = max(floor_a, floor_b) + self.random.uniform(2.05, 2.5)

        def on(p: Point, at: float) -> Point:
            k = at - reach(p)
            return (p[0] + along[0] * k, p[1] + along[1] * k)

        # Corners of the doorway's footprint: l and r along the wall, at either room.
        l1, r1 = on(p1, middle - width / 2), on(p1, middle + width / 2)
        l2, r2 = on(p2, middle - width / 2), on(p2, middle + width / 2)
        footprint = [l1, l2, r2, r1] if east else [l1, r1, r2, l2]
        index = len(self.cells)
        plan = CellPlan(footprint, floor, top)
        self.cells.append(plan)
        plan.polygons += [level(footprint, floor, up=True), level(footprint, top, up=False)]
        for i in range(4):
            p, q = footprint[i], footprint[(i + 1) % 4]
            ends = {p, q}
            if ends in ({l1, r1}, {l2, r2}):
                room = one if ends == {l1, r1} else two
                sill = max(floor, self.cells[room].low)
                if sill > floor:
                    plan.polygons.append(upright(p, q, floor, sill))
                corners = upright(p, q, sill, top)
                plan.openings.append(Opening(room, corners))
                wall_p, wall_q = (p1, q1) if room == one else (p2, q2)
                # Seen from the room the opening runs the other way round.
                wall_around(self.cells[room], wall_p, wall_q, q, b=p, low=sill, high=top)
                self.cells[room].openings.append(Opening(index, corners))
            else:
                plan.polygons.append(upright(p, q, floor, top))


def make_house(seed: int) -> House:
    """The house of a seed."""
    return Architect(seed).house()
