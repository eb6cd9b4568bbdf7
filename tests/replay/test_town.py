"""The town that frames are measured in: the village's houses, each with its own cells, and nothing amiss."""

import math

import pytest

from engine.replay import town as towns
from engine.replay.many_cells import ManyCells
from engine.replay.town import COLUMNS, ROWS, TownSource
from engine.world.ids import EXIT_CELL
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO

VILLAGE, DOOR = 0xA9B40000, 0x020019FF


class Changed:
    """A source whose landblock has other buildings."""

    def __init__(self, source, change):
        self.source, self.change = source, change

    def __getattr__(self, name):
        return getattr(self.source, name)

    def land_block_info(self, block_id):
        info = self.source.land_block_info(block_id)
        return info._replace(buildings=tuple(map(self.change, info.buildings)))


def facade(building):
    return building._replace(portals=())


def nowhere(building):
    return building._replace(frame=building.frame._replace(origin=(math.nan, 0.0, 0.0)))


def leads_nowhere(building):
    """Three openings before its first, of cells that are not there and of what is no cell."""
    (first, *_) = building.portals
    lost = [first._replace(other_cell=low) for low in (0x1FF, 0xFFFE, 0x31)]
    return building._replace(portals=(*lost, first))


@pytest.mark.parametrize("entities", [100, 400])
def test_a_town_holds_thirty_houses_of_the_village_and_so_many_entities(entities):
    source = open_source(demo=DEMO)
    world = World(TownSource(source, VILLAGE, entities, DOOR))
    town = world.load_block(VILLAGE)
    assert world.problems.lines == []
    assert len(town.buildings) == COLUMNS * ROWS == sum(c.building is not None for c in town.land_cells)
    assert len(town.entities) == entities == len({thing.object_id for thing in town.entities})
    assert sorted(town.env_cells) == [VILLAGE + 0x100 + n for n in range(len(town.env_cells))]
    portals = [p for cell in town.env_cells.values() for p in cell.portals]
    assert all(p.other_cell_id == EXIT_CELL or p.other_cell_id in town.env_cells for p in portals)
    openings = [p for building in town.buildings for p in building.portals]
    assert len(openings) >= COLUMNS * ROWS and all(p.other_cell_id in town.env_cells for p in openings)
    village = World(source).load_block(VILLAGE)
    kinds = {(cell.structure.environment_id, cell.structure.structure) for cell in town.env_cells.values()}
    own = {(cell.structure.environment_id, cell.structure.structure) for cell in village.env_cells.values()}
    assert kinds < own


def test_the_rest_of_the_world_stays_as_it_was():
    source = open_source(demo=DEMO)
    town = TownSource(source, VILLAGE, 1, DOOR)
    assert town.land_block(0xA9B5FFFF) == source.land_block(0xA9B5FFFF)
    assert town.cell_ids(0x01070000) == source.cell_ids(0x01070000)
    assert town.env_cell(0x01070100) == source.env_cell(0x01070100)


def test_a_landblock_without_a_building_makes_no_town():
    with pytest.raises(ValueError, match="no building"):
        TownSource(open_source(demo=DEMO), 0x01070000, 1, DOOR)


@pytest.mark.parametrize(
    "make", [lambda s: TownSource(s, VILLAGE, 1, DOOR), lambda s: ManyCells(s, VILLAGE, 9)]
)
@pytest.mark.parametrize("change", [facade, nowhere])
def test_a_landblock_without_a_room_behind_a_building_makes_none_either(make, change):
    with pytest.raises(ValueError, match="no building with a room"):
        make(Changed(open_source(demo=DEMO), change))


def test_openings_that_lead_nowhere_keep_their_numbers_and_lead_nowhere_in_a_town():
    source = Changed(open_source(demo=DEMO), leads_nowhere)
    town = TownSource(source, VILLAGE, 1, DOOR)
    rooms = range(0x100, 0x100 + town.info.num_cells)
    for building in town.info.buildings:
        assert [portal.other_cell in rooms for portal in building.portals] == [False, False, False, True]
    block = World(ManyCells(source, VILLAGE, 9)).load_block(VILLAGE)
    assert len(block.env_cells) == 9


def test_houses_of_too_many_rooms_make_no_town(monkeypatch):
    monkeypatch.setattr(towns, "MOST_CELLS", 100)
    with pytest.raises(ValueError, match="rooms, too many"):
        TownSource(open_source(demo=DEMO), VILLAGE, 1, DOOR)
