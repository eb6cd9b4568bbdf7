"""The account of a flood: every look of a region through a portal, in order, for who asks why.

An ordinary flood keeps none. With one it decides the same: the log is written where the flood decides.
"""

from __future__ import annotations

from typing import Final

from engine.named_tuple import NamedTuple
from engine.visibility.view_polygon import ViewPolygon

OUTSIDE: Final = 0
"""What an exit leads to, where a cell's id would stand."""


class Look(NamedTuple):
    """One region of ``cell`` pushed through one of its portals.

    ``verdict`` is the flood's own word for what came of it (a reason of ``flood``); ``after`` is what was
    left of ``before`` behind the portal, None where nothing was; ``to`` is the cell there, or OUTSIDE.
    """

    cell: int
    portal: int
    to: int
    before: ViewPolygon
    after: ViewPolygon | None
    verdict: int


class FloodLog:
    """The looks of one flood."""

    __slots__ = ("_arrivals", "looks")

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self._arrivals: dict[tuple[int, int], Look] = {}

    def note(
        self, cell: int, portal: int, to: int, *, before: ViewPolygon, after: ViewPolygon | None, verdict: int
    ) -> None:
        """A region was pushed through a portal."""
        self.looks.append(Look(cell=cell, portal=portal, to=to, before=before, after=after, verdict=verdict))

    def arrive(self, to: int, region: ViewPolygon, look: Look) -> None:
        """A region was added behind a portal; of several looks that came to it the first is kept."""
        self._arrivals.setdefault((to, id(region)), look)

    def chain(self, look: Look) -> list[Look]:
        """The looks that led to one, it last: from a region that the root had from the start.

        A box that replaced too many regions goes back by the look that came before it.
        """
        out = [look]
        while True:
            earlier = self._arrivals.get((out[-1].cell, id(out[-1].before)))
            if earlier is None:
                out.reverse()
                return out
            out.append(earlier)
