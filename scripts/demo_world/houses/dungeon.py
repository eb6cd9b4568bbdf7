"""The dungeon: rooms and passages on a grid of ten metres, on two levels, of few structures turned about.

A structure's own space has its middle at the origin, its floor at 0 and its doorways at 5 m to each side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import Environment
from engine.dat.records.land_block_info import Stab
from engine.dat.values import Vec3
from scripts.demo_world import ids
from scripts.demo_world.building import EXACT, HAS_STATICS, SIDE, Cell, Place, cell_struct
from scripts.demo_world.geometry import Points, reverse
from scripts.demo_world.mesh import Mesh
from scripts.demo_world.solids import Face, box, inside_out, prism, upright_x, upright_y

GRID, HALF, WIDE, TALL = 10.0, 5.0, 1.5, 3.0
ORIGIN = (40.0, 60.0, -6.0)
DROP = 5.0

# The sides of a tile by number of quarter turns from the south.
SOUTH, EAST, NORTH, WEST = range(4)


@dataclass(frozen=True, slots=True)
class Tile:
    """A cell of the dungeon: its structure, its quarter turns, its place on the grid and its furniture.

    ``facing`` is furniture with a front: how many quarter turns from the south it looks, in the tile.
    """

    structure: str
    turns: int
    x: int
    y: int
    level: int = 0
    statics: tuple[tuple[int, Vec3], ...] = ()
    facing: tuple[tuple[int, Vec3, int], ...] = ()


BRAZIER, BARREL, PORTAL = (ids.setup_of(i) for i in (ids.BRAZIER, ids.BARREL, ids.PORTAL))
CORNERS = ((-3.6, -3.6, 0.0), (3.6, -3.6, 0.0), (3.6, 3.6, 0.0), (-3.6, 3.6, 0.0))
LIT = tuple((BRAZIER, p) for p in CORNERS)
PILLARS = tuple(
    (ids.PILLAR, p) for p in ((-2.8, -2.8, 0.0), (2.8, -2.8, 0.0), (2.8, 2.8, 0.0), (-2.8, 2.8, 0.0))
)
HALL_LIGHTS = tuple(
    (BRAZIER, p) for p in ((-4.3, -4.3, 0.0), (4.3, -4.3, 0.0), (4.3, 4.3, 0.0), (-4.3, 4.3, 0.0))
)
# The middle of the doorway of every side, by number.
THRESHOLDS: tuple[Vec3, ...] = ((0.0, -HALF, 0.0), (HALF, 0.0, 0.0), (0.0, HALF, 0.0), (-HALF, 0.0, 0.0))
STEPS = ((ids.DUNGEON_STEPS, (0.0, 0.0, 0.0)),)

# Order decides the ids, from 0x0100 on. A straight view of seventy metres runs along y = 0; two loops close.
TILES: tuple[Tile, ...] = (
    Tile(
        structure="one",
        turns=EAST,
        x=0,
        y=0,
        level=0,
        statics=(*LIT[:2], (BARREL, (3.6, 3.4, 0.0)), (ids.BONES, (1.6, 2.9, 0.0))),
    ),
    Tile(
        structure="three",
        turns=SOUTH,
        x=1,
        y=0,
        level=0,
        statics=(*LIT[2:], (PORTAL, (0.0, 4.3, 0.0)), (ids.BONES, (-2.4, -2.2, 0.0))),
    ),
    Tile("passage", EAST, 2, 0),
    Tile(
        structure="hall",
        turns=SOUTH,
        x=3,
        y=0,
        level=0,
        statics=(*PILLARS, *HALL_LIGHTS, (ids.BONES, (1.9, 1.7, 0.0))),
    ),
    Tile("passage", EAST, 4, 0),
    Tile("passage", EAST, 5, 0),
    Tile(
        structure="two",
        turns=WEST,
        x=6,
        y=0,
        level=0,
        statics=LIT[1:3],
        facing=((ids.CHEST, (4.3, 0.0, 0.0), WEST),),
    ),
    Tile("passage", SOUTH, 3, 1),
    Tile(structure="two", turns=EAST, x=3, y=2, level=0, statics=(*LIT[:1], (ids.CRATE, (-3.5, 3.5, 0.0)))),
    Tile("passage", EAST, 4, 2),
    Tile("passage", EAST, 5, 2),
    Tile(structure="two", turns=SOUTH, x=6, y=2, level=0, statics=LIT[:2]),
    Tile("passage", SOUTH, 6, 1),
    Tile(structure="stair", turns=NORTH, x=3, y=-1, level=0, statics=STEPS),
    Tile(structure="three", turns=NORTH, x=3, y=-2, level=-1, statics=LIT[:2]),
    Tile(structure="passage", turns=EAST, x=4, y=-2, level=-1),
    Tile(structure="one", turns=WEST, x=5, y=-2, level=-1, statics=(*LIT[2:], (ids.CRATE, (3.9, 0.0, 0.0)))),
    Tile(structure="passage", turns=EAST, x=2, y=-2, level=-1),
    Tile(structure="two", turns=NORTH, x=1, y=-2, level=-1, statics=LIT[:2]),
    Tile(structure="stair", turns=NORTH, x=1, y=-1, level=0, statics=STEPS),
)


def low_of(x: int, y: int) -> int:
    """The low word of the cell at a place on the grid."""
    return 0x100 + next(i for i, tile in enumerate(TILES) if (tile.x, tile.y) == (x, y))


def place_of(tile: Tile) -> Place:
    """Where a tile's structure stands in its landblock."""
    x, y, z = ORIGIN
    return Place((x + GRID * tile.x, y + GRID * tile.y, z + DROP * tile.level), tile.turns)


