"""What a picture can show at all: the landscape that its region leaves, and the rooms that it lists."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.visibility.cull import RegionCuller
from engine.visibility.picture_view import SEALED, PictureView
from engine.world.ids import block_of, is_outdoor, rebase
from viewer.renderer.scene.matrices import EyeSpace


class Sight:
    """One a frame. From indoors the landscape shows in the exits' region, else in the whole picture."""

    def __init__(self, picture: PictureView, eye: EyeSpace) -> None:
        self._eye = eye
        self._outside = RegionCuller(picture.view, picture.outside) if picture.flood is not None else None
        self._landscape = picture.path != SEALED
        self._rooms = {row.cell for row in picture.cells} | set(picture.loose)
        self._blocks = {block_of(cell_id) for cell_id in self._rooms} | {x.block_id for x in picture.look_ins}

    def sees(self, block_id: int, center: Vec3, radius: float) -> bool:
        """Whether a sphere outdoors, in a landblock's frame, may be in the picture."""
        if self._outside is not None:
            return self._outside.sphere_visible(rebase(center, block_id, self._eye.block_id), radius)
        return self._eye.sees_sphere(block_id, center, radius)

    def shows_rooms(self, block_id: int) -> bool:
        """Whether the picture shows the insides of any of a landblock's buildings."""
        return block_id in self._blocks

    def shows(self, cell_id: int) -> bool:
        """Whether the picture shows a cell, or any landscape."""
        return self._landscape if is_outdoor(cell_id) else cell_id in self._rooms
