"""Animation, 0x03: a sequence of poses (dat-format 3.15)."""

from __future__ import annotations

from typing import Final

from engine.dat.pieces.hooks import AnimFrame, read_anim_frame, write_anim_frame
from engine.dat.primitives import Reader, Writer
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple

HAS_POS_FRAMES, HAS_HOOKS = 0x1, 0x2
ANIMATION_FIELDS: Final = ("id", "flags", "num_parts", "num_frames", "pos_frames", "frames")


class Animation(NamedTuple):
    """Poses of ``num_parts`` parts; ``pos_frames`` move the object's origin, None where not stored."""

    id: int
    flags: int
    num_parts: int
    pos_frames: tuple[StoredFrame, ...] | None = None
    frames: tuple[AnimFrame, ...] = ()

    @property
    def num_frames(self) -> int:
        """The stored count of frames."""
        return len(self.frames)


def read_animation(reader: Reader) -> Animation:
    """An Animation record."""
    animation_id, flags, parts, count = reader.header_id(), reader.u32(), reader.u32(), reader.u32()
    pos_frames = reader.many(count, 28, Reader.frame) if flags & HAS_POS_FRAMES else None
    frames = reader.many(count, 28 * parts + 4, lambda r: read_anim_frame(r, parts))
    return Animation(id=animation_id, flags=flags, num_parts=parts, pos_frames=pos_frames, frames=frames)


def write_animation(writer: Writer, animation: Animation) -> None:
    """An Animation record; position frames must be there exactly as the flags say, one a frame."""
    pos_frames = animation.pos_frames
    writer.require(
        (pos_frames is not None) == bool(animation.flags & HAS_POS_FRAMES), "flags and position frames"
    )
    writer.require(
        pos_frames is None or len(pos_frames) == animation.num_frames, "one position frame a frame"
    )
    writer.u32(animation.id)
    writer.u32(animation.flags)
    writer.u32(animation.num_parts)
    writer.u32(animation.num_frames)
    writer.many(pos_frames or (), Writer.frame)
    for frame in animation.frames:
        write_anim_frame(writer, frame, animation.num_parts)
