"""What a frame cost and whether it came out whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class PictureStats:
    """Counters of one frame. ``sentinel`` is −1 where it was not counted.

    ``stencil_residue`` holds the stencil values left after the landscape and its look-ins, where
    asked for (passes 3.3): {0x80} outdoors, {0, 0x80} in an interior frame.
    """

    path: str = ""
    draws: int = 0
    triangles: int = 0
    marks: int = 0
    landscape_draws: int = 0
    look_ins: int = 0
    cells_drawn: int = 0
    sentinel: int = -1
    stencil_residue: frozenset[int] = frozenset()
