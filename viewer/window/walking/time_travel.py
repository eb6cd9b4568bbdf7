"""Going back and forth in a walk's kept ticks, and how fast time passes."""

from __future__ import annotations

from collections.abc import Callable

from engine.replay.history.moment import Staged
from engine.replay.history.ticks import History
from viewer.report.timeline_report import TimelineReport, place_in_time, tick_name
from viewer.window.walking.pace import SPEEDS, Pace


class TimeTravel:
    """Shows ticks of a history; ``shown`` is called after each. Time stands still while one is shown.

    ``playing`` tells that kept ticks follow one another by themselves, until the last, ``filming`` that a
    film is made of them, and no new one should come meanwhile; ``jumped`` that the tick shown is not the one
    after that which was shown before. ``unsaid`` is what became of things that were done at a tick which was
    left without a line: whoever says it takes it away.
    """

    def __init__(self, history: History, pace: Pace, shown: Callable[[], None]) -> None:
        self.history = history
        self.pace = pace
        self.playing = self.filming = False
        self.jumped = False
        self.unsaid = ""
        self._shown = shown
        self._line = ""

    def holds(self, text: str) -> Callable[[], bool]:
        """Whether a line is still true: one that tells of the tick shown is, until another is shown."""
        history, tick = self.history, self.history.shown
        tells = bool(self._line) and self._line in text
        return lambda: not tells or history.shown == tick

    def show(self, tick: int) -> str:
        """Go to a tick, or the nearest that is kept; a line that says which."""
        if not self.pace.paused:
            self.pace.toggle_pause()
        history = self.history
        left, dropped = history.shown, self.dropped_by(tick)
        history.show(tick)
        self.jumped = history.shown not in (left, left + 1)
        self._shown()
        said = place_in_time(history.shown, history.last)
        if history.pending and history.shown != left:
            said += ", with what was done after it"
        return self._tell(f"{said}; {dropped}" if dropped else said)

    def dropped_by(self, tick: int) -> str:
        """What is lost by going to a tick, in words: what was done at one that others came after."""
        history = self.history
        if not history.pending or history.is_at_end or history.at(tick).tick == history.shown:
            return ""
        return f"what was done at {tick_name(history.shown)} is dropped: time went on from there already"

    def _tell(self, line: str) -> str:
        self._line = line
        return line

    def back(self) -> str:
        """Go to the tick before."""
        self.playing = False
        return self.show(self.history.shown - 1)

    def forward(self) -> bool:
        """Go to the next tick that is kept; whether there is one."""
        self.playing = False
        if self.history.is_at_end:
            return False
        self.unsaid = self.dropped_by(self.history.shown + 1)
        self.show(self.history.shown + 1)
        return True

    def put_back(self, staged: Staged) -> None:
        """Be where it was once, with what had been done there."""
        self.history.put_back(staged)
        self.jumped = True
        self._shown()

    def to_mark(self, by: int, kind: str = "") -> str:
        """Go to the next mark (of a kind), or the one before; a line that says where.

        After the last of a kind the next one is the first: the line says that there was none after this tick.
        """
        self.playing = False
        tick = self.history.next_mark(by, kind)
        begins_anew = tick is None and kind != "" and by > 0
        if begins_anew:
            tick = next((span.first for span in self.history.spans if span.kind == kind), None)
        if tick is None:
            where = "before this tick" if by < 0 else "after this tick"
            return self._tell(f"there is no mark {kind} ".replace("  ", " ") + where)
        said = self._show_mark(tick)
        return self._tell(f"{said}; none came after, so this is the first") if begins_anew else said

    def to_blocked(self) -> str:
        """Go back to where something stood in the way last: the first tick of that; a line saying where."""
        self.playing = False
        first = self.history.next_blocked(-1)
        if first is None:
            return self._tell("nothing stood in the way before this tick")
        return self._show_mark(first)

    def _show_mark(self, tick: int) -> str:
        said, marks = self.show(tick), ", ".join(self.history.at(tick).marks)
        return self._tell(f"{said}: {marks}") if marks else said

    def take_branch(self, number: int) -> str:
        """Go to where a branch left, with its ticks ahead."""
        if not 0 <= number < len(self.history.branches):
            return "there is no such branch"
        self.playing = False
        dropped = self.dropped_by(self.history.branches[number].fork)
        left, fork = self.history.shown, self.history.take_branch(number)
        said = self.show(fork)
        if fork != left:
            self.jumped = True
            self._shown()
        return self._tell(f"{said}; {dropped}" if dropped else said)

    def toggle_play(self) -> str:
        """Show kept ticks one after another, from the first where the last is shown; or stop."""
        self.playing = not self.playing
        if self.playing:
            self.show(self.history.first if self.history.is_at_end else self.history.shown)
        return "showing what was" if self.playing else ""

    def play(self, seconds: float) -> int:
        """Let time pass for what is being shown; how many ticks went by."""
        ticks = 0
        self.pace.let_pass(seconds)
        self.jumped = False
        if self.playing and not self.history.is_at_end:
            self.unsaid = self.dropped_by(self.history.shown + 1) or self.unsaid
        while self.playing and self.pace.take():
            self.history.show(self.history.shown + 1)
            self.playing = not self.history.is_at_end
            ticks += 1
        if ticks:
            self._shown()
        return ticks

    def change_speed(self, by: int) -> str:
        """Let time pass faster or slower by a step; a line that says how fast."""
        now = min(range(len(SPEEDS)), key=lambda n: abs(SPEEDS[n] - self.pace.speed))
        self.set_speed(SPEEDS[max(0, min(now + by, len(SPEEDS) - 1))])
        return "time passes as in the game" if self.pace.speed == 1.0 else f"time at {self.pace.speed:g}"

    def set_speed(self, speed: float) -> None:
        """Let time pass at a multiple of the game's."""
        self.pace.speed = speed

    def report(self) -> TimelineReport:
        """The kept ticks for panels."""
        history = self.history
        return TimelineReport(
            first=history.first,
            last=history.last,
            shown=history.shown,
            marks=tuple([(span.kind, span.first, span.last) for span in history.spans]),
            branches=tuple([(branch.fork, len(branch.moments)) for branch in history.branches]),
            speed=self.pace.speed,
            playing=self.playing,
            bytes=history.size,
            most_bytes=history.max_bytes,
        )
