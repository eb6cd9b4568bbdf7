"""Running an audit: one landblock, or many by several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from itertools import chain

from engine.dat.errors import in_one_line
from engine.replay.audit.cells import gap_findings, overlap_findings, shape_findings
from engine.replay.audit.finding import DAMAGED, UNFINISHED, Finding, Tally, hex_id
from engine.replay.audit.flips import flip_findings
from engine.replay.audit.outside import building_findings
from engine.replay.audit.portals import building_portal_findings, portal_findings
from engine.replay.audit.seeing import exit_findings, stab_findings
from engine.replay.audit.shape import CellShape, StructureStore
from engine.world.cells import Landblock
from engine.world.loading.world import World
from engine.world.sources.opening import SourceArguments

CHUNK = 8
Progress = Callable[[int, int], None]


def block_findings(
    world: World, block: Landblock, structures: StructureStore | None = None
) -> Iterator[Finding]:
    """Everything that is wrong with a loaded landblock's cells and buildings.

    A question that fails is a finding of its own; the others are asked all the same.
    """
    known = structures or StructureStore()
    shapes: dict[int, CellShape] = {}
    for cell_id, cell in block.env_cells.items():
        try:
            shapes[cell_id] = CellShape(cell, known.of(cell.structure))
        except Exception as error:
            yield _unfinished(cell_id, "its shape", error)
    questions: tuple[tuple[str, Callable[[], Iterable[Finding]]], ...] = (
        ("portals", lambda: portal_findings(shapes)),
        ("buildings' portals", lambda: building_portal_findings(shapes, block.buildings)),
        ("shapes", lambda: chain.from_iterable(map(shape_findings, shapes.values()))),
        ("overlaps", lambda: overlap_findings(shapes)),
        ("gaps", lambda: gap_findings(shapes, block)),
        ("stab lists", lambda: stab_findings(shapes)),
        ("exits", lambda: exit_findings(shapes, world.get_visible)),
        ("buildings", lambda: building_findings(world, block)),
        ("look-ups", lambda: flip_findings(shapes)),
    )
    for name, ask in questions:
        try:
            yield from ask()
        except Exception as error:
            yield _unfinished(block.id, name, error)


def _unfinished(object_id: int, name: str, error: Exception) -> Finding:
    return Finding(UNFINISHED, f"{hex_id(object_id)}, {name}: {in_one_line(error)}")


def audit_block(world: World, block_id: int) -> Tally:
    """Load a landblock, look it over, and forget it again; nothing is counted where there is none."""
    tally = Tally()
    known = len(world.problems.lines)
    resident = block_id in world.blocks
    try:
        block = world.load_block(block_id)
    except Exception as error:  # a listener of the world may fail as well as the loading
        tally.blocks = 1
        tally.add([_unfinished(block_id, "loading", error)])
        block = None
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
