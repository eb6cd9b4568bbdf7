"""LandBlock, ``XXYYFFFF``: the terrain of a landblock (dat-format 3.1)."""

from __future__ import annotations

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

VERTICES = 81


class LandBlock(NamedTuple):
    """Terrain words and height indices of 9 × 9 vertices, indexed ``x * 9 + y`` (y fastest).

    A height index goes through the Region's table; a word holds road (bits 0–1), terrain type (2–6) and
    scenery index (11–15). ``has_objects`` is 1 exactly if the ``XXYYFFFE`` record exists.
    """

    id: int
    has_objects: int
    terrain: tuple[int, ...]
    height: tuple[int, ...]


def read_land_block(reader: Reader) -> LandBlock:
    """A LandBlock record of 252 bytes."""
    block_id, has_objects = reader.header_id(), reader.u32()
    terrain, height = reader.array("H", VERTICES), reader.array("B", VERTICES)
    reader.align4()
    return LandBlock(block_id, has_objects, terrain, height)


def write_land_block(writer: Writer, block: LandBlock) -> None:
    """A LandBlock record of 252 bytes."""
    writer.require(len(block.terrain) == len(block.height) == VERTICES, "a LandBlock has 81 vertices")
    writer.u32(block.id)
    writer.u32(block.has_objects)
    writer.array("H", block.terrain)
    writer.array("B", block.height)
    writer.align4()
