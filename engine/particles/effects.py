"""All owners of a world: who has scripts, and what of it is to be drawn at a time (particles 6, 7)."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.birth import Dice
from engine.particles.generations import QUANTUM, Generations
from engine.particles.looks import FULL, Floats, Look, Whole, faced, level_numbers, rotations
from engine.particles.owner import WHOLE, EffectRecords, Moving, Owner
from engine.particles.particle_pool import Pool
from engine.world.frame import Frame
from engine.world.ids import BLOCK_SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SLACK: Final = 1e-9


class Records(EffectRecords, Protocol):
    """Where records and models' looks come from."""

    def look(self, gfxobj_id: int) -> Look:
        """A model's levels of detail."""


class Standing(NamedTuple):
    """An object that may have scripts: ``frame`` in the block of ``cell_id``, ``parts`` relative to it.

    ``script`` is the one that it begins with, 0 for none; ``moving`` moves its parts and fires hooks.
    """

    cell_id: int
    frame: Frame
    parts: tuple[Frame, ...] = ()
    script: int = 0
    script_table: int = 0
    static: bool = True
    moving: Moving | None = None


class Bearer(NamedTuple):
    """What bears particles: an emitter, on which owner and which part (-1: the whole), and what started it.

    ``key`` is the owner's, ``cell`` its cell; ``emitter`` and ``script`` are ids of records, 0 for no script.
    """

    key: Hashable
    cell: int
    emitter: int
    part: int
    script: int


class Shown:
    """The particles of a frame, one row each, in the order of their emitters.

    ``places`` are relative to the eye (metres, world axes), ``axes`` their turned and scaled axes as columns
    (n, 3, 3), ``alphas`` 0…1, ``models`` GfxObj ids, ``cells`` those of their owners, ``middles`` where their
    emitters are, relative to the eye as well. ``far`` are squared distances. ``born_by`` are places in
    ``bearers``.
    """

    __slots__ = ("alphas", "axes", "bearers", "born_by", "cells", "far", "middles", "models", "places")

    def __init__(  # noqa: PLR0913 - the columns of a table, by keyword
        self,
        *,
        places: NDArray[np.float32],
        axes: NDArray[np.float32],
        alphas: NDArray[np.float32],
        models: Whole,
        cells: Whole,
        middles: Floats,
        far: Floats,
        born_by: Whole,
        bearers: tuple[Bearer, ...],
    ) -> None:
        self.places: Final = places
        self.axes: Final = axes
        self.alphas: Final = alphas
        self.models: Final = models
        self.cells: Final = cells
        self.middles: Final = middles
        self.far: Final = far
        self.born_by: Final = born_by
        self.bearers: Final = bearers

    def __len__(self) -> int:
        return len(self.far)

    def in_cells(self, cells: Whole) -> Shown:
        """The same, whose owners are in other cells."""
        return Shown(
            places=self.places,
            axes=self.axes,
            alphas=self.alphas,
            models=self.models,
            cells=cells,
            middles=self.middles,
            far=self.far,
            born_by=self.born_by,
            bearers=self.bearers,
        )


def joined(a: Shown, b: Shown) -> Shown:
    """The particles of two, for one frame."""
    return Shown(
        places=np.concatenate((a.places, b.places)),
        axes=np.concatenate((a.axes, b.axes)),
        alphas=np.concatenate((a.alphas, b.alphas)),
        models=np.concatenate((a.models, b.models)),
        cells=np.concatenate((a.cells, b.cells)),
        middles=np.concatenate((a.middles, b.middles)),
        far=np.concatenate((a.far, b.far)),
        born_by=np.concatenate((a.born_by, b.born_by + len(a.bearers))),
        bearers=a.bearers + b.bearers,
    )


_NONE = np.zeros(0, np.int64)
_NO_PLACES, _NO_AXES = np.zeros((0, 3), np.float32), np.zeros((0, 3, 3), np.float32)
_NOTHING = Shown(
    places=_NO_PLACES,
    axes=_NO_AXES,
    alphas=np.zeros(0, np.float32),
    models=_NONE,
    cells=_NONE,
    middles=np.zeros((0, 3)),
    far=np.zeros(0),
    born_by=_NONE,
    bearers=(),
)


