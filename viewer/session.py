"""What most commands begin with: the world that was named and a body put where it was told."""

from __future__ import annotations

from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.replay.recorder import CaptureRecorder
from viewer.errors import UserError
from viewer.terminal import say
from viewer.worlds import open_world, report_problems


def open_simulation(args: Namespace, place: str) -> Simulation:
    """The world of the options with a settled body at a place; UserError where it cannot be put there."""
    simulation = Simulation(open_world(args))
    put(simulation, place)
    report_problems(simulation.world, args.verbose)
    return simulation


def open_view(args: Namespace, place: str) -> Simulation:
    """As ``open_simulation``, to look from a place: where a body has no room it is left there unsettled."""
    simulation = Simulation(open_world(args))
    put_to_look(simulation, place)
    report_problems(simulation.world, args.verbose)
    return simulation


def put_to_look(simulation: Simulation, place: str) -> None:
    """Teleport the body to a place, or leave it there unsettled where it has no room, and say so."""
    try:
        put(simulation, place)
    except UserError as refused:
        try:
            simulation.hover(simulation.world.locate(place))
        except (SimulationError, ValueError):
            raise refused from None
        say(f"{refused}; seen from there all the same")


def put(simulation: Simulation, place: str) -> None:
    """Teleport the body to a place as a user writes it; it stays where it was where that fails."""
    try:
        simulation.teleport(simulation.world.locate(place))
    except (SimulationError, ValueError) as error:
        raise UserError(str(error)) from error


def recording(simulation: Simulation, args: Namespace) -> AbstractContextManager[object]:
    """Writes the simulation's ticks into the file of ``--record`` while it is entered."""
    return CaptureRecorder(simulation, Path(args.record)) if args.record else nullcontext()
