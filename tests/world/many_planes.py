"""Planes about a space, many of them."""

from __future__ import annotations

import math
from random import Random

from engine.world.plane_cuts import Plane


def sphere(count: int, seed: int = 3) -> list[Plane]:
    """Planes that face inwards about a sphere of 12 m."""
    random = Random(seed)
    out = []
    for _ in range(count):
        x, y, z = (random.gauss(0.0, 1.0) for _ in range(3))
        length = -math.hypot(x, y, z)
        out.append((x / length, y / length, z / length, 12.0 + random.choice((0.0, 0.0, 0.3))))
    return out


def prism(count: int) -> list[Plane]:
    """Slices of a tower, after its walls: of the slices one is left, but the walls cut each."""
    turns = [math.tau * k / count for k in range(count)]
    walls = [(-math.cos(turn), -math.sin(turn), 0.0, 5.0) for turn in turns]
    return [*walls, *((0.0, 0.0, 1.0, 1.0 + k / 512) for k in range(count))]