class Effects:
    """The owners of a world by any key.

    What is shown at a time follows from the seed, the owner's key and the time alone: not from what else is
    loaded, nor from how long it has been.
    """

    def __init__(self, records: Records, seed: int = 1) -> None:
        self.pool = Pool()
        self.owners: dict[Hashable, Generations] = {}
        self.looped: list[Hashable] = []
        """Keys of owners with a script that calls itself again in no time."""
        self._records = records
        self._seed = seed
        self._standing: dict[Hashable, Standing] = {}
        self._tick = 0
        self._last_number = 0
        self._numbers, self._cells, self._models, self._modes = (np.zeros(0, np.int64) for _ in range(4))
        self._index: Whole = np.zeros(0, np.int64)  # by emitters' numbers from the first on
        self._from, self._reaches = np.zeros(0), np.zeros(0)
        self._turning = np.zeros(0, bool)
        self._middles: Floats = np.zeros((0, 3))
        self._uneven: list[tuple[int, Look]] = []
        self._bearers: tuple[Bearer, ...] = ()
        self._is_noted, self._noted = False, 0

    def add(self, key: Hashable, standing: Standing) -> None:
        """An object comes, with its default script."""
        self.remove(key)
        self._standing[key] = standing

        def make(generation: int, now: float) -> Owner:
            return self._make(key, generation, now)

        self.owners[key] = Generations(make, static=standing.static)
        self._is_noted = False

    def place(self, key: Hashable, cell_id: int, frame: Frame, parts: tuple[Frame, ...]) -> None:
        """An object has moved, or its parts have; ``frame`` is in the block of ``cell_id``."""
        self._standing[key] = self._standing[key]._replace(cell_id=cell_id, frame=frame, parts=parts)
        self.owners[key].place(cell_id, on_map(cell_id, frame), parts)
        self._is_noted = False

    def remove(self, key: Hashable) -> None:
        """An object goes, with its scripts and particles."""
        generations = self.owners.pop(key, None)
        if generations is not None:
            generations.close()
            del self._standing[key]
            self._is_noted = False

    def advance(self, tick: int, more: float = 0.0, *, between: bool = False) -> None:
        """Go on or back to a tick with all that have been shown, and for ``more`` seconds begin with others.

        A moment ``between`` two ticks may lie behind the last one, not far, without all beginning anew.
        """
        if tick == self._tick or (between and self._tick - 2 <= tick < self._tick):
            return
        self._tick = tick
        self.pool.room.begin_tick()
        until = time.perf_counter() + more
        for key, generations in self.owners.items():
            if not generations.is_behind or time.perf_counter() < until:
                self._reach(key, generations)

    def shown(self, now: float, eye: Vec3, needed: Callable[[int, float], bool]) -> Shown:
        """What is to be drawn at a time, not before the last tick nor after the next, from an eye on the map.

        ``needed`` says of a cell and a distance in metres whether what stands there must be shown; what has
        been shown before is, too.
        """
        for key, generations in self.owners.items():
            if generations.is_behind:
                standing = self._standing[key]
                place = on_map(standing.cell_id, standing.frame).origin
                if needed(standing.cell_id, math.dist(place, eye)):
                    self._reach(key, generations)
        if not self._is_noted or self._noted != self._last_number:
            self._note_emitters()
        if not len(self._numbers):
            return _NOTHING
        rows = self.pool.living()
        which = self._index[self.pool.owners_of(rows) - self._numbers[0]]
        born = np.flatnonzero(self.pool.births_of(rows) >= self._from[which] - _SLACK)
        rows, which = rows[born], which[born]
        moment = self.pool.moment(now, self._tick * QUANTUM, rows, self._turning[which])
        scales = moment.scales
        places = moment.origins - eye
        away = places
        cells, models, modes = self._cells[which], self._models[which], self._modes[which]
        for index, look in self._uneven:
            some = np.flatnonzero(which == index)
            if any(look.center):
                away = away.copy() if away is places else away
                away[some] += (rotations(moment.turns[some]) @ look.center) * scales[some, None]
            distances = np.sqrt(np.einsum("ij,ij->i", away[some], away[some]))
            levels = level_numbers(look, distances, scales[some])
            models[some] = np.array([level.gfxobj for level in look.levels])[levels]
            modes[some] = np.array([level.mode for level in look.levels])[levels]
        middles = self._middles - eye
        near = np.einsum("ij,ij->i", middles, middles) <= self._reaches**2
        visible = near[which] & (moment.trans < 1.0) & (models != 0)
        drawn = slice(None) if visible.all() else np.flatnonzero(visible)  # of all there is nothing to copy
        axes = faced(moment.turns[drawn], modes[drawn], away[drawn])
        return Shown(
            places=places[drawn].astype(np.float32),
            axes=(axes * scales[drawn, None, None]).astype(np.float32),
            alphas=(np.floor((1.0 - moment.trans[drawn]) * 255.0) / 255.0).astype(np.float32),
            models=models[drawn],
            cells=cells[drawn],
            middles=middles[which[drawn]],
            far=np.einsum("ij,ij->i", away[drawn], away[drawn]),
            born_by=which[drawn],
            bearers=self._bearers,
        )

    def _reach(self, key: Hashable, generations: Generations) -> None:
        generations.reach(self._tick)
        for owner in generations.owners.values():
            if owner.looped and key not in self.looped:
                self.looped.append(key)

    def _make(self, key: Hashable, generation: int, now: float) -> Owner:
        standing = self._standing[key]
        owner = Owner(
            self._records,
            self.pool,
            Dice(zlib.crc32(repr((self._seed, key, generation)).encode())),
            self._next_number,
            cell_id=standing.cell_id,
            frame=on_map(standing.cell_id, standing.frame),
            parts=standing.parts,
            script_table=standing.script_table,
        )
        if standing.moving is not None:
            owner.move_by(standing.moving, now)
        if standing.script:
            owner.play(standing.script, now)
        return owner

    def _note_emitters(self) -> None:
        """What all particles of an emitter share, in arrays by its number, ascending."""
        emitters = sorted(
            (
                (emitter, owner.cell_id, generations.seen_from(number), key)
                for key, generations in self.owners.items()
                for number, owner in generations.owners.items()
                for emitter in owner.emitters.values()
            ),
            key=lambda row: row[0].number,
        )
        looks = [self._records.look(emitter.record.hw_gfxobj) for emitter, _, _, _ in emitters]
        self._numbers = np.array([emitter.number for emitter, _, _, _ in emitters], np.int64)
        self._cells = np.array([cell_id for _, cell_id, _, _ in emitters], np.int64)
        self._from = np.array([start for _, _, start, _ in emitters], float)
        self._middles = np.array([emitter.origin for emitter, _, _, _ in emitters], float).reshape(-1, 3)
        self._models = np.array([look.levels[0].gfxobj for look in looks], np.int64)
        self._modes = np.array([look.levels[0].mode for look in looks], np.int64)
        self._reaches = np.array([look.reach for look in looks], float)
        # What turns to the eye whole shows no turn of its own.
        self._turning = np.array(
            [look.levels[0].mode != FULL or len(look.levels) > 1 for look in looks], bool
        )
        self._uneven = [
            (index, look) for index, look in enumerate(looks) if len(look.levels) > 1 or any(look.center)
        ]
        if emitters:
            self._index = np.zeros(self._numbers[-1] - self._numbers[0] + 1, np.int64)
            self._index[self._numbers - self._numbers[0]] = np.arange(len(emitters))
        self._bearers = tuple([
            Bearer(
                key=key, cell=cell_id, emitter=emitter.record.id,
                part=-1 if emitter.part == WHOLE else emitter.part, script=emitter.script,
            )
            for emitter, cell_id, _, key in emitters
        ])  # fmt: skip
        self._is_noted, self._noted = True, self._last_number

    def _next_number(self) -> int:
        self._last_number += 1
        return self._last_number


def on_map(cell_id: int, frame: Frame) -> Frame:
    """A frame in the block of a cell, in the axes of block 0,0: the same for all blocks."""
    x, y, z = frame.origin
    return frame.with_origin(
        (x + (cell_id >> 24 & 0xFF) * BLOCK_SIDE, y + (cell_id >> 16 & 0xFF) * BLOCK_SIDE, z)
    )
