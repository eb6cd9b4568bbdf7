"""What stands outdoors: trees, bushes, a fence, a well and a signpost."""

from __future__ import annotations

from engine.dat.gfx_obj import GfxObj
from engine.dat.land_block_info import Stab
from engine.dat.setup import Setup
from engine.dat.values import CylSphere, StoredFrame
from scripts.demo_world import ids, terrain
from scripts.demo_world.building import QUARTERS
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.noise import random
from scripts.demo_world.solids import Face, box, cylinder, fitted, prism, quad

Record = GfxObj | Setup
TRUNK = 0.3


def records() -> list[tuple[int, Record]]:
    """Models of things outdoors by id."""
    fence_solid = outline(box((-1.5, -0.08, 0.0), (1.5, 0.08, 1.1), "trim"))
    post_solid = outline(box((-0.1, -0.1, 0.0), (0.1, 0.1, 2.6), "trim"))
    well_shape = CylSphere((0.0, 0.0, 0.0), f32(1.0), f32(1.0))
    trunk = CylSphere((0.0, 0.0, 0.0), f32(TRUNK), f32(4.0))
    return [
        (ids.FENCE, gfx_obj(ids.FENCE, fence(), fence_solid)),
        (ids.SIGNPOST, gfx_obj(ids.SIGNPOST, signpost(), post_solid)),
        (ids.WELL, gfx_obj(ids.WELL, well())),
        (
            ids.setup_of(ids.WELL),
            setup(ids.setup_of(ids.WELL), (ids.WELL,), cylspheres=(well_shape,), height=2.6, radius=1.3),
        ),
        (ids.TREE, gfx_obj(ids.TREE, tree())),
        (
            ids.setup_of(ids.TREE),
            setup(ids.setup_of(ids.TREE), (ids.TREE,), cylspheres=(trunk,), height=8.0, radius=3.2),
        ),
        (ids.BUSH, gfx_obj(ids.BUSH, bush())),
    ]


def fence() -> list[Face]:
    """Three metres of fence along x."""
    faces = []
    for z in (0.45, 0.9):
        faces += box((-1.5, -0.03, z - 0.07), (1.5, 0.03, z + 0.07), "trim")
    for x in (-1.42, 0.0, 1.42):
        faces += box((x - 0.07, -0.07, -0.4), (x + 0.07, 0.07, 1.15), "trim")
    return faces


def signpost() -> list[Face]:
    """A post with two boards."""
    faces = box((-0.08, -0.08, -0.3), (0.08, 0.08, 2.6), "trim")
    faces += box((0.08, -0.03, 2.05), (1.0, 0.03, 2.35), "table")
    return [*faces, *box((-1.0, -0.03, 1.65), (-0.08, 0.03, 1.95), "table")]


def well() -> list[Face]:
    """A well of field stones under a little roof."""
    faces = cylinder((0.0, 0.0, -0.3), 1.0, 1.2, "rubble", "iron", repeats=3.0)
    faces += cylinder((0.0, 0.0, 0.9), 1.06, 0.1, "ashlar", "iron", repeats=3.0)
    for x in (-0.98, 0.86):
        faces += box((x, -0.08, 0.9), (x + 0.12, 0.08, 2.3), "trim")
    profile = ((-0.9, 2.25), (0.9, 2.25), (0.0, 2.9))
    faces += prism(profile, -1.25, 1.25, "x", ["trim", "shingles", "shingles", "trim", "trim"])
    return [*faces, *box((-0.98, -0.05, 1.7), (0.98, 0.05, 1.8), "bark")]


def tree() -> list[Face]:
    """A tree of crossed sprays on a trunk."""
    faces = cylinder((0.0, 0.0, -0.4), TRUNK, 4.0, "bark", "bark", repeats=2.0)
    faces = faces[:-2]
    for low, high, half in ((2.4, 7.6, 2.8), (1.9, 6.4, 2.3)):
        d = half * 0.7071
        for ax, ay in ((half, 0.0), (0.0, half), (d, d), (d, -d)):
            faces.append(_spray((-ax, -ay), (ax, ay), low, high))
    for z, half in ((3.6, 2.7), (5.2, 2.3)):
        flat = quad(
            (-half, -half, z), (half, -half, z + 0.3), (half, half, z), (-half, half, z - 0.3), "foliage"
        )
        faces.append(Face(fitted(flat).points, "foliage", fitted(flat).uvs, two_sided=True))
    return faces


