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
FLOOR = Polygon(0, 1, 0, 0, -1, (0, 1, 2, 3), (0, 0, 0, 0))
PORTAL = Polygon(1, 4, 0, 1, -1, (3, 2, 1, 0))
TWO_SIDED = Polygon(2, 0, 2, 0, 1, (0, 1, 2), (0, 1, 0), (0, 0, 0))

DRAWING_TREE = BspNode(
    "PORT",
    UP,
    BspNode("LEAF", index=2),
    BspNode(
        "BPIN",
        UP,
        BspNode(
            "BPIn",
            UP,
            BspNode("BPOL", Plane((GARBAGE, GARBAGE, GARBAGE), GARBAGE), None, None, BALL, (2,)),
            None,
            BALL,
            (0,),
        ),
        BspNode("BpIN", UP, None, BspNode("BPFL", UP, None, None, BALL, ()), BALL, (0, 1)),
        BALL,
        (),
    ),
    BALL,
    (),
    (PortalRef(1, 0),),
)
PHYSICS_TREE = BspNode("BPnN", UP, leaf(), leaf(1, 1, (0,)), BALL)
CELL_TREE = BspNode("BPnn", UP, BspNode("BPFL", Plane((0.0, 0.0, -1.0), 3.0)))

GFX_OBJ = GfxObj(
    0x01000010, 11, (0x08000001, 0x08000002), VERTICES, (FLOOR,), PHYSICS_TREE, (0.25, 0.5, 0.75),
    (FLOOR, PORTAL, TWO_SIDED), DRAWING_TREE, 0x11000001,
)  # fmt: skip
ENVIRONMENT = Environment(
    0x0D000001,
    (
        CellStruct(0, VERTICES, (FLOOR, PORTAL), (1,), CELL_TREE, (FLOOR,), PHYSICS_TREE, None),
        CellStruct(1, VERTICES, (FLOOR,), (), CELL_TREE, (), leaf(), BspNode("LEAF", index=0)),
    ),
)
ENV_CELL = EnvCell(
    0x12340100, 0xB, (0x34, 0x35, 0x36), 1, 0, TURNED, (CellPortal(7, 1, 0xFFFF, -1),), (0x101, 0x102),
    (Stab(0x02000001, TURNED),), 0x7A000001,
)  # fmt: skip
LAND_BLOCK = LandBlock(0x1234FFFF, 1, tuple(range(81)), tuple(range(100, 181)))
LAND_BLOCK_INFO = LandBlockInfo(
    0x1234FFFE, 1, (Stab(0x01000010, TURNED),), 1,
    (
        BuildingInfo(
            0x02000001, IDENTITY_FRAME, 12,
            (BldPortal(3, 0x100, 0, (0x100,)), BldPortal(1, 0x100, -1, (0x100, 0x101))),
        ),
    ),
    RestrictionTable(8, (Restriction(0, 0x7526200C), Restriction(9, 1))),
)  # fmt: skip
SETUP = Setup(
    0x02000001, 11, (0x01000010, 0x01000010), (NO_PARENT, 0), ((1.0, 1.0, 1.0), (2.0, 2.0, 0.5)),
    (Location(1, 0, TURNED),), (Location(2, 1, TURNED),),
    (
        Placement(0, (IDENTITY_FRAME, TURNED)),
        Placement(0x65, (TURNED, TURNED), (AnimationHook(1, 0, (0x0A000001,)),)),
    ),
    (CylSphere((0.0, 0.0, 0.5), 0.25, 1.0),), (Sphere((0.0, 0.0, 0.018), 0.1),),
    2.0, 0.5, 0.4, 0.3, BALL, BALL, (Light(0, TURNED, 0xFFFFAA00, 100.0, 6.0, GARBAGE),),
    0x03000001, 0x33000001, 0x09000001, 0x20000001, 0x34000001,
)  # fmt: skip
ANIMATION = Animation(
    0x03000001, 3, 2, (TURNED, IDENTITY_FRAME),
    (AnimFrame((TURNED, IDENTITY_FRAME), ALL_HOOKS[:3]), AnimFrame((IDENTITY_FRAME, TURNED))),
)  # fmt: skip
STRETCH = AnimData(0x03000001, 0, -1, -15.0)
MOTION_TABLE = MotionTable(
    0x09000001, 0x8000003D, (StyleDefault(0x8000003D, 0x4000000C),),
    (MotionData(0x003D000B, 1, 0, (STRETCH,)), MotionData(0x003D000C, 0, 0, ())),
    (MotionData(0x003D0007, 2, 3, (), (0.0, 1.0, 0.0), (0.0, 0.0, 0.5)),),
    (Link(0x003D000C, (LinkTarget(0x4000000B, 0, 1, (STRETCH, STRETCH), (1.0, 0.0, 0.0)),)),),
)  # fmt: skip
PHYSICS_SCRIPT = PhysicsScript(
    0x33000001, tuple(ScriptItem(0.25 * position, hook) for position, hook in enumerate(ALL_HOOKS))
)
EMITTER = ParticleEmitter(
    0x32000001, 5, 1, 3, 0x01000010, 0x01000010, 0.05, 40, 10, 0, 0.0, 1.5, 0.5,
    (0.0, 0.0, 1.0), 0.125, 0.25, (0.0, 0.5, 2.0), 0.75, 1.25, (0.0, 0.0, -1.0), 1.0, 1.0,
    (0.25, 0.0, 0.0), -1.0, 1.0, 0.5, 1.5, 0.125, 0.25, 1.0, 0.0625, 1,
)  # fmt: skip
SCRIPT_TABLE = PhysicsScriptTable(
    0x34000001,
    (PlayType(0x4B, (ScriptChoice(0.0, 0x33000001), ScriptChoice(1.0, 0x33000001))), PlayType(0x53, ())),
)
REGION = Region(
    0x13000000, 1, 3, "Nowhere",
    LandDefs(255, 255, 24.0, 8, 1, 200.0, 1000.0, 5.0, tuple(2.0 * index for index in range(256))),
    GameTime(
        3333.125, 10, 7620.0, 360, "P.Y.", (TimeOfDay(0.0, 1, "Foredawn"), TimeOfDay(0.5, 0, "")),
        ("Oneday", "é"), (Season(0, "Warm"), Season(180, "Colder")),
    ),
    0x21F,
    SkyDesc(
        1.5, 20.25,
        (
            DayGroup(
                60.0, "Clear", (SkyObject(0.2, 0.8, -10.0, 190.0, 0.0, 0.01, 0x01000010, 0, 1),),
                (
                    SkyTimeOfDay(
                        0.0, 0.5, 90.0, 30.0, 0xFFF0E0D0, 0.2, 0xFF808090, 50.0, 400.0, 0xFFA0B0C0, 0,
                        (SkyObjectReplace(0, 0, 12.0, -1.0, 0.4, 0.9),),
                    ),
                ),
            ),
        ),
    ),
    (AmbientTable(0x20000001, (AmbientSound(70, 0.5, 0.0, 1.0, 3.5),)),),
    (SceneType(-1, (0x12000001,)), SceneType(0, ())),
    TerrainDesc(
        (TerrainType("BarrenRock", 0xFF112233, (0, -1)), TerrainType("Grassland", 0, ())), 0,
        TexMerge(
            256, (TerrainAlphaMap(8, 0x05000001),), (TerrainAlphaMap(9, 0x05000001),),
            (TerrainAlphaMap(8, 0x05000001), TerrainAlphaMap(10, 0x05000001)),
            (TerrainTex(0, 0x05000001, 1, 10, 5, 20, 1, 30, 2, 7, 0x05000001),),
        ),
    ),
    RegionMisc(1, 0x06000001, 0x06000002, 4, 0x01000010, 0x01000010),
)  # fmt: skip
SCENE = Scene(
    0x12000001,
    (ObjectDesc(0x01000010, TURNED, 0.3, 10.0, 8.5, 0.8, 1.2, 360.0, 0.0, 1.0, 1, 0, 0),),
)  # fmt: skip

RECORDS = (
    LAND_BLOCK,
    LAND_BLOCK_INFO,
    ENV_CELL,
    ENVIRONMENT,
    GFX_OBJ,
    GfxObjDegradeInfo(0x11000001, (DegradeLevel(0x01000010, 1, 10.0, 25.0, 50.0),)),
    SETUP,
    Surface(0x2, 0x05000001, 0, None, 0.5, 0.25, 1.0),
    Surface(0x11, None, None, 0x80FF8040, 1.0, 0.0, 0.0),
    SurfaceTexture(0x05000001, 0, 2, (0x06000001, 0x06000002)),
    RenderSurface(0x06000001, 0, 2, 2, PixelFormat.A8R8G8B8, bytes(range(16))),
    RenderSurface(0x06000002, 6, 2, 1, PixelFormat.INDEX16, bytes((1, 0, 9, 0)), 0x04000001),
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
