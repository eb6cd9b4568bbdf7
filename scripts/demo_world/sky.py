"""What hangs in the demo's sky: sun, moon, stars and clouds, and how they change through a day.

Models stand around the eye, in units that mean nothing but how large they look. A thing at +x rises in the
east and passes overhead as its angle grows; what stands a little to -y passes south of the zenith.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.region_sky import SkyObject, SkyObjectReplace
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import ADDITIVE, ALPHA, BASE1_IMAGE, LUMINOUS, Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import Vec3
from scripts.demo_world import ids
from scripts.demo_world.art import art_sky
from scripts.demo_world.art.noise import random
from scripts.demo_world.geometry import cross, f32, plus, point, times, unit
from scripts.demo_world.mesh import HAS_DRAWING, Mesh
from scripts.demo_world.solids import CIRCLE_12, Face

Record = GfxObj | RenderSurface | Surface | SurfaceTexture

SUN, MOON, STARS, DAY_CLOUDS, DUSK_CLOUDS, GREY_CLOUDS, FAR_RAIN, NEAR_RAIN = (
    0x01000B00 + i for i in range(8)
)
_SURFACE, _TEXTURE, _IMAGE = 0x08000180, 0x05000180, 0x06000180
_GLOW = BASE1_IMAGE | ALPHA | ADDITIVE | LUMINOUS
_VEIL = BASE1_IMAGE | ALPHA | LUMINOUS
ART: tuple[tuple[str, int, Callable[[], art_sky.Rgba]], ...] = (
    ("sun", _GLOW, art_sky.sun),
    ("moon", _VEIL, art_sky.moon),
    ("star", _GLOW, art_sky.star),
    ("day clouds", _VEIL, art_sky.day_clouds),
    ("dusk clouds", _VEIL, art_sky.dusk_clouds),
    ("grey clouds", _VEIL, art_sky.grey_clouds),
    ("far rain", _VEIL, art_sky.far_rain),
    ("near rain", _VEIL, art_sky.near_rain),
)

# Cosine and sine of how far the paths of sun and moon lean to the south: 28 and 45 degrees.
_SUN_LEAN = (0.8829476, 0.4694716)
_MOON_LEAN = (0.7071068, 0.7071068)
_FAR = 1000.0
_STARS = 320

# By key frame: how transparent stars, white clouds and red clouds are, and how bright the white ones.
Through = tuple[float, float, float, float]
CLEAR: tuple[Through, ...] = (
    (0.0, 55.0, 100.0, 10.0),
    (20.0, 55.0, 100.0, 14.0),
    (100.0, 100.0, 0.0, 60.0),
    (100.0, 0.0, 100.0, 95.0),
    (100.0, 0.0, 100.0, 100.0),
    (100.0, 0.0, 100.0, 95.0),
    (100.0, 100.0, 0.0, 60.0),
    (45.0, 60.0, 70.0, 20.0),
)
# How bright the cover of clouds is, by key frame: as the fog (region.py), since mountains stand before it.
GREY: tuple[float, ...] = (10.2, 77.8, 96.2, 77.8)
RAINY: tuple[float, ...] = (8.8, 62.4, 75.0, 61.2)


def clear_objects() -> tuple[SkyObject, ...]:
    """The sky of a clear day, far things first: stars, moon, sun, clouds by day and at dusk."""
    return (
        _always(STARS),
        # A window never runs over midnight: the moon has two.
        SkyObject(
            begin=f32(0.76),
            end=1.0,
            begin_angle=f32(3.6),
            end_angle=90.0,
            vel_x=0.0,
            vel_y=0.0,
            gfxobj=MOON,
            pes=0,
            properties=0,
        ),
        SkyObject(
            begin=f32(0.23),
            end=f32(0.77),
            begin_angle=f32(-7.2),
            end_angle=f32(187.2),
            vel_x=0.0,
            vel_y=0.0,
            gfxobj=SUN,
            pes=0,
            properties=0,
        ),
        _always(DAY_CLOUDS, 0.0010),
        _always(DUSK_CLOUDS, 0.0010),
        SkyObject(
            begin=f32(-0.001),
            end=f32(0.24),
            begin_angle=f32(89.64),
            end_angle=f32(176.4),
            vel_x=0.0,
            vel_y=0.0,
            gfxobj=MOON,
            pes=0,
            properties=0,
        ),
    )


def grey_objects() -> tuple[SkyObject, ...]:
    """The sky of a grey day."""
    return (_always(GREY_CLOUDS, 0.0025),)


def rainy_objects() -> tuple[SkyObject, ...]:
    """The sky of a rainy day: the cover, rain against the sky and rain before the land (particles 8.1)."""
    return (
        _always(GREY_CLOUDS, 0.0035),
        SkyObject(
            begin=0.0,
            end=0.0,
            begin_angle=0.0,
            end_angle=0.0,
            vel_x=f32(0.02),
            vel_y=-2.0,
            gfxobj=FAR_RAIN,
            pes=0,
            properties=4,
        ),
        SkyObject(
            begin=0.0,
            end=0.0,
            begin_angle=0.0,
            end_angle=0.0,
            vel_x=f32(0.02),
            vel_y=f32(-1.7),
            gfxobj=NEAR_RAIN,
            pes=0,
            properties=5,
        ),
        # Drops about the viewer: a Setup without parts whose script goes on (particles 8.3).
        SkyObject(
            begin=0.0,
            end=0.0,
            begin_angle=0.0,
            end_angle=0.0,
            vel_x=0.0,
            vel_y=0.0,
            gfxobj=ids.RAIN,
            pes=ids.RAIN_SCRIPT,
            properties=13,
        ),
    )


def rainy_changes(key: int) -> tuple[SkyObjectReplace, ...]:
    """What a key frame of a rainy day does: its cover is darker than a grey day's."""
    return tuple(
        SkyObjectReplace(
            object_index=k,
            gfxobj=0,
            rotate=0.0,
            transparent=-1.0,
            luminosity=f32(RAINY[key] + 12.0 * (k > 0)),
            max_bright=-1.0,
        )
        for k in range(3)
    )