def bush() -> list[Face]:
    """Three crossed sprays near the ground."""
    return [
        _spray((-0.9, 0.0), (0.9, 0.0), -0.2, 1.2),
        _spray((0.0, -0.9), (0.0, 0.9), -0.2, 1.2),
        _spray((-0.64, -0.64), (0.64, 0.64), -0.2, 1.1),
    ]


def _spray(a: tuple[float, float], b: tuple[float, float], low: float, high: float) -> Face:
    card = quad((a[0], a[1], low), (b[0], b[1], low), (b[0], b[1], high), (a[0], a[1], high), "foliage")
    return Face(fitted(card).points, "foliage", fitted(card).uvs, two_sided=True)


def stabs(block: int) -> tuple[Stab, ...]:
    """What stands outdoors in a block, in its own frame."""
    bx, by = block >> 24, block >> 16 & 0xFF
    dx, dy = bx - (ids.VILLAGE >> 24), by - (ids.VILLAGE >> 16 & 0xFF)
    out = [] if (dx, dy) != (0, 0) else [_stab(*spot) for spot in VILLAGE_THINGS]
    for x in range(8):
        for y in range(8):
            i, j = 8 * dx + x, 8 * dy + y
            for k in range(3):
                tree_here = float(random(i + 64 * k, j, 611))
                if not terrain.is_wood(i, j) or tree_here > 0.45 or max(abs(dx), abs(dy)) > 1:
                    continue
                px = 24 * x + 4 + round(16 * float(random(i, j + 64 * k, 612)), 2)
                py = 24 * y + 4 + round(16 * float(random(i, j + 64 * k, 613)), 2)
                if _on_road(px + 192 * dx, py + 192 * dy):
                    continue
                kind = ids.BUSH if tree_here < 0.12 else ids.setup_of(ids.TREE)
                z = terrain.height_at(px + 192 * dx, py + 192 * dy)
                turns = int(float(random(i, j, 614 + k)) * 4)
                out.append(Stab(kind, StoredFrame(point((px, py, z)), QUARTERS[turns])))
    return tuple(out)


def _on_road(x: float, y: float) -> bool:
    """Whether a point lies in a cell with a road at one of its corners."""
    i, j = int(x // 24), int(y // 24)
    return any(terrain.is_road(i + a, j + b) for a in (0, 1) for b in (0, 1))


def _stab(model: int, x: float, y: float, turns: int) -> Stab:
    return Stab(model, StoredFrame(point((x, y, terrain.height_at(x, y))), QUARTERS[turns]))


_TREE = ids.setup_of(ids.TREE)
VILLAGE_THINGS: tuple[tuple[int, float, float, int], ...] = (
    (ids.setup_of(ids.WELL), 136.0, 21.0, 0),
    (ids.SIGNPOST, 141.5, 29.8, 0),
    *((ids.FENCE, 150.0 - 3.0 * i, 17.4, 0) for i in range(1, 4)),
    *((ids.FENCE, 161.0 + 3.0 * i, 17.4, 0) for i in range(0, 4)),
    (ids.HAY, 148.2, 12.0, 1), (ids.CRATE, 166.2, 13.0, 0), (ids.setup_of(ids.BARREL), 166.4, 14.6, 0),
    (ids.setup_of(ids.BARREL), 151.2, 29.9, 0), (ids.BENCH, 162.5, 29.5, 0),
    (_TREE, 140.5, 12.0, 0), (_TREE, 172.0, 9.0, 1), (_TREE, 173.5, 36.0, 2), (_TREE, 138.0, 40.0, 3),
    (_TREE, 128.0, 8.0, 1), (_TREE, 120.0, 34.5, 0), (_TREE, 180.0, 14.5, 2),
    (ids.BUSH, 149.0, 9.0, 0), (ids.BUSH, 166.8, 8.0, 1), (ids.BUSH, 159.6, 17.2, 0),
    (ids.BUSH, 152.2, 17.1, 1), (ids.BUSH, 144.8, 29.4, 0), (ids.BUSH, 167.6, 33.0, 1),
)  # fmt: skip
