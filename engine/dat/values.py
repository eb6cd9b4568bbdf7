"""The small values that dat records are made of (dat-format 2.1).

All are immutable tuples; single-precision numbers are held as the Python floats that equal them.
"""

from __future__ import annotations

from typing import Final

from engine.named_tuple import NamedTuple

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]  # w, x, y, z

whole = tuple.__new__
"""A named tuple from all of its values in order, ``whole(Plane, (normal, d))``.

Half the time of a call of its class: codecs make tens of thousands of them for a landblock.
"""

ZERO: Final[Vec3] = (0.0, 0.0, 0.0)


class StoredFrame(NamedTuple):
    """A place and a unit quaternion (w, x, y, z) as a record stores them."""

    origin: Vec3
    orientation: Quat


class Plane(NamedTuple):
    """A plane: a point p is in front when ``normal . p + d > 0``."""

    normal: Vec3
    d: float


class Sphere(NamedTuple):
    """A sphere in the space of its record, metres."""

    center: Vec3
    radius: float


class CylSphere(NamedTuple):
    """An upright cylinder: bottom centre, radius and height in metres."""

    low_point: Vec3
    radius: float
    height: float


IDENTITY_FRAME = StoredFrame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
NO_SPHERE = Sphere((0.0, 0.0, 0.0), 0.0)
