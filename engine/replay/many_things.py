"""A landblock of bare level ground with as many of one thing as one likes, made in memory to measure them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dat.records.land_block import LandBlock
from engine.dat.values import StoredFrame, Vec3
from engine.replay.one_block import OneBlockInstead
from engine.world.ids import CELL_SIDE, block_of
from engine.world.source import Scene, SceneObject, WorldSource

MIDDLE, SPACING, A_ROW = (96.0, 96.0), 1.5, 8
FIRST_ENTITY = 0x79000000
STATE = 0x4  # ethereal: nothing stands in the way
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class ManyThings(OneBlockInstead):
    """A source in which one landblock is level, with ``count`` entities of a model in rows in its middle.

    No cell, building or object stands there else; all else is the source's own. Raises ValueError where the
    source has no such landblock.
    """

    def __init__(self, source: WorldSource, block_id: int, count: int, model_id: int) -> None:
        info = source.land_block_info(block_of(block_id) | 0xFFFE)
        ground = source.land_block(block_of(block_id) | 0xFFFF)
        if info is None or ground is None:
            raise ValueError("there is no landblock that is to be made level")
        super().__init__(source, block_id, info._replace(num_cells=0, objects=(), buildings=()))
        level = sorted(ground.height)[len(ground.height) // 2]
        self.height = source.region().land.heights[level]
        self._ground = ground._replace(
            height=(level,) * len(ground.height), terrain=(0,) * len(ground.terrain)
        )
        scene = source.scene()
        others = tuple(thing for thing in scene.objects if block_of(thing.cell_id) != self.block)
        self._scene = scene._replace(objects=(*others, *self._things(count, model_id)))

    def at(self, x: float, y: float) -> tuple[int, Vec3]:
        """The landcell and the place on the ground there, metres in the landblock."""
        cell_id = self.block | 1 + 8 * int(x // CELL_SIDE) + int(y // CELL_SIDE)
        return cell_id, (x, y, self.height)

    def land_block(self, block_id: int) -> LandBlock | None:
        """The landblock's ground, level in this one."""
        return self._ground if block_of(block_id) == self.block else self.source.land_block(block_id)

    def scene(self) -> Scene:
        """The source's scene, with the many things in place of what stands in the landblock."""
        return self._scene

    def _things(self, count: int, model_id: int) -> Iterator[SceneObject]:
        for number in range(count):
            row, column = divmod(number, A_ROW)
            x, y = MIDDLE[0] + SPACING * (column - A_ROW / 2), MIDDLE[1] + SPACING * row
            cell_id, place = self.at(x, y)
            yield SceneObject(
                model_id=model_id,
                cell_id=cell_id,
                frame=StoredFrame(place, UPRIGHT),
                entity_id=FIRST_ENTITY + number,
                state=STATE,
            )
