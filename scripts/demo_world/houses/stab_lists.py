"""The dungeon's stab lists: for every cell whatever a flood reaches from a dense sampling of eyes in it.

The lists are made symmetric, so that none lacks a cell that sees this one.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.dat.values import Vec3
from engine.files.write import write_bytes
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.pview import PView
from engine.visibility.view import View
from engine.world.cells import EnvCell
from engine.world.loading.world import World
from engine.world.sources.dats import DatsSource
from engine.world.sources.open_source import demo_source
from scripts.demo_world import ids

SPACING = 1.8
HEIGHTS = (0.5, 1.6, 2.8)
FIELD = 100.0  # degrees: four of them overlap all round
PIXELS = 1024.0


def dungeon_lists(files: Mapping[str, bytes]) -> dict[int, tuple[int, ...]]:
    """Low words by low word, ascending, from files whose dungeon lists every cell with every other."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            write_bytes(Path(folder) / name, data)
        source = demo_source(Path(folder))
        assert isinstance(source, DatsSource)
        world = World(source)
        block = world.load_block(ids.DUNGEON)
        assert block is not None
        seen = {cell_id: _seen(world, cell) for cell_id, cell in block.env_cells.items()}
        source.close()
    return {
        a & 0xFFFF: tuple(b & 0xFFFF for b in sorted(seen) if b != a and (b in seen[a] or a in seen[b]))
        for a in seen
    }


def _seen(world: World, cell: EnvCell) -> set[int]:
    """The cells that are seen from anywhere in a cell."""
    rules = FloodRules(working_set=WorkingSet.RESIDENT)
    found: set[int] = set()
    for eye in eyes(cell):
        for yaw in (0.0, 90.0, 180.0, 270.0):
            view = View.from_angles(eye, yaw, 0.0, fov_y=FIELD, width=PIXELS, height=PIXELS)
            flood = PView(world, view, draw_landscape=True, allowed=None, rules=rules)
            found.update(flood.construct(cell.id).order)
    return found


def eyes(cell: EnvCell) -> Iterator[Vec3]:
    """Points of a cell in its block's frame, on a grid of its own space that reaches to its walls."""
    tree = cell.structure.cell_tree
    points = [v for polygon in cell.structure.polygons.values() for v in polygon.vertices]
    if tree is None:
        return
    low = [min(p[axis] for p in points) + 0.02 for axis in range(3)]
    high = [max(p[axis] for p in points) - 0.02 for axis in range(3)]
    counts = [max(1, math.ceil((high[axis] - low[axis]) / SPACING)) for axis in range(2)]
    for i in range(counts[0] + 1):
        for j in range(counts[1] + 1):
            x = low[0] + (high[0] - low[0]) * i / counts[0]
            y = low[1] + (high[1] - low[1]) * j / counts[1]
            floor = max(
                (-(n[0] * x + n[1] * y + n[3]) / n[2] for n in tree.planes if n[2] > 0.1), default=low[2]
            )
            for z in HEIGHTS:
                p = (x, y, floor + z)
                if all(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3] >= 0.0 for n in tree.planes):
                    yield cell.frame.to_global(p)
