"""Telling a simulation again what it was told before."""

from __future__ import annotations

from contextlib import suppress

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.inputs import TICKS, Input
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport


def tell(simulation: Simulation, told: Input) -> TickReport | None:
    """Do what an input says; the report of a tick, None for what is none.

    What could not be done the first time can't be done now either, and is passed over.
    """
    with suppress(SimulationError):
        if isinstance(told, TICKS):
            return simulation.tell(told)
        simulation.tell(told)
    return None
