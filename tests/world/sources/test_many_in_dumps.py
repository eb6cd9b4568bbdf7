"""Long lists in a folder of dumps take work by their length, not by its square (sources 2-4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dat.errors import DatError
from engine.dat.values import StoredFrame
from engine.visibility.look_in import SharedByLookIns
from engine.world.sources import dump_openings
from engine.world.sources.dump_openings import DumpOpenings
from engine.world.sources.dump_records import CellDump, DumpPolygon, DumpPortal
from engine.world.sources.dumps import DumpsSource
from engine.world.sources.scene_file import SceneFile, SceneTerrain
from tests.world.dump_folders import BLOCK, polygon, rigid, room, write
from tests.world.sources.dump_worlds import EAST, SOUTH, load, two_rooms

PLACE = StoredFrame((50.0, 20.0, 10.0), (1.0, 0.0, 0.0, 0.0))
SQUARE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0))


def many_ways(cell_id: int, other: int, count: int) -> CellDump:
    """A cell of which so many portals lead through one polygon."""
    return CellDump(
        cell_id=cell_id, frame=PLACE, physics=(), drawing=(DumpPolygon(7, 0, SQUARE),),
        portals=(DumpPortal(0x0150, 7, 0), *[DumpPortal(other, 7, 0)] * count), visible=(),
        seen_outside=None,
    )  # fmt: skip


def test_a_polygon_of_many_portals_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four thousand portals through a polygon of a thousand corners took a second, and the square of it."""
    compared: list[object] = []

    def count(function: Any) -> Any:
        return lambda *given: compared.append(given) or function(*given)

    monkeypatch.setattr(dump_openings, "_box", count(dump_openings._box))
    monkeypatch.setattr(dump_openings, "_same_corners", count(dump_openings._same_corners))
    here, there = many_ways(0x01070100, 0x0101, 50), many_ways(0x01070101, 0x0100, 50)
    mine, theirs = DumpOpenings(here), DumpOpenings(there)
    assert [theirs.leading_back(portal, mine) for portal in here.portals] == [1] * 51
    assert len(compared) == 4


def test_where_very_many_openings_are_alike_a_few_are_compared(tmp_path: Path) -> None:
    """Two hundred polygons of two hundred corners, alike but for one, in each of two cells: ten minutes."""
    for low, other, inset in ((0x100, 0x101, 0.1), (0x101, 0x100, 0.2)):
        openings = [polygon(n, [*SQUARE, (inset + 0.2 * (n % 2), 0.0, 0.5)]) for n in range(40)]
        portals = [{"OtherCellId": other, "PolygonId": n, "Flags": 0} for n in range(40)]
        write(tmp_path, room(low, rigid(), ()) | {"PortalPolygons": openings, "Portals": portals})
    source = DumpsSource(tmp_path, SceneFile())
    with pytest.raises(DatError, match="B40101: 40 of its portals lie where one of its neighbour's does"):
        source.env_cell(BLOCK | 0x100)


def test_the_cells_seen_from_an_opening_are_gathered_once_for_all_of_a_cell(tmp_path: Path) -> None:
    """Two thousand openings that see two thousand cells took a second, more of both the square of it."""
    portal = {"cell": f"0x{BLOCK | 0x100:08X}", "portal": 0}
    building = {"gfxobj": "0x01000010", "at": f"0x{BLOCK | 1:08X} [10 10 94]", "portals": [portal] * 3}
    _, block = load(two_rooms(tmp_path, {"buildings": [building], "terrain": {"height": 94.0}}))
    portals = block.buildings[0].portals
    assert portals[0].stab_list == (BLOCK | 0x100, BLOCK | 0x101, BLOCK | 0x16F)
    assert all(other.stab_list is portals[0].stab_list for other in portals)
    shared, cell = SharedByLookIns(), block.env_cells[BLOCK | 0x100]
    sets = [shared.working_set(opening, cell) for opening in portals]
    assert sets[0] == set(portals[0].stab_list)
    assert all(other is sets[0] for other in sets)


class Gone(tuple[Any, ...]):
    """A list that knows how often it was gone through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        Gone.times += 1
        return super().__iter__()

    def __contains__(self, what: object) -> bool:
        Gone.times += 1
        return super().__contains__(what)


def test_what_a_scene_says_of_landblocks_is_not_gone_through_for_each(tmp_path: Path) -> None:
    """Four thousand buildings in as many landblocks took seconds, twenty thousand a minute."""
    heights = (94.0,) * 81
    scene = SceneFile(buildings=Gone(), terrain=SceneTerrain(heights, 94.0, (), Gone((0x01020000,))))
    source = DumpsSource(write(tmp_path, room(0x100, rigid(60, 60, 94), [])), scene)
    for block in range(0x01010000, 0x01200000, 0x10000):
        assert source.land_block_info(block) is None
        assert (source.land_block(block) is None) == (block == 0x01020000)
        assert source.cell_ids(block) == ()
    assert source.cell_ids(BLOCK | 0x100) == (BLOCK | 0x100,)
    assert source.block_ids() == (BLOCK,)
    assert Gone.times <= 4


def test_whether_a_cell_has_an_exit_is_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    has_exit = CellDump.has_exit.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(
        CellDump, "has_exit", property(lambda dump: asked.append(dump.cell_id) or has_exit(dump))
    )
    numbers = range(0x100, 0x10A)
    rooms = [
        room(number, rigid(60, 60, 94), [(EAST, 0x100, 3)], [*reversed(numbers)]) for number in numbers[1:]
    ]
    write(tmp_path, room(0x100, rigid(64, 60, 94), [(SOUTH, 0xFFFF, 7)]), *reversed(rooms))
    source = DumpsSource(tmp_path, SceneFile(terrain=SceneTerrain((94.0,) * 81, 94.0)))
    flags = [cell.flags for n in numbers if (cell := source.env_cell(BLOCK | n)) is not None]
    assert flags == [1] * 10
    assert len(asked) <= 20
