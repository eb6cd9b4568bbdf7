"""How far the landscape reaches in a picture, and the ground out there."""

from __future__ import annotations

from engine.world.ids import BLOCK_SIDE
from engine.world.world import World


def view_distance(radius: int) -> float:
    """Metres to where the ground ends at the least, of so many landblocks on each side."""
    return BLOCK_SIDE * max(1, radius)


def show_horizon(world: World, cell_id: int, radius: int) -> None:
    """Show the ground of the landblocks around a cell's that are not loaded; none about a dungeon."""
    block = world.blocks.get(cell_id & 0xFFFF0000)
    if block is None or block.is_dungeon:
        return
    bx, by = cell_id >> 24, cell_id >> 16 & 0xFF
    for x in range(max(0, bx - radius), min(254, bx + radius) + 1):
        for y in range(max(0, by - radius), min(254, by + radius) + 1):
            block_id = x << 24 | y << 16
            if block_id in world.blocks or block_id in world.horizon:
                continue
            ground = world.build_ground(block_id)
            if ground is not None:
                world.show_horizon(ground)
