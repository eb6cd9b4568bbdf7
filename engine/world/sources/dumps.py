"""A world from a folder of dumps and its ``scene.json`` (sources 2, 3, 4)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.pieces.build_trees import bounds
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import EXACT_MATCH, OWNER_ON_POSITIVE_SIDE, SEEN_OUTSIDE, CellPortal, EnvCell
from engine.dat.records.environment import Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import GfxObjDegradeInfo
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BldPortal, BuildingInfo, LandBlockInfo
from engine.dat.records.motion_table import MotionTable
from engine.dat.records.palette import Palette
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.records.region import HEIGHTS, Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import Scene as SceneDesc
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import Vec3
from engine.world.frame import Frame, Position
from engine.world.ids import adjust_to_outside, block_of, inbound
from engine.world.location import format_location
from engine.world.source import Report, Scene
from engine.world.sources import plain_looks
from engine.world.sources.dump_records import (
    EXIT,
    CellDump,
    DumpPortal,
    cell_struct,
    parse_cell,
    parse_gfx_obj,
    parse_stored,
    read_dump,
)
from engine.world.sources.dump_setups import parse_setup, scene_setup_record
from engine.world.sources.scene_file import SceneBuilding, SceneFile, SceneGround

ENVIRONMENT_TYPE: Final = 0x0D000000
SAME_VERTEX: Final = 0.01
DEFAULT_BLOCK: Final = 0xA9B40000
GRASS_WORD: Final = plain_looks.GRASS_TYPE << 2

Stored = TypeVar("Stored", Animation, MotionTable)

_CELL_FILE = re.compile(r"^0x([0-9a-f]{8})\.json$", re.IGNORECASE)
_GFXOBJ_FILE = re.compile(r"^0x([0-9a-f]{8})\.gfxobj\.json$", re.IGNORECASE)
_SETUP_FILE = re.compile(r"^0x([0-9a-f]{8})\.setup\.json$", re.IGNORECASE)
_RECORD_FILE = re.compile(r"^0x([0-9a-f]{8})\.record\.json$", re.IGNORECASE)


class DumpsSource:
    """Records made from dumps: each cell is its own Environment, terrain is as flat as the scene says.

    Files are read on first use. A damaged one raises DatError naming file, id and reason.
    ``split_trees`` builds physics trees instead of one leaf that keeps the file order (sources 3).
    """

    def __init__(self, folder: Path, scene: SceneFile, *, split_trees: bool = False) -> None:
        self.folder = folder
        self._scene = scene
        self._split_trees = split_trees
        names = sorted(path.name for path in folder.iterdir())
        self._cell_files = _Files(folder, names, _CELL_FILE)
        self._gfxobj_files = _Files(folder, names, _GFXOBJ_FILE)
        self._setup_files = _Files(folder, names, _SETUP_FILE)
        self._record_files = _Files(folder, names, _RECORD_FILE)
        self._environments = {
            ENVIRONMENT_TYPE | number: cell_id for number, cell_id in enumerate(self._cell_files, start=1)
        }
        self._environment_of = {cell_id: key & 0xFFFF for key, cell_id in self._environments.items()}
        self._dumps: dict[int, CellDump | DatError] = {}
        self._setups = {setup.setup_id: setup for setup in scene.setups}
        self._planes = dict(scene.cell_planes)

    @property
    def name(self) -> str:
        """The folder."""
        return str(self.folder)

    @property
    def has_dumps(self) -> bool:
        """Whether the folder holds any dump at all."""
        return bool(self._cell_files or self._gfxobj_files or self._setup_files)

    # -- landblocks ----------------------------------------------------------------------------------

    def region(self) -> Region:
        """A plain region whose height table holds the heights that occur."""
        return self._region

    def land_block(self, block_id: int) -> LandBlock | None:
        """The ground of a landblock; None everywhere without a scene's terrain and without an exit."""
        x, y = (block_id >> 24) & 0xFF, (block_id >> 16) & 0xFF
        heights = self._ground
        if not heights or not inbound(8 * x, 8 * y):
            return None
        block_id = block_of(block_id)
        own = self._blocks.get(block_id)
        words: tuple[int, ...] = (GRASS_WORD,) * 81
        if own is not None:
            heights, words = own.heights, own.words
        elif block_id == self.home_block:
            heights = heights[:-1]
        else:
            heights = heights[-1:] * 81
        indices = tuple([self._height_index[height] for height in heights])
        has_objects = int(any(block_of(b.cell_id) == block_id for b in self._scene.buildings))
        return LandBlock(block_id | 0xFFFF, has_objects, words, indices)

    def land_block_info(self, block_id: int) -> LandBlockInfo | None:
        """The buildings that the scene places on a landblock."""
        block_id = block_of(block_id)
        cells = self.cell_ids(block_id)
        buildings = tuple(
            self._building(building)
            for building in self._scene.buildings
            if block_of(building.cell_id) == block_id
        )
        if not cells and not buildings:
            return None
        return LandBlockInfo(
            id=block_id | 0xFFFE, num_cells=len(cells), objects=(), mask=0, buildings=buildings
        )

    @cached_property
    def home_block(self) -> int:
        """The landblock that most cells are on, else the first object's, else 0xA9B4."""
        blocks = Counter(block_of(cell_id) for cell_id in self._cell_files)
        if blocks:
            return blocks.most_common(1)[0][0]
        placed = [building.cell_id for building in self._scene.buildings]
        placed += [item.cell_id for item in self._scene.objects]
        return block_of(placed[0]) if placed else DEFAULT_BLOCK

    @cached_property
    def _ground(self) -> tuple[float, ...]:
        """The 81 heights of the home block and the height of all others; empty without terrain."""
        terrain = self._scene.terrain
        if terrain is not None:
            return (*terrain.heights, terrain.outside)
        sill = self._lowest_sill()
        return () if sill is None else (sill,) * 82

    @cached_property
    def _height_index(self) -> dict[float, int]:
        heights = {*self._ground, *(height for block in self._blocks.values() for height in block.heights)}
        return {height: index for index, height in enumerate(sorted(heights))}

    @cached_property
    def _blocks(self) -> dict[int, SceneGround]:
        """The landblocks whose ground the scene gives one by one."""
        return {} if self._scene.terrain is None else dict(self._scene.terrain.blocks)

    @cached_property
    def _region(self) -> Region:
        heights = tuple(self._height_index)
        return plain_looks.region(heights[:HEIGHTS] or (0.0,))

    def _lowest_sill(self) -> float | None:
        lowest: float | None = None
        for cell_id in self._cell_files:
            dump = self._dump_or_none(cell_id)
            if dump is None:
                continue
            frame = Frame.stored(dump.frame)
            for portal in dump.portals:
                polygon = dump.polygon(portal.polygon) if portal.other_cell == EXIT else None
                for corner in polygon.corners if polygon is not None else ():
                    z = frame.to_global(corner)[2]
                    lowest = z if lowest is None else min(lowest, z)
        return lowest

    def _building(self, building: SceneBuilding) -> BuildingInfo:
        portals = tuple(
            BldPortal(p.flags, p.cell & 0xFFFF, p.portal, tuple(seen & 0xFFFF for seen in p.sees))
            if p.flags is not None
            else self._building_portal(p.cell, p.portal)
            for p in building.portals
        )
        return BuildingInfo(building.model_id, building.frame, 0, portals)

    def _building_portal(self, cell_id: int, index: int) -> BldPortal:
        """The outside of a cell's exit: its polygon, the inverse side, the cells visible from there."""
        dump = self._dump_or_none(cell_id)
        if dump is None or index >= len(dump.portals):
            return BldPortal(0, cell_id & 0xFFFF, min(index, 0x7FFF), ())
        inner = dump.portals[index].flags
        flags = (inner & EXACT_MATCH) | (0 if inner & OWNER_ON_POSITIVE_SIDE else OWNER_ON_POSITIVE_SIDE)
        seen = {visible & 0xFFFF for visible in dump.visible if block_of(visible) == block_of(cell_id)}
        return BldPortal(flags, cell_id & 0xFFFF, index, tuple(sorted(seen | {cell_id & 0xFFFF})))

    # -- cells ---------------------------------------------------------------------------------------

    def block_ids(self) -> tuple[int, ...]:
        """The landblocks of the dumped cells and of the scene's buildings."""
        blocks = {block_of(cell_id) for cell_id in self._cell_files}
        return tuple(sorted(blocks | {block_of(building.cell_id) for building in self._scene.buildings}))

    def cell_ids(self, block_id: int) -> tuple[int, ...]:
        """The cells of a landblock that have a dump."""
        block_id = block_of(block_id)
        return tuple(cell_id for cell_id in self._cell_files if block_of(cell_id) == block_id)

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """A cell record; neighbours' portals are matched by their corners."""
        if cell_id not in self._cell_files:
            return None
        dump = self._dump(cell_id)
        return EnvCell(
            id=cell_id,
            flags=SEEN_OUTSIDE if self._seen_outside(dump) else 0,
            surfaces=plain_looks.SURFACE_SLOTS,
            environment=self._environment_of[cell_id],
            structure=0,
            frame=dump.frame,
            portals=tuple(
                CellPortal(portal.flags, portal.polygon, portal.other_cell, self._other_portal(dump, portal))
                for portal in dump.portals
            ),
            visible=tuple(visible & 0xFFFF for visible in dump.visible),
        )

    def environment(self, environment_id: int) -> Environment | None:
        """The Environment that holds one cell's structure."""
        cell_id = self._environments.get(environment_id)
        if cell_id is None:
            return None
        planes = self._planes.get(cell_id)
        return Environment(
            environment_id, (cell_struct(self._dump(cell_id), planes, split_trees=self._split_trees),)
        )

    def _dump(self, cell_id: int) -> CellDump:
        """A cell's dump, read once. Raises DatError each time it is asked for a damaged one."""
        if cell_id not in self._dumps:
            try:
                path = self._cell_files.get(cell_id)
                assert path is not None  # who asks has looked
                dump = read_dump(path, cell_id, parse_cell)
                if dump.cell_id != cell_id:
                    raise DatError(str(path), cell_id, None, f"CellId is {hex_id(dump.cell_id)}")
                self._dumps[cell_id] = dump
            except DatError as error:
                self._dumps[cell_id] = error
        known = self._dumps[cell_id]
        if isinstance(known, DatError):
            raise known
        return known

    def _dump_or_none(self, cell_id: int) -> CellDump | None:
        if cell_id not in self._cell_files:
            return None
        try:
            return self._dump(cell_id)
        except DatError:
            return None

    def _seen_outside(self, dump: CellDump) -> bool:
        if dump.seen_outside is not None:
            return dump.seen_outside
        seen = (self._dump_or_none(cell_id) for cell_id in dump.visible)
        return dump.has_exit or any(other is not None and other.has_exit for other in seen)

    def _other_portal(self, dump: CellDump, portal: DumpPortal) -> int:
        """The index of the neighbour's portal back through the same opening, -1 for none."""
        if portal.other_cell == EXIT:
            return -1
        other = self._dump_or_none(block_of(dump.cell_id) | portal.other_cell)
        corners = _corners(dump, portal)
        if other is None or not corners:
            return -1
        for index, back in enumerate(other.portals):
            if back.other_cell == dump.cell_id & 0xFFFF and _same_corners(corners, _corners(other, back)):
                return index
        return -1

    # -- models and looks ----------------------------------------------------------------------------

    def gfx_obj(self, gfx_obj_id: int) -> GfxObj | None:
        """A model from its dump, drawn in a flat colour."""
        path = self._gfxobj_files.get(gfx_obj_id)
        if path is None:
            return None
        record = read_dump(path, gfx_obj_id, lambda node: parse_gfx_obj(node, split_trees=self._split_trees))
        if record.id != gfx_obj_id:
            raise DatError(str(path), gfx_obj_id, None, f"GfxObjId is {hex_id(record.id)}")
        return record

    def setup(self, setup_id: int) -> Setup | None:
        """A setup from the scene or from its own file."""
        if setup_id in self._setups:
            return scene_setup_record(self._setups[setup_id])
        path = self._setup_files.get(setup_id)
        if path is None:
            return None
        return read_dump(path, setup_id, lambda node: parse_setup(node, setup_id))

    def surface(self, surface_id: int) -> Surface | None:
        """One of the plain surfaces."""
        return plain_looks.surface(surface_id)

    def surface_texture(self, texture_id: int) -> SurfaceTexture | None:
        """The texture of a plain surface."""
        return plain_looks.surface_texture(texture_id)

    def render_surface(self, surface_id: int) -> RenderSurface | None:
        """The image of a plain surface."""
        return plain_looks.render_surface(surface_id)

    def palette(self, palette_id: int) -> Palette | None:
        """None: dumps hold no palettes."""
        return None

    def animation(self, animation_id: int) -> Animation | None:
        """An animation, where the folder holds its record."""
        return self._record(animation_id, Animation)

    def motion_table(self, table_id: int) -> MotionTable | None:
        """A motion table, where the folder holds its record."""
        return self._record(table_id, MotionTable)

    def _record(self, object_id: int, kind: type[Stored]) -> Stored | None:
        path = self._record_files.get(object_id)
        if path is None:
            return None
        record = read_dump(path, object_id, lambda node: parse_stored(node, object_id))
        return record if isinstance(record, kind) else None

    def degrade_info(self, info_id: int) -> GfxObjDegradeInfo | None:
        """None: dumps hold no levels of detail."""
        return None

    def particle_emitter(self, emitter_id: int) -> ParticleEmitter | None:
        """None: dumps hold no particle emitters."""
        return None

    def physics_script(self, script_id: int) -> PhysicsScript | None:
        """None: dumps hold no scripts."""
        return None

    def physics_script_table(self, table_id: int) -> PhysicsScriptTable | None:
        """None: dumps hold no scripts."""
        return None

    def scene_desc(self, scene_id: int) -> SceneDesc | None:
        """None: nothing grows in a world of dumps."""
        return None

    # -- where things are ----------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The objects of ``scene.json``."""
        return self._scene.scene()

    def listen(self, report: Report) -> None:
        """Nothing here is optional: each damaged file is an object of its own."""

    @property
    def has_home(self) -> bool:
        """Whether the scene says where a walk begins."""
        return bool(self._scene.home)

    def home(self) -> str:
        """The scene's own home, else the middle of the first cell with an exit, else the open ground."""
        if self._scene.home:
            return self._scene.home
        dumps = [dump for dump in map(self._dump_or_none, self._cell_files) if dump is not None]
        for dump in sorted(dumps, key=lambda dump: not dump.has_exit):
            corners = [corner for polygon in dump.drawing for corner in polygon.corners]
            if corners:
                x, y, _ = bounds(corners).center
                low = min(corner[2] for corner in corners)
                place = Frame.stored(dump.frame).to_global((x, y, low))
                return format_location(Position(dump.cell_id, Frame(place)))
        height = self._ground[4 * 9 + 4] if self._ground else 0.0
        cell_id, origin = adjust_to_outside(self.home_block | 0xFFFF, (96.0, 96.0, height))
        return format_location(Position(cell_id, Frame(origin)))


