"""How far the landscape reaches in a picture: the ground out there, and what stands on it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.visibility.picture_view import PictureView
from engine.world.ids import BLOCK_SIDE, blocks_around
from engine.world.loading.outlines import Outlines
from engine.world.loading.world import World
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.sight import Sight

_LEVELS = (-400.0, -200.0, 0.0, 200.0, 400.0)  # metres from the eye's height
_SPHERE = 170.0  # of this radius one stands over the middle of a landblock at each level, and no gap is left


def view_distance(radius: int) -> float:
    """Metres to where the ground ends at the least, of so many landblocks on each side."""
    return BLOCK_SIDE * max(1, radius)


def show_horizon(world: World, cell_id: int, radius: int) -> None:
    """Show the ground of the landblocks around a cell's that are not loaded; none about a dungeon."""
    for block_id in _around(world, cell_id, radius):
        if block_id not in world.blocks and block_id not in world.horizon:
            ground = world.build_ground(block_id)
            if ground is not None:
                world.show_horizon(ground)


def load_in_sight(world: World, picture: PictureView, radius: int, outlines: Outlines | None = None) -> bool:
    """Load the landblocks around the body's whose buildings and objects a picture may show; whether any came.

    What a mountain hides counts as in sight. With ``outlines`` the body's neighbours, which else are there
    wherever it looks, are among those that are asked for, and none is loaded of which nothing shows.
    """
    before = world.version
    if outlines is None:
        for block_id in blocks_in_sight(world, picture, radius):
            world.load_block(block_id)
        return world.version != before
    sight = Sight(picture, EyeSpace(picture.view, picture.root))
    for block_id in (*_around(world, picture.body_cell, 1), *blocks_in_sight(world, picture, radius)):
        outline = outlines.of(block_id) if block_id not in world.blocks else None
        if outline is None or sight.sees_box(block_id, outline):
            world.load_block(block_id)
    return world.version != before


def blocks_in_sight(world: World, picture: PictureView, radius: int) -> Iterator[int]:
    """The landblocks around the body's, loaded or not, that a picture looks towards."""
    if not picture.outside_visible:
        return
    eye = EyeSpace(picture.view, picture.root)
    middle, height = BLOCK_SIDE / 2.0, picture.view.eye[2]
    for block_id in _around(world, picture.body_cell, radius):
        centers = ((middle, middle, height + level) for level in _LEVELS)
        if any(eye.sees_sphere(block_id, c, _SPHERE) for c in centers):
            yield block_id


def blocks_near(cell_id: int) -> set[int]:
    """A cell's landblock and its neighbours: what is loaded around a body wherever it looks."""
    return set(blocks_around(cell_id))


def _around(world: World, cell_id: int, radius: int) -> Iterator[int]:
    """The landblocks within a number of steps of a cell's, on the map; none in a dungeon's rooms."""
    block = world.blocks.get(cell_id & 0xFFFF0000)
    if block is None or block.stands_alone(cell_id):
        return
    yield from blocks_around(cell_id, radius)
