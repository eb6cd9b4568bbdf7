"""Running an audit: one landblock, or many by several processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.dat.errors import DatError, of_one_member
from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.replay.audit.finding import DAMAGED, UNFINISHED, Finding, Tally
from engine.replay.audit.flips import flip_findings
from engine.replay.audit.gaps import gap_findings
from engine.replay.audit.outside import building_findings
from engine.replay.audit.overlaps import overlap_findings
from engine.replay.audit.portals import building_portal_findings, portal_findings
from engine.replay.audit.seeing import exit_findings, stab_findings
from engine.replay.audit.shape import CellShape, StructureStore
from engine.replay.audit.volumes import shape_findings
from engine.replay.jobs.process_pool import Piece, Tell, Work, done_in_order
from engine.world.cells import Landblock
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments

T = TypeVar("T")


def block_findings(
    world: World, block: Landblock, structures: StructureStore | None = None, tell: Tell | None = None
) -> Iterator[Finding]:
    """Everything that is wrong with a loaded landblock's cells and buildings.

    A question that fails is a finding of its own; the others are asked all the same. ``tell`` hears what
    share of the questions was asked.
    """
    known = structures or StructureStore()
    shapes = _Asked(tell)
    questions: tuple[tuple[str, Callable[[], Iterable[Finding]]], ...] = (
        ("portals", lambda: portal_findings(shapes)),
        ("buildings' portals", lambda: building_portal_findings(shapes, block.buildings)),
        ("shapes", lambda: shape_findings(shapes)),
        ("overlaps", lambda: overlap_findings(shapes, shapes.through)),
        ("gaps", lambda: gap_findings(shapes, block)),
        ("stab lists", lambda: stab_findings(shapes)),
        ("exits", lambda: exit_findings(shapes, world)),
        ("buildings", lambda: building_findings(world, block)),
        ("look-ups", lambda: flip_findings(shapes, shapes.through)),
    )
    shapes.ask(0, len(questions) + 1)  # what shapes there are comes before the table
    for cell_id in shapes.told(block.env_cells):
        try:
            cell = block.env_cells[cell_id]
            shape = shapes.shapes[cell_id] = CellShape(cell, known.of(cell.structure))
            if shape.too_fine:
                yield Finding(
                    UNFINISHED, f"{hex_id(cell_id)}: its hull: {len(shape.planes)} planes are too many"
                )
        except Exception as error:
            yield _unfinished(cell_id, "its shape", error)
    for number, (name, ask) in enumerate(questions, 1):
        shapes.ask(number, len(questions) + 1)
        try:
            yield from ask()
        except Exception as error:
            yield _unfinished(block.id, name, error)


class _Asked(Mapping[int, CellShape]):
    """The shapes of a landblock, which tell how many of them a question has come through."""

    def __init__(self, tell: Tell | None) -> None:
        self.shapes: dict[int, CellShape] = {}
        self._tell = tell
        self._question = (0, 1)

    def ask(self, number: int, of: int) -> None:
        """Begin a question."""
        self._question = (number, of)

    def __getitem__(self, cell_id: int) -> CellShape:
        return self.shapes[cell_id]

    def __len__(self) -> int:
        return len(self.shapes)

    def __contains__(self, cell_id: object) -> bool:
        return cell_id in self.shapes

    def __iter__(self) -> Iterator[int]:
        yield from self.told(self.shapes)

    def through(self, shapes: Sequence[CellShape]) -> Iterator[CellShape]:
        """Go through them in an order of the question's own."""
        return self.told(shapes)

    def told(self, items: Collection[T]) -> Iterator[T]:
        """Items one by one, each told of as its share of the question."""
        number, of = self._question
        for done, item in enumerate(items):
            if self._tell is not None:
                self._tell((number + done / len(items)) / of)
            yield item


def _unfinished(object_id: int, name: str, error: Exception) -> Finding:
    return Finding(UNFINISHED, f"{hex_id(object_id)}, {name}: {of_one_member(error)}")


def audit_block(
    world: World, block_id: int, structures: StructureStore | None = None, tell: Tell | None = None
) -> Tally:
    """Load a landblock, look it over, and forget it again; nothing is counted where there is none.

    ``tell`` hears now and then what share of it is done.
    """
    tally = Tally()
    known = world.problems.mark()
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
        tally.add(block_findings(world, block, structures, tell))
    tally.add(unloaded_findings(world, block_id, block))
    tally.add(Finding(DAMAGED, line) for line in world.problems.since(known))
    if not resident:
        world.unload_block(block_id)
    return tally


def unloaded_findings(world: World, block_id: int, block: Landblock | None) -> Iterator[Finding]:
    """What of a landblock could not be looked over, since it could not be loaded: each cell, and the record.

    The reasons are among the world's problems.
    """
    source = world.source
    try:
        source.land_block_info(block_id)
    except DatError:
        record = hex_id(block_of(block_id) | 0xFFFE)
        yield Finding(UNFINISHED, f"{record}: its buildings, and the cells that it alone announces")
    loaded = {} if block is None else block.env_cells
    for cell_id in world.problems.fetch(source.cell_ids, block_id) or ():
        if cell_id not in loaded:
            yield Finding(UNFINISHED, f"{hex_id(cell_id)}: the cell could not be loaded")


@dataclass(frozen=True, slots=True)
class AuditTask:
    """Looking over landblocks of a source: pieces are landblocks' ids, results tallies as documents."""

    source: SourceArguments

    def begin(self) -> Work:
        """Open the world; raises SourceError."""
        world, structures = World(self.source.open()), StructureStore()

        def work(block_id: int, tell: Tell) -> Json:
            return audit_block(world, block_id, structures, tell).to_json()

        return work


def pieces(world: World, block_ids: Iterable[int]) -> Iterator[Piece]:
    """Landblocks as pieces of work, weighed by their cells."""
    for block_id in block_ids:
        cells = world.problems.fetch(world.source.cell_ids, block_id) or ()
        yield Piece(hex_id(block_id), block_id, 1.0 + len(cells))


def audit(source: SourceArguments, block_ids: Sequence[int], jobs: int = 1) -> Tally:
    """Look over landblocks, by several processes where there are ``jobs``."""
    total = Tally()
    parts = [Piece(hex_id(block_id), block_id) for block_id in block_ids]
    for _, document in done_in_order(AuditTask(source), parts, jobs=jobs):
        total.merge(Tally.from_json(document))
    return total
