"""Walking while landblocks come from a slow source: no tick waits, none moves into what is not there."""

import threading
import time

import pytest

from engine.dat.errors import DatError
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.residency import Residency
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import Landblock
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import block_of
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.world.plains import HOME, STUMP, Plains, block

EAST = (1.0, 0.0, 0.0)
EDGE = 192.0 - 24.0


@pytest.fixture
def stage():
    """A simulation on endless flat ground, its streamer and its source; the body faces east."""
    source = Plains()
    world = World(source)
    stream = Streamer(world)
    stream.start()
    sim = Simulation(world, residency=stream)
    sim.spawn(Position(HOME | 0x24, Frame((120.0, 80.0, 20.0), quat_of_heading(90.0))))
    settle(stream)  # what is not near comes behind
    yield sim, stream, source
    source.gate.set()
    stream.close()


def settle(stream, pumps=20):
    assert stream.wait()
    for _ in range(pumps):
        stream.pump()


def walk_to_the_edge_of_what_is_there(sim):
    """East over one border and on, one metre a tick, until a tick is refused; the ticks it took."""
    for count in range(1000):
        if not sim.move_tick(EAST).ok:
            return count
    raise AssertionError("nothing stopped the walk")


def test_a_walk_stops_a_landcell_before_what_has_not_come_and_goes_on_when_it_has(stage):
    sim, stream, source = stage
    source.gate.clear()  # from now on nothing comes
    ticks = walk_to_the_edge_of_what_is_there(sim)
    assert block_of(sim.position.cell_id) == block(1, 0)
    assert sim.position.frame.origin[0] == pytest.approx(EDGE, abs=1.0)
    assert sim.position.frame.origin[0] < EDGE
    assert ticks == pytest.approx(192 + EDGE - 120, abs=1)
    for _ in range(500):
        report = sim.move_tick(EAST)
        assert not report.ok
        assert report.on_ground
        assert report.hits == ()
    before = sim.position.frame.origin
    assert sim.move_tick((-1.0, 0.0, 0.0)).ok
    assert sim.move_tick((0.0, 1.0, 0.0)).ok
    assert sim.move_tick((1.0, -1.0, 0.0)).ok
    assert sim.position.frame.origin == pytest.approx(before, abs=1e-6)
    source.gate.set()
    settle(stream)
    for _ in range(300):
        if not sim.move_tick(EAST).ok:  # faster than the next landblocks come
            settle(stream)
            assert sim.move_tick(EAST).ok
    assert block_of(sim.position.cell_id) == block(3, 0)


def test_time_stands_still_for_a_jump_that_reaches_what_has_not_come(stage):
    sim, stream, source = stage
    source.gate.clear()
    walk_to_the_edge_of_what_is_there(sim)
    sim.launch((5.0, 0.0, 5.0))
    flown = 0
    while sim.walk_tick().ok:
        flown += 1
    assert 1 < flown < 10
    place, velocity = sim.position.frame.origin, sim.body.velocity
    for _ in range(100):
        assert not sim.walk_tick().ok
    assert sim.position.frame.origin == place
    assert sim.body.velocity == velocity
    assert velocity[2] > 0.0
    source.gate.set()
    settle(stream)
    heights = [sim.walk_tick().position[2] for _ in range(60)]
    assert max(heights) > 21.0
    assert heights[-1] == pytest.approx(20.0, abs=0.05)
    assert sim.body.on_ground


def test_turning_goes_on_while_the_body_waits(stage):
    sim, _, source = stage
    source.gate.clear()
    walk_to_the_edge_of_what_is_there(sim)
    keys = MovementInput(forward=1)
    while sim.input_tick(keys).ok:
        pass
    assert not sim.input_tick(MovementInput(forward=1, turn=1)).ok
    assert sim.position.frame.heading() > 91.0


def noted(read, readers):
    """A source's method that notes the threads it is called on."""

    def reading(object_id):
        readers.add(threading.current_thread().name)
        return read(object_id)

    return reading


def test_no_tick_reads_the_source(stage):
    """Each landblock takes the worker some time; over five borders all reading is done there."""
    sim, _, source = stage
    plain, readers = source.land_block, set()

    def slow(block_id):
        readers.add(threading.current_thread().name)
        time.sleep(0.02)
        return plain(block_id)

    source.land_block = slow
    others = ("land_block_info", "cell_ids", "env_cell", "environment", "gfx_obj", "setup", "scene_desc")
    for name in (*others, "motion_table", "animation"):
        setattr(source, name, noted(getattr(source, name), readers))
    refused, crossed = 0, {block_of(sim.position.cell_id)}
    end = time.perf_counter() + 60.0
    while len(crossed) < 6:
        assert time.perf_counter() < end
        report = sim.move_tick((4.0, 0.0, 0.0))
        crossed.add(block_of(report.cell))
        refused += not report.ok
        if not report.ok:
            time.sleep(0.005)
    assert refused > 0
    assert readers == {"landblocks"}


