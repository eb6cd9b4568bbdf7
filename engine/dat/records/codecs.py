"""All codecs by type: bytes to record and back, for callers that know an id and a file's kind."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from engine.dat.errors import DatError
from engine.dat.primitives import Reader, Writer
from engine.dat.records.animation import read_animation, write_animation
from engine.dat.records.env_cell import read_env_cell, write_env_cell
from engine.dat.records.environment import read_environment, write_environment
from engine.dat.records.gfx_obj import read_gfx_obj, write_gfx_obj
from engine.dat.records.gfx_obj_degrade_info import read_gfx_obj_degrade_info, write_gfx_obj_degrade_info
from engine.dat.records.iteration import read_iteration, write_iteration
from engine.dat.records.land_block import read_land_block, write_land_block
from engine.dat.records.land_block_info import read_land_block_info, write_land_block_info
from engine.dat.records.motion_table import read_motion_table, write_motion_table
from engine.dat.records.pal_set import read_pal_set, write_pal_set
from engine.dat.records.palette import read_palette, write_palette
from engine.dat.records.particle_emitter import read_particle_emitter, write_particle_emitter
from engine.dat.records.physics_script import read_physics_script, write_physics_script
from engine.dat.records.physics_script_table import (
    read_physics_script_table,
    write_physics_script_table,
)
from engine.dat.records.region import read_region, write_region
from engine.dat.records.render_surface import read_render_surface, write_render_surface
from engine.dat.records.scene import read_scene, write_scene
from engine.dat.records.setup import read_setup, write_setup
from engine.dat.records.surface import read_surface, write_surface
from engine.dat.records.surface_texture import read_surface_texture, write_surface_texture
from engine.named_tuple import NamedTuple


class Codec(NamedTuple):
    """How one type of record is read and written."""

    type: str
    read: Callable[[Reader], Any]
    write: Callable[[Writer, Any], None]


CODECS: dict[str, Codec] = {
    codec.type: codec
    for codec in (
        Codec("Animation", read_animation, write_animation),
        Codec("EnvCell", read_env_cell, write_env_cell),
        Codec("Environment", read_environment, write_environment),
        Codec("GfxObj", read_gfx_obj, write_gfx_obj),
        Codec("GfxObjDegradeInfo", read_gfx_obj_degrade_info, write_gfx_obj_degrade_info),
        Codec("Iteration", read_iteration, write_iteration),
        Codec("LandBlock", read_land_block, write_land_block),
        Codec("LandBlockInfo", read_land_block_info, write_land_block_info),
        Codec("MotionTable", read_motion_table, write_motion_table),
        Codec("PalSet", read_pal_set, write_pal_set),
        Codec("Palette", read_palette, write_palette),
        Codec("ParticleEmitter", read_particle_emitter, write_particle_emitter),
        Codec("PhysicsScript", read_physics_script, write_physics_script),
        Codec("PhysicsScriptTable", read_physics_script_table, write_physics_script_table),
        Codec("Region", read_region, write_region),
        Codec("RenderSurface", read_render_surface, write_render_surface),
        Codec("Scene", read_scene, write_scene),
        Codec("Setup", read_setup, write_setup),
        Codec("Surface", read_surface, write_surface),
        Codec("SurfaceTexture", read_surface_texture, write_surface_texture),
    )
}


def decode(object_type: str, data: bytes, file: str = "", object_id: int | None = None) -> Any:
    """The record that ``data`` holds, read to its last byte.

    ``object_id`` is what the record must say of itself. Raises DatError naming file, id and offset.
    """
    codec = CODECS.get(object_type)
    if codec is None:
        raise DatError(file, object_id, None, f"objects of the type {object_type} are not decoded")
    reader = Reader(data, file, object_id)
    record = codec.read(reader)
    reader.finish()
    return record


def encode(record: Any) -> bytes:
    """The bytes of a record. Raises DatError where it does not agree with itself or fit its layout."""
    name = type(record).__name__
    object_id = getattr(record, "id", None)
    codec = CODECS.get(name)
    if codec is None:
        raise DatError("", object_id, None, f"{name} is no record that can be written")
    writer = Writer()
    try:
        codec.write(writer, record)
    except (struct.error, OverflowError, ValueError) as error:
        raise DatError("", object_id, len(writer.out), f"{name} can't be written: {error}") from error
    return bytes(writer.out)
