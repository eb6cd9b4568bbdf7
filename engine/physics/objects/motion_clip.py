"""Motions as poses over time: clips and cycles of a motion table (dat-format 3.15-3.17)."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.number_rules import frame_fault, number_fault
from engine.dat.pieces.hooks import AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.motion_table import (
    COMMAND_OFF,
    COMMAND_ON,
    STYLE_NON_COMBAT,
    AnimData,
    LinkTarget,
    MotionData,
    MotionTable,
)
from engine.made_once import MadeOnce
from engine.named_tuple import NamedTuple
from engine.physics.objects.shadow_shape import posed_frames
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.models import Model

Pose = tuple[Frame, ...]


MOST_POSED: Final = 1 << 20  # parts in frames of doors' clips, and hooks: half a gigabyte; a town: thousands


class PoseRoom:
    """What is left of MOST_POSED."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_POSED


class MotionClip(NamedTuple):
    """Whole-frame poses: ``poses[i]`` shows from ``starts[i]`` seconds on, one object-space frame a part.

    A clip without poses has length 0. ``hooks`` are those of its frames, each with the seconds after which
    its frame is left: the last of a stretch never is (motion 3.3).
    """

    starts: tuple[float, ...]
    poses: tuple[Pose, ...]
    length: float
    hooks: tuple[tuple[float, AnimationHook], ...] = ()

    def pose_at(self, t: float) -> Pose | None:
        """The pose at ``t`` seconds, held at both ends; None for an empty clip."""
        if len(self.poses) < 2:
            return self.poses[0] if self.poses else None
        return self.poses[max(0, bisect_right(self.starts, t + 1e-9) - 1)]

    def pose_in_loop(self, t: float) -> Pose | None:
        """The pose at ``t`` seconds of a cycle."""
        return self.pose_at(t % self.length if self.length > 0.0 else 0.0)


EMPTY_CLIP = MotionClip((), (), 0.0)


class DoorMotion(NamedTuple):
    """What a door plays: the clips between its two states and the cycle in each (dat-format 3.17)."""

    opening: MotionClip
    closing: MotionClip
    open_cycle: MotionClip
    closed_cycle: MotionClip
    placement: Pose

    @property
    def has_hooks(self) -> bool:
        """Whether anything comes due on the way from one state to the other."""
        return bool(self.opening.hooks or self.closing.hooks)

    @property
    def closed_pose(self) -> Pose:
        """Where the parts of the closed door stand and collide (objects 9)."""
        return self.closed_cycle.pose_at(0.0) or self.placement

    @property
    def open_pose(self) -> Pose:
        """Where the parts of the open door stand: its cycle's first frame, else where opening ends."""
        return self.open_cycle.pose_at(0.0) or self.opening.pose_at(self.opening.length) or self.placement


def is_door_table(table: MotionTable) -> bool:
    """Whether a motion table knows the states On and Off in the NonCombat stance."""
    opening, closing, is_open, is_closed = _door_motions(table)
    return (is_open or opening) is not None and (is_closed or closing) is not None


def door_motion(
    world: World, table: MotionTable | None, model: Model, room: PoseRoom | None = None
) -> DoorMotion:
    """The door clips of a table for a model, as far as there is room; without a table the door has none."""
    room = room if room is not None else PoseRoom()
    placement = posed_frames(model, None)
    if table is None:
        return DoorMotion(
            opening=EMPTY_CLIP,
            closing=EMPTY_CLIP,
            open_cycle=EMPTY_CLIP,
            closed_cycle=EMPTY_CLIP,
            placement=placement,
        )
    opening, closing, is_open, is_closed = (motion_clip(world, m, model, room) for m in _door_motions(table))
    return DoorMotion(
        opening=opening, closing=closing, open_cycle=is_open, closed_cycle=is_closed, placement=placement
    )


def door_records(world: World, table: MotionTable | None) -> tuple[Animation | None, ...]:
    """The animations that a table's door clips are made of, None for one that is missing or damaged."""
    motions = _door_motions(table) if table is not None else ()
    ids = [anim.id for motion in motions if motion is not None for anim in motion.anims]
    return tuple([world.problems.fetch(world.source.animation, anim_id) for anim_id in ids])


