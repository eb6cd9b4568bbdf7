"""``holtwalk render``: one frame drawn off screen (design 4)."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from engine.physics.simulation.asked_place import Arrival
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.frame_view import SEALED, FrameView
from engine.visibility.openings import OpeningIndex
from engine.visibility.report import hex_id
from engine.visibility.view_modes import cell_in
from engine.world.ids import rebase
from viewer.commands.pvs import camera_of, chosen, frame_of
from viewer.commands.session import open_view
from viewer.commands.worlds import report_problems
from viewer.errors import UserError
from viewer.picture.day_clock import DayClock
from viewer.picture.eye_line import eye_line
from viewer.picture.flight import Flight, detached_view
from viewer.picture.horizon import show_horizon, view_distance
from viewer.picture.offscreen import Drawn, Studio
from viewer.picture.scene_objects import scene_objects
from viewer.picture.shapes import ShapeGatherer
from viewer.picture.split_view import behind_options, pane_size, seen_from_behind
from viewer.picture.standing_states import StandingStates
from viewer.places import put_to_look
from viewer.renderer.options import HOLES, RenderOptions
from viewer.report.caption import captioned
from viewer.report.frame_report import FrameReport
from viewer.report.reporting import (
    body_report,
    cell_facts,
    door_reports,
    sweep_report,
    view_counts,
    view_report,
)
from viewer.tables.modes import with_modes
from viewer.tables.options import DISTANCES

Json = dict[str, object]
PICTURE_TYPES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")


def run(args: Namespace) -> int:
    """Draw what is seen from ``--at`` into ``--out``."""
    out = Path(args.out)
    if out.suffix.lower() not in PICTURE_TYPES:
        raise UserError(f"--out: {out} does not end in one of {' '.join(PICTURE_TYPES)}")
    split = with_modes(RenderOptions(), args.mode or ()).split
    picture_size, args = args.size, Namespace(**{**vars(args), "size": pane_size(args.size, split)})
    states = StandingStates(args.state or (), args.use or ())
    simulation, arrival = open_view(args, args.lock_root or args.at, states)
    said = len(simulation.world.problems.lines)
    camera = camera_of(args, simulation)
    locked = None
    if args.lock_root:
        arrival, frame, locked, camera = _detached(args, simulation, states)
    else:
        frame = frame_of(args, simulation, camera)
    states.finish(simulation)  # with the landblocks that are in sight
    body = simulation.body
    line = eye_line(simulation.world, OpeningIndex(), body, simulation.drawn(), camera)
    if locked is not None:
        line = replace(line, eye=rebase(frame.view.eye, frame.root, body.position.cell_id))
    objects = scene_objects(simulation, line, simulation.time, camera.third_person or locked is not None)
    if frame.path != SEALED:
        show_horizon(simulation.world, simulation.position.cell_id, args.radius)
    studio = Studio(simulation, picture_size)
    report = still_report(simulation, frame, camera, args) if args.overlay else None
    clock = DayClock.of_world(simulation.world, args.time, args.day_group, args.clouds)
    options = clock.lit(RenderOptions(view_distance=view_distance(args.radius)))
    options = captioned(with_modes(options, args.mode or ()), frame, args.time)
    _check_region(frame, options)
    gatherer = ShapeGatherer(simulation)
    shapes = gatherer.gather(frame, options, line)
    beside = None
    if split:
        behind = seen_from_behind(simulation.world, locked if locked is not None else frame)
        line = replace(line, eye=rebase(behind.view.eye, behind.root, body.position.cell_id))
        figured = scene_objects(simulation, line, simulation.time, True)
        behind_how = behind_options(options, behind)
        behind = chosen(args, simulation, behind)
        beside = Drawn(behind, figured, behind_how, gatherer.gather(behind, behind_how, line))
    stats = studio.picture(frame, objects, out, options, report, shapes, beside)
    unpainted = stats.sentinel if options.show == HOLES else None
    if args.json:
        print(json.dumps(picture_document(out, frame, unpainted, arrival)))
    elif unpainted is not None:
        print(f"{unpainted} pixels unpainted")
    report_problems(simulation.world, args.verbose, said)
    return 0


def _check_region(frame: FrameView, options: RenderOptions) -> None:
    """Whether the cell whose regions are asked for has any."""
    if options.regions_of is not None and not any(
        row.cell == cell_in(frame.root, options.regions_of) for row in frame.cells
    ):
        asked = cell_in(frame.root, options.regions_of)
        raise UserError(f"--mode: cell 0x{asked:08X} is not among those that this picture shows")


def picture_document(out: Path, frame: FrameView, unpainted: int | None, arrival: Arrival) -> Json:
    """What ``--json`` prints of a picture; ``unpainted`` pixels where the mode ``holes`` counted them."""
    return {
        "picture": str(out),
        "body_cell": hex_id(frame.body_cell),
        "root": hex_id(frame.root),
        "unpainted": unpainted,
        **arrival.to_json(),
    }


def _detached(
    args: Namespace, simulation: Simulation, states: StandingStates
) -> tuple[Arrival, FrameView, FrameView, Camera]:
    """What the root of ``--lock-root`` sees, drawn whole from the eye of ``--at``; that frame itself."""
    place = {"at": args.lock_root, "eye": args.lock_eye, "look": args.lock_look}
    looking = Namespace(**{**vars(args), **place, "mode": None})
    locked = frame_of(looking, simulation, camera_of(looking, simulation))
    states.apply(simulation)
    arrival = put_to_look(simulation, args.at, args.anywhere, args.exact)
    if any(simulation.world.get_visible(c) is None for flood in locked.floods for c in flood.order):
        raise UserError(
            f"--lock-root: what 0x{locked.root:08X} sees is not loaded around --at, so far apart they are"
        )
    camera = camera_of(args, simulation)
    own = frame_of(Namespace(**{**vars(args), "mode": None}), simulation, camera)
    flight = Flight(own.root, own.view.eye)
    if args.eye is not None:
        flight = Flight(simulation.position.cell_id, args.eye)
    frame = detached_view(simulation.world, locked, flight, own.view)
    return arrival, chosen(args, simulation, frame), locked, camera


def still_report(simulation: Simulation, frame: FrameView, camera: Camera, args: Namespace) -> FrameReport:
    """The report of a frame that stands alone."""
    body, sweep = simulation.body, simulation.last_sweep
    return FrameReport(
        simulation.tick,
        simulation.time,
        False,
        body_report(simulation),
        cell_facts(body),
        None if sweep is None else sweep_report(sweep),
        view_report(frame, camera, False),
        door_reports(simulation.doors.values(), body, simulation.time),
        {},
        view_counts(frame),
        args.mode or (),
        {name: getattr(args, name) for name in DISTANCES},
    )
