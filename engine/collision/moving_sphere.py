"""The sphere that a sweep pushes about: mutable, unlike the spheres of decoded records."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.native import mypyc_attr


@mypyc_attr(acyclic=True, free_list_len=1)
class MovingSphere:
    """Centre ``x, y, z`` and radius ``r`` in metres; the space is that of whoever holds it."""

    __slots__ = ("r", "x", "y", "z")

    def __init__(self, x: float, y: float, z: float, r: float) -> None:
        self.x = x
        self.y = y
        self.z = z
        self.r = r

    @property
    def center(self) -> Vec3:
        """The centre as a tuple."""
        return (self.x, self.y, self.z)

    def copy(self) -> MovingSphere:
        """An independent sphere with the same numbers."""
        return MovingSphere(self.x, self.y, self.z, self.r)

    def move(self, x: float, y: float, z: float) -> None:
        """Shift the centre by an offset."""
        self.x += x
        self.y += y
        self.z += z

    def __repr__(self) -> str:
        return f"MovingSphere({self.x}, {self.y}, {self.z}, r={self.r})"
