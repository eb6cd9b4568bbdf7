"""A cell in a flood: its regions, the state of its portals; and what is left of it after (visibility 2.1)."""

from __future__ import annotations

from typing import Final

from engine.native import mypyc_attr
from engine.visibility.aperture import Aperture, LocalView, Turned
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cells import EnvCell, Portal


@mypyc_attr(acyclic=True)
class CellView:
    """One cell in one flood; what the fields of the same name mean, FloodCell says.

    ``upd`` regions were pushed through the portals already. ``number`` counts the cells as they were reached,
    -1 for one that was only looked up; ``leads_to`` are such numbers. ``outlooks`` are the portals that the
    eye looks out of, by their places. ``queued`` tells that the cell waits, ``done`` that it has been in the
    queue's front.
    """

    __slots__ = ("_local", "cell", "dist", "done", "id", "leads_to", "number", "open",
                 "outlooks", "queued", "reasons", "upd", "via", "views")  # fmt: skip

    def __init__(self, cell: EnvCell) -> None:
        self.cell = cell
        self.id: int = cell.id
        self._local: LocalView | None = None
        self.views: list[ViewPolygon] = []
        self.upd = 0
        self.number = -1
        self.done = False
        self.queued = False
        self.dist = 0.0
        self.open: list[bool] = []
        self.reasons: list[int] = []
        self.leads_to: list[int] = []
        self.outlooks: list[tuple[int, Portal, Aperture]] = []
        self.via: tuple[int, int] | None = None

    def local(self, view: View, turned: Turned) -> LocalView:
        """The flood's view in the cell's space, made on first use: most cells are turned alike."""
        local = self._local
        if local is None:
            local = LocalView.of(view, self.cell.pos.frame, turned)
            self._local = local
        return local


@mypyc_attr(acyclic=True)
class FloodCell:
    """A cell that a flood came to, when it is over.

    ``views`` are the regions through which it is seen; ``dist`` is the ordering key in square metres, the
    farthest corner of a portal that faces the eye; ``via`` the (cell, portal) of the first arrival, None for
    the root. ``leads_to`` are the visited cells that its portals were passed into, by their places in the
    flood's order. ``visited`` is False for one that was still in the queue when the flood gave up.
    """

    __slots__ = ("_open", "_reasons", "cell", "dist", "id", "leads_to", "via", "views", "visited")

    def __init__(self, cv: CellView, leads_to: tuple[int, ...]) -> None:
        self.cell: Final = cv.cell
        self.id: Final = cv.id
        self.views: Final = tuple(cv.views)
        self.dist: Final = cv.dist
        self.via: Final = cv.via
        self.leads_to: Final = leads_to
        self.visited: Final = cv.done
        self._open: Final = cv.open  # which nobody changes any more; few frames are asked for them
        self._reasons: Final = cv.reasons

    @property
    def open(self) -> tuple[bool, ...]:
        """Whether the eye looks out of each portal."""
        return tuple(self._open)

    @property
    def reasons(self) -> tuple[int, ...]:
        """What became of each portal (flood_rules)."""
        return tuple(self._reasons)
