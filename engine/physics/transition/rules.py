"""The rules of a sweep as one object: what closes their circle (sweep 3.13)."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Vec3
from engine.physics.transition.stepping import check_walkable, step_down, step_up
from engine.physics.transition.transition import SweepRules, Transition


class OriginalRules(SweepRules):
    """Steps as the original takes them."""

    __slots__ = ()

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
