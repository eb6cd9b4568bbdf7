"""What a frame report says of sweeps: hits, picks, sub-steps, what blocks, and why the cell is what it is."""

from __future__ import annotations

from collections.abc import Sequence

from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.last_move import LastMove
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.sweep import SweepResult
from engine.physics.transition.hit import Hit
from engine.physics.transition.picks import Pick
from engine.physics.transition.trace import SubStep
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


def sweep_report(
    sweep: SweepResult,
    comparison: StaticComparison | None = None,
    blocked: Blocked | None = None,
    last_move: LastMove | None = None,
) -> SweepReport:
    """The last sweep, with the candidates of its last pick and its sub-steps in words."""
    hits = tuple(_hit(hit) for hit in sweep.hits)
    steps = () if sweep.trace is None else sweep.trace.steps
    return SweepReport(
        ok=sweep.ok,
        collided=sweep.collided,
        normal=sweep.normal,
        changed=sweep.changed,
        hits=hits,
        candidates=_candidates(steps),
        steps=_steps(steps),
        lookup=_lookup(comparison),
        blocked=_blocked(blocked),
        last_move=_last_move(last_move),
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


def _blocked(blocked: Blocked | None) -> BlockedReport | None:
    if blocked is None:
        return None
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


def _last_move(move: LastMove | None) -> LastMoveReport | None:
    if move is None:
        return None
    advanced = [step for step in move.steps if step.advanced]
    lookup = "" if move.lookup is None else move.lookup.describe()
    return LastMoveReport(
        title=move.title,
        tick=move.tick,
        cell=CellId(move.cell),
        before=CellId(move.before),
        candidates=_candidates(advanced),
        steps=_steps(move.steps),
        lookup=lookup,
        since=move.since,
        refused=move.refused,
        sub_steps=tuple(map(_step_report, move.steps)),
    )


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
