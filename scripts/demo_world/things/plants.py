"""What grows: models of trees, bushes, reeds, flowers and rocks, and the Scenes that scatter them.

Terrain words choose from a terrain type's scene types by number: none, sparse, dense (``terrain.growth``).
"""

from __future__ import annotations

from dataclasses import replace

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.region import SceneType
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.records.setup import Setup
from engine.dat.values import IDENTITY_FRAME, CylSphere, Vec3
from scripts.demo_world import ids, terrain
from scripts.demo_world.geometry import f32, point, reverse, unit
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import CIRCLE_12, Face, card, crossed, cylinder, fitted, lump, quad

Record = GfxObj | Setup | Scene
TRUNK, PINE_TRUNK = 0.3, 0.26
SCENE = 0x12000100
SLOTS = 32  # scene types that a terrain type names

_TREE, _PINE = ids.setup_of(ids.TREE), ids.setup_of(ids.PINE)


def records() -> list[tuple[int, Record]]:
    """Models and Scenes by id."""
    out: list[tuple[int, Record]] = [
        (ids.TREE, gfx_obj(ids.TREE, tree())),
        (_TREE, _trunk(ids.TREE, radius=TRUNK, tall=4.0, height=8.0, reach=3.2)),
        (ids.PINE, gfx_obj(ids.PINE, pine())),
        (_PINE, _trunk(ids.PINE, radius=PINE_TRUNK, tall=5.0, height=10.5, reach=2.4)),
        (ids.BUSH, gfx_obj(ids.BUSH, bush())),
        (ids.REEDS, gfx_obj(ids.REEDS, crossed("reeds", half=0.8, low=-0.06, high=1.3))),
        (ids.FLOWERS, gfx_obj(ids.FLOWERS, crossed("flowers", half=0.7, low=-0.06, high=0.55))),
        (ids.ROCK, gfx_obj(ids.ROCK, rock(), outline(rock()))),
    ]
    return [*out, *((SCENE + n, scene) for n, scene in enumerate(scenes()))]


def _trunk(number: int, *, radius: float, tall: float, height: float, reach: float) -> Setup:
    """A tree as an object: its trunk collides."""
    shape = CylSphere((0.0, 0.0, 0.0), f32(radius), f32(tall))
    return setup(ids.setup_of(number), (number,), cylspheres=(shape,), height=height, radius=reach)


# Bunches of leaves of a tree: middle and half a side, metres.
_BUNCHES: tuple[tuple[Vec3, float], ...] = (
    ((0.0, 0.0, 6.5), 1.5), ((1.4, 0.4, 5.3), 1.6), ((-1.2, 0.9, 5.5), 1.6), ((0.1, -1.5, 5.2), 1.6),
    ((0.5, 1.6, 4.6), 1.4), ((-1.6, -0.8, 4.5), 1.4), ((0.0, 0.0, 4.5), 1.9),
)  # fmt: skip
_HEART = (0.0, 0.0, 4.2)


def tree() -> list[Face]:
    """A broad tree: a trunk that parts into boughs, and bunches of leaves."""
    faces = cylinder(
        (0.0, 0.0, -0.4), TRUNK * 0.9, 5.4, side="bark", ends="bark", repeats=2.0, rise=2.0, sides=6, top=0.06
    )[:-2]
    for x, y, z in ((1.3, 0.4, 5.0), (-1.2, 0.8, 5.2), (0.1, -1.4, 4.9)):
        faces += bough((0.0, 0.0, 2.6), (x, y, z), 0.13)
    for (x, y, z), half in _BUNCHES:
        for c, s in (CIRCLE_12[0], CIRCLE_12[3]):
            faces += leaves(
                card(
                    (x - half * c, y - half * s),
                    (x + half * c, y + half * s),
                    low=z - half,
                    high=z + half,
                    material="foliage",
                ),
                _HEART,
            )
        faces += leaves(spread(x, y, z - 0.3 * half, 0.8 * half), _HEART)
    return faces


def spread(x: float, y: float, z: float, half: float) -> Face:
    """Leaves that lie level about a point: what closes a crown for whoever stands below or above it.

    One that slopes would be seen along itself from somewhere at eye level, as smeared streaks.
    """
    corners = (
        (x - half, y - half, z),
        (x + half, y - half, z),
        (x + half, y + half, z),
        (x - half, y + half, z),
    )
    return fitted(quad(*corners, material="foliage"))


