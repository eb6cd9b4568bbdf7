"""Region, 0x13000000: what the whole landscape shares (dat-format 3.13).

The record and its own parts are here; ``region_sky`` and ``region_terrain`` hold the two large ones.
"""

from __future__ import annotations

from struct import Struct

from engine.dat.primitives import Reader, Writer
from engine.dat.records.region_sky import SkyDesc, read_sky, write_sky
from engine.dat.records.region_terrain import TerrainDesc, read_terrain, write_terrain
from engine.named_tuple import NamedTuple

REGION_ID = 0x13000000
HAS_SOUND, HAS_SCENE, HAS_TERRAIN, HAS_SKY, HAS_MISC = 0x01, 0x02, 0x04, 0x10, 0x200
HEIGHTS = 256

_LAND = Struct("<iifiifff")
_TIME = Struct("<dIfI")
_AMBIENT = Struct("<I4f")
_MISC = Struct("<6I")


class LandDefs(NamedTuple):
    """Sizes of the landscape: ``heights`` turns a stored height index into metres."""

    length: int
    width: int
    cell_side: float
    cells: int
    vertices: int
    max_obj_height: float
    sky_height: float
    road_width: float
    heights: tuple[float, ...]

    @staticmethod
    def usual(heights: tuple[float, ...]) -> LandDefs:
        """What every known region has: 255 by 255 blocks of 8 by 8 cells of 24 m, with these heights."""
        return LandDefs(
            length=255,
            width=255,
            cell_side=24.0,
            cells=8,
            vertices=1,
            max_obj_height=200.0,
            sky_height=1000.0,
            road_width=5.0,
            heights=heights,
        )


class TimeOfDay(NamedTuple):
    """A named part of the day, from ``start`` as a fraction of the day; ``night`` 0 or 1."""

    start: float
    night: int
    name: str


class Season(NamedTuple):
    """A named part of the year, from a day on."""

    start: int
    name: str


class GameTime(NamedTuple):
    """The calendar; day length in seconds."""

    zero_time: float
    zero_year: int
    day_length: float
    days_per_year: int
    suffix: str
    times: tuple[TimeOfDay, ...]
    days: tuple[str, ...]
    seasons: tuple[Season, ...]


class AmbientSound(NamedTuple):
    """A sound of a terrain; base chance 0 plays continuously."""

    type: int
    volume: float
    base_chance: float
    min_rate: float
    max_rate: float


class AmbientTable(NamedTuple):
    """A sound table and the sounds of it that are heard."""

    table: int
    sounds: tuple[AmbientSound, ...]


class SceneType(NamedTuple):
    """Scene ids (0x12…) to choose from, and an index into the sounds (−1 none)."""

    sound_index: int
    scenes: tuple[int, ...]


class RegionMisc(NamedTuple):
    """The game's maps and two models of the editor."""

    version: int
    game_map: int
    autotest_map: int
    autotest_size: int
    clear_cell: int
    clear_monster: int


class Region(NamedTuple):
    """The region: land, calendar, sky, sounds, scenery, terrain. ``parts`` says which of them are stored."""

    id: int
    number: int
    version: int
    name: str
    land: LandDefs
    time: GameTime
    parts: int
    sky: SkyDesc | None
    sound: tuple[AmbientTable, ...] | None
    scene: tuple[SceneType, ...] | None
    terrain: TerrainDesc
    misc: RegionMisc | None = None


def read_region(reader: Reader) -> Region:
    """A Region record."""
    region_id, number, version, name = reader.header_id(), reader.u32(), reader.u32(), reader.pstring16()
    land, time, parts = _read_land(reader), _read_time(reader), reader.u32()
    sky = read_sky(reader) if parts & HAS_SKY else None
    sound = reader.many(reader.u32(), 8, _read_ambient_table) if parts & HAS_SOUND else None
    scene = reader.many(reader.u32(), 8, _read_scene_type) if parts & HAS_SCENE else None
    terrain = read_terrain(reader)
    misc = RegionMisc(*reader.unpack(_MISC)) if parts & HAS_MISC else None
    return Region(
        id=region_id,
        number=number,
        version=version,
        name=name,
        land=land,
        time=time,
        parts=parts,
        sky=sky,
        sound=sound,
        scene=scene,
        terrain=terrain,
        misc=misc,
    )


