"""One picture's visibility: decision, carried root, cells to draw and look-ins (visibility 1.2, 1.4).

A PictureView is what the renderer draws, the overlay shows and ``pvs`` prints.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.native import mypyc_attr
from engine.visibility.carry import CarryResult, Foothold, carry
from engine.visibility.cull import RegionCuller
from engine.visibility.flood import Flood
from engine.visibility.flood_log import FloodLog
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.look_in import LookIn, LookInRefusal, SharedByLookIns, building_look_in
from engine.visibility.openings import BuildingOpenings, OpeningIndex
from engine.visibility.pview import PView, stab_set
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon, full_view, total_area
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell
from engine.world.ids import block_offset, is_outdoor
from engine.world.tolerance import EPS

OUTDOOR: Final = "outdoor"
INTERIOR: Final = "interior"
SEALED: Final = "sealed"


class NotTested(Enum):
    """Why a building's openings are not tried one by one; the value is its word in reports."""

    OUT_OF_SIGHT = "all its openings lie outside the region that shows the outside"
    TOO_SMALL = "all its openings are smaller than half a pixel"


class UntestedBuilding(NamedTuple):
    """A building, by its number in its landblock, whose openings were not tried."""

    block_id: int
    building: int
    reason: NotTested


class ViewOptions(NamedTuple):
    """Switches of a frame: the floods' rules, the strict root (1.4 A), and whether look-ins are made.

    ``logged`` makes the floods keep their accounts, from which ``why`` answers.
    """

    rules: FloodRules = FloodRules()
    strict_root: bool = False
    look_ins: bool = True
    logged: bool = False


USUAL_OPTIONS: Final = ViewOptions()


@mypyc_attr(acyclic=True)
class VisibleCell:
    """A cell in draw order, nearest first.

    ``distance`` is in metres, 0 for a flood's root without a portal that faces the eye; ``via`` the
    (cell, portal) chain of the first arrival; ``regions`` view polygons; ``area`` their sum as a fraction
    of the screen; ``found_by`` the flood that came to it, None for a cell shown without one, and ``flood``
    the (building, portal) of the look-in that this was, None for the picture's own. Never changed once
    it is listed.
    """

    __slots__ = ("cell", "distance", "env_cell", "flood", "found_by", "order", "regions")

    def __init__(
        self,
        order: int,
        env_cell: EnvCell,
        distance: float,
        regions: tuple[ViewPolygon, ...],
    ) -> None:
        self.order: Final = order
        self.cell: Final = env_cell.id
        self.env_cell: Final = env_cell
        self.distance: Final = distance
        self.regions: Final = regions
        self.found_by: Flood | None = None
        self.flood: tuple[int, int] | None = None

    @property
    def area(self) -> float:
        """The sum of the regions' areas."""
        return total_area(self.regions)

    @property
    def via(self) -> tuple[tuple[int, int], ...]:
        """The chain of the first arrival; empty for a root and for a cell that no flood found."""
        return () if self.found_by is None else self.found_by.via_chain(self.cell)


