"""One record of every type, with every optional part in it somewhere."""

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.pieces.hooks import PAYLOADS, AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.gfx_obj_degrade_info import DegradeLevel, GfxObjDegradeInfo
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
from engine.dat.records.physics_script_table import PhysicsScriptTable, PlayType, ScriptChoice
from engine.dat.records.region import (
    AmbientSound,
    AmbientTable,
    GameTime,
    LandDefs,
    Region,
    RegionMisc,
    SceneType,
    Season,
    TimeOfDay,
)
from engine.dat.records.region_sky import DayGroup, SkyDesc, SkyObject, SkyObjectReplace, SkyTimeOfDay
from engine.dat.records.region_terrain import TerrainAlphaMap, TerrainDesc, TerrainTex, TerrainType, TexMerge
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.records.setup import NO_PARENT, Light, Location, Placement, Setup
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import IDENTITY_FRAME, CylSphere, Plane, Sphere, StoredFrame

GARBAGE = -431602080.0  # what 0xCDCDCDCD reads as
TURNED = StoredFrame((1.5, -2.0, 0.25), (0.5, 0.5, -0.5, 0.5))
UP = Plane((0.0, 0.0, 1.0), 0.0)
BALL = Sphere((0.0, 0.0, 0.0), 3.0)


def leaf(index=0, solid=0, polys=()):
    return BspNode("LEAF", index=index, solid=solid, sphere=Sphere((0.0, 0.0, 0.0), 0.0), polys=tuple(polys))


def hook_values(kind):
    """Values of every encoding that a hook's payload has."""
    made = {
        "u8": 3,
        "u32": 7,
        "f32": 0.25,
        "vec3": (0.5, -1.0, 2.0),
        "frame": TURNED,
        "gfxobj": 0x01000000,
    }
    return tuple(made[encoding] for _, encoding in PAYLOADS[kind])


ALL_HOOKS = tuple(
    AnimationHook(kind, (-1, 0, 1)[position % 3], hook_values(kind)) for position, kind in enumerate(PAYLOADS)
)

VERTICES = VertexArray(
    1,
    (
        SWVertex(0, (-2.0, -2.0, 0.0), (0.0, 0.0, 1.0), ((0.0, 1.0),)),
        SWVertex(1, (2.0, -2.0, 0.0), (0.0, 0.0, 1.0), ((1.0, 1.0), (0.5, 0.5))),
        SWVertex(2, (2.0, 2.0, 0.0), (0.0, 0.0, 1.0), ((1.0, 0.0),)),
        SWVertex(3, (-2.0, 2.0, 0.0), (0.0, 0.0, 1.0)),
    ),
)
FLOOR = Polygon(
    key=0,
    stippling=1,
    sides_type=0,
    pos_surface=0,
    neg_surface=-1,
    vertex_ids=(0, 1, 2, 3),
    pos_uv_indices=(0, 0, 0, 0),
)
PORTAL = Polygon(key=1, stippling=4, sides_type=0, pos_surface=1, neg_surface=-1, vertex_ids=(3, 2, 1, 0))
TWO_SIDED = Polygon(
    key=2,
    stippling=0,
    sides_type=2,
    pos_surface=0,
    neg_surface=1,
    vertex_ids=(0, 1, 2),
    pos_uv_indices=(0, 1, 0),
    neg_uv_indices=(0, 0, 0),
)

