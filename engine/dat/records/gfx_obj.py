"""GfxObj, 0x01: a rigid piece of geometry with its trees (dat-format 3.9)."""

from __future__ import annotations

from engine.dat.pieces.bsp_record import BspNode, TreeKind, read_bsp, write_bsp
from engine.dat.pieces.geometry import (
    Polygon,
    VertexArray,
    read_polygons,
    read_vertex_array,
    write_polygons,
    write_vertex_array,
)
from engine.dat.primitives import Reader, Writer
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple

HAS_PHYSICS, HAS_DRAWING, HAS_DEGRADE = 0x1, 0x2, 0x8


class GfxObj(NamedTuple):
    """A model part in its own space: vertices, surfaces (full 0x08… ids), physics and drawing sides.

    Physics and drawing polygons share the vertices but not their keys. What the flags don't announce is
    None; ``degrade`` is a GfxObjDegradeInfo id.
    """

    id: int
    flags: int
    surfaces: tuple[int, ...]
    vertex_array: VertexArray
    physics_polygons: tuple[Polygon, ...] | None = None
    physics_bsp: BspNode | None = None
    sort_center: Vec3 = (0.0, 0.0, 0.0)
    polygons: tuple[Polygon, ...] | None = None
    drawing_bsp: BspNode | None = None
    degrade: int | None = None


def read_gfx_obj(reader: Reader) -> GfxObj:
    """A GfxObj record; nothing in it is aligned."""
    gfx_obj_id, flags = reader.header_id(), reader.u32()
    surfaces = reader.array("I", reader.cuint())
    vertex_array = read_vertex_array(reader)
    physics_polygons = polygons = None
    physics_bsp = drawing_bsp = None
    if flags & HAS_PHYSICS:
        physics_polygons = read_polygons(reader, reader.cuint())
        physics_bsp = read_bsp(reader, TreeKind.PHYSICS)
    sort_center = reader.vec3()
    if flags & HAS_DRAWING:
        polygons = read_polygons(reader, reader.cuint())
        drawing_bsp = read_bsp(reader, TreeKind.DRAWING)
    degrade = reader.u32() if flags & HAS_DEGRADE else None
    return GfxObj(
        id=gfx_obj_id,
        flags=flags,
        surfaces=surfaces,
        vertex_array=vertex_array,
        physics_polygons=physics_polygons,
        physics_bsp=physics_bsp,
        sort_center=sort_center,
        polygons=polygons,
        drawing_bsp=drawing_bsp,
        degrade=degrade,
    )


def write_gfx_obj(writer: Writer, gfx_obj: GfxObj) -> None:
    """A GfxObj record; its parts must be there exactly as the flags say."""
    flags = gfx_obj.flags
    for bit, parts in (
        (HAS_PHYSICS, (gfx_obj.physics_polygons, gfx_obj.physics_bsp)),
        (HAS_DRAWING, (gfx_obj.polygons, gfx_obj.drawing_bsp)),
        (HAS_DEGRADE, (gfx_obj.degrade,)),
    ):
        for part in parts:
            writer.require((part is not None) == bool(flags & bit), f"flag {bit} and what is there disagree")
    writer.u32(gfx_obj.id)
    writer.u32(flags)
    writer.cuint(len(gfx_obj.surfaces))
    writer.array("I", gfx_obj.surfaces)
    write_vertex_array(writer, gfx_obj.vertex_array)
    if gfx_obj.physics_polygons is not None and gfx_obj.physics_bsp is not None:
        writer.cuint(len(gfx_obj.physics_polygons))
        write_polygons(writer, gfx_obj.physics_polygons)
        write_bsp(writer, gfx_obj.physics_bsp, TreeKind.PHYSICS)
    writer.vec3(gfx_obj.sort_center)
    if gfx_obj.polygons is not None and gfx_obj.drawing_bsp is not None:
        writer.cuint(len(gfx_obj.polygons))
        write_polygons(writer, gfx_obj.polygons)
        write_bsp(writer, gfx_obj.drawing_bsp, TreeKind.DRAWING)
    if gfx_obj.degrade is not None:
        writer.u32(gfx_obj.degrade)
