"""Scripts and particles of what hangs in the sky: they belong to it and not to a cell (particles 8.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dat.values import Vec3
from engine.particles.effects import Effects, Shown, Standing
from engine.particles.generations import TickAt
from engine.particles.world_effects import SourceRecords, say_lacks
from engine.world.frame import Frame
from engine.world.loading.world import World
from viewer.renderer.scene.entities import SkyOwner
from viewer.renderer.sky.sky_things import rotation_of

_SETUP: Final = 0x02


class SkyEffects:
    """The effects of one world's sky; its objects stand about the eye, wherever that is.

    An object that comes up begins its script, one that goes takes its particles along. What an emitter bears
    stays where it was born, unless its record says otherwise: one walks past it.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._effects = Effects(SourceRecords(world.source, world.problems), seed=2)

    def shown(self, now: float, eye: Vec3, things: Sequence[SkyOwner]) -> Shown:
        """What flies about at a time from an eye on the map; ``cells`` are the things' own (``cell_of``)."""
        here = {thing.number: thing for thing in things if self._script(thing)}
        for index in [index for index in self._effects.owners if index not in here]:
            self._effects.remove(index)
        for index, thing in here.items():
            x, y, z = eye
            frame = Frame((x, y, z if thing.height is None else thing.height), rotation_of(thing))
            model = self._world.model(thing.model_id)
            parts = model.part_frames if model is not None else ()
            if index in self._effects.owners:
                self._effects.place(index, 1 + index, frame, parts)
            else:
                # A cell near the corner of the map has the map's own axes.
                self._effects.add(index, Standing(1 + index, frame, parts, self._script(thing)))
        tick, between = TickAt.of(now)
        self._effects.advance(tick, between=between)
        shown = self._effects.shown(now, eye, _always)
        say_lacks(self._effects, self._world)
        return shown.in_cells(-shown.cells)

    def _script(self, thing: SkyOwner) -> int:
        """The default script of a thing's Setup, 0 for none; the sky's own column is not played."""
        model = self._world.model(thing.model_id) if thing.model_id >> 24 == _SETUP else None
        return model.script if model is not None else 0


def _always(_: int, __: float) -> bool:
    return True
