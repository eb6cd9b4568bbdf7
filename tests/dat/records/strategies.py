"""Hypothesis strategies that make records of every type which agree with themselves."""

import typing

from hypothesis import strategies as st

from engine.dat.pieces.bsp_record import BspNode, PortalRef, TreeKind, has_neg_child, has_pos_child
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.pieces.hooks import PAYLOADS, AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import GfxObjDegradeInfo
from engine.dat.records.iteration import Iteration, Run
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import (
    BldPortal,
    BuildingInfo,
    LandBlockInfo,
    Restriction,
    RestrictionTable,
    Stab,
)
from engine.dat.records.motion_table import AnimData, Link, LinkTarget, MotionData, MotionTable, StyleDefault
from engine.dat.records.pal_set import PalSet
from engine.dat.records.palette import Palette
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.records.physics_script_table import PhysicsScriptTable
from engine.dat.records.region import GameTime, LandDefs, Region, RegionMisc, SceneType, Season, TimeOfDay
from engine.dat.records.region_sky import SkyDesc
from engine.dat.records.region_terrain import TerrainDesc, TerrainType
from engine.dat.records.render_surface import WITH_PALETTE, PixelFormat, RenderSurface, data_size
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.records.setup import Light, Location, Placement, Setup
from engine.dat.records.surface import HAS_IMAGE, Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import CylSphere, Plane, Sphere, StoredFrame

f32 = st.floats(width=32, allow_nan=False)
u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
i16, i32 = (st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (16, 32))
text = st.text(st.sampled_from("abc Zé€\0"), max_size=9)
vec3 = st.tuples(f32, f32, f32)
frame = st.builds(StoredFrame, vec3, st.tuples(f32, f32, f32, f32))
plane, sphere = st.builds(Plane, vec3, f32), st.builds(Sphere, vec3, f32)


def many(items, most=3, least=0):
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def plain(cls, **given):
    """A record whose integers are unsigned, unless said otherwise, and whose lists are made by field type."""
    hints = typing.get_type_hints(cls)
    made = {name: given.get(name, _of(hints[name])) for name in cls._fields}
    return st.builds(cls, **made)


def _of(hint):
    simple = {int: u32, float: f32, str: text, StoredFrame: frame, Sphere: sphere, Plane: plane}
    if hint in simple:
        return simple[hint]
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)
        return many(_of(inner[0])) if inner[1:] == (...,) else st.tuples(*map(_of, inner))
    return plain(hint)


@st.composite
def polygons(draw, most=3):
    out = []
    for key in range(draw(st.integers(0, most))):
        count = draw(st.integers(0, 5))
        stippling, sides = draw(u8), draw(st.integers(0, 3))
        uvs = st.lists(u8, min_size=count, max_size=count).map(tuple)
        out.append(
            Polygon(
                key=key, stippling=stippling, sides_type=sides, pos_surface=draw(i16), neg_surface=draw(i16),
                vertex_ids=draw(st.lists(i16, min_size=count, max_size=count).map(tuple)),
                pos_uv_indices=None if stippling & 4 else draw(uvs),
                neg_uv_indices=draw(uvs) if sides == 2 and not stippling & 8 else None,
            )
        )  # fmt: skip
    return tuple(out)


vertex_array = st.builds(
    VertexArray, i32, many(st.builds(SWVertex, u16, vec3, vec3, many(st.tuples(f32, f32))))
)
TAGS = {
    TreeKind.CELL: ["LEAF", "BPnn", "BPFL", "BpnN", "BPnN", "Abcd"],
    TreeKind.PHYSICS: ["LEAF", "BPnN", "BPnn", "BPOL"],
    TreeKind.DRAWING: ["LEAF", "PORT", "BPIn", "BpIN", "BPIN", "BPOL", "BPFL", "Bpnn", "BpIn"],
}


@st.composite
def trees(draw, kind, depth=3):
    tag = draw(st.sampled_from(TAGS[kind])) if depth else "LEAF"
    keys = many(u16)
    if tag == "LEAF":
        if kind is not TreeKind.PHYSICS:
            return BspNode(tag, leaf_index=draw(i32))
        return BspNode(tag, leaf_index=draw(i32), solid=draw(i32), sphere=draw(sphere), polys=draw(keys))
    drawing = kind is TreeKind.DRAWING
    return BspNode(
        tag=tag,
        plane=draw(plane),
        pos_child=draw(trees(kind, depth - 1)) if has_pos_child(tag) else None,
        neg_child=draw(trees(kind, depth - 1)) if has_neg_child(tag) else None,
        sphere=None if kind is TreeKind.CELL else draw(sphere),
        polys=draw(keys) if drawing else None,
        portals=draw(many(st.builds(PortalRef, u16, u16))) if tag == "PORT" else None,
    )


