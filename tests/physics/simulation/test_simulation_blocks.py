"""A simulation while landblocks come and go: borders, dungeons, and what stands in them."""

from engine.physics.simulation.residency import Residency
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from tests.physics.models import cylinder_model, placed
from tests.physics.rooms import exit_portal, flat_block, floor, room
from tests.physics.stage import add_model, empty_world

LAND = 0xA9B40001


def streaming(wanted=lambda block_id: True, dungeons=()):
    world = empty_world()

    def load(block_id):
        if not wanted(block_id):
            return None
        block = flat_block(block_id)
        block.is_dungeon = block_id in dungeons
        block.statics.append(
            placed(0x02000010, block_id | 1, (0.1, 12.0, 0.0), object_id=block_id >> 16, entity=False)
        )
        return block

    world.loader.load = load
    add_model(world, cylinder_model(0.3, 2.0))
    return world


def test_blocks_come_and_go_with_the_body():
    world = streaming()
    sim = Simulation(world, residency=Residency(world, 1, 2))
    sim.spawn(Position(LAND, Frame((12.0, 12.0, 0.0))))
    assert len(world.blocks) == 9
    sim.teleport(Position(0xABB40001, Frame((12.0, 12.0, 0.0))))
    assert 0xA8B40000 not in world.blocks
    assert 0xA9B40000 in world.blocks
    assert {b >> 24 for b in world.blocks} == {0xA9, 0xAA, 0xAB, 0xAC}


def test_walking_over_a_border_loads_ahead():
    world = streaming()
    sim = Simulation(world)
    sim.spawn(Position(0xA9B4003D, Frame((191.5, 100.0, 0.0))))
    assert 0xABB40000 not in world.blocks
    reports = [sim.move_tick((0.2, 0.0, 0.0)) for _ in range(5)]
    assert [r.changed for r in reports].count(True) == 1
    assert sim.position.cell_id == 0xAAB40005
    assert 0xABB40000 in world.blocks


ROOM_BELOW = 0xA9B40100


def dungeon_with_a_room(*, sealed):
    """A dungeon at 0xA9B4 whose room, 2 m into the ground, opens to the land at x 190 where not sealed."""
    frame = Frame((180.0, 100.0, 0.0))
    world = streaming(dungeons={0xA9B40000})
    load = world.loader.load

    def with_room(block_id):
        block = load(block_id)
        if block_id == 0xA9B40000:
            ways = [] if sealed else [exit_portal(0, 10.0, 1)]
            inside = room(
                ROOM_BELOW, [floor(-10, 10, 0.0)], (-10, -10, -2), (10, 10, 5), portals=ways, frame=frame,
                seen_outside=not sealed,
            )  # fmt: skip
            block.env_cells[ROOM_BELOW] = inside
        return block

    world.loader.load = with_room
    return world


def test_a_dungeon_stands_alone():
    world = dungeon_with_a_room(sealed=True)
    Simulation(world).spawn(Position(ROOM_BELOW, Frame((180.0, 100.0, 0.1))))
    assert set(world.blocks) == {0xA9B40000}


def test_on_the_land_of_a_dungeon_one_crosses_its_border():
    world = streaming(dungeons={0xA9B40000})
    sim = Simulation(world)
    sim.spawn(Position(0xA9B4003D, Frame((191.5, 100.0, 0.0))))
    assert len(world.blocks) == 9
    for _ in range(5):
        sim.move_tick((0.2, 0.0, 0.0))
    assert sim.position.cell_id == 0xAAB40005


def test_out_of_a_dungeons_rooms_one_crosses_its_border():
    world = dungeon_with_a_room(sealed=False)
    sim = Simulation(world)
    sim.spawn(Position(ROOM_BELOW, Frame((188.0, 100.0, 0.1))))
    assert set(world.blocks) == {0xA9B40000}
    cells = [sim.move_tick((0.2, 0.0, 0.0)).cell for _ in range(30)]
    assert list(dict.fromkeys(cells)) == [ROOM_BELOW, 0xA9B4003D, 0xAAB40005]


def test_the_world_ends_where_nothing_is_loaded():
    world = streaming(lambda block_id: block_id == 0xA9B40000)
    sim = Simulation(world)
    sim.spawn(Position(0xA9B40039, Frame((191.0, 12.0, 0.0))))
    reports = [sim.move_tick((0.3, 0.0, 0.0)) for _ in range(6)]
    assert not reports[-1].ok
    assert sim.position.cell_id == 0xA9B40039
    assert sim.body.cell is not None
    assert 191.0 < sim.position.frame.origin[0] <= 192.0


def test_statics_are_registered_once_for_each_coming_of_their_block():
    world = streaming()
    sim = Simulation(world)
    sim.spawn(Position(LAND, Frame((12.0, 12.0, 0.0))))
    static = 0xA9B4
    assert sim.registry.cells_of(static) == (0xA9B40001, 0xA8B40039)
    assert len(sim.registry.rows(static)) == 2
    world.unload_block(0xA8B40000)
    assert len(sim.registry.rows(static)) == 1
    assert sim.registry.get(0xA8B4) is None
    world.load_block(0xA8B40000)
    assert len(sim.registry.rows(static)) == 2
    assert sim.registry.get(0xA8B4) is not None
    assert 0xA8B4 in sim.objects.placed


def test_entities_outlive_their_block():
    world = streaming(lambda block_id: block_id == 0xA9B40000)
    plain = world.loader.load

    def load(block_id):
        block = plain(block_id)
        if block is not None:
            block.entities.append(placed(0x02000010, 0xA9B40001, (20.0, 20.0, 0.0), object_id=77))
        return block

    world.loader.load = load
    sim = Simulation(world)
    sim.spawn(Position(LAND, Frame((12.0, 12.0, 0.0))))
    sim.set_state(77, 0xC)
    world.unload_block(0xA9B40000)
    assert sim.registry.rows(77) == []
    world.load_block(0xA9B40000)
    assert [row.state for row in sim.registry.rows(77)] == [0xC]


def test_a_closed_simulation_listens_no_more():
    world = streaming()
    sim = Simulation(world)
    sim.objects.close()
    world.load_block(0xA9B40000)
    assert sim.registry.objects == {}
