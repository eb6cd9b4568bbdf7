"""A walk to the front door of the demo with its history recorded."""

from __future__ import annotations

from engine.physics.simulation.blocked import BlockedWatch
from engine.physics.simulation.last_move import LastMoveWatch
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.physics.simulation.tell import tell
from engine.replay.history.ticks import History
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.physics.simulation.random_players import Script
from tests.places import DEMO

DOOR_ID = 0x7A9B4015
BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
AHEAD = MovementInput(forward=1, run=True)


def walking(**settings) -> tuple[Simulation, History, BlockedWatch]:
    sim = Simulation(World(open_source(demo=DEMO)))
    sim.trace = True
    comparison = StaticComparison(sim)
    moved, watch = LastMoveWatch(comparison), BlockedWatch(sim.registry)
    sim.on_tick += [moved.tick, watch.tick]
    sim.teleport(sim.world.locate(BEFORE_THE_DOOR))
    return sim, History(sim, (comparison, moved, watch), comparison, **settings), watch


def walked(seed=3, ticks=200):
    sim, history, _ = walking()
    script = Script(sim, seed)
    for _ in range(ticks):
        for one in script.next():
            tell(sim, one)
    return sim, history
