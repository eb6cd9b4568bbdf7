"""Cells that all lie in one place: an audit's work grows with them and not with their square, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from engine.dat.records.env_cell import CellPortal
from engine.replay.audit.auditing import audit_block
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import FLIP, OVERLAP, UNFINISHED
from engine.replay.audit.flips import NAMED, flip_findings
from engine.replay.audit.overlaps import MOST_PAIRS, overlap_findings
from engine.replay.audit.shape import CellShape
from engine.world.loading.world import World
from tests.world.world_records import BLOCK, MemorySource, cell, room

HEAP = MOST_PAIRS + 8
EXIT = CellPortal(3, 3, 0xFFFF, 0)


def heap(count: int) -> World:
    """So many like rooms in one place, each with an exit."""
    cells = [cell(0x100 + n, (EXIT,), origin=(60.0, 60.0, 94.0)) for n in range(count)]
    return World(MemorySource(cells, [room(openings=(3,))]))


@pytest.fixture(scope="module")
def shapes() -> dict[int, CellShape]:
    block = heap(HEAP).load_block(BLOCK)
    assert block is not None
    return {cell_id: CellShape(env_cell) for cell_id, env_cell in block.env_cells.items()}


def test_not_each_cell_of_a_heap_is_compared_with_each(shapes: dict[int, CellShape]) -> None:
    """Five hundred took minutes, and told of 125,000 pairs."""
    found = list(overlap_findings(shapes))
    pairs = Counter(f.text.split(" and ")[0] for f in found if f.kind == OVERLAP)
    assert len(pairs) == HEAP - 1
    assert max(pairs.values()) == MOST_PAIRS
    cut_short = {f.text.split()[0] for f in found if f.kind == UNFINISHED}
    assert cut_short == {cell_id for cell_id, count in pairs.items() if count == MOST_PAIRS}


def test_cells_that_were_not_compared_are_told(
    shapes: dict[int, CellShape], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replay.audit.overlaps.MOST_NEAR", 8)
    monkeypatch.setattr("engine.replay.audit.flips.MOST_NEAR", 8)
    assert [f.kind for f in overlap_findings(shapes)].count(UNFINISHED) == HEAP
    assert {f.kind for f in flip_findings(shapes)} == {UNFINISHED}


def test_a_look_up_that_finds_a_heap_names_a_few(shapes: dict[int, CellShape]) -> None:
    first = next(flip_findings(shapes)).text
    assert first.count("0x") == 2 + NAMED
    assert first.endswith(f" and {HEAP - NAMED} more")


@pytest.mark.parametrize("question", [overlap_findings, flip_findings])
def test_how_far_it_is_is_told_while_it_goes_on(question, shapes: dict[int, CellShape]) -> None:  # type: ignore[no-untyped-def]
    """All cells were gone through before the first pair: "0.0%" for minutes."""
    heard = []

    def through(cells: Sequence[CellShape]) -> Iterator[CellShape]:
        for shape in cells:
            heard.append(shape)
            yield shape

    found = question(shapes, through)
    next(found)
    assert len(heard) == 1
    assert list(found)
    assert len(heard) == HEAP


def test_an_audit_tells_how_far_it_is_within_every_question() -> None:
    told: list[float] = []
    tally = audit_block(heap(4), BLOCK, tell=told.append)
    assert tally.counts[OVERLAP] == 6
    assert tally.counts[FLIP] == 4
    questions = 9
    steps = {round(share * questions * 4) for share in told}
    assert {4 * 3 + n for n in range(4)} <= steps  # overlaps
    assert {4 * 8 + n for n in range(4)} <= steps  # look-ups


def test_the_tree_of_boxes_stops_soon_where_there_are_too_many() -> None:
    box = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    tree = BoxTree([box] * 50)
    assert tree.near(box, 0.0, most=50) == tree.near(box, 0.0) == list(range(50))
    few = tree.near(box, 0.0, most=10)
    assert 10 < len(few) < 20
    assert few == sorted(set(few))