def test_streamed_and_synchronous_walks_are_the_same_where_nothing_is_late():
    def walk(keeper):
        world = World(Plains())
        stream = keeper(world)
        if isinstance(stream, Streamer):
            stream.start()
        sim = Simulation(world, residency=stream)
        sim.spawn(Position(HOME | 0x24, Frame((120.0, 96.0, 20.0), quat_of_heading(90.0))))
        trail = []
        for _ in range(400):
            if isinstance(stream, Streamer):
                settle(stream, 1)
            report = sim.move_tick((0.9, 0.07, 0.0))
            trail.append((report.cell, report.position, report.ok, report.normal, report.cells))
        if isinstance(stream, Streamer):
            stream.close()
        return trail

    assert walk(Streamer) == walk(Residency)


# -- objects made ahead ------------------------------------------------------------------------------


def shadows(sim):
    """The shadow list of every cell, as entity ids, and the cells of every object."""
    cells = [
        c
        for b in sim.world.blocks.values()
        for c in [*b.land_cells, *b.env_cells.values()]
        if c.shadow_objects
    ]
    lists = {cell.id: [s.entity_id for s in cell.shadow_objects] for cell in cells}
    return lists, {key: target.cell_ids for key, target in sim.registry.objects.items()}


def test_objects_that_were_made_ahead_stand_in_the_same_cells_in_the_same_order():
    def village(*, ahead):
        world = World(open_source(demo=DEMO))
        sim = Simulation(world)
        for block_id in (0xA9B40000, 0xA9B50000, 0xA8B40000, 0xA9B30000):
            built = world.build_block(block_id)
            if ahead:
                sim.objects.prepare(built)
            world.attach_block(built)
        return sim

    plain, ahead = village(ahead=False), village(ahead=True)
    assert shadows(plain) == shadows(ahead)
    assert len(shadows(plain)[0]) > 100
    assert sorted(plain.doors) == sorted(ahead.doors)
    assert len(plain.doors) >= 2
    assert ahead.objects._prepared == {}


def test_an_object_that_reaches_over_the_border_is_flooded_with_its_neighbours():
    source = Plains()
    info = source.land_block_info(HOME)
    stump = info.objects[0]
    over = type(stump)(stump.id, type(stump.frame)((191.8, 96.0, 20.0), (1.0, 0.0, 0.0, 0.0)))
    source.land_block_info = lambda block_id: (
        type(info)(HOME | 0xFFFE, 0, (over,), 0, ()) if block_of(block_id) == HOME else None
    )
    world = World(source)
    sim = Simulation(world)
    for block_id in (HOME, block(1, 0)):
        built = world.build_block(block_id)
        sim.objects.prepare(built)
        world.attach_block(built)
    (target,) = sim.registry.objects.values()
    assert {block_of(cell_id) for cell_id in target.shadows} == {HOME, block(1, 0)}


def test_what_was_made_ahead_in_vain_is_forgotten(stage):
    sim, stream, _ = stage
    far = block(9, 9)
    built = stream.world.build_block(far)
    sim.objects.prepare(built)
    assert far in sim.objects._prepared
    for discard in stream.discards:
        discard(built)
    assert far not in sim.objects._prepared
    other = Landblock(far)
    sim.objects.prepare(built)
    stream.world.attach_block(other)
    assert far not in sim.objects._prepared


# -- damage


@pytest.mark.parametrize("record", [None, DatError("client_portal.dat", STUMP, 40, "cut short")])
def test_a_missing_or_damaged_object_is_one_line_and_the_walk_goes_on(record):
    source = Plains()
    source.models[STUMP] = record
    lost = Simulation(World(source))
    lost.spawn(Position(HOME | 0x24, Frame((120.0, 80.0, 20.0))))
    for _ in range(250):
        assert lost.move_tick(EAST).ok
    assert block_of(lost.position.cell_id) == block(1, 0)
    assert len(lost.world.problems.lines) == 1
    assert "0x01000001" in lost.world.problems.lines[0]
    statics = [placed for each in lost.world.blocks.values() for placed in each.statics]
    assert {placed.model_id for placed in statics} == {STUMP}
    assert len(statics) == len(lost.world.blocks)
    assert lost.registry.objects == {}
