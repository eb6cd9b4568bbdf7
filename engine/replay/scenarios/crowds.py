"""Landblocks so full that the thousands of ticks of scenarios would take hours in them."""

from __future__ import annotations

from collections import Counter

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation

DOORS_AT_MOST = 1000  # each is told of in each tick; a village has some ten
THINGS_AT_MOST = 2500  # entities, each drawn in hundreds of pictures; a town has some hundred
SHAPES_AT_MOST = 2000  # in one cell, of which a tick may ask each; a crowded room has some hundred
POLYGONS_AT_MOST = 50_000  # of these shapes; a crowded room's have some thousand


def crowd_in(simulation: Simulation) -> str:
    """What there is too much of in a simulation's world; empty for nothing."""
    if len(simulation.doors) > DOORS_AT_MOST:
        return f"{len(simulation.doors)} doors stand here, too many to stage scenarios among"
    things = sum(placed.is_entity for placed in simulation.objects.placed.values())
    if things > THINGS_AT_MOST:
        return f"{things} things stand here, too many to stage scenarios among"
    shapes: Counter[int] = Counter()
    polygons: Counter[int] = Counter()
    of_model: dict[int, int] = {}
    for thing in simulation.registry.objects.values():
        if thing.model_id not in of_model:
            model = simulation.world.model(thing.model_id)
            of_model[thing.model_id] = 0 if model is None else model.collided()
        for cell_id in thing.shadows:
            shapes[cell_id] += len(thing.family)
            polygons[cell_id] += of_model[thing.model_id]
    for counts, most, what in ((shapes, SHAPES_AT_MOST, "shapes"), (polygons, POLYGONS_AT_MOST, "polygons")):
        for cell_id, count in counts.most_common(1):
            if count > most:
                return f"{count} {what} stand in {hex_id(cell_id)}, too many to stage scenarios among"
    return ""