def write_region(writer: Writer, region: Region) -> None:
    """A Region record; its parts must be there exactly as ``parts`` says."""
    for bit, part in (
        (HAS_SKY, region.sky),
        (HAS_SOUND, region.sound),
        (HAS_SCENE, region.scene),
        (HAS_MISC, region.misc),
    ):
        writer.require((part is not None) == bool(region.parts & bit), f"part bit 0x{bit:X} disagrees")
    writer.u32(region.id)
    writer.u32(region.number)
    writer.u32(region.version)
    writer.pstring16(region.name)
    _write_land(writer, region.land)
    _write_time(writer, region.time)
    writer.u32(region.parts)
    if region.sky is not None:
        write_sky(writer, region.sky)
    if region.sound is not None:
        writer.u32(len(region.sound))
        writer.many(region.sound, _write_ambient_table)
    if region.scene is not None:
        writer.u32(len(region.scene))
        writer.many(region.scene, _write_scene_type)
    write_terrain(writer, region.terrain)
    if region.misc is not None:
        misc = region.misc
        writer.pack(
            _MISC,
            misc.version, misc.game_map, misc.autotest_map, misc.autotest_size, misc.clear_cell,
            misc.clear_monster,
        )  # fmt: skip


def _read_land(reader: Reader) -> LandDefs:
    return LandDefs(*(*reader.unpack(_LAND), reader.array("f", HEIGHTS)))


def _write_land(writer: Writer, land: LandDefs) -> None:
    writer.require(len(land.heights) == HEIGHTS, f"the land height table has {HEIGHTS} entries")
    writer.pack(
        _LAND,
        land.length, land.width, land.cell_side, land.cells, land.vertices, land.max_obj_height,
        land.sky_height, land.road_width,
    )  # fmt: skip
    writer.array("f", land.heights)


def _read_time(reader: Reader) -> GameTime:
    zero_time, zero_year, day_length, days_per_year = reader.unpack(_TIME)
    suffix = reader.pstring16()
    times = reader.many(reader.u32(), 10, lambda r: TimeOfDay(r.f32(), r.u32(), r.pstring16()))
    days = reader.many(reader.u32(), 2, Reader.pstring16)
    seasons = reader.many(reader.u32(), 6, lambda r: Season(r.u32(), r.pstring16()))
    return GameTime(
        zero_time=zero_time,
        zero_year=zero_year,
        day_length=day_length,
        days_per_year=days_per_year,
        suffix=suffix,
        times=times,
        days=days,
        seasons=seasons,
    )


def _write_time(writer: Writer, time: GameTime) -> None:
    writer.pack(_TIME, time.zero_time, time.zero_year, time.day_length, time.days_per_year)
    writer.pstring16(time.suffix)
    writer.u32(len(time.times))
    for part in time.times:
        writer.f32(part.start)
        writer.u32(part.night)
        writer.pstring16(part.name)
    writer.u32(len(time.days))
    writer.many(time.days, Writer.pstring16)
    writer.u32(len(time.seasons))
    for season in time.seasons:
        writer.u32(season.start)
        writer.pstring16(season.name)


def _read_ambient_table(reader: Reader) -> AmbientTable:
    table, count = reader.u32(), reader.u32()
    return AmbientTable(table, reader.many(count, _AMBIENT.size, lambda r: AmbientSound(*r.unpack(_AMBIENT))))


def _write_ambient_table(writer: Writer, table: AmbientTable) -> None:
    writer.u32(table.table)
    writer.u32(len(table.sounds))
    for sound in table.sounds:
        writer.pack(_AMBIENT, sound.type, sound.volume, sound.base_chance, sound.min_rate, sound.max_rate)


def _read_scene_type(reader: Reader) -> SceneType:
    return SceneType(reader.i32(), reader.array("I", reader.u32()))


def _write_scene_type(writer: Writer, scene: SceneType) -> None:
    writer.i32(scene.sound_index)
    writer.u32(len(scene.scenes))
    writer.array("I", scene.scenes)
