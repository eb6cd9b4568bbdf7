"""The openings of buildings, gathered once a landblock for look-ins and for the carry."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.world.cell_graph import CellGraph
from engine.world.cells import BldPortal, Building, Landblock, Opening
from engine.world.polygon import Polygon, bounding_sphere

SEAM: Final = 12.0  # local x or y of the side of a building piece, metres (visibility 2.13)


class BuildingOpening(Opening):
    """A BldPortal that has a polygon."""

    __slots__ = ("is_seam", "portal")

    def __init__(self, portal: BldPortal, polygon: Polygon) -> None:
        super().__init__(polygon, portal.portal_side)
        self.portal = portal
        self.is_seam: bool = is_seam(polygon)


class BuildingOpenings:
    """A building with its openings and a sphere around them in the block frame (metres)."""

    __slots__ = ("block_id", "building", "center", "openings", "radius")

    def __init__(self, block_id: int, building: Building) -> None:
        self.block_id = block_id
        self.building = building
        self.openings: list[BuildingOpening] = []
        points: list[Vec3] = []
        for portal in building.portals:
            polygon = portal.polygon
            if polygon is not None and len(polygon.vertices) >= 3:
                self.openings.append(BuildingOpening(portal, polygon))
                points.extend([building.pos.frame.to_global(v) for v in polygon.vertices])
        center, radius = bounding_sphere(points)
        self.center: Vec3 = center
        self.radius: float = radius


class OpeningIndex:
    """The buildings that have openings, by landblock; a block that was loaded anew is read anew.

    Of landblocks that are gone no more are remembered than there are others.
    """

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        self._blocks: dict[int, tuple[Landblock, list[BuildingOpenings]]] = {}

    def of_block(self, block: Landblock) -> list[BuildingOpenings]:
        """A landblock's buildings with at least one opening, in the block's order."""
        known = self._blocks.get(block.id)
        if known is not None and known[0] is block:
            return known[1]
        found = [BuildingOpenings(block.id, b) for b in block.buildings]
        found = [b for b in found if b.openings]
        self._blocks[block.id] = (block, found)
        return found

    def near(self, graph: CellGraph, cell_id: int) -> list[BuildingOpenings]:
        """The buildings of a cell's landblock and of its eight neighbours, as far as they are loaded."""
        if len(self._blocks) > 2 * len(graph.blocks) + 9:
            self._blocks = {n: known for n, known in self._blocks.items() if n in graph.blocks}
        out: list[BuildingOpenings] = []
        bx, by = (cell_id >> 24) & 0xFF, (cell_id >> 16) & 0xFF
        for x in (bx, bx - 1, bx + 1):
            for y in (by, by - 1, by + 1):
                block = graph.blocks.get((x << 24) | (y << 16)) if 0 <= x < 255 and 0 <= y < 255 else None
                if block is not None:
                    out.extend(self.of_block(block))
        return out


def is_seam(polygon: Polygon) -> bool:
    """Whether a building's polygon only joins it to the next piece at a block's edge (visibility 2.13)."""
    xs = [abs(abs(v[0]) - SEAM) for v in polygon.vertices]
    ys = [abs(abs(v[1]) - SEAM) for v in polygon.vertices]
    return max(xs) < 1e-3 or max(ys) < 1e-3


def segment_near(center: Vec3, reach: float, a: Vec3, b: Vec3) -> bool:
    """Whether a sphere and a segment can meet, judged by the sphere around the segment."""
    mid = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
    return math.dist(center, mid) <= reach + math.dist(a, b) / 2