def structures() -> dict[str, Cell]:
    """The structures by name; their openings face in for rooms, out for passages and stairs."""
    passage = _box(WIDE, HALF, TALL, "ashlar")
    profile = ((-HALF, 0.0), (HALF, -DROP), (HALF, TALL - DROP), (-HALF, TALL))
    stair = inside_out(
        prism(
            profile,
            -WIDE,
            WIDE,
            along="x",
            materials=["flags", "ashlar", "vault", "ashlar", "ashlar", "ashlar"],
        )
    )
    shapes: dict[str, tuple[list[Face], tuple[int, ...]]] = {
        "passage": (passage, (SOUTH, NORTH)),
        "stair": (stair, (SOUTH, NORTH)),
        "one": (_box(HALF, HALF, 4.0, "ashlar"), (SOUTH,)),
        "two": (_box(HALF, HALF, 4.0, "rubble"), (SOUTH, WEST)),
        "three": (_box(HALF, HALF, 4.0, "ashlar"), (SOUTH, EAST, WEST)),
        "hall": (_box(HALF, HALF, 6.0, "ashlar"), (SOUTH, EAST, NORTH, WEST)),
    }
    out = {}
    for key, (name, (faces, sides)) in enumerate(shapes.items()):
        cell = Cell(key, faces)
        for side in sides:
            ring = doorway(side, -DROP if name == "stair" and side == NORTH else 0.0)
            inward = side in (EAST, SOUTH)  # upright_x looks east, upright_y south
            wants_in = name not in ("passage", "stair")
            cell.openings.append((reverse(ring) if inward == wants_in else ring, side))
        out[name] = cell
    return out


def _box(x: float, y: float, height: float, wall: str) -> list[Face]:
    return inside_out(box((-x, -y, 0.0), (x, y, height), wall, top="vault", bottom="flags"))


def doorway(side: int, z: float) -> Points:
    """The doorway of a side, three metres wide and high."""
    if side in (SOUTH, NORTH):
        return upright_y(-WIDE, WIDE, -HALF if side == SOUTH else HALF, z0=z, z1=z + TALL)
    return upright_x(HALF if side == EAST else -HALF, -WIDE, WIDE, z0=z, z1=z + TALL)


def records(lists: Mapping[int, tuple[int, ...]] | None = None) -> tuple[Environment, list[EnvCell]]:
    """The dungeon's Environment and its cells, with stab lists by low word or else all other cells."""
    shapes = structures()
    built: dict[str, tuple[int, Mesh]] = {}
    structs = []
    for key, (name, cell) in enumerate(shapes.items()):
        struct, mesh = cell_struct(key, cell)
        structs.append(struct)
        built[name] = (key, mesh)
    middles: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for i, tile in enumerate(TILES):
        for index, (ring, _) in enumerate(shapes[tile.structure].openings):
            middles.setdefault(_spot(tile, ring), []).append((0x100 + i, index))
    numbers = range(0x100, 0x100 + len(TILES))
    everyone = lists or {a: tuple(b for b in numbers if b != a) for a in numbers}
    cells = []
    for i, tile in enumerate(TILES):
        low, place = 0x100 + i, place_of(tile)
        key, mesh = built[tile.structure]
        openings = shapes[tile.structure].openings
        first = len(mesh.polygons) - len(openings)
        flags = EXACT | (SIDE if tile.structure not in ("passage", "stair") else 0)
        portals = []
        for index, (ring, _) in enumerate(openings):
            ((other, back),) = [pair for pair in middles[_spot(tile, ring)] if pair != (low, index)]
            portals.append(CellPortal(flags, first + index, other, back))
        statics = tuple(Stab(model, place.frame(at)) for model, at in tile.statics)
        statics += tuple(Stab(model, place.frame(at, turns)) for model, at, turns in tile.facing)
        if tile.structure not in ("passage", "stair"):
            statics += tuple(Stab(ids.ARCH, place.frame(THRESHOLDS[side], side)) for _, side in openings)
        cells.append(
            EnvCell(
                id=ids.DUNGEON | low,
                flags=HAS_STATICS if statics else 0,
                surfaces=tuple(s & 0xFFFF for s in mesh.surfaces),
                environment=ids.DUNGEON_ENVIRONMENT & 0xFFFF,
                structure=key,
                frame=place.frame(),
                portals=tuple(portals),
                visible=everyone[low],
                statics=statics or None,
            )
        )
    return Environment(ids.DUNGEON_ENVIRONMENT, tuple(structs)), cells


def _spot(tile: Tile, ring: Points) -> tuple[int, ...]:
    """Where the middle of an opening lies in the landblock, in centimetres."""
    place = place_of(tile)
    xs = [place.put(p) for p in ring]
    return tuple(round(sum(p[axis] for p in xs) / len(xs) * 100) for axis in range(3))
