"""Pass P12: what is translucent, cell by cell from far to near, once each (passes 3.11, B39)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from viewer.renderer.passes.blended_items import BlendedItem
from viewer.renderer.passes.picture_kit import PictureKit
from viewer.renderer.passes.picture_plan import PlannedCell
from viewer.renderer.render_options import EXACT


def draw_translucent(
    kit: PictureKit,
    cells: Sequence[PlannedCell],
    enter: Callable[[list[PlannedCell]], None],
    *,
    also_outdoors: bool = True,
) -> None:
    """Draw the translucent things of cells that are given near to far.

    ``enter`` marks the regions of cells anew and sets the state to draw in them. What reaches into several
    cells is drawn once, in the union of their regions: region by region it would be blended twice where
    regions lie in one another. What lies beside all of them is left out. A faded object comes after all
    else. Without ``also_outdoors`` what stands outdoors too is left to the landscape.
    """
    planned = {cell.cell_id: cell for cell in cells}
    regions_clip = kit.options.clip_mode == EXACT
    done: set[tuple[str, int]] = set()
    last: list[tuple[BlendedItem, int]] = []
    for cell in reversed(cells):
        entered: tuple[int, ...] = ()
        for item in kit.painter.blended_in(cell.cell_id):
            if item.key in done or (item.outdoors and not also_outdoors):
                continue
            done.add(item.key)
            if regions_clip and _lies_beside(item, cell, planned):
                continue
            if item.comes_last:
                last.append((item, cell.cell_id))
                continue
            if entered != item.cells:
                enter([planned[c] for c in item.cells if c in planned])
                entered = item.cells
            kit.painter.blended(item, cell.cell_id)
    for item, cell_id in last:
        enter([planned[c] for c in item.cells if c in planned])
        kit.painter.blended(item, cell_id)


def _lies_beside(item: BlendedItem, cell: PlannedCell, planned: Mapping[int, PlannedCell]) -> bool:
    """Whether a group of a cell's landblock lies outside the regions of all cells that it reaches into."""
    group = item.group
    return group is not None and not any(
        planned[c].sight.sees(cell.cell_id, group.center, group.radius) for c in item.cells if c in planned
    )
