"""Makes the frame report out of the engine's own objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from engine.dat.values import Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.objects.doors import DoorController
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.last_move import LastMove
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.sweep import SweepResult
from engine.physics.simulation.tick_report import door_report
from engine.physics.transition.hit import Hit
from engine.physics.transition.picks import Pick
from engine.physics.transition.trace import SubStep
from engine.visibility.camera import Camera
from engine.visibility.picture_view import PictureView
from engine.visibility.report import counters
from engine.world.cells import EnvCell
from engine.world.frame import get_offset
from engine.world.ids import EXIT_CELL
from engine.world.location import format_location
from viewer.report.asked import AskedReport
from viewer.report.picture_report import (
    BlockedReport,
    BodyReport,
    CandidateReport,
    CellFacts,
    CellId,
    DoorReport,
    HitReport,
    LastMoveReport,
    ListReport,
    LookUpReport,
    PickReport,
    PictureReport,
    ShapeReport,
    StepReport,
    SweepReport,
    ViewReport,
    VisibleRow,
)
from viewer.report.timeline_report import TimelineReport

DOORS_WITHIN = 40.0
SHOWN_COUNTERS = ("cells", "regions", "max_regions", "portals_tested", "clips", "look_ins")


def picture_report_of(  # noqa: PLR0913 - the parts of a report, by keyword
    simulation: Simulation,
    seen: PictureView | None,
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
) -> PictureReport:
    """The report of the last tick and of a frame, None where nothing was seen yet.

    ``unpainted`` are the pixels that a picture has left, -1 where nobody counted them.
    """
    body, sweep = simulation.body, simulation.last_sweep
    counts = {} if seen is None else view_counts(seen)
    return PictureReport(
        tick=simulation.tick,
        time=simulation.time,
        paused=paused,
        body=body_report(simulation),
        cell=cell_facts(body),
        sweep=None if sweep is None else sweep_report(sweep, comparison, blocked, last_move),
        view=None if seen is None else view_report(seen, camera, flying=flying),
        doors=door_reports(simulation.doors.values(), body, simulation.time),
        timings=dict(timings or {}),
        counts=counts if unpainted < 0 else {**counts, "unpainted pixels": unpainted},
        modes=modes,
        distances=dict(distances),
        settings=dict(settings or {}),
        listing=listing or ListReport(),
        asked=asked or AskedReport(),
        timeline=timeline or TimelineReport(),
        recorded=recorded,
    )


def body_report(simulation: Simulation) -> BodyReport:
    """Where the body is, how fast it moves and what it stands on."""
    body = simulation.body
    contact = body.contact
    plane = None if contact is None else (*contact.normal, contact.d)
    return BodyReport(
        cell=CellId(body.position.cell_id),
        location=format_location(body.position),
        position=body.position.frame.origin,
        heading=body.position.frame.heading(),
        velocity=body.velocity,
        feet_velocity=simulation.feet_velocity,
        on_ground=body.on_ground,
        contact_plane=plane,
        contact_cell=CellId(0 if contact is None else contact.cell_id),
        cells=tuple(CellId(cell) for cell in body.cell_ids),
    )


def cell_facts(body: PhysicsBody) -> CellFacts:
    """What the record of the body's cell says."""
    cell = body.cell
    if not isinstance(cell, EnvCell):
        return CellFacts(
            cell=CellId(body.position.cell_id),
            outdoor=True,
            seen_outside=True,
            environment=0,
            portals=(),
            stab_list=(),
        )
    portals = tuple(
        (p.index, CellId(EXIT_CELL if p.is_exit else p.other_cell_id), p.other_portal_id, p.flags)
        for p in cell.portals
    )
    return CellFacts(
        cell=CellId(cell.id),
        outdoor=False,
        seen_outside=cell.seen_outside,
        environment=cell.structure.environment_id,
        portals=portals,
        stab_list=tuple(CellId(c) for c in cell.stab_list),
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


def view_report(picture: PictureView, camera: Camera, *, flying: bool) -> ViewReport:
    """The picture's side of a frame."""
    rows = tuple(
        VisibleRow(
            order=row.order,
            cell=CellId(row.cell),
            distance=row.distance,
            area=row.area,
            regions=len(row.regions),
            via=_chain(row.via),
            building=None if row.flood is None else row.flood[0],
        )
        for row in picture.cells
    )
    return ViewReport(
        person="third" if camera.third_person else "first",
        eye=picture.view.eye,
        yaw=camera.yaw % 360.0,
        pitch=camera.pitch,
        body_cell=CellId(picture.body_cell),
        drawn_cell=CellId(picture.drawn_cell),
        root=CellId(picture.root),
        carried=_chain(picture.carried),
        outside_visible=picture.outside_visible,
        cells=rows,
        flying=flying,
    )


def view_counts(picture: PictureView) -> dict[str, int]:
    """The floods' counters that the timing panel shows."""
    sums = counters(picture)
    return {name.replace("_", " "): value for name in SHOWN_COUNTERS if isinstance(value := sums[name], int)}


def door_reports(doors: Iterable[DoorController], body: PhysicsBody, now: float) -> tuple[DoorReport, ...]:
    """The doors near the body, nearest first."""
    found = [(get_offset(body.position, door.target.position), door) for door in doors]
    near = [(math.hypot(*way), door, way) for way, door in found if math.hypot(*way) <= DOORS_WITHIN]
    near.sort(key=lambda row: (row[0], row[1].entity_id))
    heading = body.position.frame.heading()
    return tuple(
        _door_report(door, distance, _bearing(way, heading), now=now) for distance, door, way in near
    )


def _bearing(way: Vec3, heading: float) -> float:
    return (math.degrees(math.atan2(way[0], way[1])) - heading + 180.0) % 360.0 - 180.0


def _door_report(door: DoorController, distance: float, bearing: float, *, now: float) -> DoorReport:
    target, report = door.target, door_report(door, now)
    status = report.status
    shapes = tuple(
        ShapeReport(
            kind=shape.kind.name.lower(),
            part=shape.part_index,
            gfxobj=CellId(shape.gfxobj_id),
            collides=shape in target.family and not status.is_passable,
            does=status.shape_words(is_family=shape in target.family),
        )
        for shape in target.shapes
    )
    return DoorReport(
        entity=CellId(target.entity_id),
        setup=CellId(target.model_id),
        cell=CellId(target.position.cell_id),
        position=target.position.frame.origin,
        distance=distance,
        state=report.state,
        flags=report.flags,
        phase=f"{report.phase}, locked" if door.locked else report.phase,
        countdown=report.countdown,
        shapes=shapes,
        cells=tuple(CellId(cell) for cell in target.cell_ids),
        does=status.words,
        held_by=CellId(status.held_by),
        is_locked=door.locked,
        disagrees=status.disagrees,
        since=now - door.phase_start,
        clip=door.motion.opening.length,
        bearing=bearing,
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


def _chain(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[CellId, int], ...]:
    return tuple((CellId(cell), portal) for cell, portal in pairs)
