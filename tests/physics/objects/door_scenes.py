"""A room with a door in its middle."""

from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from tests.physics.models import add_door_motion, cylinder_model, door_model, placed
from tests.physics.rooms import ROOM, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

DOOR = 0x7A9B4015
CLIP = 1.5
CLOSED, OPEN = 0x10008, 0x1000C


def staged(state=CLOSED, at=(0.0, 0.0, 0.005), facts=None, **clips):
    """A room with a door in the plane y = 2 and a body: the simulation."""
    world = empty_world()
    add_door_motion(world, **clips)
    add_model(world, door_model())
    add_model(world, cylinder_model(0.2, 2.0))
    block = block_of_cells(room())
    block.entities.append(placed(0x020019FF, state=state)._replace(door=facts))
    block.entities.append(placed(0x02000010, at=(5.0, 5.0, 0.0), object_id=7))
    put_block(world, block)
    sim = Simulation(world)
    sim.spawn(Position(ROOM, Frame(at)))
    return sim


def door(sim):
    return sim.doors[DOOR]


def state(sim):
    states = {row.state for row in sim.registry.rows(DOOR)}
    assert len(states) == 1
    return states.pop()


def walk_through(sim, ticks=60, step=0.1):
    for _ in range(ticks):
        sim.move_tick((0.0, step, 0.0))
    return sim.position.frame.origin[1]
