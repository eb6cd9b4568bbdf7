"""Three rooms in a row, and objects whose shadows fall into them."""

from engine.physics.objects.cross_cells import calc_cross_cells
from engine.physics.objects.shadow_object import PhysicsObject
from engine.world.frame import Frame, Position
from tests.physics.models import model, part
from tests.physics.rooms import box_polygons, exit_portal, flat_block, portal, room
from tests.physics.stage import empty_world, put_block

A, B, C = 0xA9B40100, 0xA9B40101, 0xA9B40102
BASE = Frame((100.0, 100.0, 0.0))


def cells_of(world, target):
    return calc_cross_cells(world, target).ids


def box_model(low, high, model_id=0x02000020):
    return model(model_id, parts=[part(box_polygons(low, high))])


def entity(m, cell_id, at, quat=(1.0, 0.0, 0.0, 0.0), *, state=0x10008, scale=1.0):
    return PhysicsObject(0x7A9B4015, m, Position(cell_id, Frame(at, quat)), state=state, scale=scale)


def three_rooms():
    """A (x -5..0), B (0..5), C (5..10), in a row, A with an exit at its west end."""
    a = room(
        A, [], (-5, -5, -0.1), (0, 5, 4), portals=[portal(0, B, 0.0, 1), exit_portal(1, -5.0, 0)],
        frame=BASE, stab=[B],
        seen_outside=True,
    )  # fmt: skip
    b = room(
        B,
        [],
        (0, -5, -0.1),
        (5, 5, 4),
        portals=[portal(0, A, 0.0, 0), portal(1, C, 5.0, 1)],
        frame=BASE,
        stab=[A, C],
    )
    c = room(
        C, [], (5, -5, -0.1), (10, 5, 4), portals=[portal(0, B, 5.0, 0, other_portal=1)], frame=BASE, stab=[B]
    )
    block = flat_block()
    block.env_cells = {A: a, B: b, C: c}
    world = empty_world()
    put_block(world, block)
    return world
