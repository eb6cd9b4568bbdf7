"""``holtwalk pvs``: the visible cells from a place, in draw order (promises 5)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.dat.hex_id import hex_id
from engine.visibility.frame_view import FrameView
from engine.visibility.openings import OpeningIndex
from engine.visibility.report import pvs_document, pvs_table
from engine.visibility.view_modes import beyond_stab_list, cell_in
from engine.visibility.why.answer import WhyAnswer
from engine.visibility.why.explain import why
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from viewer.commands.looking import look_of
from viewer.commands.session import open_view
from viewer.errors import UserError
from viewer.picture.look import look_far
from viewer.picture.still import chosen
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes


def run(args: Namespace) -> int:
    """Print what is seen from ``--at``."""
    simulation, arrival = open_view(args, args.at)
    world = simulation.world
    look = look_of(args, simulation, args.size, logged=args.why is not None)
    seen = look_far(simulation, OpeningIndex(), look, args.objects).frame
    frame = chosen(world, seen, with_modes(RenderOptions(), args.mode or ()))
    # Both are about what the traversal found, whatever cells the mode chooses.
    beyond = beyond_stab_list(world, seen) if args.compare else None
    answer = None if args.why is None else why_answer(world, seen, args.why)
    if args.json:
        asked = {} if answer is None else {"why": answer.to_json()}
        print(json.dumps({**pvs_document(frame, beyond), **asked, **arrival.to_json()}))
    elif answer is not None:
        print("\n".join(answer.words))
    else:
        print(pvs_table(frame, beyond))
    return 0


def why_answer(world: World, frame: FrameView, number: int) -> WhyAnswer:
    """Why a cell is seen or not, by the account that a frame's floods have kept.

    A low word stands for a cell of the view root's block. UserError for a cell that nothing knows of.
    """
    cell_id = cell_in(frame.root, number)
    if not is_outdoor(cell_id) and not _is_known(world, cell_id):
        raise UserError(f"--why: there is no cell {hex_id(cell_id)} in this world")
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
