"""The plan of what is loaded, by height: cells, buildings and doors from above, in metres of the whole world.

East and north are counted from the world's south-west corner, block 0,0's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import EnvCell, Landblock
from engine.world.ids import rebase

Flat = tuple[float, float]
SLICE = (-1.0, 2.5)  # metres under and over the feet that a slice reaches


@dataclass(frozen=True, slots=True)
class PlanCell:
    """A cell from above: its convex outline, counter-clockwise, and between which heights it lies."""

    cell: int
    outline: tuple[Flat, ...]
    low: float
    high: float
    west: float = 0.0
    south: float = 0.0
    east: float = -1.0
    north: float = -1.0
    """Its bounds: one that spans nothing meets nothing."""

    def holds(self, x: float, y: float) -> bool:
        """Whether a place lies within the outline."""
        edges = zip((self.outline[-1], *self.outline[:-1]), self.outline, strict=True)
        return all((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0.0 for (ax, ay), (bx, by) in edges)


class Plan:
    """Plans of a world's loaded landblocks, each made once.

    Of landblocks that are gone no more are remembered than there are others.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._kept: dict[int, tuple[Landblock, list[PlanCell], list[tuple[Flat, ...]]]] = {}

    def cells(self, low: float, high: float, box: tuple[float, float, float, float]) -> list[PlanCell]:
        """The cells of a slice of heights that reach into a box (west, south, east, north)."""
        west, south, east, north = box
        found = [
            plan
            for block in self._near(box)
            for plan in self._of(block)[1]
            if plan.high >= low and plan.low <= high and plan.east >= west and plan.west <= east
            and plan.north >= south and plan.south <= north
        ]  # fmt: skip
        return sorted(found, key=lambda plan: plan.high)

    def buildings(self, box: tuple[float, float, float, float]) -> list[tuple[Flat, ...]]:
        """The outlines of the buildings in a box."""
        return [outline for block in self._near(box) for outline in self._of(block)[2]]

    def at(self, x: float, y: float, low: float, high: float) -> int:
        """The highest cell of a slice at a place; 0 for none."""
        found = [plan for plan in self.cells(low, high, (x, y, x, y)) if plan.holds(x, y)]
        return found[-1].cell if found else 0

    def _near(self, box: tuple[float, float, float, float]) -> list[Landblock]:
        west, south, east, north = (value // 192.0 for value in box)
        blocks = self._simulation.world.blocks
        if len(self._kept) > 2 * len(blocks):
            self._kept = {block_id: plan for block_id, plan in self._kept.items() if block_id in blocks}
        return [
            block
            for block_id, block in blocks.items()
            if west - 1 <= block_id >> 24 <= east + 1 and south - 1 <= (block_id >> 16 & 0xFF) <= north + 1
        ]

    def _of(self, block: Landblock) -> tuple[Landblock, list[PlanCell], list[tuple[Flat, ...]]]:
        found = self._kept.get(block.id)
        if found is None or found[0] is not block:
            cells = [_of_cell(cell) for cell in block.env_cells.values()]
            found = self._kept[block.id] = (block, cells, self._of_buildings(block))
        return found

    def _of_buildings(self, block: Landblock) -> list[tuple[Flat, ...]]:
        out = []
        for building in block.buildings:
            model = self._simulation.world.model(building.model_id)
            if model is None or not model.parts:
                continue
            (x0, y0, z0), (x1, y1, _) = model.parts[0].box
            corners = [(x, y, z0) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
            out.append(hull([_flat(building.shell_frame.to_global(p), block.id) for p in corners]))
        return out


def _of_cell(cell: EnvCell) -> PlanCell:
    points = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
    heights = [p[2] for p in points] or [0.0]
    outline = hull([_flat(p, cell.id) for p in points])
    if not outline:
        return PlanCell(cell.id, outline, min(heights), max(heights))
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    return PlanCell(
        cell.id, outline, min(heights), max(heights), west=min(xs), south=min(ys), east=max(xs), north=max(ys)
    )


def _flat(p: Vec3, cell_id: int) -> Flat:
    x, y, _ = rebase(p, cell_id, 0)
    return x, y


def hull(points: list[Flat]) -> tuple[Flat, ...]:
    """The convex hull of places, counter-clockwise; they themselves where they span nothing."""
    rest = sorted({(round(x, 4), round(y, 4)) for x, y in points})
    if len(rest) < 3:
        return tuple(rest)

    def half(way: Iterable[Flat]) -> list[Flat]:
        out: list[Flat] = []
        for x, y in way:
            while len(out) >= 2 and _turn(out[-2], out[-1], (x, y)) <= 0.0:
                out.pop()
            out.append((x, y))
        return out[:-1]

    return tuple(half(rest) + half(reversed(rest)))


def _turn(a: Flat, b: Flat, c: Flat) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
