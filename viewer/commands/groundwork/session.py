"""What most commands begin with: the world that was named and a body put where it was told."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from engine.physics.objects.near_place import NearPlace
from engine.physics.simulation.asked_place import Arrival
from engine.physics.simulation.residency import SparingResidency
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.outlines import Outlines
from engine.world.loading.world import World
from engine.world.location import parse_location
from viewer.commands.groundwork.worlds import open_world, report_problems
from viewer.picture.standing_states import StandingStates
from viewer.places import located, put, put_to_look


def open_place(args: Namespace, place: str, *, trace: bool = False) -> tuple[Simulation, Arrival]:
    """The world of the options with a settled body at a place, and what came of the place, which is told.

    With ``trace`` the placing keeps its account. UserError where the body cannot be put there.
    """
    simulation = Simulation(open_world(args))
    simulation.trace = trace
    arrival = put(simulation, place, anywhere=args.anywhere)
    report_problems(simulation.world, verbose=args.verbose)
    return simulation, arrival


def open_view(
    args: Namespace,
    place: str,
    states: StandingStates | None = None,
    *,
    world: World | None = None,
    outlines: Outlines | None = None,
) -> tuple[Simulation, Arrival]:
    """As ``open_place``, to look from a place: where a body has no room it is left there unsettled.

    ``states`` are set before the body is put down, as far as what has them is there. ``world`` is that of
    the options where it is open already; with its ``outlines`` no neighbour is loaded, and no static is there
    to be met, that the body can't touch.
    """
    world = world if world is not None else open_world(args)
    residency = SparingResidency(world, outlines) if outlines is not None else None
    simulation = Simulation(world, residency=residency)
    if outlines is not None:
        simulation.objects.near = _near(world, place)
    if states is not None and states.is_asked:
        simulation.residency.load(located(simulation, place).cell_id)
        states.apply(simulation)
    arrival = put_to_look(simulation, place, anywhere=args.anywhere, exact=args.exact)
    report_problems(simulation.world, verbose=args.verbose)
    return simulation, arrival


def _near(world: World, place: str) -> NearPlace | None:
    """What tells what comes near a place; None where it is known only once it is loaded."""
    try:
        told = parse_location(place)
    except ValueError:  # which is told as the body is put there
        return None
    return None if told.is_middle else NearPlace(world, told.position)


def recording(
    simulation: Simulation, args: Namespace, on_end: Callable[[str], object] | None = None
) -> AbstractContextManager[object]:
    """Writes the simulation's ticks into the file of ``--record`` while it is entered.

    ``on_end`` is told where the file ends early; without it that is an OSError.
    """
    if not args.record:
        return nullcontext()
    from engine.replay.recorder import CaptureRecorder  # most record nothing

    return CaptureRecorder(simulation, Path(args.record), on_end)
