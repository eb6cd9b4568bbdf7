"""Where a body may be put: the place's surroundings are loaded, and a cell must hold it (sweep 3.19)."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.physics.body.body import PhysicsBody
from engine.physics.simulation.residency import BlockKeeper
from engine.physics.simulation.sweep import make_transition
from engine.physics.transition.placement import adjust_position
from engine.world.frame import Position
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.location import format_location


class SimulationError(ValueError):
    """Something that can't be done in this world: one line saying what and why."""


def load_place(world: World, residency: BlockKeeper, body: PhysicsBody, position: Position) -> str:
    """Load the surroundings of a place and return it in words.

    Raises SimulationError where the cell is not there or the place lies in no cell.
    """
    residency.load(position.cell_id, position.frame.origin)
    where = format_location(position)
    if world.get_visible(position.cell_id) is None:
        raise SimulationError(f"{where}: {_why_missing(world, position.cell_id)}")
    _, cell = adjust_position(make_transition(world, body), position)
    if cell is None:
        raise SimulationError(f"{where}: this place is in no cell that is loaded")
    return where


def _why_missing(world: World, cell_id: int) -> str:
    """Why a cell is not there: the damage that kept it from being loaded, where there is any."""
    block_id = block_of(cell_id)
    damage = world.problems.about(cell_id, block_id | 0xFFFE, block_id | 0xFFFF)
    if damage is not None:
        return f"cell {hex_id(cell_id)} could not be loaded: {damage}"
    return f"there is no cell {hex_id(cell_id)} in this world"
