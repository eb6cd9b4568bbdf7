"""Where a world comes from: one interface over demo dats, a user's dats and dump folders (sources 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Final, Protocol, TypeVar

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
from engine.dat.records.region import Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import Scene as SceneDesc
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple

T = TypeVar("T")
Report = Callable[[str], None]
Mark = tuple[int, int]

MOST_LETTERS: Final = 64_000_000  # of problems that are kept: no sound world comes near it

_OF_OBJECTS = re.compile(r", line \d+: (?:landblock_instance|weenie)|^spawn list: |objects\[\d+\]: ")
DOOR_WEENIE = 19


class DoorFacts(NamedTuple):
    """What a spawn list knows about a door; ``reset_interval`` in seconds (sources 5)."""

    default_open: bool = False
    locked: bool = False
    reset_interval: float = 30.0


class SceneObject(NamedTuple):
    """An object of a ``scene.json`` or a spawn list, an entity where it has an entity id.

    ``weenie_type`` is 0 where nothing is known, ``door`` None where nothing is said. ``static_id`` is the id
    of one that is no entity, where it is not to be counted anew. ``hours`` are those from and to which it is
    seen, None for always. ``where`` names the file and the place in it, for messages.
    """

    model_id: int
    cell_id: int
    frame: StoredFrame
    entity_id: int | None = None
    state: int | None = None
    motion_table: int = 0
    scale: float = 1.0
    name: str = ""
    weenie_type: int = 0
    door: DoorFacts | None = None
    static_id: int | None = None
    hours: tuple[float, float] | None = None
    where: str = ""

    @property
    def is_entity(self) -> bool:
        """Whether it is one: it has an id of its own, or a state."""
        return self.entity_id is not None or self.state is not None


class Scene(NamedTuple):
    """What ``scene.json`` and spawn lists add to a source: objects and entities (sources 4, 5).

    ``problems`` are lines about what made no sense in a spawn list, ``unkept`` how many more there were.
    """

    objects: tuple[SceneObject, ...] = ()
    path: str = ""
    problems: tuple[str, ...] = ()
    unkept: int = 0


class WorldSource(Protocol):
    """Decoded records by id; None where the source has no such object.

    A damaged object raises ``engine.dat.errors.DatError``; a caller reports it once and goes on without.
    """

    @property
    def name(self) -> str:
        """What to call the source in messages: a folder or ``demo``."""

    @property
    def is_plain(self) -> bool:
        """Whether looks are made up here: ids of surfaces, textures, images, environments are nobody's."""

    def region(self) -> Region: ...
    def block_ids(self) -> Sequence[int]:
        """The landblocks that have objects, buildings or interior cells, ascending."""

    def land_block(self, block_id: int) -> LandBlock | None: ...
    def land_block_info(self, block_id: int) -> LandBlockInfo | None: ...
    def cell_ids(self, block_id: int) -> Sequence[int]:
        """The full ids of a landblock's EnvCells, ascending; some of them may turn out to be missing."""

    def env_cell(self, cell_id: int) -> EnvCell | None: ...
    def environment(self, environment_id: int) -> Environment | None: ...
    def gfx_obj(self, gfx_obj_id: int) -> GfxObj | None: ...
    def setup(self, setup_id: int) -> Setup | None: ...
    def surface(self, surface_id: int) -> Surface | None: ...
    def surface_texture(self, texture_id: int) -> SurfaceTexture | None: ...
    def render_surface(self, surface_id: int) -> RenderSurface | None: ...
    def palette(self, palette_id: int) -> Palette | None: ...
    def animation(self, animation_id: int) -> Animation | None: ...
    def motion_table(self, table_id: int) -> MotionTable | None: ...
    def degrade_info(self, info_id: int) -> GfxObjDegradeInfo | None: ...
    def particle_emitter(self, emitter_id: int) -> ParticleEmitter | None: ...
    def physics_script(self, script_id: int) -> PhysicsScript | None: ...
    def physics_script_table(self, table_id: int) -> PhysicsScriptTable | None: ...
    def scene_desc(self, scene_id: int) -> SceneDesc | None:
        """What scenery may grow at a vertex; ids are those of the region's scene types."""

    def scene(self) -> Scene: ...

    def listen(self, report: Report) -> None:
        """Have told, now and later and from any thread, what of no single record is wrong, a line each."""

    def home(self) -> str:
        """A location string where a walk in this source starts when the user names none."""


class Problems:
    """What a source or loader found wrong, each line once: file, id, offset and reason.

    ``lines`` only grows, to ``room`` letters: ``unkept`` counts what comes then, each line once as well. Any
    thread may report.
    """

    def __init__(self, room: int = MOST_LETTERS) -> None:
        self.lines: list[str] = []
        self.unkept = 0
        self._room = room
        self._known: set[str | int] = set()  # of a line that is not kept its hash
        self._lock = Lock()

    def report(self, line: str) -> None:
        """Note a problem unless the same line is there already."""
        with self._lock:
            if line in self._known:
                return
            self._room -= len(line)
            if self._room >= 0:
                self._known.add(line)
                self.lines.append(line)
            elif (short := hash(line)) not in self._known:
                self._known.add(short)
                self.unkept += 1

    def take(self, lines: Iterable[str], unkept: int) -> None:
        """Note what was reported elsewhere."""
        for line in lines:
            self.report(line)
        self.unkept += unkept

    def mark(self) -> Mark:
        """What has been reported by now, for ``since``."""
        return len(self.lines), self.unkept

    def since(self, mark: Mark = (0, 0)) -> list[str]:
        """The lines that came after a mark; the last one counts those that were not kept."""
        unkept = self.unkept - mark[1]
        return self.lines[mark[0] :] + (
            [f"{unkept} more problems, of which only the number is kept"] if unkept else []
        )

    def count_since(self, mark: Mark = (0, 0)) -> int:
        """How many problems came after a mark, kept or not."""
        return len(self.lines) - mark[0] + self.unkept - mark[1]

    def about(self, *object_ids: int) -> str | None:
        """The first line that names an object, else the first about a file of its own, else None."""
        names = [f"object {hex_id(object_id)}" for object_id in object_ids]
        lines = tuple(self.lines)
        for line in lines:
            if any(name in line for name in names):
                return line
        return next(
            (line for line in lines if "object 0x" not in line and not _OF_OBJECTS.search(line)), None
        )

    def fetch(self, read: Callable[[int], T | None], object_id: int) -> T | None:
        """What a source reads by id; a damaged record is reported and counts as missing."""
        try:
            return read(object_id)
        except DatError as error:
            self.report(str(error))
            return None

    def fetch_once(
        self, kept: dict[int, T | None], read: Callable[[int], T | None], object_id: int
    ) -> T | None:
        """As ``fetch``, and kept by who asks: a source lets go of a record that is too large for it.

        Each of a thousand cells asks for the one Environment that holds them all.
        """
        record = kept.get(object_id)
        if record is None:
            record = kept[object_id] = self.fetch(read, object_id)
        return record

    def require(self, read: Callable[[int], T | None], object_id: int, missing: str) -> T | None:
        """What a source reads by id; one that is damaged or not there is reported, with ``missing``."""
        try:
            record = read(object_id)
        except DatError as error:
            self.report(str(error))
            return None
        if record is None:
            self.report(missing)
        return record
