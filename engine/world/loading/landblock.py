"""One landblock from records: terrain, cells, buildings and what stands there (dat-format 3.1-3.3, 4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.number_rules import FARTHEST, length_fault, place_fault
from engine.dat.records import env_cell, land_block
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.records.scene import Scene as SceneDesc
from engine.made_once import MadeOnce
from engine.world.cells import EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame
from engine.world.ids import adjust_to_outside, block_of, is_outdoor
from engine.world.loading.buildings import BuildingLoader
from engine.world.loading.env_cells import CellLoader, checked_frame
from engine.world.loading.model_store import ModelStore
from engine.world.loading.scenery import MOST_GROWN, place_scenery
from engine.world.models import Model
from engine.world.source import Problems, SceneObject, WorldSource
from engine.world.terrain import add_land_cells
from engine.world.under_way import UnderWay

STATIC_IDS = 0x40000000
MOST_OF_ENTITIES = 1_000_000  # of those that a scene or a spawn list places, a line each
MOST_SHAPES = 100_000  # of what stands in a landblock by itself; a village has some hundreds
MOST_POLYGONS = 1 << 21  # that these collide by: a tick may ask each of them, in each of its sub-steps
SCENERY_IDS = 0x10000000
IDS_OF_BLOCK = 0x1000


_reach: Final = MadeOnce(Model.reach)
_collided: Final = MadeOnce(Model.collided)


class BlockLoader:
    """Builds landblocks; damage is a line in ``problems`` naming file, object and reason, and it goes on."""

    def __init__(self, source: WorldSource, problems: Problems, under_way: UnderWay) -> None:
        self.source = source
        self.problems = problems
        self.under_way = under_way
        self.models = ModelStore(source, problems)
        self._cells = CellLoader(source, problems, under_way)
        self._buildings = BuildingLoader(source, problems, self.models)
        self._scene: tuple[SceneObject, ...] = ()
        self._scene_blocks: dict[int, list[tuple[int, SceneObject]]] = {}
        self._scene_statics: dict[int, int] = {}  # which object of the scene has an id first

    def load(self, block_id: int) -> Landblock | None:
        """The landblock of an id (any low word) with all its cells; None where the source has nothing."""
        block_id = block_of(block_id)
        terrain = self.problems.fetch(self.source.land_block, block_id)
        info = self.problems.fetch(self.source.land_block_info, block_id)
        cells = self._cells.load_cells(block_id)
        if terrain is None and info is None and not cells:
            return None
        block = Landblock(block_id)
        if terrain is not None and self._add_heights(block, terrain):
            add_land_cells(block)
        block.env_cells = {cell_id: cell for cell_id, (cell, _) in cells.items()}
        if info is not None:
            self._buildings.add_buildings(block, info.buildings)
            self._add_stabs(block, info.objects)
        for cell, stored in self.under_way.through(f"objects in {hex_id(block_id)}", cells.values()):
            self._add_cell_statics(block, cell, stored)
        self._add_scene(block)
        flat = all(height == 0.0 for height in block.heights)
        block.is_dungeon = flat and bool(block.env_cells) and not (info is not None and info.buildings)
        if block.land_cells and not block.is_dungeon:
            self._add_scenery(block, info)
        self._leave_out_crowd(block, block.statics, MOST_SHAPES)
        self._leave_out_crowd(block, block.entities, MOST_OF_ENTITIES)
        return block

    def _leave_out_crowd(self, block: Landblock, things: list[PlacedObject], most: int) -> None:
        """Let what stands in a landblock have but so many parts, shapes and polygons to collide by.

        Few bytes can make millions.
        """
        shapes, polygons = most, MOST_POLYGONS
        for number, placed in enumerate(things):
            model = self.models.model(placed.model_id)
            if model is None:
                continue
            shapes -= len(model.parts) + len(model.cylspheres) + len(model.spheres)
            polygons -= _collided(model)
            if shapes < 0 or polygons < 0:
                what = f"parts and shapes of what stands in it are over {most}"
                if polygons < 0:
                    what = f"physics polygons of what stands in it are over {MOST_POLYGONS}"
                self._report(block.id | 0xFFFF, f"{what}: {len(things) - number} objects are left out")
                del things[number:]
                return

    def trim(self, blocks: Iterable[Landblock], most_polygons: int) -> bool:
        """Forget models and structures that none of these landblocks uses, once there are too many.

        Whether there were.
        """
        if self.models.size() + self._cells.size() <= most_polygons:
            return False
        blocks = list(blocks)
        models = {thing.model_id for block in blocks for thing in (*block.statics, *block.entities)}
        models.update(building.model_id for block in blocks for building in block.buildings)
        cells = [cell for block in blocks for cell in block.env_cells.values()]
        self.models.keep(models)
        self._cells.keep({(cell.structure.environment_id, cell.structure.structure) for cell in cells})
        return True

    def load_ground(self, block_id: int) -> Landblock | None:
        """The heights and terrain of a landblock, no cells, nothing that stands on it; None where none is."""
        block_id = block_of(block_id)
        terrain = self.problems.fetch(self.source.land_block, block_id)
        if terrain is None:
            return None
        block = Landblock(block_id)
        return block if self._add_heights(block, terrain) else None

    def _add_heights(self, block: Landblock, terrain: land_block.LandBlock) -> bool:
        """Give a landblock its heights in metres and its terrain; False, with a problem, for bad ones."""
        try:
            table = self.source.region().land.heights
        except DatError as error:
            self.problems.report(str(error))
            return False
        try:
            block.heights = tuple(table[index] for index in terrain.height)
        except IndexError:
            self._report(block.id | 0xFFFF, f"a height index is beyond the table's {len(table)} heights")
            return False
        fault = next(filter(None, map(length_fault, set(block.heights))), None)
        if fault is not None:
            self._report(block.id | 0xFFFF, f"a height of the region's table {fault}; no terrain")
            block.heights = ()
            return False
        block.terrain = terrain.terrain
        return True

    def _add_stabs(self, block: Landblock, stabs: Iterable[Stab]) -> None:
        for number, stab in enumerate(stabs):
            frame = checked_frame(
                stab.frame,
                f"the frame of object {number}",
                lambda line: self._report(block.id | 0xFFFE, line),
            )
            if frame is None:
                continue
            cell_id, origin = adjust_to_outside(block.id | 0xFFFF, frame.origin)
            if cell_id == 0:
                self._report(block.id | 0xFFFE, f"object {number} stands off the map; left out")
                continue
            self._add_static(block, stab.id, cell_id, frame.with_origin(origin))

    def _add_cell_statics(self, block: Landblock, cell: EnvCell, stored: env_cell.EnvCell) -> None:
        for number, stab in enumerate(stored.statics or ()):
            frame = checked_frame(
                stab.frame, f"the frame of object {number}", lambda line: self._report(cell.id, line)
            )
            if frame is not None:
                self._add_static(block, stab.id, cell.id, frame)

    def _add_static(self, block: Landblock, model_id: int, cell_id: int, frame: Frame) -> None:
        self.models.model(model_id)  # built now, with its problems; a marker stands for one that is missing
        object_id = static_id(block.id, len(block.statics))
        block.statics.append(PlacedObject(object_id, model_id, cell_id, frame))

    def _add_scenery(self, block: Landblock, info: LandBlockInfo | None) -> None:
        region = self.source.region()
        if region.scene is None:
            return
        buildings = info.buildings if info is not None else ()
        places = [b.frame.origin for b in buildings if place_fault(b.frame.origin) is None]
        built = {adjust_to_outside(block.id | 0xFFFF, place)[0] for place in places}
        growing = place_scenery(
            block,
            region,
            scene_of=self._scene_desc,
            model_of=self.models.model,
            built=built,
            report=self._report,
        )
        for number, item in enumerate(growing):
            if number == MOST_GROWN:
                self._report(block.id | 0xFFFF, f"over {MOST_GROWN} things grow in it; the rest is left out")
                return
            object_id = scenery_id(block.id, number)
            placed = PlacedObject(
                object_id=object_id,
                model_id=item.model_id,
                cell_id=item.cell_id,
                frame=item.frame,
                scale=item.scale,
            )
            block.statics.append(placed)

    def _scene_desc(self, scene_id: int) -> SceneDesc | None:
        missing = f"{self.source.name}, object {hex_id(scene_id)}: Scene is missing; nothing grows by it"
        return self.problems.require(self.source.scene_desc, scene_id, missing)

    def scene_in(self, block_id: int) -> Sequence[tuple[int, SceneObject]]:
        """The scene's objects that stand in a landblock, each with its number in the scene."""
        objects = self.source.scene().objects
        if objects is not self._scene:  # spawn lists are long: they are sorted by landblock once
            self._scene, self._scene_blocks, self._scene_statics = objects, {}, {}
            for number, item in enumerate(objects):
                self._scene_blocks.setdefault(block_of(item.cell_id), []).append((number, item))
                if not item.is_entity:
                    self._scene_statics.setdefault(scene_object_id(number, item), number)
        return self._scene_blocks.get(block_id, ())

    def _add_scene(self, block: Landblock) -> None:
        own = self.scene_in(block.id)
        there = {placed.object_id for placed in block.statics} if own else set()
        for number, item in own:
            where = item.where or f"{self.source.scene().path or self.source.name}: objects[{number}]"
            own_id = scene_object_id(number, item)
            if not item.is_entity and (own_id in there or self._scene_statics[own_id] != number):
                self.problems.report(f"{where}: static {hex_id(own_id)} is there already; left out")
            else:
                self._add_scene_object(block, number, item, where)

    def _add_scene_object(self, block: Landblock, number: int, item: SceneObject, where: str) -> None:
        known = bool(block.land_cells) if is_outdoor(item.cell_id) else item.cell_id in block.env_cells
        if not known:
            self.problems.report(f"{where}: there is no cell {hex_id(item.cell_id)}; left out")
            return
        model = self.models.model(item.model_id)
        reach = 0.0 if model is None else _reach(model) * item.scale
        if reach > FARTHEST:
            size = f"model {hex_id(item.model_id)} at scale {item.scale:g} reaches {reach:.3g} m"
            self.problems.report(f"{where}: {size}, over {FARTHEST:.0f} m; left out")
            return
        placed = PlacedObject(
            object_id=scene_object_id(number, item),
            model_id=item.model_id,
            cell_id=item.cell_id,
            frame=Frame.stored(item.frame),
            scale=item.scale,
            state=item.state,
            is_entity=item.is_entity,
            name=item.name,
            motion_table=item.motion_table,
            weenie_type=item.weenie_type,
            door=item.door,
            hours=item.hours,
        )
        (block.entities if item.is_entity else block.statics).append(placed)

    def _report(self, object_id: int, reason: str) -> None:
        self.problems.report(f"{self.source.name}, object {hex_id(object_id)}: {reason}")


def scene_object_id(number: int, item: SceneObject) -> int:
    """The object id of a scene's n-th object (sources 4)."""
    if item.entity_id is not None:
        return item.entity_id
    return STATIC_IDS + number if item.static_id is None else item.static_id


def static_id(block_id: int, number: int) -> int:
    """The object id of a landblock's n-th static; those of a scene file are 0x40000000 + n (sources 4)."""
    return _object_id(STATIC_IDS, block_id, number)


def scenery_id(block_id: int, number: int) -> int:
    """The object id of a landblock's n-th piece of scenery."""
    return _object_id(SCENERY_IDS, block_id, number)


def is_counted_id(object_id: int) -> bool:
    """Whether an id is one that things without an id of their own are counted by."""
    return object_id >> 28 in {STATIC_IDS >> 28, SCENERY_IDS >> 28} or object_id >> 32 != 0


def _object_id(first: int, block_id: int, number: int) -> int:
    page, rest = divmod(number, IDS_OF_BLOCK)  # ids stay apart where a block holds more than a page
    return (page << 32) + first + IDS_OF_BLOCK * (1 + (block_id >> 16)) + rest
