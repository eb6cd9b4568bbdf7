"""The ground of a world of dumps: as the scene says, else as flat as the lowest exit (sources 4)."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Final

from engine.dat.records.land_block import LandBlock
from engine.dat.records.region import HEIGHTS, Region
from engine.world.ids import block_of, inbound
from engine.world.sources import plain_looks
from engine.world.sources.dump_folder import DumpFolder
from engine.world.sources.dump_openings import DumpOpenings
from engine.world.sources.dump_records import EXIT
from engine.world.sources.scene_file import SceneFile, SceneGround

DEFAULT_BLOCK: Final = 0xA9B40000
GRASS_WORD: Final = plain_looks.GRASS_TYPE << 2


class DumpGround:
    """Heights and terrain words of landblocks, and the region whose height table holds them."""

    def __init__(self, folder: DumpFolder, scene: SceneFile) -> None:
        self._folder = folder
        self._scene = scene

    def land_block(self, block_id: int) -> LandBlock | None:
        """The ground of a landblock; None everywhere without a scene's terrain and without an exit.

        And where the scene says that there is none.
        """
        x, y = (block_id >> 24) & 0xFF, (block_id >> 16) & 0xFF
        heights = self.heights
        if not heights or not inbound(8 * x, 8 * y):
            return None
        block_id = block_of(block_id)
        if block_id in self._missing:
            return None
        own = self._blocks.get(block_id)
        words: tuple[int, ...] = (GRASS_WORD,) * 81
        if own is not None:
            heights, words = own.heights, own.words
        elif block_id == self.home_block:
            heights = heights[:-1]
        else:
            heights = heights[-1:] * 81
        indices = tuple([self._height_index[height] for height in heights])
        has_objects = int(block_id in self._built_on)
        return LandBlock(block_id | 0xFFFF, has_objects, words, indices)

    @cached_property
    def home_block(self) -> int:
        """The landblock that most cells are on, else the first object's, else 0xA9B4."""
        blocks = Counter(block_of(cell_id) for cell_id in self._folder.cells)
        if blocks:
            return blocks.most_common(1)[0][0]
        placed = [building.cell_id for building in self._scene.buildings]
        placed += [item.cell_id for item in self._scene.objects]
        return block_of(placed[0]) if placed else DEFAULT_BLOCK

    @cached_property
    def heights(self) -> tuple[float, ...]:
        """The 81 heights of the home block and the height of all others; empty without terrain."""
        terrain = self._scene.terrain
        if terrain is not None:
            return (*terrain.heights, terrain.outside)
        sill = self._lowest_sill()
        return () if sill is None else (sill,) * 82

    @cached_property
    def _height_index(self) -> dict[float, int]:
        heights = {*self.heights, *(height for block in self._blocks.values() for height in block.heights)}
        return {height: index for index, height in enumerate(sorted(heights))}

    @cached_property
    def _blocks(self) -> dict[int, SceneGround]:
        """The landblocks whose ground the scene gives one by one."""
        return {} if self._scene.terrain is None else dict(self._scene.terrain.blocks)

    @cached_property
    def _missing(self) -> frozenset[int]:
        """The landblocks of which the scene says that the world has none."""
        return frozenset(() if self._scene.terrain is None else self._scene.terrain.missing)

    @cached_property
    def _built_on(self) -> frozenset[int]:
        """The landblocks that the scene places buildings on."""
        return frozenset([block_of(building.cell_id) for building in self._scene.buildings])

    @cached_property
    def region(self) -> Region:
        """A plain region whose height table holds the heights that occur."""
        heights = tuple(self._height_index)
        return plain_looks.region(heights[:HEIGHTS] or (0.0,))

    def _lowest_sill(self) -> float | None:
        lowest: float | None = None
        for cell_id in self._folder.cells:
            dump = self._folder.sound_cell(cell_id)
            if dump is None or not dump.has_exit:
                continue
            openings = DumpOpenings(dump)
            exits = [portal for portal in dump.portals if portal.other_cell == EXIT]
            ways = {portal.polygon: portal for portal in exits}.values()  # a polygon once, for however many
            sills = [corner[2] for portal in ways for corner in openings.corners(portal)]
            lowest = min(sills if lowest is None else [lowest, *sills], default=None)
        return lowest
