"""The Region record: calendar, sky, terrain types and the textures that merge on the ground."""

from __future__ import annotations

from engine.dat.records.region import GameTime, LandDefs, Region, RegionMisc, Season, TimeOfDay
from engine.dat.records.region_sky import DayGroup, SkyDesc, SkyObjectReplace, SkyTimeOfDay
from engine.dat.records.region_terrain import TerrainAlphaMap, TerrainDesc, TerrainTex, TerrainType, TexMerge
from scripts.demo_world import sky
from scripts.demo_world.geometry import f32
from scripts.demo_world.materials import ground_texture, mask_textures
from scripts.demo_world.things import plants

REGION = 0x13000000
SCENE, TERRAIN, SKY, MISC = 0x02, 0x04, 0x10, 0x200
ROAD = 0x20

# Name, texture, repeats over a cell of 24 m.
TYPES = (
    ("BarrenRock", "rock", 6), ("Grassland", "grass", 7), ("Ice", "snow", 3), ("LushGrass", "lush", 7),
    ("MarshSparseSwamp", "marsh", 6), ("MudRichDirt", "dirt", 6), ("ObsidianPlain", "rock", 6),
    ("PackedDirt", "dirt", 6), ("PatchyDirt", "patchy", 6), ("PatchyGrassland", "patchy", 6),
    ("SandYellow", "sand", 6), ("SandGrey", "sand", 6), ("SandRockStrewn", "sand", 6),
    ("SedimentaryRock", "rock", 6), ("SemiBarrenRock", "rock", 6), ("Snow", "snow", 3),
    ("WaterRunning", "water", 5), ("WaterStandingFresh", "water", 5), ("WaterShallowSea", "water", 5),
    ("WaterShallowStillSea", "water", 5), ("WaterDeepSea", "water", 5), ("ForestFloor", "forest", 6),
    ("FauxWaterRunning", "water", 5), ("SeaSlime", "marsh", 6), ("Argila", "dirt", 6),
    ("Volcano1", "rock", 6), ("Volcano2", "rock", 6),
    ("BlueIce", "snow", 3), ("Moss", "lush", 7), ("DarkMoss", "forest", 6),
    ("Olthoi", "dirt", 6), ("DesolateLands", "patchy", 6),
)  # fmt: skip

# Begin, sun: brightness, heading, pitch, colour; ambient: brightness, colour; fog: from, to, colour.
_Key = tuple[float, float, float, float, int, float, int, float, float, int]
# Sun and moon stand where their discs are (sky.py).
CLEAR: tuple[_Key, ...] = (
    (0.0, 0.15, 180.0, 45.0, 0xFF93A0BC, 0.39, 0xFF6A7690, 60.0, 420.0, 0xFF0C1224),
    (0.20, 0.15, 224.0, 13.0, 0xFF93A0BC, 0.37, 0xFF6A7690, 50.0, 420.0, 0xFF141A30),
    (0.25, 0.44, 118.0, 5.0, 0xFFFFA870, 0.62, 0xFFF4D4CC, 50.0, 460.0, 0xFFC89880),
    (0.33, 0.62, 121.0, 25.0, 0xFFFFE0B8, 0.60, 0xFFC8C4C4, 60.0, 520.0, 0xFFB8C8DC),
    (0.50, 0.70, 180.0, 62.0, 0xFFFFF6E0, 0.64, 0xFFDAD8D2, 80.0, 560.0, 0xFFB0CAE9),
    (0.68, 0.62, 240.0, 22.0, 0xFFFFE4BC, 0.60, 0xFFCCC4C0, 60.0, 520.0, 0xFFB8C4D4),
    (0.75, 0.46, 242.0, 7.0, 0xFFFF9860, 0.60, 0xFFF4D8CC, 50.0, 460.0, 0xFFBC7E5E),
    (0.80, 0.20, 136.0, 13.0, 0xFF9890AC, 0.36, 0xFF706C84, 50.0, 420.0, 0xFF242438),
)
# Fog of grey and of rainy days is what their cover of clouds looks like (sky.py): mountains stand before it.
GREY: tuple[_Key, ...] = (
    (0.0, 0.06, 180.0, 45.0, 0xFF8890A0, 0.34, 0xFF586070, 40.0, 240.0, 0xFF101011),
    (0.25, 0.25, 118.0, 10.0, 0xFFD0C0B8, 0.42, 0xFF98949C, 30.0, 320.0, 0xFF777A80),
    (0.50, 0.40, 180.0, 60.0, 0xFFE8E8E8, 0.55, 0xFFC8CCD0, 50.0, 380.0, 0xFF94979E),
    (0.75, 0.25, 242.0, 10.0, 0xFFD8BCA8, 0.42, 0xFF9C9498, 30.0, 320.0, 0xFF777A80),
)
# As the grey day, darker, with the end of what one sees nearer.
RAINY: tuple[_Key, ...] = (
    (0.0, 0.05, 180.0, 45.0, 0xFF8088A0, 0.32, 0xFF505A6C, 30.0, 200.0, 0xFF0F0F10),
    (0.25, 0.18, 118.0, 10.0, 0xFFB8B0B0, 0.40, 0xFF868A96, 20.0, 260.0, 0xFF626469),
    (0.50, 0.26, 180.0, 60.0, 0xFFD4D8DC, 0.50, 0xFFB0B6BE, 30.0, 300.0, 0xFF75787D),
    (0.75, 0.18, 242.0, 10.0, 0xFFB8ACA4, 0.40, 0xFF868890, 20.0, 260.0, 0xFF606267),
)
HOURS = (
    "Darktide", "Darktide-and-Half", "Foredawn", "Foredawn-and-Half", "Dawnsong", "Dawnsong-and-Half",
    "Morntide", "Morntide-and-Half", "Midsong", "Midsong-and-Half", "Warmtide", "Warmtide-and-Half",
    "Evensong", "Evensong-and-Half", "Gloaming", "Gloaming-and-Half",
)  # fmt: skip
NIGHT_HOURS = (0, 1, 2, 3, 14, 15)