def _motions_of_doors(table: MotionTable) -> tuple[MotionData | LinkTarget | None, ...]:
    """The motions of opening, closing, standing open and standing closed."""
    style = STYLE_NON_COMBAT
    return (
        table.link(style, COMMAND_OFF, COMMAND_ON),
        table.link(style, COMMAND_ON, COMMAND_OFF),
        table.cycle(style, COMMAND_ON),
        table.cycle(style, COMMAND_OFF),
    )


# Thousands of entities may name a table of as many cycles. Who reads tables keeps a few at a time, too.
_door_motions: Final = MadeOnce(_motions_of_doors, most=8)


def motion_clip(
    world: World, motion: MotionData | LinkTarget | None, model: Model, room: PoseRoom | None = None
) -> MotionClip:
    """A motion's stretches one after another; a missing motion, or one without anims, is empty.

    Where there is no more room it ends before its time, which is told.
    """
    room = room if room is not None else PoseRoom()
    starts: list[float] = []
    poses: list[Pose] = []
    hooks: list[tuple[float, AnimationHook]] = []
    length = 0.0
    for anim in () if motion is None else motion.anims:
        if number_fault(anim.fps) is not None:
            continue  # a stretch that is played at no speed that there is; `dat check` says so
        step = 1.0 / abs(anim.fps) if anim.fps else 0.0
        frames = _stretch(world, anim)
        whole = len(frames)
        frames = _as_many(frames, len(model.parts), room)
        if len(frames) < whole:
            world.problems.report(
                f"{world.source.name}, object {hex_id(anim.id)}: the clips of doors have over {MOST_POSED} "
                "parts and hooks in their frames: the rest is left out"
            )
        for i, (number, frame) in enumerate(frames):
            starts.append(length + i * step)
            poses.append(_sound(world, model, frame, f"object {hex_id(anim.id)}: frames[{number}]"))
            if step and i < len(frames) - 1:
                way = 1 if anim.fps > 0.0 else -1
                hooks += [(length + (i + 1) * step, h) for h in frame.hooks if h.direction in (0, way)]
        length += len(frames) * step
    return MotionClip(tuple(starts), tuple(poses), length, tuple(hooks))


def _as_many(frames: list[tuple[int, AnimFrame]], parts: int, room: PoseRoom) -> list[tuple[int, AnimFrame]]:
    """The first of some frames, as many as there is room for."""
    for count, (_, frame) in enumerate(frames):
        room.left -= 1 + parts + len(frame.hooks)
        if room.left < 0:
            return frames[:count]
    return frames


def _stretch(world: World, anim: AnimData) -> list[tuple[int, AnimFrame]]:
    """A stretch's frames with their numbers, as played: backwards for a negative speed, one for no speed."""
    try:
        animation = world.source.animation(anim.id)
    except DatError as error:
        world.problems.report(str(error))
        return []
    if animation is None:
        return []
    last = animation.num_frames - 1
    low = max(0, anim.low)
    high = last if anim.high < 0 else min(anim.high, last)
    numbers = list(range(low, high + 1))
    if anim.fps < 0.0:
        numbers.reverse()
    elif anim.fps == 0.0:
        numbers = numbers[:1]
    return [(i, animation.frames[i]) for i in numbers]


def _sound(world: World, model: Model, frame: AnimFrame, name: str) -> Pose:
    """The parts' frames of a frame, by its ``name``; one that nothing can be placed by is the placement's."""
    placement = posed_frames(model, None)
    out: list[Frame] = []
    for part, stored in enumerate(frame.frames[: len(placement)]):
        fault = frame_fault(stored)
        if fault is not None:
            where = f"{world.source.name}, {name}.frames[{part}]"
            world.problems.report(f"{where} {fault}; the part stays where it rests")
        out.append(placement[part] if fault is not None else Frame.stored(stored))
    return posed_frames(model, out)
