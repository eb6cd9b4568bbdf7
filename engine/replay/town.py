"""A town made in memory of a village's own houses, to measure what many houses and many things cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.dat.number_rules import frame_fault
from engine.dat.records.env_cell import OUTSIDE, EnvCell
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BuildingInfo, LandBlockInfo
from engine.dat.values import StoredFrame, Vec3
from engine.replay.one_block import OneBlockInstead
from engine.world.ids import CELL_SIDE, FIRST_ENV_CELL, LAST_ENV_CELL, block_of
from engine.world.source import Problems, Scene, SceneObject, WorldSource

COLUMNS, ROWS = 6, 5
SPACING, FIRST_X, FIRST_Y = (32.0, 36.0), 16.0, 14.0
FIRST_CELL, FIRST_ENTITY = 0x100, 0x79000000
ENTITY_STATE = 0x8  # reports collisions
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
NOWHERE = LAST_ENV_CELL  # of an opening whose cell isn't there: left out, it would change the others' numbers
MOST_CELLS = 10_000  # of a town, so that ids don't run out
MOST_STATICS = 200_000  # of all cells; furnished inns have half of it


@dataclass(frozen=True, slots=True)
class House:
    """A building of a village with the cells behind its openings."""

    info: BuildingInfo
    cells: tuple[EnvCell, ...]


class TownSource(OneBlockInstead):
    """A source in which one landblock with a village is a town: flat, 30 houses of the smaller kinds.

    ``entities`` of them stand about in rows between the houses. All else is the source's own.
    """

    def __init__(self, source: WorldSource, block_id: int, entities: int, model_id: int) -> None:
        info = source.land_block_info(block_of(block_id) | 0xFFFE)
        ground = source.land_block(block_of(block_id) | 0xFFFF)
        if info is None or ground is None or not info.buildings:
            raise ValueError("no building stands in the landblock that is to be a town")
        super().__init__(source, block_id, info)
        houses = sorted(houses_of(source, self.block, info), key=lambda house: len(house.cells))[:2]
        if not houses:
            raise ValueError("no building with a room stands in the landblock that is to be a town")
        rooms = sum(len(houses[number % len(houses)].cells) for number in range(COLUMNS * ROWS))
        if rooms > MOST_CELLS:
            raise ValueError(f"a town of this landblock's smallest buildings has {rooms} rooms, too many")
        things = sum(statics_of(houses[number % len(houses)].cells) for number in range(COLUMNS * ROWS))
        if things > MOST_STATICS:
            raise ValueError(
                f"a town of this landblock's smallest buildings holds {things} statics, too many"
            )
        self.height = houses[0].info.frame.origin[2]
        table = source.region().land.heights
        index = min(range(len(table)), key=lambda n: abs(table[n] - self.height))
        self._ground = ground._replace(height=(index,) * len(ground.height))
        places = range(COLUMNS * ROWS)
        buildings = tuple(self._stand(houses[number % len(houses)], number) for number in places)
        self.info = info._replace(num_cells=len(self.records), objects=(), buildings=buildings)
        scene = source.scene()
        others = tuple(thing for thing in scene.objects if block_of(thing.cell_id) != self.block)
        self._scene = scene._replace(objects=(*others, *self._entities(entities, model_id)))

    def land_block(self, block_id: int) -> LandBlock | None:
        """The landblock's ground, flat in the town."""
        return self._ground if block_of(block_id) == self.block else self.source.land_block(block_id)

    def scene(self) -> Scene:
        """The source's scene, with the town's own entities in place of the village's."""
        return self._scene

    def _stand(self, house: House, number: int) -> BuildingInfo:
        """Put a house in its place; its cells join the records."""
        ox, oy, oz = house.info.frame.origin
        x, y = FIRST_X + SPACING[0] * (number % COLUMNS), FIRST_Y + SPACING[1] * (number // COLUMNS)
        by = (x - ox, y - oy, self.height - oz)
        first = FIRST_CELL + len(self.records)
        lows = _numbered(house.cells, first)
        self.records |= {cell.id: cell for cell in copied(house.cells, self.block, first, by)}
        openings = tuple(
            p._replace(
                other_cell=lows.get(p.other_cell, NOWHERE),
                stabs=tuple(lows[s] for s in p.stabs if s in lows),
            )
            for p in house.info.portals
        )
        return house.info._replace(frame=_moved(house.info.frame, by), portals=openings)

    def _entities(self, count: int, model_id: int) -> Iterator[SceneObject]:
        across = 2 * COLUMNS
        for number in range(count):
            row = number // across
            x, y = 8.0 + 15.0 * (number % across), FIRST_Y + 16.0 + SPACING[1] * (row % (ROWS - 1))
            y += 1.5 * (row // (ROWS - 1))
            cell_id = self.block | 1 + 8 * int(x // CELL_SIDE) + int(y // CELL_SIDE)
            frame = StoredFrame((x, y, self.height), UPRIGHT)
            yield SceneObject(
                model_id=model_id,
                cell_id=cell_id,
                frame=frame,
                entity_id=FIRST_ENTITY + number,
                state=ENTITY_STATE,
            )


def houses_of(source: WorldSource, block_id: int, info: LandBlockInfo) -> Iterator[House]:
    """The buildings of a landblock, each with the cells that one comes to from its openings.

    Those without any or without a place are passed over, and so is a cell that can't be read.
    """
    problems = Problems()
    for building in info.buildings:
        if frame_fault(building.frame) is not None:
            continue
        found: dict[int, EnvCell] = {}
        open_cells = [portal.other_cell for portal in building.portals]
        while open_cells:
            low = open_cells.pop()
            is_new = FIRST_ENV_CELL <= low <= LAST_ENV_CELL and low not in found
            cell = problems.fetch(source.env_cell, block_id | low) if is_new else None
            if cell is not None:
                found[low] = cell
                open_cells += [portal.other_cell for portal in cell.portals]
        if found:
            yield House(building, tuple(found[low] for low in sorted(found)))


def statics_of(cells: Sequence[EnvCell]) -> int:
    """How many things stand in cells by themselves."""
    return sum(len(cell.statics or ()) for cell in cells)


def copied(cells: Sequence[EnvCell], block_id: int, first: int, by: Vec3) -> Iterator[EnvCell]:
    """Cells moved by metres and numbered anew from ``first`` on; ways to others than these are left out."""
    lows = _numbered(cells, first)
    for cell in cells:
        ways = tuple(p._replace(other_cell=lows[p.other_cell]) for p in cell.portals if p.other_cell in lows)
        statics = tuple(s._replace(frame=_moved(s.frame, by)) for s in cell.statics or ())
        yield cell._replace(
            id=block_id | lows[cell.id & 0xFFFF], portals=ways,
            visible=tuple(lows[low] for low in cell.visible if low in lows),
            frame=_moved(cell.frame, by), statics=statics if cell.statics else cell.statics,
        )  # fmt: skip


def _numbered(cells: Sequence[EnvCell], first: int) -> dict[int, int]:
    """New low words by those that cells have; what is outside stays so."""
    return {cell.id & 0xFFFF: first + n for n, cell in enumerate(cells)} | {OUTSIDE: OUTSIDE}


def _moved(frame: StoredFrame, by: Vec3) -> StoredFrame:
    x, y, z = frame.origin
    return frame._replace(origin=(x + by[0], y + by[1], z + by[2]))
