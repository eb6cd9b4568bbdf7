"""Where a carry begins: the cell of the feet as they are drawn, told by the way that led there.

No cell is looked for by position: each end of a piece of the way has its cell from the sweep, and between
the two it is the openings passed that tell.
"""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.visibility.carry import Foothold, cell_along
from engine.visibility.openings import OpeningIndex
from engine.world.cell_graph import CellGraph
from engine.world.ids import is_outdoor
from engine.world.way import DrawnPlace


def foothold(graph: CellGraph, index: OpeningIndex, drawn: DrawnPlace, center: Vec3) -> Foothold:
    """The cell in which the feet are drawn; ``center`` is the foot sphere's above the feet, block axes."""
    begin = _raised(drawn.begin, center)
    foot = _raised(drawn.feet, center)
    end = _raised(drawn.end, center)
    a, b = drawn.begin_cell, drawn.end_cell
    if a == b:
        return Foothold(a, begin)
    if drawn.along >= 1.0:
        return Foothold(b, foot)
    if drawn.along <= 0.0 or (is_outdoor(a) and is_outdoor(b)):
        return Foothold(a, foot)
    if _same(cell_along(graph, index, drawn.home, a, a=begin, b=end), b):
        return Foothold(cell_along(graph, index, drawn.home, a, a=begin, b=foot), foot)
    # The straight piece misses the opening that the feet took: each half belongs to its end.
    return Foothold(a, begin) if drawn.along < 0.5 else Foothold(b, end)


def _same(a: int, b: int) -> bool:
    """Whether two ids name one cell, as far as openings can tell: none leads from landcell to landcell."""
    return a == b or (is_outdoor(a) and is_outdoor(b))


def _raised(p: Vec3, center: Vec3) -> Vec3:
    return (p[0] + center[0], p[1] + center[1], p[2] + center[2])
