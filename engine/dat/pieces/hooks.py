"""Animation hooks and the frames that carry them (dat-format 3.19, 3.10)."""

from __future__ import annotations

from collections.abc import Callable

from engine.dat.primitives import Reader, Writer
from engine.dat.values import StoredFrame, Vec3
from engine.named_tuple import NamedTuple

HookValue = int | float | Vec3 | StoredFrame
GFX_OBJ_BASE = 0x01000000

CREATE_PARTICLE, DESTROY_PARTICLE, STOP_PARTICLE, DEFAULT_SCRIPT = 0x0D, 0x0E, 0x0F, 0x11
CALL_SCRIPT, CREATE_BLOCKING_PARTICLE = 0x13, 0x1A
# The kinds that start or end particles, or a script that may.
PARTICLE_HOOKS = frozenset(
    (CREATE_PARTICLE, DESTROY_PARTICLE, STOP_PARTICLE, DEFAULT_SCRIPT, CALL_SCRIPT, CREATE_BLOCKING_PARTICLE)
)
TRANSPARENT_PART, LUMINOUS, LUMINOUS_PART, DIFFUSE, DIFFUSE_PART = 0x07, 0x08, 0x09, 0x0A, 0x0B
SCALE, NO_DRAW, TRANSPARENT, OMEGA = 0x0C, 0x10, 0x14, 0x16
TEXTURE_VELOCITY, TEXTURE_VELOCITY_PART = 0x17, 0x18
# The kinds that change how their object looks.
LOOK_HOOKS = frozenset(
    (
        TRANSPARENT_PART, LUMINOUS, LUMINOUS_PART, DIFFUSE, DIFFUSE_PART, SCALE, NO_DRAW, TRANSPARENT, OMEGA,
        TEXTURE_VELOCITY, TEXTURE_VELOCITY_PART,
    )
)  # fmt: skip

_RAMP = (("start", "f32"), ("end", "f32"), ("time", "f32"))
_PARTICLE = (("emitter_info", "u32"), ("part", "u32"), ("offset", "frame"), ("emitter_id", "u32"))

# What follows type and direction: names and encodings by hook type.
PAYLOADS: dict[int, tuple[tuple[str, str], ...]] = {
    0x00: (),  # does nothing, and the game's own files have none
    0x01: (("wave", "u32"),),
    0x02: (("sound", "u32"),),
    0x03: (
        ("part", "u32"), ("left_x", "f32"), ("left_y", "f32"), ("right_x", "f32"), ("right_y", "f32"),
        ("radius", "f32"), ("height", "f32"),
    ),
    0x04: (),
    0x05: (("part", "u8"), ("gfxobj", "gfxobj")),
    0x06: (("ethereal", "u32"),),
    0x07: (("part", "u32"), *_RAMP),
    0x08: _RAMP,
    0x09: (("part", "u32"), *_RAMP),
    0x0A: _RAMP,
    0x0B: (("part", "u32"), *_RAMP),
    0x0C: (("end", "f32"), ("time", "f32")),
    0x0D: _PARTICLE,
    0x0E: (("emitter_id", "u32"),),
    0x0F: (("emitter_id", "u32"),),
    0x10: (("no_draw", "u32"),),
    0x11: (),
    0x12: (("part", "u32"),),
    0x13: (("script", "u32"), ("pause", "f32")),
    0x14: _RAMP,
    0x15: (("wave", "u32"), ("probability", "f32"), ("priority", "f32"), ("volume", "f32")),
    0x16: (("axis", "vec3"),),
    0x17: (("u", "f32"), ("v", "f32")),
    0x18: (("part", "u32"), ("u", "f32"), ("v", "f32")),
    0x19: (("lights_on", "u32"),),
    0x1A: _PARTICLE,
}  # fmt: skip

_READ: dict[str, Callable[[Reader], HookValue]] = {
    "u8": Reader.u8,
    "u32": Reader.u32,
    "f32": Reader.f32,
    "vec3": Reader.vec3,
    "frame": Reader.frame,
    "gfxobj": lambda reader: reader.packed_id(GFX_OBJ_BASE),
}
_WRITE: dict[str, Callable[..., None]] = {
    "u8": Writer.u8,
    "u32": Writer.u32,
    "f32": Writer.f32,
    "vec3": Writer.vec3,
    "frame": Writer.frame,
    "gfxobj": lambda writer, value: writer.packed_id(value, GFX_OBJ_BASE),
}


class AnimationHook(NamedTuple):
    """Something that happens at a frame: a type, when it fires, and the type's values in stored order.

    ``direction`` is −1 backward only, 0 both, 1 forward only. ``PAYLOADS`` names the values of each type.
    """

    type: int
    direction: int
    values: tuple[HookValue, ...] = ()

    def payload(self) -> dict[str, HookValue]:
        """The values by name."""
        return {name: value for (name, _), value in zip(PAYLOADS[self.type], self.values, strict=True)}


class AnimFrame(NamedTuple):
    """One pose: a frame for each part relative to the object, and the hooks that fire there."""

    frames: tuple[StoredFrame, ...]
    hooks: tuple[AnimationHook, ...] = ()


def read_hook(reader: Reader) -> AnimationHook:
    """A hook; raises DatError for an unknown type, whose length nobody knows."""
    kind, direction = reader.u32(), reader.i32()
    payload = PAYLOADS.get(kind)
    if payload is None:
        reader.fail(f"unknown animation hook type 0x{kind:X}", reader.pos - 8)
    values = tuple([_READ[encoding](reader) for _, encoding in payload])
    reader.align4()
    return AnimationHook(kind, direction, values)


def write_hook(writer: Writer, hook: AnimationHook) -> None:
    """A hook, padded to four."""
    payload = writer.need(PAYLOADS.get(hook.type), f"unknown animation hook type 0x{hook.type:X}")
    writer.require(len(payload) == len(hook.values), f"hook type 0x{hook.type:X} has {len(payload)} values")
    writer.u32(hook.type)
    writer.i32(hook.direction)
    for (_, encoding), value in zip(payload, hook.values, strict=True):
        _WRITE[encoding](writer, value)
    writer.align4()


def read_anim_frame(reader: Reader, parts: int) -> AnimFrame:
    """A pose of ``parts`` parts, a number that only its parent stores."""
    frames = reader.many(parts, 28, Reader.frame)
    return AnimFrame(frames, reader.many(reader.u32(), 8, read_hook))


def write_anim_frame(writer: Writer, frame: AnimFrame, parts: int) -> None:
    """A pose of ``parts`` parts."""
    writer.require(len(frame.frames) == parts, f"a pose of {len(frame.frames)} parts instead of {parts}")
    writer.many(frame.frames, Writer.frame)
    writer.u32(len(frame.hooks))
    writer.many(frame.hooks, write_hook)
