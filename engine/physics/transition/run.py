"""A transition from beginning to end: made with the rules that hold, and run as a whole (sweep 3.4)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.values import Sphere
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import TRANSITION
from engine.physics.transition.driver import find_transitional_position
from engine.physics.transition.placement import find_placement_position
from engine.physics.transition.rules import RULES
from engine.physics.transition.trace import SweepTrace
from engine.physics.transition.transition import Transition
from engine.world.cell_graph import CellGraph


def new_transition(
    world: CellGraph, mover: PhysicsBody, spheres: Sequence[Sphere], trace: SweepTrace | None = None
) -> Transition:
    """A transition of a mover's spheres (its own space, foot first), without a path yet."""
    return Transition(world, mover, spheres, RULES, trace=trace)


def find_valid_position(t: Transition) -> bool:
    """Run the sweep (or placement); False when it was refused as a whole."""
    if t.sphere_path.insert_type == TRANSITION:
        return find_transitional_position(t)
    return find_placement_position(t)
