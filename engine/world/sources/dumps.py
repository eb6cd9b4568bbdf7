"""A world from a folder of dumps and its ``scene.json`` (sources 2, 3, 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeVar

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.number_rules import place_fault
from engine.dat.pieces.point_rows import bounds
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
from engine.dat.records.region import Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import Scene as SceneDesc
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.world.frame import Frame, Position
from engine.world.ids import MIDDLE_LAND_CELL, block_of, middle_of_land_cell
from engine.world.location import format_location, ground_location
from engine.world.source import Report, Scene
from engine.world.sources import plain_looks
from engine.world.sources.dump_folder import DumpFolder
from engine.world.sources.dump_ground import DumpGround
from engine.world.sources.dump_records import (
    cell_struct,
    parse_gfx_obj,
    parse_stored,
    read_dump,
)
from engine.world.sources.dump_setups import parse_setup, scene_setup_record
from engine.world.sources.scene_file import SceneBuilding, SceneFile
from engine.world.terrain import ground_height

ENVIRONMENT_TYPE: Final = 0x0D000000

Stored = TypeVar("Stored", Animation, MotionTable)


class DumpsSource:
    """Records made from dumps: each cell is its own Environment, terrain is as flat as the scene says.

    Files are read on first use. A damaged one raises DatError naming file, id and reason.
    ``split_trees`` builds physics trees instead of one leaf that keeps the file order (sources 3).
    """

    def __init__(self, folder: Path, scene: SceneFile, *, split_trees: bool = False) -> None:
        self.folder = folder
        self._scene = scene
        self._split_trees = split_trees
        self._files = DumpFolder(folder)
        self._ground = DumpGround(self._files, scene)
        self._environments = {
            ENVIRONMENT_TYPE | number: cell_id for number, cell_id in enumerate(self._files.cells, start=1)
        }
        self._environment_of = {cell_id: key & 0xFFFF for key, cell_id in self._environments.items()}
        self._setups = {setup.setup_id: setup for setup in scene.setups}
        self._planes = dict(scene.cell_planes)
        self._cells_of: dict[int, list[int]] = {}
        for cell_id in self._files.cells:
            self._cells_of.setdefault(block_of(cell_id), []).append(cell_id)
        self._buildings_of: dict[int, list[SceneBuilding]] = {}
        for building in scene.buildings:
            self._buildings_of.setdefault(block_of(building.cell_id), []).append(building)
        self._seen_from: dict[int, tuple[int, ...]] = {}

    def close(self) -> None:
        """Nothing is kept open."""

    @property
    def name(self) -> str:
        """The folder."""
        return str(self.folder)

    @property
    def is_plain(self) -> bool:
        """Dumps tell no surfaces and no environments."""
        return True

    @property
    def has_dumps(self) -> bool:
        """Whether the folder holds any dump at all."""
        return bool(self._files.cells or self._files.gfx_objs or self._files.setups)

    @property
    def home_block(self) -> int:
        """The landblock that most cells are on."""
        return self._ground.home_block

    # -- landblocks ----------------------------------------------------------------------------------

    def region(self) -> Region:
        """A plain region whose height table holds the heights that occur."""
        return self._ground.region

    def land_block(self, block_id: int) -> LandBlock | None:
        """The ground of a landblock; None everywhere without a scene's terrain and without an exit."""
        return self._ground.land_block(block_id)

    def land_block_info(self, block_id: int) -> LandBlockInfo | None:
        """The buildings that the scene places on a landblock."""
        block_id = block_of(block_id)
        cells = self.cell_ids(block_id)
        buildings = tuple(self._building(building) for building in self._buildings_of.get(block_id, ()))
        if not cells and not buildings:
            return None
        return LandBlockInfo(
            id=block_id | 0xFFFE, num_cells=len(cells), objects=(), mask=0, buildings=buildings
        )

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
        dump = self._files.sound_cell(cell_id)
        if dump is None or index >= len(dump.portals):
            return BldPortal(0, cell_id & 0xFFFF, min(index, 0x7FFF), ())
        inner = dump.portals[index].flags
        flags = (inner & EXACT_MATCH) | (0 if inner & OWNER_ON_POSITIVE_SIDE else OWNER_ON_POSITIVE_SIDE)
        seen = self._seen_from.get(cell_id)
        if seen is None:  # one for all openings of a cell: there may be thousands, and as many cells in each
            low_words = {v & 0xFFFF for v in dump.visible if block_of(v) == block_of(cell_id)}
            seen = self._seen_from[cell_id] = tuple(sorted(low_words | {cell_id & 0xFFFF}))
        return BldPortal(flags, cell_id & 0xFFFF, index, seen)

    # -- cells ---------------------------------------------------------------------------------------

    def block_ids(self) -> tuple[int, ...]:
        """The landblocks of the dumped cells and of the scene's buildings."""
        return tuple(sorted({*self._cells_of, *self._buildings_of}))

    def cell_ids(self, block_id: int) -> tuple[int, ...]:
        """The cells of a landblock that have a dump."""
        return tuple(self._cells_of.get(block_of(block_id), ()))

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """A cell record; neighbours' portals are matched by their corners where its dump names none."""
        if cell_id not in self._files.cells:
            return None
        dump = self._files.cell(cell_id)
        return EnvCell(
            id=cell_id,
            flags=SEEN_OUTSIDE if self._files.seen_outside(dump) else 0,
            surfaces=plain_looks.SURFACE_SLOTS,
            environment=self._environment_of[cell_id],
            structure=0,
            frame=dump.frame,
            portals=tuple(
                CellPortal(
                    portal.flags, portal.polygon, portal.other_cell, self._files.other_portal(dump, portal)
                )
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
            environment_id, (cell_struct(self._files.cell(cell_id), planes, split_trees=self._split_trees),)
        )

    # -- models and looks ----------------------------------------------------------------------------

    def gfx_obj(self, gfx_obj_id: int) -> GfxObj | None:
        """A model from its dump, drawn in a flat colour."""
        path = self._files.gfx_objs.get(gfx_obj_id)
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
        path = self._files.setups.get(setup_id)
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
        path = self._files.records.get(object_id)
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
        dumps = [dump for dump in map(self._files.sound_cell, self._files.cells) if dump is not None]
        for dump in sorted(dumps, key=lambda dump: not dump.has_exit):
            corners = [corner for polygon in dump.drawing for corner in polygon.corners]
            if corners:
                x, y, _ = bounds(corners).center
                low = min(corner[2] for corner in corners)
                place = Frame.stored(dump.frame).to_global((x, y, low))
                if place_fault(place) is None:
                    return format_location(Position(dump.cell_id, Frame(place)))
        home = self._ground.home_block
        ground, middle = self.land_block(home), middle_of_land_cell(MIDDLE_LAND_CELL)
        height = 0.0 if ground is None else ground_height(ground, self.region().land.heights, *middle)
        return ground_location(home, *middle, height)
