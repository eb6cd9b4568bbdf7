"""How much memory a loaded landblock takes, by counting what is in it."""

from __future__ import annotations

from engine.world.cells import Landblock

LANDBLOCK_BYTES = 2_000
LAND_CELL_BYTES = 4_000
POLYGON_BYTES = 2_000
CELL_BYTES = 2_000
OBJECT_BYTES = 1_000


def block_bytes(block: Landblock) -> int:
    """An estimate in bytes; models, which landblocks share, are left out."""
    structures = {id(cell.structure): cell.structure for cell in block.env_cells.values()}
    polygons = sum(len(s.polygons) + len(s.physics_polygons) for s in structures.values())
    return (
        LANDBLOCK_BYTES
        + LAND_CELL_BYTES * len(block.land_cells)
        + POLYGON_BYTES * polygons
        + CELL_BYTES * len(block.env_cells)
        + OBJECT_BYTES * (len(block.statics) + len(block.entities))
    )
