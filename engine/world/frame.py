"""Frames and positions: where something stands and how it is turned (membership 1.3).

A ``Frame`` is a pose, as the original calls it; one picture of many is a frame view, plan or report.
"""

from __future__ import annotations

import math
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Quat, StoredFrame, Vec3
from engine.native import mypyc_attr
from engine.world.ids import block_offset
from engine.world.tolerance import EPS

UP: Vec3 = (0.0, 0.0, 1.0)
Rotation = tuple[float, float, float, float, float, float, float, float, float]  # row by row
NO_ROTATION: Rotation = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@mypyc_attr(acyclic=True, free_list_len=1)
class Frame:
    """A rigid transform, local to parent: ``p' = R p + origin``.

    ``origin`` is in metres in the parent's space (the landblock's for positions), ``quat`` is a unit
    quaternion (w, x, y, z) and ``rot`` its rotation matrix, worked out where it is not given.
    """

    __slots__ = ("origin", "quat", "rot")

    def __init__(self, origin: Vec3, quat: Quat = (1.0, 0.0, 0.0, 0.0), rot: Rotation = NO_ROTATION) -> None:
        self.origin = origin
        self.quat = quat
        # A rotation has no row of zeros; a tuple that may be None would be made anew at every call compiled.
        self.rot: Rotation = rotation_of(quat) if rot[6] == rot[7] == rot[8] == 0.0 else rot

    @staticmethod
    def stored(frame: StoredFrame) -> Frame:
        """The runtime form of a frame read from a record."""
        return Frame(frame.origin, frame.orientation)

    def with_origin(self, origin: Vec3) -> Frame:
        """The same orientation at another place, without recomputing the rotation."""
        return Frame(origin, self.quat, self.rot)

    def scaled(self, scale: float) -> Frame:
        """A part's frame in an object of a scale: farther off, and turned as it was (motion 5.1)."""
        x, y, z = self.origin
        return self.with_origin((x * scale, y * scale, z * scale))

    def to_global_vec(self, v: Vec3) -> Vec3:
        """``R v``: a local direction in the parent's space."""
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = self.rot
        x, y, z = v
        return (m0 * x + m1 * y + m2 * z, m3 * x + m4 * y + m5 * z, m6 * x + m7 * y + m8 * z)

    def to_global(self, p: Vec3) -> Vec3:
        """``R p + origin``: a local point in the parent's space."""
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = self.rot
        x, y, z = p
        ox, oy, oz = self.origin
        return (
            m0 * x + m1 * y + m2 * z + ox,
            m3 * x + m4 * y + m5 * z + oy,
            m6 * x + m7 * y + m8 * z + oz,
        )

    def to_local_vec(self, v: Vec3) -> Vec3:
        """``R^T v``: a direction of the parent's space in local space."""
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = self.rot
        x, y, z = v
        return (m0 * x + m3 * y + m6 * z, m1 * x + m4 * y + m7 * z, m2 * x + m5 * y + m8 * z)

    def to_local(self, p: Vec3) -> Vec3:
        """``R^T (p - origin)``: a point of the parent's space in local space."""
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = self.rot
        x, y, z = p
        ox, oy, oz = self.origin
        x -= ox
        y -= oy
        z -= oz
        return (m0 * x + m3 * y + m6 * z, m1 * x + m4 * y + m7 * z, m2 * x + m5 * y + m8 * z)

    def combine(self, other: Frame) -> Frame:
        """``self`` after ``other``: ``other`` is given in ``self``'s local space."""
        return Frame(self.to_global(other.origin), quat_multiply(self.quat, other.quat))

    def heading(self) -> float:
        """Degrees clockwise from north (+y) in which local +y points."""
        fx, fy, _ = self.to_global_vec((0.0, 1.0, 0.0))
        return (450.0 - math.degrees(math.atan2(fy, fx))) % 360.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.origin == other.origin and self.quat == other.quat

    def __hash__(self) -> int:
        return hash((self.origin, self.quat))

    def __repr__(self) -> str:
        return f"Frame({self.origin}, {self.quat})"


