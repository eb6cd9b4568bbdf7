"""What most commands begin with: the world that was named and a body put where it was told."""

from __future__ import annotations

from argparse import Namespace

from engine.physics.simulation import Simulation, SimulationError
from engine.world.frame import Position
from engine.world.ids import block_of
from engine.world.terrain import terrain_height
from viewer.errors import UserError
from viewer.worlds import location_of, open_world, report_problems


def open_simulation(args: Namespace, place: str) -> Simulation:
    """The world of the options with a settled body at a place; UserError where it cannot be put there."""
    simulation = Simulation(open_world(args))
    put(simulation, place)
    report_problems(simulation.world, args.verbose)
    return simulation


def put(simulation: Simulation, place: str) -> None:
    """Teleport the body to a place as a user writes it; it stays where it was where that fails.

    Map coordinates mean the ground there.
    """
    location = location_of(place)
    position = location.position
    try:
        if location.on_ground:
            simulation.residency.load(location.cell_id)
            position = _on_ground(simulation, position, place)
        simulation.teleport(position)
    except SimulationError as error:
        raise UserError(str(error)) from error


def _on_ground(simulation: Simulation, position: Position, place: str) -> Position:
    x, y, _ = position.frame.origin
    block = simulation.world.blocks.get(block_of(position.cell_id))
    height = None if block is None else terrain_height(block, x, y)
    if height is None:
        raise UserError(f"{place}: there is no ground in this world")
    return Position(position.cell_id, position.frame.with_origin((x, y, height)))