def clear_changes(key: int) -> tuple[SkyObjectReplace, ...]:
    """What a key frame of a clear day does to stars and clouds."""
    stars, white, red, bright = CLEAR[key]
    return (
        SkyObjectReplace(
            object_index=0, gfxobj=0, rotate=0.0, transparent=stars, luminosity=-1.0, max_bright=-1.0
        ),
        SkyObjectReplace(
            object_index=3, gfxobj=0, rotate=0.0, transparent=white, luminosity=bright, max_bright=-1.0
        ),
        SkyObjectReplace(
            object_index=4, gfxobj=0, rotate=0.0, transparent=red, luminosity=-1.0, max_bright=-1.0
        ),
    )


def grey_changes(key: int) -> tuple[SkyObjectReplace, ...]:
    """What a key frame of a grey day does to its clouds."""
    return (
        SkyObjectReplace(
            object_index=0, gfxobj=0, rotate=0.0, transparent=-1.0, luminosity=f32(GREY[key]), max_bright=-1.0
        ),
    )


def records() -> list[tuple[int, Record]]:
    """Models, surfaces, textures and images of the sky by id."""
    out: list[tuple[int, Record]] = [
        (SUN, _model(SUN, [_card((_FAR * _SUN_LEAN[0], -_FAR * _SUN_LEAN[1], 0.0), 130.0, "sun")])),
        (MOON, _model(MOON, [_card((_FAR * _MOON_LEAN[0], -_FAR * _MOON_LEAN[1], 0.0), 38.0, "moon")])),
        (STARS, _model(STARS, list(_stars()))),
    ]
    for model, name in (
        (DAY_CLOUDS, "day clouds"), (DUSK_CLOUDS, "dusk clouds"), (GREY_CLOUDS, "grey clouds")
    ):  # fmt: skip
        out.append((model, _model(model, _dome(name))))
    for model, name, radius in ((FAR_RAIN, "far rain", 100.0), (NEAR_RAIN, "near rain", 18.0)):
        out.append((model, _model(model, list(_sheet(name, radius)))))
    for i, (_, kind, picture) in enumerate(ART):
        out.append((_SURFACE + i, Surface(kind, _TEXTURE + i, 0, luminosity=1.0)))
        out.append((_TEXTURE + i, SurfaceTexture(_TEXTURE + i, 0, 2, (_IMAGE + i,))))
        rgba = picture()
        height, width = rgba.shape[:2]
        data = np.ascontiguousarray(rgba[:, :, (2, 1, 0, 3)]).tobytes()
        image = RenderSurface(
            id=_IMAGE + i, category=0, width=width, height=height, format=int(PixelFormat.A8R8G8B8), data=data
        )
        out.append((_IMAGE + i, image))
    return out


