"""``holtwalk audit``: the cell graph, looked over for what breaks membership or visibility (promises 8)."""

from __future__ import annotations

from argparse import Namespace

from engine.replay.audit.auditing import AuditTask, pieces
from engine.replay.audit.finding import TALLY, UNFINISHED, Finding, Tally
from engine.world.loading.world import World
from viewer.commands.groundwork.long_work import Listed, check_forms, in_pieces, print_line
from viewer.commands.groundwork.worlds import open_world, report_problems, source_for_pieces, world_stamp
from viewer.user_error import UserError

SHOWN = 3
WORTH_A_PROCESS = 8  # landblocks


def run(args: Namespace) -> int:
    """Look over one landblock or all that have cells or buildings; 1 where something was found."""
    check_forms(args)
    source = source_for_pieces(args)
    world = open_world(args)
    report_problems(world, verbose=args.verbose)
    total = Tally()
    parts = Listed(lambda: pieces(world, _block_ids(world, args.landblock, total)))
    work: dict[str, object] = {"world": world_stamp(args), "landblock": args.landblock}
    for piece, document in in_pieces(
        args, AuditTask(source), parts, work, shape=TALLY, least=WORTH_A_PROCESS
    ):
        tally = Tally.from_json(document)
        total.merge(tally)
        if args.jsonl:
            print_line(block_document(piece.key, tally))
    if args.json or args.jsonl:
        print_line({"ok": total.found == 0, "results": total.results()})
    else:
        _print(total, verbose=args.verbose)
    return 1 if total.found else 0


def block_document(name: str, tally: Tally) -> dict[str, object]:
    """The result of one landblock, a line of ``--jsonl``."""
    figures = {"cells": tally.cells, "counts": tally.counts, "examples": tally.examples}
    return {"name": name, "ok": tally.found == 0, "figures": figures, "detail": f"{tally.found} findings"}


def _block_ids(world: World, landblock: int | None, total: Tally) -> list[int]:
    """The landblocks to look over; parts of the directory that can't be read are findings in ``total``."""
    if landblock is None:
        known = world.problems.mark()
        block_ids = list(world.source.block_ids())
        lost = world.problems.since(known)
        if not block_ids:
            what = f"no landblock has cells or buildings{' in what can be read' if lost else ''}"
            raise UserError("; ".join([*lost[:1], what]) if lost else f"{world.source.name}: {what}")
        total.add(Finding(UNFINISHED, line) for line in lost)
        return block_ids
    if world.load_block(landblock) is None:
        raise UserError(f"--landblock: there is no landblock 0x{landblock >> 16:04X} in {world.source.name}")
    return [landblock]


def _print(tally: Tally, *, verbose: bool) -> None:
    for result in tally.results():
        name = str(result["name"])
        count = tally.counts.get(name, 0)
        print(f"{'ok ' if count == 0 else f'{count:3d}'} {name}: {result['detail']}")
        examples = tally.examples.get(name, [])
        shown = examples if verbose else examples[:SHOWN]
        for example in shown:
            print(f"      {example}")
        if count > len(shown):
            print(f"      and {count - len(shown)} more")
    lost = tally.counts.get(UNFINISHED, 0)
    unknown = f"; {lost} parts could not be looked over, and what is wrong there is not known" if lost else ""
    print(f"{tally.found} findings in {tally.cells} cells of {tally.blocks} landblocks{unknown}")