VALUES = {
    "u8": u8, "u32": u32, "f32": f32, "vec3": vec3, "frame": frame,
    "gfxobj": st.integers(0x01000000, 0x0100FFFF),
}  # fmt: skip
hook = st.sampled_from(sorted(PAYLOADS)).flatmap(
    lambda kind: st.builds(
        AnimationHook, st.just(kind), i32, st.tuples(*(VALUES[encoding] for _, encoding in PAYLOADS[kind]))
    )
)


def poses(parts, cls=AnimFrame, **more):
    return st.builds(cls, frames=many(frame, parts, parts), hooks=many(hook, 2), **more)


@st.composite
def env_cells(draw):
    flags = draw(st.integers(0, 15))
    return EnvCell(
        id=draw(u32),
        flags=flags,
        surfaces=draw(many(u16)),
        environment=draw(u16),
        structure=draw(u16),
        frame=draw(frame),
        portals=draw(many(st.builds(CellPortal, u16, u16, u16, i16))),
        visible=draw(many(u16)),
        statics=draw(many(st.builds(Stab, u32, frame))) if flags & 2 else None,
        restriction=draw(u32) if flags & 8 else None,
    )


@st.composite
def land_block_infos(draw):
    portal = st.builds(BldPortal, u16, u16, i16, many(u16))
    building = st.builds(BuildingInfo, u32, frame, u32, many(portal))
    mask = draw(u16)
    table = st.builds(RestrictionTable, u16, many(plain(Restriction)))
    return LandBlockInfo(
        id=draw(u32),
        num_cells=draw(u32),
        objects=draw(many(st.builds(Stab, u32, frame))),
        mask=mask,
        buildings=draw(many(building)),
        restrictions=draw(table) if mask & 1 else None,
    )


@st.composite
def gfx_objs(draw):
    flags = draw(st.integers(0, 15))
    physics, drawing = flags & 1, flags & 2
    return GfxObj(
        id=draw(u32),
        flags=flags,
        surfaces=draw(many(u32)),
        vertex_array=draw(vertex_array),
        physics_polygons=draw(polygons()) if physics else None,
        physics_bsp=draw(trees(TreeKind.PHYSICS)) if physics else None,
        sort_center=draw(vec3),
        polygons=draw(polygons()) if drawing else None,
        drawing_bsp=draw(trees(TreeKind.DRAWING)) if drawing else None,
        degrade=draw(u32) if flags & 8 else None,
    )


cell_struct = st.builds(
    CellStruct, u32, vertex_array, polygons(), many(u16), trees(TreeKind.CELL), polygons(),
    trees(TreeKind.PHYSICS), st.none() | trees(TreeKind.DRAWING),
)  # fmt: skip


@st.composite
def setups(draw):
    flags, parts = draw(st.integers(0, 15)), draw(st.integers(0, 3))
    location = st.builds(Location, i32, i32, frame)
    return Setup(
        id=draw(u32), flags=flags, parts=draw(many(u32, parts, parts)),
        parents=draw(many(u32, parts, parts)) if flags & 1 else None,
        scales=draw(many(vec3, parts, parts)) if flags & 2 else None,
        holding=draw(many(location)), connection=draw(many(location)),
        placements=draw(many(poses(parts, Placement, key=i32))),
        cylspheres=draw(many(st.builds(CylSphere, vec3, f32, f32))), spheres=draw(many(sphere)),
        height=draw(f32), radius=draw(f32), step_up=draw(f32), step_down=draw(f32), sorting=draw(sphere),
        selection=draw(sphere), lights=draw(many(plain(Light, key=i32))), animation=draw(u32),
        script=draw(u32), motion_table=draw(u32), sound_table=draw(u32), script_table=draw(u32),
    )  # fmt: skip


@st.composite
def surfaces(draw):
    kind = draw(u32)
    image = kind & HAS_IMAGE
    return Surface(
        type=kind,
        texture=draw(u32) if image else None,
        palette=draw(u32) if image else None,
        color=None if image else draw(u32),
        translucency=draw(f32),
        luminosity=draw(f32),
        diffuse=draw(f32),
    )


