"""Two rooms side by side, and a house that stands on the ground."""

from engine.world.frame import Frame
from tests.physics.rooms import exit_portal, portal, room
from tests.physics.scenes import (
    block_cells,
    building,
    cells,
    flat_floor,
    terrain,
)

A, B = 0xA9B40100, 0xA9B40101
LAND = 0xA9B40025
FRAME = Frame((100.0, 100.0, 0.0))


def room_pair(in_a=(), in_b=(), **more_of_b):
    """A (local x in [-5, 0]) and B (x in [0, 5]) at (100, 100), joined at x = 100; polygons of each."""
    a = room(A, list(in_a), (-5, -5, -0.1), (0, 5, 4), portals=[portal(0, B, 0.0, 1)], frame=FRAME, stab=(B,))
    b = room(
        B, list(in_b), (0, -5, -0.1), (5, 5, 4), portals=[portal(0, A, 0.0, 0)], frame=FRAME, stab=(A,),
        **more_of_b,
    )  # fmt: skip
    return a, b


def two_rooms(*extra_in_b):
    """The pair with floors."""
    return cells(*room_pair([flat_floor(-5, 0, 0.0, y=5)], [flat_floor(0, 5, 0.0, y=5), *extra_in_b]))


def house():
    inside = room(
        A, [flat_floor(0, 5, 0.0, y=2)], (0, -2, -0.1), (5, 2, 3), portals=[exit_portal(0, 0.0, 0)],
        frame=FRAME,
        seen_outside=True,
    )  # fmt: skip
    block = terrain()
    building(block.land_cells[0x24], inside)
    block.env_cells[A] = inside
    return block_cells(block)