def region() -> Region:
    """The demo world's Region."""
    return Region(
        id=REGION,
        number=1,
        version=3,
        name="Holtwalk",
        land=land(),
        time=calendar(),
        parts=SCENE | TERRAIN | SKY | MISC,
        sky=SkyDesc(1.0, 20.0, _days()),
        sound=None,
        scene=plants.scene_types(),
        terrain=ground(),
        misc=RegionMisc(
            version=1, game_map=0, autotest_map=0, autotest_size=0, clear_cell=0, clear_monster=0
        ),
    )


def land() -> LandDefs:
    """Sizes of the landscape: two metres a height index up to 200, steeper above."""
    heights = [2.0 * i if i <= 200 else f32(400.0 + (i - 200) * 300.0 / 55.0) for i in range(256)]
    return LandDefs.usual(tuple(heights))


def calendar() -> GameTime:
    """Sixteen hours a day, thirty days a month, twelve months a year."""
    hours = tuple(TimeOfDay(f32(i / 16), int(i in NIGHT_HOURS), name) for i, name in enumerate(HOURS))
    days = ("First Day", "Second Day", "Third Day", "Fourth Day", "Fifth Day", "Sixth Day")
    months = (
        "Thaw",
        "Bud",
        "Blossom",
        "Seed",
        "Haymaking",
        "Sun",
        "Reaping",
        "Orchard",
        "Leaffall",
        "Mist",
        "Frost",
        "Snow",
    )
    return GameTime(
        zero_time=3333.75,
        zero_year=10,
        day_length=7620.0,
        days_per_year=360,
        suffix="P.Y.",
        times=hours,
        days=days,
        seasons=tuple(Season(30 * i, name) for i, name in enumerate(months)),
    )


def ground() -> TerrainDesc:
    """Terrain types and what grows on them, their textures, and the masks between them."""
    corner, side, road = (
        tuple(TerrainAlphaMap(code, texture) for code, texture in maps) for maps in mask_textures()
    )
    textures = tuple(_texture(number, name, tiling) for number, (_, name, tiling) in enumerate(TYPES))
    return TerrainDesc(
        tuple(TerrainType(name, 0xFF808080, plants.choices(n)) for n, (name, _, _) in enumerate(TYPES)),
        0,
        TexMerge(
            base_size=256,
            corner=corner,
            side=side,
            road=road,
            terrain=(*textures, _texture(ROAD, "cobbles", 5)),
        ),
    )


def _texture(number: int, name: str, tiling: int) -> TerrainTex:
    texture = ground_texture(name)
    return TerrainTex(
        type=number,
        texture=texture,
        tiling=tiling,
        max_bright=0,
        min_bright=0,
        max_sat=0,
        min_sat=0,
        max_hue=0,
        min_hue=0,
        detail_tiling=0,
        detail_texture=texture,
    )


def _days() -> tuple[DayGroup, ...]:
    """Two clear days for one that is grey and one of rain: the date chooses among them as they stand here."""
    clear = tuple(_time_of_day(key, sky.clear_changes(k)) for k, key in enumerate(CLEAR))
    grey = tuple(_time_of_day(key, sky.grey_changes(k)) for k, key in enumerate(GREY))
    rainy = tuple(_time_of_day(key, sky.rainy_changes(k)) for k, key in enumerate(RAINY))
    return (
        DayGroup(40.0, "Clear", sky.clear_objects(), clear),
        DayGroup(30.0, "Grey", sky.grey_objects(), grey),
        DayGroup(20.0, "Rainy", sky.rainy_objects(), rainy),
        DayGroup(30.0, "Fair", sky.clear_objects(), clear),
    )


def _time_of_day(key: _Key, changes: tuple[SkyObjectReplace, ...]) -> SkyTimeOfDay:
    begin, bright, heading, pitch, colour, ambient, ambient_colour, near, far, fog = key
    return SkyTimeOfDay(
        begin=f32(begin),
        dir_bright=f32(bright),
        dir_heading=heading,
        dir_pitch=pitch,
        dir_color=colour,
        amb_bright=f32(ambient),
        amb_color=ambient_colour,
        fog_min=near,
        fog_max=far,
        fog_color=fog,
        fog_mode=1,
        replace=changes,
    )
