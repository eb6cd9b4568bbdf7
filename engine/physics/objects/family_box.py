"""A box around what can be touched of an object's trees: who is clear of it need not ask them (objects 8.5).

A sphere around a door's leaf reaches a metre into the room, the box ends at its wood.
"""

from __future__ import annotations

import math
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Quat
from engine.physics.objects.shadow_shape import ShadowShape
from engine.world.bsp import BspNode
from engine.world.frame import Frame
from engine.world.polygon import Polygon

SLACK: Final = (
    0.001  # metres by which the box is too wide, and its share of a corner's distance, for rounding
)
SHARE: Final = 1e-4
UNIT: Final = 1e-6


class FamilyBox:
    """The box of all polygons of a family in the object's own space, scaled; measured when it is first asked.

    A sphere touches a polygon where it comes near what lies between its corners, in the polygon's plane: as
    far as corners lie off that plane, the box is wider. Of what is solid it says nothing: a centre may be in
    a solid leaf far from all polygons.
    """

    __slots__ = ("_family", "ax", "ay", "az", "bx", "by", "bz")

    def __init__(self, family: tuple[ShadowShape, ...]) -> None:
        self._family = family
        self.ax = self.ay = self.az = math.inf
        self.bx = self.by = self.bz = -math.inf

    def is_clear_of(self, spheres: list[MovingSphere], frame: Frame, ox: float, *, oy: float) -> bool:
        """Whether no sphere comes near, where the object stands so; ``ox, oy`` is its block from theirs."""
        if self._family:
            self._measure()
        x, y, z = frame.origin
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = frame.rot
        x += ox
        y += oy
        for s in spheres:
            dx, dy, dz, r = s.x - x, s.y - y, s.z - z, s.r
            at = m0 * dx + m3 * dy + m6 * dz
            if at + r < self.ax or at - r > self.bx:
                continue
            at = m1 * dx + m4 * dy + m7 * dz
            if at + r < self.ay or at - r > self.by:
                continue
            at = m2 * dx + m5 * dy + m8 * dz
            if not (at + r < self.az or at - r > self.bz):
                return False
        return True

    def _measure(self) -> None:
        for shape in self._family:
            todo: list[BspNode | None] = [shape.root]
            while todo:
                node = todo.pop()
                if node is not None:
                    todo += (node.pos, node.neg)
                    for polygon in node.polygons:
                        self._take(polygon, shape)
        self._family = ()

    def _take(self, polygon: Polygon, shape: ShadowShape) -> None:
        off = max([abs(polygon.distance(corner)) for corner in polygon.vertices], default=0.0)
        for x, y, z in polygon.vertices:
            x, y, z = shape.frame.to_global((x * shape.scale, y * shape.scale, z * shape.scale))
            wider = off * abs(shape.scale) + SLACK + SHARE * max(abs(x), abs(y), abs(z))
            self.ax, self.bx = min(self.ax, x - wider), max(self.bx, x + wider)
            self.ay, self.by = min(self.ay, y - wider), max(self.by, y + wider)
            self.az, self.bz = min(self.az, z - wider), max(self.bz, z + wider)


def is_unit(quat: Quat) -> bool:
    """Whether an orientation only turns: records may hold some that are off unit length and stretch."""
    w, x, y, z = quat
    return abs(w * w + x * x + y * y + z * z - 1.0) < UNIT