def _always(model: int, drift: float = 0.0) -> SkyObject:
    return SkyObject(
        begin=0.0,
        end=0.0,
        begin_angle=0.0,
        end_angle=0.0,
        vel_x=f32(drift),
        vel_y=f32(drift / 2),
        gfxobj=model,
        pes=0,
        properties=0,
    )


def _model(model: int, faces: list[Face]) -> GfxObj:
    mesh = Mesh()
    mesh.draw(faces)
    names = [name for name, _, _ in ART]
    surfaces = tuple(_SURFACE + names.index(name) for name in mesh.slots)
    return GfxObj(
        id=model,
        flags=HAS_DRAWING,
        surfaces=surfaces,
        vertex_array=mesh.vertex_array,
        physics_polygons=None,
        physics_bsp=None,
        sort_center=(0.0, 0.0, 0.0),
        polygons=tuple(mesh.polygons),
        drawing_bsp=mesh.drawing_tree(),
    )


def _card(middle: Vec3, half: float, material: str) -> Face:
    """A square that faces the eye."""
    inward = unit(times(middle, -1.0))
    side = unit(cross((0.0, 1.0, 0.0) if abs(inward[1]) < 0.9 else (1.0, 0.0, 0.0), inward))
    up = cross(inward, side)
    corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    points = (plus(middle, plus(times(side, half * a), times(up, half * b))) for a, b in corners)
    uvs = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
    return Face(tuple(point(p) for p in points), material, uvs)


def _stars() -> Iterator[Face]:
    """Stars scattered over the upper half of the sky, most of them faint."""
    found = number = 0
    while found < _STARS:
        x, y, z = (2.0 * float(random(number, axis, 731)) - 1.0 for axis in range(3))
        number += 1
        length = math.sqrt(x * x + y * y + z * z)
        if not 0.3 < length < 1.0 or z < 0.04 * length:
            continue
        found += 1
        faint = float(random(number, 3, 731))
        yield _card(times((x, y, z), _FAR / length), 2.4 + 3.6 * faint * faint * faint, "star")


def _dome(material: str) -> list[Face]:
    """A shallow dome, open below, whose texture runs on over its whole width."""
    rings = ((450.0, 240.0), (1100.0, 150.0), (2400.0, -60.0))
    loops = [[(r * c, r * s, z) for c, s in CIRCLE_12] for r, z in rings]
    top = (0.0, 0.0, 260.0)
    faces = []
    for k in range(12):
        n = (k + 1) % 12
        faces.append(_from_below((top, loops[0][n], loops[0][k]), material))
        for inner, outer in pairwise(loops):
            faces.append(_from_below((inner[k], inner[n], outer[n], outer[k]), material))
    return faces


def _sheet(material: str, radius: float) -> Iterator[Face]:
    """A curtain all around, seen from within, as high as the land may lie (particles 8.3)."""
    around, tall = round(radius * 0.55), 14.0
    low, high = 0.1, 814.9
    for k in range(12):
        (ca, sa), (cb, sb) = CIRCLE_12[k], CIRCLE_12[(k + 1) % 12]
        corners = ((cb, sb, low), (ca, sa, low), (ca, sa, high), (cb, sb, high))
        points = tuple(point((radius * c, radius * s, z)) for c, s, z in corners)
        u0, u1 = (f32(around * n / 12.0) for n in (k, k + 1))
        v = f32(high / tall)
        yield Face(points, material, ((u1, v), (u0, v), (u0, 0.0), (u1, 0.0)))


def _from_below(corners: tuple[Vec3, ...], material: str) -> Face:
    points = tuple(point(p) for p in corners)
    return Face(points, material, tuple((f32(p[0] / 700.0), f32(p[1] / 700.0)) for p in points))