@mypyc_attr(acyclic=True, free_list_len=1)
class Position:
    """A cell id and a frame in the block frame of that id (sweep 0.3)."""

    __slots__ = ("cell_id", "frame")

    def __init__(self, cell_id: int, frame: Frame) -> None:
        self.cell_id = cell_id
        self.frame = frame

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.cell_id == other.cell_id and self.frame == other.frame

    def __hash__(self) -> int:
        return hash((self.cell_id, self.frame))

    def __repr__(self) -> str:
        return f"Position({hex_id(self.cell_id)}, {self.frame!r})"


def rotation_of(q: Quat) -> Rotation:
    """The rotation matrix of a unit quaternion (w, x, y, z), nine floats row by row."""
    w, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


def quat_multiply(a: Quat, b: Quat) -> Quat:
    """The quaternion of the rotation ``b`` followed by ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def quat_about_z(radians: float) -> Quat:
    """The rotation about +z by an angle in radians, counter-clockwise seen from above."""
    return (math.cos(radians / 2.0), 0.0, 0.0, math.sin(radians / 2.0))


def quat_about(vector: Vec3) -> Quat:
    """The rotation about a vector by its length in radians."""
    angle = math.hypot(*vector)
    if angle == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    s = math.sin(angle / 2.0) / angle
    return (math.cos(angle / 2.0), vector[0] * s, vector[1] * s, vector[2] * s)


def quat_of_heading(degrees: float) -> Quat:
    """The orientation whose local +y points at a heading (0 north, clockwise)."""
    return quat_about_z(-math.radians(degrees))


def slerp(a: Quat, b: Quat, t: float) -> Quat:
    """The rotation a fraction ``t`` of the way from ``a`` to ``b`` along the shorter arc."""
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    if dot < 0.0:
        b = (-b[0], -b[1], -b[2], -b[3])
        dot = -dot
    if dot > 1.0 - 1e-9:
        ka, kb = 1.0 - t, t
    else:
        angle = math.acos(dot)
        s = math.sin(angle)
        ka, kb = math.sin((1.0 - t) * angle) / s, math.sin(t * angle) / s
    q = (
        ka * a[0] + kb * b[0],
        ka * a[1] + kb * b[1],
        ka * a[2] + kb * b[2],
        ka * a[3] + kb * b[3],
    )
    n = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


def get_offset(a: Position, b: Position) -> Vec3:
    """The vector from ``a`` to ``b`` in ``a``'s block frame, metres."""
    ax, ay, az = a.frame.origin
    bx, by, bz = b.frame.origin
    ox, oy, oz = block_offset(a.cell_id, b.cell_id)
    return (bx + ox - ax, by + oy - ay, bz + oz - az)


def vectors_equal(a: Vec3, b: Vec3) -> bool:
    """Whether each component differs by no more than EPS."""
    return abs(a[0] - b[0]) <= EPS and abs(a[1] - b[1]) <= EPS and abs(a[2] - b[2]) <= EPS


def frames_equal(a: Frame, b: Frame) -> bool:
    """Whether origins and rotations are equal within EPS (membership 1.3)."""
    if not vectors_equal(a.origin, b.origin):
        return False
    qa, qb = a.quat, b.quat
    if qa == qb:
        return True
    p, q = a.rot, b.rot
    return (
        abs(p[0] - q[0]) <= EPS and abs(p[1] - q[1]) <= EPS and abs(p[2] - q[2]) <= EPS
        and abs(p[3] - q[3]) <= EPS and abs(p[4] - q[4]) <= EPS and abs(p[5] - q[5]) <= EPS
        and abs(p[6] - q[6]) <= EPS and abs(p[7] - q[7]) <= EPS and abs(p[8] - q[8]) <= EPS
    )  # fmt: skip


NOWHERE: Final = Position(0, Frame((0.0, 0.0, 0.0)))
