"""Makes the frame report out of the engine's own objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from engine.physics.body.body import PhysicsBody
from engine.physics.objects.doors import DoorController
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.last_move import LastMove
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.sweep import SweepResult
from engine.physics.simulation.tick_report import door_report
from engine.physics.transition.trace import Hit, Pick, SubStep
from engine.visibility.camera import Camera
from engine.visibility.frame_view import FrameView
from engine.visibility.report import counters
from engine.world.cells import EnvCell
from engine.world.frame import get_offset
from engine.world.ids import EXIT_CELL
from engine.world.location import format_location
from viewer.report.asked import AskedReport
from viewer.report.frame_report import (
    BlockedReport,
    BodyReport,
    CandidateReport,
    CellFacts,
    CellId,
    DoorReport,
    FrameReport,
    HitReport,
    LastMoveReport,
    ListReport,
    LookUpReport,
    PickReport,
    ShapeReport,
    StepReport,
    SweepReport,
    ViewReport,
    VisibleRow,
)
from viewer.report.timeline_report import TimelineReport

DOORS_WITHIN = 40.0
SHOWN_COUNTERS = ("cells", "regions", "max_regions", "portals_tested", "clips", "look_ins")


def frame_report(  # noqa: PLR0913 - the parts of a report, by keyword
    simulation: Simulation,
    seen: FrameView | None,
    camera: Camera,
    *,
    modes: tuple[str, ...],
    distances: Mapping[str, int],
    paused: bool = False,
    flying: bool = False,
    comparison: StaticComparison | None = None,
    blocked: Blocked | None = None,
    last_move: LastMove | None = None,
    timings: Mapping[str, float] | None = None,
    unpainted: int = -1,
    settings: Mapping[str, bool | int | float | str | None] | None = None,
    listing: ListReport | None = None,
    asked: AskedReport | None = None,
    timeline: TimelineReport | None = None,
    recorded: str = "",
) -> FrameReport:
    """The report of the last tick and of a frame, None where nothing was seen yet.

    ``unpainted`` are the pixels that a picture has left, -1 where nobody counted them.
    """
    body, sweep = simulation.body, simulation.last_sweep
    counts = {} if seen is None else view_counts(seen)
    return FrameReport(
        simulation.tick,
        simulation.time,
        paused,
        body_report(simulation),
        cell_facts(body),
        None if sweep is None else sweep_report(sweep, comparison, blocked, last_move),
        None if seen is None else view_report(seen, camera, flying),
        door_reports(simulation.doors.values(), body, simulation.time),
        dict(timings or {}),
        counts if unpainted < 0 else {**counts, "unpainted pixels": unpainted},
        modes,
        dict(distances),
        dict(settings or {}),
        listing or ListReport(),
        asked or AskedReport(),
        timeline or TimelineReport(),
        recorded,
    )


def body_report(simulation: Simulation) -> BodyReport:
    """Where the body is, how fast it moves and what it stands on."""
    body = simulation.body
    contact = body.contact
    plane = None if contact is None else (*contact.plane.normal, contact.plane.d)
    return BodyReport(
        CellId(body.position.cell_id),
        format_location(body.position),
        body.position.frame.origin,
        body.position.frame.heading(),
        body.velocity,
        simulation.feet_velocity,
        body.on_ground,
        plane,
        CellId(0 if contact is None else contact.cell_id),
        tuple(CellId(cell) for cell in body.cell_ids),
    )


def cell_facts(body: PhysicsBody) -> CellFacts:
    """What the record of the body's cell says."""
    cell = body.cell
    if not isinstance(cell, EnvCell):
        return CellFacts(CellId(body.position.cell_id), True, True, 0, (), ())
    portals = tuple(
        (p.index, CellId(EXIT_CELL if p.is_exit else p.other_cell_id), p.other_portal_id, p.flags)
        for p in cell.portals
    )
    return CellFacts(
        CellId(cell.id),
        False,
        cell.seen_outside,
        cell.structure.environment_id,
        portals,
        tuple(CellId(c) for c in cell.stab_list),
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
        sweep.ok, sweep.collided, sweep.normal, sweep.changed, hits, _candidates(steps), _steps(steps),
        _lookup(comparison), _blocked(blocked), _last_move(last_move),
    )  # fmt: skip


