"""How a flood is run, and what can become of a portal in it (visibility 2.5, 2.16)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from engine.visibility.clip import STRADDLE
from engine.visibility.tidy import EXACT_TIDY, TidyRule

# What became of a portal, in order of interest: of several outcomes the last is kept. Plain numbers: as an
# IntEnum they cost a compiled traversal one to two per cent.
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


class WorkingSet(Enum):
    """Which cells a flood may enter: the root's stab list, its landblock, or whatever is resident."""

    STAB = "stab"
    RESIDENT = "resident"
    ALL = "all"


class FloodRules:
    """How floods are run; the defaults are the product's, the rest is there for comparison.

    ``straddle`` in metres, 0 switches the straddle rule off. ``containment`` False keeps polygons that lie
    in another.
    """

    __slots__ = ("containment", "late_views", "reciprocal", "straddle", "tidy", "working_set")

    def __init__(
        self,
        *,
        working_set: WorkingSet = WorkingSet.STAB,
        tidy: TidyRule = EXACT_TIDY,
        straddle: float = STRADDLE,
        containment: bool = True,
        reciprocal: bool = True,
        late_views: bool = True,
    ) -> None:
        self.working_set: Final = working_set
        self.tidy: Final = tidy
        self.straddle: Final = straddle
        self.containment: Final = containment
        self.reciprocal: Final = reciprocal
        self.late_views: Final = late_views