def bough(start: Vec3, end: Vec3, thick: float) -> list[Face]:
    """A bough of three sides that ends in a point."""
    x, y, z = start
    ring = [point((x + thick * c, y + thick * s, z)) for c, s in CIRCLE_12[::4]]
    uvs = ((0.0, 1.0), (1.0, 1.0), (0.5, 0.0))
    return [Face((ring[k], ring[(k + 1) % 3], point(end)), "bark", uvs) for k in range(3)]


def leaves(face: Face, heart: Vec3) -> list[Face]:
    """A picture of leaves seen from both sides, lit as if it were part of a round crown about ``heart``."""
    x, y, z = heart
    outward = tuple(point(unit((p[0] - x, p[1] - y, p[2] - z + 0.8))) for p in face.points)
    front = replace(face, two_sided=False, normals=outward)
    back = replace(
        front, points=reverse(face.points), uvs=tuple(reversed(face.uvs or ())), normals=reverse(outward)
    )
    return [front, back]


def pine() -> list[Face]:
    """A conifer: its outline three times about a trunk."""
    faces = cylinder(
        (0.0, 0.0, -0.5),
        PINE_TRUNK * 0.8,
        3.0,
        side="bark",
        ends="bark",
        repeats=2.0,
        rise=2.0,
        top=PINE_TRUNK * 0.55,
    )[:-2]
    for face in crossed("pine", half=2.2, low=1.0, high=10.5, count=3):
        faces += leaves(face, (0.0, 0.0, 3.0))
    return faces


# Sprays of a bush: middle and half a side, metres.
_SPRAYS: tuple[tuple[Vec3, float], ...] = (
    ((0.05, 0.02, 0.6), 0.62), ((0.45, 0.1, 0.38), 0.55), ((-0.38, 0.3, 0.42), 0.56),
    ((-0.05, -0.42, 0.38), 0.54), ((-0.5, -0.12, 0.34), 0.46), ((0.22, 0.42, 0.34), 0.48),
)  # fmt: skip


def bush() -> list[Face]:
    """Sprays of different sizes on stems that part at the ground, wider than high."""
    faces: list[Face] = []
    for x, y, z in ((0.55, 0.1, 0.5), (-0.45, 0.35, 0.55), (-0.1, -0.5, 0.45), (0.1, 0.1, 0.8)):
        faces += bough((0.04 * x, 0.04 * y, -0.25), (x, y, z), 0.05)
    for (x, y, z), half in _SPRAYS:
        for face in crossed("foliage", half=half, low=z - half, high=z + half, at=(x, y)):
            faces += leaves(face, (0.0, 0.0, -0.2))
        faces += leaves(spread(x, y, z, half), (0.0, 0.0, -0.2))
    return faces


# How far the rock reaches at every second hour of a clock, for its rings from the ground up.
_RINGS: tuple[tuple[float, tuple[float, ...]], ...] = (
    (-0.5, (1.25, 1.1, 1.3, 1.15, 1.2, 1.1)),
    (0.35, (1.1, 1.0, 1.15, 1.05, 1.05, 1.0)),
    (0.8, (0.7, 0.75, 0.75, 0.6, 0.65, 0.7)),
)
_PEAK = (0.1, -0.05, 1.05)


def rock() -> list[Face]:
    """A boulder of triangles that stands on open ground, its foot below it."""
    return lump(_RINGS, _PEAK)


def grows(
    model: int, *, often: float, spread: float, small: float, large: float, steep: float = 0.8, align: int = 0
) -> ObjectDesc:
    """An object of a scene: how often, how far off its vertex, its scale, the least normal z it stands on."""
    return ObjectDesc(
        id=model,
        base=IDENTITY_FRAME,
        freq=f32(often),
        disp_x=f32(spread),
        disp_y=f32(spread),
        min_scale=f32(small),
        max_scale=f32(large),
        max_rot=360.0,
        min_slope=f32(steep),
        max_slope=1.0,
        align=align,
        orient=0,
        weenie=0,
    )