def view_report(frame: FrameView, camera: Camera, flying: bool) -> ViewReport:
    """The picture's side of a frame."""
    rows = tuple(
        VisibleRow(
            row.order,
            CellId(row.cell),
            row.distance,
            row.area,
            len(row.regions),
            _chain(row.via),
            None if row.flood is None else row.flood[0],
        )
        for row in frame.cells
    )
    return ViewReport(
        "third" if camera.third_person else "first",
        frame.view.eye,
        camera.yaw % 360.0,
        camera.pitch,
        CellId(frame.body_cell),
        CellId(frame.drawn_cell),
        CellId(frame.root),
        _chain(frame.carried),
        frame.outside_visible,
        rows,
        flying,
    )


def view_counts(frame: FrameView) -> dict[str, int]:
    """The floods' counters that the timing panel shows."""
    sums = counters(frame)
    return {name.replace("_", " "): value for name in SHOWN_COUNTERS if isinstance(value := sums[name], int)}


def door_reports(doors: Iterable[DoorController], body: PhysicsBody, now: float) -> tuple[DoorReport, ...]:
    """The doors near the body, nearest first."""
    found = [(math.hypot(*get_offset(body.position, door.target.position)), door) for door in doors]
    near = [pair for pair in found if pair[0] <= DOORS_WITHIN]
    near.sort(key=lambda pair: (pair[0], pair[1].entity_id))
    return tuple(_door_report(door, distance, now) for distance, door in near)


def _door_report(door: DoorController, distance: float, now: float) -> DoorReport:
    target, report = door.target, door_report(door, now)
    status = report.status
    shapes = tuple(
        ShapeReport(
            shape.kind.name.lower(),
            shape.part_index,
            CellId(shape.gfxobj_id),
            shape in target.family and not status.is_passable,
            status.shape_words(shape in target.family),
        )
        for shape in target.shapes
    )
    return DoorReport(
        CellId(target.entity_id),
        CellId(target.model_id),
        CellId(target.position.cell_id),
        target.position.frame.origin,
        distance,
        report.state,
        report.flags,
        f"{report.phase}, locked" if door.locked else report.phase,
        report.countdown,
        shapes,
        tuple(CellId(cell) for cell in target.cell_ids),
        status.words,
        CellId(status.held_by),
        door.locked,
        status.disagrees,
        now - door.phase_start,
        door.motion.opening.length,
    )


def _hit(hit: Hit) -> HitReport:
    return HitReport(
        hit.kind, CellId(hit.owner), CellId(hit.cell_id), CellId(hit.gfxobj), hit.poly, hit.normal,
        hit.response, hit.part,
    )  # fmt: skip


def _blocked(blocked: Blocked | None) -> BlockedReport | None:
    if blocked is None:
        return None
    return BlockedReport(
        blocked.words, blocked.what, blocked.thing, None if blocked.hit is None else _hit(blocked.hit),
        blocked.normal, blocked.seconds, blocked.stale, blocked.pushing,
    )  # fmt: skip


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
        move.title, move.tick, CellId(move.cell), CellId(move.before), _candidates(advanced),
        _steps(move.steps), lookup, move.since, move.refused, tuple(map(_step_report, move.steps)),
    )  # fmt: skip


def _step_report(step: SubStep) -> StepReport:
    met = tuple(f"{hit.response}: {hit.name}" for hit in (*step.hits, *step.tested))
    return StepReport(
        step.index, CellId(step.cell_id), CellId(step.end_cell_id), step.insertion, step.result,
        step.advanced, tuple(map(_pick_report, step.picks)), (*met, *step.responses),
    )  # fmt: skip


def _pick_report(pick: Pick) -> PickReport:
    candidates = tuple(
        CandidateReport(CellId(c.cell_id), c.why, CellId(c.added_by), c.loaded, c.holds, c.pruned, c.picked)
        for c in pick.candidates
    )
    asked = tuple((CellId(cell), answer) for cell, answer in pick.asked)
    return PickReport(pick.probe, pick.center, CellId(pick.seed), CellId(pick.picked), candidates, asked)


def _candidates(steps: Sequence[SubStep]) -> tuple[tuple[CellId, str, bool, bool], ...]:
    picks = steps[-1].picks if steps else []
    if not picks:
        return ()
    return tuple((CellId(c.cell_id), c.why, not c.pruned, c.picked) for c in picks[-1].candidates)


def _steps(steps: Sequence[SubStep]) -> tuple[str, ...]:
    """The trace's own words, those that ``sim --trace`` prints."""
    return tuple(line for step in steps for line in step.lines())


def _chain(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[CellId, int], ...]:
    return tuple((CellId(cell), portal) for cell, portal in pairs)
