"""The openings between all loaded cells, and how many of them lie between a cell and another.

This is the map on which the nearest way to an unseen cell is found; which of its openings a traversal passed
is not decided here.
"""

from __future__ import annotations

from collections import deque

from engine.named_tuple import NamedTuple
from engine.visibility.flood_log import OUTSIDE
from engine.visibility.openings import OpeningIndex
from engine.world.cell_graph import CellGraph

NO_BUILDING = -1


class Way(NamedTuple):
    """One opening, to be gone through in one direction.

    ``owner`` is the cell that ``portal`` belongs to; for the opening of a ``building`` it is the
    landblock. ``to`` is the cell behind it or OUTSIDE.
    """

    owner: int
    building: int
    portal: int
    to: int


class WayMap:
    """Every way of the loaded cells, by where it begins: a cell's id, or OUTSIDE."""

    __slots__ = ("ways",)

    def __init__(self, graph: CellGraph, index: OpeningIndex) -> None:
        self.ways: dict[int, list[Way]] = {OUTSIDE: []}
        for block in graph.blocks.values():
            for cell in block.env_cells.values():
                self.ways[cell.id] = [
                    Way(cell.id, NO_BUILDING, p.index, OUTSIDE if p.is_exit else p.other_cell_id)
                    for p in cell.portals
                ]
            for b in index.of_block(block):
                self.ways[OUTSIDE] += [
                    Way(block.id, b.building.index, o.portal.index, o.portal.other_cell_id)
                    for o in b.openings
                ]

    def openings_left(self, target: int) -> dict[int, int]:
        """How many openings lie between each place and the target, where it can be reached from there."""
        into: dict[int, list[int]] = {}
        for node, ways in self.ways.items():
            for way in ways:
                into.setdefault(way.to, []).append(node)
        left = {target: 0}
        queue = deque([target])
        while queue:
            node = queue.popleft()
            for before in into.get(node, ()):
                if before not in left:
                    left[before] = left[node] + 1
                    queue.append(before)
        return left

    def nearer(self, node: int, left: dict[int, int]) -> list[Way]:
        """The ways from a place that bring one nearer to the target by one opening."""
        wanted = left[node] - 1
        return [way for way in self.ways.get(node, ()) if left.get(way.to) == wanted]
