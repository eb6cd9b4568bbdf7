"""A world from dat files: a user's own or the demo's (sources 1)."""

from __future__ import annotations

from typing import Final, TypeVar

from engine.dat.container.installation import OPTIONAL, DatFiles
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.environment import Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import GfxObjDegradeInfo
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo
from engine.dat.records.motion_table import MotionTable
from engine.dat.records.palette import Palette
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.records.region import REGION_ID, Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import Scene as SceneDesc
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.world.ids import (
    FIRST_ENV_CELL,
    LAST_ENV_CELL,
    MIDDLE_LAND_CELL,
    block_of,
    inbound,
    middle_of_land_cell,
)
from engine.world.location import ground_location
from engine.world.source import Report, Scene
from engine.world.sources.scene_file import SceneFile
from engine.world.terrain import ground_height

T = TypeVar("T")

HOLTBURG: Final = 0xA9B40000
HOLTBURG_START: Final = (84.0, 7.1)


class DatsSource:
    """Records of a portal and a cell file; a scene adds objects and setups, its terrain is passed over.

    ``known_objects`` is how many of the scene's objects are of a list that the program brings.
    """

    def __init__(self, files: DatFiles, name: str, scene: SceneFile, known_objects: int = 0) -> None:
        self.known_objects = known_objects
        self.files = files
        self._name = name
        self._scene = scene
        self._setups = {setup.setup_id: setup for setup in scene.setups}
        self._report: Report = _nobody_hears

    @property
    def name(self) -> str:
        """The folder, or ``demo``."""
        return self._name

    @property
    def is_plain(self) -> bool:
        """It has the game's looks."""
        return False

    def close(self) -> None:
        """Close the files."""
        self.files.close()

    def region(self) -> Region:
        """The region. Raises DatError where the portal file has none."""
        region = self._get(REGION_ID, Region)
        if region is None:
            raise DatError(self.files.portal.name, REGION_ID, None, "there is no region in this file")
        return region

    def land_block(self, block_id: int) -> LandBlock | None:
        """The terrain of a landblock."""
        return self._get(block_of(block_id) | 0xFFFF, LandBlock)

    def land_block_info(self, block_id: int) -> LandBlockInfo | None:
        """The objects and buildings of a landblock."""
        return self._get(block_of(block_id) | 0xFFFE, LandBlockInfo)

    def block_ids(self) -> tuple[int, ...]:
        """The landblocks with a LandBlockInfo or a cell.

        Damaged parts of the file's tree are passed over and reported: what they list is not known.
        """
        entries = self.files.cell.entries(skipped=self._report_lost)
        return tuple(dict.fromkeys(block_of(entry.id) for entry in entries if _makes_a_block(entry.id)))

    def cell_ids(self, block_id: int) -> tuple[int, ...]:
        """The ids that the landblock's record announces, contiguous from 0x0100, and further ones stored.

        The game finds a cell by its id, whatever was announced; what is wrong with the record is reported.
        """
        block_id = block_of(block_id)
        damaged = False
        try:
            info = self.land_block_info(block_id)
        except DatError:  # reported by who reads the record for its buildings
            info, damaged = None, True
        count = 0 if info is None else min(info.num_cells, LAST_ENV_CELL - FIRST_ENV_CELL + 1)
        first, last = block_id | FIRST_ENV_CELL, block_id | LAST_ENV_CELL
        beyond = self.files.cell.entries(first + count, last, skipped=self._report_lost)
        more = tuple(entry.id for entry in beyond)
        if more and not damaged:
            says = "there is no LandBlockInfo" if info is None else f"it announces {count} cells"
            cells = f"{len(more)} {'cells' if info is None else 'more'}"
            self._report(
                f"{self.files.cell.name}, object {hex_id(block_id | 0xFFFE)}: {says}, but {cells} "
                f"are stored, from {hex_id(more[0])} to {hex_id(more[-1])}"
            )
        return (*range(first, first + count), *more)

    def _report_lost(self, error: DatError) -> None:
        self._report(f"{error}; what is listed there is not known")

    def env_cell(self, cell_id: int) -> EnvCell | None:
        """A cell."""
        return self._get(cell_id, EnvCell)

    def environment(self, environment_id: int) -> Environment | None:
        """An Environment."""
        return self._get(environment_id, Environment)

    def gfx_obj(self, gfx_obj_id: int) -> GfxObj | None:
        """A model."""
        return self._get(gfx_obj_id, GfxObj)

    def setup(self, setup_id: int) -> Setup | None:
        """A setup; one of the scene's own comes first."""
        if setup_id in self._setups:
            from engine.world.sources.dump_setups import scene_setup_record  # few scenes have any

            return scene_setup_record(self._setups[setup_id])
        return self._get(setup_id, Setup)

    def surface(self, surface_id: int) -> Surface | None:
        """A surface."""
        return self._get(surface_id, Surface)

    def surface_texture(self, texture_id: int) -> SurfaceTexture | None:
        """A surface texture."""
        return self._get(texture_id, SurfaceTexture)

    def render_surface(self, surface_id: int) -> RenderSurface | None:
        """An image."""
        return self._get(surface_id, RenderSurface)

    def palette(self, palette_id: int) -> Palette | None:
        """A palette."""
        return self._get(palette_id, Palette)

    def animation(self, animation_id: int) -> Animation | None:
        """An animation."""
        return self._get(animation_id, Animation)

    def motion_table(self, table_id: int) -> MotionTable | None:
        """A motion table."""
        return self._get(table_id, MotionTable)

    def degrade_info(self, info_id: int) -> GfxObjDegradeInfo | None:
        """A model's levels of detail."""
        return self._get(info_id, GfxObjDegradeInfo)

    def particle_emitter(self, emitter_id: int) -> ParticleEmitter | None:
        """A particle emitter."""
        return self._get(emitter_id, ParticleEmitter)

    def physics_script(self, script_id: int) -> PhysicsScript | None:
        """A script."""
        return self._get(script_id, PhysicsScript)

    def physics_script_table(self, table_id: int) -> PhysicsScriptTable | None:
        """A table of scripts."""
        return self._get(table_id, PhysicsScriptTable)

    def scene_desc(self, scene_id: int) -> SceneDesc | None:
        """What scenery may grow."""
        return self._get(scene_id, SceneDesc)

    def scene(self) -> Scene:
        """The objects of the scene."""
        return self._scene.scene()

    def listen(self, report: Report) -> None:
        """Tell of an optional file that is damaged, and of cells that no record announces."""
        self._report = report

        def tell(error: DatError) -> None:
            report(f"{error}; {OPTIONAL}")

        self.files.on_passed_over = tell
        for error in self.files.passed_over:
            tell(error)

    def home(self) -> str:
        """The scene's own home, else a street of Holtburg, else the first landblock's middle landcell."""
        if self._scene.home:
            return self._scene.home
        try:
            return self._first_place()
        except DatError:  # the walk starts all the same, and loading reports what is damaged
            return ground_location(HOLTBURG, 12.0, 12.0, 0.0)

    def _first_place(self) -> str:
        block, place = self.land_block(HOLTBURG), HOLTBURG_START
        if block is None:
            cells = self.files.cell.entries()
            first = next((entry.id for entry in cells if _is_on_the_map(entry.id)), HOLTBURG)
            block, place = self.land_block(first), middle_of_land_cell(MIDDLE_LAND_CELL)
        block_id = HOLTBURG if block is None else block_of(block.id)
        height = 0.0 if block is None else ground_height(block, self.region().land.heights, *place)
        return ground_location(block_id, *place, height)

    def _get(self, object_id: int, record_type: type[T]) -> T | None:
        try:
            return self.files.get(object_id, record_type)
        except DatError as error:
            if error.file:
                raise
            raise DatError(self._name, error.object_id, error.offset, error.reason) from None


def _makes_a_block(object_id: int) -> bool:
    """Whether an id of the cell file is one of what stands in a landblock."""
    low = object_id & 0xFFFF
    return low == 0xFFFE or FIRST_ENV_CELL <= low <= LAST_ENV_CELL


def _is_on_the_map(object_id: int) -> bool:
    """Whether an id of the cell file is a landblock's ground that one can stand on."""
    return object_id & 0xFFFF == 0xFFFF and inbound(object_id >> 24 << 3, (object_id >> 16 & 0xFF) << 3)


def _nobody_hears(line: str) -> None:
    """Where problems go until somebody listens."""
