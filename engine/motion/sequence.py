"""A queue of animations of which the last repeats, and its way through time (motion 3).

Steps are rounded to single precision, as the original has them: that decides whole frames.
"""

from __future__ import annotations

import math
from struct import Struct
from typing import Final

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.values import Vec3
from engine.motion.ready_clip import NO_HOOKS, Clip, Pose
from engine.world.frame import Frame, quat_about, quat_multiply, slerp
from engine.world.tolerance import EPS

MOST_NODES: Final = 4096
"""Nodes in one update: rates that jump billions of frames would never end."""
MOST_EVENTS: Final = 1000
"""Hooks of one update: some frames a second with very many each would take all time and memory."""
FASTEST: Final = 10_000.0
"""Frames a second that a node has at most."""
FARTHEST_BLEND, LARGEST_BLEND = 4.0, math.radians(120.0)
NOTHING: Vec3 = (0.0, 0.0, 0.0)
STILL = Frame(NOTHING)
_SINGLE = Struct("<f")

Event = AnimationHook | None
"""A hook that has come due; None says that an animation is done."""


class Node:
    """A stretch of an animation in the queue: frames ``low`` to ``high``, both shown, at ``fps``.

    A negative rate plays it backwards; it never changes its sign (motion 3.1).
    """

    __slots__ = ("clip", "fps", "high", "low")

    def __init__(self, clip: Clip, low: int, high: int, fps: float) -> None:
        last = clip.last
        high = last if high < 0 or high > last else high
        low = min(max(0, low), last)
        self.clip = clip
        self.low, self.high = low, max(low, high)
        self.fps = single(min(FASTEST, max(-FASTEST, fps))) if math.isfinite(fps) else 0.0

    @property
    def start(self) -> float:
        """The frame number that it begins with."""
        return float(self.low) if self.fps >= 0.0 else self.high + 1.0 - EPS

    @property
    def end(self) -> float:
        """The frame number that it ends with."""
        return self.high + 1.0 - EPS if self.fps >= 0.0 else float(self.low)


