"""A body that is put down only to look has around it what it can touch, and no more."""

from __future__ import annotations

import pytest

from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.values import StoredFrame
from engine.physics.objects.near_place import NearPlace
from engine.physics.simulation.asked_place import go_to
from engine.physics.simulation.residency import Residency, SparingResidency
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.ids import blocks_around
from engine.world.loading.outlines import Outlines
from engine.world.loading.world import World
from tests.world.meadows import Meadow
from tests.world.world_records import BLOCK, box_model

EAST = BLOCK + 0x01000000
ROCK = 0x01000009
GROUND = 20.0


class Country(Meadow):
    """Flat ground everywhere, and rocks in the landblock to the east that reach 5 m over the border."""

    def __init__(self):
        super().__init__()
        self.models[ROCK] = box_model(ROCK, (-8, -8, 0), (8, 8, 6))
        self.rocks = [Stab(ROCK, StoredFrame((3.0, y, GROUND), (1.0, 0.0, 0.0, 0.0))) for y in (60.0, 160.0)]

    def land_block(self, block_id):
        return LandBlock(block_id | 0xFFFF, 1, (4,) * 81, (10,) * 81)

    def land_block_info(self, block_id):
        objects = tuple(self.rocks) if block_id == EAST else ()
        return LandBlockInfo(id=block_id | 0xFFFE, num_cells=0, objects=objects, mask=0, buildings=())


def put(x, y, *, sparing=True):
    world = World(Country())
    residency = SparingResidency(world, Outlines(world)) if sparing else Residency(world)
    simulation = Simulation(world, residency=residency)
    low = 1 + 8 * int(x // 24) + int(y // 24)
    place = Position(BLOCK | low, Frame((x, y, GROUND)))
    simulation.objects.near = NearPlace(world, place) if sparing else None
    return simulation, go_to(simulation, place)


def test_where_nothing_comes_near_its_landblock_is_alone():
    simulation, arrival = put(100.0, 60.0)
    assert arrival.reason == ""
    assert list(simulation.world.blocks) == [BLOCK]


@pytest.mark.parametrize("x", [187.3, 187.0, 186.7, 186.0, 180.0])
def test_what_stands_over_the_border_is_in_its_way(x):
    simulation, arrival = put(x, 60.0)
    whole, wanted = put(x, 60.0, sparing=False)
    assert repr(arrival) == repr(wanted)
    assert (x > 186.5) is (arrival.reason != "")
    assert simulation.report().to_json() == whole.report().to_json()
    assert EAST in simulation.world.blocks
    assert len(simulation.world.blocks) < 4 < len(whole.world.blocks)
    assert (len(simulation.registry.objects), len(whole.registry.objects)) == (1, 2)
    assert len(simulation.objects.placed) == 1


def test_without_a_place_there_and_after_another_landblocks_all_neighbours_are_loaded():
    simulation, _ = put(100.0, 60.0)
    simulation.residency.visit(BLOCK | 1)
    assert len(simulation.world.blocks) == 1
    simulation.residency.load(EAST | 1)
    assert simulation.world.blocks.keys() >= set(blocks_around(EAST))
