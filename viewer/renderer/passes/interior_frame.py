"""A frame whose view root is an EnvCell: interior, or sealed where no exit is in view (passes 3.4, 3.7)."""

from __future__ import annotations

from engine.dat.values import Vec3
from viewer.renderer.gl.gl_state import PassState
from viewer.renderer.gl.programs import BEYOND_EXITS, EVERYWHERE
from viewer.renderer.passes import passes
from viewer.renderer.passes.landscape import draw_landscape
from viewer.renderer.passes.loose_cells import draw_loose_cells
from viewer.renderer.passes.painter import CELLS
from viewer.renderer.passes.passes import ALL_BITS, CELL, OUT
from viewer.renderer.passes.picture_kit import PictureKit
from viewer.renderer.passes.picture_plan import PlannedCell
from viewer.renderer.passes.translucent import draw_translucent


def draw_interior_frame(kit: PictureKit, background: Vec3) -> None:
    """The landscape within the exits' region first, then every visited cell within its own.

    ``background`` fills the frame once at its start, for cells that are missing.
    """
    state, plan = kit.state, kit.plan
    state.stage("P0")
    state.clear_color(kit.fill(background))
    state.clear_depth()
    state.clear_stencil(0, ALL_BITS)
    if plan.outside.size:
        _landscape_through_exits(kit)
    kit.check_stencil()
    _cells(kit)
    draw_loose_cells(kit)


def _landscape_through_exits(kit: PictureKit) -> None:
    """P1, P2, P8 and P9: terrain may run through the house, so its depth goes before cells are drawn."""
    kit.state.enter(passes.P1_MARK_LANDSCAPE, OUT)
    kit.flat(kit.programs.mark, kit.plan.outside)
    if kit.options.beyond_exits and kit.plan.exits.size:
        kit.painter.begin_landscape(BEYOND_EXITS)
    draw_landscape(kit)
    kit.painter.begin_landscape(EVERYWHERE)
    _forget_depth(kit)
    _seal(kit)


def _forget_depth(kit: PictureKit) -> None:
    """P8: what the landscape left hides no cell."""
    kit.state.stage("P8")
    kit.state.clear_depth()


def _seal(kit: PictureKit) -> None:
    """P9: the exits stand in the depth again, so that no cell behind one shows in it."""
    kit.state.enter(passes.P9_SEAL, OUT)
    kit.solid(kit.programs.portal, kit.plan.seals)


def _cells(kit: PictureKit) -> None:
    """P10 to P12: opaque things near to far, then translucent ones far to near."""
    state, painter = kit.state, kit.painter
    painter.light(CELLS)
    state.stage("P10")
    state.clear_stencil(0, CELL)
    kit.restart_ids()
    for cell in kit.through("rooms of the picture", kit.plan.cells):
        _enter(kit, [cell], passes.P11_CELL)
        painter.cell(cell.cell_id)
    draw_translucent(kit, kit.plan.cells, lambda cells: _enter(kit, cells, passes.P11_BLENDED))
    state.scissor(None)


def _enter(kit: PictureKit, cells: list[PlannedCell], drawing: PassState) -> None:
    """P10, and the state to draw in what it marked."""
    kit.enter_cells(cells, drawing, mark=passes.P10_MARK_CELL)
