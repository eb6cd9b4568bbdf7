"""The human's records: parts, Setup, animations and the table of his motions."""

from __future__ import annotations

from collections.abc import Callable

from engine.dat.pieces.hooks import AnimFrame
from engine.dat.records.animation import HAS_POS_FRAMES, Animation
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.motion_table import (
    HAS_OMEGA,
    HAS_VELOCITY,
    STYLE_NON_COMBAT,
    AnimData,
    Link,
    LinkTarget,
    MotionData,
    MotionTable,
    StyleDefault,
    motion_key,
)
from engine.dat.records.setup import ALLOW_FREE_HEADING, Setup
from engine.dat.values import IDENTITY_FRAME, Sphere, StoredFrame, Vec3
from scripts.demo_world import ids
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, setup
from scripts.demo_world.people import figure, gait
from scripts.demo_world.people.gait import Frames, frames_of

Record = GfxObj | Setup | Animation | MotionTable
FPS = 30.0
READY, WALK, RUN, FALLING = 0x41000003, 0x45000005, 0x44000007, 0x40000015
TURN, SIDE = 0x6500000D, 0x6500000F
RESTRICTED = 2
TURN_RATE, SIDE_SPEED = -1.5, 1.25

# Animation, frames, its pose at a phase, metres that its cycle goes ahead and to the right.
CYCLES: tuple[tuple[int, int, Callable[[float], gait.Pose], float, float], ...] = (
    (ids.HUMAN_READY, 90, gait.standing, 0.0, 0.0),
    (ids.HUMAN_WALK, 16, gait.walking, 1.664, 0.0),
    (ids.HUMAN_RUN, 24, gait.running, 3.2, 0.0),
    (ids.HUMAN_SIDE, 16, gait.side_stepping, 0.0, 0.666667),
    (ids.HUMAN_TURN, 20, gait.turning, 0.0, 0.0),
    (ids.HUMAN_FALL, 20, gait.falling, 0.0, 0.0),
)


def records() -> list[tuple[int, Record]]:
    """Everything that the human is made of, by id."""
    out: list[tuple[int, Record]] = [
        (ids.HUMAN_PARTS + part, gfx_obj(ids.HUMAN_PARTS + part, figure.part_faces(part)))
        for part in range(figure.COUNT)
    ]
    out.append((ids.HUMAN, human()))
    out += [(made.id, made) for made in (*_cycles(), *_links())]
    out.append((ids.HUMAN_MOTIONS, motion_table()))
    return out


def human() -> Setup:
    """The human as an object: two spheres, as who walks has them."""
    parts = tuple(ids.HUMAN_PARTS + part for part in range(figure.COUNT))
    spheres = (
        Sphere((0.0, 0.0, f32(0.475)), f32(0.48)),
        Sphere((0.0, 0.0, f32(1.35)), f32(0.48)),
    )
    return setup(
        ids.HUMAN, parts, frames_of(gait.standing(0.0)), spheres=spheres, height=1.835, radius=0.3,
        flags=ALLOW_FREE_HEADING,
    )  # fmt: skip


def motion_table() -> MotionTable:
    """Standing, walking, running, stepping aside, turning, falling, and what leads from one to another."""
    cycles = {
        READY: ids.HUMAN_READY, WALK: ids.HUMAN_WALK, RUN: ids.HUMAN_RUN, SIDE: ids.HUMAN_SIDE,
        TURN: ids.HUMAN_TURN, FALLING: ids.HUMAN_FALL,
    }  # fmt: skip
    turns: Vec3 = (0.0, 0.0, TURN_RATE)
    data = []
    for command, animation in cycles.items():
        bits = RESTRICTED if command in (TURN, SIDE) else 0
        omega = turns if command == TURN else None
        flags = HAS_OMEGA if omega else 0
        data.append(
            MotionData(
                key=motion_key(STYLE_NON_COMBAT, command),
                bits=bits,
                flags=flags,
                anims=_play(animation),
                velocity=None,
                omega=omega,
            )
        )
    modifiers = (
        MotionData(
            key=motion_key(STYLE_NON_COMBAT, TURN),
            bits=0,
            flags=HAS_OMEGA,
            anims=(),
            velocity=None,
            omega=turns,
        ),
        MotionData(
            key=motion_key(STYLE_NON_COMBAT, SIDE),
            bits=0,
            flags=HAS_VELOCITY,
            anims=(),
            velocity=(SIDE_SPEED, 0.0, 0.0),
        ),
    )
    ways = {
        READY: ((WALK, ids.READY_TO_WALK), (RUN, ids.READY_TO_RUN), (FALLING, ids.READY_TO_FALL)),
        WALK: ((READY, ids.WALK_TO_READY),),
        RUN: ((READY, ids.RUN_TO_READY),),
        FALLING: ((READY, ids.FALL_TO_READY),),
    }
    links = tuple(
        Link(
            motion_key(STYLE_NON_COMBAT, start),
            tuple(LinkTarget(target, 0, 0, _play(animation)) for target, animation in targets),
        )
        for start, targets in ways.items()
    )
    return MotionTable(
        id=ids.HUMAN_MOTIONS,
        default_style=STYLE_NON_COMBAT,
        style_defaults=(StyleDefault(STYLE_NON_COMBAT, READY),),
        cycles=tuple(data),
        modifiers=modifiers,
        links=links,
    )


def _play(animation: int) -> tuple[AnimData, ...]:
    return (AnimData(animation, 0, -1, FPS),)


def _cycles() -> list[Animation]:
    out = []
    for number, count, pose_at, ahead, aside in CYCLES:
        poses = [frames_of(pose_at(k / count)) for k in range(count)]
        step = StoredFrame(point((aside / count, ahead / count, 0.0)), IDENTITY_FRAME.orientation)
        out.append(_animation(number, poses, step if ahead or aside else None))
    return out


def _links() -> list[Animation]:
    """Short ways between cycles, the last frame just before the cycle's first."""
    stand, walk, run = (frames_of(p(0.0)) for p in (gait.standing, gait.walking, gait.running))
    fall = frames_of(gait.falling(0.0))
    knees = [frames_of(gait.landing(k / 8)) for k in range(9)]
    return [
        _animation(ids.READY_TO_WALK, _way(stand, walk, 4)),
        _animation(ids.WALK_TO_READY, _way(walk, stand, 5)),
        _animation(ids.READY_TO_RUN, _way(stand, run, 4)),
        _animation(ids.RUN_TO_READY, _way(run, stand, 6)),
        _animation(ids.READY_TO_FALL, _way(stand, fall, 4)),
        _animation(ids.FALL_TO_READY, [*_way(fall, knees[1], 2), *knees[1:]]),
    ]


def _way(start: Frames, end: Frames, count: int) -> list[Frames]:
    return [gait.between(start, end, (k + 1) / (count + 1)) for k in range(count)]


def _animation(number: int, poses: list[Frames], step: StoredFrame | None = None) -> Animation:
    moves = None if step is None else (step,) * len(poses)
    flags = HAS_POS_FRAMES if moves else 0
    return Animation(
        id=number,
        flags=flags,
        num_parts=figure.COUNT,
        pos_frames=moves,
        frames=tuple(AnimFrame(frames) for frames in poses),
    )
