"""A landblock that goes is freed with its last reference: nothing is left for the collector to find."""

import gc

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import first_person_eye, pivot_of
from engine.visibility.picture_view import build_view
from engine.visibility.view import View, vertical_fov
from engine.world.cells import EnvCell, Landblock, LandCell
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.window.calm_collections import calm_collections

VILLAGE, DUNGEON = 0xA9B40000, 0x01070000
KINDS = (Landblock, EnvCell, LandCell, PhysicsObject)


@pytest.fixture
def no_collector():
    """The collector off, nothing frozen, and what it would have found before swept away."""
    threshold = gc.get_threshold()
    gc.unfreeze()
    gc.collect()
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(*threshold)
    gc.enable()


def counts():
    return {kind.__name__: sum(type(thing) is kind for thing in gc.get_objects()) for kind in KINDS}


def walk_and_look(simulation):
    """Some ticks through the cell graph, and a traversal, which portals remember."""
    for _ in range(10):
        simulation.input_tick(MovementInput(forward=1))
    feet = simulation.position.frame.origin
    pivot = pivot_of(feet)
    eye = first_person_eye(pivot, 0.0)
    view = View.from_angles(eye, 0.0, 0.0, fov_y=vertical_fov(16.0 / 9.0), width=1280, height=720)
    build_view(
        simulation.world,
        simulation.position.cell_id,
        foot=pivot,
        pivot=pivot,
        eye=eye,
        view=view,
        options=None,
    )


def test_landblocks_that_were_walked_and_looked_through_go_without_the_collector(no_collector):
    simulation = Simulation(World(open_source(demo=DEMO)))
    world = simulation.world
    before = counts()
    simulation.teleport(world.locate(world.source.home()))
    walk_and_look(simulation)
    inn = world.blocks[VILLAGE].env_cells
    assert all(world.beyond(portal) is world.get_visible(portal.other_cell_id)
               for cell in inn.values() for portal in cell.portals if not portal.is_exit)  # fmt: skip
    del inn
    loaded = counts()
    assert loaded["EnvCell"] - before["EnvCell"] > 100
    simulation.teleport(world.locate("0x01070100"))
    for block_id in list(world.blocks):
        if block_id != DUNGEON:
            world.unload_block(block_id)
    left = {name: count - before[name] for name, count in counts().items()}
    (dungeon,) = world.blocks.values()
    assert left["Landblock"] == 1
    assert left["EnvCell"] == len(dungeon.env_cells)
    assert left["LandCell"] == len(dungeon.land_cells)
    assert left["PhysicsObject"] <= len(simulation.registry.objects) + 1


def test_scenery_of_a_landblock_that_went_is_kept_for_nobody(no_collector):
    before = counts()
    simulation = Simulation(World(open_source(demo=DEMO)))
    world = simulation.world
    for _ in range(2):
        world.load_around(VILLAGE)
        assert len(simulation.objects.registry.objects) > 100
        for block_id in list(world.blocks):
            world.unload_block(block_id)
        kept = counts()["PhysicsObject"] - before["PhysicsObject"]
        assert kept <= len(simulation.registry.objects) + 1  # the entities, which stay


def test_a_landblock_that_was_made_ready_and_not_wanted_leaves_nothing_behind(no_collector):
    simulation = Simulation(World(open_source(demo=DEMO)))
    before = counts()
    block = simulation.world.build_block(VILLAGE)
    simulation.objects.prepare(block)
    assert counts()["PhysicsObject"] - before["PhysicsObject"] > 100
    simulation.objects.forget(block)
    assert counts()["PhysicsObject"] == before["PhysicsObject"]


def test_the_ground_of_a_landblock_that_was_made_ready_goes_with_the_horizon(no_collector):
    simulation = Simulation(World(open_source(demo=DEMO)))
    world = simulation.world
    before = counts()
    ground = world.build_ground(VILLAGE)
    assert simulation.objects.stage(ground, 0.0)
    world.show_horizon(ground)
    world.forget_horizon(VILLAGE)
    del ground
    assert counts() == before


def test_while_a_window_is_open_the_collector_has_next_to_nothing_to_look_at(no_collector):
    world = World(open_source(demo=DEMO))
    landblocks = counts()["Landblock"]
    assert len(gc.get_objects()) > 10_000
    gc.set_threshold(200_000, 10, 10)  # as while the program starts
    with calm_collections(world):
        assert gc.get_threshold() == (700, 10, 10)
        assert len(gc.get_objects()) < 100
        world.load_around(VILLAGE)
        assert len(gc.get_objects()) < 1000
        for block_id in list(world.blocks):
            world.unload_block(block_id)
        frozen = gc.get_freeze_count()
    assert gc.get_threshold() == (200_000, 10, 10)
    assert gc.get_freeze_count() == 0
    assert frozen > 0
    assert counts()["Landblock"] == landblocks
