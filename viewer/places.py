"""Putting a body where a user's words say, and telling where that is not what it got."""

from __future__ import annotations

from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.asked_place import LIES_THERE, Arrival, StrayPlaceError, go_to, look_from
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Position
from viewer.terminal import say
from viewer.user_error import UserError

ANYWHERE = "--anywhere"


class StrayError(UserError):
    """A place that is too far from where its words say."""


def put_to_look(
    simulation: Simulation, place: str, *, anywhere: bool = False, exact: bool = False
) -> Arrival:
    """Teleport the body to a place, or leave it there unsettled where it has no room, and say so.

    With ``exact`` it is left there in any case.
    """
    if not exact:
        try:
            return put(simulation, place, anywhere=anywhere)
        except StrayError:
            raise
        except UserError as error:
            refused = error
    try:
        arrival = look_from(simulation, simulation.world.locate(place), anywhere=anywhere)
    except StrayPlaceError as error:
        raise _stray(error) from error
    except (SimulationError, ValueError) as error:
        raise (UserError(str(error)) if exact else refused) from None
    if exact:
        tell(arrival)
        return arrival
    say(f"{refused}; seen from there all the same")
    return arrival._replace(reason="there is no room for the body")


def put(simulation: Simulation, place: str, *, anywhere: bool = False, finds_cell: bool = False) -> Arrival:
    """Teleport the body to a place as a user writes it, and say where that is not what it got.

    With ``finds_cell`` nobody has named a cell: that it is another than the place's words say is not told.
    UserError, with the body where it was, where that fails; StrayError where only ``anywhere`` would do.
    """
    try:
        arrival = go_to(simulation, located(simulation, place), anywhere=anywhere)
    except StrayPlaceError as error:
        raise _stray(error) from error
    except SimulationError as error:
        raise UserError(str(error)) from error
    if finds_cell and arrival.reason == LIES_THERE:
        arrival = arrival._replace(reason="")
    tell(arrival)
    return arrival


def located(simulation: Simulation, place: str) -> Position:
    """The position that a place's words name. UserError where they name none."""
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
