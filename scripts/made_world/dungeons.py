"""Dungeons of any number of cells, laid of the demo's structures on a grid of ten metres, on several levels.

A tile is (x, y, level), levels counted downwards in drops of a stair. Its structure follows from its open
sides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from random import Random

from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.land_block_info import Stab
from engine.dat.values import Vec3
from scripts.demo_world import ids
from scripts.demo_world.building import EXACT, HAS_STATICS, SIDE, Place, cell_struct
from scripts.demo_world.houses import dungeon
from scripts.demo_world.houses.dungeon import DROP, EAST, GRID, NORTH, SOUTH, THRESHOLDS, WEST

FEWEST, MOST = 10, 1000  # cells of a dungeon of a made world
LEVEL_SIDE = 16  # tiles, so that a level stays within its landblock
ORIGIN: Vec3 = (16.0, 16.0, -6.0)
LOOPS = 0.25  # the share of walls between neighbouring tiles that are opened as well
SIGHT = 6  # portals within which a cell's list names every cell
FIRST = 0x100
STEPS = {SOUTH: (0, -1), EAST: (1, 0), NORTH: (0, 1), WEST: (-1, 0)}
LANDING, STAIRS, FOOT = 7, (6, 5), 4  # the rows of the way down to the next level
FURNITURE: tuple[tuple[int, Vec3], ...] = (
    (dungeon.BARREL, (3.4, 3.2, 0.0)), (ids.CRATE, (-3.5, 3.5, 0.0)), (ids.BONES, (-2.4, -2.2, 0.0)),
    (ids.CHEST, (-4.3, 2.6, 0.0)),
)  # fmt: skip

Tile = tuple[int, int, int]


@dataclass
class Plan:
    """Tiles in the order of their cells' ids with what is beyond each open side, and which are stairs.

    Stairs go down to the south.
    """

    links: dict[Tile, dict[int, Tile]] = field(default_factory=dict)
    stairs: set[Tile] = field(default_factory=set)

    def link(self, tile: Tile, side: int, other: Tile) -> None:
        """Open two tiles to each other; ones that are new are laid."""
        self.links.setdefault(tile, {})[side] = other
        self.links.setdefault(other, {})[opposite(side)] = tile

    def shape(self, tile: Tile) -> tuple[str, int]:
        """A tile's structure and its quarter turns."""
        return ("stair", NORTH) if tile in self.stairs else _shapes()[frozenset(self.links[tile])]


def opposite(side: int) -> int:
    """The side across."""
    return (side + 2) % 4


@cache
def _shapes() -> dict[frozenset[int], tuple[str, int]]:
    """Structure and quarter turns by open sides."""
    out: dict[frozenset[int], tuple[str, int]] = {}
    for name, cell in dungeon.structures().items():
        for turns in range(4) if name != "stair" else ():
            out.setdefault(frozenset((side + turns) % 4 for _, side in cell.openings), (name, turns))
    return out


