"""Why a cell is seen or not: asked once, answered anew for every frame that sees something else."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.view_modes import cell_in
from engine.visibility.why.explain import why
from engine.visibility.why.why_answer import WhyAnswer
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from viewer.user_error import UserError


class WhyAsked:
    """One cell that somebody asks about, 0 for none; ``answer`` is about the last frame looked at."""

    def __init__(self, world: World, openings: OpeningIndex) -> None:
        self.cell = 0
        self.answer: WhyAnswer | None = None
        self._world = world
        self._openings = openings
        self._about: object = None

    def ask(self, cell: int) -> None:
        """Ask about a cell, 0 to ask no more."""
        self.cell, self.answer, self._about = cell, None, None

    def look(self, frame: PictureView) -> None:
        """Answer about a frame; it must have been seen with accounts where a cell is asked about."""
        if not self.cell or any(flood.log is None for flood in frame.floods):
            return
        about = (self._world.version, frame.root, _view(frame), len(frame.floods))
        if about != self._about:
            self._about = about
            self.answer = why(self._world, frame, self.cell, self._openings)


def _view(frame: PictureView) -> tuple[object, ...]:
    view = frame.view
    return view.eye, view.forward, view.up, view.tan_x, view.tan_y, view.width, view.height


def known_cell(world: World, root: int, number: int) -> int:
    """A cell's id; a low word stands for a cell of the view root's block.

    UserError for a cell that nothing knows of.
    """
    cell_id = cell_in(root, number)
    if not is_outdoor(cell_id) and not _is_known(world, cell_id):
        raise UserError(f"there is no cell {hex_id(cell_id)} in this world")
    return cell_id


def _is_known(world: World, cell_id: int) -> bool:
    """Whether a cell is there, or at least spoken of: then its absence is what is to be told."""
    if world.get_visible(cell_id) is not None or world.source.env_cell(cell_id) is not None:
        return True
    for block in world.blocks.values():
        named = (p.other_cell_id for cell in block.env_cells.values() for p in cell.portals)
        listed = (c for cell in block.env_cells.values() for c in cell.stab_list)
        behind = (p.other_cell_id for b in block.buildings for p in b.portals)
        if cell_id in (*named, *listed, *behind):
            return True
    return False
