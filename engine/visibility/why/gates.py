"""Single openings with what the traversal did at them, taken from the floods' own accounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.visibility.aperture import Aperture, LocalView
from engine.visibility.flood import Flood
from engine.visibility.flood_log import OUTSIDE, Look
from engine.visibility.flood_rules import (
    CLIPPED_AWAY,
    ENTERED,
    EXIT_IGNORED,
    FACES_AWAY,
    MISSING,
    NOT_IN_STAB_LIST,
    NOTHING_NEW,
    PASSED,
    REASONS,
    UNTRIED,
    FloodRules,
)
from engine.visibility.look_in import NOT_TESTED, LookIn, LookInRefusal, Refusal
from engine.visibility.openings import BuildingOpening, BuildingOpenings, OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.tidy import TidyLimits
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.visibility.why.ways import NO_BUILDING, Way
from engine.visibility.why.why_answer import EXIT, OPENING, PORTAL, Gate, Outline
from engine.world.cell_graph import CellGraph
from engine.world.cells import Building, EnvCell, Opening
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.polygon import Polygon

NOT_TRIED = REASONS[UNTRIED]
LIMIT = "limit reached"
FAR_SIDE = "the neighbour's own polygon of the portal lies elsewhere"


class GateMaker:
    """Makes the gates of one logged picture."""

    __slots__ = ("_graph", "_index", "_picture")

    def __init__(self, graph: CellGraph, picture: PictureView, index: OpeningIndex) -> None:
        self._graph = graph
        self._picture = picture
        self._index = index

    def passed(self, flood: Flood, looks: Sequence[Look]) -> Gate:
        """A portal that these looks, all through it, got through."""
        first = looks[0]
        verdict = REASONS[max(look.verdict for look in looks)]
        after = [look.after for look in looks if look.after is not None]
        return self._portal(
            flood, first.cell, first.portal, verdict, detail="", before=[k.before for k in looks], after=after
        )

    def blocked(self, flood: Flood, cell_id: int, index: int) -> Gate:
        """A portal of a visited cell that led to nothing."""
        cv = flood.cells[cell_id]
        reason = cv.reasons[index]
        verdict, detail = REASONS[reason], ""
        looks = [k for k in looks_of(flood) if k.cell == cell_id and k.portal == index]
        before = [k.before for k in looks] if looks else cv.views
        aperture = flood.aperture(cell_id, index)
        if reason == FACES_AWAY:
            detail = _behind(aperture.d)
        elif reason == ENTERED:
            detail = "the view comes in through it"
        elif reason == NOT_IN_STAB_LIST:
            detail = (
                f"the stab list of {hex_id(flood.root)} lacks {hex_id(cv.cell.portals[index].other_cell_id)}"
            )
        elif reason == MISSING:
            detail = f"{hex_id(cv.cell.portals[index].other_cell_id)} is not loaded"
        elif reason == EXIT_IGNORED:
            detail = "who looks into a building does not look out of it again"
        elif reason == CLIPPED_AWAY:
            detail = _clipped(aperture, before, flood.view, flood.rules)
        elif reason in (PASSED, NOTHING_NEW):
            verdict, detail = LIMIT, f"the flood gave up at its limit of {' and '.join(flood.counters.caps)}"
        return self._portal(
            flood, cell_id, index, verdict, detail=detail, before=before, after=(), is_passed=False
        )

    def entered(self, look_in: LookIn, pieces: Iterable[int]) -> Gate:
        """A building's opening that is looked through, with these polygons of its region."""
        pieces = list(pieces)
        return self._opening(
            look_in.block_id,
            look_in.building,
            look_in.portal.index,
            look_in.portal.other_cell_id,
            aperture=look_in.aperture,
            verdict=REASONS[PASSED],
            detail="",
            before=[look_in.through[i] for i in pieces],
            after=[look_in.region[i] for i in pieces],
        )

    def refused(self, way: Way) -> Gate:
        """A building's opening that is not looked through, though the outdoors are seen."""
        picture = self._picture
        for refusal in picture.refused_look_ins:
            if (refusal.block_id, refusal.building.index, refusal.portal.index) == way[:3]:
                return self._opening(
                    way.owner, refusal.building, way.portal, way.to, aperture=refusal.aperture,
                    verdict=refusal.reason.value,
                    detail=self._refusal_detail(refusal), before=picture.outside, after=(),
                )  # fmt: skip
        for untested in picture.not_tested:
            if (untested.block_id, untested.building) == way[:2]:
                return self._unopened(way, NOT_TESTED, untested.reason.value)
        return self._unopened(way, NOT_TESTED, "look-ins are switched off")

    def untried(self, way: Way) -> Gate:
        """An opening that the traversal did not come to; whether it would face away is told."""
        if way.building != NO_BUILDING:
            return self._unopened(way, NOT_TRIED, "")
        cell = self._graph.get_visible(way.owner)
        assert isinstance(cell, EnvCell)
        portal = cell.portals[way.portal]
        aperture = self._aperture(cell.id, cell.frame, portal)
        return Gate(
            kind=EXIT if way.to == OUTSIDE else PORTAL,
            owner=cell.id,
            building=NO_BUILDING,
            index=way.portal,
            to=way.to,
            verdict=NOT_TRIED,
            detail="" if aperture.looks_out else f"it would face away, {_behind(aperture.d)}",
            passed=False,
            before=(),
            outline=tuple(aperture.flat()),
            after=(),
            corners=self._corners(portal.polygon, cell.frame, cell.id),
        )

    def _portal(
        self,
        flood: Flood,
        cell_id: int,
        index: int,
        verdict: str,
        *,
        detail: str,
        before: Sequence[ViewPolygon],
        after: Sequence[ViewPolygon],
        is_passed: bool = True,
    ) -> Gate:
        cell = flood.cells[cell_id].cell
        portal = cell.portals[index]
        return Gate(
            kind=EXIT if portal.is_exit else PORTAL,
            owner=cell_id,
            building=NO_BUILDING,
            index=index,
            to=OUTSIDE if portal.is_exit else portal.other_cell_id,
            verdict=verdict,
            detail=detail,
            passed=is_passed,
            before=outlines(before),
            outline=tuple(flood.aperture(cell_id, index).flat()),
            after=outlines(after),
            corners=self._corners(portal.polygon, cell.frame, cell_id),
        )

    def _opening(  # noqa: PLR0913 - all that a gate asks is handed in once
        self,
        block_id: int,
        building: Building,
        index: int,
        to: int,
        *,
        aperture: Aperture,
        verdict: str,
        detail: str,
        before: Sequence[ViewPolygon],
        after: Sequence[ViewPolygon],
    ) -> Gate:
        corners = self._corners(aperture.opening.polygon, building.pos.frame, block_id)
        return Gate(
            kind=OPENING,
            owner=block_id,
            building=building.index,
            index=index,
            to=to,
            verdict=verdict,
            detail=detail,
            passed=bool(after),
            before=outlines(before),
            outline=tuple(aperture.flat()),
            after=outlines(after),
            corners=corners,
        )

    def _unopened(self, way: Way, verdict: str, detail: str) -> Gate:
        b, opening = self._opening_of(way)
        aperture = self._aperture(way.owner, b.building.pos.frame, opening)
        return self._opening(
            way.owner,
            b.building,
            way.portal,
            way.to,
            aperture=aperture,
            verdict=verdict,
            detail=detail,
            before=(),
            after=(),
        )

    def _opening_of(self, way: Way) -> tuple[BuildingOpenings, BuildingOpening]:
        for b in self._index.of_block(self._graph.blocks[way.owner]):
            if b.building.index == way.building:
                for opening in b.openings:
                    if opening.portal.index == way.portal:
                        return b, opening
        raise LookupError(f"building {way.building} of {hex_id(way.owner)} has no opening {way.portal}")

    def _aperture(self, owner: int, frame: Frame, opening: Opening) -> Aperture:
        view = self._picture.view
        here = view.at(rebase(view.eye, self._picture.root, owner))
        local = LocalView(here, frame)
        return Aperture(opening, local, 0.0, local.facing(opening))

    def _corners(self, polygon: Polygon, frame: Frame, owner: int) -> tuple[Vec3, ...]:
        return tuple(rebase(frame.to_global(v), owner, self._picture.root) for v in polygon.vertices)

    def _refusal_detail(self, refusal: LookInRefusal) -> str:
        aperture = refusal.aperture
        if refusal.reason is Refusal.WRONG_SIDE:
            return _behind(aperture.d)
        if refusal.reason is Refusal.CLIPPED:
            return _clipped(aperture, self._picture.outside, self._picture.view, self._picture.rules)
        if refusal.reason is Refusal.MISSING:
            return f"{hex_id(refusal.portal.other_cell_id)} is not loaded"
        return ""  # the word says it: a seam, or the eye in its plane


def looks_of(flood: Flood) -> list[Look]:
    """The account of a flood. Raises ValueError for one that kept none."""
    if flood.log is None:
        raise ValueError("the flood kept no account: build the view with ViewOptions(logged=True)")
    return flood.log.looks


def outlines(views: Iterable[ViewPolygon]) -> tuple[Outline, ...]:
    """View polygons as plain tuples of points."""
    return tuple(tuple(view.points) for view in views)


def _clipped(aperture: Aperture, before: Iterable[ViewPolygon], view: View, rules: FloodRules | None) -> str:
    """Why nothing was left of any region, by the clip itself."""
    limits = TidyLimits((rules or FloodRules()).tidy, view.width, view.height)
    found = dict.fromkeys(aperture.clip_reason(region, limits) or FAR_SIDE for region in before)
    return "; ".join(found)


def _behind(d: float) -> str:
    return f"the eye is {abs(d):.2f} m behind it"