class _Files:
    """The dumps of one kind in a folder, by id in order; names differ by case alone where one has two."""

    def __init__(self, folder: Path, names: list[str], pattern: re.Pattern[str]) -> None:
        found: dict[int, list[Path]] = {}
        for name in names:
            match = pattern.match(name)
            if match is not None:
                found.setdefault(int(match[1], 16), []).append(folder / name)
        self._paths = dict(sorted(found.items()))

    def __iter__(self) -> Iterator[int]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, object_id: int) -> bool:
        return object_id in self._paths

    def get(self, object_id: int) -> Path | None:
        """The only file of an id. Raises DatError where there are two: nobody knows which one counts."""
        paths = self._paths.get(object_id, [])
        if len(paths) > 1:
            others = ", ".join(path.name for path in paths[1:])
            raise DatError(str(paths[0]), object_id, None, f"given twice: {others} is a dump of it, too")
        return paths[0] if paths else None


def _corners(dump: CellDump, portal: DumpPortal) -> list[Vec3]:
    """A portal's corners in the block frame."""
    polygon = dump.polygon(portal.polygon)
    frame = Frame.stored(dump.frame)
    return [] if polygon is None else [frame.to_global(corner) for corner in polygon.corners]


def _same_corners(a: list[Vec3], b: list[Vec3]) -> bool:
    return (
        bool(b)
        and all(min(math.dist(p, q) for q in b) < SAME_VERTEX for p in a)
        and all(min(math.dist(p, q) for q in a) < SAME_VERTEX for p in b)
    )
