"""Worlds made in memory, and bodies that are pushed about in them."""

from __future__ import annotations

from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Contact
from engine.physics.enums import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.physics.simulation.sweep import make_transition, sweep
from engine.world.cells import Landblock
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.source import Scene
from tests.physics.rooms import ROOM, room


class EmptySource:
    """A source with nothing but animations and motion tables."""

    name = "stage"

    def __init__(self):
        self.animations = {}
        self.tables = {}

    def animation(self, animation_id):
        return self.animations.get(animation_id)

    def motion_table(self, table_id):
        return self.tables.get(table_id)

    def scene(self):
        return Scene()

    def listen(self, report):
        """Nothing is ever wrong here."""

    def cell_ids(self, block_id):
        return ()

    def _nothing(self, _id):
        return None

    land_block = land_block_info = env_cell = environment = gfx_obj = setup = _nothing


def empty_world() -> World:
    return World(EmptySource())


def add_model(world: World, model: Model) -> Model:
    world.loader.models._models[model.model_id] = model
    return model


def put_block(world: World, block: Landblock) -> Landblock:
    """What World.load_block does, with a block made here."""
    world.blocks[block.id] = block
    world.version += 1
    for listener in world.on_load:
        listener(block)
    return block


def block_of_cells(*cells) -> Landblock:
    block = Landblock(cells[0].id & 0xFFFF0000)
    block.env_cells = {cell.id: cell for cell in cells}
    return block


def staged_room(*objects, polygons=None):
    """A room of sweep 12.11 with objects in it: (world, registry)."""
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=polygons)))
    registry = ShadowRegistry(world)
    for target in objects:
        registry.register(target)
    return world, registry


def grounded_body(world, at, cell_id=ROOM):
    """A human standing on the plane z = 0, placed without a search."""
    body = airborne_body(world, at, cell_id)
    body.contact = Contact((0.0, 0.0, 1.0), 0.0, cell_id)
    body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    body.calc_acceleration()
    return body


def airborne_body(world, at, cell_id=ROOM):
    """A human in the air."""
    body = PhysicsBody(0x50000001)
    t = make_transition(world, body)
    t.init_path(world.get_visible(cell_id), None, Position(cell_id, Frame(at)))
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, t.sphere_path.curr_cell)
    body.set_position_internal(t.outcome())
    return body


def push(world, body, move, ticks=1, *, trace=None):
    """``ticks`` pure sweeps by a displacement; their results."""
    results = []
    for _ in range(ticks):
        x, y, z = body.position.frame.origin
        target = Position(
            body.position.cell_id,
            body.position.frame.with_origin((x + move[0], y + move[1], z + move[2])),
        )
        results.append(sweep(world, body, target, trace))
    return results
