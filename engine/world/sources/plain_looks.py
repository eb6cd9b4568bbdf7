"""What a world without art of its own is drawn with: plain surfaces, a plain region and sky."""

from __future__ import annotations

from typing import Final

from engine.dat.records.region import (
    HAS_SKY,
    HAS_TERRAIN,
    HEIGHTS,
    REGION_ID,
    GameTime,
    LandDefs,
    Region,
    TimeOfDay,
)
from engine.dat.records.region_sky import DayGroup, SkyDesc, SkyTimeOfDay
from engine.dat.records.region_terrain import TerrainDesc, TerrainTex, TerrainType, TexMerge
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import BASE1_IMAGE, BASE1_SOLID, TRANSLUCENT, Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import Vec3

SIDE: Final = 16
METRES_PER_TEXTURE: Final = 2.0
SEAM: Final = 0.93
STEEP: Final = 0.7

FLOOR_SLOT, WALL_SLOT, CEILING_SLOT, OBJECT_SLOT, PORTAL_SLOT = range(5)
GRASS = 5
GRASS_TYPE: Final = 1

COLORS: Final = {
    FLOOR_SLOT: (132, 106, 82),
    WALL_SLOT: (188, 176, 156),
    CEILING_SLOT: (150, 142, 132),
    OBJECT_SLOT: (120, 128, 140),
    GRASS: (92, 122, 66),
}
SURFACE_BASE, TEXTURE_BASE, IMAGE_BASE = 0x08000001, 0x05000001, 0x06000001
SURFACE_IDS: Final = tuple(SURFACE_BASE + slot for slot in range(5))
SURFACE_SLOTS: Final = tuple(surface & 0xFFFF for surface in SURFACE_IDS)


def slot_of(normal: Vec3) -> int:
    """The material slot of a cell's polygon by its slope."""
    if normal[2] > STEEP:
        return FLOOR_SLOT
    return CEILING_SLOT if normal[2] < -STEEP else WALL_SLOT


def uv_of(corner: Vec3, normal: Vec3) -> tuple[float, float]:
    """Texture coordinates in the plane that a polygon faces most; v grows downwards."""
    x, y, z = corner
    nx, ny, nz = (abs(part) for part in normal)
    if nz >= nx and nz >= ny:
        return (x / METRES_PER_TEXTURE, -y / METRES_PER_TEXTURE)
    across = y if nx > ny else x
    return (across / METRES_PER_TEXTURE, -z / METRES_PER_TEXTURE)


def surface(surface_id: int) -> Surface | None:
    """The plain surface of an id; openings have the untextured, invisible one (dat-format 4.10)."""
    slot = surface_id - SURFACE_BASE
    if slot == PORTAL_SLOT:
        return Surface(BASE1_SOLID | TRANSLUCENT, color=0xFFFFFFFF, translucency=1.0)
    if slot in COLORS:
        return Surface(BASE1_IMAGE, TEXTURE_BASE + slot, 0)
    return None


def surface_texture(texture_id: int) -> SurfaceTexture | None:
    """The texture of a plain surface."""
    slot = texture_id - TEXTURE_BASE
    return SurfaceTexture(texture_id, 0, 2, (IMAGE_BASE + slot,)) if slot in COLORS else None


def render_surface(image_id: int) -> RenderSurface | None:
    """One flat colour with a faint seam along two edges, so that distances can be judged."""
    slot = image_id - IMAGE_BASE
    if slot not in COLORS:
        return None
    pixels = bytearray()
    for row in range(SIDE):
        for column in range(SIDE):
            shade = SEAM if row == 0 or column == 0 else 1.0
            red, green, blue = (int(part * shade) for part in COLORS[slot])
            pixels += bytes((blue, green, red, 255))
    return RenderSurface(
        id=image_id, category=0, width=SIDE, height=SIDE, format=PixelFormat.A8R8G8B8, data=bytes(pixels)
    )


def region(heights: tuple[float, ...]) -> Region:
    """A region of grass under a clear sky, with a height table that begins with ``heights`` (metres)."""
    table = heights + (heights[-1] if heights else 0.0,) * (HEIGHTS - len(heights))
    land = LandDefs.usual(table)
    times = (TimeOfDay(0.0, 1, "Night"), TimeOfDay(0.25, 0, "Day"), TimeOfDay(0.75, 1, "Night"))
    calendar = GameTime(
        zero_time=0.0,
        zero_year=10,
        day_length=7620.0,
        days_per_year=360,
        suffix="P.Y.",
        times=times,
        days=("Day",),
        seasons=(),
    )
    types = tuple(TerrainType(f"Terrain{number}", 0xFF5C7A42, ()) for number in range(32))
    grass = TerrainTex(
        type=GRASS_TYPE,
        texture=TEXTURE_BASE + GRASS,
        tiling=4,
        max_bright=0,
        min_bright=0,
        max_sat=0,
        min_sat=0,
        max_hue=0,
        min_hue=0,
        detail_tiling=0,
        detail_texture=0,
    )
    terrain = TerrainDesc(types, 0, TexMerge(base_size=256, corner=(), side=(), road=(), terrain=(grass,)))
    return Region(
        id=REGION_ID,
        number=1,
        version=3,
        name="Plain",
        land=land,
        time=calendar,
        parts=HAS_TERRAIN | HAS_SKY,
        sky=SkyDesc(1.0, 1.0, (_SKY,)),
        sound=None,
        scene=None,
        terrain=terrain,
        misc=None,
    )


_SKY: Final = DayGroup(
    1.0,
    "Clear",
    (),
    (
        SkyTimeOfDay(
            begin=0.0,
            dir_bright=0.25,
            dir_heading=180.0,
            dir_pitch=60.0,
            dir_color=0xFF8090C0,
            amb_bright=0.30,
            amb_color=0xFF6070A0,
            fog_min=120.0,
            fog_max=600.0,
            fog_color=0xFF182038,
            fog_mode=0,
        ),
        SkyTimeOfDay(
            begin=0.25,
            dir_bright=0.80,
            dir_heading=90.0,
            dir_pitch=20.0,
            dir_color=0xFFFFD0A0,
            amb_bright=0.40,
            amb_color=0xFFB0A0A0,
            fog_min=150.0,
            fog_max=800.0,
            fog_color=0xFFD8B8A0,
            fog_mode=0,
        ),
        SkyTimeOfDay(
            begin=0.50,
            dir_bright=1.00,
            dir_heading=180.0,
            dir_pitch=70.0,
            dir_color=0xFFFFF8E8,
            amb_bright=0.50,
            amb_color=0xFFC0C8D8,
            fog_min=200.0,
            fog_max=1000.0,
            fog_color=0xFFA8C4E0,
            fog_mode=0,
        ),
        SkyTimeOfDay(
            begin=0.75,
            dir_bright=0.70,
            dir_heading=270.0,
            dir_pitch=15.0,
            dir_color=0xFFFFB080,
            amb_bright=0.40,
            amb_color=0xFFA09098,
            fog_min=150.0,
            fog_max=800.0,
            fog_color=0xFFD0A890,
            fog_mode=0,
        ),
    ),
)
