"""Time of day: the sun, ambient light and fog, and what of it applies to what (light 6.1-6.3, 6.6)."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from engine.dat.records.region import Region
from engine.dat.records.region_sky import DayGroup, SkyTimeOfDay
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple

INDOOR_AMBIENT = 0.2
SUN_ON_AMBIENT = 0.2
LEAST_TERRAIN_AMBIENT = 0.2
_PACK = struct.Struct("28f")

# Where a region has no sky: night, a warm east, a high white sun, a red west (light 6.2).
FALLBACK_SKY: tuple[SkyTimeOfDay, ...] = (
    SkyTimeOfDay(
        begin=0.0,
        dir_bright=0.10,
        dir_heading=0.0,
        dir_pitch=-40.0,
        dir_color=0xFF8090C0,
        amb_bright=0.25,
        amb_color=0xFF5060A0,
        fog_min=60.0,
        fog_max=1200.0,
        fog_color=0xFF0C1220,
        fog_mode=1,
    ),
    SkyTimeOfDay(
        begin=0.25,
        dir_bright=0.55,
        dir_heading=90.0,
        dir_pitch=8.0,
        dir_color=0xFFFFB070,
        amb_bright=0.35,
        amb_color=0xFFC0B0C0,
        fog_min=80.0,
        fog_max=1500.0,
        fog_color=0xFFE0A880,
        fog_mode=1,
    ),
    SkyTimeOfDay(
        begin=0.5,
        dir_bright=0.80,
        dir_heading=180.0,
        dir_pitch=70.0,
        dir_color=0xFFFFFFF0,
        amb_bright=0.45,
        amb_color=0xFFD0D8E8,
        fog_min=150.0,
        fog_max=2400.0,
        fog_color=0xFFB8CCE0,
        fog_mode=1,
    ),
    SkyTimeOfDay(
        begin=0.75,
        dir_bright=0.50,
        dir_heading=270.0,
        dir_pitch=6.0,
        dir_color=0xFFFF7040,
        amb_bright=0.35,
        amb_color=0xFFB898B0,
        fog_min=80.0,
        fog_max=1500.0,
        fog_color=0xFFC87858,
        fog_mode=1,
    ),
)
FALLBACK_DAY = DayGroup(1.0, "", (), FALLBACK_SKY)


class SkyLight(NamedTuple):
    """The light of one moment. Colours are 0…1; ``sun_direction`` is a unit vector towards the sun."""

    sun_direction: Vec3
    sun_color: Vec3
    sun_bright: float
    ambient_color: Vec3
    ambient_bright: float
    fog_color: Vec3
    fog_start: float
    fog_end: float
    fog_on: bool

    def mesh_ambient(self) -> Vec3:
        """The ambient light on everything that is not terrain."""
        k = self.ambient_bright + SUN_ON_AMBIENT * self.sun_bright
        return _scaled(self.ambient_color, k)

    def daylight(self) -> float:
        """How bright the sky is, 0…1."""
        up = max(0.0, self.sun_direction[2])
        return min(1.0, self.ambient_bright + self.sun_bright * up)


class Interval(NamedTuple):
    """The two keyframes about a moment, by index, and the way from the first to the second, 0…1."""

    first: int
    second: int
    u: float

    @classmethod
    def at(cls, keyframes: Sequence[SkyTimeOfDay], day_fraction: float) -> Interval:
        """The last keyframe that has begun, the last of all before the first, and the one after it."""
        f = day_fraction % 1.0
        first = len(keyframes) - 1
        for index, key in enumerate(keyframes):
            if key.begin <= f:
                first = index
        second = (first + 1) % len(keyframes)
        b1, b2 = keyframes[first].begin, keyframes[second].begin
        if b2 <= b1:
            b2 += 1.0
            if f < b1:
                f += 1.0
        if b2 <= b1:
            return cls(first, second, 0.0)  # begins so far out of the day that a day later is no later
        return cls(first, second, min(1.0, max(0.0, (f - b1) / (b2 - b1))))


def colour(argb: int) -> Vec3:
    """A stored colour 0xAARRGGBB as rgb 0…1."""
    return ((argb >> 16 & 0xFF) / 255.0, (argb >> 8 & 0xFF) / 255.0, (argb & 0xFF) / 255.0)


def day_group_of(region: Region | None, index: int = 0) -> DayGroup:
    """A region's day group; the fallback, with nothing in its sky, where there is none."""
    groups = region.sky.groups if region is not None and region.sky is not None else ()
    group = groups[index % len(groups)] if groups else FALLBACK_DAY
    return group if group.times else FALLBACK_DAY