class PictureView(NamedTuple):
    """What one picture shows and why.

    ``body_cell`` is where the body is, ``drawn_cell`` where its foot is drawn: between two ticks that can be
    another one of the tick's way. ``path`` is ``outdoor``, ``interior`` or ``sealed``; ``view`` and its eye
    are in the block frame of ``root``. ``outside`` are the view polygons that show the landscape, the whole
    screen outdoors. ``rules`` are those of its floods; ``flood`` is None outdoors. ``look_ins`` are in
    drawing order, far to near. ``not_tested``, filled only where the floods are logged, are the buildings
    (block id, index, reason) whose openings were not tried. Only the modes that look closer (view_modes) set
    ``loose``, cells drawn whole without regions, and ``only``, the cells drawn; ``frozen`` is the picture
    whose list a detached camera looks at.
    """

    path: str
    body_cell: int
    root: int
    carried: tuple[tuple[int, int], ...]
    blocked: bool
    blocked_by: tuple[int, int] | None
    drawn_cell: int
    view: View
    rules: FloodRules | None = None
    flood: Flood | None = None
    outside: tuple[ViewPolygon, ...] = ()
    cells: tuple[VisibleCell, ...] = ()
    look_ins: tuple[LookIn, ...] = ()
    refused_look_ins: tuple[LookInRefusal, ...] = ()
    buildings_tested: int = 0
    not_tested: tuple[UntestedBuilding, ...] = ()
    loose: tuple[int, ...] = ()
    only: frozenset[int] | None = None
    frozen: PictureView | None = None

    @property
    def outside_visible(self) -> bool:
        """Whether the landscape is drawn in this frame."""
        return bool(self.outside)

    @property
    def floods(self) -> list[Flood]:
        """The picture's own flood, if any, and those of the look-ins."""
        own = [self.flood] if self.flood is not None else []
        return own + [x.flood for x in self.look_ins]

    def regions_of(self, cell_id: int) -> list[ViewPolygon]:
        """All view polygons through which a cell is seen, over all floods."""
        return [r for c in self.cells if c.cell == cell_id for r in c.regions]


def build_view(  # noqa: PLR0913 - all that a picture depends on, and no state beside it
    graph: CellGraph,
    body_cell: int,
    *,
    foot: Vec3,
    pivot: Vec3,
    eye: Vec3,
    view: View,
    options: ViewOptions | None = None,
    index: OpeningIndex | None = None,
    start: Foothold | None = None,
) -> PictureView:
    """Find what one picture shows, starting from the cell of the drawn foot (None: the body's cell).

    ``foot`` (centre of the foot sphere), ``pivot`` and ``eye`` are in the block frame of ``body_cell``,
    metres; ``view`` gives direction, field and viewport (its own eye is not used). ``index`` may be kept
    from frame to frame. The eye of the result is moved off the planes of the root's openings by EPS.
    Raises LookupError when the root is not resident.
    """
    options = options if options is not None else USUAL_OPTIONS
    index = index if index is not None else OpeningIndex()
    if options.strict_root:
        drawn = body_cell if start is None else start.cell
        walk = CarryResult(
            root=body_cell, eye=eye, carried=(), blocked=False, drawn_cell=drawn, blocked_by=None
        )
    else:
        walk = carry(graph, index, body_cell, foot, pivot=pivot, eye=eye, start=start)
    root = walk.root
    view = view.at(_moved(walk.eye, block_offset(root, body_cell)))
    flood: Flood | None = None
    outside: tuple[ViewPolygon, ...] = (full_view(),)
    path = OUTDOOR
    cells: list[VisibleCell] = []
    if not is_outdoor(root):
        cell = graph.get_visible(root)
        if cell is None:
            raise LookupError(f"{hex_id(root)} is not resident")
        if isinstance(cell, EnvCell):
            view = _off_planes(cell, view)
        allowed = stab_set(cell) if options.rules.working_set is WorkingSet.STAB else None
        log = FloodLog() if options.logged else None
        flood = PView(
            graph, view, draw_landscape=True, allowed=allowed, rules=options.rules, log=log
        ).construct(root)
        outside = flood.outside
        path = INTERIOR if outside else SEALED
        _list_cells(cells, flood, None)
    into = _LookIns()
    if outside and options.look_ins:
        into.look(graph, view, root, outside, options=options, index=index)
        # Drawn far to near, listed near to far like every other cell.
        for look_in in reversed(into.seen):
            _list_cells(cells, look_in.flood, (look_in.building.index, look_in.portal.index))
    return PictureView(
        path=path,
        body_cell=body_cell,
        root=root,
        carried=walk.carried,
        blocked=walk.blocked,
        blocked_by=walk.blocked_by,
        drawn_cell=walk.drawn_cell,
        view=view,
        rules=options.rules,
        flood=flood,
        outside=outside,
        cells=tuple(cells),
        look_ins=tuple(into.seen),
        refused_look_ins=tuple(into.refused),
        buildings_tested=into.buildings_tested,
        not_tested=tuple(into.not_tested),
    )


