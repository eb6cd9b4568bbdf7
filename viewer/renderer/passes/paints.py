"""What replaces the colours of things: cells by their ids, what is highlighted, layers of paint counted."""

from __future__ import annotations

from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.mesh_drawer import NO_OVERRIDE

Paint = tuple[float, float, float, float]

_HIGHLIGHT: Paint = (1.0, 0.85, 0.2, 0.45)
_BLACK: Paint = (0.0, 0.0, 0.0, 1.0)
_LAYER: Paint = (20 / 255, 10 / 255, 5 / 255, 1.0)  # what a fragment adds in the overdraw views


def cell_color(cell_id: int) -> tuple[float, float, float]:
    """A colour that tells a cell's id: different for ids that differ in their low 24 bits."""
    n = (cell_id * 0x9E3779B1) & 0xFFFFFF
    return ((n >> 16) / 255.0, (n >> 8 & 0xFF) / 255.0, (n & 0xFF) / 255.0)


def land_paint(options: RenderOptions) -> Paint:
    """What replaces the colours of everything that is in no cell."""
    if options.counts_paint:
        return _LAYER
    return _BLACK if options.cell_ids else NO_OVERRIDE


def cell_paint(options: RenderOptions, cell_id: int) -> Paint:
    """What replaces the colours of a cell and of what is in it."""
    if options.counts_paint:
        return _LAYER
    if options.cell_ids:
        return (*cell_color(cell_id), 1.0)
    return _HIGHLIGHT if cell_id in options.highlight else NO_OVERRIDE
