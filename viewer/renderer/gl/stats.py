"""What a frame cost and whether it came out whole."""

from __future__ import annotations


class PictureStats:
    """Counters of one frame. ``sentinel`` is −1 where it was not counted.

    ``stencil_residue`` holds the stencil values left after the landscape and its look-ins, where
    asked for (passes 3.3): {0x80} outdoors, {0, 0x80} in an interior frame. ``of_things`` are those of
    the triangles that things have; ``is_cut`` says that these were far too many to draw all.
    """

    __slots__ = (
        "cells_drawn", "draws", "is_cut", "landscape_draws", "look_ins", "marks", "of_things", "path",
        "sentinel", "stencil_residue", "triangles",
    )  # fmt: skip

    def __init__(self, path: str = "") -> None:
        self.path = path
        self.draws = 0
        self.triangles = 0
        self.of_things = 0
        self.is_cut = False
        self.marks = 0
        self.landscape_draws = 0
        self.look_ins = 0
        self.cells_drawn = 0
        self.sentinel = -1
        self.stencil_residue: frozenset[int] = frozenset()
