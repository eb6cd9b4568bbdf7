"""Flat-coloured polygons that scenes are put together from, in metres around a scene's origin."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.values import Vec3
from engine.world.polygon import make_plane

EXIT = 0xFFFF


SKY = (120, 170, 255)


GRASS = (40, 160, 40)


ROCK = (90, 90, 90)


COLORS = {
    "wall": (200, 180, 150), "floor": (130, 90, 50), "ceiling": (230, 230, 220),
    "wall2": (60, 60, 200), "floor2": (20, 120, 160), "ceiling2": (10, 10, 90),
    "shell": (180, 40, 30), "roof": (110, 50, 20), "leaf": (250, 220, 20), "hump": (70, 110, 30),
    "box": (240, 120, 240), "white": (255, 255, 255),
}  # fmt: skip


Corners = Sequence[Vec3]


def quad(y: float, x0: float, x1: float, *, z0: float, z1: float) -> list[Vec3]:
    """Q(y; x0,x1; z0,z1) of visibility 11.1: normal (0, −1, 0)."""
    return [(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1)]


def floor_at(z: float, x0: float, x1: float, *, y0: float, y1: float) -> list[Vec3]:
    """A rectangle facing up."""
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def flipped(corners: Corners) -> list[Vec3]:
    return list(reversed(corners))


def frame_wall(outer: Corners, hole: Corners) -> list[list[Vec3]]:
    """A wall with a hole as trapezoids from corner to corner, so that no edge ends inside another."""
    n = len(outer)
    sides = [[outer[k], outer[(k + 1) % n], hole[(k + 1) % n], hole[k]] for k in range(n)]
    return [s for s in sides if make_plane(s)[0] != (0.0, 0.0, 0.0)]


Painted = tuple[Corners, str]


def room(
    x0: float, x1: float, y0: float, y1: float, *, z0: float, z1: float,
    front: Corners | None = None, back: Corners | None = None, suffix: str = "",
) -> list[Painted]:  # fmt: skip
    """An inward box; ``front`` is a hole in the far (y1) wall, ``back`` one in the near wall.

    Holes are given as Q quads, normal (0, −1, 0).
    """
    wall = "wall" + suffix
    out: list[Painted] = [
        (floor_at(z0, x0, x1, y0=y0, y1=y1), "floor" + suffix),
        (flipped(floor_at(z1, x0, x1, y0=y0, y1=y1)), "ceiling" + suffix),
        ([(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)], wall),
        ([(x1, y1, z0), (x1, y0, z0), (x1, y0, z1), (x1, y1, z1)], wall),
    ]
    far = quad(y1, x0, x1, z0=z0, z1=z1)
    near = quad(y0, x0, x1, z0=z0, z1=z1)
    out += [(p, wall) for p in (frame_wall(far, front) if front else [far])]
    out += [(flipped(p), wall) for p in (frame_wall(near, back) if back else [near])]
    return out
