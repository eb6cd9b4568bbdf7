"""Animations, tables and sequences of the cases in motion 9: hooks carry a tag, here a script's id."""

import math

from engine.dat.pieces.hooks import AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.motion_table import (
    AnimData,
    Link,
    LinkTarget,
    MotionData,
    MotionTable,
    StyleDefault,
)
from engine.dat.values import StoredFrame
from engine.motion.commands import FALLING, NON_COMBAT, READY, RUN_FORWARD, SIDE_STEP_RIGHT
from engine.motion.commands import TURN_RIGHT as TURN
from engine.motion.commands import WALK_FORWARD as WALK
from engine.motion.lookup import MotionLookup, key_of
from engine.motion.motion_state import MotionState
from engine.motion.ready_clip import clip_of
from engine.motion.sequence import Node, Sequence

SIDE, RUN = SIDE_STEP_RIGHT, RUN_FORWARD
DEAD, WAVE, ON, OFF = 0x40000011, 0x13000087, 0x4000000B, 0x4000000C
STILL = StoredFrame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
EPS = 0.0005


def tag(number, direction=0):
    return AnimationHook(0x0E, direction, (number,))


def animation(frames, hooks=None, moves=None, number=0, *, poses=None):
    """``hooks`` are (tag, direction) by frame; ``poses`` one pose a frame, else one part at the origin."""
    hooks = hooks or {}
    poses = poses or [(STILL,)] * frames
    return Animation(
        id=number,
        flags=(1 if moves else 0) | 2,
        num_parts=len(poses[0]),
        pos_frames=tuple(moves) if moves else None,
        frames=tuple(
            AnimFrame(tuple(pose), tuple(tag(n, d) for n, d in hooks.get(k, ())))
            for k, pose in enumerate(poses)
        ),
    )


def clip(frames, hooks=None, moves=None, number=0, *, poses=None):
    return clip_of(animation(frames, hooks, moves, number, poses=poses))


def moving(x=0.0, y=0.0, z=0.0, degrees=0.0):
    half = math.radians(degrees) / 2
    return StoredFrame((x, y, z), (math.cos(half), 0.0, 0.0, math.sin(half)))


def sequence(*stretches):
    """A sequence of (clip, low, high, fps)."""
    out = Sequence()
    for stretch in stretches:
        out.append(Node(*stretch))
    return out


def step(seq, dt):
    """Frame, frame number and tags of an update."""
    seq.update(dt)
    return shown(seq)


def shown(seq):
    tags = ["done" if event is None else event.values[0] for event in seq.events]
    seq.events = []
    return seq.frame, round(seq.fn, 4), tags


def near(found, frame, fn, tags=None):
    assert found[0] == frame
    assert abs(found[1] - fn) < EPS, found
    if tags is not None:
        assert found[2] == tags


def degrees(frame):
    """How far a frame is turned about z, counter-clockwise."""
    w, _, _, z = frame.quat
    return math.degrees(2.0 * math.atan2(z, w))


class Made:
    """Animations by name, as MotionState asks for them."""

    def __init__(self, lengths):
        self.numbers = {name: k + 1 for k, name in enumerate(lengths)}
        self.clips = {self.numbers[name]: clip(n, number=self.numbers[name]) for name, n in lengths.items()}

    def get(self, number):
        return self.clips.get(number)

    def name(self, clip_):
        return next(name for name, number in self.numbers.items() if number == clip_.id)

    def play(self, name, fps=30.0, low=0, high=-1):
        return (AnimData(self.numbers[name], low, high, fps),)


def motion(key, anims, bits=0, velocity=None, *, omega=None):
    flags = (1 if velocity else 0) | (2 if omega else 0)
    return MotionData(key=key, bits=bits, flags=flags, anims=anims, velocity=velocity, omega=omega)


def links(style, pairs):
    """Links by (start, target); start 0 is from anything."""
    by_start = {}
    for (start, target), anims in pairs.items():
        by_start.setdefault(key_of(style, start), []).append(LinkTarget(target, 0, 0, anims))
    return tuple(Link(key, tuple(targets)) for key, targets in by_start.items())


LENGTHS = {
    "r": 4, "w": 16, "n": 24, "t": 10, "s": 8, "f": 9, "d": 20, "rw": 6, "wr": 5, "rn": 3, "nr": 7, "rf": 2,
    "fr": 3, "xd": 20, "rv": 12,
}  # fmt: skip


def table_t(walk_velocity=None, extra_cycles=(), extra_modifiers=()):
    """Table T of motion 9.3 and its animations."""
    made = Made(LENGTHS)
    play = made.play

    def key(command):
        return key_of(NON_COMBAT, command)

    cycles = (
        motion(key(READY), play("r")),
        motion(key(WALK), play("w"), velocity=walk_velocity),
        motion(key(RUN), play("n")),
        motion(key(TURN), play("t"), bits=2, omega=(0.0, 0.0, -1.5)),
        motion(key(SIDE), play("s"), bits=2),
        motion(key(FALLING), play("f")),
        motion(key(DEAD), play("d", 0.0, 0, 0)),
        *extra_cycles,
    )
    modifiers = (
        motion(key(TURN), (), omega=(0.0, 0.0, -1.5)),
        motion(0x0F, (), velocity=(1.25, 0.0, 0.0)),
        *extra_modifiers,
    )
    ways = {
        (READY, WALK): play("rw"), (WALK, READY): play("wr"), (READY, RUN): play("rn"),
        (RUN, READY): play("nr"), (READY, FALLING): play("rf"), (FALLING, READY): play("fr"),
        (0, DEAD): play("xd"), (READY, WAVE): play("rv"),
    }  # fmt: skip
    table = MotionTable(
        id=1,
        default_style=NON_COMBAT,
        style_defaults=(StyleDefault(NON_COMBAT, READY),),
        cycles=cycles,
        modifiers=modifiers,
        links=links(NON_COMBAT, ways),
    )
    return table, made


def state_t(**more):
    table, made = table_t(**more)
    return MotionState(MotionLookup(table), made), made


def listed(state, made):
    """The nodes as the cases write them: name@fps."""
    return [f"{made.name(n.clip)}@{n.fps:g}" for n in state.sequence.nodes]


def at(state, made):
    """The name of what is shown, its frame and frame number."""
    seq = state.sequence
    return made.name(seq.node.clip), seq.frame, round(seq.fn, 4)
