"""What stands about and plays the same for ever: default animations and idle cycles (motion 1.3, 5.4).

All clocks begin with simulation time: what is shown follows from the time alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from engine.dat.pieces.hooks import PARTICLE_HOOKS, AnimationHook
from engine.dat.records.motion_table import AnimData, MotionTable
from engine.made_once import MadeOnce
from engine.motion.lookup import MotionLookup
from engine.motion.ready_clip import NO_HOOKS, Clip, Clips, Pose
from engine.motion.sequence import MOST_EVENTS, Node, pose_at
from engine.named_tuple import NamedTuple
from engine.world.models import Model
from engine.world.source import Problems, WorldSource
from engine.world.tolerance import EPS

DEFAULT_RATE: Final = 30.0
"""Frames a second of a Setup's default animation."""
HUMAN_SETUP, HUMAN_TABLE = 0x02000001, 0x09000001
TICKS_PER_SECOND: Final = 30
MOST_FRAMES: Final = 4096
"""Frames that one stretch of time goes through at most."""
_SLACK: Final = 1e-6  # frames: ticks and frames often begin together


class Idle(NamedTuple):
    """Nodes that are played one after another; the last one repeats."""

    nodes: tuple[Node, ...]

    def at(self, seconds: float) -> tuple[int, float]:
        """Which node is shown at a time, and its frame number."""
        rest = max(0.0, seconds)
        for index, node in enumerate(self.nodes):
            is_last = index == len(self.nodes) - 1
            length = _length(node)
            if not is_last and rest >= length - _SLACK:
                rest -= length
                continue
            if length == math.inf:
                return index, node.start
            passed = (rest % length if is_last else rest) * abs(node.fps)
            if passed >= length * abs(node.fps) - _SLACK:
                passed = 0.0
            whole = round(passed)
            passed = float(whole) if abs(passed - whole) < _SLACK else passed
            return index, node.start + passed if node.fps > 0.0 else max(node.low, node.start - passed)
        return 0, 0.0

    def pose(self, seconds: float, *, blended: bool = False) -> Pose:
        """The parts' frames at a time, relative to the object and unscaled."""
        index, fn = self.at(seconds)
        return pose_at(list(self.nodes), index, fn, blended=blended)

    def hooks(self, start: float, end: float) -> list[AnimationHook]:
        """The hooks of frames that are left after a time and up to another, in order (motion 3.3).

        Of more than MOST_EVENTS the first.
        """
        return [hook for _, hook in islice(self.timed_hooks(start, end), MOST_EVENTS)]

    def timed_hooks(self, start: float, end: float) -> Iterator[tuple[float, AnimationHook]]:
        """The same, all of them, each with the time when it comes due."""
        begins = 0.0
        for index, node in enumerate(self.nodes):
            length = _length(node)
            until = end - begins if index == len(self.nodes) - 1 else min(end - begins, length)
            for at, hook in _hooks(node, start - begins, until):
                yield begins + at, hook
            begins += length
            if begins > end:
                break

    @property
    def weight(self) -> int:
        """The frames and hooks that a tick goes through at most."""
        return _weight(self)

    @property
    def moves(self) -> bool:
        """Whether anything of it ever changes."""
        return len(self.nodes) > 1 or any(node.fps != 0.0 and node.high > node.low for node in self.nodes)

    @property
    def has_effects(self) -> bool:
        """Whether a hook of it starts or ends particles."""
        return self.has_hooks(PARTICLE_HOOKS)

    def has_hooks(self, kinds: Collection[int]) -> bool:
        """Whether it has a hook of one of those kinds."""
        return not _hook_kinds(self).isdisjoint(kinds)


# Thousands of objects may play the same animation, with as many hooks.
_hook_kinds: Final = MadeOnce[Idle, frozenset[int]](
    lambda idle: frozenset(h.type for node in idle.nodes for fired in node.clip.hooks.values() for h in fired)
)


def _weigh(idle: Idle) -> int:
    weight = 1
    for node in idle.nodes:
        frames = min(MOST_FRAMES, math.ceil(abs(node.fps) / TICKS_PER_SECOND) + 1)
        weight = max(weight, frames * (1 + max(map(len, node.clip.hooks.values()), default=0)))
    return weight


