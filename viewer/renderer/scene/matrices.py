"""The matrices of a frame. Everything is sent to the GPU relative to the eye (visibility 0.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.visibility.view import FAR_PLANE, View
from engine.world.frame import Frame
from engine.world.ids import block_offset
from viewer.renderer.glm_alone import glm

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLACE = Struct("<4f")


def turn_columns(frame: Frame, scale: Vec3) -> bytes:
    """The first three columns of a model matrix, which no eye changes: vertices scaled, then turned."""
    turned = glm.dmat4(glm.transpose(glm.dmat3(*frame.rot)))
    whole: bytes = glm.mat4(glm.scale(turned, glm.dvec3(*scale))).to_bytes()
    return whole[:48]


class EyeSpace:
    """A view and the landblock whose frame it is given in.

    ``matrix`` takes places relative to the eye, world axes, to clip space; ``view_projection`` is it as 16
    float32 column by column.
    """

    def __init__(self, view: View, block_id: int, far: float = FAR_PLANE) -> None:
        near = view.near
        self.view = view
        self._eye = view.eye
        self.block_id = block_id & 0xFFFF0000
        self.near = near
        self.far = far
        self._blocks: dict[int, bytes] = {}
        self._shifts: dict[int, Vec3] = {}
        self._sides = [
            (axis, tan, math.hypot(1.0, tan))
            for axis, tan in ((view.right, view.tan_x), (view.up, view.tan_y))
        ]
        # PyGLM's own projections are of single precision, as are its vectors of tuples: openings would not be
        # drawn where they are listed.
        depth, middle = -(far + near) / (far - near), -2.0 * far * near / (far - near)
        lens = glm.dmat4(
            1.0 / view.tan_x, 0.0, 0.0, 0.0,
            0.0, 1.0 / view.tan_y, 0.0, 0.0,
            0.0, 0.0, depth, -1.0,
            0.0, 0.0, middle, 0.0,
        )  # fmt: skip
        turned = glm.lookAt(glm.dvec3(0.0), glm.dvec3(*view.forward), glm.dvec3(*view.up))
        self.matrix = glm.dmat4(lens * turned)
        self.view_projection: bytes = glm.mat4(self.matrix).to_bytes()

    def shift(self, cell_id: int) -> Vec3:
        """From the block frame of ``cell_id`` to the view's."""
        shift = self._shifts.get(cell_id >> 16)
        if shift is None:
            shift = self._shifts[cell_id >> 16] = block_offset(self.block_id, cell_id)
        return shift

    def relative(self, cell_id: int, point: Vec3 = (0.0, 0.0, 0.0)) -> Vec3:
        """A point of the block frame of ``cell_id``, relative to the eye."""
        x, y, z = point
        ox, oy, oz = self._shifts.get(cell_id >> 16) or self.shift(cell_id)
        ex, ey, ez = self._eye
        return (x + ox - ex, y + oy - ey, z + oz - ez)

    def block_matrix(self, cell_id: int) -> bytes:
        """The model matrix of things placed in the block frame of ``cell_id``."""
        found = self._blocks.get(cell_id >> 16)
        if found is None:
            found = glm.mat4(glm.translate(glm.dvec3(*self.relative(cell_id)))).to_bytes()
            self._blocks[cell_id >> 16] = found
        return found

    def placed(self, turn: bytes, cell_id: int, origin: Vec3) -> bytes:
        """The model matrix of something turned so (``turn_columns``) whose origin is in a block frame."""
        return turn + _PLACE.pack(*self.relative(cell_id, origin), 1.0)

    def placed_all(
        self, turns: Sequence[bytes], origins: Sequence[float], shifts: Sequence[float]
    ) -> NDArray[np.float32]:
        """The same of many, a row each; three numbers each of origins and of their blocks' ``shift``."""
        count = len(turns)
        matrices = np.ones((count, 16), np.float32)
        matrices[:, :12] = np.frombuffer(b"".join(turns), np.float32).reshape(count, 12)
        places = np.array(origins).reshape(count, 3) + np.array(shifts).reshape(count, 3)
        matrices[:, 12:15] = places - np.array(self._eye)
        return matrices

    def clip(self, cell_id: int, point: Vec3) -> glm.dvec4:
        """A point of the block frame of ``cell_id`` in clip space."""
        x, y, z = self.relative(cell_id, point)
        return glm.dvec4(self.matrix * glm.dvec4(x, y, z, 1.0))

    def sees_sphere(self, cell_id: int, center: Vec3, radius: float) -> bool:
        """Whether a sphere of the block frame of ``cell_id`` reaches into the picture."""
        x, y, z = self.relative(cell_id, center)
        fx, fy, fz = self.view.forward
        depth = fx * x + fy * y + fz * z
        if depth < self.near - radius or depth > self.far + radius:
            return False
        for (ax, ay, az), tan, length in self._sides:
            across = abs(ax * x + ay * y + az * z)
            # Distance beyond the side plane through the eye, whose normal is (1, tan) normalised.
            if (across - depth * tan) / length > radius:
                return False
        return True
