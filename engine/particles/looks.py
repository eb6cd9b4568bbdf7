"""How a particle's model looks from an eye: which level, turned how (particles 6.3, 7.2, 7.3)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.tolerance import EPS

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

AS_TURNED, FULL, ABOUT_X, ABOUT_Y, ABOUT_Z = 1, 2, 3, 4, 5
"""How a level turns to the eye: not at all, with all axes, or about one axis of its own."""
NEAR: Final = 50.0
"""Metres within which the first level is always taken."""
FARTHEST: Final = 100.0
"""Metres to which particles count as drawn whose model has no levels."""


class Look(NamedTuple):
    """A particle's model: its levels of detail, nearest first, and its middle in its own space."""

    levels: tuple[DegradeLevel, ...]
    center: Vec3 = (0.0, 0.0, 0.0)

    @staticmethod
    def of(gfxobj: int, levels: tuple[DegradeLevel, ...] = (), center: Vec3 = (0.0, 0.0, 0.0)) -> Look:
        """The look of a model with the levels of its record, or with none."""
        return Look(
            levels or (DegradeLevel(gfxobj=gfxobj, mode=AS_TURNED, min=0.0, ideal=0.0, max=FARTHEST),), center
        )

    @property
    def reach(self) -> float:
        """Metres up to which its particles count as drawn; the last of several levels is none."""
        return self.levels[max(len(self.levels) - 2, 0)].max


def level_numbers(look: Look, distances: Floats, scales: Floats) -> Whole:
    """The level of each of some particles by its distance from the eye and its scale."""
    far = np.maximum(distances / scales - NEAR, 0.0)
    ideals = np.array([level.ideal for level in look.levels[:-1]])
    return np.asarray((far[:, None] >= np.maximum.accumulate(ideals)).sum(axis=1), np.int64)


def rotations(turns: Floats) -> Floats:
    """The matrices of quaternions (w, x, y, z), shape (n, 3, 3); their columns are the turned axes."""
    w, x, y, z = turns.T
    rows = (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


def faced(turns: Floats, modes: Whole, away: Floats) -> Floats:
    """Matrices (n, 3, 3) of quaternions (n, 4), as their modes turn them to the eye.

    ``away`` leads from the eye to each, of any length.
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", away, away))[:, None]
    h = np.where(lengths < EPS, (0.0, 0.0, 1.0), away / np.where(lengths < EPS, 1.0, lengths))
    full = modes == FULL
    if full.all():
        return _full(h)  # mostly so
    out = np.empty((len(turns), 3, 3))
    out[full] = _full(h[full])
    out[~full] = rotations(turns[~full])
    for mode, kept, toward in ((ABOUT_X, 0, 2), (ABOUT_Y, 1, 0), (ABOUT_Z, 2, 1)):
        some = np.flatnonzero(modes == mode)
        if len(some):
            out[some] = _about(out[some], h[some], kept, toward)
    return out


def _full(h: Floats) -> Floats:
    """y leads away from the eye, x is level, and -y where the eye looks straight up or down."""
    level = np.hypot(h[:, 0], h[:, 1])
    upright = level < EPS
    across = np.where(upright, 1.0, level)
    x, y = np.where(upright, 0.0, h[:, 1] / across), np.where(upright, -1.0, -h[:, 0] / across)
    out = np.empty((len(h), 3, 3))
    out[:, 0, 0], out[:, 1, 0], out[:, 2, 0] = x, y, 0.0
    out[:, :, 1] = h
    out[:, 0, 2], out[:, 1, 2], out[:, 2, 2] = y * h[:, 2], -x * h[:, 2], x * h[:, 1] - y * h[:, 0]
    return out


def _about(matrices: Floats, h: Floats, kept: int, toward: int) -> Floats:
    """The axis ``kept`` stays, the axis ``toward`` comes as near to ``h`` as that lets it."""
    axis = matrices[:, :, kept]
    p = h - axis * np.einsum("ij,ij->i", axis, h)[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->i", p, p))
    turns = lengths >= EPS
    p /= np.where(turns, lengths, 1.0)[:, None]
    out = matrices.copy()
    out[turns, :, toward] = p[turns]
    out[turns, :, 3 - kept - toward] = np.cross(p, axis)[turns]
    return out
