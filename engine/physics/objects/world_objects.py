"""What stands in the loaded world: statics, scenery and entities come and go with their landblocks."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

from engine.dat.hex_id import hex_id
from engine.dat.records.motion_table import MotionTable
from engine.named_tuple import NamedTuple
from engine.physics.membership.cell_array import CellArray
from engine.physics.objects.cross_cells import calc_cross_cells
from engine.physics.objects.doors import DoorController, Occupied
from engine.physics.objects.motion_clip import (
    DoorMotion,
    PoseRoom,
    door_motion,
    door_records,
    is_door_table,
)
from engine.physics.objects.near_place import NearPlace
from engine.physics.objects.shadow_object import PhysicsObject, placed_object
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.world.cell_graph import CellGraph, cells_of
from engine.world.cells import Landblock, PlacedObject
from engine.world.frame import Position
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.source import DOOR_WEENIE

MOST_TOGETHER = (
    1 << 18
)  # cells that a landblock's statics are in, or its entities, each counted by itself; a village: 2,000
MOST_TRIED = 1 << 21  # parts of what stands in a landblock at openings: some twenty seconds
DOOR_SETUP = 0x020019FF
DOOR_MOTION_TABLE = 0x09000202


class MadeObject(NamedTuple):
    """An object ready to stand in the world: a door's clips, and its cells where they are known."""

    target: PhysicsObject
    motion: DoorMotion | None
    cells: CellArray | None


class SavedObjects(NamedTuple):
    """What stands in a world: objects as they were placed, their states and places, the order in the cells.

    ``states`` are those that are not the first, ``moved`` the entities that are not where they were placed,
    ``waiting`` those that wait for a landblock, ``gone`` those that were taken out. ``version`` and
    ``state_version`` are the registry's.
    """

    version: int
    state_version: int
    placed: dict[int, PlacedObject]
    states: dict[int, int]
    moved: dict[int, Position]
    order: dict[int, tuple[int, ...]]
    waiting: dict[int, tuple[int, ...]]
    gone: frozenset[int]


class _Prepared:
    """Objects of a landblock that is to be loaded, by id; ``graph`` holds its cells.

    ``together`` are how many cells its statics and its entities are in so far, ``tried`` how many openings
    were tried for that.
    """

    __slots__ = ("block", "graph", "made", "together", "tried")

    def __init__(self, block: Landblock) -> None:
        self.block = block
        self.graph = cells_of(block)
        self.made: dict[int, MadeObject | None] = {}
        self.together = {False: 0, True: 0}
        self.tried = 0


