"""Where a road runs through a landcell: no scenery grows there (dat-format 4.7)."""

from __future__ import annotations

from engine.world.ids import CELL_SIDE

ROAD_WIDTH = 5.0  # compiled into the client, whatever the Region says
SW, SE, NE, NW = 1, 2, 4, 8

_FAR = CELL_SIDE - ROAD_WIDTH


def has_road(word: int) -> bool:
    """Whether a vertex's terrain word has a road."""
    return (word & 3) != 0


def on_road(corners: int, dx: float, dy: float) -> bool:
    """Whether a point of a landcell, metres from its south-west corner, lies on its road.

    ``corners`` are the bits of those corners that have a road: SW 1, SE 2, NE 4, NW 8.
    """
    west, east = dx < ROAD_WIDTH, dx > _FAR
    south, north = dy < ROAD_WIDTH, dy > _FAR
    if corners == 0:
        return False
    if corners == SW | SE | NE | NW:
        return True
    return {
        SW | NW | SE: west or south,
        SW | NW | NE: west or north,
        SW | NW: west,
        SW | SE | NE: east or south,
        SW | SE: south,
        SW | NE: abs(dx - dy) < ROAD_WIDTH,
        SW: dx + dy < ROAD_WIDTH,
        NW | SE | NE: east or north,
        NW | SE: abs(dx + dy - CELL_SIDE) < ROAD_WIDTH,
        NW | NE: north,
        NW: CELL_SIDE + dx - dy < ROAD_WIDTH,
        SE | NE: east,
        SE: CELL_SIDE - dx + dy < ROAD_WIDTH,
        NE: 2.0 * CELL_SIDE - dx - dy < ROAD_WIDTH,
    }[corners]
