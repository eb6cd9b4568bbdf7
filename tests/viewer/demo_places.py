"""A body that stands at a place of the demo."""

from __future__ import annotations

from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import open_source
from engine.world.sources.places_file import read_places
from tests.places import DEMO

PLACES = read_places(DEMO)


def standing(place: str) -> Simulation:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(parse_location(PLACES.get(place, place)).position)
    return simulation