def plan(count: int, random: Random, side: int = LEVEL_SIDE, loops: float = LOOPS) -> Plan:
    """A connected dungeon of so many cells: levels of ``side`` tiles squared, filled one after the other.

    One that fits on a level gets no more room than it needs.
    """
    out = Plan()
    deep = count > side * side
    if not deep:
        side = next(n for n in range(1, side + 1) if n * n >= count)
    level, start = 0, (side // 2, side // 2, 0)
    out.links[start] = {}
    while True:
        kept = {(_shaft(level + k), y) for k in (-1, 0) for y in STAIRS} if deep else set()
        _grow(out, count, start, side=side, kept=kept, loops=loops, random=random)
        if len(out.links) >= count:
            return out
        x, z = _shaft(level), start[2]
        upper, lower, start = (x, STAIRS[0], z), (x, STAIRS[1], z + 1), (x, FOOT, z + 2)
        out.stairs |= {upper, lower}
        out.link((x, LANDING, z), SOUTH, upper)
        out.link(upper, SOUTH, lower)
        out.link(lower, SOUTH, start)
        level += 1


def _shaft(level: int) -> int:
    """The column of the stairs that lead down from a level."""
    return 3 + 2 * (level % 4)


def _grow(
    out: Plan,
    count: int,
    start: Tile,
    *,
    side: int,
    kept: Collection[tuple[int, int]],
    loops: float,
    random: Random,
) -> None:
    """Lay tiles of one level from a first one on until there are ``count`` or the level is full."""
    z = start[2]
    here = [start]
    frontier = [start]
    while frontier and len(out.links) < count:
        at = random.randrange(len(frontier))
        tile = frontier[at]
        free = []
        for way, (dx, dy) in STEPS.items():
            there = (tile[0] + dx, tile[1] + dy, z)
            inside = 0 <= there[0] < side and 0 <= there[1] < side and there[:2] not in kept
            if inside and there not in out.links:
                free.append((way, there))
        if not free:
            frontier[at] = frontier[-1]
            frontier.pop()
            continue
        way, there = free[random.randrange(len(free))]
        out.link(tile, way, there)
        here.append(there)
        frontier.append(there)
    for tile in here:
        for way in (EAST, NORTH):
            there = (tile[0] + STEPS[way][0], tile[1] + STEPS[way][1], z)
            if there in out.links and there not in out.stairs and way not in out.links[tile]:
                if random.random() < loops:
                    out.link(tile, way, there)


@cache
def _built() -> dict[str, tuple[int, tuple[int, ...], int, tuple[int, ...]]]:
    """Of every structure: its key, surfaces, the number of its first opening, and its openings' sides."""
    out = {}
    for key, (name, cell) in enumerate(dungeon.structures().items()):
        mesh = cell_struct(key, cell)[1]
        surfaces = tuple(surface & 0xFFFF for surface in mesh.surfaces)
        sides = tuple(side for _, side in cell.openings)
        out[name] = (key, surfaces, len(mesh.polygons) - len(sides), sides)
    return out


def cells(block: int, made: Plan, random: Random) -> list[EnvCell]:
    """The cells of a dungeon in a landblock (low word zero), ids ascending."""
    lows = {tile: FIRST + n for n, tile in enumerate(made.links)}
    openings: dict[Tile, dict[int, int]] = {}  # the portal's index by side
    for tile in made.links:
        name, turns = made.shape(tile)
        openings[tile] = {(side + turns) % 4: n for n, side in enumerate(_built()[name][3])}
    out = []
    for tile, low in lows.items():
        name, turns = made.shape(tile)
        key, surfaces, first, _ = _built()[name]
        hollow = name in ("passage", "stair")
        place = Place(_middle(tile), turns)
        flags = EXACT | (0 if hollow else SIDE)
        beyond = made.links[tile]
        portals = tuple(
            CellPortal(flags, first + n, lows[beyond[way]], openings[beyond[way]][opposite(way)])
            for way, n in openings[tile].items()
        )
        statics = _statics(name, place, random)
        seen = tuple(sorted(lows[other] for other in in_sight(made, tile)))
        out.append(
            EnvCell(
                id=block | low,
                flags=HAS_STATICS if statics else 0,
                surfaces=surfaces,
                environment=ids.DUNGEON_ENVIRONMENT & 0xFFFF,
                structure=key,
                frame=place.frame(),
                portals=portals,
                visible=seen,
                statics=statics or None,
            )
        )
    return out


def _middle(tile: Tile) -> Vec3:
    x, y, z = ORIGIN
    return (x + GRID * tile[0], y + GRID * tile[1], z - DROP * tile[2])


def _statics(name: str, place: Place, random: Random) -> tuple[Stab, ...]:
    """Braziers, arches and some furniture in rooms; steps on stairs."""
    if name == "passage":
        return ()
    if name == "stair":
        return tuple(Stab(model, place.frame(at)) for model, at in dungeon.STEPS)
    things = list(dungeon.HALL_LIGHTS[:2] if name == "hall" else dungeon.LIT[:2])
    things += [thing for thing in FURNITURE if random.random() < 0.3] if name != "hall" else []
    arches = tuple(Stab(ids.ARCH, place.frame(THRESHOLDS[side], side)) for side in _built()[name][3])
    return tuple(Stab(model, place.frame(at)) for model, at in things) + arches


def in_sight(made: Plan, tile: Tile) -> set[Tile]:
    """The other tiles within some portals, and all that lie straight on; a relation that is symmetric."""
    found = {tile: 0}
    todo = deque([tile])
    while todo:
        here = todo.popleft()
        if found[here] < SIGHT:
            for other in made.links[here].values():
                if other not in found:
                    found[other] = found[here] + 1
                    todo.append(other)
    for way in STEPS:
        here = tile
        while way in made.links[here]:
            here = made.links[here][way]
            found.setdefault(here, 0)
    return set(found) - {tile}
