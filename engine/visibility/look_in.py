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


class Refusal(Enum):
    """Why a building's opening is not looked through; the value is its word in reports."""

    SEAM = "seam of a building piece"
    WRONG_SIDE = "faces away"
    IN_PLANE = "eye in its plane, beside it"
    CLIPPED = "clipped away"
    MISSING = "missing"


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


def building_look_in(
    graph: CellGraph,
    buildings: BuildingOpenings,
    view: View,
    active_views: tuple[ViewPolygon, ...],
    *,
    rules: FloodRules,
    logged: bool = False,
    turned: Turned | None = None,
) -> tuple[list[LookIn], list[LookInRefusal]]:
    """Flood through every opening of a building that an active view shows, far to near.

    ``view`` is in the block frame of the building's landblock. ``active_views`` is the whole screen from
    outdoors and the outside region of the flood from indoors. Nothing may be marked or drawn for the
    openings that are refused. With ``logged`` every flood keeps its account. ``turned`` may be shared by all
    look-ins of a picture.
    """
    building = buildings.building
    block_id = buildings.block_id
    limits = TidyLimits(rules.tidy, view.width, view.height)
    turned = turned if turned is not None else {}
    local = LocalView.of(view, building.pos.frame, turned)
    found: list[tuple[float, int, LookIn]] = []
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
        if not isinstance(cell, EnvCell):
            refused.append(
                LookInRefusal(
                    block_id=block_id,
                    building=building,
                    portal=portal,
                    reason=reason or Refusal.MISSING,
                    aperture=aperture,
                )
            )
            continue
        allowed: set[int] | None = None
        if rules.working_set is WorkingSet.STAB:
            allowed = {*portal.stab_list, cell.id} if portal.stab_list else stab_set(cell)
        seen = tuple(region)
        flood = PView(
            graph,
            view,
            draw_landscape=False,
            allowed=allowed,
            rules=rules,
            log=FloodLog() if logged else None,
            turned=turned,
        ).construct(cell.id, seen, portal.other_portal_id)
        look_in = LookIn(
            block_id=block_id,
            building=building,
            portal=portal,
            aperture=aperture,
            region=seen,
            through=tuple(through),
            straddling=aperture.straddling,
            flood=flood,
        )
        found.append((-aperture.max_distance_squared(), portal.index, look_in))
    found.sort(key=_far_first)
    return [f[2] for f in found], refused


def _far_first(entry: tuple[float, int, LookIn]) -> tuple[float, int]:
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
