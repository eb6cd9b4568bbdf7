"""Look-ins: floods into buildings through openings, from outdoors or a window (visibility 2.13)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from engine.named_tuple import NamedTuple
from engine.visibility.aperture import Aperture, LocalView, Turned
from engine.visibility.flood import Flood
from engine.visibility.flood_log import FloodLog
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.openings import BuildingOpenings
from engine.visibility.pview import PView, stab_set
from engine.visibility.tidy import TidyLimits
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cell_graph import CellGraph
from engine.world.cells import BldPortal, Building, EnvCell
from engine.world.tolerance import EPS

NOT_TESTED: Final = "building not tested"
MOST_LOOKED_INTO: Final = 4096
"""Of a picture: look-ins, and the regions that their floods find (visibility 2.14). A town has hundreds."""


class Refusal(Enum):
    """Why a building's opening is not looked through; the value is its word in reports."""

    SEAM = "seam of a building piece"
    WRONG_SIDE = "faces away"
    IN_PLANE = "eye in its plane, beside it"
    CLIPPED = "clipped away"
    MISSING = "missing"
    TOO_MUCH = "nearer openings show as much as a picture may hold"


class LookIn(NamedTuple):
    """A building's opening that one looks through, and the flood behind it.

    ``region`` is the opening's visible part on the screen, and ``through`` the active views that show it, one
    a polygon of it; ``straddling`` tells that the opening itself is edge-on, so that its mark is drawn from
    ``region``.
    """

    block_id: int
    building: Building
    portal: BldPortal
    aperture: Aperture
    region: tuple[ViewPolygon, ...]
    through: tuple[ViewPolygon, ...]
    straddling: bool
    flood: Flood

    @property
    def view(self) -> View:
        """The flood's view, in the block frame of ``block_id``."""
        return self.flood.view


class LookInRefusal(NamedTuple):
    """A building's opening that is not looked through, and why."""

    block_id: int
    building: Building
    portal: BldPortal
    reason: Refusal
    aperture: Aperture


class SharedByLookIns:
    """What the look-ins of a picture share, made anew for each picture.

    ``turned`` are its views by how their spaces are turned; ``room`` is what is left of MOST_LOOKED_INTO.
    """

    __slots__ = ("_stab_sets", "room", "turned")

    def __init__(self) -> None:
        self.turned: Turned = {}
        self.room = MOST_LOOKED_INTO
        self._stab_sets: dict[int | tuple[int, int], set[int]] = {}

    def working_set(self, portal: BldPortal, cell: EnvCell) -> set[int]:
        """The cells that a flood through an opening may go to; nobody changes it (visibility 2.13)."""
        listed = portal.stab_list
        key = (id(listed), cell.id) if listed else cell.id  # of dumps many openings have one list
        known = self._stab_sets.get(key)
        if known is None:  # one for all openings of a cell: there may be thousands, and 65,535 cells in each
            known = {*listed, cell.id} if listed else stab_set(cell)
            self._stab_sets[key] = known
        return known


# An opening that one can look in through: its distance and index to be told apart by, its cell and regions.
_Open = tuple[float, int, BldPortal, Aperture, EnvCell, tuple[ViewPolygon, ...], tuple[ViewPolygon, ...]]


def building_look_in(
    graph: CellGraph,
    buildings: BuildingOpenings,
    view: View,
    active_views: tuple[ViewPolygon, ...],
    *,
    rules: FloodRules,
    logged: bool = False,
    shared: SharedByLookIns | None = None,
) -> tuple[list[LookIn], list[LookInRefusal]]:
    """Flood through every opening of a building that an active view shows, far to near.

    ``view`` is in the block frame of the building's landblock. ``active_views`` is the whole screen from
    outdoors and the outside region of the flood from indoors. Nothing may be marked or drawn for the
    openings that are refused. With ``logged`` every flood keeps its account. Once the room in ``shared`` is
    taken, the nearest openings first, the others are refused.
    """
    building = buildings.building
    block_id = buildings.block_id
    limits = TidyLimits(rules.tidy, view.width, view.height)
    shared = shared if shared is not None else SharedByLookIns()
    local = LocalView.of(view, building.pos.frame, shared.turned)
    open_ones: list[_Open] = []
    refused: list[LookInRefusal] = []
    for opening in buildings.openings:
        portal = opening.portal
        aperture = Aperture(opening, local, rules.straddle, local.facing(opening))
        region: list[ViewPolygon] = []
        through: list[ViewPolygon] = []
        reason = Refusal.SEAM if opening.is_seam else _side_reason(aperture)
        if reason is None:
            _clip_all(aperture, active_views, limits, region=region, through=through)
            if not region:
                reason = Refusal.CLIPPED
        cell = graph.get_visible(portal.other_cell_id) if reason is None else None
        if isinstance(cell, EnvCell):
            far = -aperture.max_distance_squared()
            open_ones.append((far, portal.index, portal, aperture, cell, tuple(region), tuple(through)))
        else:
            refused.append(_refusal(buildings, portal, reason or Refusal.MISSING, aperture))
    open_ones.sort(key=_far_first)
    found: list[LookIn] = []
    for _, _, portal, aperture, cell, region_seen, shown_by in reversed(open_ones):
        if shared.room <= 0:
            refused.append(_refusal(buildings, portal, Refusal.TOO_MUCH, aperture))
            continue
        allowed: set[int] | None = None
        if rules.working_set is WorkingSet.STAB:
            allowed = shared.working_set(portal, cell)
        flood = PView(
            graph,
            view,
            draw_landscape=False,
            allowed=allowed,
            rules=rules,
            log=FloodLog() if logged else None,
            turned=shared.turned,
        ).construct(cell.id, region_seen, portal.other_portal_id)
        shared.room -= 1 + flood.counters.appends
        look_in = LookIn(
            block_id=block_id,
            building=building,
            portal=portal,
            aperture=aperture,
            region=region_seen,
            through=shown_by,
            straddling=aperture.straddling,
            flood=flood,
        )
        found.append(look_in)
    found.reverse()
    return found, refused


def _refusal(
    buildings: BuildingOpenings, portal: BldPortal, reason: Refusal, aperture: Aperture
) -> LookInRefusal:
    return LookInRefusal(
        block_id=buildings.block_id,
        building=buildings.building,
        portal=portal,
        reason=reason,
        aperture=aperture,
    )


def _far_first(entry: _Open) -> tuple[float, int]:
    return entry[0], entry[1]


def _side_reason(aperture: Aperture) -> Refusal | None:
    if aperture.straddling:
        return None
    if -EPS <= aperture.facing <= EPS:
        return Refusal.IN_PLANE
    return None if aperture.looks_out else Refusal.WRONG_SIDE


def _clip_all(
    aperture: Aperture,
    views: tuple[ViewPolygon, ...],
    limits: TidyLimits,
    *,
    region: list[ViewPolygon],
    through: list[ViewPolygon],
) -> None:
    for v in views:
        part = aperture.clip(v, limits)
        if part is not None:
            region.append(part)
            through.append(v)
