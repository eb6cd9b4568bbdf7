"""The Region's sky: groups of days, what hangs in the sky and how it is lit (dat-format 3.13)."""

from __future__ import annotations

from struct import Struct

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

_OBJECT = Struct("<6f3I")
_LIGHT = Struct("<4fIfIffII")
_REPLACE = Struct("<II4f")


class SkyObject(NamedTuple):
    """A model in the sky: times are fractions of a day (both equal: always there), angles in degrees."""

    begin: float
    end: float
    begin_angle: float
    end_angle: float
    vel_x: float
    vel_y: float
    gfxobj: int
    pes: int
    properties: int


class SkyObjectReplace(NamedTuple):
    """What a time of day changes on a sky object: GfxObj 0 and values of −1 keep what was."""

    object_index: int
    gfxobj: int
    rotate: float
    transparent: float
    luminosity: float
    max_bright: float


class SkyTimeOfDay(NamedTuple):
    """Light and fog from ``begin`` (fraction of the day) on; heading and pitch in degrees, fog in metres."""

    begin: float
    dir_bright: float
    dir_heading: float
    dir_pitch: float
    dir_color: int
    amb_bright: float
    amb_color: int
    fog_min: float
    fog_max: float
    fog_color: int
    fog_mode: int
    replace: tuple[SkyObjectReplace, ...] = ()


class DayGroup(NamedTuple):
    """A kind of day and the chance that it comes."""

    chance: float
    name: str
    objects: tuple[SkyObject, ...]
    times: tuple[SkyTimeOfDay, ...]


class SkyDesc(NamedTuple):
    """The groups of days, and how often the sky and the light are recomputed (seconds)."""

    tick: float
    light_tick: float
    groups: tuple[DayGroup, ...]


def read_sky(reader: Reader) -> SkyDesc:
    """A SkyDesc."""
    tick, light_tick = reader.f64(), reader.f64()
    return SkyDesc(tick, light_tick, reader.many(reader.u32(), 14, _read_group))


def write_sky(writer: Writer, sky: SkyDesc) -> None:
    """A SkyDesc."""
    writer.f64(sky.tick)
    writer.f64(sky.light_tick)
    writer.u32(len(sky.groups))
    writer.many(sky.groups, _write_group)


def _read_group(reader: Reader) -> DayGroup:
    chance, name = reader.f32(), reader.pstring16()
    objects = reader.many(reader.u32(), _OBJECT.size, lambda r: SkyObject(*r.unpack(_OBJECT)))
    return DayGroup(chance, name, objects, reader.many(reader.u32(), _LIGHT.size + 4, _read_time))


def _write_group(writer: Writer, group: DayGroup) -> None:
    writer.f32(group.chance)
    writer.pstring16(group.name)
    writer.u32(len(group.objects))
    for item in group.objects:
        writer.pack(
            _OBJECT,
            item.begin, item.end, item.begin_angle, item.end_angle, item.vel_x, item.vel_y, item.gfxobj,
            item.pes, item.properties,
        )  # fmt: skip
    writer.u32(len(group.times))
    writer.many(group.times, _write_time)


def _read_time(reader: Reader) -> SkyTimeOfDay:
    light = reader.unpack(_LIGHT)
    replace = reader.many(reader.u32(), _REPLACE.size, lambda r: SkyObjectReplace(*r.unpack(_REPLACE)))
    return SkyTimeOfDay(*(*light, replace))


def _write_time(writer: Writer, time: SkyTimeOfDay) -> None:
    writer.pack(
        _LIGHT,
        time.begin, time.dir_bright, time.dir_heading, time.dir_pitch, time.dir_color, time.amb_bright,
        time.amb_color, time.fog_min, time.fog_max, time.fog_color, time.fog_mode,
    )  # fmt: skip
    writer.u32(len(time.replace))
    for item in time.replace:
        writer.pack(
            _REPLACE,
            item.object_index, item.gfxobj, item.rotate, item.transparent, item.luminosity, item.max_bright,
        )  # fmt: skip