def _off_planes(root: EnvCell, view: View) -> View:
    """The view with its eye moved into the root where it lies within EPS of an opening's plane.

    Seen exactly edge-on, what ends at the plane on either side meets in one line on the screen, and
    rounding would leave single pixels between the two.
    """
    x, y, z = view.eye
    for portal in root.portals:
        nx, ny, nz, d = root.portal_planes[portal.index]
        off = nx * x + ny * y + nz * z + d
        if -EPS < off < EPS:
            step = (-EPS if portal.portal_side else EPS) - off
            x += nx * step
            y += ny * step
            z += nz * step
    return view.at((x, y, z))


class _LookIns:
    """What comes of looking into buildings, while it is done; the fields are those of a PictureView."""

    __slots__ = ("buildings_tested", "not_tested", "refused", "seen")

    def __init__(self) -> None:
        self.seen: list[LookIn] = []
        self.refused: list[LookInRefusal] = []
        self.buildings_tested = 0
        self.not_tested: list[UntestedBuilding] = []

    def look(
        self,
        graph: CellGraph,
        front: View,
        root: int,
        outside: tuple[ViewPolygon, ...],
        *,
        options: ViewOptions,
        index: OpeningIndex,
    ) -> None:
        """Look into every loaded building that the outside region may show, far buildings first."""
        queue: list[tuple[float, int, int, BuildingOpenings, View]] = []
        for block_id, block in graph.blocks.items():
            buildings = index.of_block(block)
            if not buildings:
                continue
            view = front.at(_moved(front.eye, block_offset(block_id, root)))
            culler = RegionCuller(view, outside)
            for b in buildings:
                reason: NotTested | None = None
                if not culler.sphere_visible(b.center, b.radius):
                    reason = NotTested.OUT_OF_SIGHT
                elif _too_small(view, b):
                    reason = NotTested.TOO_SMALL
                if reason is not None:
                    if options.logged:
                        self.not_tested.append(UntestedBuilding(block_id, b.building.index, reason))
                else:
                    distance = math.dist(b.center, view.eye)
                    queue.append((-distance, block_id, b.building.index, b, view))
        queue.sort(key=_far_first)
        self.buildings_tested = len(queue)
        shared = SharedByLookIns()
        found = [  # the nearest first: where there is too much to look into, the farthest is left out
            building_look_in(
                graph, b, view, outside, rules=options.rules, logged=options.logged, shared=shared
            )
            for _, _, _, b, view in reversed(queue)
        ]
        for seen, refused in reversed(found):
            self.refused.extend(refused)
            self.seen.extend(seen)


def _far_first(
    entry: tuple[float, int, int, BuildingOpenings, View],
) -> tuple[float, int, int]:
    return entry[0], entry[1], entry[2]


def _too_small(view: View, b: BuildingOpenings) -> bool:
    """Whether all of a building's openings are sure to be rejected as less than half a pixel."""
    f, e, c = view.forward, view.eye, b.center
    w = f[0] * (c[0] - e[0]) + f[1] * (c[1] - e[1]) + f[2] * (c[2] - e[2]) - b.radius
    # At distance w a metre covers width / (2 tan w) pixels; off the axis spheres stretch by 1 / cos.
    spread = math.sqrt(1.0 + view.tan_x * view.tan_x + view.tan_y * view.tan_y)
    return w > 0.0 and b.radius * spread * max(view.width / view.tan_x, view.height / view.tan_y) < 0.5 * w


def _list_cells(cells: list[VisibleCell], flood: Flood, via_flood: tuple[int, int] | None) -> None:
    for found in flood.drawn_cells():
        is_root = via_flood is None and found.id == flood.root
        row = VisibleCell(len(cells), found.cell, 0.0 if is_root else math.sqrt(found.dist), found.views)
        row.found_by = flood
        row.flood = via_flood
        cells.append(row)


def _moved(p: Vec3, by: Vec3) -> Vec3:
    return (p[0] + by[0], p[1] + by[1], p[2] + by[2])