DRAWING_TREE = BspNode(
    tag="PORT",
    plane=UP,
    pos_child=BspNode("LEAF", index=2),
    neg_child=BspNode(
        tag="BPIN",
        plane=UP,
        pos_child=BspNode(
            tag="BPIn",
            plane=UP,
            pos_child=BspNode(
                tag="BPOL",
                plane=Plane((GARBAGE, GARBAGE, GARBAGE), GARBAGE),
                pos_child=None,
                neg_child=None,
                sphere=BALL,
                polys=(2,),
            ),
            neg_child=None,
            sphere=BALL,
            polys=(0,),
        ),
        neg_child=BspNode(
            tag="BpIN",
            plane=UP,
            pos_child=None,
            neg_child=BspNode(tag="BPFL", plane=UP, pos_child=None, neg_child=None, sphere=BALL, polys=()),
            sphere=BALL,
            polys=(0, 1),
        ),
        sphere=BALL,
        polys=(),
    ),
    sphere=BALL,
    polys=(),
    portals=(PortalRef(1, 0),),
)
PHYSICS_TREE = BspNode(tag="BPnN", plane=UP, pos_child=leaf(), neg_child=leaf(1, 1, (0,)), sphere=BALL)
CELL_TREE = BspNode("BPnn", UP, BspNode("BPFL", Plane((0.0, 0.0, -1.0), 3.0)))

