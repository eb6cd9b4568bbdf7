"""Animations made ready to be played: poses, moves and hooks by frame."""

from __future__ import annotations

from engine.dat.number_rules import place_fault
from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.animation import Animation
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple
from engine.world.frame import Frame
from engine.world.source import Problems, WorldSource

Pose = tuple[Frame, ...]
NO_HOOKS: tuple[AnimationHook, ...] = ()
_NOWHERE = Frame((0.0, 0.0, 0.0))


class Clip(NamedTuple):
    """An animation: ``poses[i]`` are its parts' frames relative to the object, unscaled, in frame ``i``.

    ``moves[i]`` is how the object itself moves when frame ``i`` has been shown, None for one that stays.
    """

    id: int
    poses: tuple[Pose, ...]
    moves: tuple[Frame, ...] | None
    hooks: dict[int, tuple[AnimationHook, ...]]

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self.poses) - 1


class Clips:
    """The animations of a source, each made ready once; what is damaged is reported and counts as missing."""

    def __init__(self, source: WorldSource, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._known: dict[int, Clip | None] = {}

    def get(self, animation_id: int) -> Clip | None:
        """An animation with at least one frame; None where there is none."""
        if animation_id not in self._known:
            record = self._problems.fetch(self._source.animation, animation_id)
            self._known[animation_id] = clip_of(record) if record is not None and record.frames else None
        return self._known[animation_id]


def clip_of(animation: Animation) -> Clip:
    """An animation of at least one frame, made ready. Frames whose numbers make no sense are the object's."""
    moves = animation.pos_frames
    return Clip(
        animation.id,
        tuple([tuple([_sound(f) for f in frame.frames]) for frame in animation.frames]),
        tuple([_sound(f) for f in moves]) if moves is not None else None,
        {number: frame.hooks for number, frame in enumerate(animation.frames) if frame.hooks},
    )


def _sound(stored: StoredFrame) -> Frame:
    w, x, y, z = stored.orientation
    if place_fault(stored.origin) is not None or not abs(w * w + x * x + y * y + z * z - 1.0) < 0.1:
        return _NOWHERE
    return Frame.stored(stored)