_weight: Final = MadeOnce[Idle, int](_weigh)


class Tables:
    """Motion tables made ready, each once; what is damaged is reported and counts as missing."""

    def __init__(self, source: WorldSource, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._known: dict[int, MotionLookup | None] = {}

    def lookup(self, table_id: int) -> MotionLookup | None:
        """A table by id."""
        if table_id not in self._known:
            table: MotionTable | None = self._problems.fetch(self._source.motion_table, table_id)
            self._known[table_id] = MotionLookup(table) if table is not None else None
        return self._known[table_id]


class Idles:
    """The idles of models, each made once; ``tables`` finds a motion table, None for one that is missing."""

    def __init__(self, clips: Clips, tables: Tables) -> None:
        self._clips = clips
        self._tables = tables
        self._known: dict[tuple[int, int, bool], Idle | None] = {}

    def of(self, model: Model, motion_table: int = 0, *, static: bool = False) -> Idle | None:
        """What a model plays by itself; None where it stands in its placement frame.

        ``motion_table`` is the one that its spawn names, 0 for its Setup's own. A table's default state goes
        before a default animation; a static without one shows the first frame of the table's cycle.
        """
        key = (model.model_id, motion_table, static)
        if key not in self._known:
            self._known[key] = self._make(model, motion_table or model.motion_table, static=static)
        return self._known[key]

    def _make(self, model: Model, motion_table: int, *, static: bool) -> Idle | None:
        if not motion_table and model.model_id == HUMAN_SETUP and not static:
            motion_table = HUMAN_TABLE
        if static and model.animation:
            return self._idle((AnimData(model.animation, 0, -1, DEFAULT_RATE),))
        lookup = self._tables.lookup(motion_table) if motion_table else None
        if lookup is not None:
            substate = lookup.style_default(lookup.default_style)
            cycle = lookup.cycle(lookup.default_style, substate) if substate is not None else None
            if cycle is not None:
                return self._idle(tuple(_held(a) for a in cycle.anims) if static else cycle.anims)
        return self._idle((AnimData(model.animation, 0, -1, DEFAULT_RATE),)) if model.animation else None

    def _idle(self, anims: tuple[AnimData, ...]) -> Idle | None:
        clips = [(self._clips.get(anim.id), anim) for anim in anims]
        nodes = [Node(clip, a.low, a.high, a.fps) for clip, a in clips if clip is not None]
        return Idle(tuple(nodes)) if nodes else None


def _held(anim: AnimData) -> AnimData:
    return AnimData(anim.id, anim.low, anim.high, 0.0)


def _length(node: Node) -> float:
    """Seconds that a node plays for."""
    if node.fps == 0.0:
        return math.inf
    frames = node.high + 1.0 - node.low
    return (frames if node.fps > 0.0 else frames - EPS) / abs(node.fps)


def _hooks(node: Node, start: float, end: float) -> Iterator[tuple[float, AnimationHook]]:
    """The hooks of frames of a node that are left between two times of its own, and when they are left."""
    if node.fps == 0.0 or not node.clip.hooks or end <= 0.0:
        return
    count, rate = node.high + 1 - node.low, abs(node.fps)
    first = max(0, math.floor(max(0.0, start) * rate + _SLACK))
    last = math.floor(end * rate + _SLACK)
    way = 1 if node.fps > 0.0 else -1
    if last <= max(first, last - MOST_FRAMES):
        return
    played = _played[way](node.clip)
    for number in range(max(first, last - MOST_FRAMES), last):
        step = number % count
        if step == count - 1:
            continue  # the last frame is never left
        frame = node.low + step if way > 0 else node.high - step
        at = min((number + 1) / rate, end)
        for hook in played.get(frame, NO_HOOKS):
            yield at, hook


def _directed(way: int) -> MadeOnce[Clip, dict[int, tuple[AnimationHook, ...]]]:
    return MadeOnce(
        lambda clip: {
            frame: tuple([hook for hook in hooks if hook.direction in (0, way)])
            for frame, hooks in clip.hooks.items()
        }
    )


_played: Final = {way: _directed(way) for way in (1, -1)}
"""The hooks of a clip that come due in a direction, by their frames."""
