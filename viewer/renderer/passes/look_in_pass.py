"""Looking into a building through one of its openings: passes P3 to P7 (passes 3.6)."""

from __future__ import annotations

from typing import Final

from viewer.renderer.gl.gl_state import PassState
from viewer.renderer.passes import passes
from viewer.renderer.passes.painter import LANDSCAPE, LOOK_IN
from viewer.renderer.passes.passes import BLD, OUT
from viewer.renderer.passes.picture_kit import PictureKit
from viewer.renderer.passes.picture_plan import PlannedCell, PlannedLookIn
from viewer.renderer.passes.translucent import draw_translucent

FEW: Final = 256  # look-ins that are drawn whatever is in their rooms
MOST_WORK: Final = 1 << 18  # things behind openings, for each that shows them: ten seconds


def draw_look_ins(kit: PictureKit) -> None:
    """All look-ins of a frame, far to near, after all terrain and shells and before outdoor objects.

    Without its shell a building shows no inside either: shell and look-in appear together or not at all.
    Entities that stand outdoors as well are left to the landscape, which draws them whole afterwards.
    """
    if not kit.options.shells:
        return
    kit.painter.light(LOOK_IN)
    for planned in kit.through("rooms seen from outdoors", _nearest(kit)):
        if kit.painter.is_ready(planned.look_in.block_id):
            _draw_look_in(kit, planned)
    kit.painter.light(LANDSCAPE)


def _nearest(kit: PictureKit) -> list[PlannedLookIn]:
    """The look-ins, without the farthest where there is far too much in their rooms."""
    if len(kit.plan.look_ins) <= FEW:
        return list(kit.plan.look_ins)
    left = MOST_WORK
    found: list[PlannedLookIn] = []
    for planned in reversed(kit.plan.look_ins):
        left -= sum(kit.painter.work_in(cell.cell_id) for cell in planned.cells)
        if left < 0:
            lost = len(kit.plan.look_ins) - len(found)
            what = "in rooms seen from outdoors is far too much"
            kit.painter.report(f"{what}: the farthest {lost} openings are left out")
            break
        found.append(planned)
    found.reverse()
    return found


def _draw_look_in(kit: PictureKit, planned: PlannedLookIn) -> None:
    state, painter = kit.state, kit.painter
    kit.stats.look_ins += 1
    _mark(kit, planned)
    _punch(kit, planned)
    kit.restart_ids()
    for cell in planned.cells:
        _enter_cell(kit, [cell], passes.P6_CELL)
        painter.cell(cell.cell_id, also_outdoors=False)
    draw_translucent(
        kit, planned.cells, lambda cells: _enter_cell(kit, cells, passes.P6_BLENDED), also_outdoors=False
    )
    state.scissor(None)
    kit.note_look_in()
    _unmark(kit, planned)


def _mark(kit: PictureKit, planned: PlannedLookIn) -> None:
    """P3: the opening where nothing lies in front of it. Edge-on it is marked by its region instead."""
    if planned.look_in.straddling:
        kit.state.enter(passes.P3_MARK_STRADDLED, OUT | BLD)
        kit.flat(kit.programs.mark, planned.region)
    else:
        kit.state.enter(passes.P3_MARK_LOOK_IN, OUT | BLD)
        kit.solid(kit.programs.opening, planned.opening)


def _punch(kit: PictureKit, planned: PlannedLookIn) -> None:
    """P4: depth back to far inside the opening, so that the ground does not cover the floor."""
    kit.state.enter(passes.P4_PUNCH, BLD)
    if planned.look_in.straddling:
        kit.flat(kit.programs.punch_2d, planned.region)
    else:
        kit.solid(kit.programs.punch, planned.opening)


def _unmark(kit: PictureKit, planned: PlannedLookIn) -> None:
    """P7: nothing of the opening's marks is left for the next one."""
    kit.state.stage("P7")
    kit.state.scissor(planned.box)
    kit.state.clear_stencil(0, passes.ALL_BITS & ~OUT)
    kit.state.scissor(None)


def _enter_cell(kit: PictureKit, cells: list[PlannedCell], drawing: PassState) -> None:
    """P5, and the state to draw in what it marked: within the opening."""
    kit.enter_cells(cells, drawing, mark=passes.P5_MARK_CELL, within=BLD)
