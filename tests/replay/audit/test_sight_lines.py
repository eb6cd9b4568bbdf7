"""Floods that can't come to an exit are left out of the audit, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.replay.audit import seeing
from engine.replay.audit.seeing import exit_findings, may_reach_exit, seen_exit
from engine.replay.audit.shape import CellShape
from engine.replay.audit.sight_lines import SightLines, cut, separating
from engine.visibility.pview import PView
from engine.world.cell_graph import CellGraph, cells_of
from engine.world.cells import EnvCell, Landblock
from engine.world.frame import Frame
from engine.world.ids import EXIT_CELL
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from scripts import make_world
from tests.needed import interpreted_only

SEEDS = (1, 2, 3, 4)
Cells = dict[int, EnvCell]


def dungeon(folder: Path, count: int, seed: int, *, pushed: bool) -> Cells:
    """Cells without the flag of a dungeon some of whose portals were made exits; some stand a little off."""
    options = ["--size", "1x1", "--dungeons", "1", "--cells", f"{count}-{count}", "--seed", str(seed)]
    make_world.main([str(folder), *options])
    block = World(open_source(dats=folder)).load_block(0)
    assert block is not None
    random = Random(seed)
    cells: Cells = {}
    for cell_id, cell in block.env_cells.items():
        far = random.choice((0.0, 0.004, 0.02, 1.0)) if pushed else 0.0
        x, y, z = (c + random.uniform(-far, far) for c in cell.frame.origin)
        for portal in cell.portals:
            if random.random() < 0.02:
                portal.is_exit, portal.other_cell_id = True, EXIT_CELL
        cells[cell_id] = EnvCell(
            cell.id,
            Frame((x, y, z), cell.frame.quat),
            cell.structure,
            cell.portals,
            stab_list=cell.stab_list,
            seen_outside=False,
        )
    return cells


@pytest.fixture(scope="module")
def dungeons(tmp_path_factory: pytest.TempPathFactory) -> list[Cells]:
    folder = tmp_path_factory.mktemp("dungeons")
    return [dungeon(folder / f"{seed}", 60, seed, pushed=seed % 2 == 0) for seed in SEEDS]


def graph_of(cells: Cells) -> CellGraph:
    return cells_of(Landblock(next(iter(cells)) & 0xFFFF0000, env_cells=cells))


def leading(cells: Cells) -> Iterator[tuple[CellShape, SightLines]]:
    shapes = {cell_id: CellShape(cell) for cell_id, cell in cells.items()}
    lines = SightLines(shapes)
    for shape in shapes.values():
        if may_reach_exit(shape.cell, graph_of(cells)):
            yield shape, lines


def test_what_is_seen_is_what_all_floods_see(dungeons: list[Cells]) -> None:
    seen = unseen = 0
    for cells in dungeons:
        for shape, lines in leading(cells):
            graph = graph_of(cells)
            expected = seen_exit(shape, graph)
            assert seen_exit(shape, graph, lines) == expected, hex(shape.id)
            seen += expected is not None
            unseen += expected is None
    assert seen >= 10
    assert unseen >= 40


@interpreted_only("replaces a function that compiled code calls directly")
def test_a_cell_that_leads_to_an_exit_takes_few_floods(
    dungeons: list[Cells], monkeypatch: pytest.MonkeyPatch
) -> None:
    floods = 0

    class Counted(PView):
        def __init__(self, *args: object, **named: object) -> None:
            nonlocal floods
            floods += 1
            super().__init__(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(seeing, "PView", Counted)
    cells = 0
    for those in dungeons:
        cells += sum(1 for _ in leading(those))
        shapes = {cell_id: CellShape(cell) for cell_id, cell in those.items()}
        assert any(exit_findings(shapes, graph_of(those)))
    assert floods < 12 * cells


def test_a_third_opening_is_cut_to_what_lines_through_two_can_meet() -> None:
    def square(x: float, half: float, y: float = 0.0) -> list[tuple[float, float, float]]:
        return [(x, y - half, -half), (x, y + half, -half), (x, y + half, half), (x, y - half, half)]

    planes = separating(square(0.0, 1.0), square(2.0, 1.0))
    part = cut(square(4.0, 10.0), planes)
    assert max(abs(y) for _, y, _ in part) == pytest.approx(3.0, abs=0.02)
    assert cut(square(4.0, 1.0, y=5.0), planes) == []
    assert list(cut(square(4.0, 1.0, y=3.5), planes)) != []