def keyframes_of(region: Region | None, group: int = 0) -> Sequence[SkyTimeOfDay]:
    """The keyframes of a region's day group, or the fallback's."""
    return day_group_of(region, group).times


def within(light: SkyLight, view_distance: float) -> SkyLight:
    """The light with its fog drawn in, so that the landscape ends in it and not in the open."""
    if not light.fog_on or light.fog_end <= view_distance:
        return light
    start = min(light.fog_start, 0.5 * view_distance)
    return light._replace(fog_start=start, fog_end=view_distance)


def sky_light(keyframes: Sequence[SkyTimeOfDay], day_fraction: float) -> SkyLight:
    """The light at a fraction of the day (0 midnight, 0.5 noon), between two keyframes (light 6.2)."""
    between = Interval.at(keyframes, day_fraction)
    k1, k2, u = keyframes[between.first], keyframes[between.second], between.u
    turn = (k2.dir_heading - k1.dir_heading + 180.0) % 360.0 - 180.0
    heading = math.radians(k1.dir_heading + u * turn)
    pitch = math.radians(_lerp(k1.dir_pitch, k2.dir_pitch, u))
    cos_pitch = math.cos(pitch)
    return SkyLight(
        sun_direction=(cos_pitch * math.sin(heading), cos_pitch * math.cos(heading), math.sin(pitch)),
        sun_color=_mix(k1.dir_color, k2.dir_color, u),
        sun_bright=_lerp(k1.dir_bright, k2.dir_bright, u),
        ambient_color=_mix(k1.amb_color, k2.amb_color, u),
        ambient_bright=_lerp(k1.amb_bright, k2.amb_bright, u),
        fog_color=_mix(k1.fog_color, k2.fog_color, u),
        fog_start=_lerp(k1.fog_min, k2.fog_min, u),
        fog_end=_lerp(k1.fog_max, k2.fog_max, u),
        fog_on=k1.fog_mode != 0 and k2.fog_mode != 0,
    )


def landscape_block(light: SkyLight, *, sun: bool = True, fog: bool = True, textures: bool = True) -> bytes:
    """The uniform block for sky, terrain, shells and outdoor objects: sun and fog on."""
    bright = light.sun_bright if sun else 0.0
    return _block(
        light, ambient=light.mesh_ambient(), sun=bright, fog=fog and light.fog_on, textures=textures
    )


def cell_block(light: SkyLight, *, seen_outside: bool, fog: bool, textures: bool = True) -> bytes:
    """The uniform block for cells: no sun; time-of-day ambient where the player's cell sees outside."""
    ambient = light.mesh_ambient() if seen_outside else (INDOOR_AMBIENT,) * 3
    return _block(light, ambient=ambient, sun=0.0, fog=fog and light.fog_on, textures=textures)


def plain_block() -> bytes:
    """The uniform block that shows textures as they are, for tests and for looking at them."""
    return _PACK.pack(*(0.0,) * 26, 1.0, 0.0)


def _block(light: SkyLight, *, ambient: Vec3, sun: float, fog: bool, textures: bool) -> bytes:
    terrain = _scaled(light.ambient_color, max(light.ambient_bright, LEAST_TERRAIN_AMBIENT))
    sunlight = _scaled(light.sun_color, sun)
    return _PACK.pack(
        *ambient, 0.0,
        *sunlight, 0.0,
        *light.sun_direction, 0.0,
        *terrain, 0.0,
        *sunlight, 0.0,
        *light.fog_color, 1.0 if fog else 0.0,
        light.fog_start, light.fog_end, 0.0, 0.0 if textures else 1.0,
    )  # fmt: skip


def _lerp(a: float, b: float, u: float) -> float:
    return a + (b - a) * u


def _mix(a: int, b: int, u: float) -> Vec3:
    p, q = colour(a), colour(b)
    return (_lerp(p[0], q[0], u), _lerp(p[1], q[1], u), _lerp(p[2], q[2], u))


def _scaled(v: Vec3, k: float) -> Vec3:
    return (v[0] * k, v[1] * k, v[2] * k)
