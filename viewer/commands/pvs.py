"""``holtwalk pvs``: the visible cells from a place, in draw order (design 4, decision 26)."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace

from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.frame_view import FrameView, ViewOptions
from engine.visibility.openings import OpeningIndex
from engine.visibility.pview import FloodRules
from engine.visibility.report import pvs_document, pvs_table
from engine.visibility.view_modes import beyond_stab_list, choose_cells
from engine.world.ids import rebase
from engine.world.location import parse_location
from viewer.commands.session import open_view
from viewer.errors import UserError
from viewer.picture.eye_line import eye_line, see
from viewer.picture.horizon import load_in_sight
from viewer.renderer.options import RenderOptions
from viewer.tables.modes import with_modes


def run(args: Namespace) -> int:
    """Print what is seen from ``--at``."""
    simulation, arrival = open_view(args, args.at)
    camera = camera_of(args, simulation)
    frame = frame_of(args, simulation, camera)
    beyond = None
    if args.compare:  # with what the traversal found, whatever cells the mode chooses
        traversed = frame_of(Namespace(**{**vars(args), "mode": None}), simulation, camera)
        beyond = beyond_stab_list(simulation.world, traversed)
    if args.json:
        print(json.dumps({**pvs_document(frame, beyond), **arrival.to_json()}))
    else:
        print(pvs_table(frame, beyond))
    return 0


def camera_of(args: Namespace, simulation: Simulation) -> Camera:
    """The settled camera of the options ``view`` and ``look``; it looks along the body's heading."""
    third = args.view == "third"
    camera = Camera(simulation.position.frame.heading(), 0.0, third)
    if args.look is not None:
        camera.target_yaw, camera.target_pitch = args.look
        camera.settle()
    return camera


def frame_of(args: Namespace, simulation: Simulation, camera: Camera) -> FrameView:
    """The frame that ``fov``, ``size``, ``root``, ``eye``, ``resident`` and ``mode`` ask for.

    The landblocks in sight within ``objects`` are loaded for it.
    """
    body, index = simulation.body, OpeningIndex()
    line = eye_line(simulation.world, index, body, simulation.drawn(), camera)
    if args.eye is not None:
        told = parse_location(args.at).cell_id
        line = replace(line, eye=rebase(args.eye, told, body.position.cell_id))
    working_set = "resident" if args.resident else "stab"
    options = ViewOptions(FloodRules(working_set), strict_root=args.root == "strict")
    look = (camera.yaw, camera.pitch)
    frame = see(simulation.world, index, body.position.cell_id, line, look, args.size, args.fov, options)
    reach = min(args.objects, getattr(args, "radius", args.objects))  # a list has no ground and no radius
    if load_in_sight(simulation.world, frame, reach):
        frame = see(simulation.world, index, body.position.cell_id, line, look, args.size, args.fov, options)
    return chosen(args, simulation, frame)


def chosen(args: Namespace, simulation: Simulation, frame: FrameView) -> FrameView:
    """The frame with the cells that ``mode`` chooses."""
    modes = with_modes(RenderOptions(), args.mode or ())
    try:
        return choose_cells(simulation.world, frame, modes.cells, modes.solo, modes.first)
    except ValueError as error:
        raise UserError(f"--mode: {error}") from error
