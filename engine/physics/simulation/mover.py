"""Who moves through a world: spheres, step heights, skills, a human's by default (sweep 2.9, movement 10)."""

from __future__ import annotations

from engine.dat.values import Sphere
from engine.named_tuple import NamedTuple
from engine.physics.body.body import HUMAN_SPHERES, HUMAN_STEP_DOWN, HUMAN_STEP_UP
from engine.world.physics_state import PLAYER_STATE


class MoverSettings(NamedTuple):
    """Who moves: local spheres foot first, step heights (metres), skills, burden (sweep 2.9, movement 10).

    ``free_heading``, as the human Setup has it: a body turns even where its step is blocked.
    """

    spheres: tuple[Sphere, ...] = HUMAN_SPHERES
    step_up: float = HUMAN_STEP_UP
    step_down: float = HUMAN_STEP_DOWN
    run_skill: float = 200.0
    jump_skill: float = 300.0
    burden: float = 0.0
    state: int = PLAYER_STATE
    free_heading: bool = True
