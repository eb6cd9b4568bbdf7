"""What a picture can show at all: the landscape that its region leaves, and the rooms that it lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.visibility.cull import RegionCuller
from engine.visibility.flood import Flood
from engine.visibility.picture_view import SEALED, PictureView
from engine.visibility.view_polygon import ViewPolygon, full_view
from engine.world.box import Box
from engine.world.ids import block_of, block_offset, is_outdoor, rebase
from viewer.renderer.scene.matrices import EyeSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SLACK = 0.01  # metres


class RegionSight:
    """What may show in the regions of a cell of a flood, for spheres in some landblock's frame.

    A region counts as its box on the screen, a sphere as a little larger than it is, as in
    ``Sight.sees_each``: marks are wider than regions.
    """

    def __init__(self, flood: Flood, views: Sequence[ViewPolygon]) -> None:
        self._flood = flood
        self._views = views

    def sees(self, block_id: int, center: Vec3, radius: float) -> bool:
        """Whether any of a sphere may be in the regions."""
        view = self._flood.view
        x, y, w = view.project(rebase(center, block_id, self._flood.root))
        pixel = 2.0 * max(view.tan_x / view.width, view.tan_y / view.height)  # a metre ahead
        reach = radius + _SLACK + pixel * max(w + radius, 0.0)
        rx, ry = reach / view.tan_x, reach / view.tan_y
        # The functions x - x0 w, ... grow by at most 1 / tan + |x0| a metre.
        return w >= -reach and any(
            x - v.x0 * w >= -rx - reach * abs(v.x0)
            and v.x1 * w - x >= -rx - reach * abs(v.x1)
            and y - v.y0 * w >= -ry - reach * abs(v.y0)
            and v.y1 * w - y >= -ry - reach * abs(v.y1)
            for v in self._views
        )


class Sight:
    """One a frame. From indoors the landscape shows in the exits' region, else in the whole picture.

    ``rooms`` are all cells that are drawn.
    """

    def __init__(self, picture: PictureView, eye: EyeSpace) -> None:
        self._eye = eye
        self._outside = RegionCuller(picture.view, picture.outside) if picture.flood is not None else None
        view = picture.view
        self._half_pixel = max(view.tan_x / view.width, view.tan_y / view.height)  # a metre ahead
        self._region: RegionCuller | None = None
        self._planes_found: list[NDArray[np.float64]] | None = None
        self._landscape = picture.path != SEALED
        self.rooms = {row.cell for row in picture.cells} | set(picture.loose)
        self._blocks = {block_of(cell_id) for cell_id in self.rooms} | {x.block_id for x in picture.look_ins}

    def sees(self, block_id: int, center: Vec3, radius: float) -> bool:
        """Whether a sphere outdoors, in a landblock's frame, may be in the picture."""
        if self._outside is not None:
            return self._outside.sphere_visible(rebase(center, block_id, self._eye.block_id), radius)
        return self._eye.sees_sphere(block_id, center, radius)

    def sees_each(
        self, block_id: int, centers: NDArray[np.float64], radii: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """The same of several spheres, but for the far plane.

        Each counts as a little larger than it is: marks are drawn a quarter of a pixel wider than their
        regions, and places on the GPU are of single precision.
        """
        shift = np.array(block_offset(self._eye.block_id, block_id))
        seen: NDArray[np.bool_] | None = None
        for planes in self._planes():
            normals = planes[:, :3]
            # A row a plane; no products of matrices: they wake threads.
            inside = np.einsum("ij,kj->ki", centers, normals)
            inside += (planes[:, 3] + np.einsum("kj,j->k", normals, shift))[:, None]
            inside += radii + _SLACK + self._half_pixel * np.maximum(inside[0] + radii, 0.0)
            through: NDArray[np.bool_] = inside.min(axis=0) >= 0.0
            seen = through if seen is None else seen | through
        return np.zeros(len(radii), bool) if seen is None else seen

    def sees_box(self, block_id: int, box: Box) -> bool:
        """The same of an upright box in a landblock's frame, metres."""
        dx, dy, dz = block_offset(self._eye.block_id, block_id)
        center = ((box.ax + box.bx) / 2.0 + dx, (box.ay + box.by) / 2.0 + dy, (box.az + box.bz) / 2.0 + dz)
        half = ((box.bx - box.ax) / 2.0, (box.by - box.ay) / 2.0, (box.bz - box.az) / 2.0)
        for planes in self._culler().polygons:
            reaches, ahead = [], 0.0
            for number, (nx, ny, nz, d) in enumerate(planes):
                reach = nx * center[0] + ny * center[1] + nz * center[2] + d
                reach += abs(nx) * half[0] + abs(ny) * half[1] + abs(nz) * half[2]
                ahead = ahead if number else reach  # of the near plane: how far ahead the box ends
                reaches.append(reach)
            if min(reaches) >= -_SLACK - self._half_pixel * max(ahead, 0.0):
                return True
        return False

    def _planes(self) -> list[NDArray[np.float64]]:
        """The planes of each polygon of the landscape's region, the near plane first, shape (n, 4)."""
        if self._planes_found is None:
            self._planes_found = [np.array(planes) for planes in self._culler().polygons]
        return self._planes_found

    def _culler(self) -> RegionCuller:
        """The landscape's region by its planes."""
        if self._region is None:
            self._region = self._outside or RegionCuller(self._eye.view, (full_view(),))
        return self._region

    def shows_rooms(self, block_id: int) -> bool:
        """Whether the picture shows the insides of any of a landblock's buildings."""
        return block_id in self._blocks

    def shows(self, cell_id: int) -> bool:
        """Whether the picture shows a cell, or any landscape."""
        return self._landscape if is_outdoor(cell_id) else cell_id in self.rooms
