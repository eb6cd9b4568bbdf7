"""The rules of a sweep as one object: what leads from one level to the next (sweep 3.10-3.13)."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Vec3
from engine.physics.enums import TransitionState
from engine.physics.transition.env_collisions import find_collisions
from engine.physics.transition.insertion import transitional_insert
from engine.physics.transition.stepping import check_walkable, step_down, step_up
from engine.physics.transition.transition import SweepRules, Transition
from engine.world.cells import ObjCell


class OriginalRules(SweepRules):
    """Tries, collisions and steps as the original has them."""

    __slots__ = ()

    def insert(self, t: Transition, attempts: int) -> TransitionState:
        """Try to be at the tried position."""
        return transitional_insert(t, attempts)

    def collide(self, t: Transition, cell: ObjCell) -> TransitionState:
        """Collide with what one cell has and holds."""
        return find_collisions(t, cell)

    def step_up(self, t: Transition, normal: Vec3) -> bool:
        """Try to step up onto what was hit."""
        return step_up(t, normal)

    def step_down(self, t: Transition, height: float, z: float) -> bool:
        """Probe for ground below."""
        return step_down(t, height, z)

    def check_walkable(self, t: Transition, z: float) -> bool:
        """Whether the foot has support."""
        return check_walkable(t, z)


RULES: Final = OriginalRules()
