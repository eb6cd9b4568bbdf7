"""A cell while a flood goes on: its regions so far, the state of its portals (visibility 2.1)."""

from __future__ import annotations

from engine.dat.values import Quat
from engine.native import mypyc_attr
from engine.visibility.aperture import Aperture, LocalView
from engine.visibility.flood import FloodCell
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cells import EnvCell


@mypyc_attr(acyclic=True)
class CellView:
    """One cell in one flood; what the fields of the same name mean, FloodCell says.

    ``upd`` regions were pushed through the portals already. ``queued`` tells that the cell waits, ``done``
    that it has been in the queue's front.
    """

    __slots__ = ("_local", "apertures", "cell", "dist", "done", "id", "inited", "open", "queued", "reasons",
                 "upd", "via", "views")  # fmt: skip

    def __init__(self, cell: EnvCell) -> None:
        self.cell = cell
        self.id: int = cell.id
        self._local: LocalView | None = None
        self.views: list[ViewPolygon] = []
        self.upd = 0
        self.inited = False
        self.done = False
        self.queued = False
        self.dist = 0.0
        self.open: list[bool] = []
        self.reasons: list[int] = []
        self.apertures: list[Aperture | None] = [None] * len(cell.portals)
        self.via: tuple[int, int] | None = None

    def local(self, view: View, turned: dict[Quat, LocalView]) -> LocalView:
        """The flood's view in the cell's space, made on first use.

        ``turned`` holds one for each way in which cells of the flood are turned: most are turned alike.
        """
        local = self._local
        if local is None:
            quat = self.cell.frame.quat
            local = LocalView(view, self.cell.frame, turned.get(quat))
            turned.setdefault(quat, local)
            self._local = local
        return local

    def found(self) -> FloodCell:
        """What a flood that is over found of it."""
        return FloodCell(
            self.cell,
            tuple(self.views),
            dist=self.dist,
            via=self.via,
            open=tuple(self.open),
            reasons=tuple(self.reasons),
            visited=self.done,
        )
