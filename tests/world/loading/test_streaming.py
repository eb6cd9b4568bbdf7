"""Landblocks on a worker: order, bounds, damage, what the simulation's thread waits for (visibility 1.6)."""

import pytest

from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.values import StoredFrame
from engine.world.ids import block_of
from engine.world.loading.block_size import block_bytes
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.world.plains import HOME, STUMP, Plains, around, block, steps_between
from tests.world.world_records import box_model, cell, room


def test_a_load_is_done_at_once_and_leaves_nothing_on_its_way(streamer):
    stream = streamer(radius=2, horizon=4)
    stream.load(HOME | 1)
    assert around(stream.world) == {0: 1, 1: 8}
    assert not stream.busy
    assert stream.ready(HOME | 1, (0.0, 0.0, 0.0), (191.0, 191.0, 0.0), 100.0)


def test_a_visit_brings_the_neighbours_then_the_ground_of_all_others_then_what_stands_on_it(streamer, source):
    stream = streamer(radius=2, horizon=3)
    stream.visit(HOME | 1)
    assert stream.busy
    assert stream.wait()
    assert around(stream.world) == {0: 1, 1: 8, 2: 16}
    assert len(stream.world.horizon) == 24
    steps = [steps_between(block_id, HOME) for block_id in source.asked]
    assert steps == [0] + 8 * [1] + 16 * [2] + 24 * [3] + 16 * [2]
    far = stream.world.horizon[block(3, 0)]
    assert far.heights == (20.0,) * 81
    assert far.land_cells == far.statics == []
    assert stream.world.get_visible(far.id | 1) is None


def test_staying_in_a_landblock_asks_for_nothing(streamer, source):
    stream = streamer()
    stream.visit(HOME | 1)
    stream.wait()
    del source.asked[:]
    stream.visit(HOME | 0x40)
    stream.pump()
    assert not stream.busy
    assert source.asked == []


def test_walking_on_drops_what_is_two_beyond_the_radius_and_keeps_its_ground_in_sight(streamer):
    stream = streamer(radius=1, horizon=3)
    for x in range(4):
        stream.visit(block(x, 0) | 1)
        stream.wait()
    for _ in range(20):
        stream.pump()
    center = block(3, 0)
    assert around(stream.world, center) == {0: 1, 1: 8, 2: 3}
    assert block(0, 0) in stream.world.horizon
    assert block(-1, 0) not in stream.world.horizon
    assert not set(stream.world.horizon) & set(stream.world.blocks)
    ground = stream.world.horizon[block(0, 0)]
    assert ground.statics == ground.entities == []
    assert ground.heights == (20.0,) * 81


def test_other_reaches_bring_and_drop_landblocks_bit_by_bit(streamer, source):
    stream = streamer(radius=1, horizon=2)
    stream.visit(HOME | 1)
    assert stream.wait()
    source.gate.clear()
    stream.reach(3, 5)
    assert stream.busy
    stream.pump()
    assert around(stream.world) == {0: 1, 1: 8}  # nobody waits: the worker has it all to do
    source.gate.set()
    assert stream.wait()
    assert around(stream.world) == {0: 1, 1: 8, 2: 16, 3: 24}
    assert len(stream.world.horizon) == 11 * 11 - 7 * 7
    stream.reach(1, 2)
    assert not stream.busy
    pumps = 0
    while len(stream.world.blocks) > 9:
        held = len(stream.world.blocks) + len(stream.world.horizon)
        stream.pump()
        assert len(stream.world.blocks) + len(stream.world.horizon) >= held - 33
        pumps += 1
        assert pumps < 100
    assert around(stream.world) == {0: 1, 1: 8}
    assert len(stream.world.horizon) == 16
    stream.reach(0, 2)
    stream.pump()
    assert around(stream.world) == {0: 1, 1: 8}  # nobody can walk without the neighbours


def test_walking_on_after_a_change_of_reach_keeps_one_landblock_more_again(streamer):
    stream = streamer(radius=2, horizon=2)
    stream.visit(HOME | 1)
    stream.wait()
    stream.reach(1, 1)
    for _ in range(20):
        stream.pump()
    assert around(stream.world) == {0: 1, 1: 8}
    stream.visit(block(1, 0) | 1)
    stream.wait()
    for _ in range(20):
        stream.pump()
    assert around(stream.world, block(1, 0)) == {0: 1, 1: 8, 2: 3}


def test_whole_landblocks_take_the_place_of_their_ground(streamer):
    stream = streamer(radius=1, horizon=3)
    stream.visit(HOME | 1)
    stream.wait()
    assert block(2, 0) in stream.world.horizon
    stream.visit(block(1, 0) | 1)
    stream.wait()
    assert block(2, 0) in stream.world.blocks
    assert block(2, 0) not in stream.world.horizon


