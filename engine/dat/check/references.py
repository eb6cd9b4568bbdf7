"""Which other objects a record names, for ``holtwalk dat check``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import GfxObjDegradeInfo
from engine.dat.records.land_block_info import LandBlockInfo
from engine.dat.records.motion_table import MotionTable
from engine.dat.records.pal_set import PalSet
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.records.region import Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import Scene
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface

MODEL = ("GfxObj", "Setup")
Reference = tuple[int, tuple[str, ...]]  # an id and the types it may be of; 0 names nothing

_HOOK_VALUES = {
    "wave": "Wave",
    "gfxobj": "GfxObj",
    "emitter_info": "ParticleEmitter",
    "script": "PhysicsScript",
}


def references(record: Any) -> Iterator[Reference]:
    """The ids in a record that must exist in portal or highres, with the types they may be of.

    A SurfaceTexture's images are left out: one of them is enough. Cells are named by low words and are
    looked at with the cell itself.
    """
    match record:
        case GfxObj():
            yield from _all(record.surfaces, "Surface")
            yield record.degrade or 0, ("GfxObjDegradeInfo",)
        case Setup():
            yield from _all(record.parts, "GfxObj")
            yield record.animation, ("Animation",)
            yield record.script, ("PhysicsScript",)
            yield record.motion_table, ("MotionTable",)
            yield record.sound_table, ("SoundTable",)
            yield record.script_table, ("PhysicsScriptTable",)
            for placement in record.placements:
                yield from _hooks(placement.hooks)
        case Surface():
            yield record.texture or 0, ("SurfaceTexture",)
            yield record.palette or 0, ("Palette",)
        case RenderSurface():
            yield record.palette or 0, ("Palette",)
        case PalSet():
            yield from _all(record.palettes, "Palette")
        case GfxObjDegradeInfo():
            yield from _all((level.gfxobj for level in record.levels), "GfxObj")
        case Scene():
            for obj in record.objects:
                yield obj.id, MODEL
        case Animation():
            for frame in record.frames:
                yield from _hooks(frame.hooks)
        case PhysicsScript():
            yield from _hooks(item.hook for item in record.items)
        case ParticleEmitter():
            yield record.gfxobj, ("GfxObj",)
            yield record.hw_gfxobj, ("GfxObj",)
        case PhysicsScriptTable():
            for play in record.plays:
                yield from _all((choice.script for choice in play.choices), "PhysicsScript")
        case MotionTable():
            for motion in record.motions():
                yield from _all((anim.id for anim in motion.anims), "Animation")
        case EnvCell():
            yield from _all(record.surface_ids, "Surface")
            yield record.environment_id, ("Environment",)
            for stab in record.statics or ():
                yield stab.id, MODEL
        case LandBlockInfo():
            for stab in record.objects:
                yield stab.id, MODEL
            for building in record.buildings:
                yield building.model, MODEL
        case Region():
            yield from _region(record)
        case _:
            return


def _region(region: Region) -> Iterator[Reference]:
    for table in region.sound or ():
        yield table.table, ("SoundTable",)
    for scene in region.scene or ():
        yield from _all(scene.scenes, "Scene")
    for group in region.sky.groups if region.sky else ():
        for item in group.objects:
            yield item.gfxobj, ("GfxObj",)
            yield item.pes, ("PhysicsScript",)
        for time in group.times:
            yield from _all((change.gfxobj for change in time.replace), "GfxObj")
    merge = region.terrain.texmerge
    for maps in (merge.corner, merge.side, merge.road):
        yield from _all((item.texture for item in maps), "SurfaceTexture")
    for tex in merge.terrain:
        yield tex.texture, ("SurfaceTexture",)
        yield tex.detail_texture, ("SurfaceTexture",)
    if region.misc is not None:
        yield region.misc.game_map, ("RenderSurface",)
        yield region.misc.autotest_map, ("RenderSurface",)
        yield region.misc.clear_cell, ("GfxObj",)
        yield region.misc.clear_monster, ("GfxObj",)


def _hooks(hooks: Any) -> Iterator[Reference]:
    hook: AnimationHook
    for hook in hooks:
        for name, value in hook.payload().items():
            if name in _HOOK_VALUES and isinstance(value, int):
                yield value, (_HOOK_VALUES[name],)


def _all(ids: Any, name: str) -> Iterator[Reference]:
    for object_id in ids:
        yield object_id, (name,)
