"""A walk that is asked to go somewhere."""

from __future__ import annotations

from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.window.walking.walk import Walk

INSIDE = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"


def walking() -> Walk:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate(INSIDE))
    return Walk(simulation)