def test_a_dungeon_stands_alone(streamer, source):
    dungeon = block(9, 9)

    class Deep(Plains):
        def land_block(self, block_id):
            found = super().land_block(block_id)
            flat = LandBlock(dungeon | 0xFFFF, 1, (0,) * 81, (0,) * 81)
            return flat if block_of(block_id) == dungeon else found

        def cell_ids(self, block_id):
            return (dungeon | 0x100,) if block_of(block_id) == dungeon else ()

        def env_cell(self, cell_id):
            return cell(0x100)

    deep = Deep(environments=[room()])
    stream = Streamer(World(deep), radius=2, horizon=4)
    stream.start()
    try:
        stream.visit(HOME | 1)
        stream.wait()
        stream.load(dungeon | 0x100)
        stream.visit(dungeon | 0x100)
        assert stream.world.blocks[dungeon].is_dungeon
        for _ in range(40):
            stream.pump()
        assert not stream.busy
        assert list(stream.world.blocks) == [dungeon]
        assert stream.world.horizon == {}
        stream.visit(dungeon | 1)  # the land above it: its neighbours are to be walked on
        assert stream.busy
        assert not stream.ready(dungeon | 1, (191.0, 100.0, 0.0), (191.5, 100.0, 0.0), 1.0)
        stream.wait()
        assert len(stream.world.blocks) == 25
        assert stream.world.horizon != {}
        assert stream.approach(dungeon | 0x100)
        assert stream.approach(dungeon | 1)
    finally:
        stream.close()


def test_the_maps_edge_and_landblocks_that_are_not_there_are_no_trouble(streamer, source):
    corner = 0xFEFE0000
    source.missing = {0xFDFE0000}
    stream = streamer(radius=2, horizon=3)
    stream.visit(corner | 1)
    assert stream.wait()
    assert len(stream.world.blocks) == 8
    assert stream.world.problems.lines == []
    del source.asked[:]
    stream.visit(0xFEFD0001)
    stream.wait()
    stream.visit(corner | 1)
    stream.wait()
    assert 0xFDFE0000 not in source.asked


def test_the_bytes_are_bounded_but_for_the_neighbours(streamer):
    stream = streamer(radius=3, max_bytes=15 * 259_000)
    size = 0
    for x in range(6):
        stream.visit(block(x, 0) | 1)
        stream.wait()
        for _ in range(60):
            stream.pump()
        size = sum(block_bytes(b) for b in stream.world.blocks.values())
        assert around(stream.world, block(x, 0))[1] == 8
        assert size <= 15 * 259_000
    tiny = streamer(radius=3, max_bytes=1)
    tiny.visit(HOME | 1)
    tiny.wait()
    for _ in range(60):
        tiny.pump()
    assert around(tiny.world) == {0: 1, 1: 8}


def test_the_estimate_grows_with_what_is_there():
    world = World(open_source(demo=DEMO))
    empty, village = world.load_block(0xABB60000), world.load_block(0xA9B40000)
    assert 200_000 < block_bytes(empty) < 400_000
    assert 2_000_000 < block_bytes(village) < 20_000_000


def test_models_and_structures_that_nobody_uses_are_forgotten_once_there_are_many():
    world = World(open_source(demo=DEMO))
    village = world.load_block(0xA9B40000)
    loader = world.loader
    polygons = loader.models.size() + loader._cells.size()
    used = village.env_cells[0xA9B40170].structure
    loader.trim([village], polygons)
    assert loader.models.size() + loader._cells.size() == polygons
    loader.trim([village], polygons - 1)
    assert loader._cells.size() == polygons - loader.models.size()  # all of it is in use
    assert loader._cells._structure(used.environment_id, used.structure) is used
    loader.trim([], polygons - 1)
    assert loader.models.size() == loader._cells.size() == 0
    world.unload_block(village.id)
    again = world.load_block(0xA9B40000)
    assert len(again.env_cells) == len(village.env_cells)
    assert world.problems.lines == []


def test_a_long_walk_keeps_no_more_models_than_its_bound(streamer, source):
    for n in range(40):
        source.models[STUMP + n] = box_model(STUMP + n, (-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))
    plain = source.land_block_info

    def varied(block_id):
        stump = Stab(STUMP + (block_id >> 24) - 0x80, StoredFrame((96.0, 96.0, 20.0), (1.0, 0.0, 0.0, 0.0)))
        return LandBlockInfo(id=plain(block_id).id, num_cells=0, objects=(stump,), mask=0, buildings=())

    source.land_block_info = varied
    stream = streamer(radius=1, max_bytes=20 * 259_000)
    limit = 20 * 259_000 // 4_000
    models = stream.world.loader.models
    for part in range(3, 3 + limit // 6):
        models._parts[part] = models.part(STUMP)  # as if much had been seen before
    for x in range(8):
        stream.visit(block(x, 0) | 1)
        stream.wait()
        for _ in range(10):
            stream.pump()
    assert models.size() <= limit
    assert models.part(STUMP + 7) is not None


@pytest.mark.parametrize("error", [OSError(5, "Input/output\nerror"), RuntimeError(), RecursionError("deep")])
def test_an_error_in_the_worker_is_one_line_and_the_others_come(streamer, source, error):
    source.bad = {block(1, 1): error}
    stream = streamer(radius=1)
    stream.visit(HOME | 1)
    assert stream.wait()
    assert len(stream.world.blocks) == 8
    (line,) = stream.world.problems.lines
    assert line.startswith("memory, landblock 0x81810000: ")
    assert "\n" not in line
    stream.visit(block(0, 1) | 1)
    assert stream.wait()
    assert len(stream.world.problems.lines) == 1


def test_a_way_through_many_landblocks_between_two_pumps_keeps_to_the_bound(streamer):
    """A capture that hopped from one to the next, 20 a frame, took 4 GB."""
    stream = streamer(radius=1, max_bytes=10 * 259_000)
    for step in range(4):
        for x in range(8 * step, 8 * step + 8):
            stream.load(block(x, 0) | 1)
            stream.visit(block(x, 0) | 1)
        stream.pump()
        assert sum(block_bytes(b) for b in stream.world.blocks.values()) <= 2 * 10 * 259_000
