"""The carried root: from the drawn foot's cell along foot, pivot and eye through portals (visibility 1.4).

No cell is looked for by position. The one look-up there is, from an exit portal to the landcell
outside, is the division of x and y by 24 m.
"""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.native import mypyc_attr
from engine.visibility.aperture import is_over
from engine.visibility.openings import OpeningIndex, segment_near
from engine.world.cell_graph import CellGraph
from engine.world.cells import BldPortal, EnvCell, Portal
from engine.world.frame import Frame
from engine.world.ids import EXIT_CELL, adjust_to_outside, block_offset, is_outdoor
from engine.world.polygon import Polygon

OUTWARD: Final = 0.01  # metres: a line through the common edge of two openings must pass one of them
ON_PLANE: Final = 0.0002  # a cell holds points that far behind its planes (collision 4.5)
PULL_BACK: Final = 0.05
MAX_CROSSINGS: Final = 16


class Foothold(NamedTuple):
    """Where a carry begins: ``cell``, the drawn foot's, and a place that lies in it.

    ``place``, of the foot sphere's centre, is in the block frame of the body's cell, metres: the drawn
    foot's, or one of the same cell from where the foot came in a straight line.
    """

    cell: int
    place: Vec3


class CarryResult(NamedTuple):
    """Where the traversal starts and where the eye is.

    ``root`` is the view root, ``eye`` is in the block frame of the body's cell (pulled in when
    ``blocked``), ``carried`` the (cell, portal) pairs crossed from ``drawn_cell`` on, the drawn foot's;
    ``blocked_by`` the (cell, portal) that leads to a cell that is not resident. From a landcell the portal
    is a building's, or the cell's own where no building names the opening.
    """

    root: int
    eye: Vec3
    carried: tuple[tuple[int, int], ...]
    blocked: bool
    drawn_cell: int
    blocked_by: tuple[int, int] | None


@mypyc_attr(acyclic=True)
class _Space:
    """A cell's or a building's own; its landblock's origin is at ``shift`` in the home block."""

    __slots__ = ("frame", "shift")

    def __init__(self, frame: Frame, shift: Vec3) -> None:
        self.frame = frame
        self.shift = shift

    def local(self, p: Vec3) -> Vec3:
        """A point of the home block in it."""
        s = self.shift
        return self.frame.to_local((p[0] - s[0], p[1] - s[1], p[2] - s[2]))


@mypyc_attr(acyclic=True)
class _Door:
    """A way out of a cell: ``source`` tells doors apart, ``side`` is the owner's portal_side."""

    __slots__ = ("index", "owner", "polygon", "side", "source", "space", "to_cell", "to_portal")

    def __init__(self, owner: int, source: Portal | BldPortal, polygon: Polygon, space: _Space) -> None:
        self.owner = owner
        self.source = source
        self.polygon = polygon
        self.index: int = source.index
        self.side: int = source.portal_side
        self.to_cell: int = source.other_cell_id
        self.to_portal: int = source.other_portal_id
        self.space = space

    def way_back(self, owner: int) -> _Door:
        """The same opening, from the landcell that an exit portal led to."""
        door = _Door(owner, self.source, self.polygon, self.space)
        door.side = 1 - self.side
        door.to_cell = self.owner
        door.to_portal = self.index
        return door


class _Hit(NamedTuple):
    t: float
    door: _Door
    place: Vec3


