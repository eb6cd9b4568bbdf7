"""Which other objects a record names, for ``holtwalk dat check`` and ``dat grep``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import OUTSIDE, EnvCell
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import GfxObjDegradeInfo
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.records.motion_table import MotionTable
from engine.dat.records.pal_set import PalSet
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.records.region import Region
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.named_tuple import NamedTuple

MODEL = ("GfxObj", "Setup")
TEXTURE = ("SurfaceTexture",)
CELL = ("EnvCell",)
ENTITY = ("entity",)  # of no dat: an object of a spawn list

_HOOK_VALUES = {
    "wave": "Wave",
    "gfxobj": "GfxObj",
    "emitter_info": "ParticleEmitter",
    "script": "PhysicsScript",
}


class Reference(NamedTuple):
    """An id that a record names, 0 for nothing; the types it may be of; the field that holds it.

    ``at`` is written as ``to_fields`` names the fields, ``portals[0].other_cell``. Where the field holds a
    low word, ``id`` is the full one.
    """

    id: int
    types: tuple[str, ...]
    at: str


def references(record: Any) -> Iterator[Reference]:  # noqa: PLR0912 - one case a type
    """The ids in a record that must exist in portal or highres, with the types they may be of.

    A SurfaceTexture's images are left out: one of them is enough. Cells are named by low words and are
    looked at with the cell itself. ``mentions`` has these as well.
    """
    match record:
        case GfxObj():
            yield from _all(record.surfaces, "Surface", "surfaces")
            yield Reference(record.degrade or 0, ("GfxObjDegradeInfo",), "degrade")
        case Setup():
            yield from _all(record.parts, "GfxObj", "parts")
            yield Reference(record.animation, ("Animation",), "animation")
            yield Reference(record.script, ("PhysicsScript",), "script")
            yield Reference(record.motion_table, ("MotionTable",), "motion_table")
            yield Reference(record.sound_table, ("SoundTable",), "sound_table")
            yield Reference(record.script_table, ("PhysicsScriptTable",), "script_table")
            for number, placement in enumerate(record.placements):
                yield from _hooks(placement.hooks, f"placements[{number}].hooks")
        case Surface():
            yield Reference(record.texture or 0, ("SurfaceTexture",), "texture")
            yield Reference(record.palette or 0, ("Palette",), "palette")
        case RenderSurface():
            yield Reference(record.palette or 0, ("Palette",), "palette")
        case PalSet():
            yield from _all(record.palettes, "Palette", "palettes")
        case GfxObjDegradeInfo():
            for number, level in enumerate(record.levels):
                yield Reference(level.gfxobj, ("GfxObj",), f"levels[{number}].gfxobj")
        case Scene():
            yield from _placed(record.objects, "objects")
        case Animation():
            for number, frame in enumerate(record.frames):
                yield from _hooks(frame.hooks, f"frames[{number}].hooks")
        case PhysicsScript():
            yield from _hooks((item.hook for item in record.items), "items")
        case ParticleEmitter():
            yield Reference(record.gfxobj, ("GfxObj",), "gfxobj")
            yield Reference(record.hw_gfxobj, ("GfxObj",), "hw_gfxobj")
        case PhysicsScriptTable():
            for number, play in enumerate(record.plays):
                for index, choice in enumerate(play.choices):
                    at = f"plays[{number}].choices[{index}].script"
                    yield Reference(choice.script, ("PhysicsScript",), at)
        case MotionTable():
            yield from _motions(record)
        case EnvCell():
            yield from _all(record.surface_ids, "Surface", "surfaces")
            yield Reference(record.environment_id, ("Environment",), "environment")
            yield from _placed(record.statics or (), "statics")
        case LandBlockInfo():
            yield from _placed(record.objects, "objects")
            for number, building in enumerate(record.buildings):
                yield Reference(building.model, MODEL, f"buildings[{number}].model")
        case Region():
            yield from _region(record)
        case _:
            return


def mentions(record: Any) -> Iterator[Reference]:
    """Every id that a record names, for ``holtwalk dat grep``: images, cells and entities of housing too."""
    yield from references(record)
    match record:
        case SurfaceTexture():
            yield from _all(record.textures, "RenderSurface", "textures")
        case EnvCell():
            base = record.id & 0xFFFF0000
            for number, portal in enumerate(record.portals):
                if portal.other_cell != OUTSIDE:
                    yield Reference(base | portal.other_cell, CELL, f"portals[{number}].other_cell")
            yield from _all((base | low for low in record.visible), *CELL, "visible")
            yield Reference(record.restriction or 0, ENTITY, "restriction")
        case LandBlockInfo():
            base = record.id & 0xFFFF0000
            for number, building in enumerate(record.buildings):
                for index, opening in enumerate(building.portals):
                    at = f"buildings[{number}].portals[{index}]"
                    yield Reference(base | opening.other_cell, CELL, f"{at}.other_cell")
                    yield from _all((base | low for low in opening.stabs), *CELL, f"{at}.stabs")
            for number, item in enumerate(record.restrictions.items if record.restrictions else ()):
                yield Reference(item.key, (*CELL, *ENTITY), f"restrictions.items[{number}].key")
                yield Reference(item.value, ENTITY, f"restrictions.items[{number}].value")
        case _:
            return


def _region(region: Region) -> Iterator[Reference]:
    for number, table in enumerate(region.sound or ()):
        yield Reference(table.table, ("SoundTable",), f"sound[{number}].table")
    for number, scene in enumerate(region.scene or ()):
        yield from _all(scene.scenes, "Scene", f"scene[{number}].scenes")
    for number, group in enumerate(region.sky.groups if region.sky else ()):
        at = f"sky.groups[{number}]"
        for index, item in enumerate(group.objects):
            yield Reference(item.gfxobj, ("GfxObj", "Setup"), f"{at}.objects[{index}].gfxobj")
            yield Reference(item.pes, ("PhysicsScript",), f"{at}.objects[{index}].pes")
        for index, time in enumerate(group.times):
            for place, change in enumerate(time.replace):
                yield Reference(change.gfxobj, ("GfxObj",), f"{at}.times[{index}].replace[{place}].gfxobj")
    merge = region.terrain.texmerge
    for name, maps in (("corner", merge.corner), ("side", merge.side), ("road", merge.road)):
        for number, alpha in enumerate(maps):
            yield Reference(alpha.texture, TEXTURE, f"terrain.texmerge.{name}[{number}].texture")
    for number, tex in enumerate(merge.terrain):
        yield Reference(tex.texture, TEXTURE, f"terrain.texmerge.terrain[{number}].texture")
        yield Reference(tex.detail_texture, TEXTURE, f"terrain.texmerge.terrain[{number}].detail_texture")
    if region.misc is not None:
        yield Reference(region.misc.game_map, ("RenderSurface",), "misc.game_map")
        yield Reference(region.misc.autotest_map, ("RenderSurface",), "misc.autotest_map")
        yield Reference(region.misc.clear_cell, ("GfxObj",), "misc.clear_cell")
        yield Reference(region.misc.clear_monster, ("GfxObj",), "misc.clear_monster")


def _motions(table: MotionTable) -> Iterator[Reference]:
    listed = [(f"cycles[{number}]", motion) for number, motion in enumerate(table.cycles)]
    listed += [(f"modifiers[{number}]", motion) for number, motion in enumerate(table.modifiers)]
    for at, motion in listed:
        for index, anim in enumerate(motion.anims):
            yield Reference(anim.id, ("Animation",), f"{at}.anims[{index}].id")
    for number, link in enumerate(table.links):
        for place, target in enumerate(link.targets):
            for index, anim in enumerate(target.anims):
                at = f"links[{number}].targets[{place}].anims[{index}].id"
                yield Reference(anim.id, ("Animation",), at)


def _hooks(hooks: Iterable[AnimationHook], at: str) -> Iterator[Reference]:
    for number, hook in enumerate(hooks):
        for name, value in hook.payload().items():
            if name in _HOOK_VALUES and isinstance(value, int):
                yield Reference(value, (_HOOK_VALUES[name],), f"{at}[{number}].{name}")


def _placed(things: Iterable[Stab | ObjectDesc], at: str) -> Iterator[Reference]:
    for number, thing in enumerate(things):
        yield Reference(thing.id, MODEL, f"{at}[{number}].id")


def _all(ids: Iterable[int], name: str, at: str) -> Iterator[Reference]:
    for number, object_id in enumerate(ids):
        yield Reference(object_id, (name,), f"{at}[{number}]")
