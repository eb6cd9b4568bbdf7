"""What an object is doing: style, substate, modifiers and actions, and the sequence they make (motion 2)."""

from __future__ import annotations

from engine.dat.records.motion_table import MotionData
from engine.dat.values import Vec3
from engine.motion.commands import ACTION, MODIFIER, STYLE, SUBSTATE, is_same_way
from engine.motion.ledger import Ledger
from engine.motion.lookup import CLEARS, RESTRICTED, Motion, MotionLookup
from engine.motion.ready_clip import Clips
from engine.motion.sequence import NOTHING, Event, Node, Sequence
from engine.world.frame import Frame
from engine.world.tolerance import EPS

FASTEST = 100.0
"""The highest speed that is taken from outside."""

Part = tuple[Motion | None, float]


class MotionState:
    """One object's motions by a table. ``mod`` is the substate's speed, which may be negative.

    ``modifiers`` are (command, speed), the newest first, ``actions`` commands, the oldest first;
    ``reported`` is how many link animations the last command brought.
    """

    def __init__(self, lookup: MotionLookup, clips: Clips) -> None:
        self.lookup = lookup
        self.sequence = Sequence()
        self.ledger = Ledger()
        self.reported = 0
        self._clips = clips
        self.reset()

    def reset(self) -> None:
        """The table's default state; without a style default or its cycle nothing is played (motion 1.3)."""
        self.style = self.substate = 0
        self.mod = 1.0
        self.modifiers: list[tuple[int, float]] = []
        self.actions: list[int] = []
        self.sequence.clear()
        self.ledger.clear()
        style = self.lookup.default_style
        substate = self.lookup.style_default(style)
        cycle = self.lookup.cycle(style, substate) if substate is not None else None
        if substate is not None and cycle is not None:
            self.style, self.substate = style, substate
            self._add(cycle, 1.0)

    def do(self, command: int, speed: float = 1.0) -> bool:
        """Take up a command; False where the table has nothing for it, and all stays as it is."""
        return self._entered(command, self._do(command, _held(speed)))

    def stop(self, command: int) -> bool:
        """Let go of a command; False where it was not taken up."""
        if command == self.substate and command:
            home = self.lookup.style_default(self.style)
            return home is not None and self._entered(home, self._do(home, 1.0, stops=True))
        if self._drop_modifier(command):
            return self._entered(self.lookup.style_default(self.style) or 0, 0)
        return False

    def remove_links(self) -> None:
        """Be in the cycle at once: on leaving the ground, landing, entering the world."""
        self.sequence.remove_links()
        self.ledger.clear()

    def update(self, dt: float) -> tuple[Frame, list[Event]]:
        """Let time pass; where the object has come to, in its own frame, and what came due."""
        off = self.sequence.update(dt)
        events, self.sequence.events = self.sequence.events, []
        for event in events:
            if event is None:
                self._finished(self.ledger.finish())
        return off, events

    def _entered(self, command: int, count: int | None) -> bool:
        if count is None:
            return False
        self.reported = count
        self.sequence.remove_links(self.ledger.add(command, count))
        self._finished(self.ledger.settle())
        return True

    def _finished(self, commands: list[int]) -> None:
        for command in commands:
            if command & ACTION and command in self.actions:
                self.actions.remove(command)

    def _do(self, command: int, speed: float, *, stops: bool = False) -> int | None:
        """The four ways to take up a command, in their order (motion 2.2); link animations, None: refused."""
        home = self.lookup.style_default(self.style)
        if not self.style or not self.substate or home is None:
            return None
        if command == home and not stops and self.substate & MODIFIER:
            return 0
        found: int | None = None
        if command & STYLE:
            found = self._do_style(command, speed, home)
        if found is None and command & SUBSTATE:
            found = self._do_substate(command, speed, home)
        if found is None and command & ACTION:
            found = self._do_action(command, speed, home)
        if found is None and command & MODIFIER:
            found = self._do_modifier(command, speed)
        return found

    def _do_style(self, command: int, speed: float, home: int) -> int | None:
        look = self.lookup
        if command == self.style:
            return 0
        substate = look.style_default(command)
        cycle = look.cycle(command, substate) if substate is not None else None
        if substate is None or cycle is None:
            return None
        way_out = None
        if self.substate != home:
            way_out = look.link(self.style, self.substate, self.mod, home, sb=speed)
        first, second = look.link(self.style, home, self.mod, command, sb=speed), None
        if first is None:
            first = look.link(self.style, home, 1.0, look.default_style, sb=1.0)
            start = look.style_default(look.default_style)
            second = look.link(look.default_style, start, 1.0, command, sb=1.0) if start is not None else None
        count = self._rebuild(cycle, [(way_out, speed), (first, speed), (second, speed), (cycle, speed)])
        self.substate, self.style, self.mod = substate, command, speed
        self._take_up_modifiers()
        return count - 1

    def _do_substate(self, command: int, speed: float, home: int) -> int | None:
        look = self.lookup
        cycle = look.cycle(self.style, command)
        if cycle is None or (cycle.bits & RESTRICTED and self.substate not in (command, home)):
            return None
        if command == self.substate and is_same_way(speed, self.mod) and self.sequence.nodes:
            self._retime(cycle, speed)
            return 0
        first = look.link(self.style, self.substate, self.mod, command, sb=speed)
        parts: list[Part]
        if first is None or not is_same_way(speed, self.mod):
            first = look.link(self.style, self.substate, self.mod, home, sb=1.0)
            second = look.link(self.style, home, 1.0, command, sb=speed)
            if second is not None:
                parts = [(first, self.mod), (second, speed)]
            else:
                parts = [(first, -speed if self.mod < 0.0 < speed else speed)]
        else:
            parts = [(first, speed)]
        count = self._rebuild(cycle, [*parts, (cycle, speed)])
        if self.substate & MODIFIER and command not in (self.substate, home) and not cycle.bits & CLEARS:
            self.modifiers.insert(0, (self.substate, self.mod))
        self.mod, self.substate = speed, command
        self._take_up_modifiers()
        return count - 1

    def _do_action(self, command: int, speed: float, home: int) -> int | None:
        look = self.lookup
        cycle = look.cycle(self.style, self.substate)
        if cycle is None:
            return None
        direct = look.link(self.style, self.substate, self.mod, command, sb=speed)
        parts: list[Part] = [(direct, speed)]
        if direct is None:
            away = look.link(self.style, self.substate, self.mod, home, sb=1.0)
            there = look.link(self.style, home, 1.0, command, sb=speed)
            if away is None or there is None:
                return None
            back = look.link(self.style, home, 1.0, self.substate, sb=self.mod)
            parts = [(away, 1.0), (there, speed), (back, 1.0)]
        count = self._rebuild(cycle, parts)
        self._add(cycle, self.mod)
        self._take_up_modifiers()
        self.actions.append(command)
        return count

    def _do_modifier(self, command: int, speed: float) -> int | None:
        cycle = self.lookup.cycle(self.style, self.substate)
        data = self.lookup.modifier(self.style, command)
        if cycle is None or cycle.bits & CLEARS or data is None:
            return None
        if command == self.substate:
            self.stop(command)
        else:
            self._drop_modifier(command)
        self._push(data, speed)
        self.modifiers.insert(0, (command, speed))
        return 0

    def _retime(self, cycle: MotionData, speed: float) -> None:
        before = self.mod
        if abs(before) > EPS:
            self.sequence.multiply_cyclic(speed / before)
        elif abs(speed) < EPS:
            self.sequence.multiply_cyclic(0.0)
        self._push(cycle, speed - before)
        self.mod = speed

    def _rebuild(self, cycle: MotionData, parts: list[Part]) -> int:
        """What repeats goes and other parts come; how many animations came."""
        if cycle.bits & CLEARS:
            self.modifiers.clear()
        self.sequence.velocity = self.sequence.omega = NOTHING
        self.sequence.remove_cyclic()
        return sum(self._add(motion, speed) for motion, speed in parts if motion is not None)

    def _add(self, motion: Motion, speed: float) -> int:
        sequence = self.sequence
        sequence.velocity = _times(motion.velocity or NOTHING, speed)
        sequence.omega = _times(motion.omega or NOTHING, speed)
        count = 0
        for anim in motion.anims:
            clip = self._clips.get(anim.id)
            if clip is not None:
                sequence.append(Node(clip, anim.low, anim.high, anim.fps * speed))
                count += 1
        return count

    def _push(self, motion: Motion, speed: float) -> None:
        """Add velocity and turning of a motion to what there is."""
        sequence = self.sequence
        sequence.velocity = _plus(sequence.velocity, _times(motion.velocity or NOTHING, speed))
        sequence.omega = _plus(sequence.omega, _times(motion.omega or NOTHING, speed))

    def _drop_modifier(self, command: int) -> bool:
        speed = dict(self.modifiers).get(command)
        if speed is None:
            return False
        data = self.lookup.modifier(self.style, command)
        if data is not None:
            self._push(data, -speed)
        self.modifiers = [(c, s) for c, s in self.modifiers if c != command]
        return True

    def _take_up_modifiers(self) -> None:
        """Each remembered modifier anew, once, on the new cycle or as the new substate."""
        before, self.modifiers = self.modifiers, []
        for command, speed in before:
            self._do(command, speed)
        order = [command for command, _ in before]
        self.modifiers.sort(key=lambda m: order.index(m[0]) if m[0] in order else -1)


def _held(speed: float) -> float:
    return max(-FASTEST, min(FASTEST, speed))


def _times(v: Vec3, k: float) -> Vec3:
    return (v[0] * k, v[1] * k, v[2] * k)


def _plus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
