"""The owners of effects in a loaded world: they come and go with their landblocks (particles 2.1, 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from engine.dat.number_rules import faults
from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.effects import Effects, Standing
from engine.particles.looks import Look
from engine.particles.owner import Moving
from engine.world.cells import Landblock
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.source import Problems, WorldSource

T = TypeVar("T")
PLACED, SHELL, ENTITY = "placed", "shell", "entity"


class EntityPlace(NamedTuple):
    """Where an entity is now: ``frame`` in the block of ``cell_id``; its parts' poses, None at rest.

    ``moving`` is what its parts do by themselves.
    """

    entity_id: int
    model_id: int
    cell_id: int
    frame: Frame
    scale: float = 1.0
    parts: tuple[Frame, ...] | None = None
    moving: Moving | None = None


MovingOf = Callable[[Model, float], Moving | None]
"""How the parts of a static of a scale move and start effects; None where they do not."""


def still(_: Model, __: float) -> Moving | None:
    """Nothing moves by itself."""
    return None


class SourceRecords:
    """Records of a source, each read once; what is damaged is reported, what is missing makes no effect."""

    def __init__(self, source: WorldSource, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._emitters: dict[int, ParticleEmitter | None] = {}
        self._scripts: dict[int, PhysicsScript | None] = {}
        self._tables: dict[int, PhysicsScriptTable | None] = {}
        self._looks: dict[int, Look] = {}

    def emitter(self, emitter_id: int) -> ParticleEmitter | None:
        """A particle emitter."""
        if emitter_id not in self._emitters:
            record = self._sound(self._source.particle_emitter, emitter_id)
            if record is not None and not self._problems.fetch(self._source.gfx_obj, record.hw_gfxobj):
                record = None
            self._emitters[emitter_id] = record
        return self._emitters[emitter_id]

    def script(self, script_id: int) -> PhysicsScript | None:
        """A script."""
        if script_id not in self._scripts:
            self._scripts[script_id] = self._sound(self._source.physics_script, script_id)
        return self._scripts[script_id]

    def script_table(self, table_id: int) -> PhysicsScriptTable | None:
        """A table of scripts."""
        if table_id not in self._tables:
            self._tables[table_id] = self._problems.fetch(self._source.physics_script_table, table_id)
        return self._tables[table_id]

    def look(self, gfxobj_id: int) -> Look:
        """A model's levels of detail and its middle."""
        found = self._looks.get(gfxobj_id)
        if found is None:
            found = self._looks[gfxobj_id] = self._look(gfxobj_id)
        return found

    def _sound(self, read: Callable[[int], T | None], object_id: int) -> T | None:
        """A record whose numbers make sense; one with others is reported and counts as missing."""
        record = self._problems.fetch(read, object_id)
        fault = next(faults(record), None) if record is not None else None
        if fault is None:
            return record
        where, reason = fault
        self._problems.report(f"{self._source.name}, object 0x{object_id:08X}: {where} {reason}; left out")
        return None

    def _look(self, gfxobj_id: int) -> Look:
        model = self._problems.fetch(self._source.gfx_obj, gfxobj_id)
        levels: tuple[DegradeLevel, ...] = ()
        center: Vec3 = (0.0, 0.0, 0.0)
        if model is not None:
            center = model.sort_center
            info = self._problems.fetch(self._source.degrade_info, model.degrade) if model.degrade else None
            levels = info.levels if info is not None else ()
        return Look.of(gfxobj_id, levels, center)


class WorldEffects(Effects):
    """Keeps the owners in step with the loaded landblocks; ``moving_of`` tells which statics move."""

    def __init__(self, world: World, seed: int = 1, moving_of: MovingOf = still) -> None:
        super().__init__(SourceRecords(world.source, world.problems), seed)
        self.world = world
        self._moving_of = moving_of
        self._of_block: dict[int, list[tuple[str, int]]] = {}
        self._entities: dict[int, EntityPlace] = {}
        for block in world.blocks.values():
            self._load(block)
        world.on_load.append(self._load)
        world.on_unload.append(self._unload)

    def close(self) -> None:
        """Stop listening to the world."""
        self.world.on_load.remove(self._load)
        self.world.on_unload.remove(self._unload)

    def follow(self, entities: Iterable[EntityPlace]) -> None:
        """Bring what moves or comes and goes by itself to where it is now."""
        here = {entity.entity_id: entity for entity in entities}
        for entity_id in [known for known in self._entities if known not in here]:
            del self._entities[entity_id]
            self.remove((ENTITY, entity_id))
        for entity_id, entity in here.items():
            before = self._entities.get(entity_id)
            if before == entity:
                continue
            self._entities[entity_id] = entity
            model = self.world.model(entity.model_id)
            if model is None or not (model.script or model.script_table or entity.moving):
                continue
            parts = entity.parts if entity.parts is not None else model.part_frames
            parts = scaled(parts, entity.scale)
            if before is not None and (ENTITY, entity_id) in self.owners:
                self.place((ENTITY, entity_id), entity.cell_id, entity.frame, parts)
            else:
                self._stand(
                    (ENTITY, entity_id),
                    model,
                    entity.cell_id,
                    entity.frame,
                    parts=parts,
                    static=False,
                    moving=entity.moving,
                )

    def say(self) -> None:
        """Report scripts that never end, each owner's once, and what found no room."""
        say_lacks(self, self.world)
        for key in self.looped:
            self.world.problems.report(
                f"{self.world.source.name}: a script of what stands about ({key}) calls itself again and "
                "again in no time: it is left out"
            )
        self.looped.clear()

    def _load(self, block: Landblock) -> None:
        keys = self._of_block[block.id] = []
        for number, placed in enumerate(block.statics):
            model = self.world.model(placed.model_id)
            moving = self._moving_of(model, placed.scale) if model is not None and model.animation else None
            if model is not None and (model.script or moving is not None):
                key = (f"{PLACED} {block.id:08X}", number)
                parts = scaled(model.part_frames, placed.scale)
                self._stand(key, model, placed.cell_id, placed.frame, parts=parts, moving=moving)
                keys.append(key)
        for building in block.buildings:
            model = self.world.model(building.model_id)
            if model is not None and model.script:
                key = (f"{SHELL} {block.id:08X}", building.index)
                self._stand(key, model, building.pos.cell_id, building.pos.frame, parts=model.part_frames)
                keys.append(key)

    def _unload(self, block: Landblock) -> None:
        for key in self._of_block.pop(block.id, ()):
            self.remove(key)

    def _stand(
        self,
        key: tuple[str, int],
        model: Model,
        cell_id: int,
        frame: Frame,
        *,
        parts: tuple[Frame, ...],
        static: bool = True,
        moving: Moving | None = None,
    ) -> None:
        standing = Standing(
            cell_id=cell_id,
            frame=frame,
            parts=parts,
            script=model.script,
            script_table=model.script_table,
            static=static,
            moving=moving,
        )
        self.add(key, standing)


def say_lacks(effects: Effects, world: World) -> None:
    """Report what was not born since it was more than there is room for."""
    for line in effects.pool.room.take_lacks():
        world.problems.report(f"{world.source.name}, {line}")


def scaled(parts: tuple[Frame, ...], scale: float) -> tuple[Frame, ...]:
    """Parts' frames of an object of a scale."""
    return parts if scale == 1.0 else tuple(part.scaled(scale) for part in parts)
