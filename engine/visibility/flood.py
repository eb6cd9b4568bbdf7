"""What a finished flood found: cells with their regions, the outside, the fates of portals (visibility 2.1).

Nothing in it changes any more, so that frames can be kept, compared and shown again. It is made for every
frame and look-in, of plain classes with ``Final`` fields: a frozen dataclass takes three times as long.
"""

from __future__ import annotations

from typing import Final

from engine.native import mypyc_attr
from engine.visibility.aperture import Aperture, LocalView, looks_out
from engine.visibility.cell_view import CellView, FloodCell
from engine.visibility.draw_order import near_to_far
from engine.visibility.flood_log import FloodLog
from engine.visibility.flood_rules import FACES_AWAY, UNTRIED, FloodRules
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon


@mypyc_attr(acyclic=True)
class Counters:
    """What a flood did, for the overlay and the tests (views 8.2 no. 1)."""

    __slots__ = ("appends", "caps", "clips", "max_views", "merged_views", "pops", "portals_tested")

    def __init__(self) -> None:
        self.pops = 0
        self.appends = 0
        self.portals_tested = 0
        self.clips = 0
        self.max_views = 0
        self.merged_views = 0
        self.caps: list[str] = []


@mypyc_attr(acyclic=True)
class Flood:
    """What one traversal found.

    ``view`` is in the block frame of the cells. ``order`` are the visited cells as they were taken from the
    queue, ``cells`` those too that were still in it when the flood gave up. ``outside`` are the regions that
    show the outdoors; ``exits`` tells for each of them, and for those left out because another holds them,
    the (cell, portal) that it is seen through. ``missing`` are the (cell, portal, neighbour) that are not
    loaded, ``bad_reciprocals`` the (cell, portal) that name a way back their neighbour does not have.
    ``allowed`` bounds the flood, None for no bound (visibility 2.16). ``log`` is there where somebody
    wants to know why.
    """

    __slots__ = ("_drawn", "allowed", "bad_reciprocals", "cells", "counters", "exits", "log",
                 "missing", "order", "outside", "root", "rules", "view")  # fmt: skip

    def __init__(  # noqa: PLR0913 - the fields of a result, by keyword
        self,
        root: int,
        view: View,
        *,
        rules: FloodRules,
        allowed: set[int] | None,
        order: tuple[int, ...],
        cells: dict[int, FloodCell],
        outside: tuple[ViewPolygon, ...],
        exits: tuple[tuple[ViewPolygon, int, int], ...] = (),
        missing: tuple[tuple[int, int, int], ...] = (),
        bad_reciprocals: tuple[tuple[int, int], ...] = (),
        counters: Counters,
        log: FloodLog | None = None,
    ) -> None:
        self.root: Final = root
        self.view: Final = view
        self.rules: Final = rules
        self.allowed: Final = allowed
        self.order: Final = order
        self.cells: Final = cells
        self.outside: Final = outside
        self.exits: Final = exits
        self.missing: Final = missing
        self.bad_reciprocals: Final = bad_reciprocals
        self.counters: Final = counters
        self.log: Final = log
        self._drawn: tuple[FloodCell, ...] | None = None

    def draw_order(self) -> tuple[int, ...]:
        """The ids of ``drawn_cells``."""
        return tuple([found.id for found in self.drawn_cells()])

    def drawn_cells(self) -> tuple[FloodCell, ...]:
        """The visited cells near to far: a topological order of the portals passed (visibility 2.17).

        It is worked out once, when it is first asked for.
        """
        if self._drawn is None:
            found = [self.cells[c] for c in self.order]
            if not self._was_taken_near_to_far(found):
                places = near_to_far([f.dist for f in found], [f.leads_to for f in found])
                found = [found[i] for i in places]
            self._drawn = tuple(found)
        return self._drawn

    def _was_taken_near_to_far(self, found: list[FloodCell]) -> bool:
        """Whether the order of the visits is that of drawing already, as in most floods.

        Of the cells that wait, the nearest is taken. Where every portal leads on and no cell was expanded
        twice, all those that lead to it have been taken by then, and whatever else is ready waits as well.
        """
        if self.counters.pops != len(found):
            return False
        for i, cell in enumerate(found):
            for k in cell.leads_to:
                if k <= i:
                    return False
        return True

    def edges(self) -> set[tuple[int, int]]:
        """The (cell, cell) pairs of visited cells that portals were passed between."""
        return {(c, self.order[k]) for c in self.order for k in self.cells[c].leads_to}

    def via_chain(self, cell_id: int) -> tuple[tuple[int, int], ...]:
        """The (cell, portal) pairs from the root by which a cell was first reached; empty for the root."""
        chain: list[tuple[int, int]] = []
        via = self.cells[cell_id].via
        while via is not None:
            chain.append(via)
            via = self.cells[via[0]].via
        chain.reverse()
        return tuple(chain)

    def aperture(self, cell_id: int, portal: int) -> Aperture:
        """A visited cell's portal as the eye sees it."""
        cell = self.cells[cell_id].cell
        opening, local = cell.portals[portal], LocalView(self.view, cell.frame)
        return Aperture(opening, local, self.rules.straddle, local.facing(opening))

    def exit_portals(self) -> list[tuple[int, int]]:
        """(cell, portal) of every exit portal of a visited cell that the eye can look out of."""
        out: list[tuple[int, int]] = []
        for c in self.order:
            seen = self.cells[c]
            is_open = seen.open
            for i, portal in enumerate(seen.cell.portals):
                if portal.is_exit and is_open[i]:
                    out.append((c, i))
        return out

    def opened(self, view: View, region: tuple[ViewPolygon, ...]) -> Flood:
        """The same cells in the same order as another eye looks at them, each through ``region`` (views 8.3).

        So are the outdoors, where they were seen at all.
        """
        cells: dict[int, FloodCell] = {}
        for cell_id in self.order:
            seen = self.cells[cell_id]
            local = LocalView(view, seen.cell.frame)
            again = CellView(seen.cell)
            again.views = list(region)
            again.dist = seen.dist
            again.open = [looks_out(local.facing(p)) for p in seen.cell.portals]
            again.reasons = [UNTRIED if is_open else FACES_AWAY for is_open in again.open]
            again.done = True
            cells[cell_id] = FloodCell(again, seen.leads_to)
        return Flood(
            self.root,
            view,
            rules=self.rules,
            allowed=self.allowed,
            order=self.order,
            cells=cells,
            outside=region if self.outside else (),
            counters=Counters(),
        )
