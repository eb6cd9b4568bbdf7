"""Why a cell is seen, or is not, told from a logged picture (``ViewOptions(logged=True)``)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.visibility.flood import Flood
from engine.visibility.flood_log import OUTSIDE, Look
from engine.visibility.flood_rules import ENTERED, NOTHING_NEW, PASSED
from engine.visibility.look_in import LookIn
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.pview import stab_set
from engine.visibility.view_polygon import ViewPolygon
from engine.visibility.why.gates import GateMaker, looks_of
from engine.visibility.why.ways import NO_BUILDING, Way, WayMap
from engine.visibility.why.why_answer import Chain, Gate, WhyAnswer
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell
from engine.world.ids import is_outdoor


def why(graph: CellGraph, picture: PictureView, cell_id: int, index: OpeningIndex | None = None) -> WhyAnswer:
    """Why the picture shows a cell or not; of a landcell, why it shows the outdoors.

    Every verdict is the one that the picture's floods came to. Raises ValueError for a picture whose floods
    kept no account.
    """
    return _Search(graph, picture, cell_id, index if index is not None else OpeningIndex()).answer()


class _Search:
    __slots__ = ("cell_id", "gates", "graph", "index", "node", "picture")

    def __init__(self, graph: CellGraph, picture: PictureView, cell_id: int, index: OpeningIndex) -> None:
        for flood in picture.floods:
            looks_of(flood)
        self.graph = graph
        self.picture = picture
        self.cell_id = cell_id
        self.node = OUTSIDE if is_outdoor(cell_id) else cell_id
        self.index = index
        self.gates = GateMaker(graph, picture, index)

    def answer(self) -> WhyAnswer:
        picture, node = self.picture, self.node
        chains = tuple(self._arrivals())
        visible = bool(chains)
        if not chains:
            chains = self._farthest()
        root = self.graph.get_visible(picture.root)
        in_stab_list = node in stab_set(root) if isinstance(root, EnvCell) and node != OUTSIDE else None
        loaded = self.graph.get_visible(self.cell_id) is not None
        return WhyAnswer(
            cell=self.cell_id,
            visible=visible,
            root=picture.root,
            loaded=loaded,
            in_stab_list=in_stab_list,
            reason=self._reason(chains, visible=visible),
            chains=chains,
        )

    def _reason(self, chains: tuple[Chain, ...], *, visible: bool) -> str:
        what = "the outdoors are seen" if self.node == OUTSIDE else "it is seen"
        if visible:
            if not chains[0].gates:
                return "the view root is outdoors" if self.node == OUTSIDE else "it is the view root"
            many = "1 chain" if len(chains) == 1 else f"{len(chains)} chains"
            return f"{what} through {many} of portals"
        if not chains:
            return f"no portals of loaded cells lead from the view root to {self._target_words()}"
        stop = chains[0].stopped_at
        assert stop is not None
        return f"at portal {chains[0].gates.index(stop) + 1} of {len(chains[0].gates)}, {stop.words}"

    def _target_words(self) -> str:
        return "the outdoors" if self.node == OUTSIDE else "it"

    # -- what arrives

    def _arrivals(self) -> Iterator[Chain]:
        picture, node = self.picture, self.node
        if node == OUTSIDE and picture.flood is None:
            yield Chain((), arrives=True, adds=True)
            return
        if picture.flood is not None:
            yield from self._arrivals_in(picture.flood, None)
        if node != OUTSIDE:
            for look_in in picture.look_ins:
                yield from self._arrivals_in(look_in.flood, look_in)

    def _arrivals_in(self, flood: Flood, look_in: LookIn | None) -> Iterator[Chain]:
        node = self.node
        if node == flood.root:
            if look_in is None:
                yield Chain((), arrives=True, adds=True)
            else:
                for piece, view in enumerate(look_in.through):
                    gates = (*self._to_the_outdoors(view), self.gates.entered(look_in, [piece]))
                    yield Chain(gates, arrives=True, adds=True)
        if node != OUTSIDE and not _is_listed(flood, node):
            return
        for look in looks_of(flood):
            if look.to == node and look.verdict in (PASSED, NOTHING_NEW):
                gates = self._through(flood, look_in, look)
                yield Chain(gates, arrives=True, adds=look.verdict == PASSED)

    def _through(self, flood: Flood, look_in: LookIn | None, last: Look) -> tuple[Gate, ...]:
        """The openings that a region came through, from the view root to behind a look."""
        assert flood.log is not None
        looks = flood.log.chain(last)
        gates = tuple(self.gates.passed(flood, [look]) for look in looks)
        if look_in is None:
            return gates
        pieces = [i for i, region in enumerate(look_in.region) if region is looks[0].before] or [0]
        before = self._to_the_outdoors(look_in.through[pieces[0]])
        return (*before, self.gates.entered(look_in, pieces[:1]), *gates)

    def _to_the_outdoors(self, view: ViewPolygon) -> tuple[Gate, ...]:
        """The openings by which a region of the outdoors is seen; none from outdoors."""
        flood = self.picture.flood
        if flood is None:
            return ()
        for look in looks_of(flood):
            if look.to == OUTSIDE and look.after is view:
                return self._through(flood, None, look)
        raise LookupError("a region of the outdoors that no exit was seen through")

    # -- what comes farthest

    def _farthest(self) -> tuple[Chain, ...]:
        """The chain with the fewest openings left to the cell; none where no way leads there."""
        ways = WayMap(self.graph, self.index)
        left = ways.openings_left(self.node)
        best: tuple[tuple[int, int, float], Flood | None, LookIn | None, Way] | None = None
        for flood, look_in, node, distance in self._reached():
            if node not in left:
                continue
            for way in ways.nearer(node, left):
                key = (left[node], -self._rank(flood, way), distance)
                if best is None or key < best[0]:
                    best = (key, flood, look_in, way)
        if best is None:
            return ()
        _, flood, look_in, way = best
        if flood is None:
            gates = [*self._first_way_out(), self.gates.refused(way)]
        else:
            gates = [*self._first_way_to(flood, look_in, way.owner)]
            gates.append(self.gates.blocked(flood, way.owner, way.portal))
        node = way.to
        while node != self.node:
            way = ways.nearer(node, left)[0]
            gates.append(self.gates.untried(way))
            node = way.to
        return (Chain(tuple(gates), arrives=False, adds=False),)

    def _reached(self) -> Iterator[tuple[Flood | None, LookIn | None, int, float]]:
        """Where floods came to: flood (None: the outdoors as a whole), place, its distance squared."""
        picture = self.picture
        own: list[tuple[Flood, LookIn | None]] = [] if picture.flood is None else [(picture.flood, None)]
        for flood, look_in in [*own, *((x.flood, x) for x in reversed(picture.look_ins))]:
            for cell_id in flood.order:
                yield flood, look_in, cell_id, flood.cells[cell_id].dist
        if picture.outside:
            yield None, None, OUTSIDE, 0.0

    def _rank(self, flood: Flood | None, way: Way) -> int:
        """How far a way was gone: the later the traversal's check that it failed, the farther."""
        if flood is not None:
            return flood.cells[way.owner].reasons[way.portal]
        assert way.building != NO_BUILDING
        tried = any(
            (r.block_id, r.building.index, r.portal.index) == way[:3] for r in self.picture.refused_look_ins
        )
        return ENTERED if tried else 0

    def _first_way_to(self, flood: Flood, look_in: LookIn | None, cell_id: int) -> list[Gate]:
        """The openings of the first arrival in a visited cell, each with all that passed it."""
        gates: list[Gate] = []
        if look_in is not None:
            gates = [*self._first_way_out(), self.gates.entered(look_in, range(len(look_in.region)))]
        for owner, portal in flood.via_chain(cell_id):
            gates.append(self.gates.passed(flood, _got_through(flood, owner, portal)))
        return gates

    def _first_way_out(self) -> list[Gate]:
        """The openings by which the outdoors were seen first; none from outdoors."""
        flood = self.picture.flood
        if flood is None:
            return []
        _, owner, portal = flood.exits[0]
        gates = self._first_way_to(flood, None, owner)
        return [*gates, self.gates.passed(flood, _got_through(flood, owner, portal))]


def _got_through(flood: Flood, owner: int, portal: int) -> list[Look]:
    return [k for k in looks_of(flood) if k.cell == owner and k.portal == portal and k.after is not None]


def _is_listed(flood: Flood, cell_id: int) -> bool:
    """Whether a cell was visited; one that is still in the queue when the flood gives up is not."""
    found = flood.cells.get(cell_id)
    return found is not None and found.visited
