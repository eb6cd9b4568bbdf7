"""What a flood keeps beside its traversal: rules, counters, the state of each cell (visibility 2.1, 2.16)."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Quat
from engine.visibility.aperture import Aperture, LocalView
from engine.visibility.clip import STRADDLE
from engine.visibility.tidy import EXACT_TIDY, TidyRule
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cells import EnvCell

# What became of a portal, in order of interest: of several outcomes the last is kept.
UNTRIED: Final = 0
FACES_AWAY: Final = 1
ENTERED: Final = 2
NOT_IN_STAB_LIST: Final = 3
MISSING: Final = 4
EXIT_IGNORED: Final = 5
CLIPPED_AWAY: Final = 6
NOTHING_NEW: Final = 7
PASSED: Final = 8

REASONS: Final = (
    "not tried",
    "faces away",
    "entered through it",
    "not in the stab list",
    "missing",
    "exit of a look-in",
    "clipped away",
    "nothing new",
    "passed",
)


class FloodRules:
    """How floods are run; the defaults are the product's, the rest is there for comparison.

    ``working_set``: ``stab`` (the root and its stab list), ``resident`` (any resident cell of the
    root's landblock) or ``all`` (whatever ``get_visible`` returns). ``straddle`` in metres, 0 switches
    the straddle rule off. ``containment`` False keeps polygons that lie in another.
    """

    def __init__(
        self,
        *,
        working_set: str = "stab",
        tidy: TidyRule = EXACT_TIDY,
        straddle: float = STRADDLE,
        containment: bool = True,
        reciprocal: bool = True,
        late_views: bool = True,
    ) -> None:
        self.working_set = working_set
        self.tidy = tidy
        self.straddle = straddle
        self.containment = containment
        self.reciprocal = reciprocal
        self.late_views = late_views


class Counters:
    """What a flood did, for the overlay and the tests (views 8.2 no. 1)."""

    def __init__(self) -> None:
        self.pops = 0
        self.appends = 0
        self.portals_tested = 0
        self.clips = 0
        self.contained = 0
        self.max_views = 0
        self.over_vertices = 0
        self.merged_views = 0
        self.caps: list[str] = []


class CellView:
    """One cell in one flood: its regions, how it was reached and the state of its portals.

    ``dist`` is the ordering key in square metres: the farthest corner of a portal that faces the eye.
    ``via`` is the (cell, portal) of the first arrival, None for the root.
    """

    __slots__ = ("_local", "apertures", "cell", "dist", "done", "id", "inited", "open", "queued", "reached",
                 "reasons", "upd", "via", "views")  # fmt: skip

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
        self.reached: set[int] = set()
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

    def area(self) -> float:
        """Sum of the regions' areas as a fraction of the screen; regions may overlap."""
        total = 0.0
        for v in self.views:
            total += v.area()
        return total / 4.0