class _Carrier:
    """One walk from a cell on; everything is in the block frame of the body's cell (``home``)."""

    __slots__ = ("carried", "cell", "exits", "graph", "home", "index")

    def __init__(self, graph: CellGraph, index: OpeningIndex, home: int, cell: int) -> None:
        self.graph = graph
        self.index = index
        self.home = home
        self.cell = cell
        self.carried: list[tuple[int, int]] = []
        self.exits: list[_Door] = []

    def doors(self, a: Vec3, b: Vec3) -> list[_Door]:
        """The ways out of the current cell; outdoors those of buildings near the segment."""
        cell_id = self.cell
        shift = block_offset(self.home, cell_id)
        if not is_outdoor(cell_id):
            cell = self.graph.get_visible(cell_id)
            if not isinstance(cell, EnvCell):
                return []
            space = _Space(cell.frame, shift)
            return [_Door(cell_id, p, p.polygon, space) for p in cell.portals]
        out: list[_Door] = []
        for b_openings in self.index.near(self.graph, cell_id):
            shift = block_offset(self.home, b_openings.block_id)
            c = b_openings.center
            center = (c[0] + shift[0], c[1] + shift[1], c[2] + shift[2])
            if segment_near(center, b_openings.radius + OUTWARD, a, b):
                space = _Space(b_openings.building.pos.frame, shift)
                out.extend([_Door(cell_id, o.portal, o.polygon, space) for o in b_openings.openings])
        # The way back in is there even where no building names the opening.
        out.extend([door.way_back(cell_id) for door in self.exits])
        return out

    def target(self, door: _Door, place: Vec3) -> int:
        """The id of the resident cell behind a door, 0 for none."""
        to = door.to_cell
        if to == EXIT_CELL:
            to = self.landcell_under(door.owner, place)
        return to if to != 0 and self.graph.get_visible(to) is not None else 0

    def landcell_under(self, owner: int, place: Vec3) -> int:
        """The landcell whose 24 m square holds a place of the home block, 0 off the map."""
        sx, sy, _ = block_offset(self.home, owner)
        return adjust_to_outside(owner, (place[0] - sx, place[1] - sy, place[2]))[0]

    def cross(self, door: _Door, target: int) -> Portal | BldPortal | None:
        """Step through a door; the opening's other side, so that it is not taken straight back."""
        self.carried.append((door.owner, door.index))
        self.cell = target
        if door.to_cell == EXIT_CELL:
            self.exits.append(door)
        cell = self.graph.get_visible(target)
        if isinstance(cell, EnvCell):
            back = door.to_portal
            return cell.portals[back] if 0 <= back < len(cell.portals) else None
        for b in self.index.near(self.graph, target):
            for o in b.openings:
                if o.portal.other_cell_id == door.owner and o.portal.other_portal_id == door.index:
                    return o.portal
        return None

    def next_hit(self, a: Vec3, b: Vec3, t0: float, last: Portal | BldPortal | None) -> _Hit | None:
        """The first door of the current cell that a segment leaves through from ``t0`` on.

        One that begins on a door's plane, as near as a cell's own planes tell, leaves there.
        """
        best: _Hit | None = None
        space: _Space | None = None
        la, lb = a, b
        for door in self.doors(a, b):
            if door.source is last:
                continue
            if door.space is not space:  # seldom: those of a cell or a building stand in one
                space = door.space
                la, lb = space.local(a), space.local(b)
            db = door.polygon.distance(lb)
            if db >= 0.0 if door.side == 0 else db <= 0.0:
                continue  # most: the segment ends on the owner's side
            da = door.polygon.distance(la)
            if door.side != 0:
                da, db = -da, -db
            if da < -ON_PLANE:
                continue
            t = da / (da - db) if da > 0.0 else 0.0
            if t < t0 - 1e-6 or (best is not None and t >= best.t):
                continue
            if is_over(door.polygon, _lerp(la, lb, t), OUTWARD):
                best = _Hit(t, door, _lerp(a, b, t))
        return best


def carry(
    graph: CellGraph,
    index: OpeningIndex,
    body_cell: int,
    foot: Vec3,
    *,
    pivot: Vec3,
    eye: Vec3,
    start: Foothold | None = None,
) -> CarryResult:
    """Walk over foot centre, pivot and eye, from where the drawn foot is; points in the body's block frame.

    Without ``start`` the foot is in the body's cell. The answer depends on nothing else but the graph: no
    history, no search. A neighbour that is not resident blocks: the eye is pulled in to 5 cm before it. More
    than 16 crossings give up: the cell that the walk began in and the pivot.
    """
    begin = Foothold(body_cell, foot) if start is None else start
    walk = _Carrier(graph, index, body_cell, begin.cell)
    for a, b in ((begin.place, foot), (foot, pivot), (pivot, eye)):
        blocked = _walk_leg(walk, a, b)
        if blocked is not None:
            at, by = blocked
            return CarryResult(
                root=walk.cell,
                eye=at,
                carried=tuple(walk.carried),
                blocked=True,
                drawn_cell=begin.cell,
                blocked_by=by,
            )
        if len(walk.carried) > MAX_CROSSINGS:
            return CarryResult(
                root=begin.cell, eye=pivot, carried=(), blocked=True, drawn_cell=begin.cell, blocked_by=None
            )
    root = walk.cell
    if walk.carried and is_outdoor(root):
        under = walk.landcell_under(root, eye)
        if under != 0 and graph.get_visible(under) is not None:
            root = under
    return CarryResult(
        root=root, eye=eye, carried=tuple(walk.carried), blocked=False, drawn_cell=begin.cell, blocked_by=None
    )


def cell_along(graph: CellGraph, index: OpeningIndex, home: int, cell: int, *, a: Vec3, b: Vec3) -> int:
    """The cell that a straight walk from ``a`` in ``cell`` to ``b`` ends in; block frame of ``home``."""
    walk = _Carrier(graph, index, home, cell)
    _walk_leg(walk, a, b)
    return walk.cell


def _walk_leg(walk: _Carrier, a: Vec3, b: Vec3) -> tuple[Vec3, tuple[int, int]] | None:
    """Cross what a straight leg crosses; where it has to end and the (cell, portal) that blocks it."""
    t0 = 0.0
    last: Portal | BldPortal | None = None
    while a != b and len(walk.carried) <= MAX_CROSSINGS:
        hit = walk.next_hit(a, b, t0, last)
        if hit is None:
            break
        target = walk.target(hit.door, hit.place)
        if target == 0:
            # Never behind the portal crossed before: halfway to it when 5 cm are too much.
            t = hit.t - PULL_BACK / math.dist(a, b)
            if t < t0:
                t = (t0 + hit.t) / 2.0
            return _lerp(a, b, t), (hit.door.owner, hit.door.index)
        last = walk.cross(hit.door, target)
        t0 = hit.t
    return None


def _lerp(a: Vec3, b: Vec3, t: float) -> Vec3:
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))
