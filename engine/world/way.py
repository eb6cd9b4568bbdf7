"""The way that a body took in a tick: places and the cells they lie in, so that a picture may stand between.

A place is where the feet are, metres, in the block frame of its cell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.ids import rebase

Knot = tuple[int, Vec3]


class DrawnPlace(NamedTuple):
    """Where on a way the feet are drawn: on the straight piece from one knot to the next.

    All points are in the block frame of ``home``, metres. ``feet`` lies ``along`` (0 to 1) of the piece
    that leads from ``begin`` in ``begin_cell`` to ``end`` in ``end_cell``.
    """

    home: int
    feet: Vec3
    begin_cell: int
    begin: Vec3
    end_cell: int
    end: Vec3
    along: float


class Way:
    """Knots in the order in which they were reached, at least one; the last is where the body is.

    With ``at_rest`` the tick did not move the body: it is drawn at the last knot, whatever part of the tick
    has passed, and what went before only tells how it came there.
    """

    __slots__ = ("at_rest", "knots")

    def __init__(self, knots: Sequence[Knot], *, at_rest: bool = False) -> None:
        self.knots: tuple[Knot, ...] = tuple(knots)
        self.at_rest = at_rest

    @staticmethod
    def only(cell_id: int, place: Vec3) -> Way:
        """The way of a body that was put somewhere: nothing leads there."""
        return Way(((cell_id, place),), at_rest=True)

    def rested(self) -> Way:
        """The way of a tick in which the body stays where this one ends."""
        if self.at_rest:
            return self
        if len(self.knots) > 1 and self.knots[-2][0] == self.knots[-1][0]:
            return Way(self.knots[-2:], at_rest=True)
        return Way(self.knots[-1:], at_rest=True)

    def moved(self, scale: float = 1.0) -> Vec3:
        """The straight line from the first knot to the last, times a number; nothing ``at_rest``."""
        if self.at_rest:
            return (0.0, 0.0, 0.0)
        home, end = self.knots[-1]
        begin = rebase(self.knots[0][1], self.knots[0][0], home)
        return (scale * (end[0] - begin[0]), scale * (end[1] - begin[1]), scale * (end[2] - begin[2]))

    def drawn(self, share: float = 1.0) -> DrawnPlace:
        """The place a share (0 to 1) of the way's length after its beginning; home is the last cell."""
        home = self.knots[-1][0]
        places = [rebase(place, cell, home) for cell, place in self.knots]
        last = len(places) - 1
        lengths = [math.dist(a, b) for a, b in itertools.pairwise(places)]
        total = math.fsum(lengths)
        if self.at_rest or share >= 1.0 or total == 0.0:
            before = max(0, last - 1)
            return DrawnPlace(
                home=home,
                feet=places[last],
                begin_cell=self.knots[before][0],
                begin=places[before],
                end_cell=home,
                end=places[last],
                along=1.0,
            )
        rest = max(0.0, share) * total
        piece = 0
        while piece < last - 1 and rest > lengths[piece]:
            rest -= lengths[piece]
            piece += 1
        along = min(1.0, rest / lengths[piece]) if lengths[piece] > 0.0 else 0.0
        a, b = places[piece], places[piece + 1]
        feet = tuple(x + along * (y - x) for x, y in zip(a, b, strict=True))
        return DrawnPlace(
            home=home,
            feet=(feet[0], feet[1], feet[2]),
            begin_cell=self.knots[piece][0],
            begin=a,
            end_cell=self.knots[piece + 1][0],
            end=b,
            along=along,
        )
