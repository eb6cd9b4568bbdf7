"""Scenery collides like every other static, at its scale (dat-format 4.8, objects 8)."""

import pytest

from engine.dat.values import CylSphere, Sphere
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from tests.world.meadows import Meadow, plant
from tests.world.world_records import BLOCK, box_model, setup

TREE, ROCK = 0x02000001, 0x01000005
HUMAN_RADIUS = 0.48


def walk_north(source):
    """From the south into what grows at vertex (3, 3) of the meadow, (72, 72): how far one gets."""
    sim = Simulation(World(source))
    sim.spawn(Position(BLOCK | 0x13, Frame((72.0, 66.0, 20.0))))
    for _ in range(60):
        sim.move_tick((0.0, 0.1, 0.0))
    return sim, sim.position.frame.origin[1]


@pytest.mark.parametrize("scale", [1.0, 2.0, 0.5])
def test_a_tree_blocks_at_its_scaled_radius(scale):
    trunk = (CylSphere((0.0, 0.0, 0.0), 0.5, 4.0),)
    tree = setup(TREE, [], cylspheres=trunk, sorting=Sphere((0.0, 0.0, 2.0), 2.0))
    source = Meadow(plant(id=TREE, min_scale=scale, max_scale=scale), setups=[tree])
    sim, north = walk_north(source)
    assert north == pytest.approx(72.0 - 0.5 * scale - HUMAN_RADIUS, abs=0.11)
    (target,) = sim.registry.objects.values()
    assert target.entity_id >> 28 == 1
    assert target.state == 1
    assert target.shapes[0].radius == pytest.approx(0.5 * scale)
    assert target.shapes[0].cyl_height == pytest.approx(4.0 * scale)


def test_a_rock_blocks_with_its_scaled_tree():
    rock = box_model(ROCK, (-1, -1, 0), (1, 1, 2))
    source = Meadow(plant(id=ROCK, min_scale=1.5, max_scale=1.5), model=rock)
    sim, north = walk_north(source)
    assert north == pytest.approx(72.0 - 1.5 - HUMAN_RADIUS, abs=0.11)
    assert sim.registry.objects
    (target,) = sim.registry.objects.values()
    assert target.state == 0x10001


def test_scenery_goes_and_comes_with_its_landblock():
    trunk = (CylSphere((0.0, 0.0, 0.0), 0.5, 4.0),)
    tree = setup(TREE, [], cylspheres=trunk)
    world = World(Meadow(plant(id=TREE), setups=[tree], at=[(3, 3), (5, 5)]))
    sim = Simulation(world)
    world.load_block(BLOCK)
    first = sorted(sim.registry.objects)
    assert len(first) == 2
    world.unload_block(BLOCK)
    assert sim.registry.objects == sim.objects.placed == {}
    world.load_block(BLOCK)
    assert sorted(sim.registry.objects) == first
