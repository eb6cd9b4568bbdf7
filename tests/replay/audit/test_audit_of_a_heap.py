"""Cells that all lie in one place: an audit's work grows with them and not with their square, and says so."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine.dat.records.env_cell import CellPortal
from engine.replay.audit.auditing import audit_block
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import FLIP, OVERLAP, UNFINISHED
from engine.replay.audit.flips import NAMED, flip_findings
from engine.replay.audit.overlaps import MOST_PAIRS, overlap_findings
from engine.replay.audit.shape import MANY, CellShape, depth_inside, depths_inside, reach_of_sides
from engine.world.loading.world import World
from tests.calls import calls_of
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
    shares = {round(share, 9) for share in told}
    assert {round((question + n / 4) / 10, 9) for question in (0, 4, 9) for n in range(4)} <= shares
    # That is the shapes, the overlaps and the look-ups, the last of ten questions.


def test_the_tree_of_boxes_stops_soon_where_there_are_too_many() -> None:
    box = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    tree = BoxTree([box] * 50)
    assert tree.near(box, 0.0, most=50) == tree.near(box, 0.0) == list(range(50))
    few = tree.near(box, 0.0, most=10)
    assert 10 < len(few) < 20
    assert few == sorted(set(few))


def test_a_hull_of_more_planes_than_can_be_cut_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.replay.audit.shape.MOST_CUTTING", 50)
    tally = audit_block(heap(2), BLOCK)
    told = [line for line in tally.examples[UNFINISHED] if "its hull: 6 planes are too many" in line]
    assert len(told) == tally.counts[UNFINISHED] == 2
    assert tally.counts[OVERLAP] == 1  # which asks no more of the hulls than that they may be unknown


def test_a_cell_whose_planes_take_too_long_to_compare_is_told(
    shapes: dict[int, CellShape], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replay.audit.overlaps.MOST_CUTTING", 2000)
    found = Counter(f.kind for f in overlap_findings(shapes))
    assert found[UNFINISHED] >= HEAP - 2
    assert 0 < found[OVERLAP] < 3 * HEAP


def test_depths_of_many_points_are_those_of_each() -> None:
    random = Random(5)
    points = [(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(MANY + 9)]
    planes = [(0.6, 0.0, 0.8, 0.3), (0.0, -1.0, 0.0, 2.0), (0.0, 0.0, 1.0, math.nan)]
    for some in (planes[:2], planes):
        assert depths_inside(some, points) == [depth_inside(some, point) for point in points]
    assert all(map(math.isnan, depths_inside(planes[::-1], points)))
    assert calls_of(lambda: depths_inside(planes * 9, points)) < len(points)


def test_sides_of_many_corners_are_those_of_each() -> None:
    random = Random(4)
    corners = [(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(MANY + 9)]
    planes = [(0.6, 0.0, 0.8, 0.3), (0.0, -1.0, 0.0, 2.0)]
    singly = [[nx * x + ny * y + nz * z + d for x, y, z in corners] for nx, ny, nz, d in planes]
    assert list(reach_of_sides(planes, corners)) == [(min(sides), max(sides)) for sides in singly]