# Scene types by name, each with its scenes, of which chance picks one a vertex.
_GROWTHS: dict[str, tuple[tuple[ObjectDesc, ...], ...]] = {
    "nothing": (),
    "meadow": (
        (
            grows(ids.FLOWERS, often=0.5, spread=22.0, small=0.8, large=1.4),
            grows(ids.FLOWERS, often=0.4, spread=20.0, small=0.8, large=1.4),
        ),
        (
            grows(ids.BUSH, often=0.3, spread=20.0, small=0.7, large=1.2),
            grows(ids.FLOWERS, often=0.4, spread=22.0, small=0.7, large=1.1),
        ),
        (
            grows(_TREE, often=0.25, spread=22.0, small=0.7, large=1.2),
            grows(ids.FLOWERS, often=0.4, spread=22.0, small=0.7, large=1.1),
        ),
    ),
    "copse": (
        (
            grows(_TREE, often=0.6, spread=22.0, small=0.7, large=1.3),
            grows(_TREE, often=0.4, spread=14.0, small=0.6, large=1.1),
            grows(ids.BUSH, often=0.4, spread=22.0, small=0.7, large=1.2),
        ),
    ),
    "wood": (
        (
            grows(_TREE, often=0.8, spread=23.0, small=0.8, large=1.4),
            grows(_TREE, often=0.6, spread=18.0, small=0.7, large=1.3),
            grows(_PINE, often=0.5, spread=20.0, small=0.7, large=1.2),
            grows(ids.BUSH, often=0.5, spread=22.0, small=0.7, large=1.3),
        ),
        (
            grows(_PINE, often=0.8, spread=23.0, small=0.7, large=1.3),
            grows(_PINE, often=0.6, spread=16.0, small=0.6, large=1.1),
            grows(_TREE, often=0.4, spread=20.0, small=0.7, large=1.2),
            grows(ids.ROCK, often=0.15, spread=20.0, small=0.4, large=0.9, steep=0.5, align=1),
        ),
    ),
    "rocks": (
        (
            grows(ids.ROCK, often=0.5, spread=20.0, small=0.5, large=2.2, steep=0.4, align=1),
            grows(ids.ROCK, often=0.3, spread=14.0, small=0.3, large=0.9, steep=0.4, align=1),
            grows(_PINE, often=0.25, spread=18.0, small=0.5, large=0.9, steep=0.66),
        ),
    ),
    "reeds": (
        (
            grows(ids.REEDS, often=0.8, spread=12.0, small=0.8, large=1.3),
            grows(ids.REEDS, often=0.7, spread=16.0, small=0.8, large=1.2),
            grows(ids.REEDS, often=0.5, spread=20.0, small=0.7, large=1.1),
            grows(ids.BUSH, often=0.2, spread=20.0, small=0.6, large=1.0),
        ),
    ),
}  # fmt: skip
# What is sparse and what is dense on a terrain type; nothing grows on the others.
_ON_TERRAIN: dict[int, tuple[str, str]] = {
    terrain.GRASSLAND: ("meadow", "copse"),
    terrain.LUSH: ("meadow", "copse"),
    terrain.PATCHY_GRASS: ("meadow", "copse"),
    terrain.FOREST: ("copse", "wood"),
    terrain.BARREN_ROCK: ("rocks", "rocks"),
    terrain.MARSH: ("reeds", "reeds"),
    terrain.SAND: ("nothing", "rocks"),
}


def scenes() -> list[Scene]:
    """All Scenes in the order of their ids."""
    every = [objects for group in _GROWTHS.values() for objects in group]
    return [Scene(SCENE + n, objects) for n, objects in enumerate(every)]


def scene_types() -> tuple[SceneType, ...]:
    """The Region's scene types: the groups of Scenes that terrain types name."""
    out, first = [], SCENE
    for group in _GROWTHS.values():
        out.append(SceneType(-1, tuple(range(first, first + len(group)))))
        first += len(group)
    return tuple(out)


def choices(terrain_type: int) -> tuple[int, ...]:
    """The scene types that a terrain type names: for bare, sparse and dense ground, then none."""
    names = list(_GROWTHS)
    sparse, dense = _ON_TERRAIN.get(terrain_type, ("nothing", "nothing"))
    chosen = tuple(names.index(name) for name in ("nothing", sparse, dense))
    return chosen + (-1,) * (SLOTS - len(chosen))
