"""MotionTable, 0x09: which animations a state and a change of state play (dat-format 3.16, 3.17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from typing import Final, TypeVar

from engine.dat.primitives import Reader, Writer
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple

STYLE_NON_COMBAT = 0x8000003D
COMMAND_ON, COMMAND_OFF, COMMAND_READY = 0x4000000B, 0x4000000C, 0x41000003
HAS_VELOCITY, HAS_OMEGA = 0x1, 0x2

_ANIM = Struct("<Iiif")
_PAIR = Struct("<II")


class AnimData(NamedTuple):
    """A stretch of an animation: frames ``low`` to ``high`` inclusive (−1 the last) at ``fps``."""

    id: int
    low: int
    high: int
    fps: float


MOTION_DATA_FIELDS: Final = ("key", "num_anims", "bits", "flags", "anims", "velocity", "omega")


class MotionData(NamedTuple):
    """A cycle or modifier by its key (see motion_key): stretches played one after another.

    ``bits`` 1 clears modifiers, 2 restricted; velocity and omega are None where the flags have none.
    """

    key: int
    bits: int
    flags: int
    anims: tuple[AnimData, ...]
    velocity: Vec3 | None = None
    omega: Vec3 | None = None

    @property
    def num_anims(self) -> int:
        """The stored count of stretches."""
        return len(self.anims)


LINK_TARGET_FIELDS: Final = ("target", "num_anims", "bits", "flags", "anims", "velocity", "omega")


class LinkTarget(NamedTuple):
    """What is played on the way to the whole command ``target``; otherwise like MotionData."""

    target: int
    bits: int
    flags: int
    anims: tuple[AnimData, ...]
    velocity: Vec3 | None = None
    omega: Vec3 | None = None

    @property
    def num_anims(self) -> int:
        """The stored count of stretches."""
        return len(self.anims)


class Link(NamedTuple):
    """The ways out of a state (key as of a cycle)."""

    key: int
    targets: tuple[LinkTarget, ...]


class StyleDefault(NamedTuple):
    """The state that a stance starts in."""

    style: int
    substate: int


class MotionTable(NamedTuple):
    """Cycles, modifiers and links of an object; look-ups by style and command, None where missing."""

    id: int
    default_style: int
    style_defaults: tuple[StyleDefault, ...] = ()
    cycles: tuple[MotionData, ...] = ()
    modifiers: tuple[MotionData, ...] = ()
    links: tuple[Link, ...] = ()

    def cycle(self, style: int, substate: int) -> MotionData | None:
        """The motion that loops in a state."""
        key = motion_key(style, substate)
        return next((motion for motion in self.cycles if motion.key == key), None)

    def link(self, style: int, substate: int, target: int) -> LinkTarget | None:
        """What to play from a state to ``target``; the link of the bare style where the state has none."""
        for key in (motion_key(style, substate), motion_key(style, 0)):
            for link in self.links:
                if link.key == key:
                    for motion in link.targets:
                        if motion.target == target:
                            return motion
        return None

    def motions(self) -> Iterator[MotionData | LinkTarget]:
        """Cycles, modifiers and what the links play."""
        yield from self.cycles
        yield from self.modifiers
        for link in self.links:
            yield from link.targets


Motion = TypeVar("Motion", MotionData, LinkTarget)


def motion_key(style: int, substate: int) -> int:
    """The key of cycles, modifiers and links."""
    return (style & 0xFFFF) << 16 | substate & 0xFFFFFF


def read_motion_table(reader: Reader) -> MotionTable:
    """A MotionTable record."""
    table_id, style = reader.header_id(), reader.u32()
    defaults = reader.many(reader.u32(), 8, lambda r: StyleDefault(r.u32(), r.u32()))
    cycles = reader.many(reader.u32(), 8, _read_motion_data)
    modifiers = reader.many(reader.u32(), 8, _read_motion_data)
    return MotionTable(
        id=table_id,
        default_style=style,
        style_defaults=defaults,
        cycles=cycles,
        modifiers=modifiers,
        links=reader.many(reader.u32(), 8, _read_link),
    )


def write_motion_table(writer: Writer, table: MotionTable) -> None:
    """A MotionTable record."""
    writer.u32(table.id)
    writer.u32(table.default_style)
    writer.u32(len(table.style_defaults))
    for default in table.style_defaults:
        writer.pack(_PAIR, default.style, default.substate)
    for motions in (table.cycles, table.modifiers):
        writer.u32(len(motions))
        for motion in motions:
            writer.u32(motion.key)
            _write_motion(writer, motion)
    writer.u32(len(table.links))
    for link in table.links:
        writer.pack(_PAIR, link.key, len(link.targets))
        for target in link.targets:
            writer.u32(target.target)
            _write_motion(writer, target)


def _read_link(reader: Reader) -> Link:
    key, count = reader.unpack(_PAIR)
    return Link(key, reader.many(count, 8, _read_link_target))


def _read_motion_data(reader: Reader) -> MotionData:
    return _read_motion(reader, MotionData)


def _read_link_target(reader: Reader) -> LinkTarget:
    return _read_motion(reader, LinkTarget)


def _read_motion(reader: Reader, build: Callable[..., Motion]) -> Motion:
    key, count, bits, flags = reader.u32(), reader.u8(), reader.u8(), reader.u8()
    reader.align4()
    anims = reader.many(count, _ANIM.size, lambda r: AnimData(*r.unpack(_ANIM)))
    velocity = reader.vec3() if flags & HAS_VELOCITY else None
    omega = reader.vec3() if flags & HAS_OMEGA else None
    return build(key, bits, flags, anims, velocity, omega)


def _write_motion(writer: Writer, motion: MotionData | LinkTarget) -> None:
    writer.require((motion.velocity is not None) == bool(motion.flags & HAS_VELOCITY), "flags, velocity")
    writer.require((motion.omega is not None) == bool(motion.flags & HAS_OMEGA), "flags, omega")
    writer.u8(len(motion.anims))
    writer.u8(motion.bits)
    writer.u8(motion.flags)
    writer.align4()
    for anim in motion.anims:
        writer.pack(_ANIM, anim.id, anim.low, anim.high, anim.fps)
    for vector in (motion.velocity, motion.omega):
        if vector is not None:
            writer.vec3(vector)
