"""Cells drawn whole: the visibility modes that leave the traversal out (views 8.2 no. 4)."""

from __future__ import annotations

from viewer.renderer.gl.gl_state import ALWAYS, KEEP, PassState
from viewer.renderer.passes import passes
from viewer.renderer.passes.painter import CELLS
from viewer.renderer.passes.passes import ALL_BITS
from viewer.renderer.passes.picture_kit import PictureKit


def draw_loose_cells(kit: PictureKit) -> None:
    """Draw the plan's loose cells after everything else; depth alone decides between them."""
    loose = kit.plan.loose
    if not loose:
        return
    painter = kit.painter
    painter.light(CELLS)
    _enter(kit, passes.P11_CELL)
    for cell_id in loose:
        painter.cell(cell_id)
    _enter(kit, passes.P11_BLENDED)
    # Without exits to keep it beyond, the landscape has drawn whole what reaches into it.
    drawn = kit.stats.landscape_draws > 0 and not kit.plan.exits.size
    done: set[tuple[str, int]] = set()
    for cell_id in reversed(loose):
        for item in painter.blended_in(cell_id):
            if item.key not in done and not (item.outdoors and drawn):
                done.add(item.key)
                painter.blended(item, cell_id)


def _enter(kit: PictureKit, drawing: PassState) -> None:
    kit.state.enter(drawing)
    kit.state.stencil(ALWAYS, 0, read=ALL_BITS, zpass=KEEP, write=0)
