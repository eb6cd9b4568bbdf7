"""What a static look-up would answer: the cell of a resting position, guessed afresh.

For comparison only (panels, ``cell`` and ``audit``): the sweep never calls it, membership is carried.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.dat.values import Vec3
from engine.physics.cell_graph import CellGraph
from engine.physics.cell_list import point_in_cell
from engine.world.ids import adjust_to_outside, rebase


def static_lookup(world: CellGraph, cell_id: int, point: Vec3, hints: Iterable[int]) -> int:
    """The id of the first hinted interior cell that holds a point, else of the landcell below; 0 for none.

    ``point`` is in the block frame of ``cell_id``; ``hints`` are the interior ids to look at, in order.
    """
    for hint in hints:
        cell = world.get_visible(hint)
        if cell is not None and not cell.is_outdoor:
            x, y, z = rebase(point, cell_id, cell.id)
            if point_in_cell(cell, x, y, z):
                return cell.id
    land_id, _ = adjust_to_outside(cell_id, point)
    return land_id if land_id and world.get_visible(land_id) is not None else 0
