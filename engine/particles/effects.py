"""All owners of a world: who has scripts, the tick that moves them on, and what of it is to be drawn."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dat.values import Vec3
from engine.particles.draws import Draws
from engine.particles.emitter import Emitter
from engine.particles.looks import Floats, Look, Whole, faced, level_numbers, rotations
from engine.particles.owner import EffectRecords, Owner
from engine.particles.pool import Pool
from engine.world.frame import Frame
from engine.world.ids import BLOCK_SIDE, is_outdoor

QUANTUM: Final = 1.0 / 30.0
"""Seconds between two ticks, at least."""
LONGEST: Final = 2.0
"""Seconds after which the tick is left out and time goes on from there."""
_SLACK: Final = 1e-9


class Records(EffectRecords, Protocol):
    """Where records and models' looks come from."""

    def look(self, gfxobj_id: int) -> Look:
        """A model's levels of detail."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An object that may have scripts: ``frame`` in the block of ``cell_id``, ``parts`` relative to it.

    ``script`` is the one that it begins with, 0 for none.
    """

    cell_id: int
    frame: Frame
    parts: tuple[Frame, ...] = ()
    script: int = 0
    script_table: int = 0
    static: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """The particles of a frame, one row each, in the order of their emitters.

    ``places`` are relative to the eye (metres, world axes), ``axes`` their turned and scaled axes as columns
    (n, 3, 3), ``alphas`` 0…1, ``models`` GfxObj ids, ``cells`` those of their owners, ``emitters`` numbers.
    ``far`` are squared distances.
    """

    places: NDArray[np.float32]
    axes: NDArray[np.float32]
    alphas: NDArray[np.float32]
    models: Whole
    cells: Whole
    emitters: Whole
    far: Floats

    def __len__(self) -> int:
        return len(self.far)


class Effects:
    """The owners of a world by any key; the same seed and the same ticks give the same particles.

    Each owner has a stream of chance of its own, so that it does not matter who else was loaded before.
    """

    def __init__(self, records: Records, seed: int = 1) -> None:
        self.pool = Pool()
        self.owners: dict[Hashable, Owner] = {}
        self.ticked: float | None = None
        self._records = records
        self._seed = seed
        self._static: dict[Hashable, bool] = {}
        self._emitters: dict[int, tuple[Owner, Emitter]] = {}
        self._last_number = 0

    def add(self, key: Hashable, standing: Standing, now: float) -> Owner:
        """An object comes, with its default script."""
        self.remove(key)
        owner = Owner(
            self._records,
            self.pool,
            Draws(zlib.crc32(repr((self._seed, key)).encode())),
            self._next_number,
            standing.cell_id,
            on_map(standing.cell_id, standing.frame),
            standing.parts,
            standing.script_table,
        )
        self.owners[key] = owner
        self._static[key] = standing.static
        if standing.script:
            owner.play(standing.script, now)
        return owner

    def place(
        self, key: Hashable, cell_id: int, frame: Frame, parts: tuple[Frame, ...] | None = None
    ) -> None:
        """An object has moved, or its parts have; ``frame`` is in the block of ``cell_id``."""
        owner = self.owners[key]
        owner.place(cell_id, on_map(cell_id, frame), owner.parts if parts is None else parts)

    def remove(self, key: Hashable) -> None:
        """An object goes, with its scripts and particles."""
        owner = self.owners.pop(key, None)
        if owner is not None:
            owner.close()
            del self._static[key]

    def advance(self, now: float, eye: Vec3, in_view: Callable[[int], bool]) -> bool:
        """Tick where it is time for it; whether it was. ``eye`` is on the map.

        ``in_view`` tells of landcells whether the last frame showed them. It is not asked of rooms: what is
        in rooms goes on unseen.
        """
        if self.ticked is None:
            self.ticked = now
        passed = now - self.ticked
        if passed < QUANTUM - _SLACK:
            return False
        self.ticked = now
        if passed > LONGEST:
            return False

        def near(emitter: Emitter) -> bool:
            return self._reaches(emitter, eye)

        for key, owner in list(self.owners.items()):
            here = bool(owner.cell_id) and (not is_outdoor(owner.cell_id) or in_view(owner.cell_id))
            owner.tick(now, near if here else _unseen, self._static[key])
        self._emitters = {
            emitter.number: (owner, emitter)
            for owner in self.owners.values()
            for emitter in owner.emitters.values()
        }
        return True

    def shown(self, now: float, eye: Vec3) -> Shown:
        """What is to be drawn at a time between ticks, from an eye on the map."""
        moment = self.pool.moment(now, now if self.ticked is None else self.ticked)
        owners, scales = moment.owners, moment.scales
        places = moment.origins - eye
        away = places
        models, modes, cells = (np.zeros(len(owners), np.int64) for _ in range(3))
        starts = np.flatnonzero(np.diff(owners, prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(owners)]):
            found = self._emitters.get(int(owners[start]))
            if found is None:
                continue  # made after the last tick
            owner, emitter = found
            look = self._records.look(emitter.record.hw_gfxobj)
            rows = slice(start, end)
            cells[rows] = owner.cell_id
            if any(look.center):
                away = away.copy() if away is places else away
                away[rows] += (rotations(moment.turns[rows]) @ look.center) * scales[rows, None]
            if len(look.levels) == 1:
                models[rows], modes[rows] = look.levels[0].gfxobj, look.levels[0].mode
                continue
            distances = np.sqrt(np.einsum("ij,ij->i", away[rows], away[rows]))
            levels = level_numbers(look, distances, scales[rows])
            models[rows] = np.array([level.gfxobj for level in look.levels])[levels]
            modes[rows] = np.array([level.mode for level in look.levels])[levels]
        drawn = np.flatnonzero((moment.trans < 1.0) & (models != 0))
        axes = faced(moment.turns[drawn], modes[drawn], away[drawn])
        return Shown(
            places[drawn].astype(np.float32),
            (axes * scales[drawn, None, None]).astype(np.float32),
            (np.floor((1.0 - moment.trans[drawn]) * 255.0) / 255.0).astype(np.float32),
            models[drawn],
            cells[drawn],
            owners[drawn],
            np.einsum("ij,ij->i", away[drawn], away[drawn]),
        )

    def _reaches(self, emitter: Emitter, eye: Vec3) -> bool:
        return math.dist(eye, emitter.origin) <= self._records.look(emitter.record.hw_gfxobj).reach

    def _next_number(self) -> int:
        self._last_number += 1
        return self._last_number


def _unseen(_: Emitter) -> bool:
    return False


def on_map(cell_id: int, frame: Frame) -> Frame:
    """A frame in the block of a cell, in the axes of block 0,0: the same for all blocks."""
    x, y, z = frame.origin
    return frame.with_origin(
        (x + (cell_id >> 24 & 0xFF) * BLOCK_SIDE, y + (cell_id >> 16 & 0xFF) * BLOCK_SIDE, z)
    )
