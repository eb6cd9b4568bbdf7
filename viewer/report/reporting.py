"""Makes the frame report out of the engine's own objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.physics.body.body import PhysicsBody
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.last_move import LastMove
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.visibility.camera import Camera
from engine.visibility.picture_view import PictureView
from engine.visibility.report import sums
from engine.world.cells import EnvCell
from engine.world.ids import EXIT_CELL, block_of
from engine.world.location import format_map, format_place
from viewer.report.asked import AskedReport
from viewer.report.door_reporting import DoorReporter
from viewer.report.picture_report import (
    BodyReport,
    CellFacts,
    CellId,
    ListReport,
    PictureReport,
    ViewReport,
    VisibleRow,
)
from viewer.report.sweep_reporting import SweepReporter
from viewer.report.timeline_report import TimelineReport

SHOWN_COUNTERS = ("cells", "regions", "max_regions", "portals_tested", "clips", "look_ins")


class Reporters:
    """Those that keep parts of a report from one frame to the next, where they say the same."""

    def __init__(self) -> None:
        self.sweeps = SweepReporter()
        self.doors = DoorReporter()


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
    recorded_as: Mapping[str, int] | None = None,
    reporters: Reporters | None = None,
) -> PictureReport:
    """The report of the last tick and of a frame, None where nothing was seen yet.

    ``unpainted`` are the pixels that a picture has left, -1 where nobody counted them; ``reporters`` are
    given by whoever reports one frame after another.
    """
    reporters = reporters or Reporters()
    body, sweep = simulation.body, simulation.last_sweep
    counts = {} if seen is None else view_counts(seen)
    return PictureReport(
        tick=simulation.tick,
        time=simulation.time,
        paused=paused,
        body=body_report(simulation),
        cell=cell_facts(body, is_plain=simulation.world.source.is_plain),
        sweep=None if sweep is None else reporters.sweeps.report(sweep, comparison, blocked, last_move),
        view=None if seen is None else view_report(seen, camera, flying=flying),
        doors=reporters.doors.reports(simulation.doors.values(), body, simulation.time),
        timings=dict(timings or {}),
        counts=counts if unpainted < 0 else {**counts, "unpainted pixels": unpainted},
        modes=modes,
        distances=dict(distances),
        settings=dict(settings or {}),
        listing=listing or ListReport(),
        asked=asked or AskedReport(),
        timeline=timeline or TimelineReport(),
        recorded=recorded,
        recorded_as=dict(recorded_as or {}),
    )


def body_report(simulation: Simulation) -> BodyReport:
    """Where the body is, how fast it moves and what it stands on."""
    body = simulation.body
    contact = body.contact
    block = simulation.world.blocks.get(block_of(body.position.cell_id))
    on_map = block is None or not block.stands_alone(body.position.cell_id)
    plane = None if contact is None else (*contact.normal, contact.d)
    return BodyReport(
        cell=CellId(body.position.cell_id),
        location=format_place(body.position),
        position=body.position.frame.origin,
        heading=body.position.frame.heading(),
        velocity=body.velocity,
        feet_velocity=simulation.feet_velocity,
        on_ground=body.on_ground,
        contact_plane=plane,
        contact_cell=CellId(0 if contact is None else contact.cell_id),
        cells=tuple(CellId(cell) for cell in body.cell_ids),
        coordinates=format_map(body.position.cell_id, body.position.frame.origin) if on_map else "",
    )


def cell_facts(body: PhysicsBody, *, is_plain: bool) -> CellFacts:
    """What the record of the body's cell says; no environment where looks are made up."""
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
        environment=0 if is_plain else cell.structure.environment_id,
        portals=portals,
        stab_list=tuple(CellId(c) for c in cell.stab_list),
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
    found = sums(picture)
    return {name.replace("_", " "): found[name] for name in SHOWN_COUNTERS}


def _chain(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[CellId, int], ...]:
    return tuple((CellId(cell), portal) for cell, portal in pairs)
