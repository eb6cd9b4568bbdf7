"""A frame whose view root is a landcell: the landscape over the whole screen (passes 3.5)."""

from __future__ import annotations

from viewer.renderer.passes.landscape import draw_landscape
from viewer.renderer.passes.loose_cells import draw_loose_cells
from viewer.renderer.passes.passes import ALL_BITS, OUT
from viewer.renderer.passes.picture_kit import PictureKit


def draw_outdoor_frame(kit: PictureKit) -> None:
    """P0 with bit 7 everywhere, then the landscape with its look-ins.

    The sky covers every pixel, so nothing is cleared; tests fill the frame with the sentinel first.
    """
    state = kit.state
    state.stage("P0")
    if kit.options.wants_sentinel or kit.options.counts_paint:
        state.clear_color(kit.fill((0.0, 0.0, 0.0)))
    state.clear_depth()
    state.clear_stencil(OUT, ALL_BITS)
    draw_landscape(kit)
    kit.check_stencil()
    draw_loose_cells(kit)
