"""``holtwalk audit``: the cell graph, looked over for what breaks membership or visibility (design 4)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.replay.audit.finding import Tally
from engine.replay.audit.run import audit
from engine.world.loading.world import World
from viewer.errors import UserError
from viewer.terminal import say
from viewer.worlds import open_world, source_arguments

SHOWN = 3
MANY = 20  # landblocks from which progress is told


def run(args: Namespace) -> int:
    """Look over one landblock or all that have cells or buildings; 1 where something was found."""
    world = open_world(args)
    block_ids = _block_ids(world, args.landblock)
    tally = audit(
        source_arguments(args), block_ids, args.jobs or 0, _tell if len(block_ids) >= MANY else None
    )
    if args.json:
        print(json.dumps({"ok": tally.found == 0, "results": tally.results()}))
    else:
        _print(tally, args.verbose)
    return 1 if tally.found else 0


def _block_ids(world: World, landblock: int | None) -> list[int]:
    if landblock is None:
        block_ids = list(world.source.block_ids())
        if not block_ids:
            raise UserError(f"{world.source.name}: no landblock has cells or buildings")
        return block_ids
    if world.load_block(landblock) is None:
        raise UserError(f"--landblock: there is no landblock 0x{landblock >> 16:04X} in {world.source.name}")
    return [landblock]


def _print(tally: Tally, verbose: bool) -> None:
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
    print(f"{tally.found} findings in {tally.cells} cells of {tally.blocks} landblocks")


def _tell(done: int, total: int) -> None:
    """Progress on stderr, a hundred lines at most."""
    if done == total or done % max(1, total // 100) == 0:
        say(f"{done} of {total} landblocks")
