"""What stands in a world that it didn't bring, and what it brought and is gone: told, and made so again."""

from __future__ import annotations

from collections.abc import Mapping

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.named_tuple import NamedTuple
from engine.physics.objects.world_objects import SavedObjects, WorldObjects
from engine.physics.simulation.simulation import Simulation
from engine.replay.told import placed_document, read_placed
from engine.world.cells import PlacedObject
from engine.world.sources.json_node import Node


class ByHand(NamedTuple):
    """Entities that were put down beside the world's own, and the ids of its own that were taken away."""

    placed: tuple[PlacedObject, ...] = ()
    gone: tuple[int, ...] = ()

    def to_json(self) -> Json:
        """As a line of a capture holds it; empty where the world is as it came."""
        document: Json = {}
        if self.placed:
            document["entitiesPlaced"] = [placed_document(placed) for placed in self.placed]
        if self.gone:
            document["entitiesGone"] = [hex_id(entity_id) for entity_id in self.gone]
        return document


def read_by_hand(root: Node) -> ByHand:
    """What ``to_json`` gives, out of a line that may hold more. Raises JsonError."""
    return ByHand(
        tuple([read_placed(node) for node in root.items("entitiesPlaced")]),
        tuple([node.unsigned() for node in root.items("entitiesGone")]),
    )


AS_IT_CAME = ByHand()


def by_hand_in(objects: WorldObjects | SavedObjects, brought: Mapping[int, PlacedObject]) -> ByHand:
    """What of these objects is otherwise than the world has brought it."""
    return ByHand(
        tuple([p for n, p in objects.placed.items() if p.is_entity and brought.get(n) != p]),
        tuple([n for n in brought if n in objects.gone]),
    )


class ByHandWatch:
    """Looks what somebody changed in a simulation's world where something may be otherwise than before."""

    def __init__(self, simulation: Simulation) -> None:
        self._objects = simulation.objects
        self._version = -1
        self._found = ByHand()

    def now(self) -> ByHand:
        """What is otherwise than the world brought it."""
        if self._version != self._objects.registry.version:
            self._version = self._objects.registry.version
            self._found = by_hand_in(self._objects, self._objects.brought)
        return self._found


class ByHandAgain:
    """Makes a simulation's world so, and takes back what was made so before."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._made = ByHand()
        self._made_in = (-1, -1)

    def make(self, wanted: ByHand) -> None:
        """Let just these be otherwise than the world brings them."""
        objects, world = self._simulation.objects, self._simulation.world
        if wanted == self._made and (
            not (wanted.placed or wanted.gone) or self._made_in == (world.version, objects.registry.version)
        ):
            return
        placed = {p.object_id: p for p in wanted.placed}
        back = {p.object_id for p in self._made.placed} | set(self._made.gone)
        back -= {*placed, *wanted.gone}
        objects.remove(*back)
        objects.gone -= back
        for entity_id in back & objects.brought.keys():
            objects.add(objects.brought[entity_id])
        new = [thing for entity_id, thing in placed.items() if objects.placed.get(entity_id) != thing]
        objects.remove(*(thing.object_id for thing in new))
        for thing in new:
            objects.add(thing)
        objects.remove(*wanted.gone)
        self._made, self._made_in = wanted, (world.version, objects.registry.version)
