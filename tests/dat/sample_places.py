"""A record of each type that a place is made of: model, cell, landblock, region, scenery."""

from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import (
    BldPortal,
    BuildingInfo,
    LandBlockInfo,
    Restriction,
    RestrictionTable,
    Stab,
)
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
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.values import IDENTITY_FRAME
from tests.dat.sample_pieces import (
    CELL_TREE,
    DRAWING_TREE,
    FLOOR,
    PHYSICS_TREE,
    PORTAL,
    TURNED,
    TWO_SIDED,
    VERTICES,
    leaf,
)

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
            drawing_bsp=BspNode("LEAF", leaf_index=0),
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
                                object_index=0,
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
