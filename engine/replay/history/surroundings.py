"""What lies around a stretch of ticks as a folder of dumps, for somebody who has no such world."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.setup import Setup
from engine.dat.values import Plane, StoredFrame
from engine.files.json_form import Json
from engine.files.write import write_text
from engine.physics.objects.motion_clip import door_records
from engine.physics.objects.world_objects import DOOR_MOTION_TABLE, DOOR_SETUP
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import Building, EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame
from engine.world.ids import BLOCK_SIDE, block_of, inbound, is_outdoor
from engine.world.loading.world import World
from engine.world.source import SceneObject
from engine.world.sources.dump_writer import (
    cell_document,
    gfxobj_document,
    record_document,
    setup_document,
)
from engine.world.sources.open_source import SCENE_NAME
from engine.world.sources.scene_file import (
    SceneBuilding,
    SceneFile,
    SceneGround,
    ScenePortal,
    SceneTerrain,
)
from engine.world.sources.scene_text import format_scene

NEAR: Final = 50.0  # metres from a landblock's border from which its neighbour is dumped, too
MOST_CELLS: Final = 256  # of a landblock that are dumped whole; of larger ones what can be seen from the way
LARGEST_ID: Final = 0xFFFFFFFF
SETUP_TYPE: Final = 0x02


@dataclass(frozen=True, slots=True)
class Dumped:
    """How much was written: cells, models (GfxObjs and Setups), and the bytes of all files.

    ``lost`` are the ids of what the world was built of, and its files give no longer.
    """

    cells: int
    models: int
    size: int
    lost: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """In a few words."""
        return f"{self.cells} cells and {self.models} models, {self.size / 1e6:.1f} MB"


def write_surroundings(
    world: World,
    reports: Iterable[TickReport],
    seen: Iterable[int],
    folder: Path,
    *,
    by_hand: Iterable[PlacedObject] = (),
) -> Dumped:
    """Write the cells, ground and things around where these reports have the body, and the cells ``seen``.

    Things stand as the world brings them; of those that are put down ``by_hand`` there are the models alone.
    OSError where a file can't be written.
    """
    return _Writer(world, folder).write(list(reports), set(seen), by_hand)


class _Writer:
    """Writes each record once; ``_size`` counts bytes."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self._folder = folder
        self._blocks: dict[int, Landblock | None] = {}
        self._models: set[int] = set()
        self._lost: list[str] = []
        self._size = 0

    def write(self, reports: list[TickReport], seen: set[int], by_hand: Iterable[PlacedObject]) -> Dumped:
        self._folder.mkdir(parents=True, exist_ok=True)
        wanted = self._wanted(reports)
        blocks = [block for block_id in sorted(wanted) if (block := self._block(block_id)) is not None]
        cells = self._cells(blocks, reports, seen)
        planes = []
        for cell in cells.values():
            self._cell(cell)
            tree = cell.structure.cell_tree
            if tree is not None:
                planes.append((cell.id, tuple([Plane((x, y, z), d) for x, y, z, d in tree.planes])))
        placed = [
            thing
            for block in blocks
            for thing in (*block.statics, *block.entities)
            if is_outdoor(thing.cell_id) or thing.cell_id in cells
        ]
        buildings = [building for block in blocks for building in block.buildings]
        for thing in (*placed, *by_hand):
            self._model(thing.model_id)
            self._motions(thing)
        for building in buildings:
            self._model(building.model_id)
        scene = SceneFile(
            terrain=_terrain(blocks, tuple([block for block in sorted(wanted) if self._is_missing(block)])),
            objects=tuple(map(scene_object, placed)),
            buildings=tuple(map(_scene_building, buildings)),
            cell_planes=tuple(planes),
        )
        self._text(SCENE_NAME, format_scene(scene))
        return Dumped(len(cells), len(self._models), self._size, tuple(self._lost))

    def _wanted(self, reports: list[TickReport]) -> set[int]:
        """The landblocks of the way, and those whose border it came near, but from within a dungeon."""
        wanted = set()
        for report in reports:
            cell_id, (x, y, _) = report.cell, report.position
            home = self._block(block_of(cell_id))
            if home is None or home.stands_alone(cell_id):
                wanted.add(block_of(cell_id))
                continue
            east, north = cell_id >> 24, cell_id >> 16 & 0xFF
            for i in range(-(x < NEAR), 1 + (x > BLOCK_SIDE - NEAR)):
                for j in range(-(y < NEAR), 1 + (y > BLOCK_SIDE - NEAR)):
                    if inbound(8 * (east + i), 8 * (north + j)):
                        wanted.add((east + i) << 24 | (north + j) << 16)
        return wanted

    def _block(self, block_id: int) -> Landblock | None:
        """A landblock; one that the body has left, and that is loaded no more, is built again."""
        if block_id not in self._blocks:
            world = self._world
            self._blocks[block_id] = world.blocks.get(block_id) or world.build_block(block_id)
        return self._blocks[block_id]

    def _is_missing(self, block_id: int) -> bool:
        """Whether the world has no ground there: dumps would make some up."""
        with suppress(DatError):
            return self._world.source.land_block(block_id) is None
        return True

    def _cells(
        self, blocks: list[Landblock], reports: list[TickReport], seen: set[int]
    ) -> dict[int, EnvCell]:
        """The cells of landblocks that are not too large; of those that are, what the way can see."""
        met = seen | {cell_id for report in reports for cell_id in (report.cell, *report.cells)}
        out: dict[int, EnvCell] = {}
        for block in blocks:
            chosen = set(block.env_cells)
            if len(chosen) > MOST_CELLS:
                chosen &= met
                chosen |= {other for cell_id in chosen for other in block.env_cells[cell_id].stab_list}
            out |= {cell_id: cell for cell_id, cell in block.env_cells.items() if cell_id in chosen}
        return out

    def _cell(self, cell: EnvCell) -> None:
        source = self._world.source
        with suppress(DatError):  # a damaged one was reported when it was loaded
            stored = source.env_cell(cell.id)
            environment = None if stored is None else source.environment(stored.environment_id)
            structure = None if stored is None or environment is None else environment.cell(stored.structure)
            if stored is not None and structure is not None:
                self._document(f"{hex_id(cell.id)}.json", cell_document(cell.id, stored, structure))
                return
        self._lost.append(hex_id(cell.id))

    def _model(self, model_id: int) -> None:
        if model_id in self._models or not model_id:
            return
        self._models.add(model_id)
        with suppress(DatError):
            if model_id >> 24 == SETUP_TYPE:
                setup = self._world.source.setup(model_id)
                if isinstance(setup, Setup):
                    self._document(f"{hex_id(model_id)}.setup.json", setup_document(setup))
                    for part in setup.parts:
                        self._model(part)
                    return
            else:
                gfxobj = self._world.source.gfx_obj(model_id)
                if gfxobj is not None:
                    self._document(f"{hex_id(model_id)}.gfxobj.json", gfxobj_document(gfxobj))
                    return
        if self._world.loader.models.has(model_id):
            self._lost.append(hex_id(model_id))

    def _motions(self, thing: PlacedObject) -> None:
        """What moves a door: its table and the animations of its two clips and two states."""
        model = self._world.model(thing.model_id) if thing.is_entity else None
        if model is None:
            return
        usual = DOOR_MOTION_TABLE if thing.model_id == DOOR_SETUP else 0
        table_id = thing.motion_table or model.motion_table or usual
        if not table_id or table_id in self._models:
            return
        with suppress(DatError):
            table = self._world.source.motion_table(table_id)
            if table is None:
                return
            self._models.add(table_id)
            self._document(f"{hex_id(table_id)}.record.json", record_document(table))
            for animation in door_records(self._world, table):
                if animation is not None:
                    self._document(f"{hex_id(animation.id)}.record.json", record_document(animation))

    def _document(self, name: str, document: Json) -> None:
        self._text(name, json.dumps(document) + "\n")

    def _text(self, name: str, text: str) -> None:
        self._size += len(text)
        write_text(self._folder / name, text)


