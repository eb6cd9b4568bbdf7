"""A figure's motions by what moves it: the axes of the keys, contact, and what a tick came to (motion 6)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.motion.commands import (
    FALLING,
    READY,
    RUN_FORWARD,
    SIDE_STEP_RIGHT,
    TURN_RIGHT,
    WALK_FORWARD,
)
from engine.motion.motion_state import MotionState
from engine.motion.ready_clip import Pose
from engine.motion.sequence import Event, Node, pose_at
from engine.named_tuple import NamedTuple

WALK_SPEED, RUN_SPEED, SIDE_STEP_SPEED, TURN_SPEED = 3.12, 4.0, 1.25, 1.5
"""m/s and rad/s of the cycles at speed 1 (motion 4.2)."""
RUNS_FROM: Final = 3.5
"""m/s from which going ahead is a run: walking is 3.12, the slowest run 4."""
FALLS_AFTER: Final = 0.1
TURNS_FROM, TURNS_FOR = 0.3, 0.15
"""rad/s from which the figure turns, and seconds for which it goes on when that is over."""
STANDS_BELOW: Final = 0.05
"""The part of the commanded speed below which the figure stands: something holds it."""
STANDS_AFTER: Final = 0.15
RETIMES_FROM: Final = 0.04
"""The part by which a speed must change to be taken over: ticks on a slope differ a little."""
MOST_TURN: Final = 1.5
_SLACK: Final = 1e-9


class Steering(NamedTuple):
    """What a figure is to do: a command ahead with its speed, side-stepping and turning by their speeds.

    READY stands; speeds are factors on the cycles', negative for back and left, 0 for none.
    """

    forward: int = READY
    forward_speed: float = 1.0
    side: float = 0.0
    turn: float = 0.0
    in_air: bool = False


STANDING = Steering()


class Figure:
    """Takes up what it is steered to, in the order of the axes (motion 6.1)."""

    def __init__(self, motions: MotionState) -> None:
        self.motions = motions
        self.steering = STANDING
        self._shown: tuple[list[Node], int, float] = ([], -1, 0.0)
        self._remember()

    def steer(self, steering: Steering) -> None:
        """Do something else from now on."""
        motions, before = self.motions, self.steering
        self.steering = steering
        if steering.in_air != before.in_air:
            motions.remove_links()
        if steering.in_air:
            motions.do(FALLING)
        else:
            motions.do(steering.forward, steering.forward_speed)
            self._axis(SIDE_STEP_RIGHT, steering.side)
        self._axis(TURN_RIGHT, steering.turn)

    def update(self, dt: float) -> list[Event]:
        """Let time pass; what came due. The way that animations would move the object is not taken."""
        self._remember()
        _, events = self.motions.update(dt)
        return events

    def pose(self, since: float | None = None) -> Pose | None:
        """The parts' frames of the last update; None where nothing is played.

        Blended, it is the pose ``since`` seconds after the update before.
        """
        sequence = self.motions.sequence
        if since is None:
            at = (sequence.nodes, sequence.current, sequence.fn)
            return pose_at(*at) if sequence.node is not None else None
        nodes, current, fn = self._shown
        if current < 0:
            return None
        node = nodes[current]
        fn = min(max(node.low, fn + node.fps * since), node.end if node.fps > 0.0 else node.start)
        return pose_at(nodes, current, fn, blended=True)

    @property
    def shown(self) -> tuple[int, int]:
        """The animation that is shown and its frame; 0 for none."""
        sequence = self.motions.sequence
        return (0, 0) if sequence.node is None else (sequence.node.clip.id, sequence.frame)

    def _axis(self, command: int, speed: float) -> None:
        if speed:
            self.motions.do(command, speed)
        elif self.motions.substate == command or any(c == command for c, _ in self.motions.modifiers):
            self.motions.stop(command)

    def _remember(self) -> None:
        """Keep what is shown now, to draw between this and the next."""
        sequence = self.motions.sequence
        self._shown = (list(sequence.nodes), sequence.current, sequence.fn)


class Moved(NamedTuple):
    """What a tick was to move a body and what it did, m/s in the body's own axes: x to its right, y ahead.

    ``rise`` is the velocity of its own, upward; ``heading`` where it looks, degrees clockwise from north.
    """

    asked: Vec3
    done: Vec3
    heading: float
    on_ground: bool
    rise: float = 0.0


class Follower:
    """Steers a figure by what becomes of a body: the sweep moves it, the figure only shows it.

    What was asked of the tick says which motion it is, what it came to how fast that is played.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self._heading: float | None = None
        self._off_ground = self._held = self._turning = 0.0
        self._turn = 0.0

    def follow(self, moved: Moved, dt: float) -> list[Event]:
        """A tick of ``dt`` seconds has passed; what came due."""
        forward, speed = self._ahead(moved, dt)
        steering = Steering(
            forward=forward,
            forward_speed=speed,
            side=self._aside(moved),
            turn=self._turned(moved.heading, dt),
            in_air=self._falls(moved, dt),
        )
        if not self._is_as_before(steering):
            self.figure.steer(steering)
        return self.figure.update(dt)

    def put(self, heading: float) -> None:
        """The body was put somewhere: it stands at once."""
        self._heading = heading
        self._off_ground = self._held = self._turning = self._turn = 0.0
        self.figure.motions.reset()
        self.figure.steering = STANDING
        self.figure.update(0.0)

    def _ahead(self, moved: Moved, dt: float) -> tuple[int, float]:
        asked = math.hypot(moved.asked[0], moved.asked[1])
        if asked <= _SLACK:
            self._held = 0.0
            return READY, 1.0
        share = self._share(moved)
        self._held = self._held + dt if share < STANDS_BELOW else 0.0
        speed = moved.asked[1] * max(share, STANDS_BELOW)
        if self._held >= STANDS_AFTER or abs(speed) <= _SLACK:
            return READY, 1.0
        if moved.asked[1] >= RUNS_FROM:
            return RUN_FORWARD, speed / RUN_SPEED
        return WALK_FORWARD, speed / WALK_SPEED

    def _aside(self, moved: Moved) -> float:
        speed = moved.asked[0] * self._share(moved) / SIDE_STEP_SPEED
        return speed if self._held < STANDS_AFTER and abs(speed) > STANDS_BELOW else 0.0

    def _share(self, moved: Moved) -> float:
        """How much of what was asked was done."""
        asked = math.hypot(moved.asked[0], moved.asked[1])
        return min(1.0, math.hypot(*moved.done) / asked) if asked > _SLACK else 0.0

    def _turned(self, heading: float, dt: float) -> float:
        """The turning that is shown: it begins with a swift turn and ends a moment after it."""
        before, self._heading = self._heading, heading
        if before is None or dt <= 0.0:
            return 0.0
        rate = math.radians((heading - before + 180.0) % 360.0 - 180.0) / dt
        if abs(rate) > TURNS_FROM:
            self._turn = max(-MOST_TURN, min(MOST_TURN, rate / TURN_SPEED))
            self._turning = TURNS_FOR
        else:
            self._turning -= dt
        return self._turn if self._turning > _SLACK else 0.0

    def _falls(self, moved: Moved, dt: float) -> bool:
        """In the air at once by a jump, else when the ground is gone for a while."""
        if moved.on_ground:
            self._off_ground = 0.0
            return False
        self._off_ground += dt
        return self.figure.steering.in_air or moved.rise > 0.0 or self._off_ground > FALLS_AFTER - _SLACK

    def _is_as_before(self, new: Steering) -> bool:
        old = self.figure.steering
        return (
            (new.forward, new.in_air) == (old.forward, old.in_air)
            and _is_near(new.forward_speed, old.forward_speed)
            and _is_near(new.side, old.side)
            and _is_near(new.turn, old.turn)
        )


def _is_near(new: float, old: float) -> bool:
    return new == old or (new * old > 0.0 and abs(new - old) <= RETIMES_FROM * abs(old))