GFX_OBJ = GfxObj(
    id=0x01000010,
    flags=11,
    surfaces=(0x08000001, 0x08000002),
    vertex_array=VERTICES,
    physics_polygons=(FLOOR,),
    physics_bsp=PHYSICS_TREE,
    sort_center=(0.25, 0.5, 0.75),
    polygons=(FLOOR, PORTAL, TWO_SIDED),
    drawing_bsp=DRAWING_TREE,
    degrade=0x11000001,
)
ENVIRONMENT = Environment(
    0x0D000001,
    (
        CellStruct(
            key=0,
            vertex_array=VERTICES,
            polygons=(FLOOR, PORTAL),
            portals=(1,),
            cell_bsp=CELL_TREE,
            physics_polygons=(FLOOR,),
            physics_bsp=PHYSICS_TREE,
            drawing_bsp=None,
        ),
        CellStruct(
            key=1,
            vertex_array=VERTICES,
            polygons=(FLOOR,),
            portals=(),
            cell_bsp=CELL_TREE,
            physics_polygons=(),
            physics_bsp=leaf(),
            drawing_bsp=BspNode("LEAF", index=0),
        ),
    ),
)
ENV_CELL = EnvCell(
    id=0x12340100,
    flags=0xB,
    surfaces=(0x34, 0x35, 0x36),
    environment=1,
    structure=0,
    frame=TURNED,
    portals=(CellPortal(7, 1, 0xFFFF, -1),),
    visible=(0x101, 0x102),
    statics=(Stab(0x02000001, TURNED),),
    restriction=0x7A000001,
)
LAND_BLOCK = LandBlock(0x1234FFFF, 1, tuple(range(81)), tuple(range(100, 181)))
LAND_BLOCK_INFO = LandBlockInfo(
    id=0x1234FFFE, num_cells=1, objects=(Stab(0x01000010, TURNED),), mask=1,
    buildings=(
        BuildingInfo(
            0x02000001, IDENTITY_FRAME, 12,
            (BldPortal(3, 0x100, 0, (0x100,)), BldPortal(1, 0x100, -1, (0x100, 0x101))),
        ),
    ),
    restrictions=RestrictionTable(8, (Restriction(0, 0x7526200C), Restriction(9, 1))),
)  # fmt: skip
SETUP = Setup(
    id=0x02000001,
    flags=11,
    parts=(0x01000010, 0x01000010),
    parents=(NO_PARENT, 0),
    scales=((1.0, 1.0, 1.0), (2.0, 2.0, 0.5)),
    holding=(Location(1, 0, TURNED),),
    connection=(Location(2, 1, TURNED),),
    placements=(
        Placement(0, (IDENTITY_FRAME, TURNED)),
        Placement(0x65, (TURNED, TURNED), (AnimationHook(1, 0, (0x0A000001,)),)),
    ),
    cylspheres=(CylSphere((0.0, 0.0, 0.5), 0.25, 1.0),),
    spheres=(Sphere((0.0, 0.0, 0.018), 0.1),),
    height=2.0,
    radius=0.5,
    step_up=0.4,
    step_down=0.3,
    sorting=BALL,
    selection=BALL,
    lights=(Light(key=0, frame=TURNED, color=0xFFFFAA00, intensity=100.0, falloff=6.0, cone=GARBAGE),),
    animation=0x03000001,
    script=0x33000001,
    motion_table=0x09000001,
    sound_table=0x20000001,
    script_table=0x34000001,
)
ANIMATION = Animation(
    id=0x03000001, flags=3, num_parts=2, pos_frames=(TURNED, IDENTITY_FRAME),
    frames=(AnimFrame((TURNED, IDENTITY_FRAME), ALL_HOOKS[:3]), AnimFrame((IDENTITY_FRAME, TURNED))),
)  # fmt: skip
STRETCH = AnimData(0x03000001, 0, -1, -15.0)
MOTION_TABLE = MotionTable(
    id=0x09000001,
    default_style=0x8000003D,
    style_defaults=(StyleDefault(0x8000003D, 0x4000000C),),
    cycles=(MotionData(0x003D000B, 1, 0, (STRETCH,)), MotionData(0x003D000C, 0, 0, ())),
    modifiers=(
        MotionData(
            key=0x003D0007, bits=2, flags=3, anims=(), velocity=(0.0, 1.0, 0.0), omega=(0.0, 0.0, 0.5)
        ),
    ),
    links=(
        Link(
            0x003D000C,
            (
                LinkTarget(
                    target=0x4000000B, bits=0, flags=1, anims=(STRETCH, STRETCH), velocity=(1.0, 0.0, 0.0)
                ),
            ),
        ),
    ),
)
PHYSICS_SCRIPT = PhysicsScript(
    0x33000001, tuple(ScriptItem(0.25 * position, hook) for position, hook in enumerate(ALL_HOOKS))
)
EMITTER = ParticleEmitter(
    id=0x32000001,
    unknown=5,
    emitter_type=1,
    particle_type=3,
    gfxobj=0x01000010,
    hw_gfxobj=0x01000010,
    birthrate=0.05,
    max_particles=40,
    initial_particles=10,
    total_particles=0,
    total_seconds=0.0,
    lifespan=1.5,
    lifespan_rand=0.5,
    offset_dir=(0.0, 0.0, 1.0),
    min_offset=0.125,
    max_offset=0.25,
    a=(0.0, 0.5, 2.0),
    min_a=0.75,
    max_a=1.25,
    b=(0.0, 0.0, -1.0),
    min_b=1.0,
    max_b=1.0,
    c=(0.25, 0.0, 0.0),
    min_c=-1.0,
    max_c=1.0,
    start_scale=0.5,
    final_scale=1.5,
    scale_rand=0.125,
    start_trans=0.25,
    final_trans=1.0,
    trans_rand=0.0625,
    parent_local=1,
)
SCRIPT_TABLE = PhysicsScriptTable(
    0x34000001,
    (PlayType(0x4B, (ScriptChoice(0.0, 0x33000001), ScriptChoice(1.0, 0x33000001))), PlayType(0x53, ())),
)
REGION = Region(
    id=0x13000000,
    number=1,
    version=3,
    name="Nowhere",
    land=LandDefs.usual(tuple(2.0 * index for index in range(256))),
    time=GameTime(
        zero_time=3333.125,
        zero_year=10,
        day_length=7620.0,
        days_per_year=360,
        suffix="P.Y.",
        times=(TimeOfDay(0.0, 1, "Foredawn"), TimeOfDay(0.5, 0, "")),
        days=("Oneday", "é"),
        seasons=(Season(0, "Warm"), Season(180, "Colder")),
    ),
    parts=0x21F,
    sky=SkyDesc(
        1.5,
        20.25,
        (
            DayGroup(
                60.0,
                "Clear",
                (
                    SkyObject(
                        begin=0.2,
                        end=0.8,
                        begin_angle=-10.0,
                        end_angle=190.0,
                        vel_x=0.0,
                        vel_y=0.01,
                        gfxobj=0x01000010,
                        pes=0,
                        properties=1,
                    ),
                ),
                (
                    SkyTimeOfDay(
                        begin=0.0,
                        dir_bright=0.5,
                        dir_heading=90.0,
                        dir_pitch=30.0,
                        dir_color=0xFFF0E0D0,
                        amb_bright=0.2,
                        amb_color=0xFF808090,
                        fog_min=50.0,
                        fog_max=400.0,
                        fog_color=0xFFA0B0C0,
                        fog_mode=0,
                        replace=(
                            SkyObjectReplace(
                                index=0,
                                gfxobj=0,
                                rotate=12.0,
                                transparent=-1.0,
                                luminosity=0.4,
                                max_bright=0.9,
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
    sound=(
        AmbientTable(
            0x20000001, (AmbientSound(type=70, volume=0.5, base_chance=0.0, min_rate=1.0, max_rate=3.5),)
        ),
    ),
    scene=(SceneType(-1, (0x12000001,)), SceneType(0, ())),
    terrain=TerrainDesc(
        (TerrainType("BarrenRock", 0xFF112233, (0, -1)), TerrainType("Grassland", 0, ())),
        0,
        TexMerge(
            base_size=256,
            corner=(TerrainAlphaMap(8, 0x05000001),),
            side=(TerrainAlphaMap(9, 0x05000001),),
            road=(TerrainAlphaMap(8, 0x05000001), TerrainAlphaMap(10, 0x05000001)),
            terrain=(
                TerrainTex(
                    type=0,
                    texture=0x05000001,
                    tiling=1,
                    max_bright=10,
                    min_bright=5,
                    max_sat=20,
                    min_sat=1,
                    max_hue=30,
                    min_hue=2,
                    detail_tiling=7,
                    detail_texture=0x05000001,
                ),
            ),
        ),
    ),
    misc=RegionMisc(
        version=1,
        game_map=0x06000001,
        autotest_map=0x06000002,
        autotest_size=4,
        clear_cell=0x01000010,
        clear_monster=0x01000010,
    ),
)
SCENE = Scene(
    0x12000001,
    (
        ObjectDesc(
            id=0x01000010,
            base=TURNED,
            freq=0.3,
            disp_x=10.0,
            disp_y=8.5,
            min_scale=0.8,
            max_scale=1.2,
            max_rot=360.0,
            min_slope=0.0,
            max_slope=1.0,
            align=1,
            orient=0,
            weenie=0,
        ),
    ),
)

RECORDS = (
    LAND_BLOCK,
    LAND_BLOCK_INFO,
    ENV_CELL,
    ENVIRONMENT,
    GFX_OBJ,
    GfxObjDegradeInfo(0x11000001, (DegradeLevel(gfxobj=0x01000010, mode=1, min=10.0, ideal=25.0, max=50.0),)),
    SETUP,
    Surface(
        type=0x2, texture=0x05000001, palette=0, color=None, translucency=0.5, luminosity=0.25, diffuse=1.0
    ),
    Surface(
        type=0x11, texture=None, palette=None, color=0x80FF8040, translucency=1.0, luminosity=0.0, diffuse=0.0
    ),
    SurfaceTexture(0x05000001, 0, 2, (0x06000001, 0x06000002)),
    RenderSurface(
        id=0x06000001, category=0, width=2, height=2, format=PixelFormat.A8R8G8B8, data=bytes(range(16))
    ),
    RenderSurface(
        id=0x06000002,
        category=6,
        width=2,
        height=1,
        format=PixelFormat.INDEX16,
        data=bytes((1, 0, 9, 0)),
        palette=0x04000001,
    ),
    Palette(0x04000001, tuple(0xFF000000 | index * 0x010203 for index in range(16))),
    PalSet(0x0F000001, (0x04000001,)),
    REGION,
    SCENE,
    ANIMATION,
    MOTION_TABLE,
    PHYSICS_SCRIPT,
    EMITTER,
    SCRIPT_TABLE,
    Iteration(3, (Run(1, 1), Run(2, 2))),
)


def name_of(record):
    return f"{type(record).__name__}-{getattr(record, 'id', 0):08X}"
