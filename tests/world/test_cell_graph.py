"""What a portal remembers of its neighbour falls with what is loaded, and belongs to one graph alone."""

from __future__ import annotations

from engine.world.cell_graph import CellGraph, cells_of
from engine.world.cells import EnvCell
from tests.physics.rooms import ROOM, portal, room
from tests.physics.stage import block_of_cells, empty_world

NEXT = ROOM + 1


def two_rooms() -> tuple[EnvCell, EnvCell]:
    return room(portals=[portal(0, NEXT, 5.0, 0)]), room(NEXT, portals=[portal(0, ROOM, 5.0, 1)])


def test_a_portals_neighbour_is_forgotten_with_its_landblock():
    world = empty_world()
    a, b = two_rooms()
    way = a.portals[0]
    assert world.beyond(way) is None
    world.attach_block(block_of_cells(a, b))
    assert world.beyond(way) is b
    assert world.beyond(way) is b
    world.unload_block(ROOM)
    assert world.beyond(way) is None
    _, other = two_rooms()
    world.attach_block(block_of_cells(a, other))
    assert world.beyond(way) is other


def test_what_one_graph_remembers_another_does_not_believe():
    a, b = two_rooms()
    both, alone, empty = cells_of(block_of_cells(a, b)), cells_of(block_of_cells(a)), CellGraph()
    assert both.version == alone.version == empty.version
    way = a.portals[0]
    for _ in range(2):
        assert both.beyond(way) is b
        assert alone.beyond(way) is None
        assert empty.beyond(way) is None
