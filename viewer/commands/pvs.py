"""``holtwalk pvs``: the visible cells from a place, in draw order (promises 5)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.report import pvs_document, pvs_table
from engine.visibility.view_modes import beyond_stab_list
from engine.visibility.why.explain import why
from engine.visibility.why.why_answer import WhyAnswer
from engine.world.loading.world import World
from viewer.asking.why_cell import known_cell
from viewer.commands.groundwork.looking import look_of
from viewer.commands.groundwork.session import open_view
from viewer.picture.look import look_far
from viewer.picture.still import chosen
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes
from viewer.user_error import UserError


def run(args: Namespace) -> int:
    """Print what is seen from ``--at``."""
    simulation, arrival = open_view(args, args.at)
    world = simulation.world
    look = look_of(args, simulation, args.size, logged=args.why is not None)
    seen = look_far(simulation, OpeningIndex(), look, args.objects).picture
    picture = chosen(world, seen, with_modes(RenderOptions(), args.mode or ()))
    # Both are about what the traversal found, whatever cells the mode chooses.
    beyond = beyond_stab_list(world, seen) if args.compare else None
    answer = None if args.why is None else why_answer(world, seen, args.why)
    if args.json:
        asked = {} if answer is None else {"why": answer.to_json()}
        print(json.dumps({**pvs_document(picture, beyond), **asked, **arrival.to_json()}))
    elif answer is not None:
        print("\n".join(answer.words))
    else:
        print(pvs_table(picture, beyond))
    return 0


def why_answer(world: World, picture: PictureView, number: int) -> WhyAnswer:
    """Why a cell is seen or not, by the account that a picture's floods have kept.

    A low word stands for a cell of the view root's block. UserError for a cell that nothing knows of.
    """
    try:
        cell_id = known_cell(world, picture.root, number)
    except UserError as error:
        raise UserError(f"--why: {error}") from error
    return why(world, picture, cell_id)
