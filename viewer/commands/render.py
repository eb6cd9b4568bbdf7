"""``holtwalk render``: one picture drawn off screen (promises 3)."""

from __future__ import annotations

import gc
import json
from argparse import Namespace
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.physics.simulation.asked_place import Arrival
from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.report import given_up
from engine.world.loading.outlines import Outlines
from viewer.commands.groundwork.looking import locked_look_of, look_of
from viewer.commands.groundwork.session import open_view
from viewer.commands.groundwork.worlds import open_world, report_problems, tell_problems
from viewer.picture.look import Look, look_far
from viewer.picture.offscreen import OffscreenRenderer, picture_size
from viewer.picture.split_view import pane_size
from viewer.picture.standing_states import StandingStates
from viewer.picture.still import StillRequest, make_ready
from viewer.places import put_to_look
from viewer.renderer.render_options import HOLES, RenderOptions
from viewer.tables.modes import with_modes
from viewer.user_error import UserError

PICTURE_TYPES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")


def run(args: Namespace) -> int:
    """Draw what is seen from ``--at`` into ``--out``."""
    gc.set_threshold(0)  # what is made stays until the picture is there, and then the process ends
    out = Path(args.out)
    if out.suffix.lower() not in PICTURE_TYPES:
        raise UserError(f"--out: {out} does not end in one of {' '.join(PICTURE_TYPES)}")
    split = with_modes(RenderOptions(), args.mode or ()).split
    size = pane_size(picture_size(args.size, overlay=args.overlay), split=split)
    states = StandingStates(args.state or (), args.use or ())
    world = open_world(args)
    outlines = Outlines(world) if _is_plain(args) else None
    simulation, arrival = open_view(args, args.lock_root or args.at, states, world=world, outlines=outlines)
    said = simulation.world.problems.mark()
    locked = None
    if args.lock_root:
        locked = _seen_from_lock(args, simulation, size)
        states.apply(simulation)
        arrival = put_to_look(simulation, args.at, anywhere=args.anywhere, exact=args.exact)
        _check_lock(simulation, locked)
    selected = _selected(args, simulation)
    request = request_of(args, look_of(args, simulation, size), locked, selected=selected)
    request = request._replace(outlines=outlines)
    still = make_ready(simulation, request, states)
    with OffscreenRenderer(simulation, args.size) as screen:
        stats = screen.picture(still, out)
    picture, options = still.seen.picture, still.seen.options
    unpainted = stats.sentinel if options.show == HOLES else None
    if args.json:
        print(json.dumps(picture_document(out, picture, unpainted, arrival)))
    elif unpainted is not None:
        print(f"{unpainted} pixels unpainted")
    report_problems(simulation.world, verbose=args.verbose, after=said)
    tell_problems(given_up(picture), verbose=args.verbose)
    return 0


def _is_plain(args: Namespace) -> bool:
    """Whether the picture tells of nothing but what it shows, from where the body is."""
    buried = args.exact and args.view == "third"  # its camera may come up far away
    asked = (args.mode, args.overlay, args.lock_root, args.state, args.use, buried)
    return not any(asked) and args.eye is None and args.select is None


def request_of(
    args: Namespace, look: Look, locked: PictureView | None = None, *, selected: int = 0
) -> StillRequest:
    """What the options ask of the picture; a selected cell by its whole id."""
    return StillRequest(
        look=look,
        radius=args.radius,
        objects=args.objects,
        hour=args.time,
        day_group=args.day_group,
        clouds=args.clouds,
        effects=args.effects,
        pose=args.pose,
        samples=args.samples,
        weather=args.weather,
        modes=args.mode or (),
        locked=locked,
        panels=args.overlay,
        selected=selected,
    )


def picture_document(out: Path, picture: PictureView, unpainted: int | None, arrival: Arrival) -> Json:
    """What ``--json`` prints of a picture; ``unpainted`` pixels where the mode ``holes`` counted them."""
    return {
        "picture": str(out),
        "body_cell": hex_id(picture.body_cell),
        "root": hex_id(picture.root),
        "unpainted": unpainted,
        **arrival.to_json(),
    }


def _selected(args: Namespace, simulation: Simulation) -> int:
    """The cell of ``--select``, 0 for none; a low word stands for one of the body's block."""
    if args.select is None:
        return 0
    from viewer.asking.why_cell import known_cell  # loads what answers why, and most select nothing

    try:
        return known_cell(simulation.world, simulation.position.cell_id, args.select)
    except UserError as error:
        raise UserError(f"--select: {error}") from error


def _seen_from_lock(args: Namespace, simulation: Simulation, size: tuple[int, int]) -> PictureView:
    """What the root of ``--lock-root`` sees, whatever cells the modes choose."""
    look, reach = locked_look_of(args, simulation, size), min(args.objects, args.radius)
    return look_far(simulation, OpeningIndex(), look, reach).picture


def _check_lock(simulation: Simulation, locked: PictureView) -> None:
    """Whether what a locked root sees is still there, now that the body is elsewhere."""
    if any(simulation.world.get_visible(c) is None for flood in locked.floods for c in flood.order):
        raise UserError(
            f"--lock-root: what {hex_id(locked.root)} sees is not loaded around --at, so far apart they are"
        )
