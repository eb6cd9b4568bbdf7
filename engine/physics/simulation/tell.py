"""Telling a simulation again what it was told before."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.inputs import (
    Despawn,
    Face,
    Input,
    Jump,
    KeysTick,
    Launch,
    MoveTick,
    Put,
    SetState,
    Spawn,
    StageDoor,
    Use,
    WalkTick,
)
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport


def tell(simulation: Simulation, told: Input) -> TickReport | None:
    """Do what an input says; the report of a tick, None for what is none.

    What could not be done the first time can't be done now either, and is passed over.
    """
    with suppress(SimulationError):
        if isinstance(told, KeysTick):
            return simulation.input_tick(told.keys)
        if isinstance(told, WalkTick):
            return simulation.walk_tick(told.displacement)
        if isinstance(told, MoveTick):
            return simulation.move_tick(told.displacement)
        if isinstance(told, Face):
            simulation.face(told.heading)
        elif isinstance(told, Jump):
            simulation.jump(told.extent)
        elif isinstance(told, Launch):
            simulation.launch(told.velocity)
        elif isinstance(told, Use):
            simulation.use(told.entity, told.ago)
        elif isinstance(told, SetState):
            simulation.set_state(told.entity, told.state)
        elif isinstance(told, StageDoor):
            simulation.stage_door(
                told.entity, state=told.state, phase=told.phase, since=told.since, locked=told.locked
            )
        elif isinstance(told, Spawn):
            simulation.add(told.placed)
        elif isinstance(told, Despawn):
            simulation.remove(told.entity)
        else:
            _put(simulation, told)
    return None


def tell_all(simulation: Simulation, told: Iterable[Input]) -> list[TickReport]:
    """Do what inputs say, in order; the reports of their ticks."""
    reports = [tell(simulation, one) for one in told]
    return [report for report in reports if report is not None]


def _put(simulation: Simulation, told: Put) -> None:
    if told.exactly:
        simulation.hover(told.position)
    else:
        simulation.teleport(told.position)