class WorldObjects:
    """Keeps the shadow registry and the doors in step with the loaded landblocks.

    Statics live as long as their landblock. Entities, once met, stay: their state and their doors' clocks
    run on, their shadows return with the cells. ``placed`` are the objects as they were placed, ``brought``
    the entities that the world has brought so far, as it did, ``gone`` those that were taken out of it, which
    it brings no more. ``mover`` is the id of the body that
    goes about, which nothing else can have. With ``near``
    the statics that come are left out, from ``placed`` too, that can't be met there.
    """

    __slots__ = (
        "_alike",
        "_motions",
        "_mover",
        "_posed",
        "_prepared",
        "brought",
        "doors",
        "gone",
        "near",
        "occupied",
        "placed",
        "registry",
        "world",
    )

    def __init__(self, world: World, occupied: Occupied, mover: int = 0) -> None:
        self.world = world
        self._mover = mover
        self.occupied = occupied
        self.near: NearPlace | None = None
        self.registry = ShadowRegistry(world)
        self.doors: dict[int, DoorController] = {}
        self.placed: dict[int, PlacedObject] = {}
        self.brought: dict[int, PlacedObject] = {}
        self.gone: set[int] = set()
        self._motions: dict[tuple[int, int], tuple[tuple[object, ...], DoorMotion]] = {}
        self._alike: dict[tuple[int, float], PhysicsObject] = {}
        self._posed = PoseRoom()
        self._prepared: dict[int, _Prepared] = {}
        for block in world.blocks.values():
            self._add_all(block)
        world.on_load.append(self._load)
        world.on_unload.append(self._unload)

    def close(self) -> None:
        """Stop listening to the world."""
        self.world.on_load.remove(self._load)
        self.world.on_unload.remove(self._unload)

    def add(self, placed: PlacedObject) -> bool:
        """Register an object, a door where it is one; False where its model is not there.

        Nothing collides with an object without a model; it stays among ``placed``, to be drawn as a marker.
        """
        self.gone.discard(placed.object_id)
        return self._stand(placed, self._make(placed))

    def prepare(self, block: Landblock) -> None:
        """Make the objects of a landblock that is to be loaded; on any thread."""
        self.stage(block, math.inf)

    def stage(self, block: Landblock, deadline: float) -> bool:
        """Make what ``prepare`` makes and nobody has, until about a time; whether all of it is made."""
        things = (*block.statics, *block.entities)
        if not things:
            return True  # mere ground never comes in, which would take it out again
        begun = self._prepared.get(block.id)
        if begun is None or begun.block is not block:
            begun = self._prepared[block.id] = _Prepared(block)
        for placed in things:
            if placed.object_id not in begun.made:
                if begun.together[placed.is_entity] > MOST_TOGETHER or begun.tried > MOST_TRIED:
                    continue  # no time is spent on what will be left out
                made = begun.made[placed.object_id] = self._make(placed, begun.graph)
                if made is not None and made.cells is not None:
                    begun.together[placed.is_entity] += len(made.cells.ids)
                    begun.tried += made.cells.tried
                if time.perf_counter() > deadline:
                    return False
        return True

    def forget(self, block: Landblock) -> None:
        """A landblock that was prepared is not to be loaded after all."""
        begun = self._prepared.pop(block.id, None)
        if begun is not None:
            self._let_go(row.target for row in begun.made.values() if row is not None)

    def remove(self, *entity_ids: int) -> None:
        """Take objects out of the world, for good: those that their landblocks would bring again, too."""
        self.gone.update(entity_ids)
        self._take_out(*entity_ids)

    def _take_out(self, *entity_ids: int) -> None:
        self.registry.deregister(*entity_ids)
        for entity_id in entity_ids:
            self.doors.pop(entity_id, None)
            self.placed.pop(entity_id, None)

    def saved(self, before: SavedObjects | None = None) -> SavedObjects:
        """What stands where and how; what is as in ``before`` is shared with it."""
        registry = self.registry
        version, state_version = registry.version, registry.state_version
        if before is not None and before.version == version:
            if before.state_version == state_version:
                return before
            placed, moved, order, waiting = before.placed, before.moved, before.order, before.waiting
        else:
            placed, order = dict(self.placed), registry.order()
            waiting = {block_id: tuple(ids) for block_id, ids in registry.waiting.items() if ids}
            moved = {
                entity_id: target.position
                for entity_id, target in registry.objects.items()
                if entity_id in placed and target.position != _position(placed[entity_id])
            }
        states = {
            entity_id: target.state
            for entity_id, target in registry.objects.items()
            if target.state != target.first_state
        }
        return SavedObjects(
            version=version,
            state_version=state_version,
            placed=placed,
            states=states,
            moved=moved,
            order=order,
            waiting=waiting,
            gone=frozenset(self.gone),
        )

    def restore(self, saved: SavedObjects) -> None:
        """Let the saved objects stand as they stood, as far as their landblocks are loaded; others go."""
        registry = self.registry
        if (registry.version, registry.state_version) == (saved.version, saved.state_version):
            return
        same_places = registry.version == saved.version
        if not same_places:
            self._restore_places(saved)
        for entity_id, target in registry.objects.items():
            state = saved.states.get(entity_id, target.first_state)
            if target.state != state:
                registry.update_physics_state(entity_id, state)
        if not same_places:
            registry.put_in_order(saved.order)
            for block_id, ids in saved.waiting.items():
                if block_id in registry.waiting:
                    registry.waiting[block_id] = dict.fromkeys(ids)

    def _restore_places(self, saved: SavedObjects) -> None:
        entities = [n for n, placed in self.placed.items() if placed.is_entity]
        self._take_out(*(n for n in entities if self.placed[n] is not saved.placed.get(n)))
        self.gone = set(saved.gone)
        for block in self.world.blocks.values():  # those that were met later are as they come
            for placed in block.entities:
                if not any(placed.object_id in known for known in (self.placed, saved.placed, self.gone)):
                    self.add(placed)
        for entity_id, placed in saved.placed.items():
            if entity_id not in self.placed and placed.is_entity:
                self.add(placed)
        for entity_id, target in self.registry.objects.items():
            there = saved.placed.get(entity_id)
            if there is not None and there.is_entity:
                position = saved.moved.get(entity_id, _position(there))
                if target.position != position:
                    self.registry.update_position(entity_id, position)

    def _make(self, placed: PlacedObject, graph: CellGraph | None = None) -> MadeObject | None:
        """The physics object of a placed one, in the cells of ``graph`` where they are all there are."""
        model = self.world.model(placed.model_id)
        if model is None:
            return None
        motion: DoorMotion | None = None
        table_id = self._door_table(placed, model)
        if table_id is not None:
            table = self.world.problems.fetch(self.world.source.motion_table, table_id) if table_id else None
            motion = self._door_motion(table_id, table, model)
        pose = motion.closed_pose if motion is not None else None
        alike = self._alike.get((placed.model_id, placed.scale))
        target = placed_object(placed, model, pose, alike)
        if alike is None or target.shapes is not alike.shapes:
            self._alike[placed.model_id, placed.scale] = target
        cells: CellArray | None = None
        if graph is not None:
            cells = calc_cross_cells(graph, target)
            if any(cell is None for cell in cells.cells):
                cells = None  # it reaches into landblocks that are not known here
        return MadeObject(target, motion, cells)

    def _stand(self, placed: PlacedObject, made: MadeObject | None) -> bool:
        self._take_out(placed.object_id)
        self.placed[placed.object_id] = placed
        if made is None:
            return False
        self.registry.register(made.target, made.cells)
        if made.motion is not None:
            self.doors[placed.object_id] = DoorController(
                made.target, made.motion, self.registry, self.occupied, facts=placed.door
            )
        return True

    def _door_table(self, placed: PlacedObject, model: Model) -> int | None:
        """The motion table of a door, 0 for a door without one; None for what is not a door.

        A door is what a spawn list calls one; where it says nothing, an entity whose table knows On and
        Off, or the house door's Setup, which falls back on its own table where none is named (sources 5).
        """
        if not placed.is_entity or placed.weenie_type not in (0, DOOR_WEENIE):
            return None
        table_id = placed.motion_table or model.motion_table
        if not table_id and placed.model_id == DOOR_SETUP:
            table_id = DOOR_MOTION_TABLE
        table = self.world.problems.fetch(self.world.source.motion_table, table_id) if table_id else None
        is_named = placed.door is not None or placed.model_id == DOOR_SETUP
        return table_id if is_named or (table is not None and is_door_table(table)) else None

    def _door_motion(self, table_id: int, table: MotionTable | None, model: Model) -> DoorMotion:
        """The clips of a table for a model, one object for all doors that play them."""
        made_of: tuple[object, ...] = (table, model, *door_records(self.world, table))
        known = self._motions.get((table_id, model.model_id))
        if known is not None and list(map(id, known[0])) == list(map(id, made_of)):
            return known[1]
        motion = door_motion(self.world, table, model, self._posed)
        self._motions[table_id, model.model_id] = (made_of, motion)
        return motion

    def _load(self, block: Landblock) -> None:
        self._add_all(block)
        self.registry.attach_block(block)

    def _add_all(self, block: Landblock) -> None:
        begun = self._prepared.pop(block.id, None)
        made = begun.made if begun is not None and begun.block is block else {}
        standing = (*block.statics, *block.entities)
        together = {False: 0, True: 0}
        left_out = untried = 0
        tried = self.registry.tried
        self.brought.update({entity.object_id: entity for entity in block.entities})
        for placed in self.world.under_way.through(f"objects standing in {hex_id(block.id)}", standing):
            if placed.is_entity and self._is_known(placed):
                continue
            there = self.placed.get(placed.object_id)
            if there is not None and there.is_entity and not placed.is_entity:
                self._refuse(there, f"what stands in cell {hex_id(placed.cell_id)} by itself")
            elif there is not None and block_of(there.cell_id) != block.id:
                self._refuse(placed, f"what stands in cell {hex_id(there.cell_id)}")
                block.statics.remove(placed)
                continue
            if self.near is not None and not placed.is_entity and not self.near.may_meet(placed):
                continue
            if together[placed.is_entity] > MOST_TOGETHER:
                self._stand(placed, None)
                left_out += 1
            elif self.registry.tried - tried > MOST_TRIED:
                self._stand(placed, None)
                untried += 1
            elif placed.object_id in made:
                self._stand(placed, made[placed.object_id])
            else:
                self.add(placed)
            together[placed.is_entity] += len(self.registry.cells_of(placed.object_id))
        if left_out:
            self.world.problems.report(
                f"{self.world.source.name}, object {hex_id(block.id | 0xFFFE)}: what stands in it is in over "
                f"{MOST_TOGETHER} cells, each counted by itself; nothing meets {left_out} objects more"
            )
        if untried:
            self.world.problems.report(
                f"{self.world.source.name}, object {hex_id(block.id | 0xFFFE)}: what stands in it has far "
                f"too many parts for as many openings; nothing meets {untried} objects more"
            )

    def _is_known(self, entity: PlacedObject) -> bool:
        """Whether an entity that comes stands already, was taken out, or can't stand for want of its id."""
        there = self.placed.get(entity.object_id)
        if entity.object_id == self._mover:
            self._refuse(entity, "the body that goes about")
        elif there is None:
            return entity.object_id in self.gone
        elif not there.is_entity:
            self._refuse(entity, f"what stands in cell {hex_id(there.cell_id)} by itself")
        return True

    def _refuse(self, entity: PlacedObject, owner: str) -> None:
        what = "entity" if entity.is_entity else "static"
        where = f"{what} {hex_id(entity.object_id)} in cell {hex_id(entity.cell_id)}"
        self.world.problems.report(f"{self.world.source.name}: {where} has the id of {owner}; left out")

    def _let_go(self, leaving: Iterable[PhysicsObject]) -> None:
        """Keep none of these for others to share its shapes: scenery has a scale of its own each time."""
        for target in leaving:
            key = (target.model_id, target.scale)
            if self._alike.get(key) is target:
                self._alike.pop(key, None)

    def _unload(self, block: Landblock) -> None:
        leaving = [placed.object_id for placed in block.statics]
        self._let_go(target for object_id in leaving if (target := self.registry.get(object_id)))
        self.registry.detach_block(block, leaving)
        for object_id in leaving:
            self.placed.pop(object_id, None)


def _position(placed: PlacedObject) -> Position:
    return Position(placed.cell_id, placed.frame)
