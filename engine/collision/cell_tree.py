"""Questions to a cell's containment tree, the chain of its inward planes (collision 4.5).

Points and planes share one space. None stands for a missing tree, which
contains nothing (collision 4.5).
"""

from __future__ import annotations

from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Vec3
from engine.world.bsp import CellTree, InwardPlane
from engine.world.tolerance import EPS

CELL_SLACK: Final = 0.01
OUTSIDE: Final = 0
CROSSING: Final = 1
INSIDE: Final = 2

Planes = tuple[InwardPlane, ...]
Box = tuple[Vec3, Vec3]


def point_inside_cell_bsp(planes: Planes | None, x: float, y: float, z: float) -> bool:
    """Whether a point is in a cell: no more than EPS behind any of its planes."""
    if planes is None:
        return False
    # 0.2 mm outside still count as inside: rooms overlap at their walls instead of leaving cracks between
    # them, and the order of the cell array says which of two has a centre that lies on the opening.
    for p in planes:  # noqa: SIM110  (the hottest loop of a pick)
        if p.nx * x + p.ny * y + p.nz * z + p.d < -EPS:
            return False
    return True


def sphere_intersects_cell(planes: Planes | None, x: float, y: float, z: float, *, r: float) -> int:
    """OUTSIDE, CROSSING or INSIDE for a sphere with 1 cm of slack."""
    if planes is None:
        return OUTSIDE
    rad = r + CELL_SLACK
    result = INSIDE
    for p in planes:
        dist = p.nx * x + p.ny * y + p.nz * z + p.d
        if dist <= -rad:
            return OUTSIDE
        if dist < rad:
            result = CROSSING
    return result


def some_sphere_reaches_cell(
    planes: Planes | None, spheres: list[MovingSphere], ox: float, oy: float
) -> bool:
    """Whether a sphere is not OUTSIDE; ``ox, oy`` is the planes' block seen from the spheres'."""
    if planes is None:
        return False
    for s in spheres:
        x, y, z, behind = s.x - ox, s.y - oy, s.z, -(s.r + CELL_SLACK)
        for p in planes:
            if p.nx * x + p.ny * y + p.nz * z + p.d <= behind:
                break
        else:
            return True
    return False


def box_intersects_cell(tree: CellTree | None, box: Box) -> bool:
    """Whether no plane of a cell has all corners of a box (min, max; cell-local) behind it."""
    if tree is None:
        return False
    (ax, ay, az), (bx, by, bz) = box
    for nx, ny, nz, d in tree.planes:
        far = max(nx * ax, nx * bx) + max(ny * ay, ny * by) + max(nz * az, nz * bz)
        if far + d < -EPS:
            return False
    return True
