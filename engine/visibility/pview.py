"""PView: the portal traversal that finds which cells are seen and through which regions (visibility 2)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final

from engine.dat.hex_id import hex_id
from engine.native import breathe
from engine.visibility.aperture import Aperture, Turned, max_distance_squared
from engine.visibility.cell_view import CellView, FloodCell
from engine.visibility.flood import Counters, Flood
from engine.visibility.flood_log import OUTSIDE, FloodLog
from engine.visibility.flood_rules import (
    CLIPPED_AWAY,
    ENTERED,
    EXIT_IGNORED,
    FACES_AWAY,
    MISSING,
    NOT_IN_STAB_LIST,
    NOTHING_NEW,
    PASSED,
    UNTRIED,
    FloodRules,
    WorkingSet,
)
from engine.visibility.tidy import TidyLimits
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon, bounding_box, contains, full_view
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell, ObjCell, Portal
from engine.world.ids import is_outdoor
from engine.world.tolerance import EPS

MAX_VIEWS: Final = 64
MAX_APPENDS: Final = 4096
MAX_EXITS: Final = 1024
MAX_CORNERS: Final = 1 << 26  # of portals times those of the regions that they are clipped by
FEW_CLIPS: Final = 4  # of a cell, of which nobody counts the corners
UNBOUNDED_CELLS: Final = 2000
POPS_PER_CELL: Final = 4


class PView:
    """One flood while it goes on: nothing is stored on cells, so that floods can be nested.

    ``view`` is in the block frame of the cells. With ``draw_landscape`` exit portals add to the outside;
    a look-in leaves them alone. ``allowed`` bounds the flood, None for no bound (visibility 2.16). ``log`` is
    written where somebody wants to know why. ``turned`` may be shared by all floods of a picture.
    """

    __slots__ = (
        "_allowed", "_bad_reciprocals", "_counters", "_draw_landscape", "_exits", "_far_sides", "_graph",
        "_limits", "_log", "_missing", "_order", "_outside", "_reached", "_resolved", "_root", "_rules",
        "_sequence", "_todo", "_turned", "_view",
    )  # fmt: skip

    def __init__(
        self,
        graph: CellGraph,
        view: View,
        *,
        draw_landscape: bool = True,
        allowed: set[int] | None = None,
        rules: FloodRules | None = None,
        log: FloodLog | None = None,
        turned: Turned | None = None,
    ) -> None:
        self._view = view
        self._draw_landscape = draw_landscape
        self._allowed = allowed
        self._rules = rules if rules is not None else FloodRules()
        self._log = log
        self._counters = Counters()
        self._root = 0
        self._reached: list[CellView] = []
        self._order: list[CellView] = []
        self._outside: list[ViewPolygon] = []
        self._exits: list[tuple[ViewPolygon, int, int]] = []
        self._missing: list[tuple[int, int, int]] = []
        self._bad_reciprocals: list[tuple[int, int]] = []
        self._graph = graph
        self._limits = TidyLimits(self._rules.tidy, view.width, view.height)
        self._resolved: dict[int, CellView] = {}
        self._far_sides: dict[tuple[int, int], Aperture] = {}
        self._todo: list[tuple[float, int, CellView]] = []
        self._sequence = 0
        self._turned: Turned = turned if turned is not None else {}

    def construct(
        self, root: int, root_views: tuple[ViewPolygon, ...] | None = None, entry: int = -1
    ) -> Flood:
        """Flood from a root cell, once (visibility 2.4).

        ``root_views`` are the regions through which the root is seen, the whole screen by default;
        ``entry`` is the portal of the root through which one looks in. Raises ValueError for a landcell
        and LookupError for a cell that is not resident.
        """
        if is_outdoor(root):
            raise ValueError(f"{hex_id(root)} is a landcell: the outdoors has no portal traversal")
        cell = self._graph.get_visible(root)
        if not isinstance(cell, EnvCell):
            raise LookupError(f"{hex_id(root)} is not resident")
        self._root = root
        start = CellView(cell)
        start.views = list(root_views) if root_views is not None else [full_view()]
        self._resolved[root] = start
        self._init_cell(start, entry)
        self._push(start, 0.0)
        bound = UNBOUNDED_CELLS if self._allowed is None else max(1, len(self._allowed))
        max_pops = POPS_PER_CELL * bound
        counters = self._counters
        todo, order = self._todo, self._order
        corners = 0
        while todo:
            if counters.pops >= max_pops:
                counters.caps.append("pops")
                break
            counters.pops += 1
            cv = heappop(todo)[2]
            cv.queued = False
            if len(cv.outlooks) * (len(cv.views) - cv.upd) > FEW_CLIPS:
                breathe()
                corners += _corners(cv)
                if corners > MAX_CORNERS:
                    counters.caps.append("corners")
                    break
            if not cv.done:
                order.append(cv)
                cv.done = True
            if self._clip_portals(cv, cv.upd):
                self._add_views_to_portals(cv)
        place = [-1] * len(self._reached)
        for i, cv in enumerate(order):
            place[cv.number] = i
            counters.max_views = max(counters.max_views, len(cv.views))
        return Flood(
            root,
            self._view,
            rules=self._rules,
            allowed=self._allowed,
            order=tuple([cv.id for cv in order]),
            cells={
                cv.id: FloodCell(cv, tuple([place[n] for n in cv.leads_to if place[n] >= 0]))
                for cv in self._reached
            },
            outside=tuple(self._outside),
            exits=tuple(self._exits),
            missing=tuple(self._missing),
            bad_reciprocals=tuple(self._bad_reciprocals),
            counters=counters,
            log=self._log,
        )

    def _init_cell(self, cv: CellView, entry: int) -> None:
        """Find which portals can be looked out of, and the cell's distance (visibility 2.3)."""
        cv.number = len(self._reached)
        self._reached.append(cv)
        local = cv.local(self._view, self._turned)
        straddle = self._rules.straddle
        eye = local.eye
        ex, ey, ez = eye
        portals = cv.cell.portals
        is_open = [False] * len(portals)
        reasons = [FACES_AWAY] * len(portals)
        dist = 0.0
        for i, portal in enumerate(portals):
            if i == entry:
                reasons[i] = ENTERED  # never walk back
            else:
                nx, ny, nz, d = portal.inward
                facing = nx * ex + ny * ey + nz * ez + d
                if facing >= -EPS:  # looks_out: most do not, and need nothing more
                    aperture = Aperture(portal, local, straddle, facing)
                    cv.outlooks.append((i, portal, aperture))
                    is_open[i] = True
                    reasons[i] = UNTRIED
                    continue
            farthest = max_distance_squared(portal.polygon, eye)
            dist = farthest if farthest > dist else dist
        cv.open = is_open
        cv.reasons = reasons
        cv.dist = dist

    def _clip_portals(self, cv: CellView, first: int) -> bool:  # noqa: PLR0912 - the flood in the order that decides the regions
        """Push the regions from ``first`` on through open portals; whether any was added (visibility 2.5)."""
        views = cv.views[first:]
        cv.upd = len(cv.views)
        if not cv.outlooks:
            return False  # a dead end
        limits = self._limits
        is_open = cv.open
        reasons = cv.reasons
        resolved = self._resolved
        log = self._log
        any_added = False
        tested = clips = 0
        for view in views:
            for i, portal, aperture in cv.outlooks:
                if not is_open[i]:
                    continue  # entered through it since
                tested += 1
                target: CellView | None = None
                if portal.is_exit:
                    if not self._draw_landscape:
                        reasons[i] = EXIT_IGNORED
                        if log is not None:
                            log.note(cv.id, i, OUTSIDE, before=view, after=None, verdict=EXIT_IGNORED)
                        continue
                else:
                    target = resolved.get(portal.other_cell_id)
                    if target is None:
                        target = self._resolve(cv, portal)
                        if target is None:
                            if log is not None:
                                to = portal.other_cell_id
                                log.note(cv.id, i, to, before=view, after=None, verdict=reasons[i])
                            continue
                clips += 1
                region = aperture.clip(view, limits)
                # Straddled, the far side's polygon is a line on the screen: there is nothing to clip with.
                if not (region is None or target is None or portal.exact_match or aperture.straddling):
                    region = self._reciprocal(cv, portal, target, region)
                if region is None:
                    if reasons[i] == UNTRIED:
                        reasons[i] = CLIPPED_AWAY
                    if log is not None:
                        to = OUTSIDE if target is None else target.id
                        log.note(cv.id, i, to, before=view, after=None, verdict=CLIPPED_AWAY)
                    continue
                if target is None:
                    added = self._add_exit(region, cv.id, i)
                else:
                    if not target.views:
                        target.via = (cv.id, i)
                    added = self._add(target.views, region)
                    if len(target.views) > MAX_VIEWS and self._rules.containment:
                        self._merge_views(target)
                if added:
                    any_added = True
                    reasons[i] = PASSED
                elif reasons[i] != PASSED:
                    reasons[i] = NOTHING_NEW
                if log is not None:
                    self._note_arrival(log, cv, i, target, view=view, region=region, added=added)
        self._counters.portals_tested += tested
        self._counters.clips += clips
        return any_added

    def _note_arrival(
        self,
        log: FloodLog,
        cv: CellView,
        index: int,
        target: CellView | None,
        *,
        view: ViewPolygon,
        region: ViewPolygon,
        added: bool,
    ) -> None:
        to = OUTSIDE if target is None else target.id
        verdict = PASSED if added else NOTHING_NEW
        log.note(cv.id, index, to, before=view, after=region, verdict=verdict)
        if added:
            log.arrive(to, region, log.looks[-1])
            if target is not None and target.views[-1] is not region:
                log.arrive(to, target.views[-1], log.looks[-1])  # the box that replaced too many regions

    def _add_views_to_portals(self, cv: CellView) -> None:
        """Queue the cells that got a region: new ones, and those expanded before (visibility 2.6)."""
        is_open = cv.open
        resolved = self._resolved
        for i, portal, _ in cv.outlooks:
            if not is_open[i] or portal.is_exit:
                continue
            target = resolved.get(portal.other_cell_id)
            if target is None or not target.views:
                continue
            other = portal.other_portal_id
            if not 0 <= other < len(target.cell.portals):
                other = -1  # none, or an index that the neighbour does not have
            is_new = target.number < 0
            if is_new:
                self._init_cell(target, other)
                self._push(target, target.dist)
            if target.number not in cv.leads_to:
                cv.leads_to.append(target.number)
            if is_new:
                continue
            if other >= 0:
                target.open[other] = False  # entered there too
                if target.reasons[other] <= FACES_AWAY:
                    target.reasons[other] = ENTERED
            # A region that comes after its cell was expanded goes on alone: only the second door shows it.
            if len(target.views) > target.upd and target.done and self._rules.late_views:
                self._push(target, target.dist)

    def _push(self, cv: CellView, key: float) -> None:
        if not cv.queued:
            cv.queued = True
            heappush(self._todo, (key, self._sequence, cv))
            self._sequence += 1

    def _resolve(self, cv: CellView, portal: Portal) -> CellView | None:
        """A neighbour's view, made; None with the portal's reason set where the flood may not go there."""
        other = portal.other_cell_id
        index = portal.index
        allowed = self._allowed
        if other not in allowed if allowed is not None else not self._may_enter(other):
            cv.reasons[index] = NOT_IN_STAB_LIST
            return None
        cell = self._graph.beyond(portal)
        if isinstance(cell, EnvCell):
            target = CellView(cell)
            self._resolved[other] = target
            return target
        if cv.reasons[index] != MISSING:
            cv.reasons[index] = MISSING
            self._missing.append((cv.id, index, other))
        return None

    def _may_enter(self, cell_id: int) -> bool:
        """Whether a flood without a bound may go into a cell."""
        return self._rules.working_set is WorkingSet.ALL or cell_id >> 16 == self._root >> 16

    def _reciprocal(
        self, cv: CellView, portal: Portal, target: CellView, region: ViewPolygon
    ) -> ViewPolygon | None:
        """Cut a region by the neighbour's own polygon of the opening (visibility 2.9)."""
        other = portal.other_portal_id
        if other < 0 or not self._rules.reciprocal:
            return region
        if other >= len(target.cell.portals):
            if (cv.id, portal.index) not in self._bad_reciprocals:
                self._bad_reciprocals.append((cv.id, portal.index))
            return region
        self._counters.clips += 1
        aperture = self._far_sides.get((target.id, other))
        if aperture is None:
            far_side = target.cell.portals[other]
            local = target.local(self._view, self._turned)
            aperture = Aperture(far_side, local, self._rules.straddle, local.facing(far_side))
            self._far_sides[target.id, other] = aperture
        return aperture.clip_reciprocal(region, self._limits)

    def _add(self, views: list[ViewPolygon], region: ViewPolygon) -> bool:
        counters = self._counters
        if self._rules.containment:
            for v in views:
                if contains(v, region):
                    return False
        if counters.appends >= MAX_APPENDS:
            if "appends" not in counters.caps:
                counters.caps.append("appends")
            return False
        counters.appends += 1
        views.append(region)
        return True

    def _add_exit(self, region: ViewPolygon, cell_id: int, portal: int) -> bool:
        """Let a region show the outdoors, beside those that hold it already; whether that is anything new."""
        if len(self._exits) >= MAX_EXITS:  # each may fill the picture: what draws them takes long for it
            if "exits" not in self._counters.caps:
                self._counters.caps.append("exits")
            return False
        self._exits.append((region, cell_id, portal))
        return self._add(self._outside, region)

    def _merge_views(self, target: CellView) -> None:
        """Let one box around all of too many regions go on in their place."""
        target.views = [bounding_box(target.views)]
        target.upd = 0
        self._counters.merged_views += 1


def _corners(cv: CellView) -> int:
    """About how much there is to clip in a cell whose turn it is."""
    of_portals = sum([len(portal.polygon.vertices) for _, portal, _ in cv.outlooks])
    return of_portals * sum([len(view.points) for view in cv.views[cv.upd :]])


def stab_set(cell: ObjCell) -> set[int]:
    """A cell and its stab list: the working set of a flood from it (visibility 2.16)."""
    out = set(cell.stab_list)
    out.add(cell.id)
    return out