def _terrain(blocks: list[Landblock], missing: tuple[int, ...]) -> SceneTerrain | None:
    grounds = [
        (block.id, SceneGround(block.heights, tuple(block.terrain))) for block in blocks if block.heights
    ]
    if not grounds:
        return None
    heights = grounds[0][1].heights
    return SceneTerrain(heights, heights[0], tuple(grounds), missing)


def scene_object(placed: PlacedObject) -> SceneObject:
    """An object as its world brought it, in the form of a scene file."""
    is_static = not placed.is_entity
    return SceneObject(
        model_id=placed.model_id,
        cell_id=placed.cell_id,
        frame=_stored(placed.frame),
        entity_id=None if is_static else placed.object_id,
        state=placed.state,
        motion_table=placed.motion_table,
        scale=placed.scale,
        name=placed.name,
        weenie_type=placed.weenie_type,
        door=placed.door,
        hours=placed.hours,
        static_id=placed.object_id if is_static and placed.object_id <= LARGEST_ID else None,
    )


def _scene_building(building: Building) -> SceneBuilding:
    block = block_of(building.pos.cell_id)
    portals = [
        ScenePortal(
            cell=block | portal.other_cell_id & 0xFFFF,
            portal=portal.other_portal_id,
            flags=portal.flags,
            sees=tuple(portal.stab_list),
        )
        for portal in building.portals
        if portal.other_portal_id >= 0
    ]
    return SceneBuilding(building.model_id, building.pos.cell_id, _stored(building.pos.frame), tuple(portals))


def _stored(frame: Frame) -> StoredFrame:
    return StoredFrame(frame.origin, frame.quat)
