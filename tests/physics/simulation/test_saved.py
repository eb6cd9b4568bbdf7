"""A simulation that is put back and told the same again comes to the same, to the bit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation.inputs import (
    Input,
    Use,
    WalkTick,
)
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.saved import restore, save
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tell import tell
from engine.world.cells import PlacedObject
from engine.world.frame import Frame, Position
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.physics_state import ETHEREAL
from engine.world.sources.open_source import open_source
from tests.physics.simulation.random_players import AT_A_BORDER, BEFORE_THE_DOOR, DOOR, PLACES, Script
from tests.places import DEMO


def simulation(place=BEFORE_THE_DOOR) -> Simulation:
    sim = Simulation(World(open_source(demo=DEMO)))
    sim.trace = True
    sim.teleport(sim.world.locate(place))
    return sim


class Written:
    """What stands in worlds in words, each thing written once: it is frozen, and a world has hundreds."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[PlacedObject, str]] = {}

    def of(self, placed: PlacedObject) -> str:
        """The words for that very thing."""
        if id(placed) not in self._kept:
            self._kept[id(placed)] = (placed, repr(placed))  # what is kept keeps its id
        return self._kept[id(placed)][1]


WRITTEN = Written()


def digest(sim: Simulation) -> tuple[object, ...]:
    """Everything of a tick: its report, its account, the body and who stands where in which order."""
    saved = save(sim)
    report = sim.report()
    trace = None if report.trace is None else report.trace.to_json()
    objects = saved.objects
    doors = [(d.entity, d.state, d.phase, d.countdown, repr(d.position), d.cells) for d in report.doors]
    body = repr(replace(saved.body, contact=None))
    contact = None if saved.body.contact is None else (saved.body.contact.plane, saved.body.contact.cell_id)
    placed = {n: WRITTEN.of(thing) for n, thing in objects.placed.items()}
    return (
        report.to_json(), trace, doors, body, contact, saved.doors, saved.blocks,
        placed, objects.states, repr(objects.moved), objects.order, objects.waiting,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_rewound_and_told_the_same_again_every_tick_is_the_same_to_the_bit(seed):
    sim = simulation(PLACES[seed % len(PLACES)])
    script, log, states, digests = Script(sim, seed), [], [], []
    before = None
    for _ in range(240):
        told: list[Input] = []
        sim.on_input[:] = [told.append]
        for one in script.next():
            tell(sim, one)
        log.append(told)
        before = save(sim, before)
        states.append(before)
        digests.append(digest(sim))
    sim.on_input.clear()
    assert len({d[0]["cell"] for d in digests}) > 1
    for start in script.random.sample(range(len(log) - 1), 4):
        restore(sim, states[start])
        assert digest(sim) == digests[start]
        for tick in range(start + 1, min(start + 90, len(log))):
            for one in log[tick]:
                tell(sim, one)
            assert digest(sim) == digests[tick], f"tick {tick} after going back to {start}"


def test_a_walk_over_a_border_and_back_loads_what_was_loaded():
    sim = simulation(AT_A_BORDER)
    start = save(sim)
    first = digest(sim)
    far = Position(0xABB40001, Frame((12.0, 12.0, 100.0)))
    sim.hover(far)
    assert set(sim.world.blocks) != set(start.blocks.blocks)
    restore(sim, start)
    assert set(sim.world.blocks) == set(start.blocks.blocks)
    assert digest(sim) == first


def test_a_door_in_the_middle_of_its_clip_goes_on_from_there():
    sim = simulation()
    sim.use(DOOR)
    sim.wait(0.5)
    middle = save(sim)
    assert sim.doors[DOOR].phase is DoorPhase.OPENING
    sim.wait(40.0)
    assert sim.doors[DOOR].phase is DoorPhase.CLOSED
    restore(sim, middle)
    door = sim.doors[DOOR]
    assert door.phase is DoorPhase.OPENING
    assert sim.registry.objects[DOOR].state & ETHEREAL
    assert all(row.state & ETHEREAL for row in sim.registry.rows(DOOR))
    sim.wait(39.0)
    assert door.phase is DoorPhase.CLOSED


def test_what_did_not_change_is_shared_with_the_save_before():
    sim = simulation()
    first = save(sim)
    sim.walk_tick()
    second = save(sim, first)
    assert second.objects is first.objects
    assert second.doors is first.doors
    assert second.blocks is first.blocks
    sim.use(DOOR)
    third = save(sim, second)
    assert third.objects is not first.objects
    assert third.objects.order is first.objects.order


def test_everything_that_is_told_is_heard_before_it_is_done():
    sim = simulation()
    heard: list[tuple[Input, int]] = []
    sim.on_input.append(lambda told: heard.append((told, sim.tick)))
    sim.walk_tick((0.0, 0.1, 0.0))
    sim.use(DOOR)
    sim.jump(0.5)
    assert heard == [(WalkTick((0.0, 0.1, 0.0)), -1), (Use(DOOR), 0), (heard[2][0], 0)]


def test_the_world_that_streams_has_the_bodys_surroundings_after_going_back():
    world = World(open_source(demo=DEMO))
    streamer = Streamer(world)
    sim = Simulation(world, residency=streamer)
    try:
        sim.teleport(world.locate(BEFORE_THE_DOOR))
        here = save(sim)
        cell = sim.position.cell_id
        for block in list(world.blocks):
            world.unload_block(block)
        restore(sim, here)
        assert sim.body.cell is world.get_visible(cell)
        assert DOOR in sim.doors
        assert sim.registry.rows(DOOR)
    finally:
        streamer.close()


def test_a_simulation_that_waits_is_refused_as_by_a_world_on_its_way():
    sim = simulation()
    sim.waits = True
    report = sim.input_tick(MovementInput(forward=1))
    assert not report.ok
    sim.waits = False
    assert sim.input_tick(MovementInput(forward=1)).ok


def test_every_field_of_a_door_comes_back():
    door = simulation().doors[DOOR]
    first = door.saved()
    door.locked, door.default_open, door.reset_interval = True, True, 5.0
    door.phase, door.phase_start, door.reset_at, door.held_by = DoorPhase.HELD, 3.0, 9.0, 0x50000001
    held = door.saved()
    assert all(getattr(held, name) != getattr(first, name) for name in held._fields)
    door.restore(first)
    assert door.saved() == first
    door.restore(held)
    assert door.saved() == held
