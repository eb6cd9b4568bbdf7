"""Landblocks made of records in memory, loaded."""

from engine.dat.records.env_cell import CellPortal
from engine.dat.values import StoredFrame
from engine.world.loading.world import World
from tests.world.world_records import (
    BLOCK,
    MemorySource,
    cell,
    room,
)

SOUTH, NORTH, EAST = 2, 3, 5


def at(x, y, z=94.0, quat=(1.0, 0.0, 0.0, 0.0)):
    return StoredFrame((float(x), float(y), float(z)), quat)


def load(source):
    world = World(source)
    return world, world.load_block(BLOCK)


def two_rooms(**fields):
    """Room 0100 with an exit to the south and a door east into 0101."""
    rooms = [room(1, (SOUTH, EAST)), room(2, (4,))]
    cells = [
        cell(
            0x100,
            [CellPortal(7, SOUTH, 0xFFFF, -1), CellPortal(3, EAST, 0x101, 0)],
            [0x101, 0x16F],
            (60.0, 60.0, 94.0),
            environment=1,
        ),
        cell(0x101, [CellPortal(1, 4, 0x100, 1)], [0x100], (64.0, 60.0, 94.0), environment=2, flags=0),
    ]
    return MemorySource(cells=cells, environments=rooms, **fields)


def structure_with(**fields):
    environment = room(2, (4,))
    return environment._replace(cells=(environment.cells[0]._replace(**fields),))