@st.composite
def render_surfaces(draw):
    code = draw(st.sampled_from(list(PixelFormat)))
    width, height = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    size = data_size(code, width, height)
    size = draw(st.integers(0, 20)) if size is None else size
    palette = draw(u32) if code in WITH_PALETTE else None
    data = draw(st.binary(min_size=size, max_size=size))
    return RenderSurface(
        id=draw(u32),
        category=draw(u32),
        width=width,
        height=height,
        format=int(code),
        data=data,
        palette=palette,
    )


@st.composite
def animations(draw):
    flags, parts, count = draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return Animation(
        id=draw(u32),
        flags=flags,
        num_parts=parts,
        pos_frames=draw(many(frame, count, count)) if flags & 1 else None,
        frames=draw(many(poses(parts), count, count)),
    )


@st.composite
def motions(draw, cls):
    flags = draw(st.integers(0, 7))
    return cls(
        draw(u32), draw(u8), flags, draw(many(st.builds(AnimData, u32, i32, i32, f32))),
        draw(vec3) if flags & 1 else None, draw(vec3) if flags & 2 else None,
    )  # fmt: skip


motion_tables = st.builds(
    MotionTable, u32, u32, many(plain(StyleDefault)), many(motions(MotionData)), many(motions(MotionData)),
    many(st.builds(Link, u32, many(motions(LinkTarget)))),
)  # fmt: skip
scripts = st.builds(PhysicsScript, u32, many(st.builds(ScriptItem, st.floats(allow_nan=False), hook), 6))
iterations = many(st.builds(Run, st.integers(0, 2**31 - 1), st.integers(1, 2**20)), 4).map(
    lambda runs: Iteration(sum(run.length for run in runs), runs)
)
f64 = st.floats(allow_nan=False)
emitters = plain(
    ParticleEmitter,
    **dict.fromkeys(("emitter_type", "particle_type", "parent_local"), i32),
    **dict.fromkeys(("max_particles", "initial_particles", "total_particles"), i32),
    **dict.fromkeys(("birthrate", "total_seconds", "lifespan", "lifespan_rand"), f64),
)
times = st.builds(GameTime, f64, u32, f32, u32, text, many(plain(TimeOfDay)), many(text), many(plain(Season)))


@st.composite
def regions(draw):
    parts = draw(u32)
    land = plain(
        LandDefs,
        length=i32,
        width=i32,
        cells=i32,
        vertices=i32,
        heights=many(f32, 4, 4).map(lambda some: some * 64),
    )
    sky = plain(SkyDesc, tick=f64, light_tick=f64)
    terrain = plain(TerrainDesc, types=many(plain(TerrainType, scenes=many(i32))), surface_type=st.just(0))
    hints = typing.get_type_hints(Region)
    sound = _of(typing.get_args(hints["sound"])[0])
    return Region(
        id=draw(u32),
        number=draw(u32),
        version=draw(u32),
        name=draw(text),
        land=draw(land),
        time=draw(times),
        parts=parts,
        sky=draw(sky) if parts & 0x10 else None,
        sound=draw(sound) if parts & 0x1 else None,
        scene=draw(many(plain(SceneType, sound_index=i32))) if parts & 0x2 else None,
        terrain=draw(terrain),
        misc=draw(plain(RegionMisc)) if parts & 0x200 else None,
    )


RECORDS = {
    "Animation": animations(),
    "EnvCell": env_cells(),
    "Environment": st.builds(Environment, u32, many(cell_struct, 2)),
    "GfxObj": gfx_objs(),
    "GfxObjDegradeInfo": plain(GfxObjDegradeInfo),
    "Iteration": iterations,
    "LandBlock": st.builds(LandBlock, u32, u32, many(u16, 81, 81), many(u8, 81, 81)),
    "LandBlockInfo": land_block_infos(),
    "MotionTable": motion_tables,
    "PalSet": plain(PalSet),
    "Palette": plain(Palette),
    "ParticleEmitter": emitters,
    "PhysicsScript": scripts,
    "PhysicsScriptTable": plain(PhysicsScriptTable),
    "Region": regions(),
    "RenderSurface": render_surfaces(),
    "Scene": st.builds(Scene, u32, many(plain(ObjectDesc))),
    "Setup": setups(),
    "Surface": surfaces(),
    "SurfaceTexture": plain(SurfaceTexture, type=u8),
}
