"""The matrices of a frame. Everything is sent to the GPU relative to the eye (visibility 0.1)."""

from __future__ import annotations

import math
import struct

import numpy as np

from engine.dat.values import Vec3
from engine.visibility.view import FAR_PLANE, View
from engine.world.frame import Frame
from engine.world.ids import block_offset

_MATRIX = struct.Struct("<16f")  # column by column


class EyeSpace:
    """A view and the landblock whose frame it is given in.

    ``view_projection`` takes places relative to the eye, world axes, to clip space; 16 float32 column
    by column.
    """

    def __init__(self, view: View, block_id: int, far: float = FAR_PLANE) -> None:
        near = view.near
        self.view = view
        self.block_id = block_id & 0xFFFF0000
        self.near = near
        self.far = far
        self._blocks: dict[int, bytes] = {}
        rows = np.zeros((4, 4))
        rows[0, :3] = np.array(view.right) / view.tan_x
        rows[1, :3] = np.array(view.up) / view.tan_y
        rows[2, :3] = np.array(view.forward) * (far + near) / (far - near)
        rows[2, 3] = -2.0 * far * near / (far - near)
        rows[3, :3] = view.forward
        self.matrix = rows
        self.view_projection = rows.T.astype("<f4").tobytes()

    def relative(self, cell_id: int, point: Vec3 = (0.0, 0.0, 0.0)) -> Vec3:
        """A point of the block frame of ``cell_id``, relative to the eye."""
        ox, oy, oz = block_offset(self.block_id, cell_id)
        ex, ey, ez = self.view.eye
        return (point[0] + ox - ex, point[1] + oy - ey, point[2] + oz - ez)

    def block_matrix(self, cell_id: int) -> bytes:
        """The model matrix of things placed in the block frame of ``cell_id``."""
        found = self._blocks.get(cell_id >> 16)
        if found is None:
            x, y, z = self.relative(cell_id)
            found = _MATRIX.pack(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
            self._blocks[cell_id >> 16] = found
        return found

    def frame_matrix(self, cell_id: int, frame: Frame, scale: Vec3 = (1.0, 1.0, 1.0)) -> bytes:
        """The model matrix of something standing in ``frame``, its vertices scaled first."""
        r = frame.rot
        sx, sy, sz = scale
        x, y, z = self.relative(cell_id, frame.origin)
        return _MATRIX.pack(
            r[0] * sx, r[3] * sx, r[6] * sx, 0.0,
            r[1] * sy, r[4] * sy, r[7] * sy, 0.0,
            r[2] * sz, r[5] * sz, r[8] * sz, 0.0,
            x, y, z, 1.0,
        )  # fmt: skip

    def sees_sphere(self, cell_id: int, center: Vec3, radius: float) -> bool:
        """Whether a sphere of the block frame of ``cell_id`` reaches into the picture."""
        x, y, z = self.relative(cell_id, center)
        v = self.view
        depth = v.forward[0] * x + v.forward[1] * y + v.forward[2] * z
        if depth < self.near - radius or depth > self.far + radius:
            return False
        for axis, tan in ((v.right, v.tan_x), (v.up, v.tan_y)):
            across = abs(axis[0] * x + axis[1] * y + axis[2] * z)
            # Distance beyond the side plane through the eye, whose normal is (1, tan) normalised.
            if (across - depth * tan) / math.hypot(1.0, tan) > radius:
                return False
        return True
