"""Setup, 0x02: parts put together, collision shapes and defaults (dat-format 3.10)."""

from __future__ import annotations

from struct import Struct
from typing import Final

from engine.dat.pieces.hooks import AnimationHook, AnimFrame, read_anim_frame, write_anim_frame
from engine.dat.primitives import Reader, Writer
from engine.dat.values import IDENTITY_FRAME, NO_SPHERE, CylSphere, Sphere, StoredFrame, Vec3
from engine.named_tuple import NamedTuple

HAS_PARENTS, HAS_SCALES, ALLOW_FREE_HEADING, HAS_PHYSICS_BSP = 0x1, 0x2, 0x4, 0x8
PLACEMENT_DEFAULT, PLACEMENT_RESTING = 0x00, 0x65
NO_PARENT = 0xFFFFFFFF

_SIZES = Struct("<4f")
_DEFAULTS = Struct("<5I")


class Location(NamedTuple):
    """Where something is held or connected: a ParentLocation key, a part and a frame on it."""

    key: int
    part: int
    frame: StoredFrame


class Placement(NamedTuple):
    """A pose by placement key: part frames relative to the object."""

    key: int
    frames: tuple[StoredFrame, ...]
    hooks: tuple[AnimationHook, ...] = ()


class Light(NamedTuple):
    """A light of an object, colour 0xAARRGGBB; the cone angle is uninitialised in shipped files."""

    key: int
    frame: StoredFrame
    color: int
    intensity: float
    falloff: float
    cone: float


SETUP_FIELDS: Final = (
    "id", "flags", "num_parts", "parts", "parents", "scales", "holding", "connection", "placements",
    "cylspheres", "spheres", "height", "radius", "step_up", "step_down", "sorting", "selection", "lights",
    "animation", "script", "motion_table", "sound_table", "script_table",
)  # fmt: skip


class Setup(NamedTuple):
    """An object: GfxObj parts, placement frames, shapes and sizes (metres at scale 1), default ids.

    ``parents`` (NO_PARENT for a root) and ``scales`` are None where the flags announce none. Part frames
    are relative to the object, never to a parent part.
    """

    id: int
    flags: int
    parts: tuple[int, ...]
    parents: tuple[int, ...] | None = None
    scales: tuple[Vec3, ...] | None = None
    holding: tuple[Location, ...] = ()
    connection: tuple[Location, ...] = ()
    placements: tuple[Placement, ...] = ()
    cylspheres: tuple[CylSphere, ...] = ()
    spheres: tuple[Sphere, ...] = ()
    height: float = 0.0
    radius: float = 0.0
    step_up: float = 0.0
    step_down: float = 0.0
    sorting: Sphere = NO_SPHERE
    selection: Sphere = NO_SPHERE
    lights: tuple[Light, ...] = ()
    animation: int = 0
    script: int = 0
    motion_table: int = 0
    sound_table: int = 0
    script_table: int = 0

    @property
    def num_parts(self) -> int:
        """The stored count of parts."""
        return len(self.parts)

    def resting_frames(self) -> tuple[StoredFrame, ...]:
        """The part frames an object stands with: Resting, else Default, else the first stored.

        Identity for every part where there is no placement (dat-format 4.9).
        """
        by_key = {placement.key: placement for placement in reversed(self.placements)}
        first = self.placements[0] if self.placements else None
        chosen = by_key.get(PLACEMENT_RESTING) or by_key.get(PLACEMENT_DEFAULT) or first
        return chosen.frames if chosen else (IDENTITY_FRAME,) * len(self.parts)


