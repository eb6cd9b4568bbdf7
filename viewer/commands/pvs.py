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
from engine.visibility.view_modes import beyond_stab_list, cell_in, choose_cells
from engine.visibility.why.answer import WhyAnswer
from engine.visibility.why.explain import why
from engine.world.ids import is_outdoor, rebase
from engine.world.loading.world import World
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
    answer = None if args.why is None else why_document(args, simulation, camera)
    if args.json:
        asked = {} if answer is None else {"why": answer.to_json()}
        print(json.dumps({**pvs_document(frame, beyond), **asked, **arrival.to_json()}))
    elif answer is not None:
        print("\n".join(answer.words))
    else:
        print(pvs_table(frame, beyond))
    return 0


def why_document(args: Namespace, simulation: Simulation, camera: Camera) -> WhyAnswer:
    """Why the cell of ``why`` is seen or not, by the traversal's own account; modes do not count.

    A low word stands for a cell of the view root's block. UserError for a cell that nothing knows of.
    """
    world = simulation.world
    plain = Namespace(**{**vars(args), "mode": None})
    frame = frame_of(plain, simulation, camera, logged=True)
    cell_id = cell_in(frame.root, args.why)
    if not is_outdoor(cell_id) and not _is_known(world, cell_id):
        raise UserError(f"--why: there is no cell 0x{cell_id:08X} in this world")
    return why(world, frame, cell_id)


def _is_known(world: World, cell_id: int) -> bool:
    """Whether a cell is there, or at least spoken of: then its absence is what is to be told."""
    if world.get_visible(cell_id) is not None or world.source.env_cell(cell_id) is not None:
        return True
    for block in world.blocks.values():
        named = (p.other_cell_id for cell in block.env_cells.values() for p in cell.portals)
        listed = (c for cell in block.env_cells.values() for c in cell.stab_list)
        behind = (p.other_cell_id for b in block.buildings for p in b.portals)
        if cell_id in (*named, *listed, *behind):
            return True
    return False


def camera_of(args: Namespace, simulation: Simulation) -> Camera:
    """The settled camera of the options ``view`` and ``look``; it looks along the body's heading."""
    third = args.view == "third"
    camera = Camera(simulation.position.frame.heading(), 0.0, third)
    if args.look is not None:
        camera.target_yaw, camera.target_pitch = args.look
        camera.settle()
    return camera


def frame_of(args: Namespace, simulation: Simulation, camera: Camera, logged: bool = False) -> FrameView:
    """The frame that ``fov``, ``size``, ``root``, ``eye``, ``resident`` and ``mode`` ask for.

    The landblocks in sight within ``objects`` are loaded for it; ``logged`` makes its floods keep accounts.
    """
    body, index = simulation.body, OpeningIndex()
    line = eye_line(simulation.world, index, body, simulation.drawn(), camera)
    if args.eye is not None:
        told = parse_location(args.at).cell_id
        line = replace(line, eye=rebase(args.eye, told, body.position.cell_id))
    working_set = "resident" if args.resident else "stab"
    options = ViewOptions(FloodRules(working_set), strict_root=args.root == "strict", logged=logged)
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
