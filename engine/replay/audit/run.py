"""Running an audit: one landblock, or many by several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial

from engine.replay.audit.cells import gap_findings, overlap_findings, shape_findings
from engine.replay.audit.finding import DAMAGED, Finding, Tally
from engine.replay.audit.flips import flip_findings
from engine.replay.audit.outside import building_findings
from engine.replay.audit.portals import building_portal_findings, portal_findings
from engine.replay.audit.seeing import exit_findings, stab_findings
from engine.replay.audit.shape import CellShape
from engine.world.cells import Landblock
from engine.world.sources import SourceArguments
from engine.world.world import World

CHUNK = 8
Progress = Callable[[int, int], None]


def block_findings(world: World, block: Landblock) -> Iterator[Finding]:
    """Everything that is wrong with a loaded landblock's cells and buildings."""
    shapes = {cell_id: CellShape(cell) for cell_id, cell in block.env_cells.items()}
    yield from portal_findings(shapes)
    yield from building_portal_findings(shapes, block.buildings)
    for shape in shapes.values():
        yield from shape_findings(shape)
    yield from overlap_findings(shapes)
    yield from gap_findings(shapes, block)
    yield from stab_findings(shapes)
    yield from exit_findings(shapes, world.get_visible)
    yield from building_findings(world, block)
    yield from flip_findings(shapes)


def audit_block(world: World, block_id: int) -> Tally:
    """Load a landblock, look it over, and forget it again; nothing is counted where there is none."""
    tally = Tally()
    known = len(world.problems.lines)
    resident = block_id in world.blocks
    block = world.load_block(block_id)
    if block is not None:
        tally.blocks = 1
        tally.cells = len(block.env_cells)
        tally.add(block_findings(world, block))
    tally.add(Finding(DAMAGED, line) for line in world.problems.lines[known:])
    if not resident:
        world.unload_block(block_id)
    return tally


def audit(
    source: SourceArguments, block_ids: Sequence[int], jobs: int = 0, progress: Progress | None = None
) -> Tally:
    """Look over landblocks, by several processes where there are many; 0 jobs is one a core.

    ``progress`` hears how many are done of how many.
    """
    jobs = min(jobs or os.cpu_count() or 1, -(-len(block_ids) // CHUNK))
    total = Tally()
    for done, tally in enumerate(_tallies(source, block_ids, jobs), start=1):
        total.merge(tally)
        if progress is not None:
            progress(done, len(block_ids))
    return total


def _tallies(source: SourceArguments, block_ids: Sequence[int], jobs: int) -> Iterator[Tally]:
    if jobs <= 1:
        world = World(source.open())
        yield from (audit_block(world, block_id) for block_id in block_ids)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(_audit_in_worker, source), block_ids, chunksize=CHUNK)


@lru_cache(maxsize=1)
def _world_of_process(source: SourceArguments) -> World:
    """The one world that a process of the pool keeps."""
    return World(source.open())


def _audit_in_worker(source: SourceArguments, block_id: int) -> Tally:
    return audit_block(_world_of_process(source), block_id)
