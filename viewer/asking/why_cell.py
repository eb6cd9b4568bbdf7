"""Why a cell is seen or not: asked once, answered anew for every picture that sees something else."""

from __future__ import annotations

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.view_modes import cell_in
from engine.visibility.why.explain import why
from engine.visibility.why.why_answer import WhyAnswer
from engine.world.loading.world import World
from engine.world.location import LAND_CELLS_OF_BLOCK
from viewer.tables.option_values import cell_number
from viewer.user_error import BadValueError, UserError


class WhyAsked:
    """One cell that somebody asks about, 0 for none; ``answer`` is about the last picture looked at.

    ``text`` is what stands in the box for it, ``complaint`` what is wrong with that.
    """

    def __init__(self, world: World, openings: OpeningIndex) -> None:
        self.cell = 0
        self.answer: WhyAnswer | None = None
        self.text = self.complaint = ""
        self._world = world
        self._openings = openings
        self._about: object = None

    def ask(self, cell: int) -> None:
        """Ask about a cell, 0 to ask no more."""
        self.cell, self.answer, self._about = cell, None, None
        self.text, self.complaint = f"{cell:08X}" if cell else "", ""

    def look(self, picture: PictureView) -> None:
        """Answer about a picture; it must have been seen with accounts where a cell is asked about."""
        if not self.cell or any(flood.log is None for flood in picture.floods):
            return
        about = (self._world.version, picture.root, _view(picture), len(picture.floods))
        if about != self._about:
            self._about = about
            self.answer = why(self._world, picture, self.cell, self._openings)


def _view(picture: PictureView) -> tuple[object, ...]:
    view = picture.view
    return view.eye, view.forward, view.up, view.tan_x, view.tan_y, view.width, view.height


def typed_cell(world: World, root: int, text: str) -> int:
    """As ``known_cell``, of what somebody types; UserError for what is no id, too."""
    try:
        number = cell_number(text)
    except BadValueError as error:
        raise UserError(str(error)) from None
    return known_cell(world, root, number)


def known_cell(world: World, root: int, number: int) -> int:
    """A cell's id; a low word stands for a cell of the view root's block.

    UserError for a cell that nothing knows of, and for the id of something else.
    """
    cell_id = cell_in(root, number)
    try:
        known = 1 <= cell_id & 0xFFFF <= LAND_CELLS_OF_BLOCK or _is_known(world, cell_id)
    except DatError as error:  # the id of something else, or a cell that can't be read
        raise UserError(str(error)) from error
    if not known:
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