def read_setup(reader: Reader) -> Setup:
    """A Setup record."""
    setup_id, flags, parts = reader.header_id(), reader.u32(), reader.u32()
    part_ids = reader.array("I", parts)
    parents = reader.array("I", parts) if flags & HAS_PARENTS else None
    scales = reader.many(parts, 12, Reader.vec3) if flags & HAS_SCALES else None
    holding = reader.many(reader.i32(), 36, _read_location)
    connection = reader.many(reader.i32(), 36, _read_location)
    placements = reader.many(reader.i32(), 8 + 28 * parts, lambda r: _read_placement(r, parts))
    cylspheres = reader.many(reader.u32(), 20, Reader.cylsphere)
    spheres = reader.many(reader.u32(), 16, Reader.sphere)
    height, radius, step_up, step_down = reader.unpack(_SIZES)
    sorting, selection = reader.sphere(), reader.sphere()
    lights = reader.many(reader.i32(), 48, _read_light)
    animation, script, motion_table, sound_table, script_table = reader.unpack(_DEFAULTS)
    reader.align4()
    return Setup(
        id=setup_id, flags=flags, parts=part_ids, parents=parents, scales=scales, holding=holding,
        connection=connection, placements=placements, cylspheres=cylspheres, spheres=spheres, height=height,
        radius=radius, step_up=step_up, step_down=step_down, sorting=sorting, selection=selection,
        lights=lights, animation=animation, script=script, motion_table=motion_table,
        sound_table=sound_table, script_table=script_table,
    )  # fmt: skip


def write_setup(writer: Writer, setup: Setup) -> None:
    """A Setup record; parents, scales and every placement must have one entry a part."""
    parts = len(setup.parts)
    for bit, per_part in ((HAS_PARENTS, setup.parents), (HAS_SCALES, setup.scales)):
        writer.require(
            (per_part is not None) == bool(setup.flags & bit), f"flag {bit} and the parts disagree"
        )
        writer.require(per_part is None or len(per_part) == parts, f"flag {bit}: one entry a part")
    writer.u32(setup.id)
    writer.u32(setup.flags)
    writer.u32(parts)
    writer.array("I", setup.parts)
    writer.array("I", setup.parents or ())
    writer.many(setup.scales or (), Writer.vec3)
    for locations in (setup.holding, setup.connection):
        writer.i32(len(locations))
        writer.many(locations, _write_location)
    writer.i32(len(setup.placements))
    for placement in setup.placements:
        writer.i32(placement.key)
        write_anim_frame(writer, AnimFrame(placement.frames, placement.hooks), parts)
    writer.u32(len(setup.cylspheres))
    writer.many(setup.cylspheres, Writer.cylsphere)
    writer.u32(len(setup.spheres))
    writer.many(setup.spheres, Writer.sphere)
    writer.pack(_SIZES, setup.height, setup.radius, setup.step_up, setup.step_down)
    writer.sphere(setup.sorting)
    writer.sphere(setup.selection)
    writer.i32(len(setup.lights))
    writer.many(setup.lights, _write_light)
    writer.pack(
        _DEFAULTS,
        setup.animation, setup.script, setup.motion_table, setup.sound_table, setup.script_table,
    )  # fmt: skip
    writer.align4()


def _read_location(reader: Reader) -> Location:
    return Location(reader.i32(), reader.i32(), reader.frame())


def _write_location(writer: Writer, location: Location) -> None:
    writer.i32(location.key)
    writer.i32(location.part)
    writer.frame(location.frame)


def _read_placement(reader: Reader, parts: int) -> Placement:
    key, pose = reader.i32(), read_anim_frame(reader, parts)
    return Placement(key, pose.frames, pose.hooks)


def _read_light(reader: Reader) -> Light:
    return Light(
        key=reader.i32(),
        frame=reader.frame(),
        color=reader.u32(),
        intensity=reader.f32(),
        falloff=reader.f32(),
        cone=reader.f32(),
    )


def _write_light(writer: Writer, light: Light) -> None:
    writer.i32(light.key)
    writer.frame(light.frame)
    writer.u32(light.color)
    writer.f32(light.intensity)
    writer.f32(light.falloff)
    writer.f32(light.cone)
