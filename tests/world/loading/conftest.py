"""A streamer over plains, for the tests of streaming."""

import pytest

from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from tests.world.plains import Plains


@pytest.fixture
def source():
    return Plains()


@pytest.fixture
def streamer(source):
    made = []

    def make(**settings):
        made.append(Streamer(World(source), **settings))
        made[-1].start()
        return made[-1]

    yield make
    source.gate.set()
    for each in made:
        each.close()
