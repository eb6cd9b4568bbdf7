"""A stage with one door for scenarios."""

from tests.physics.models import add_door_motion, door_model, placed
from tests.physics.rooms import floor, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

START = "0xA9B40100 [0 0 0.005] 1 0 0 0"
DOOR = 0x7A9B4015


def stage():
    world = empty_world()
    model = add_model(world, door_model())
    add_door_motion(world, 3)
    block = block_of_cells(room(polygons=[floor(-20, 20, 0.0)]))
    block.entities.append(placed(model.model_id, state=0x10008, motion_table=model.motion_table))
    put_block(world, block)
    return world
