"""What a frame report says of sweeps: hits, picks, sub-steps, what blocks, and why the cell is what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.named_tuple import NamedTuple
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.last_move import LastMove
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.sweep import SweepResult
from engine.physics.transition.hit import Hit
from engine.physics.transition.picks import Pick
from engine.physics.transition.trace import SubStep
from viewer.report.last_made import LastMade
from viewer.report.picture_report import (
    BlockedReport,
    CandidateReport,
    CellId,
    HitReport,
    LastMoveReport,
    LookUpReport,
    PickReport,
    StepReport,
    SweepReport,
)


class SweepReporter:
    """Reports sweeps; what it made of one it keeps, for the frames until the next tick tell the same."""

    def __init__(self) -> None:
        self._told = LastMade(_told)
        self._blocked = LastMade(_blocked_report)
        self._moved = LastMade(_moved)

    def report(
        self,
        sweep: SweepResult,
        comparison: StaticComparison | None = None,
        blocked: Blocked | None = None,
        last_move: LastMove | None = None,
    ) -> SweepReport:
        """The last sweep, with the candidates of its last pick and its sub-steps in words."""
        return replace(
            self._told.of(sweep),
            lookup=_lookup(comparison),
            blocked=None if blocked is None else self._blocked.of(blocked),
            last_move=None if last_move is None else self._last_move(last_move),
        )

    def _last_move(self, move: LastMove) -> LastMoveReport:
        lookup = "" if move.lookup is None else move.lookup.describe()
        moved = self._moved.of(move.steps)  # the same while it stands
        return LastMoveReport(
            title=move.title,
            tick=move.tick,
            cell=CellId(move.cell),
            before=CellId(move.before),
            candidates=moved.candidates,
            steps=moved.words,
            lookup=lookup,
            since=move.since,
            refused=move.refused,
            sub_steps=moved.sub_steps,
        )


def _told(sweep: SweepResult) -> SweepReport:
    steps = () if sweep.trace is None else sweep.trace.steps
    return SweepReport(
        ok=sweep.ok,
        collided=sweep.collided,
        normal=sweep.normal,
        changed=sweep.changed,
        hits=tuple(_hit(hit) for hit in sweep.hits),
        candidates=_candidates(steps),
        steps=_steps(steps),
    )


def _hit(hit: Hit) -> HitReport:
    return HitReport(
        kind=hit.kind.value,
        owner=CellId(hit.owner),
        cell=CellId(hit.cell_id),
        gfxobj=CellId(hit.gfxobj),
        polygon=hit.poly,
        normal=hit.normal,
        response=hit.response.value,
        part=hit.part,
    )


def _blocked_report(blocked: Blocked) -> BlockedReport:
    return BlockedReport(
        words=blocked.words,
        what=blocked.what.value,
        thing=blocked.thing,
        hit=None if blocked.hit is None else _hit(blocked.hit),
        normal=blocked.normal,
        seconds=blocked.seconds,
        stale=blocked.stale,
        pushing=blocked.pushing,
        holders=tuple(map(CellId, sorted(blocked.holders))),
    )


def _lookup(comparison: StaticComparison | None) -> LookUpReport | None:
    last = None if comparison is None else comparison.last
    if comparison is None or last is None:
        return None
    return LookUpReport(CellId(last.found), last.disagrees, last.disagreements, comparison.ticks)


class _Moved(NamedTuple):
    """What the sub-steps of a sweep that moved say."""

    candidates: tuple[tuple[CellId, str, bool, bool], ...]
    words: tuple[str, ...]
    sub_steps: tuple[StepReport, ...]


def _moved(steps: tuple[SubStep, ...]) -> _Moved:
    advanced = [step for step in steps if step.advanced]
    return _Moved(_candidates(advanced), _steps(steps), tuple(map(_step_report, steps)))


def _step_report(step: SubStep) -> StepReport:
    met = tuple(f"{hit.response.value}: {hit.name}" for hit in (*step.hits, *step.tested))
    return StepReport(
        index=step.index,
        cell=CellId(step.cell_id),
        end_cell=CellId(step.end_cell_id),
        insertion=step.insertion,
        result=step.result,
        advanced=step.advanced,
        picks=tuple(map(_pick_report, step.picks)),
        notes=(*met, *step.responses),
    )


def _pick_report(pick: Pick) -> PickReport:
    candidates = tuple(
        CandidateReport(
            cell=CellId(c.cell_id),
            why=c.why,
            added_by=CellId(c.added_by),
            loaded=c.loaded,
            holds=c.holds,
            pruned=c.pruned,
            picked=c.picked,
        )
        for c in pick.candidates
    )
    asked = tuple((CellId(cell), answer) for cell, answer in pick.asked)
    return PickReport(
        probe=pick.probe,
        center=pick.center,
        seed=CellId(pick.seed),
        picked=CellId(pick.picked),
        candidates=candidates,
        asked=asked,
    )


def _candidates(steps: Sequence[SubStep]) -> tuple[tuple[CellId, str, bool, bool], ...]:
    picks = steps[-1].picks if steps else []
    if not picks:
        return ()
    return tuple((CellId(c.cell_id), c.why, not c.pruned, c.picked) for c in picks[-1].candidates)


def _steps(steps: Sequence[SubStep]) -> tuple[str, ...]:
    """The trace's own words, those that ``sim --trace`` prints."""
    return tuple(line for step in steps for line in step.lines())
