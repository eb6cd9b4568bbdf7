"""The eye: where it is, how it is turned and what it takes in (visibility 1.5, 2.7)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.visibility.view_polygon import Hom, ViewPolygon

NEAR_PLANE: Final = 0.1
CLEARANCE: Final = 0.2  # metres about the eye that are kept clear of walls; in first person it is 0.245
FAR_PLANE: Final = 5000.0
GAME_FOV: Final = math.pi / 2.0
MIN_FOV_Y: Final = 30.0
MAX_FOV_Y: Final = 100.0

PlaneTerms = tuple[float, float, float, float]


@mypyc_attr(acyclic=True)
class View:
    """A pinhole view: eye (metres, a block frame), orthonormal basis, tangents of the half angles.

    ``right = forward x up``. ``width`` and ``height`` are the viewport in pixels.
    """

    __slots__ = ("eye", "forward", "height", "right", "tan_x", "tan_y", "up", "width")

    def __init__(
        self,
        eye: Vec3,
        *,
        right: Vec3,
        up: Vec3,
        forward: Vec3,
        tan_x: float,
        tan_y: float,
        width: float,
        height: float,
    ) -> None:
        self.eye = eye
        self.right = right
        self.up = up
        self.forward = forward
        self.tan_x = tan_x
        self.tan_y = tan_y
        self.width = width
        self.height = height

    @staticmethod
    def from_angles(
        eye: Vec3, yaw: float, pitch: float, *, fov_y: float, width: float, height: float
    ) -> View:
        """A view by look angles: yaw in degrees clockwise from north, pitch in degrees upward.

        ``fov_y`` is the vertical field in degrees; pixels are square. At pitch +-90 the picture's up
        still follows the yaw.
        """
        right, up, forward = basis(yaw, pitch)
        tan_y = math.tan(math.radians(fov_y) / 2.0)
        return View(
            eye,
            right=right,
            up=up,
            forward=forward,
            tan_x=tan_y * width / height,
            tan_y=tan_y,
            width=width,
            height=height,
        )

    @property
    def near(self) -> float:
        """The distance of the near plane in metres: its corners, however wide the view, cut no wall."""
        corner = math.sqrt(1.0 + self.tan_x * self.tan_x + self.tan_y * self.tan_y)
        return min(NEAR_PLANE, CLEARANCE / corner)

    def at(self, eye: Vec3) -> View:
        """The same view from another place."""
        return View(
            eye,
            right=self.right,
            up=self.up,
            forward=self.forward,
            tan_x=self.tan_x,
            tan_y=self.tan_y,
            width=self.width,
            height=self.height,
        )

    def angles(self) -> tuple[float, float]:
        """Yaw and pitch of ``from_angles``, degrees; the yaw is that of ``right``, which is level."""
        sine = max(-1.0, min(1.0, self.forward[2]))
        return math.degrees(math.atan2(-self.right[1], self.right[0])), math.degrees(math.asin(sine))

    def project(self, p: Vec3) -> Hom:
        """A point of the block frame on the screen, not divided: (x, y, w), w in metres ahead."""
        dx, dy, dz = p[0] - self.eye[0], p[1] - self.eye[1], p[2] - self.eye[2]
        r, u, f = self.right, self.up, self.forward
        return (
            (r[0] * dx + r[1] * dy + r[2] * dz) / self.tan_x,
            (u[0] * dx + u[1] * dy + u[2] * dz) / self.tan_y,
            f[0] * dx + f[1] * dy + f[2] * dz,
        )

    def ray(self, x: float, y: float) -> Vec3:
        """The direction through a point of the screen; its length along ``forward`` is 1."""
        a, b = x * self.tan_x, y * self.tan_y
        r, u, f = self.right, self.up, self.forward
        return (
            r[0] * a + u[0] * b + f[0],
            r[1] * a + u[1] * b + f[1],
            r[2] * a + u[2] * b + f[2],
        )

    def edge_planes(self, polygon: ViewPolygon) -> list[PlaneTerms]:
        """The planes through the eye and a view polygon's edges, inward unit normals: (nx, ny, nz, d).

        They equal ``normalize(ray[k + 1] x ray[k])`` (visibility 2.8), in the eye's block frame.
        """
        ex, ey, ez = self.eye
        r, u, f = self.right, self.up, self.forward
        out: list[PlaneTerms] = []
        for a, b, c in polygon.edges:
            kr, ku = -b / self.tan_x, a / self.tan_y
            nx = r[0] * kr + u[0] * ku + f[0] * c
            ny = r[1] * kr + u[1] * ku + f[1] * c
            nz = r[2] * kr + u[2] * ku + f[2] * c
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            nx /= length
            ny /= length
            nz /= length
            out.append((nx, ny, nz, -(nx * ex + ny * ey + nz * ez)))
        return out

    def __repr__(self) -> str:
        return f"View(eye={self.eye}, forward={self.forward})"


def basis(yaw: float, pitch: float) -> tuple[Vec3, Vec3, Vec3]:
    """Right, up and forward of look angles in degrees (yaw clockwise from north, pitch upward)."""
    sy, cy = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    sp, cp = math.sin(math.radians(pitch)), math.cos(math.radians(pitch))
    return (cy, -sy, 0.0), (-sy * sp, -cy * sp, cp), (sy * cp, cy * cp, sp)


def vertical_fov(aspect: float, fov: float = GAME_FOV) -> float:
    """The vertical field in degrees that the game takes on a viewport of this aspect (visibility 1.5)."""
    degrees = math.degrees(fov / (aspect - 0.1)) if aspect > 0.1 else MAX_FOV_Y
    return min(MAX_FOV_Y, max(MIN_FOV_Y, degrees))
