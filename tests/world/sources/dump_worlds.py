"""Folders of dumps, loaded."""

from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.world.dump_folders import BLOCK, rigid, room, write

SOUTH, EAST, WEST = 2, 5, 4
QUARTER = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))  # local x points north, local y west


def two_rooms(folder, scene=None):
    """0100 with an exit south, and 0101 east of it, turned by 90 degrees."""
    return write(
        folder,
        room(0x100, rigid(60, 60, 94), [(SOUTH, 0xFFFF, 7), (EAST, 0x101, 3)], [0x101, 0x16F]),
        room(0x101, rigid(64, 60, 94, QUARTER), [(3, 0x100, 3)], [0x100]),
        scene=scene,
    )


def load(folder, **options):
    world = World(open_source(dumps=folder, **options))
    return world, world.load_block(BLOCK)
