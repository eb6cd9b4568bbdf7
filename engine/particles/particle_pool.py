"""All living particles as rows of arrays: thousands are worked out in a few calls (particles 5)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.named_tuple import NamedTuple
from engine.particles.birth import Born
from engine.particles.path import Path
from engine.particles.room import Room
from engine.world.frame import Frame
from engine.world.tolerance import EPS

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

# The columns of the table: a number of all particles lies side by side, so one call takes them in a stride.
_BIRTH, _LIFE, _LAG = 0, 1, 2
_SCALE, _TRANS = slice(3, 5), slice(5, 7)  # start and final
_OFFSET, _SPEED, _PULL = slice(7, 10), slice(10, 13), slice(13, 16)
_SWING, _PACE, _SPIN = slice(16, 19), slice(19, 22), slice(22, 25)
_ORIGIN, _TURN = slice(25, 28), slice(28, 32)
_COLUMNS: Final = 32
_FIRST_ROWS: Final = 64
STROBE: Final = 0.1
"""Seconds: what lives shorter is shown as its last tick left it, not as it is between two (particles 9)."""


class Moment(NamedTuple):
    """Every living particle at one time, each array with one row a particle.

    ``origins`` are metres on the map (block 0,0's frame), ``turns`` quaternions (w, x, y, z), ``owners`` what
    the rows were taken for. ``trans`` is 0 for opaque and 1 for invisible.
    """

    origins: Floats
    turns: Floats
    scales: Floats
    trans: Floats
    owners: Whole


class Pool:
    """Rows of particles; who bears them keeps their numbers. ``room`` is what is left for all who do."""

    def __init__(self) -> None:
        self.room = Room()
        self._columns: Floats = np.zeros((_COLUMNS, _FIRST_ROWS))
        self._owner: Whole = np.full(_FIRST_ROWS, -1, np.int64)
        self._swings = np.zeros(_FIRST_ROWS, bool)
        self._spins = np.zeros(_FIRST_ROWS, bool)
        self._free: list[int] = []
        self._used = 0

    def __len__(self) -> int:
        """How many particles live."""
        return self._used - len(self._free)

    def take(self, owner: int, base: Frame, *, born: Born, path: Path, now: float) -> int:
        """Put a particle that is born now into a row; the row's number."""
        if self._free:
            row = heappop(self._free)
        else:
            row = self._used
            if row == len(self._owner):
                self._grow()
            self._used += 1
        self._columns[:, row] = (
            now, born.lifespan, path.lag, born.start_scale, born.final_scale, born.start_trans,
            born.final_trans, *path.offset, *path.speed, *path.pull, *path.swing, *path.pace, *path.spin,
            *base.origin, *base.quat,
        )  # fmt: skip
        self._owner[row] = owner
        self._swings[row] = any(path.swing)
        self._spins[row] = any(path.spin)
        return row

    def give_back(self, row: int) -> None:
        """A particle is no more."""
        self._owner[row] = -1
        heappush(self._free, row)

    def move(self, rows: list[int], base: Frame) -> None:
        """Particles that stay with their base: it is here now."""
        self._columns[_ORIGIN, rows] = np.array(base.origin)[:, None]
        self._columns[_TURN, rows] = np.array(base.quat)[:, None]

    def wait(self, rows: list[int], seconds: float) -> None:
        """Particles whose time stood still for so long."""
        self._columns[_BIRTH, rows] += seconds

    def living(self) -> Whole:
        """The rows of all particles."""
        return np.flatnonzero(self._owner[: self._used] >= 0)

    def births_of(self, rows: Whole) -> Floats:
        """When rows were taken, seconds, and later by what they have waited."""
        births: Floats = self._columns[_BIRTH, rows]
        return births

    def owners_of(self, rows: Whole) -> Whole:
        """What rows were taken for."""
        return self._owner[rows]

    def moment(
        self, now: float, ticked: float, rows: Whole | list[int], turned: NDArray[np.bool_] | None = None
    ) -> Moment:
        """The particles of some rows as they are ``now``; the last tick was at ``ticked``.

        ``turned`` says of each whether its spin is to be seen, None of all.
        """
        chosen = np.asarray(rows, np.int64)
        v = self._columns.take(chosen, axis=1)
        lives = v[_LIFE]
        t = np.maximum(np.where(lives < STROBE, ticked, now) - v[_BIRTH], 0.0)
        origins = v[_ORIGIN] + v[_OFFSET] + v[_SPEED] * t + v[_PULL] * (0.5 * t * t)
        swinging = np.flatnonzero(self._swings[chosen])
        if len(swinging):
            angles = v[_PACE].take(swinging, axis=1) * t[swinging]
            angles[1] -= v[_LAG, swinging]
            origins[:, swinging] += v[_SWING].take(swinging, axis=1) * np.cos(angles)
        turns = v[_TURN]
        spins = self._spins[chosen]
        spinning = np.flatnonzero(spins if turned is None else spins & turned)
        if len(spinning):
            turns[:, spinning] = _turned(turns[:, spinning], v[_SPIN, spinning] * t[spinning])
        f = np.where(t < lives, t / np.where(lives > 0.0, lives, 1.0), 1.0)
        scales = v[3] + (v[4] - v[3]) * f
        trans = v[5] + (v[6] - v[5]) * f
        return Moment(
            origins=origins.T, turns=turns.T, scales=scales, trans=trans, owners=self._owner[chosen]
        )

    def _grow(self) -> None:
        more = len(self._owner)
        self._columns = np.concatenate([self._columns, np.zeros((_COLUMNS, more))], axis=1)
        self._owner = np.concatenate([self._owner, np.full(more, -1, np.int64)])
        self._swings = np.concatenate([self._swings, np.zeros(more, bool)])
        self._spins = np.concatenate([self._spins, np.zeros(more, bool)])


def _turned(quats: Floats, by: Floats) -> Floats:
    """Orientations (4, n) turned by rotation vectors (3, n), radians, in their own axes."""
    angles = np.sqrt(np.einsum("ij,ij->j", by, by))
    still = angles < EPS
    sines = np.where(still, 0.0, np.sin(angles / 2.0)) / np.where(still, 1.0, angles)
    w = np.where(still, 1.0, np.cos(angles / 2.0))
    x, y, z = by * sines
    a, b, c, d = quats
    return np.stack(
        (
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        )
    )