class Sequence:
    """What an object plays: ``nodes`` in order, the ``current`` one (an index, -1 for none) and its frame.

    The last node repeats. ``velocity`` (m/s) and ``omega`` (rad/s) go on beside the animations.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.current = -1
        self.fn = 0.0
        self.velocity = NOTHING
        self.omega = NOTHING
        self.events: list[Event] = []
        """What came due in the updates since somebody emptied it."""

    @property
    def node(self) -> Node | None:
        """The node that is shown."""
        return self.nodes[self.current] if self.current >= 0 else None

    @property
    def frame(self) -> int:
        """The frame that is shown, 0 where nothing is played."""
        node = self.node
        return 0 if node is None else min(max(0, math.floor(self.fn)), node.clip.last)

    def clear(self) -> None:
        """Play nothing."""
        self.nodes.clear()
        self.current, self.fn = -1, 0.0
        self.velocity = self.omega = NOTHING

    def append(self, node: Node) -> None:
        """Play something after all the rest, and again and again."""
        self.nodes.append(node)
        if self.current < 0:
            self._show(0)

    def remove_cyclic(self) -> None:
        """Drop what repeats; if it is shown, what comes before it stays at its end (motion 3.2)."""
        if not self.nodes:
            return
        self.nodes.pop()
        if self.current == len(self.nodes):
            self.current -= 1
            self.fn = self.nodes[self.current].end if self.current >= 0 else 0.0

    def remove_links(self, count: int | None = None) -> None:
        """Drop so many nodes before what repeats, by default all of them."""
        for _ in range(len(self.nodes) if count is None else count):
            index = len(self.nodes) - 2
            if index < 0:
                return
            del self.nodes[index]
            if self.current == index:
                self._show(index)
            elif self.current > index:
                self.current -= 1

    def multiply_cyclic(self, factor: float) -> None:
        """Change the rate of what repeats; a factor is never negative."""
        if self.nodes:
            node = self.nodes[-1]
            node.fps = single(min(FASTEST, max(-FASTEST, node.fps * max(0.0, factor))))

    def update(self, dt: float) -> Frame:
        """Let time pass; where the object has come to, in its own frame (motion 3.3)."""
        if not self.nodes:
            return self._drive(STILL, dt)
        off = STILL
        for _ in range(MOST_NODES):
            node = self.nodes[self.current]
            step = single(node.fps * single(dt))
            frame = math.floor(self.fn)
            self.fn += step
            rest = 0.0
            if step == 0.0:
                if abs(dt) > EPS:
                    off = self._drive(off, dt)
                break
            over = False
            if step > 0.0:
                if math.floor(self.fn) > node.high:
                    rest = max(0.0, self.fn - node.high - 1.0) / node.fps if abs(node.fps) > EPS else 0.0
                    self.fn, over = float(node.high), True
                while frame < math.floor(self.fn):
                    off = self._leave(off, node, frame, 1)
                    frame += 1
            else:
                if math.floor(self.fn) < node.low:
                    rest = min(0.0, self.fn - node.low) / node.fps if abs(node.fps) > EPS else 0.0
                    self.fn, over = float(node.low), True
                while frame > math.floor(self.fn):
                    off = self._leave(off, node, frame, -1)
                    frame -= 1
            if not over:
                break
            off = self._next(off, node)
            dt = rest
        self._drop_finished()
        return off

    def _next(self, off: Frame, old: Node) -> Frame:
        """Go on to the next node, after the last to the last again."""
        if len(self.nodes) > 1:
            self.events.append(None)
        if old.fps < 0.0:
            off = self._move(off, old, old.low, -1)
        self._show(min(self.current + 1, len(self.nodes) - 1))
        new = self.nodes[self.current]
        if new.fps > 0.0:
            off = self._move(off, new, math.floor(self.fn), 1)
        return off

    def _leave(self, off: Frame, node: Node, frame: int, way: int) -> Frame:
        off = self._move(off, node, frame, way)
        for hook in node.clip.hooks.get(frame, NO_HOOKS):
            if hook.direction in (0, way) and len(self.events) < MOST_EVENTS:
                self.events.append(hook)
        return off

    def _move(self, off: Frame, node: Node, frame: int, way: int) -> Frame:
        moves = node.clip.moves
        if moves is not None:
            off = off.combine(moves[frame]) if way > 0 else subtract(off, moves[frame])
        return self._drive(off, 1.0 / node.fps)

    def _drive(self, off: Frame, seconds: float) -> Frame:
        """Velocity and turning of a stretch of time."""
        if self.velocity == NOTHING and self.omega == NOTHING:
            return off
        t = abs(seconds)
        (x, y, z), (vx, vy, vz), (wx, wy, wz) = off.origin, self.velocity, self.omega
        turn = quat_about((wx * t, wy * t, wz * t))
        return Frame((x + vx * t, y + vy * t, z + vz * t), quat_multiply(off.quat, turn))

    def _show(self, index: int) -> None:
        self.current = index
        self.fn = self.nodes[index].start

    def _drop_finished(self) -> None:
        drop = min(self.current, len(self.nodes) - 1)
        if drop > 0:
            del self.nodes[:drop]
            self.current -= drop


def pose_at(nodes: list[Node], current: int, fn: float, *, blended: bool = False) -> Pose:
    """The parts' frames at a frame number of a node, whole frames or ``blended`` between two (motion 3.4)."""
    node = nodes[current]
    last = node.clip.last
    whole = math.floor(fn)
    first = node.clip.poses[min(max(0, whole), last)]
    if not blended or node.fps == 0.0:
        return first
    share = fn - whole if node.fps > 0.0 else 1.0 - (fn - whole)
    ahead = whole + (1 if node.fps > 0.0 else -1)
    if node.low <= ahead <= node.high:
        second = node.clip.poses[ahead]
    else:
        after = nodes[min(current + 1, len(nodes) - 1)]
        second = after.clip.poses[min(max(0, math.floor(after.start)), after.clip.last)]
    return tuple([between(a, b, share) for a, b in zip(first, second, strict=False)]) + first[len(second) :]


def between(a: Frame, b: Frame, share: float) -> Frame:
    """A frame between two; the first where they are too far apart to be one movement."""
    if math.dist(a.origin, b.origin) > FARTHEST_BLEND:
        return a
    dot = abs(sum(p * q for p, q in zip(a.quat, b.quat, strict=True)))
    if 2.0 * math.acos(min(1.0, dot)) > LARGEST_BLEND:
        return a
    (ax, ay, az), (bx, by, bz) = a.origin, b.origin
    at = (ax + (bx - ax) * share, ay + (by - ay) * share, az + (bz - az) * share)
    return Frame(at, slerp(a.quat, b.quat, share))


def subtract(a: Frame, b: Frame) -> Frame:
    """What ``combine`` with ``b`` makes ``a`` of."""
    w, x, y, z = b.quat
    q = quat_multiply(a.quat, (w, -x, -y, -z))
    back = Frame(NOTHING, q).to_global_vec(b.origin)
    return Frame((a.origin[0] - back[0], a.origin[1] - back[1], a.origin[2] - back[2]), q)


def single(value: float) -> float:
    """A number as single precision has it."""
    rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    return rounded
