"""The landblocks of the demo, loaded once."""

from __future__ import annotations

from functools import cache

from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO

BLOCKS = (0xA9B40000, 0x01070000)


@cache
def demo() -> World:
    world = World(open_source(demo=DEMO))
    for block in BLOCKS:
        world.load_around(block, 0)
    return world
