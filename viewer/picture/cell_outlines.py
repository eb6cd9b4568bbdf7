"""The outlines of cells that somebody has pointed out: selected, or lit up in a list."""

from __future__ import annotations

from typing import Final

from engine.world.debug_shapes import DebugShapes, Rgba, cell_outline_shapes
from engine.world.loading.world import World

SELECTED: Final[Rgba] = (1.0, 0.85, 0.2, 1.0)
LIT: Final[Rgba] = (0.4, 0.9, 1.0, 1.0)


def cell_outlines(world: World, root: int, *, selected: int = 0, lit: int = 0) -> list[DebugShapes]:
    """Those of a selected and a lit cell, 0 for none, in the frame of a root's block; as far as loaded."""
    out = []
    for cell_id, colour in ((selected, SELECTED), (lit, LIT)):
        cell = world.get_visible(cell_id) if cell_id else None
        if cell is not None:
            shapes = DebugShapes(root)
            cell_outline_shapes(shapes, cell, colour)
            out.append(shapes)
    return out
