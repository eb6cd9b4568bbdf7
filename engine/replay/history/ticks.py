"""The ticks that were, kept so that one can go back to any of them and on from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.inputs import Input
from engine.physics.simulation.inputs import Put as PutInput
from engine.physics.simulation.saved import restore, save
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.tick_report import TickReport
from engine.replay.history.marks import HIT, PUT, REFUSED, Obstacle, marks_of, obstacle_of
from engine.replay.history.moment import Branch, Keeper, Moment, Staged
from engine.replay.history.moment_size import moment_bytes

LEAST_SECONDS: Final = 60
MAX_BYTES: Final = 128 << 20
MOST_BRANCHES: Final = 4
LONGEST_GAP: Final = TICKS_PER_SECOND // 2  # ticks: a slide meets what it slides along in every second one


@dataclass(slots=True)
class Span:
    """Ticks in a row that have a mark, the last one included.

    Of hits those that met one ``obstacle``, and of refusals, with no more than half a second between two.
    """

    kind: str
    first: int
    last: int
    obstacle: Obstacle | None = None


class History:
    """Listens to a simulation and keeps its last ticks, a minute always and more as far as memory allows.

    ``shown`` is the tick that the simulation is at; a tick from there on, before the last, is a branch: what
    came after is kept aside. ``keepers`` go back and forth with it. What is told between two ticks is
    ``pending``; the last tick is found again as it was left, with that. The simulation must trace for marks
    of steps to be told.
    """

    def __init__(
        self,
        simulation: Simulation,
        keepers: Sequence[Keeper] = (),
        comparison: StaticComparison | None = None,
        least: int = LEAST_SECONDS * TICKS_PER_SECOND,
        *,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.simulation = simulation
        self.keepers = tuple(keepers)
        self.least = least
        self.max_bytes = max_bytes
        self.moments: list[Moment] = []
        self.branches: list[Branch] = []
        self.spans: list[Span] = []
        self.size = 0
        self._comparison = comparison
        self._pending: list[Input] = []
        self._left: Staged | None = None
        self.shown = -1
        self.begin_anew()
        simulation.on_input.append(self._told)
        simulation.on_tick.append(self._ticked)

    def close(self) -> None:
        """Stop listening."""
        self.simulation.on_input.remove(self._told)
        self.simulation.on_tick.remove(self._ticked)

    def keep(self, keeper: Keeper) -> None:
        """Let another go along, from now on: what was before is forgotten."""
        self.keepers = (*self.keepers, keeper)
        self.begin_anew()

    def kept_at(self, keeper: Keeper, tick: int) -> object:
        """What one of the keepers was at a tick."""
        return self.at(tick).kept[self.keepers.index(keeper)]

    def begin_anew(self) -> None:
        """Forget everything: the simulation was put elsewhere in time."""
        for kept in (self.moments, self.branches, self.spans, self._pending):
            kept.clear()
        self.size, self._left = 0, None
        self._take(self.simulation.report())
        self.shown = self.first

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Listen to nothing meanwhile, nor let anybody else: somebody tries something and puts all back."""
        sim = self.simulation
        told, asked, ticks, put = sim.on_input[:], sim.on_request[:], sim.on_tick[:], sim.on_arrival[:]
        sim.on_input[:], sim.on_request[:], sim.on_tick[:], sim.on_arrival[:] = [], [], [], []
        try:
            yield
        finally:
            sim.on_input[:], sim.on_request[:], sim.on_tick[:], sim.on_arrival[:] = told, asked, ticks, put

    @property
    def first(self) -> int:
        """The earliest tick that is kept."""
        return self.moments[0].tick

    @property
    def last(self) -> int:
        """The latest."""
        return self.moments[-1].tick

    @property
    def is_at_end(self) -> bool:
        """Whether the next tick goes on where the last one ended."""
        return self.shown == self.last

    def at(self, tick: int) -> Moment:
        """The moment of a tick between the first and the last."""
        return self.moments[max(0, min(tick - self.first, len(self.moments) - 1))]

    def stretch(self, first: int, last: int) -> list[Moment]:
        """The moments from a tick to another, both included."""
        return self.moments[max(0, first - self.first) : max(0, last - self.first + 1)]

    def show(self, tick: int) -> int:
        """Put the simulation back to the end of a tick, or the nearest that is kept; which one it is.

        What was done after the last one is there again with it; what is shown already stays as it is.
        """
        moment = self.at(tick)
        if self.is_at_end:
            self._left = self.staged()
        if moment.tick == self.last and self._left is not None:
            self.put_back(self._left)
        else:
            self._go_to(moment)
        return self.shown

    def _go_to(self, moment: Moment) -> None:
        if moment.tick != self.shown:
            self.put_back(Staged(moment.tick, moment.saved, (), moment.kept))

    @property
    def pending(self) -> tuple[Input, ...]:
        """What was told since the end of the tick shown."""
        return tuple(self._pending)

    def staged(self) -> Staged:
        """All that is now, to be put back."""
        saved = save(self.simulation, self.at(self.shown).saved)
        return Staged(self.shown, saved, self.pending, tuple([keeper.save() for keeper in self.keepers]))

    def put_back(self, staged: Staged) -> None:
        """Be that again, to the bit."""
        restore(self.simulation, staged.saved)
        for keeper, kept in zip(self.keepers, staged.kept, strict=True):
            keeper.restore(kept)
        self._pending[:] = staged.told
        self.shown = staged.shown

    def next_mark(self, by: int, kind: str = "") -> int | None:
        """The next tick with a mark (of a kind) after the one shown; before it where ``by`` is negative.

        A refusal that a hit led to is no mark beside it, unless refusals are what is looked for.
        """
        if kind:
            return self._next_of((span for span in self.spans if span.kind == kind), by)
        return self._next_of((span for span in self.spans if not self._follows_hit(span)), by)

    def next_blocked(self, by: int) -> int | None:
        """As ``next_mark``, of what stood in the way: one tick for each time that one thing did."""
        kinds = (HIT, REFUSED)
        return self._next_of((s for s in self.spans if s.kind in kinds and not self._follows_hit(s)), by)

    def _next_of(self, spans: Iterable[Span], by: int) -> int | None:
        ticks = {max(span.first, self.first) for span in spans}
        if by < 0:
            return max((tick for tick in ticks if tick < self.shown), default=None)
        return min((tick for tick in ticks if tick > self.shown), default=None)

    def _follows_hit(self, span: Span) -> bool:
        """Whether these are refusals while what was hit before still holds the body."""
        return span.kind == REFUSED and any(
            hit.kind == HIT and hit.first < span.first <= hit.last + LONGEST_GAP for hit in self.spans
        )

    def take_branch(self, number: int) -> int:
        """Go to where a branch left, with its ticks ahead; those that lay ahead become a branch."""
        branch = self.branches.pop(number)
        fork = max(branch.fork, self.first)
        if self.is_at_end:
            self._left = self.staged()
        self._cut(fork)
        self.moments.extend(moment for moment in branch.moments if moment.tick > fork)
        self._left = branch.left
        for moment in branch.moments:
            self._mark(moment)
        self._go_to(self.at(fork))
        return self.shown

    def append(self, marks: Sequence[str] = ()) -> None:
        """Keep the tick that the simulation was put at as the next one, with marks of somebody's own."""
        if self.shown != self.last:
            self._cut(self.shown)
        self._add(self.simulation.report(), marks)

    # -- listening

    def _told(self, told: Input) -> None:
        self._pending.append(told)

    def _ticked(self, report: TickReport) -> None:
        if self.shown != self.last:
            self._cut(self.shown)
        self._add(report)

    def _add(self, report: TickReport, more: Sequence[str] = ()) -> None:
        self._take(report, more)
        self.shown, self._left = report.tick, None
        while len(self.moments) > self.least and self.size > self.max_bytes:
            self._forget()

    def _take(self, report: TickReport, more: Sequence[str] = ()) -> None:
        before = self.moments[-1] if self.moments else None
        saved = save(self.simulation, None if before is None else before.saved)
        look_up = None if self._comparison is None else self._comparison.last
        wrong = look_up is not None and look_up.tick == report.tick and look_up.disagrees
        marks = marks_of(report, None if before is None else before.report, look_up_is_wrong=wrong)
        if any(isinstance(told, PutInput) for told in self._pending):
            marks = (*marks, PUT)
        marks = (*marks, *more)
        kept = tuple([keeper.save() for keeper in self.keepers])
        size = moment_bytes(saved, None if before is None else before.saved, report, len(self._pending))
        moment = Moment(
            saved=saved, told=tuple(self._pending), report=report, kept=kept, marks=marks, size=size
        )
        self._pending.clear()
        self.moments.append(moment)
        self.size += size
        self._mark(moment)

    def _mark(self, moment: Moment) -> None:
        for kind in moment.marks:
            obstacle = obstacle_of(moment.report) if kind == HIT else None
            alike = (s for s in reversed(self.spans) if s.kind == kind and s.obstacle == obstacle)
            span = next(alike, None)
            gap = LONGEST_GAP if kind in (HIT, REFUSED) else 1
            if span is not None and moment.tick - self._end_of(span) <= gap:
                span.last = moment.tick
            else:
                self.spans.append(Span(kind, moment.tick, moment.tick, obstacle))

    def _end_of(self, span: Span) -> int:
        """The last tick of a span, or of the refusals that it led to: meanwhile it held the body, too."""
        if span.obstacle is None:
            return span.last
        refused = next((s for s in reversed(self.spans) if s.kind == REFUSED), None)
        if refused is None or not span.first < refused.first <= span.last + LONGEST_GAP:
            return span.last
        return max(span.last, refused.last)

    def _cut(self, tick: int) -> None:
        """What lies behind a tick becomes a branch."""
        count = tick - self.first + 1
        behind = tuple(self.moments[count:])
        if behind:
            del self.moments[count:]
            self.branches.append(Branch(tick, behind, self._left))
            self._left = None
            while len(self.branches) > MOST_BRANCHES:
                self._drop_branch()
        self.spans = [span for span in self.spans if span.first <= tick]
        for span in self.spans:
            span.last = min(span.last, tick)

    def _forget(self) -> None:
        """Forget a branch, else the oldest half second."""
        if self.branches:
            self._drop_branch()
            return
        gone = self.moments[: max(1, min(TICKS_PER_SECOND // 2, len(self.moments) - self.least))]
        del self.moments[: len(gone)]
        self.size -= sum(moment.size for moment in gone)
        self.spans = [span for span in self.spans if span.last >= self.first]

    def _drop_branch(self) -> None:
        self.size -= sum(moment.size for moment in self.branches.pop(0).moments)


def told_again(moments: Sequence[Moment]) -> Iterator[tuple[Input, bool]]:
    """All that was told in a stretch, in order, and whether the tick that it was told in waited."""
    for moment in moments:
        for told in moment.told:
            yield told, moment.waited
