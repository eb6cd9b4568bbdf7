"""The ids of the demo world's objects, in one place."""

from __future__ import annotations

VILLAGE = 0xA9B40000
DUNGEON = 0x01070000

COTTAGE_ENVIRONMENT, INN_ENVIRONMENT, DUNGEON_ENVIRONMENT, SPARE_ENVIRONMENT, CROFT_ENVIRONMENT = (
    0x0D000100 + i for i in range(5)
)
COTTAGE_SHELL, INN_SHELL, CROFT_SHELL = (0x01000A00 + i for i in range(3))

DOOR_SETUP, DOOR_MOTIONS = 0x020019FF, 0x09000202
DOOR_TRANSOM, DOOR_LEAF = 0x010044B5, 0x010044B6
DOOR_CLOSED, DOOR_OPEN, DOOR_OPENING, DOOR_CLOSING = (0x03000100 + i for i in range(4))
COTTAGE_DOOR, INN_DOOR, CROFT_DOOR = (0x7A9B4015 + i for i in range(3))

# Models of furniture and things outdoors; a Setup has the number of its GfxObj.
(
    TABLE, BENCH, HEARTH, BED, SHELF, CRATE, BARREL, LAMP, WINDOW, WIDE_WINDOW, RAIL, GALLERY_RAIL,
    COTTAGE_RAMP, COTTAGE_STAIRS, INN_STAIRS, COUNTER, HAY, PILLAR, BRAZIER, DUNGEON_STEPS, SCREEN, HALL_LAMP,
    FENCE, WELL, SIGNPOST, TREE, BUSH, CROFT_STEPS, PINE, REEDS, FLOWERS, ROCK, LANTERN, STALL, STONE,
) = (0x01000A10 + i for i in range(35))  # fmt: skip


def setup_of(gfx_obj: int) -> int:
    """The Setup that stands for a model."""
    return 0x02000000 | gfx_obj & 0xFFFFFF
