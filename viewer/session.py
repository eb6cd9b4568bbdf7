"""What most commands begin with: the world that was named and a body put where it was told."""

from __future__ import annotations

from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.asked_place import Arrival, StrayPlaceError, go_to, look_from
from engine.physics.simulation.simulation import Simulation
from engine.replay.recorder import CaptureRecorder
from engine.world.frame import Position
from viewer.errors import UserError
from viewer.picture.standing_states import StandingStates
from viewer.terminal import say
from viewer.worlds import open_world, report_problems

ANYWHERE = "--anywhere"


class StrayError(UserError):
    """A place that is too far from where its words say."""


def open_place(args: Namespace, place: str) -> tuple[Simulation, Arrival]:
    """The world of the options with a settled body at a place, and what came of the place, which is told.

    UserError where the body cannot be put there.
    """
    simulation = Simulation(open_world(args))
    arrival = put(simulation, place, args.anywhere)
    report_problems(simulation.world, args.verbose)
    return simulation, arrival


def open_view(
    args: Namespace, place: str, states: StandingStates | None = None
) -> tuple[Simulation, Arrival]:
    """As ``open_place``, to look from a place: where a body has no room it is left there unsettled.

    ``states`` are set before the body is put down, as far as what has them is there.
    """
    simulation = Simulation(open_world(args))
    if states is not None:
        simulation.residency.load(_located(simulation, place).cell_id)
        states.apply(simulation)
    arrival = put_to_look(simulation, place, args)
    report_problems(simulation.world, args.verbose)
    return simulation, arrival


def put_to_look(simulation: Simulation, place: str, args: Namespace) -> Arrival:
    """Teleport the body to a place, or leave it there unsettled where it has no room, and say so.

    With ``--exact`` it is left there in any case.
    """
    exact: bool = args.exact
    if not exact:
        try:
            return put(simulation, place, args.anywhere)
        except StrayError:
            raise
        except UserError as error:
            refused = error
    try:
        arrival = look_from(simulation, simulation.world.locate(place), args.anywhere)
    except StrayPlaceError as error:
        raise _stray(error) from error
    except (SimulationError, ValueError) as error:
        raise (UserError(str(error)) if exact else refused) from None
    if exact:
        tell(arrival)
        return arrival
    say(f"{refused}; seen from there all the same")
    return replace(arrival, reason="there is no room for the body")


def put(simulation: Simulation, place: str, anywhere: bool = False) -> Arrival:
    """Teleport the body to a place as a user writes it, and say where that is not what it got.

    UserError, with the body where it was, where that fails; StrayError where only ``anywhere`` would do.
    """
    try:
        arrival = go_to(simulation, _located(simulation, place), anywhere)
    except StrayPlaceError as error:
        raise _stray(error) from error
    except SimulationError as error:
        raise UserError(str(error)) from error
    tell(arrival)
    return arrival


def _located(simulation: Simulation, place: str) -> Position:
    try:
        return simulation.world.locate(place)
    except ValueError as error:
        raise UserError(str(error)) from error


def _stray(error: StrayPlaceError) -> StrayError:
    return StrayError(f"{error}; {ANYWHERE} goes there all the same")


def tell(arrival: Arrival) -> None:
    """One line on stderr where a body was not put where it was to be."""
    if arrival.words:
        say(arrival.words)


def recording(simulation: Simulation, args: Namespace) -> AbstractContextManager[object]:
    """Writes the simulation's ticks into the file of ``--record`` while it is entered."""
    return CaptureRecorder(simulation, Path(args.record)) if args.record else nullcontext()
