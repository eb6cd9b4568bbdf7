"""Boxes around an object's trees: who is clear of them need not ask the trees (objects 8.5).

A sphere around a door's leaf reaches a metre into the room, the box ends at its wood.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Quat, Vec3
from engine.physics.objects.shadow_shape import ShadowShape
from engine.world.box import Box
from engine.world.bsp import BspNode
from engine.world.frame import Frame
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS

UNIT: Final = 1e-6
EVERYWHERE: Final[tuple[Vec3, Vec3]] = ((-math.inf, -math.inf, -math.inf), (math.inf, math.inf, math.inf))


class FamilyBox:
    """Two boxes of a family in the object's own space, scaled; measured when they are first asked.

    ``surface`` is around all polygons, ``filled`` around them and all places where a centre is in the solid,
    None where these can't be told to end.
    """

    __slots__ = ("_family", "filled", "surface")

    def __init__(self, family: tuple[ShadowShape, ...]) -> None:
        self._family = family
        self.surface = Box()
        self.filled: Box | None = Box()

    def is_clear_of(
        self, spheres: list[MovingSphere], frame: Frame, ox: float, oy: float, *, solid: bool
    ) -> bool:
        """Whether no sphere comes near, where the object stands so; ``ox, oy`` is its block from theirs.

        ``solid`` asks for centres in the solid as well.
        """
        if self._family:
            self._measure()
        box = self.filled if solid else self.surface
        if box is None:
            return False
        x, y, z = frame.origin
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = frame.rot
        x += ox
        y += oy
        for s in spheres:
            dx, dy, dz, r = s.x - x, s.y - y, s.z - z, s.r
            at = m0 * dx + m3 * dy + m6 * dz
            if at + r < box.ax or at - r > box.bx:
                continue
            at = m1 * dx + m4 * dy + m7 * dz
            if at + r < box.ay or at - r > box.by:
                continue
            at = m2 * dx + m5 * dy + m8 * dz
            if not (at + r < box.az or at - r > box.bz):
                return False
        return True

    def _measure(self) -> None:
        for shape in self._family:
            todo: list[tuple[BspNode | None, Vec3, Vec3]] = [(shape.root, *EVERYWHERE)]
            while todo:
                node, low, high = todo.pop()
                if node is None:
                    continue
                for polygon in node.polygons:
                    self._take(polygon, shape)
                if node.is_leaf:
                    if node.solid and node.polygons:
                        self._fill(low, high, shape)
                    continue
                todo.append((node.pos, *_cut(low, high, node.normal, node.d)))
                nx, ny, nz = node.normal
                todo.append((node.neg, *_cut(low, high, (-nx, -ny, -nz), -node.d)))
        self._family = ()

    def _take(self, polygon: Polygon, shape: ShadowShape) -> None:
        beyond = polygon.reach_beyond() * abs(shape.scale)
        for corner in polygon.vertices:
            place = _placed(corner, shape)
            self.surface.take(place, beyond)
            if self.filled is not None:
                self.filled.take(place, beyond)

    def _fill(self, low: Vec3, high: Vec3, shape: ShadowShape) -> None:
        """Take the corners of a box, in a tree's space, that centres in a solid leaf lie in."""
        if not all(map(math.isfinite, (*low, *high))):
            self.filled = None
        if self.filled is not None:
            beyond = EPS * abs(shape.scale)  # a sphere smaller than this is led to the wrong side of a plane
            for x, y, z in product(*zip(low, high, strict=True)):
                self.filled.take(_placed((x, y, z), shape), beyond)


def _placed(p: Vec3, shape: ShadowShape) -> Vec3:
    x, y, z = p
    return shape.frame.to_global((x * shape.scale, y * shape.scale, z * shape.scale))


def _cut(low: Vec3, high: Vec3, normal: Vec3, d: float) -> tuple[Vec3, Vec3]:
    """What a plane leaves of a box on its positive side: less of it where it is square to the box's sides."""
    axes = [i for i in range(3) if normal[i] != 0.0]
    if len(axes) != 1:
        return low, high
    i = axes[0]
    at = -d / normal[i]
    if normal[i] > 0.0:
        return _with(low, i, max(low[i], at)), high
    return low, _with(high, i, min(high[i], at))


def _with(p: Vec3, i: int, value: float) -> Vec3:
    x, y, z = p
    return (value if i == 0 else x, value if i == 1 else y, value if i == 2 else z)


def is_unit(quat: Quat) -> bool:
    """Whether an orientation only turns: records may hold some that are off unit length and stretch."""
    w, x, y, z = quat
    return abs(w * w + x * x + y * y + z * z - 1.0) < UNIT
