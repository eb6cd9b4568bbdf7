"""One record of every type, with every optional part in it somewhere."""

from engine.dat.records.gfx_obj_degrade_info import DegradeLevel, GfxObjDegradeInfo
from engine.dat.records.iteration import Iteration, Run
from engine.dat.records.pal_set import PalSet
from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from tests.dat.sample_motions import ANIMATION, EMITTER, MOTION_TABLE, PHYSICS_SCRIPT, SCRIPT_TABLE, SETUP
from tests.dat.sample_places import ENV_CELL, ENVIRONMENT, GFX_OBJ, LAND_BLOCK, LAND_BLOCK_INFO, REGION, SCENE

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
