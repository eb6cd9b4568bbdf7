"""An upright box in some space: what stays clear of it need not be looked at more closely."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.native import mypyc_attr

SLACK: Final = 0.001
"""Metres by which a box is too wide for rounding's sake, besides a share of how far off its points are."""
SHARE: Final = 1e-4


@mypyc_attr(acyclic=True)
class Box:
    """From ``ax, ay, az`` to ``bx, by, bz``; empty until it takes points."""

    __slots__ = ("ax", "ay", "az", "bx", "by", "bz")

    def __init__(self) -> None:
        self.ax = self.ay = self.az = math.inf
        self.bx = self.by = self.bz = -math.inf

    def take(self, p: Vec3, wider: float) -> None:
        """Reach so far beyond a point in every direction, and a little farther for rounding's sake."""
        x, y, z = p
        wider += SLACK + SHARE * max(abs(x), abs(y), abs(z))
        self.ax, self.bx = min(self.ax, x - wider), max(self.bx, x + wider)
        self.ay, self.by = min(self.ay, y - wider), max(self.by, y + wider)
        self.az, self.bz = min(self.az, z - wider), max(self.bz, z + wider)
