"""``holtwalk render``: one frame drawn off screen (design 4)."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from engine.physics.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.frame_view import FrameView
from engine.visibility.openings import OpeningIndex
from viewer.camera import eye_line
from viewer.commands.pvs import camera_of, frame_of
from viewer.commands.session import open_simulation, put
from viewer.errors import UserError
from viewer.flight import Flight, detached_view
from viewer.frame_report import FrameReport
from viewer.offscreen import Studio
from viewer.renderer.options import RenderOptions
from viewer.reporting import body_report, cell_facts, door_reports, sweep_report, view_counts, view_report
from viewer.scene_objects import scene_objects
from viewer.worlds import report_problems

PICTURE_TYPES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")


def run(args: Namespace) -> int:
    """Draw what is seen from ``--at`` into ``--out``."""
    out = Path(args.out)
    if out.suffix.lower() not in PICTURE_TYPES:
        raise UserError(f"--out: {out} does not end in one of {' '.join(PICTURE_TYPES)}")
    simulation = open_simulation(args, args.lock_root or args.at)
    camera = camera_of(args, simulation)
    frame = frame_of(args, simulation, camera)
    if args.lock_root:
        put(simulation, args.at)
        camera = camera_of(args, simulation)
        own = frame_of(args, simulation, camera)
        flight = Flight(own.root, own.view.eye)
        frame = detached_view(simulation.world, OpeningIndex(), frame, flight, own.view)
    body = simulation.body
    line = eye_line(simulation.world, OpeningIndex(), body, body.position.frame.origin, camera)
    objects = scene_objects(simulation, line, simulation.time, camera.third_person)
    studio = Studio(simulation, args.size)
    report = still_report(simulation, frame, camera) if args.overlay else None
    studio.picture(frame, objects, out, RenderOptions(day_fraction=args.time / 24.0), report)
    report_problems(simulation.world, args.verbose)
    return 0


def still_report(simulation: Simulation, frame: FrameView, camera: Camera) -> FrameReport:
    """The report of a frame that stands alone."""
    body, sweep = simulation.body, simulation.last_sweep
    return FrameReport(
        simulation.tick,
        simulation.time,
        False,
        body_report(body),
        cell_facts(body),
        None if sweep is None else sweep_report(sweep),
        view_report(frame, camera, False),
        door_reports(simulation.doors.values(), body, simulation.time),
        {},
        view_counts(frame),
    )
